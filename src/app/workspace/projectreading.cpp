// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/projectreading.h"

#include "app/workspace/projectthread.h"
#include "jobs/latestrun.h"
#include "text/utf8.h"

#include <QMetaObject>

#include <mutex>

namespace fleetwright::app {

struct ProjectReading::Receiver {
    std::mutex mutex;
    ProjectReading *reading = nullptr; ///< null: nobody waits any more
};

ProjectReading::ProjectReading(ProjectThread &thread, QObject *parent)
    : QObject(parent), m_receiver(std::make_shared<Receiver>())
{
    m_receiver->reading = this;
    thread.post([&thread, receiver = m_receiver, stop = m_stop.get_token()] {
        auto content = std::make_shared<Expected<ProjectContent>>(
            jobs::guarded([&] { return readContent(thread.project(), stop); },
                [](const std::string &what) -> Expected<ProjectContent> {
                    return refuse(ErrorCode::IoError, {},
                        tr("The project was not read again (%1); free memory and try again.")
                            .arg(utf8(what))
                            .toStdString());
                }));
        const std::scoped_lock lock(receiver->mutex);
        auto *reading = receiver->reading;
        if (!reading)
            return;
        QMetaObject::invokeMethod(
            reading,
            [reading, content] {
                reading->m_content = std::move(*content);
                emit reading->ended();
            },
            Qt::QueuedConnection);
    });
}

ProjectReading::~ProjectReading()
{
    m_stop.request_stop();
    const std::scoped_lock lock(m_receiver->mutex);
    m_receiver->reading = nullptr;
}

} // namespace fleetwright::app
