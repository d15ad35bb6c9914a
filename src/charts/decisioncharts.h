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
    QString rent{}; ///< of one that is rented, what it is called beside others: "the cheapest rent, on demand"
    QString term{}; ///< of one that is rented, which rent it is: "on demand"
    QString asPaid{}; ///< of one that appendAsPaid() added, as a sentence has it: "buying 864 × AMD MI300X"
};
/// Curves of cumulative cost; where the first and another one cross is marked, and on the first where a run of so many
/// days ends.
[[nodiscard]] ChartContent moneyChart(
    const std::vector<MoneyCurve> &curves, std::optional<double> runDays = std::nullopt);
/// Owning and renting one fleet, by its sheet. `fleet` says nothing of how it is paid for, `term` which rent it is.
[[nodiscard]] std::vector<MoneyCurve> buyAndRentCurves(
    const QString &fleet, const CostSheet &sheet, const QString &term);
/// What an answer is drawn with, on the page and in every report: owning its first fleet (the winner, or what comes
/// closest), the cheapest rent that keeps the limits where `compared` speaks of that, renting the first fleet's own
/// nodes, and the best of other nodes that keeps the limits, as it is paid for. None where no cost is known.
[[nodiscard]] std::vector<MoneyCurve> decisionCurves(
    const size::Result &result, const size::BuyOrRent *compared, const Catalog &catalog);
/// Behind these another fleet by its buyAndRentCurves(), bought or rented as it is paid for; not where its line is
/// among them: the cheapest rent may be that fleet's.
void appendAsPaid(std::vector<MoneyCurve> &curves, std::vector<MoneyCurve> others, Paying paying);

/// How often which values of a figure came up, with the limit on it (in the figure's unit) where there is one.
[[nodiscard]] ChartContent riskHistogramChart(
    const uncertainty::FleetRisk &fleet, uncertainty::RiskFigure figure, std::optional<double> limit = {});
/// What each input does to a figure of the fleet, the widest swing on top; at most `most` inputs.
[[nodiscard]] ChartContent tornadoChart(const uncertainty::RiskAnswer &risk, const uncertainty::FleetRisk &fleet,
    uncertainty::RiskFigure figure, std::size_t most = 12);

} // namespace fleetwright::charts
