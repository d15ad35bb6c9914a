// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/writejob.h"

namespace fleetwright::jobs {

WriteJob::WriteJob(QObject *parent) : QObject(parent) { }

WriteJob::~WriteJob() { m_run.wait(); }

bool WriteJob::start(Write write)
{
    if (m_run.isRunning())
        return false;
    m_run.start([write = std::move(write)](const LatestRun::Run &) { return write(); },
        [](const std::string &what) {
            return refuse(ErrorCode::IoError, {},
                "The file could not be made (" + what + "); keep fewer layouts or free memory.");
        },
        [this](const Expected<void> &outcome) { emit finished(outcome); });
    return true;
}

} // namespace fleetwright::jobs
