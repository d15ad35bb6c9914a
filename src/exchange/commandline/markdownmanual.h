// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/commandline/commandline.h"

namespace fleetwright::exchange {

/// What the page says beside what the program is described by, in its language.
struct ManualWords {
    std::string title; ///< its first heading
    std::string about; ///< the paragraph below
    std::string command, does; ///< heads of the table
    std::string commandName, options; ///< in the synopsis
    std::string standard; ///< before a value that holds without the option
    std::string exitStatus; ///< before what the program returns
};

/// Everything that manualPages() says, as one page of Markdown: a table of the commands, then each with its arguments,
/// options, exit status and examples.
[[nodiscard]] std::string markdownManual(const Command &program, const ManualWords &words);

} // namespace fleetwright::exchange
