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

std::string itemOf(const CommandOption &option, const ManualWords &words)
{
    auto item = "- " + codeSpan(namesOf(option)) + ": " + sentenceInMarkdown(option.meaning);
    if (!option.standard.empty())
        item += " " + words.standard + ": " + codeSpan(option.standard) + ".";
    return item + "\n";
}

std::string synopsisOf(const std::string &path, const Command &command, const ManualWords &words)
{
    auto line = path;
    for (const auto &option : command.options)
        if (option.required)
            line += " " + namesOf(option);
    if (!command.commands.empty())
        line += " " + words.commandName;
    if (std::ranges::any_of(command.options, [](const CommandOption &option) { return !option.required; }))
        line += " [" + words.options + "]";
    for (const auto &argument : command.arguments) {
        const auto shown = argument.names.front() + (argument.repeats ? " ..." : "");
        line += argument.required ? " " + shown : " [" + shown + "]";
    }
    return codeSpan(line);
}

std::string optionsOf(const Command &command, const ManualWords &words)
{
    std::string text;
    for (const auto &argument : command.arguments)
        text += itemOf(argument, words);
    std::string group;
    for (const auto &option : command.options) {
        if (option.group != group)
            text += (text.empty() ? "" : "\n") + escapedMarkdown(option.group) + ":" + "\n\n";
        group = option.group;
        text += itemOf(option, words);
    }
    return text.empty() ? text : "\n" + text;
}

std::string ownSectionOf(const std::string &path, const Command &command, std::size_t level, const ManualWords &words)
{
    auto text = "\n" + std::string(level, '#') + " " + path + "\n\n" + sentenceInMarkdown(command.summary) + "\n\n"
        + synopsisOf(path, command, words) + "\n" + optionsOf(command, words);
    for (const auto &note : command.notes)
        text += "\n" + sentenceInMarkdown(note) + "\n";
    for (const auto &status : command.exitStatus)
        text += "\n" + words.exitStatus + ": " + sentenceInMarkdown(status) + "\n";
    if (!command.examples.empty()) {
        text += "\n```sh\n";
        for (const auto &example : command.examples)
            text += example + "\n";
        text += "```\n";
    }
    return text;
}

/// With those of the commands below.
std::string sectionsOf(const std::string &path, const Command &command, std::size_t level, const ManualWords &words)
{
    auto text = ownSectionOf(path, command, level, words);
    for (const auto &below : command.commands)
        text += sectionsOf(path + " " + below.name, below, level + 1, words);
    return text;
}

} // namespace

std::string markdownManual(const Command &program, const ManualWords &words)
{
    auto text = "# " + words.title + "\n\n" + words.about + "\n\n| " + words.command + " | " + words.does
        + " |\n|---|---|\n";
    for (const auto &command : program.commands)
        text += "| [" + command.name + "](#" + program.name + "-" + command.name + ") | "
            + escapedMarkdown(command.summary) + " |\n";
    text += ownSectionOf(program.name, program, 2, words);
    for (const auto &command : program.commands)
        text += sectionsOf(program.name + " " + command.name, command, 2, words);
    return text;
}

} // namespace fleetwright::exchange
