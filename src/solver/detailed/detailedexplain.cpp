// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/detailed/detailedexplain.h"

namespace fleetwright::detailed {

std::vector<ExplainedFigure> explain(const ExplainedPlan &)
{
    return {};
}

} // namespace fleetwright::detailed
