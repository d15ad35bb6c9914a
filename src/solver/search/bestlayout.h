// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/search/recommendation.h"

/// From documents whose layout may be open to plans that a cost model prices. What solves, compares, explains or prints
/// a plan document comes through here.
namespace fleetwright::layoutsearch {

/// A plan with every degree fixed.
struct DecidedPlan {
    /// Where the layout was open, with the recommended layout and, unless the document limits the memory, with
    /// defaultMemoryShare as its limit.
    Plan plan;
    std::optional<Recommendation> layout; ///< how it was decided; nothing where the document fixes it
};

/// resolve(), and recommend() where the layout is open. That no layout keeps every limit is an answer: the plan then
/// has the one that comes closest, and Recommendation::missed says what it misses. Refuses as both. `rangeOf` and
/// `threads` as recommend().
[[nodiscard]] Expected<DecidedPlan> resolveWithBestLayout(const PlanDocument &document, const Catalog &catalog,
    const validation::RangeOf &rangeOf = {}, const std::stop_token &stop = {}, int threads = 0);
/// The second half, for what is resolved already: a plan whose layout is open in this space.
[[nodiscard]] Expected<DecidedPlan> decided(const Plan &plan, const LayoutSearchSpace &space,
    const validation::RangeOf &rangeOf = {}, const std::stop_token &stop = {}, int threads = 0);

} // namespace fleetwright::layoutsearch
