// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/size.h"

#include <string>
#include <vector>

/// What an answer does not say by itself: where it was not looked, and what its money leaves out.
namespace fleetwright::size {

/// Which fabrics the node of the first answer was looked at on, and which only where they are named, with the reason;
/// empty where the question names fabrics, and of an offer or a fleet that is owned.
[[nodiscard]] std::string fabricsInWords(
    const DecisionDocument &document, const Catalog &catalog, const Result &result);

/// What an order of an answer's fleet needs and its capital leaves out, a sentence each, with the money where it is
/// known (notCounted() of its worksheet); none of what is rented.
[[nodiscard]] std::vector<std::string> notCountedInWords(
    const Catalog &catalog, const Result &result, const Answer &answer);

} // namespace fleetwright::size
