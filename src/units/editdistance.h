// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace fleetwright {

/// Insertions, deletions and replacements of bytes that turn one word into the other (Levenshtein 1966), for "did you
/// mean" sentences.
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

} // namespace fleetwright
