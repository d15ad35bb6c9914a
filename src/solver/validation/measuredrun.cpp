// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/measuredrun.h"

namespace fleetwright::validation {

std::string inWords(const UnreadRow &row) { return row.place + ": " + row.error.message; }

Expected<void> requireRun(const RunFile &file)
{
    if (!file.runs.empty() || file.unread.empty())
        return {};
    const auto &first = file.unread.front();
    return refuse(first.error.code, first.error.field,
        (file.unread.size() == 1 ? std::string("The only row cannot be read. ")
                                 : "None of the " + std::to_string(file.unread.size()) + " rows can be read. ")
            + inWords(first));
}

} // namespace fleetwright::validation
