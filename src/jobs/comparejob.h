// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"
#include "jobs/learntsite.h"
#include "solver/answer/comparison.h"

#include <QObject>

#include <functional>
#include <memory>

namespace fleetwright::jobs {

using ComparisonOutcome = Expected<std::shared_ptr<const Comparison>>;

/// Compares plans and cost models on a worker thread; the newest request wins. `finished` is emitted on the owner's
/// thread exactly once for each request that was not superseded or cancelled. Destroying the job cancels and waits.
class CompareJob : public QObject {
    Q_OBJECT
public:
    /// Runs on the worker. What it throws reaches `finished` as an Error.
    using Comparer = std::function<Expected<Comparison>(const ComparisonRequest &, const Catalog &, std::stop_token)>;

    explicit CompareJob(QObject *parent = nullptr);
    explicit CompareJob(Comparer comparer, QObject *parent = nullptr);
    ~CompareJob() override;

    /// Ranges are those of shipped measured runs, narrowed by what is learnt of the own site, unless the request brings
    /// its own.
    void start(ComparisonRequest request, std::shared_ptr<const Catalog> catalog,
        std::shared_ptr<const LearntSite> learning = {});
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void started();
    void finished(const fleetwright::jobs::ComparisonOutcome &outcome);

private:
    Comparer m_comparer;
    LatestRun m_run;
};

} // namespace fleetwright::jobs
