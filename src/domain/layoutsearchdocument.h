// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layout.h"
#include "domain/layoutsearchspace.h"
#include "domain/sweepdocument.h"

namespace fleetwright {

/// A search as files, forms and the command line hold it.
struct LayoutSearchDocument {
    PlanDocument
        plan; ///< its own layout counts only where the space fixes nothing and the cost model does not price an option
    LayoutSearchSpace space;
    std::optional<SweepAxis>
        cases; ///< the same search for every point: other fabrics, nodes, numbers of nodes, batches...
    std::string costModelId; ///< empty: the plan's own
    LayoutSearchObjective objective = LayoutSearchObjective::StepTime;
    std::array<ParetoAxis, 2> pareto{ParetoAxis::StepTime, ParetoAxis::Memory};
    int rows = 1000; ///< best layouts kept and listed; groups, counts and the Pareto front always cover all
    bool operator==(const LayoutSearchDocument &) const = default;
};

inline constexpr int mostLayoutSearchRows = 2'000'000;
inline constexpr std::size_t mostLayoutSearchCases = 100;

/// The space; 1 to mostLayoutSearchRows rows; 1 to mostLayoutSearchCases points, each with settings; two different
/// Pareto axes. Fields "space.tp", "rows", "cases", "pareto".
[[nodiscard]] Expected<void> check(const LayoutSearchDocument &document);

} // namespace fleetwright
