// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"

#include <QObject>

#include <functional>
#include <stop_token>

namespace fleetwright::jobs {

/// Work on files that takes seconds, off the window's thread. Whoever cancels it hears how it ended all the same: it
/// may have been done just then. Destroying the job asks it to stop and waits.
class FileJob : public QObject {
    Q_OBJECT
public:
    /// Runs on the worker and owns what it needs; what it throws is an Error. Cancelled soon after it was asked to
    /// stop.
    using Work = std::function<Expected<void>(std::stop_token stop, const std::function<void(int percent)> &progress)>;
    explicit FileJob(QObject *parent = nullptr) : QObject(parent) { }
    ~FileJob() override;

    /// One at a time: false, and nothing happens, while another is under way.
    bool start(Work work);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void progressed(int percent);
    void finished(const fleetwright::Expected<void> &outcome); ///< on the owner's thread, once for each start

private:
    std::stop_source m_stop;
    LatestRun m_run;
};

} // namespace fleetwright::jobs
