// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/projectthread.h"

namespace fleetwright::app {

ProjectThread::ProjectThread()
{
    m_thread.setObjectName(QStringLiteral("project"));
    m_home.moveToThread(&m_thread);
    m_thread.start();
}

ProjectThread::~ProjectThread()
{
    runAndWait([this] { m_project.reset(); });
    m_thread.quit();
    m_thread.wait();
}

void ProjectThread::post(std::function<void()> work)
{
    QMetaObject::invokeMethod(&m_home, std::move(work), Qt::QueuedConnection);
}

void ProjectThread::wait()
{
    runAndWait([] {});
}

void ProjectThread::runAndWait(const std::function<void()> &work)
{
    if (isRunning())
        QMetaObject::invokeMethod(&m_home, work, Qt::BlockingQueuedConnection);
}

Expected<void> ProjectThread::open(const Opener &opener)
{
    auto opened = opener();
    if (!opened)
        return std::unexpected(std::move(opened.error()));
    m_project = std::move(*opened);
    m_facts = {.path = m_project->path(),
        .readOnlyReason = m_project->readOnlyReason(),
        .isReadOnly = m_project->isReadOnly(),
        .mayBeTakenOver = m_project->mayBeTakenOver(),
        .isCopy = m_project->isCopy(),
        .upgraded = m_project->upgraded(),
        .alteredItems = m_project->alteredItems()};
    return {};
}

} // namespace fleetwright::app
