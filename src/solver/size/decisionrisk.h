// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/costs/moneyevidence.h"
#include "solver/size/pricewhatif.h"
#include "solver/size/size.h"
#include "solver/size/sparewhatif.h"
#include "solver/size/turningpoints.h"
#include "solver/uncertainty/risk.h"

namespace fleetwright::size {

/// Fleets of an answer whose risk is drawn together.
inline constexpr std::size_t usualRiskFleets = 20;

/// What an answer's draws are asked: the best fleet of each node, feasible ones first, at most `most` of them, the best
/// that is paid for in the other way, and the base case last (only fleets that keep every limit can be the best, where
/// there are any; the last two are none), each with its layouts and the ranges of their step times; deadline, budget,
/// limits, draws and seed are the decision's. A fleet that breaks a limit of judgedInDraws in a draw is not the best in
/// it. As objectives carbon and energy are not drawn: for them the cost of the run is. Days of a delivery are not
/// counted: the deadline is that of the run.
struct DecisionRisk {
    uncertainty::RiskQuestion question;
    std::vector<const Answer *> answers; ///< of each fleet of the question; the result's
    std::vector<std::optional<std::size_t>> places; ///< of each in Result::compared(); nothing: base case
    /// Of each of RiskQuestion::alike its index in Result::answers: what is paid for in another way, or connected by
    /// another fabric.
    std::vector<std::size_t> alike{};
    std::vector<SizeLimit> judgedInDraws; ///< of the decision's limits
    std::vector<SizeLimit> judgedAtLikely; ///< the others, but for the chance of the deadline
};
/// Refused as resolve(), planRun() and riskFleet(). The result must outlive the answer.
[[nodiscard]] Expected<DecisionRisk> riskOf(const DecisionDocument &document, const Catalog &catalog,
    const Result &result, const RangeOf &rangeOf, std::size_t most = usualRiskFleets);

/// Everything about an answer that says how sure it is.
struct HowSure {
    /// Of each fleet of the risk: its index in Result::compared(); nothing: the base case.
    std::vector<std::optional<std::size_t>> fleets;
    std::vector<SizeLimit> judgedInDraws, judgedAtLikely; ///< as DecisionRisk
    uncertainty::RiskAnswer risk;
    std::vector<std::size_t> alike{}; ///< of each of RiskAnswer::alike: its index in Result::answers
    double priceShare = 0.2; ///< by which prices were changed
    std::vector<PriceChange> priceChanges;
    std::shared_ptr<const PriceRivals> prices{}; ///< to ask what another price would change; null: not priced
    /// What would let other fleets win: of the best of each node and way of paying after the winner, and of what comes
    /// closest where money alone stands in the way; in the order of Result::answers.
    std::vector<std::vector<TurningPoint>> turningPoints;
    std::optional<BuyOrRent> buyOrRent;
    std::optional<SparesWhatIf> spares{}; ///< what ordering the spare nodes of all that is bought would change
    std::optional<validation::PredictionRange> measured; ///< measuredLike() the first answer
    /// What the ranges of money do not hold; nothing where no published costs are at hand. The caller's to say.
    std::optional<costs::MoneyEvidence> money{};
    Paying winnerPays = Paying::Own; ///< how the first answer is paid for
    /// Of a fleet of Result::compared(); nullptr where it was not drawn.
    [[nodiscard]] const uncertainty::FleetRisk *of(std::optional<std::size_t> fleet) const;
    /// Of an answer among those of the result.
    [[nodiscard]] const uncertainty::FleetRisk *of(const Result &result, const Answer &answer) const;
};
/// HowSure::of() where only days are asked for: those of the same nodes, laid out alike on the same site, have the same
/// draws whoever pays for them, longer by as much as another fabric makes their steps.
[[nodiscard]] const uncertainty::FleetRisk *riskOfDays(const HowSure &sure, const Result &result, const Answer &answer);

/// An answer with the chance of its deadline that its draws have. `risk`: those; nullptr: as it is.
[[nodiscard]] Answer asDrawn(const DecisionDocument &document, Answer answer, const uncertainty::FleetRisk *risk);

/// What measured runs say about the step time of the first answer, and what of it lies outside them: in the first job
/// that lies outside them, else in the first. Nothing where nothing runs the jobs.
[[nodiscard]] std::optional<validation::PredictionRange> measuredLike(
    const DecisionDocument &document, const Catalog &catalog, const Result &result, const RangeOf &rangeOf);

/// riskOf(), drawn, with priceChanges(), withSpares() and turningPoints(). Refused as those; Cancelled. MissingField
/// "answers" where no fleet can run the jobs.
[[nodiscard]] Expected<HowSure> howSure(const DecisionDocument &document, const Catalog &catalog, const Result &result,
    const RangeOf &rangeOf, const std::stop_token &stop = {}, int threads = 0);

} // namespace fleetwright::size
