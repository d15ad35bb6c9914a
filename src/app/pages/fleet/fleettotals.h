// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/worksheet/fleetcost.h"

#include <QString>

#include <vector>

namespace fleetwright::app {

/// One line of what a fleet's nodes, and its sheet, add up to.
struct FleetTotal {
    QString key; ///< "accelerators", "densePeak"...
    QString label;
    QString value; ///< empty: not known
    QString toolTip; ///< how it is made, and whose values
};
/// The labels without values.
[[nodiscard]] std::vector<FleetTotal> fleetTotals();
/// Power and money are those of the sheet; without one (nullptr) they are not known.
[[nodiscard]] std::vector<FleetTotal> fleetTotals(
    const FleetDocument &document, const Fleet &fleet, const Catalog &catalog, const CostSheet *sheet);

} // namespace fleetwright::app
