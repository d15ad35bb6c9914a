// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/storedestimate.h"
#include "solver/answer/figures.h"

#include <QPalette>
#include <QString>

#include <span>
#include <vector>

namespace fleetwright::app {

/// The figures of the result page that answer one of its questions, in the order of the page; the first question,
/// feasibility, is words and a bar.
[[nodiscard]] std::vector<const Figure *> shownFigures(ScoreLevel level);

/// The reason to show first: what is broken, or of what is likely which limits the high end of its range misses; empty
/// where nothing is.
[[nodiscard]] QString verdictReason(std::span<const TraceEntry> trace);
/// The same, and that no framework runs it though it has its figures.
[[nodiscard]] QString verdictReason(const Solution &solution);
/// The figure that the verdict of a level rests on: of the first limit that is broken, else of the first that is kept
/// at its likely value only, else of the first; nullptr where none is of the worksheet.
[[nodiscard]] const Figure *figureBehind(ScoreLevel level, const Solution &solution);
/// The formula with its inputs and its source, or what to enter to get the figure; empty for figures that only their
/// help explains.
[[nodiscard]] QString figureReason(
    const Figure &figure, const Plan &plan, const Solution &solution, const std::vector<ExplainedFigure> &explained);
/// "speed: pass" with a mark, as rich text with a link to why; and the lines of the trace that belong to the level.
/// "likely" where the limits of the level are kept, one of them at its likely value only.
[[nodiscard]] QString verdictText(ScoreLevel level, const Solution &solution, const QPalette &palette);
[[nodiscard]] QString verdictHelp(ScoreLevel level, const Solution &solution);

/// What the formula alone says of a step that measured runs move; empty where none does.
[[nodiscard]] QString byFormulaAlone(const exchange::StoredEstimate &estimate);

/// The results for the clipboard: one line per figure, trace line and warning. Cells are separated by tabs, or by ": "
/// as plain text.
[[nodiscard]] QString resultsAsText(
    const QString &planName, const Solution &solution, const QString &provenance, bool tabs);

} // namespace fleetwright::app
