// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/commandline/commandline.h"

#include <array>
#include <optional>
#include <string_view>

namespace fleetwright::exchange {

enum class Shell { Bash, Zsh, Fish };
inline constexpr std::array allShells{Shell::Bash, Shell::Zsh, Shell::Fish};
[[nodiscard]] std::string_view toString(Shell shell);
[[nodiscard]] std::optional<Shell> findShell(std::string_view word);

/// The script by which the shell completes the program's commands, options and values. It asks the program nothing.
[[nodiscard]] std::string completionScript(const Command &program, Shell shell);

} // namespace fleetwright::exchange
