// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspace/answereddecision.h"
#include "jobs/latestrun.h"
#include "jobs/learntsite.h"
#include "outputs/outputfiles.h"

#include <QObject>

namespace fleetwright::app {

/// What a report is made from, copied so that a worker can make it.
struct ReportContents {
    outputs::Material material; ///< without its site
    std::shared_ptr<const jobs::LearntSite> site; ///< learnt on the worker; or null
    OutputSet set;
    std::shared_ptr<const outputs::MadeReport> earlier{}; ///< whose answers to unchanged questions are taken; or null
    std::shared_ptr<const AnsweredDecision> answered{}; ///< by this catalog and site; or null
    std::shared_ptr<const validation::ScoredFile> scored{}; ///< null: they are scored where a section asks for it
    bool withoutScoring = false; ///< leaves validation out rather than score the cost models now
};

using MadeReportOutcome = Expected<std::shared_ptr<const outputs::MadeReport>>;

/// Answers the decision and solves the plans of a report and describes it on a worker thread; the newest request wins.
/// `finished` is emitted on the owner's thread exactly once for each request that was not superseded or cancelled.
/// Destroying it cancels and waits.
class ReportJob : public QObject {
    Q_OBJECT
public:
    /// Runs on the worker, for each plan. What it throws reaches `finished` as an Error.
    using Solver = outputs::Making::PlanSolver;

    explicit ReportJob(QObject *parent = nullptr);
    explicit ReportJob(Solver solver, QObject *parent = nullptr);

    void start(ReportContents contents);
    void cancel() { m_run.cancel(); }
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void progressed(int done, int total);
    void finished(const fleetwright::app::MadeReportOutcome &outcome);

private:
    Solver m_solver;
    jobs::LatestRun m_run;
};

} // namespace fleetwright::app
