// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plan.h"
#include "solver/operations/operations.h"
#include "solver/worksheet/fleetcost.h"

namespace fleetwright {

/// The worksheet of a plan whose step takes this long: of the run where the plan or its workload states tokens, else of
/// its fleet alone. Checkpoints and restarts are those of the plan's operations, unless the fleet's costs state them.
/// Refused as runCost().
struct StepTimes {
    Seconds likely{};
    bool byRuns = false; ///< `likely` is the middle that measured runs of the site make of what the cost model says
    std::optional<Seconds> low, high; ///< the range of the prediction
    std::optional<Seconds> middle{}; ///< of that range, where measured runs of the site moved it off `likely`
};
[[nodiscard]] Expected<CostSheet> planCost(
    const Plan &plan, const std::optional<StepTimes> &step, const OperationsSettings &settings);

/// What planCost() enters of a run of so many tokens.
struct PlanRun {
    Fleet fleet; ///< with what the plan's operations assume about its site
    RunEntries run;
};
[[nodiscard]] Expected<PlanRun> planRun(
    const Plan &plan, const StepTimes &step, double tokens, const OperationsSettings &settings);

/// What the fleet costs while it works, as it is paid for; nothing where a price is missing.
[[nodiscard]] std::optional<DollarRate> fleetRate(const CostSheet &costs);

/// The row that is the cost of the run as the fleet is paid for: "run_owned_usd" or "run_rented_usd".
[[nodiscard]] std::string_view runCostKey(Paying paying);
/// The same of an hour of the fleet: "owned_usd_per_hour" or "rented_usd_per_hour".
[[nodiscard]] std::string_view hourlyCostKey(Paying paying);
/// The same of a year: "annual_usd" (the present cost as a yearly payment) or "rent_usd_per_year".
[[nodiscard]] std::string_view yearlyCostKey(Paying paying);

} // namespace fleetwright
