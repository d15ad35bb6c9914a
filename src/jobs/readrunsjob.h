// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"
#include "solver/validation/measuredrun.h"

#include <QObject>
#include <QString>

#include <memory>

namespace fleetwright::jobs {

using ReadRunsOutcome = Expected<std::shared_ptr<const validation::RunFile>>;

/// Reads a file of measured runs, which may hold a million, on a worker thread. `finished` is emitted on the owner's
/// thread once for each start that was neither superseded nor cancelled. Destroying the job cancels and waits.
class ReadRunsJob : public QObject {
    Q_OBJECT
public:
    explicit ReadRunsJob(QObject *parent = nullptr) : QObject(parent) { }

    void start(const QString &path);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void progressed(int percent); ///< of the file's bytes
    void finished(const fleetwright::jobs::ReadRunsOutcome &outcome);

private:
    LatestRun m_run;
};

} // namespace fleetwright::jobs
