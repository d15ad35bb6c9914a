// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"
#include "solver/sweep/sweep.h"

#include <QObject>

#include <memory>

namespace fleetwright::jobs {

struct SweepOutcome {
    SweepDocument document; ///< what was asked
    Expected<SweepResult> result;
    std::string inputHash; ///< exchange::sweepInputHash
    Seconds elapsed{};
};

/// Runs a sweep off the window's thread on all cores; the newest request wins. `finished` is emitted on the owner's
/// thread exactly once for each run that was neither cancelled nor superseded: a cancelled run delivers nothing.
/// Destroying the job cancels and waits.
class SweepJob : public QObject {
    Q_OBJECT
public:
    using Solver = std::function<Expected<Solution>(const Plan &)>;

    explicit SweepJob(QObject *parent = nullptr);
    /// `solver` runs on the workers, for every cell.
    explicit SweepJob(Solver solver, QObject *parent = nullptr);
    ~SweepJob() override;

    void start(SweepDocument document, std::shared_ptr<const Catalog> catalog);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void started();
    void progressed(int done, int total); ///< at most every 50 ms
    void finished(const fleetwright::jobs::SweepOutcome &outcome);
    void cancelled();

private:
    Solver m_solver;
    LatestRun m_run;
};

} // namespace fleetwright::jobs
