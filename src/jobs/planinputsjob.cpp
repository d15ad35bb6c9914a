// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/planinputsjob.h"

namespace fleetwright::jobs {

void PlanInputsJob::start(std::vector<PlanInputs> plans, std::string key, std::string typed)
{
    m_run.start(
        [plans = std::move(plans), key = std::move(key), typed = std::move(typed)](const LatestRun::Run &run) {
            PlanInputsResult edited;
            for (const auto &plan : plans) {
                edited.push_back(plan.edited(key, typed, run.stop()));
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
