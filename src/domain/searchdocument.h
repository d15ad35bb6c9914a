// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layout.h"
#include "domain/searchspace.h"
#include "domain/sweepdocument.h"

namespace fleetwright {

/// A search as files, forms and the command line hold it.
struct SearchDocument {
    PlanDocument
        plan; ///< its own layout counts only where the space fixes nothing and the cost model does not price an option
    SearchSpace space;
    std::optional<SweepAxis>
        cases; ///< the same search for every point: other fabrics, nodes, numbers of nodes, batches...
    std::string costModelId; ///< empty: the plan's own
    SearchObjective objective = SearchObjective::StepTime;
    std::array<ParetoAxis, 2> pareto{ParetoAxis::StepTime, ParetoAxis::Memory};
    int rows = 1000; ///< best layouts kept and listed; groups, counts and the Pareto front always cover all
    bool operator==(const SearchDocument &) const = default;
};

inline constexpr int mostSearchRows = 2'000'000;
inline constexpr std::size_t mostSearchCases = 100;

/// The space; 1 to mostSearchRows rows; 1 to mostSearchCases points, each with settings; two different Pareto axes.
/// Fields "space.tp", "rows", "cases", "pareto".
[[nodiscard]] Expected<void> check(const SearchDocument &document);

} // namespace fleetwright
