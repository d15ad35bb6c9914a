// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "jobs/latestrun.h"
#include "jobs/learntsite.h"
#include "solver/answer/solve.h"
#include "solver/search/bestlayout.h"

#include <QObject>

#include <functional>
#include <memory>

namespace fleetwright::jobs {

/// What came of one request: the resolved plan and its solution, or why there is none.
struct SolveOutcome {
    PlanDocument document; ///< what was asked
    std::optional<Plan> plan; ///< present when the document resolved; its layout is fixed
    std::optional<layoutsearch::Recommendation> layout; ///< how it was found, where the document leaves it open
    Expected<Solution> solution;
    std::string inputHash; ///< of the document and its items; empty when it did not resolve
    Seconds elapsed{}; ///< on the worker: resolving, searching, hashing and solving
};

/// Solves plan documents on a worker thread; the newest request wins. `finished` is emitted on the owner's thread
/// exactly once for each request that was not superseded or cancelled. Destroying the job cancels and waits.
class SolveJob : public QObject {
    Q_OBJECT
public:
    /// Runs on the worker. What it throws reaches `finished` as an Error.
    using Solver = std::function<Expected<Solution>(const Plan &)>;

    /// solve(), with the range of the step time.
    [[nodiscard]] static Solver usualSolver();

    explicit SolveJob(QObject *parent = nullptr);
    explicit SolveJob(Solver solver, QObject *parent = nullptr);
    ~SolveJob() override;

    /// With the own runs of the plan's site, where there are any, the range is theirs; they are learnt on the worker.
    void start(PlanDocument document, std::shared_ptr<const Catalog> catalog,
        std::shared_ptr<const LearntSite> site = nullptr);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void started();
    void finished(const fleetwright::jobs::SolveOutcome &outcome);

private:
    Solver m_solver;
    LatestRun m_run;
};

} // namespace fleetwright::jobs
