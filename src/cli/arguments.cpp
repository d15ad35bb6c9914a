// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/arguments.h"
#include "cli/helpformat.h"
#include "text/localizedparts.h"

#include "domain/catalog.h"
#include "solver/models/costmodel.h"
#include "units/editdistance.h"
#include "units/words.h"

#include <array>
#include <charconv>
#include <sstream>

namespace fleetwright::cli {

namespace {

constexpr std::size_t longestShown = 60;

/// A check carries its words in its name, the only place that the library keeps for us.
constexpr std::string_view wordsMark = "words: ";

std::string nameWith(const std::vector<std::string> &words)
{
    std::string name(wordsMark);
    for (const auto &word : words)
        name += word + " ";
    return name;
}

std::string listed(const std::vector<std::string> &words, const char *last)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + words[i];
    return text;
}

/// The command that the arguments reached: "catalog show".
const CLI::App &reached(const CLI::App &app)
{
    const auto *command = &app;
    for (auto chosen = command->get_subcommands(); !chosen.empty(); chosen = command->get_subcommands())
        command = chosen.back();
    return *command;
}

std::string nameOf(const CLI::App &command)
{
    const auto *parent = command.get_parent();
    return parent && parent->get_parent() ? nameOf(*parent) + " " + command.get_name() : command.get_name();
}

std::vector<std::string> commandsOf(const CLI::App &app)
{
    std::vector<std::string> names;
    for (const auto *command : app.get_subcommands([](const CLI::App *) { return true; }))
        names.push_back(command->get_name());
    return names;
}

/// "-o" and "--output" of every option.
std::vector<std::string> optionsOf(const CLI::App &command)
{
    std::vector<std::string> names;
    for (const auto *option : command.get_options()) {
        for (const auto &name : option->get_lnames())
            names.push_back("--" + name);
        for (const auto &name : option->get_snames())
            names.push_back("-" + name);
    }
    return names;
}

std::string unknownCommand(const CLI::App &app, const std::string &word)
{
    const auto names = commandsOf(app);
    const bool top = app.get_parent() == nullptr;
    const auto none = "There is no command " + inQuotes(top ? word : nameOf(app) + " " + word);
    if (const auto meant = didYouMean(word, names); !meant.empty())
        return none + meant;
    return names.size() == 1 ? none + "; the only one is " + inQuotes(nameOf(app) + " " + names.front()) + "."
                             : none + "; the commands are " + listed(names, " and ") + ".";
}

std::string unexpected(const CLI::App &command, const std::string &word)
{
    if (word.size() < 2 || word.front() != '-')
        return commandsOf(command).empty()
            ? "The argument " + inQuotes(word) + " is one too many for " + nameOf(command) + "."
            : unknownCommand(command, word);
    const auto option = word.substr(0, word.find('='));
    const auto meant = didYouMean(option, optionsOf(command));
    const bool top = command.get_parent() == nullptr;
    const auto rest = meant.empty() ? "; \u201c" + command.get_help_ptr()->get_name() + "\u201d lists them." : meant;
    return top ? "There is no option " + inQuotes(option) + rest
               : "There is no option " + inQuotes(option) + " of " + nameOf(command) + rest;
}

/// The option that the library's message names.
const CLI::Option *concerned(const CLI::App &command, std::string_view message)
{
    const CLI::Option *found = nullptr;
    for (const auto *option : command.get_options()) {
        // Of a flag it names "sensitivity", of everything else "--top".
        const bool flag = option->get_items_expected_max() == 0 && !option->get_lnames().empty();
        const auto name = flag ? option->get_lnames().front() : option->get_name();
        const auto at = message.find(name);
        const auto end = at + name.size();
        const bool whole = at != std::string_view::npos
            && (end == message.size() || std::string_view(" :,=").find(message[end]) != std::string_view::npos);
        if (whole && (!found || name.size() > found->get_name().size()))
            found = option;
    }
    return found;
}

std::string missing(const CLI::App &command)
{
    for (const auto *option : command.get_options())
        if (option->get_required() && option->count() == 0)
            return nameOf(command) + " needs " + shownName(*option) + ": " + option->get_description() + ".";
    return "Name a command: " + listed(commandsOf(command), " or ") + ".";
}

std::string exclusive(const CLI::App &command)
{
    for (const auto *option : command.get_options())
        for (const auto *other : option->get_excludes())
            if (option->count() > 0 && other->count() > 0)
                return option->get_name() + " and " + other->get_name() + " do not go together; leave one out.";
    return {};
}

std::string wrongValue(const CLI::Option &option, const CLI::ParseError &problem)
{
    const std::string message = problem.what();
    if (dynamic_cast<const CLI::ValidationError *>(&problem)) // the sentence of one of our own checks
        return shownName(option) + ": " + message.substr(message.find(": ") + 2);
    if (option.get_items_expected_max() == 0)
        return option.get_name() + " takes no value.";
    if (option.get_items_expected_max() == 1 && option.count() > 1)
        return shownName(option) + " stands more than once; give it once.";
    return shownName(option) + " needs a value: " + option.get_description() + ".";
}

/// What a help says below its options. Examples are typed: they stay.
std::string footerInLanguage(const std::string &footer)
{
    const auto title = footer.find(examplesTitle);
    if (title == std::string::npos)
        return localized(footer).toStdString();
    return localized(footer.substr(0, title)).toStdString() + localized(examplesTitle).toStdString()
        + footer.substr(title + examplesTitle.size());
}

} // namespace

