// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"
#include "jobs/learntsite.h"
#include "solver/sweep/goalseek.h"

#include <QObject>

#include <memory>

namespace fleetwright::jobs {

using SeekResult = Expected<std::shared_ptr<const SeekAnswer>>;

/// Looks for the value that reaches a target off the window's thread; the newest request wins. `finished` is emitted on
/// the owner's thread exactly once for each run that was neither cancelled nor superseded. Destroying the job cancels
/// and waits.
class SeekJob : public QObject {
    Q_OBJECT
public:
    using Solver = std::function<Expected<Solution>(const Plan &)>;

    explicit SeekJob(QObject *parent = nullptr);
    /// `solver` runs on the workers, for every value.
    explicit SeekJob(Solver solver, QObject *parent = nullptr);
    ~SeekJob() override;

    /// Where runs of the site move step times, the answer is by them.
    void start(SeekQuestion question, std::shared_ptr<const Catalog> catalog,
        std::shared_ptr<const LearntSite> site = nullptr);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void progressed(int tried); ///< values so far
    void finished(const fleetwright::jobs::SeekResult &result);

private:
    Solver m_solver;
    LatestRun m_run;
};

} // namespace fleetwright::jobs
