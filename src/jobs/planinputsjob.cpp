// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/planinputsjob.h"

#include "exchange/validationdata.h"

#include <algorithm>

namespace fleetwright::jobs {

void PlanInputsJob::start(
    std::vector<PlanInputs> plans, std::string key, std::string typed, std::shared_ptr<const LearntSite> site)
{
    m_run.start(
        [plans = std::move(plans), key = std::move(key), typed = std::move(typed), site = std::move(site)](
            const LatestRun::Run &run) {
            PlanInputsResult edited;
            std::shared_ptr<const validation::OwnSite> own;
            if (std::ranges::any_of(plans, [&](const PlanInputs &plan) { return plan.searches(key, typed); }))
                own = learnt(site, run.stop());
            for (const auto &plan : plans) {
                edited.push_back(plan.edited(key, typed, exchange::rangesOfSite(own.get()), run.stop()));
                if (!edited.back())
                    break;
            }
            return edited;
        },
        [](const std::string &what) {
            PlanInputsResult edited;
            edited.emplace_back(refuse(ErrorCode::UnsupportedValue, {},
                "The plans could not be tried (" + what + "); fix it on the plan\u2019s page and report it."));
            return edited;
        },
        [this](const PlanInputsResult &edited) { emit finished(edited); });
}

void PlanInputsJob::cancel() { m_run.cancel(); }

} // namespace fleetwright::jobs
