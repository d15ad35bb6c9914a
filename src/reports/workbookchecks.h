// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/workbooklayout.h"

namespace fleetwright::reports {

/// What must hold in a workbook, as a condition over the rows of its worksheet.
struct WorkbookCheck {
    std::string label;
    SheetFormula condition;
};
/// A figure is still the one that was written where it differs by no more than this share: recalculating rounds.
inline constexpr double rangeTolerance = 1e-9;
inline constexpr std::string_view rangeToleranceUnit = "of the figure";

/// The balances that the worksheet's own formulas do not state, and the worksheet's rules. Those about rows that no
/// fleet has a value of are left out. Their constants and rangeTolerance are noted in the layout.
[[nodiscard]] std::vector<WorkbookCheck> workbookChecks(WorkbookLayout &layout);

/// The entries for which the program's own values were computed: another number needs another answer.
[[nodiscard]] std::vector<std::size_t> solvedEntries(const WorkbookLayout &layout);

} // namespace fleetwright::reports
