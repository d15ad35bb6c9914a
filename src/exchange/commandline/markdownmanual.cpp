// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/commandline/markdownmanual.h"

#include <algorithm>
#include <string_view>

namespace fleetwright::exchange {

namespace {

/// Words that stand in Markdown as they read.
std::string escapedMarkdown(const std::string &text)
{
    constexpr std::string_view signs = "\\`*_{}[]#|<>~";
    std::string escaped;
    for (const char c : text) {
        if (signs.find(c) != std::string_view::npos)
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string sentenceInMarkdown(const std::string &text)
{
    return escapedMarkdown(text) + (text.empty() || text.ends_with('.') ? "" : ".");
}

std::string codeSpan(const std::string &text) { return "`" + text + "`"; }

/// "-o, --output FILE"
std::string namesOf(const CommandOption &option)
{
    std::string names;
    for (const auto &name : option.names)
        names += (names.empty() ? "" : ", ") + name;
    if (!option.value.empty())
        names += option.valueOptional ? " [" + option.value + "]" : " " + option.value;
    return names;
}

std::string itemOf(const CommandOption &option)
{
    auto item = "- " + codeSpan(namesOf(option)) + ": " + sentenceInMarkdown(option.meaning);
    if (!option.standard.empty())
        item += " Default: " + codeSpan(option.standard) + ".";
    return item + "\n";
}

std::string synopsisOf(const std::string &path, const Command &command)
{
    auto line = path;
    for (const auto &option : command.options)
        if (option.required)
            line += " " + namesOf(option);
    if (!command.commands.empty())
        line += " COMMAND";
    if (std::ranges::any_of(command.options, [](const CommandOption &option) { return !option.required; }))
        line += " [OPTIONS]";
    for (const auto &argument : command.arguments) {
        const auto shown = argument.names.front() + (argument.repeats ? " ..." : "");
        line += argument.required ? " " + shown : " [" + shown + "]";
    }
    return codeSpan(line);
}

std::string optionsOf(const Command &command)
{
    std::string text;
    for (const auto &argument : command.arguments)
        text += itemOf(argument);
    std::string group;
    for (const auto &option : command.options) {
        if (option.group != group)
            text += (text.empty() ? "" : "\n") + escapedMarkdown(option.group) + ":" + "\n\n";
        group = option.group;
        text += itemOf(option);
    }
    return text.empty() ? text : "\n" + text;
}

std::string ownSectionOf(const std::string &path, const Command &command, std::size_t level)
{
    auto text = "\n" + std::string(level, '#') + " " + path + "\n\n" + sentenceInMarkdown(command.summary) + "\n\n"
        + synopsisOf(path, command) + "\n" + optionsOf(command);
    for (const auto &note : command.notes)
        text += "\n" + sentenceInMarkdown(note) + "\n";
    for (const auto &status : command.exitStatus)
        text += "\nExit status: " + sentenceInMarkdown(status) + "\n";
    if (!command.examples.empty()) {
        text += "\n```sh\n";
        for (const auto &example : command.examples)
            text += example + "\n";
        text += "```\n";
    }
    return text;
}

/// With those of the commands below.
std::string sectionsOf(const std::string &path, const Command &command, std::size_t level)
{
    auto text = ownSectionOf(path, command, level);
    for (const auto &below : command.commands)
        text += sectionsOf(path + " " + below.name, below, level + 1);
    return text;
}

} // namespace

std::string markdownManual(const Command &program, const std::string &title, const std::string &about)
{
    auto text = "# " + title + "\n\n" + about + "\n\n| command | does |\n|---|---|\n";
    for (const auto &command : program.commands)
        text += "| [" + command.name + "](#" + program.name + "-" + command.name + ") | "
            + escapedMarkdown(command.summary) + " |\n";
    text += ownSectionOf(program.name, program, 2);
    for (const auto &command : program.commands)
        text += sectionsOf(program.name + " " + command.name, command, 2);
    return text;
}

} // namespace fleetwright::exchange
