// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/filejob.h"

namespace fleetwright::jobs {

FileJob::~FileJob() { cancel(); }

bool FileJob::start(Work work)
{
    if (m_run.isRunning())
        return false;
    m_stop = std::stop_source();
    m_run.start(
        [this, stop = m_stop.get_token(), work = std::move(work)](const LatestRun::Run &run) {
            return work(stop, [this, &run](int percent) { run.report([this, percent] { emit progressed(percent); }); });
        },
        [](const std::string &what) {
            return refuse(ErrorCode::IoError, {}, "The work was not done (" + what + "); free memory and try again.");
        },
        [this](const Expected<void> &outcome) { emit finished(outcome); });
    return true;
}

void FileJob::cancel() { m_stop.request_stop(); }

} // namespace fleetwright::jobs
