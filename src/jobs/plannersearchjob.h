// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "jobs/latestrun.h"
#include "solver/planners/plannersearch.h"

#include <QObject>

#include <functional>
#include <memory>

namespace fleetwright::jobs {

/// What was asked of a search.
struct PlannerSearchRequest {
    PlanDocument document;
    std::string planner; ///< one of searchPlanners()
    int threads = 0; ///< 0: as many as the machine has
};

using PlannerSearchOutcome = Expected<std::shared_ptr<const PlannerSearch>>;

/// Searches the splits of a plan on a worker thread, which itself uses all cores; the newest request wins. `finished`
/// is emitted on the owner's thread exactly once for each request that was not superseded or cancelled; `progressed`
/// now and then before it. Destroying the job cancels and waits.
class PlannerSearchJob : public QObject {
    Q_OBJECT
public:
    /// Runs on the worker. What it throws reaches `finished` as an Error.
    using Searcher = std::function<Expected<PlannerSearch>(
        const Plan &, const PlannerSearchRequest &, const searcher::Progress &, std::stop_token)>;

    explicit PlannerSearchJob(QObject *parent = nullptr);
    explicit PlannerSearchJob(Searcher searcher, QObject *parent = nullptr);
    ~PlannerSearchJob() override;

    void start(PlannerSearchRequest request, std::shared_ptr<const Catalog> catalog);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void started();
    void progressed(double share); ///< 0 to 1
    void finished(const fleetwright::jobs::PlannerSearchOutcome &outcome);

private:
    Searcher m_searcher;
    LatestRun m_run;
};

} // namespace fleetwright::jobs
