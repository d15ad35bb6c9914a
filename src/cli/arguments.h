// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fleetwright::cli {

/// What is wrong with the arguments, as a sentence that says what to do instead. The library's own wording is not
/// shown: it names neither the command nor the word that was meant.
[[nodiscard]] std::string usageSentence(const CLI::App &app, const CLI::ParseError &problem);

/// The types of values that a shell completes as names of files and folders.
inline constexpr const char *fileType = "FILE";
inline constexpr const char *folderType = "FOLDER";

/// What stands above the examples of a help.
inline constexpr std::string_view examplesTitle = "Examples:";

/// Lines that people may type, below everything else that the help says.
void addExamples(CLI::App &command, std::initializer_list<std::string_view> examples);

/// What the help of the command and of those below it says, in the language of who asks.
void translateHelp(CLI::App &command);

/// Refuses what is no whole number from `low` to `high`.
[[nodiscard]] CLI::Validator wholeNumber(std::int64_t low, std::int64_t high);

/// Refuses what is none of the words, in lower or upper case; suggests the one that was meant.
[[nodiscard]] CLI::Validator oneOf(std::vector<std::string> words);

/// Refuses nothing, but says what is usual: the value is judged later, where more is known.
[[nodiscard]] CLI::Validator usually(const std::vector<std::string> &words);

/// Words for usually(): the ids of the cost models, the names of the catalogs.
[[nodiscard]] std::vector<std::string> costModelIds();
[[nodiscard]] std::vector<std::string> catalogNames();

/// What oneOf() or usually() name for the option; none otherwise.
[[nodiscard]] std::vector<std::string> knownWords(CLI::Option &option);

/// An option that takes one of a few words, each for a value of `T`.
template <class T>
CLI::Option *addChoice(CLI::App &command, const std::string &name, T &value,
    const std::vector<std::pair<std::string, T>> &words, const std::string &help)
{
    std::vector<std::string> known;
    std::string shown;
    for (const auto &[word, meant] : words) {
        known.push_back(word);
        if (meant == value && shown.empty())
            shown = word;
    }
    return command
        .add_option_function<std::string>(
            name,
            [&value, words](const std::string &word) {
                value = std::ranges::find(words, word, &std::pair<std::string, T>::first)->second;
            },
            help)
        ->transform(oneOf(std::move(known)))
        ->default_str(shown);
}

} // namespace fleetwright::cli
