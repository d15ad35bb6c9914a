// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/commandline/manualpages.h"

#include "units/visibletext.h"
#include "units/words.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace fleetwright::exchange {

namespace {

/// One character of UTF-8 as roff names it.
std::string roffCharacter(std::string_view character)
{
    const auto lead = static_cast<unsigned char>(character.front());
    if (character.size() == 1) {
        switch (character.front()) {
        case '\\': return "\\e";
        case '-': return "\\-"; // a hyphen would not be found by who searches for an option
        case '\'': return "\\(aq";
        case '`': return "\\(ga";
        case '^': return "\\(ha";
        case '~': return "\\(ti";
        case '"': return "\\(dq";
        case '\n': return " ";
        default: return std::string(character);
        }
    }
    unsigned code = lead & (0x7FU >> character.size());
    for (const char c : character.substr(1))
        code = (code << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
    std::array<char, 8> digits{};
    const auto *end = std::to_chars(digits.data(), digits.data() + digits.size(), code, 16).ptr;
    std::string hex(digits.data(), std::size_t(end - digits.data()));
    std::ranges::transform(hex, hex.begin(), [](char c) { return c >= 'a' ? char(c - 'a' + 'A') : c; });
    return "\\[u" + std::string(4 - std::min<std::size_t>(4, hex.size()), '0') + hex + "]";
}

std::string roffText(std::string_view text)
{
    std::string escaped;
    while (!text.empty()) {
        const auto length = std::max<std::size_t>(1, firstCharacter(text));
        escaped += roffCharacter(text.substr(0, length));
        text.remove_prefix(length);
    }
    return escaped;
}

/// Lines that roff fills; none begins with what it would obey.
std::string filled(const std::string &escaped)
{
    constexpr std::size_t longest = 78;
    std::string lines, line;
    const auto end = [&] {
        lines += (line.starts_with('.') ? "\\&" : "") + line + '\n';
        line.clear();
    };
    for (std::size_t at = escaped.find_first_not_of(' '); at != std::string::npos;) {
        const auto stop = std::min(escaped.find(' ', at), escaped.size());
        const auto word = escaped.substr(at, stop - at);
        if (!line.empty() && line.size() + 1 + word.size() > longest)
            end();
        line += (line.empty() ? "" : " ") + word;
        at = escaped.find_first_not_of(' ', stop);
    }
    if (!line.empty())
        end();
    return lines;
}

std::string sentence(const std::string &text) { return text.empty() || text.ends_with('.') ? text : text + '.'; }

std::string bold(const std::string &text) { return "\\fB" + roffText(text) + "\\fR"; }
std::string italic(const std::string &text) { return "\\fI" + roffText(text) + "\\fR"; }

std::string heading(std::string_view macro, const std::string &title)
{
    return "." + std::string(macro) + " \"" + roffText(title) + "\"\n";
}

std::string paragraphs(const std::vector<std::string> &texts)
{
    std::string all;
    for (const auto &text : texts)
        all += (all.empty() ? "" : ".PP\n") + filled(roffText(text));
    return all;
}

/// "-o, --output FILE"
std::string optionTag(const CommandOption &option)
{
    std::string tag;
    for (const auto &name : option.names)
        tag += (tag.empty() ? "" : ", ") + bold(name);
    if (!option.value.empty())
        tag += option.valueOptional ? " [" + italic(option.value) + "]" : " " + italic(option.value);
    return tag;
}

std::string entry(const std::string &tag, const std::string &text) { return ".TP\n" + tag + '\n' + filled(text); }

std::string entryOf(const CommandOption &option, const std::string &tag)
{
    auto text = roffText(sentence(option.meaning));
    if (!option.standard.empty())
        text += " Default: " + roffText(option.standard) + ".";
    return entry(tag, text);
}

std::string synopsis(const std::string &path, const Command &command)
{
    auto line = bold(path);
    for (const auto &option : command.options)
        if (option.required)
            line += " " + optionTag(option);
    if (!command.commands.empty())
        line += " " + italic("COMMAND");
    if (std::ranges::any_of(command.options, [](const CommandOption &option) { return !option.required; }))
        line += " [" + italic("OPTIONS") + "]";
    for (const auto &argument : command.arguments) {
        auto shown = italic(argument.names.front()) + (argument.repeats ? " ..." : "");
        line += argument.required ? " " + shown : " [" + shown + "]";
    }
    return line + '\n';
}

std::string argumentsAndOptions(const Command &command)
{
    std::string text;
    for (const auto &argument : command.arguments)
        text += entryOf(argument, italic(argument.names.front()));
    std::string group;
    for (const auto &option : command.options) {
        if (option.group != group)
            text += heading("SS", option.group);
        group = option.group;
        text += entryOf(option, optionTag(option));
    }
    return text;
}

std::string examplesOf(const Command &command)
{
    std::string text;
    for (const auto &example : command.examples)
        text += (text.empty() ? ".nf\n" : "") + roffText(example) + '\n';
    return text.empty() ? text : text + ".fi\n";
}

/// A command below that of the page.
std::string subsection(const std::string &path, const Command &command)
{
    auto text = heading("SS", command.name) + synopsis(path + " " + command.name, command) + ".PP\n"
        + filled(roffText(sentence(command.summary))) + argumentsAndOptions(command);
    for (const auto *more : {&command.notes, &command.exitStatus})
        if (!more->empty())
            text += ".PP\n" + paragraphs(*more);
    if (!command.examples.empty())
        text += ".PP\nExamples:\n.PP\n" + examplesOf(command);
    return text;
}

ManualPage pageOf(const Command &command, const std::string &path, const std::string &page, const ManualFacts &facts,
    const std::vector<std::string> &seeAlso, bool commandsHere)
{
    std::string title = page;
    std::ranges::transform(title, title.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    auto brief = command.summary;
    if (!brief.empty() && brief.ends_with('.'))
        brief.pop_back();
    auto text = ".TH \"" + roffText(title) + "\" 1 \"" + facts.date + "\" \"Fleetwright " + facts.version
        + "\" \"User Commands\"\n.nh\n.ad l\n" + heading("SH", "NAME")
        + filled(roffText(page) + " \\- " + roffText(brief)) + heading("SH", "SYNOPSIS") + synopsis(path, command)
        + heading("SH", "DESCRIPTION");
    text += paragraphs({sentence(command.summary)});
    if (!command.notes.empty())
        text += ".PP\n" + paragraphs(command.notes);
    if (!command.arguments.empty() || !command.options.empty())
        text += heading("SH", "OPTIONS") + argumentsAndOptions(command);
    if (!command.commands.empty()) {
        text += heading("SH", "COMMANDS");
        for (const auto &below : command.commands)
            text += commandsHere
                ? subsection(path, below)
                : entry(bold(below.name),
                    roffText(sentence(below.summary)) + " See " + bold(page + "-" + below.name) + "(1).");
    }
    if (!command.exitStatus.empty())
        text += heading("SH", "EXIT STATUS") + paragraphs(command.exitStatus);
    if (!command.examples.empty())
        text += heading("SH", "EXAMPLES") + examplesOf(command);
    std::string others;
    for (const auto &other : seeAlso)
        others += (others.empty() ? "" : ", ") + bold(other) + "(1)";
    if (!others.empty())
        text += heading("SH", "SEE ALSO") + filled(others);
    return {page + ".1", text};
}

} // namespace

std::vector<ManualPage> manualPages(const Command &program, const ManualFacts &facts)
{
    auto seeAlso = facts.seeAlso;
    for (const auto &command : program.commands)
        seeAlso.push_back(program.name + "-" + command.name);
    std::vector<ManualPage> pages{pageOf(program, program.name, program.name, facts, seeAlso, false)};
    for (const auto &command : program.commands)
        pages.push_back(pageOf(command, program.name + " " + command.name, program.name + "-" + command.name, facts,
            {program.name}, true));
    return pages;
}

} // namespace fleetwright::exchange
