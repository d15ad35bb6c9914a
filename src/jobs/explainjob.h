// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"
#include "solver/models/detailed/planexplanation.h"

#include <QObject>

#include <functional>
#include <memory>

namespace fleetwright::jobs {

using ExplainOutcome = Expected<std::shared_ptr<const detailed::PlanExplanation>>;

/// Makes the tables and the schedule of a plan on a worker thread; the newest request wins. `finished` is emitted on
/// the owner's thread exactly once for each request that was not superseded or cancelled. Destroying the job cancels
/// and waits.
class ExplainJob : public QObject {
    Q_OBJECT
public:
    /// Runs on the worker. What it throws reaches `finished` as an Error.
    using Explainer = std::function<Expected<detailed::PlanExplanation>(const Plan &)>;

    explicit ExplainJob(QObject *parent = nullptr);
    explicit ExplainJob(Explainer explainer, QObject *parent = nullptr);
    ~ExplainJob() override;

    void start(Plan plan);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void started();
    void finished(const fleetwright::jobs::ExplainOutcome &outcome);

private:
    Explainer m_explainer;
    LatestRun m_run;
};

} // namespace fleetwright::jobs
