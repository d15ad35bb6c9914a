// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/commandline/commandline.h"

namespace CLI {
class App;
}

namespace fleetwright::cli {

/// Translated: in the language of who reads it, but for what is typed.
enum class Wording { English, Translated };

/// The commands and options that the program takes, from the table that it parses them with; without what is in no
/// help.
[[nodiscard]] exchange::Command described(CLI::App &app, Wording wording = Wording::English);

} // namespace fleetwright::cli
