// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

/// What a program of ours takes on its command line, as manual pages and shells are told about it. Each program makes
/// it from the table that it reads its own command line with.
namespace fleetwright::exchange {

/// What a shell offers where a value is typed, beside the words that are known.
enum class Completes { Nothing, Files, Folders };

struct CommandOption {
    std::vector<std::string> names; ///< "-o", "--output"; of an argument its one name, "PLAN"
    std::string value; ///< what follows an option: "FILE"; empty: nothing
    std::string meaning; ///< a sentence without its end
    std::string group; ///< a heading of its own; empty: the common one
    std::string standard; ///< what holds without it, as it would be typed; empty: not told
    std::vector<std::string> words; ///< what the value is one of, where that is known
    Completes completes = Completes::Nothing;
    bool required = false, repeats = false;
    bool valueOptional = false; ///< the option may stand without its value
};

struct Command {
    std::string name; ///< of a program "fleetwright-cli", of a command "solve"
    std::string summary; ///< a sentence without its end
    std::vector<CommandOption> arguments, options;
    std::vector<Command> commands;
    std::vector<std::string> notes; ///< paragraphs
    std::vector<std::string> exitStatus; ///< paragraphs
    std::vector<std::string> examples; ///< whole lines
};

} // namespace fleetwright::exchange
