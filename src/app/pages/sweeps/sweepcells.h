// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/sweep/sweep.h"

#include <QString>

/// What the answer of a sweep says, in words, and what one of its cells becomes.
namespace fleetwright::app {

/// The best of all and of each row, how much is feasible, and where the mark is passed.
[[nodiscard]] QString verdictText(const SweepDocument &shown, const SweepResult &result, const Catalog &catalog);

/// The full answer of a cell as rich text: where it is, why it was refused or fails, every figure, what to note.
[[nodiscard]] QString cellHtml(
    const SweepDocument &document, const SweepResult &result, const SweepCell &cell, const Catalog &catalog);

/// The cell as a plan, named after the sweep and where the cell is. UnsupportedValue for a cell that changes what a
/// plan cannot hold.
[[nodiscard]] Expected<PlanDocument> planOfCell(
    const SweepDocument &document, const SweepResult &result, const SweepCell &cell, const Catalog &catalog);

} // namespace fleetwright::app
