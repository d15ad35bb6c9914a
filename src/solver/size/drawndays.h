// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/answerruns.h"
#include "solver/size/fleetjudge.h"
#include "solver/uncertainty/risk.h"

#include <functional>
#include <memory>

/// The chance of a deadline as How sure draws it. Fleets are ranked by the closed form of the step time's range
/// (DaysSpread); where a chance is demanded, what is near it and what is told is by the draws, so that a fleet that is
/// said to keep it keeps it everywhere.
namespace fleetwright::size {

/// The days of a fleet's work, draw by draw.
class DrawnDays {
public:
    explicit DrawnDays(std::vector<double> days);
    /// The share of the draws that take no more.
    [[nodiscard]] double chanceOf(double days) const;
    /// The least days of this chance; infinity: never.
    [[nodiscard]] double daysFor(double chance) const;

private:
    std::shared_ptr<const std::vector<double>> m_days; ///< ascending
};

/// What is drawn of an answer: both fleets where it has two. Refused as uncertainty::riskFleet().
[[nodiscard]] Expected<uncertainty::RiskFleet> drawnFleet(std::string label, const AnswerRuns &runs);

/// Of an answer; nothing where it cannot be drawn. From any thread. Empty: nothing is drawn.
using DrawnDaysOf = std::function<std::optional<DrawnDays>(const Answer &)>;
/// Of a decision that demands a chance, with its draws and seed; else empty. The lots are those of the answers; all
/// must outlive it.
[[nodiscard]] DrawnDaysOf drawnDaysOf(const DecisionDocument &document, const Catalog &catalog, const Result &lots,
    const RangeOf &rangeOf, std::stop_token stop);

/// Whether a chance by the closed form is so near the demanded one that the draws decide.
[[nodiscard]] bool isInDoubt(const FleetJudge &judge, double chance);

/// Gives an answer, those of a result, and what limits keep out, the chances that their draws have.
void giveDrawnChance(const DecisionDocument &document, const DrawnDaysOf &drawn, Answer &answer);
void giveDrawnChances(const DecisionDocument &document, const DrawnDaysOf &drawn, Result &result);
void giveDrawnChances(const DecisionDocument &document, const DrawnDaysOf &drawn, std::vector<KeptOut> &keptOut);

} // namespace fleetwright::size
