// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/report/reportjob.h"

namespace fleetwright::app {

ReportJob::ReportJob(QObject *parent) : ReportJob(reports::solveOne, parent) { }

ReportJob::ReportJob(Solver solver, QObject *parent) : QObject(parent), m_solver(std::move(solver)) { }

void ReportJob::start(ReportContents contents)
{
    m_run.start(
        [this, solver = m_solver, contents = std::move(contents)](
            const jobs::LatestRun::Run &run) -> MadeReportOutcome {
            const auto cancelled = [] { return refuse(ErrorCode::Cancelled, {}, "The report was cancelled."); };
            std::vector<reports::ReportPlan> plans;
            for (const auto &document : contents.plans) {
                if (run.stop().stop_requested())
                    return cancelled();
                plans.push_back(solver(document, *contents.catalog, contents.site.get()));
                run.report([this, done = int(plans.size()), total = int(contents.plans.size())] {
                    emit progressed(done, total);
                });
            }
            auto scored = contents.scored;
            if (contents.validation && !scored) {
                auto scores = jobs::shared(reports::publishedScores());
                if (!scores)
                    return std::unexpected(std::move(scores.error()));
                scored = std::move(*scores);
            }
            if (run.stop().stop_requested())
                return cancelled();
            return std::make_shared<const MadeReport>(
                MadeReport{reports::describe({.projectName = contents.projectName,
                                                 .set = {.audience = Audience::Technical},
                                                 .decision = {},
                                                 .plans = std::move(plans),
                                                 .ledger = contents.ledger,
                                                 .scored = contents.validation ? scored.get() : nullptr,
                                                 .created = contents.created},
                               *contents.catalog),
                    scored});
        },
        [](const std::string &what) {
            return refuse(ErrorCode::UnsupportedValue, {},
                "The report could not be made (" + what + "); leave out the plan that was edited last and report it.");
        },
        [this](const MadeReportOutcome &outcome) { emit finished(outcome); });
}

} // namespace fleetwright::app
