// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/describedcommand.h"

#include "cli/arguments.h"
#include "cli/helpformat.h"
#include "text/localized.h"

#include <algorithm>
#include <sstream>

namespace fleetwright::cli {

namespace {

std::string said(const std::string &english, Wording wording)
{
    return wording == Wording::Translated ? localized(english).toStdString() : english;
}

/// What a help says below its options: examples, exit status and paragraphs, whose lines are put together again.
void readFooter(exchange::Command &command, const std::string &footer, Wording wording)
{
    const auto title = std::min(footer.find(examplesTitle), footer.size());
    std::istringstream lines(said(footer.substr(0, title), wording) + footer.substr(title));
    const auto exitStatus = said("Exit status", wording) + ": ";
    bool examples = false, goesOn = false;
    auto *paragraphs = &command.notes;
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

exchange::CommandOption describedOption(CLI::Option &option, Wording wording)
{
    exchange::CommandOption described;
    described.meaning = said(option.get_description(), wording);
    described.words = knownWords(option);
    described.completes = completesOf(option);
    described.required = option.get_required();
    described.repeats = option.get_items_expected_max() >= CLI::detail::expected_max_vector_size;
    if (option.get_positional()) {
        const auto name = option.get_name(true, false);
        described.names = {wording == Wording::Translated ? placeholder(name) : name};
        return described;
    }
    for (const auto &name : option.get_snames())
        described.names.push_back("-" + name);
    for (const auto &name : option.get_lnames())
        described.names.push_back("--" + name);
    if (option.get_group() != "Options")
        described.group = said(option.get_group(), wording);
    if (option.get_items_expected_max() == 0)
        return described;
    described.value = wording == Wording::Translated ? placeholder(valueType(option)) : valueType(option);
    described.valueOptional = option.get_items_expected_min() == 0;
    described.standard = option.get_default_str();
    return described;
}

} // namespace

exchange::Command described(CLI::App &app, Wording wording)
{
    exchange::Command command;
    command.name = app.get_name();
    command.summary = said(app.get_description(), wording);
    for (auto *option : app.get_options()) {
        if (option->get_group().empty()) // hidden
            continue;
        auto &list = option->get_positional() ? command.arguments : command.options;
        list.push_back(describedOption(*option, wording));
    }
    for (auto *below : app.get_subcommands([](CLI::App *) { return true; }))
        if (!below->get_group().empty())
            command.commands.push_back(described(*below, wording));
    readFooter(command, app.get_footer(), wording);
    return command;
}

} // namespace fleetwright::cli
