// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/search/layoutsearch.h"

namespace fleetwright::layoutsearch {

/// What a search says about one layout.
struct Verdict {
    Layout layout; ///< with the DP that the cost model derives
    std::optional<Exclusion> excluded; ///< nothing: feasible
    LayoutFigures figures; ///< also of layouts that break a limit; NaN where they are illegal
};

/// Judged by the rules of the search, with a space of this one layout; what the request's own space leaves out is
/// judged, too. DP is derived anew. Refuses as run().
[[nodiscard]] Expected<Verdict> judge(const Request &request, const Layout &layout, int caseIndex);

} // namespace fleetwright::layoutsearch
