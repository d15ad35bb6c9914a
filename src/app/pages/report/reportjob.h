// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"
#include "reports/reportdocument.h"

#include <QObject>

namespace fleetwright::app {

/// What a report is made from, copied so that a worker can make it.
struct ReportContents {
    QString projectName;
    std::vector<PlanDocument> plans;
    std::shared_ptr<const Catalog> catalog;
    std::shared_ptr<const validation::OwnSite> site; ///< whose runs narrow the ranges, or null
    std::vector<LedgerEntry> ledger;
    bool validation = false; ///< with how far the cost models have been from measured runs
    std::shared_ptr<const validation::ScoredFile> scored; ///< null: they are scored where `validation` asks for it
    QDateTime created;
};

/// A report and what was computed on the way.
struct MadeReport {
    reports::ReportDocument document;
    std::shared_ptr<const validation::ScoredFile> scored; ///< null where it was not asked for
};

using MadeReportOutcome = Expected<std::shared_ptr<const MadeReport>>;

/// Solves the plans of a report and describes it on a worker thread; the newest request wins. `finished` is emitted on
/// the owner's thread exactly once for each request that was not superseded or cancelled. Destroying it cancels and
/// waits.
class ReportJob : public QObject {
    Q_OBJECT
public:
    /// Runs on the worker, for each plan. What it throws reaches `finished` as an Error.
    using Solver =
        std::function<reports::ReportPlan(const PlanDocument &, const Catalog &, const validation::OwnSite *)>;

    explicit ReportJob(QObject *parent = nullptr);
    explicit ReportJob(Solver solver, QObject *parent = nullptr);

    void start(ReportContents contents);
    void cancel() { m_run.cancel(); }
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void progressed(int done, int total); ///< plans
    void finished(const fleetwright::app::MadeReportOutcome &outcome);

private:
    Solver m_solver;
    jobs::LatestRun m_run;
};

} // namespace fleetwright::app
