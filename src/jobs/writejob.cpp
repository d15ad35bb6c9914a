// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/writejob.h"

#include <exception>

namespace fleetwright::jobs {

WriteJob::WriteJob(QObject *parent) : QObject(parent) { m_pool.setMaxThreadCount(1); }

WriteJob::~WriteJob() { m_pool.waitForDone(); }

bool WriteJob::start(Write write)
{
    if (m_running)
        return false;
    m_running = true;
    m_pool.start([this, write = std::move(write)] {
        Expected<void> outcome;
        try {
            outcome = write();
        } catch (const std::exception &exception) {
            outcome = refuse(ErrorCode::IoError, {},
                "The file could not be made (" + std::string(exception.what())
                    + "); keep fewer layouts or free memory.");
        }
        QMetaObject::invokeMethod(
            this,
            [this, outcome = std::move(outcome)] {
                m_running = false;
                emit finished(outcome);
            },
            Qt::QueuedConnection);
    });
    return true;
}

} // namespace fleetwright::jobs
