// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/planexplanation.h"

#include "solver/models/detailed/detailedmodel.h"

namespace fleetwright::detailed {

Expected<PlanExplanation> explain(const Plan &plan, int most)
{
    if (plan->costModelId != costModel().id())
        return refuse(ErrorCode::UnsupportedValue, "cost_model",
            "Operators, collectives, stages and the schedule come from the cost model \u201cdetailed\u201d; this plan "
            "is priced by \u201c"
                + plan->costModelId + "\u201d.");
    const auto configuration = configurationFrom(plan);
    if (!configuration)
        return std::unexpected(configuration.error());
    const auto &setting = configuration->setting.setting;
    const auto pricer = Pricer::make(setting);
    if (!pricer)
        return std::unexpected(inPlanTerms(pricer.error()));
    if (const auto legal = pricer->check(configuration->layout); !legal)
        return std::unexpected(inPlanTerms(legal.error()));
    PlanExplanation explanation{.tables = tables(*pricer, configuration->layout),
        .schedule = refuse(ErrorCode::UnsupportedValue, "parallelism.pp",
            "Without pipeline parallelism (PP 1) there is no schedule to draw: one stage does all microbatches one "
            "after the other."),
        .virtualStages = configuration->layout.virtualStages,
        .straggler = setting.straggler,
        .capacity = setting.machine.capacity,
        .reading = readingOf(configuration->setting, configuration->layout, plan->workload, plan->fleet, plan->training,
            plan->assumptions)};
    if (configuration->layout.pp > 1)
        explanation.schedule = schedule(*pricer, configuration->layout, most);
    return explanation;
}

} // namespace fleetwright::detailed
