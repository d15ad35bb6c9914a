// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/latestrun.h"
#include "jobs/learntsite.h"
#include "solver/sweep/planinputs.h"

#include <QObject>

#include <vector>

namespace fleetwright::jobs {

using PlanInputsResult = std::vector<Expected<PlanDocument>>;

/// Edits an input of several plans off the window's thread, which solves them and may search for layouts; the newest
/// request wins. `finished` is emitted on the owner's thread exactly once for each run that was neither cancelled nor
/// superseded, with the plans in the order in which they were asked for, up to the first that refuses. Destroying the
/// job cancels and waits.
class PlanInputsJob : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Layouts are chosen by the runs of the site, where there are any.
    void start(std::vector<PlanInputs> plans, std::string key, std::string typed,
        std::shared_ptr<const LearntSite> site = nullptr);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_run.isRunning(); }

signals:
    void finished(const fleetwright::jobs::PlanInputsResult &edited);

private:
    LatestRun m_run;
};

} // namespace fleetwright::jobs
