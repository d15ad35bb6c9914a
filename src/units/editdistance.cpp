// SPDX-License-Identifier: GPL-3.0-or-later
#include "units/editdistance.h"
#include "units/words.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace fleetwright {

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0UZ);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

std::string didYouMean(std::string_view word, std::span<const std::string_view> known, std::string_view otherwise)
{
    constexpr std::size_t longest = 60; // of a word that people mistype
    std::string_view nearest;
    std::size_t least = word.size() > longest ? 0 : (word.size() + 2) / 3 + 1;
    for (const auto candidate : known) {
        const bool begun = word.size() > 2 && word.size() <= longest && candidate.starts_with(word);
        if (const auto distance = begun ? 1 : editDistance(word, candidate); distance < least) {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest.empty() ? std::string(otherwise) : "; did you mean " + inQuotes(nearest, nearest.size()) + "?";
}

} // namespace fleetwright
