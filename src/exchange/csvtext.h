// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/formulaguard.h"

#include <string>

namespace fleetwright::exchange {

/// A cell of RFC 4180: in quotes where it holds a comma, a quote or the end of a line.
[[nodiscard]] inline std::string csvCell(const std::string &text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

/// The same for a text that somebody wrote, which no spreadsheet is to run.
[[nodiscard]] inline std::string csvTextCell(const std::string &text) { return csvCell(guardedCell(text)); }

} // namespace fleetwright::exchange
