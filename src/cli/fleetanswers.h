// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/output.h"
#include "solver/worksheet/fleettables.h"

namespace fleetwright::cli {

/// A fleet that was priced.
struct PricedFleet {
    Fleet fleet;
    CostSheet sheet;
};

/// What the `fleet` command prints about one fleet: every table under its title, then sentences and notices.
void writeFleet(std::ostream &out, const PricedFleet &priced);
/// The same as one table for files: a line of each table's rows under the name of the table, numbers in full precision.
[[nodiscard]] Table fleetCsv(const PricedFleet &priced);
/// Every row of the sheet with its value and how it came about.
[[nodiscard]] Table sheetRows(const CostSheet &sheet);
/// Several fleets beside each other, one column each.
[[nodiscard]] Table fleetsBeside(const std::vector<PricedFleet> &fleets);
/// Each notice once, with the fleets that it is about.
void writeNoticesBeside(std::ostream &out, const std::vector<PricedFleet> &fleets);
/// One line for each fleet with the same figures, numbers in full precision.
[[nodiscard]] Table fleetsCsv(const std::vector<PricedFleet> &fleets);

} // namespace fleetwright::cli
