// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/report/reportjob.h"

namespace fleetwright::app {

ReportJob::ReportJob(QObject *parent) : ReportJob(reports::solveOne, parent) { }

ReportJob::ReportJob(Solver solver, QObject *parent) : QObject(parent), m_solver(std::move(solver)) { }

void ReportJob::start(ReportContents contents)
{
    m_run.start(
        [this, solver = m_solver, contents = std::move(contents)](
            const jobs::LatestRun::Run &run) mutable -> MadeReportOutcome {
            contents.material.site = jobs::learnt(contents.site, run.stop());
            const auto tell = [&](int done, int total) {
                run.report([this, done, total] { emit progressed(done, total); });
            };
            std::shared_ptr<const reports::ReportDecision> answered;
            if (contents.answered)
                if (const auto &known = contents.answered->answer; known.result)
                    answered = std::make_shared<const reports::ReportDecision>(
                        reports::ReportDecision{.document = known.document,
                            .result = known.result,
                            .sure = known.sure,
                            .inputHash = known.inputHash});
            return outputs::makeReport(contents.material, contents.set,
                {.solve = solver,
                    .progress = tell,
                    .stop = run.stop(),
                    .earlier = contents.earlier,
                    .answered = std::move(answered),
                    .scored = contents.scored,
                    .withoutScoring = contents.withoutScoring});
        },
        [](const std::string &what) {
            return refuse(ErrorCode::UnsupportedValue, {},
                "The report could not be made (" + what + "); leave out the plan that was edited last and report it.");
        },
        [this](const MadeReportOutcome &outcome) { emit finished(outcome); });
}

} // namespace fleetwright::app
