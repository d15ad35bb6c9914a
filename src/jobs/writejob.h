// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"
#include "units/error.h"

#include <QObject>

#include <functional>

namespace fleetwright::jobs {

/// Writes one file off the window's thread, where making its content may take seconds. Writing is not cancelled: it
/// replaces the file as a whole or leaves it as it was. Destroying the job waits for it.
class WriteJob : public QObject {
    Q_OBJECT
public:
    using Write = std::function<Expected<void>()>;
    explicit WriteJob(QObject *parent = nullptr);
    ~WriteJob() override;

    /// `write` runs on the worker and owns what it needs; what it throws is an Error. One at a time: false, and nothing
    /// happens, while another is under way.
    bool start(Write write);
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void finished(const fleetwright::Expected<void> &outcome); ///< on the owner's thread, once for each start

private:
    LatestRun m_run;
};

} // namespace fleetwright::jobs
