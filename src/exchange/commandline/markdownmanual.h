// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/commandline/commandline.h"

namespace fleetwright::exchange {

/// Everything that manualPages() says, as one page of Markdown: a table of the commands, then each with its arguments,
/// options, exit status and examples. `title` is its first heading, `about` the paragraph below.
[[nodiscard]] std::string markdownManual(const Command &program, const std::string &title, const std::string &about);

} // namespace fleetwright::exchange
