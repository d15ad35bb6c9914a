// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fleetwright {

/// Insertions, deletions and replacements of bytes that turn one word into the other (Levenshtein 1966), for "did you
/// mean" sentences.
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

/// How a sentence about an unknown word goes on: "; did you mean “word”?" with the known one that is near, or
/// `otherwise` when none is.
[[nodiscard]] std::string didYouMean(
    std::string_view word, std::span<const std::string_view> known, std::string_view otherwise = {});
template <std::ranges::input_range Words>
[[nodiscard]] std::string didYouMean(std::string_view word, const Words &known, std::string_view otherwise = {})
{
    std::vector<std::string_view> views;
    for (const auto &one : known)
        views.emplace_back(one);
    return didYouMean(word, std::span<const std::string_view>(views), otherwise);
}

} // namespace fleetwright
