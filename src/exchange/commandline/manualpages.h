// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/commandline/commandline.h"

namespace fleetwright::exchange {

struct ManualPage {
    std::string file; ///< "fleetwright-cli-solve.1"
    std::string text; ///< roff with the macros of man (7); ASCII
};

/// What pages say about the program as a whole.
struct ManualFacts {
    std::string version;
    std::string date; ///< of that version: 2026-11-21
    std::vector<std::string> seeAlso; ///< other programs
};

/// One page of the program and one of each of its commands, which holds the commands below that, too.
[[nodiscard]] std::vector<ManualPage> manualPages(const Command &program, const ManualFacts &facts);

} // namespace fleetwright::exchange
