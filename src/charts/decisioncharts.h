// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"
#include "charts/scatterchart.h"
#include "solver/size/sizewords.h"
#include "solver/size/turningpoints.h"
#include "solver/uncertainty/risk.h"
#include "solver/worksheet/fleetcost.h"

#include <functional>

namespace fleetwright::charts {

/// Fleets by two figures, less being better in both: those that keep all limits, those that do not, what is rented in
/// shapes of its own, the front that none beats as far as the fleets reach, the winner and the base case, and the
/// limits on the two figures. `picked` gets a place in size::Result::answers.
struct DecisionFrontQuestion {
    std::array<DecisionObjective, 2> axes{DecisionObjective::Days, DecisionObjective::RunCost};
    std::vector<size::StatedLimit> limits{}; ///< of the decision
    std::optional<std::size_t> selected; ///< of the answers
    std::function<void(std::size_t)> picked;
};
[[nodiscard]] ChartContent decisionFrontChart(const size::Result &result, DecisionFrontQuestion question);

/// What a way of having the fleet has cost until each month.
struct MoneyCurve {
    QString name; ///< "buying: 64 × NVIDIA GB200 NVL72"
    std::vector<double> usdByMonth; ///< cumulative, present value
    QString fleet{}; ///< two curves of one fleet are two ways to pay for it; empty: the name says it all
    QString rent{}; ///< of one that is rented, what it is called beside others: "the cheapest rent"
    QString asPaid{}; ///< of one that appendAsPaid() added, as a sentence has it: "buying 864 × AMD MI300X"
};
/// Curves of cumulative cost; where the first and another one cross is marked, and on the first where a run of so many
/// days ends.
[[nodiscard]] ChartContent moneyChart(
    const std::vector<MoneyCurve> &curves, std::optional<double> runDays = std::nullopt);
/// Owning and renting one fleet, by its sheet. `fleet` says nothing of how it is paid for.
[[nodiscard]] std::vector<MoneyCurve> buyAndRentCurves(const QString &fleet, const CostSheet &sheet);
/// Owning the winner of an answer, then the cheapest rent that keeps the limits where `compared` speaks of that, then
/// renting the winner's own nodes. None where nothing keeps the limits or no cost is known.
[[nodiscard]] std::vector<MoneyCurve> winnerCurves(
    const size::Result &result, const size::BuyOrRent *compared, const Catalog &catalog);
/// Behind these another fleet by its sheet, bought or rented as it is paid for; not where its line is among them: the
/// cheapest rent may be that fleet's.
void appendAsPaid(std::vector<MoneyCurve> &curves, const QString &fleet, const CostSheet &sheet, Paying paying);

/// How often which values of a figure came up, with the limit on it (in the figure's unit) where there is one.
[[nodiscard]] ChartContent riskHistogramChart(
    const uncertainty::FleetRisk &fleet, uncertainty::RiskFigure figure, std::optional<double> limit = {});
/// What each input does to a figure of the fleet, the widest swing on top; at most `most` inputs.
[[nodiscard]] ChartContent tornadoChart(const uncertainty::RiskAnswer &risk, const uncertainty::FleetRisk &fleet,
    uncertainty::RiskFigure figure, std::size_t most = 12);

} // namespace fleetwright::charts
