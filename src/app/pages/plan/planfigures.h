// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/scorecard.h"

#include <QJsonObject>
#include <QString>

#include <span>

namespace fleetwright::app {

/// The second and third question of the result page; the first, feasibility, is words and a bar.
enum class Level { Fast, Worth };

/// One figure of the result page, named as in the stored estimate (exchange::solutionToJson).
struct FigureDescriptor {
    const char *key;
    Level level;
    const char *label; ///< translated in the context "Figures"
    const char *help; ///< what it is and how it is computed; nullptr: as the solver's table of figures says
    units::Dimension dimension;
};
[[nodiscard]] std::span<const FigureDescriptor> figureDescriptors();

/// The figure with its unit; empty where the model did not produce it.
[[nodiscard]] QString figureText(const FigureDescriptor &figure, const QJsonObject &estimate);
[[nodiscard]] QString figureLabel(const FigureDescriptor &figure);
[[nodiscard]] QString figureHelp(const FigureDescriptor &figure);
/// "yes", "no" or "not known".
[[nodiscard]] QString feasibilityText(std::optional<bool> feasibility);
/// The formula with its inputs and its source, or what to enter to get the figure; empty for figures that only their
/// help explains.
[[nodiscard]] QString figureReason(const FigureDescriptor &figure, const Plan &plan, const Solution &solution,
    const std::vector<ExplainedFigure> &explained);
/// "pass" with a mark, as rich text; and the lines of the trace that belong to the level.
[[nodiscard]] QString verdictText(Verdict verdict);
[[nodiscard]] QString verdictHelp(ScoreLevel level, const Solution &solution);

/// The results for the clipboard: one line per figure, trace line and warning. Cells are separated by tabs, or by ": "
/// as plain text.
[[nodiscard]] QString resultsAsText(const QString &planName, const QJsonObject &estimate, const Solution &solution,
    const QString &provenance, bool tabs);

} // namespace fleetwright::app
