// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/plannersearchjob.h"

namespace fleetwright::jobs {

PlannerSearchJob::PlannerSearchJob(QObject *parent)
    : PlannerSearchJob(
        [](const Plan &plan, const PlannerSearchRequest &request, const searcher::Progress &progress,
            const std::stop_token &stop) {
            return runPlannerSearch(plan, request.planner, request.threads, progress, stop);
        },
        parent)
{
}

PlannerSearchJob::PlannerSearchJob(Searcher searcher, QObject *parent)
    : QObject(parent), m_searcher(std::move(searcher))
{
}

PlannerSearchJob::~PlannerSearchJob() = default;

void PlannerSearchJob::start(PlannerSearchRequest request, std::shared_ptr<const Catalog> catalog)
{
    m_run.start(
        [this, searcher = m_searcher, request = std::move(request), catalog = std::move(catalog)](
            const LatestRun::Run &run) -> PlannerSearchOutcome {
            const auto plan = resolve(request.document, *catalog);
            if (!plan)
                return std::unexpected(plan.error());
            const searcher::Progress progress = [&](double share) {
                run.report([this, share] { emit progressed(share); });
            };
            return shared(searcher(*plan, request, progress, run.stop()));
        },
        [](const std::string &what) {
            return refuse(ErrorCode::UnsupportedValue, {},
                "The search could not be finished (" + what + "); change the plan and report it.");
        },
        [this](const PlannerSearchOutcome &outcome) { emit finished(outcome); });
    emit started();
}

void PlannerSearchJob::cancel() { m_run.cancel(); }

} // namespace fleetwright::jobs
