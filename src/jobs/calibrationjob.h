// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"
#include "solver/validation/calibrationruns.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>

namespace fleetwright::jobs {

struct CalibrationRequest {
    std::vector<validation::MeasuredRun> runs;
    validation::CalibrationStart start;
    std::vector<detailed::Constant> constants; ///< to fit; empty: those that the runs can identify
};

using CalibrationOutcome = Expected<std::shared_ptr<const validation::RunCalibration>>;

/// Fits constants on a worker thread; the newest request wins. `finished` is emitted on the owner's thread exactly once
/// for each request that was not superseded or cancelled. Destroying the job cancels and waits.
class CalibrationJob : public QObject {
    Q_OBJECT
public:
    /// Runs on the worker. What it throws reaches `finished` as an Error.
    using Fitter = std::function<Expected<validation::RunCalibration>(
        const CalibrationRequest &, std::stop_token, std::atomic<int> *)>;

    explicit CalibrationJob(QObject *parent = nullptr);
    explicit CalibrationJob(Fitter fitter, QObject *parent = nullptr);
    ~CalibrationJob() override;

    void start(CalibrationRequest request);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void started();
    void progressed(int iterations);
    void finished(const fleetwright::jobs::CalibrationOutcome &outcome);

private:
    Fitter m_fitter;
    QTimer m_poll;
    std::shared_ptr<std::atomic<int>> m_iterations;
    LatestRun m_run;
};

} // namespace fleetwright::jobs
