// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/describedcommand.h"

#include "cli/arguments.h"
#include "cli/helpformat.h"

#include <sstream>

namespace fleetwright::cli {

namespace {

/// What a help says below its options: examples, exit status and paragraphs, whose lines are put together again.
void readFooter(exchange::Command &command, const std::string &footer)
{
    std::istringstream lines(footer);
    bool examples = false, goesOn = false;
    auto *paragraphs = &command.notes;
    constexpr std::string_view exitStatus = "Exit status: ";
    for (std::string line; std::getline(lines, line);) {
        if (line.empty())
            continue;
        if (line == examplesTitle) {
            examples = true;
            continue;
        }
        if (examples) {
            command.examples.push_back(line.substr(line.find_first_not_of(' ')));
            continue;
        }
        const bool status = line.starts_with(exitStatus);
        if (!goesOn || status) {
            paragraphs = status ? &command.exitStatus : &command.notes;
            paragraphs->push_back(status ? line.substr(exitStatus.size()) : line);
        } else {
            paragraphs->back() += " " + line;
        }
        goesOn = !line.ends_with('.') && !line.ends_with(':');
    }
}

exchange::Completes completesOf(const CLI::Option &option)
{
    const auto type = option.get_type_name();
    return type == fileType  ? exchange::Completes::Files
        : type == folderType ? exchange::Completes::Folders
                             : exchange::Completes::Nothing;
}

exchange::CommandOption describedOption(CLI::Option &option)
{
    exchange::CommandOption described;
    described.meaning = option.get_description();
    described.words = knownWords(option);
    described.completes = completesOf(option);
    described.required = option.get_required();
    described.repeats = option.get_items_expected_max() >= CLI::detail::expected_max_vector_size;
    if (option.get_positional()) {
        described.names = {option.get_name(true, false)};
        return described;
    }
    for (const auto &name : option.get_snames())
        described.names.push_back("-" + name);
    for (const auto &name : option.get_lnames())
        described.names.push_back("--" + name);
    if (option.get_group() != "Options")
        described.group = option.get_group();
    if (option.get_items_expected_max() == 0)
        return described;
    described.value = valueType(option);
    described.valueOptional = option.get_items_expected_min() == 0;
    described.standard = option.get_default_str();
    return described;
}

} // namespace

exchange::Command described(CLI::App &app)
{
    exchange::Command command;
    command.name = app.get_name();
    command.summary = app.get_description();
    for (auto *option : app.get_options()) {
        if (option->get_group().empty()) // hidden
            continue;
        auto &list = option->get_positional() ? command.arguments : command.options;
        list.push_back(describedOption(*option));
    }
    for (auto *below : app.get_subcommands([](CLI::App *) { return true; }))
        if (!below->get_group().empty())
            command.commands.push_back(described(*below));
    readFooter(command, app.get_footer());
    return command;
}

} // namespace fleetwright::cli
