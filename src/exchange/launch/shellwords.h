// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <optional>
#include <vector>

namespace fleetwright::exchange {

/// One word of a command as the shell would pass it.
struct ShellWord {
    std::string text;
    std::size_t line = 1;
    /// What the text does not set: "GPUS" of $GPUS, or "$(...)". The word's value is then not known.
    std::string unknown{};
};

/// A command without the assignments before it.
struct ShellCommand {
    std::vector<ShellWord> words;
};

/// The commands of a shell text that pass options ("--..."), with quotes, escapes, continued lines, comments and the
/// variables and lists that it sets itself ($NAME, ${NAME}, ${NAME:-word}, "${NAME[@]}") as the shell reads them.
/// Nothing is run: what a command, arithmetic or the environment would give is unknown. Where no command passes
/// options, the lists and variables that hold some stand for one. ParseError with the line for an open quote, for texts
/// over the size of a document, for more than 20,000 words and for what is no text.
[[nodiscard]] Expected<std::vector<ShellCommand>> shellCommands(std::string_view text);

} // namespace fleetwright::exchange
