// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/size.h"

#include <optional>
#include <string>
#include <vector>

namespace fleetwright::size {

/// That the price which most of an answer's money follows rests on little.
struct WeakPrice {
    std::string sentence; ///< with the figure, what it rests on, and what would be better
    std::vector<std::string> ids; ///< the prices of the catalog that it is made from; ascending
};
/// Of the nodes of what is bought (of their accelerators, where these are priced), of the rent of what is rented: where
/// each price of the catalog behind it is an estimate, or was taken from a source that was not read again for the
/// catalog, or worked out from others. Nothing for prices that somebody entered (a quote, an offer).
[[nodiscard]] std::optional<WeakPrice> weakPrice(const Catalog &catalog, const Result &result, const Answer &answer);

} // namespace fleetwright::size
