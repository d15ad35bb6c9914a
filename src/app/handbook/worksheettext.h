// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace fleetwright::app {

/// The page of the worksheet with the rows where it says "<!-- rows: capital -->": each with its formula in words, as
/// Explain shows it, in symbols, as files hold it, its source, and, where "<!-- example -->" says what the example is,
/// the formula with that fleet's values. Made of the rows that the solver computes with; no formula stands here.
[[nodiscard]] QString withWorksheetRows(QString markdown);

} // namespace fleetwright::app