std::string usageSentence(const CLI::App &app, const CLI::ParseError &problem)
{
    const auto &command = reached(app);
    // First what nobody knows: it explains what else is missing.
    for (const auto *level : {&command, &app})
        for (const auto &word : level->remaining())
            if (word != "--")
                return unexpected(*level, word);
    if (dynamic_cast<const CLI::RequiredError *>(&problem))
        return missing(command);
    if (auto sentence = exclusive(command); !sentence.empty())
        return sentence;
    if (const auto *option = concerned(command, problem.what()))
        return wrongValue(*option, problem);
    return "The arguments of " + nameOf(command) + " are not understood.";
}

void addExamples(CLI::App &command, std::initializer_list<std::string_view> examples)
{
    auto text = command.get_footer() + (command.get_footer().empty() ? "" : "\n") + std::string(examplesTitle);
    for (const auto example : examples)
        text += "\n  fleetwright-cli " + std::string(example);
    command.footer(text);
}

CLI::Validator wholeNumber(std::int64_t low, std::int64_t high)
{
    return CLI::Validator(
        [low, high](const std::string &text) -> std::string {
            std::int64_t number = 0;
            const auto *end = text.data() + text.size();
            const auto [rest, fault] = std::from_chars(text.data(), end, number);
            if (fault == std::errc() && rest == end && number >= low && number <= high)
                return {};
            return inQuotes(text) + " must be a whole number from " + std::to_string(low) + " to "
                + std::to_string(high) + ".";
        },
        "", "");
}

CLI::Validator oneOf(std::vector<std::string> words)
{
    auto name = nameWith(words);
    return CLI::Validator(
        [words = std::move(words)](std::string &text) -> std::string {
            const auto word = CLI::detail::to_lower(text);
            if (std::ranges::find(words, word) != words.end()) {
                text = word;
                return {};
            }
            const auto meant = didYouMean(word, words);
            auto typed = words;
            if (language() != Language::English) // else what is typed reads as a word of the sentence
                for (auto &one : typed)
                    one = inQuotes(one);
            return inQuotes(text) + " must be " + listed(typed, " or ") + (meant.empty() ? "." : meant);
        },
        "", std::move(name));
}

CLI::Validator usually(const std::vector<std::string> &words)
{
    return CLI::Validator([](const std::string &) { return std::string(); }, "", nameWith(words));
}

std::vector<std::string> costModelIds()
{
    std::vector<std::string> ids;
    for (const auto *model : costModels())
        ids.emplace_back(model->id());
    return ids;
}

std::vector<std::string> catalogNames()
{
    std::vector<std::string> names;
    for (const auto kind : allCatalogKinds)
        names.emplace_back(toString(kind));
    return names;
}

std::vector<std::string> knownWords(CLI::Option &option)
{
    std::vector<std::string> words;
    try {
        for (int i = 0;; ++i) { // the library does not say how many there are
            const auto &name = option.get_validator(i)->get_name();
            if (!name.starts_with(wordsMark))
                continue;
            std::istringstream text(name.substr(wordsMark.size()));
            for (std::string word; text >> word;)
                words.push_back(word);
        }
    } catch (const CLI::OptionNotFound &) {
        return words;
    }
}

void translateHelp(CLI::App &command)
{
    if (language() == Language::English)
        return;
    const auto said = [](const std::string &english) { return localized(english).toStdString(); };
    command.description(said(command.get_description()));
    command.footer(footerInLanguage(command.get_footer()));
    // What the library itself says: its labels, and in "Options" and "Subcommands" names of groups.
    constexpr std::array<std::pair<const char *, const char *>, 7> labels{
        {{"Usage", "Usage"}, {"Positionals", "Positionals"}, {"OPTIONS", "OPTIONS"}, {"SUBCOMMAND", "COMMAND"},
            {"REQUIRED", "Required"}, {"Needs", "Needs"}, {"Excludes", "Excludes"}}};
    for (const auto &[label, word] : labels)
        command.get_formatter()->label(label, localizedWord(std::string_view(word)).toStdString());
    for (auto *option : command.get_options()) {
        option->description(said(option->get_description()));
        option->group(said(option->get_group()));
    }
    for (auto *below : command.get_subcommands([](CLI::App *) { return true; })) {
        below->group(said(below->get_group()));
        translateHelp(*below);
    }
}

} // namespace fleetwright::cli
