// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/projectopening.h"

#include "app/workspace/projectcontent.h"
#include "jobs/latestrun.h"
#include "text/utf8.h"

#include <QCoreApplication>

namespace fleetwright::app {

namespace {
constexpr int afterOpening = 30; ///< percent: the file is checked, its content is to be read
} // namespace

ProjectOpening::ProjectOpening(ProjectThread::Opener opener, QObject *parent)
    : QObject(parent), m_thread(std::make_unique<ProjectThread>())
{
    if (!m_thread->isRunning()) {
        const auto refused = refuse(ErrorCode::IoError, {},
            tr("The project was not opened: no thread can be started; close other programs and try again.")
                .toStdString());
        QMetaObject::invokeMethod(
            this, [this, refused] { end(refused, nullptr); }, Qt::QueuedConnection);
        return;
    }
    m_thread->post([this, thread = m_thread.get(), stop = m_stop.get_token(), opener = std::move(opener)] {
        const auto onOwner = [this](
                                 auto act) { QMetaObject::invokeMethod(this, std::move(act), Qt::QueuedConnection); };
        const auto tell = [&](int percent) { onOwner([this, percent] { emit progressed(percent); }); };
        const auto content = std::make_shared<ProjectContent>();
        const auto openAndRead = [&]() -> Expected<void> {
            if (auto opened = thread->open(opener); !opened)
                return opened;
            tell(afterOpening);
            auto read = readContent(thread->project(), stop,
                [&](int percent) { tell(afterOpening + (100 - afterOpening) * percent / 100); });
            if (!read)
                return std::unexpected(std::move(read.error()));
            *content = std::move(*read);
            return {};
        };
        const auto outcome = jobs::guarded(openAndRead, [](const std::string &what) {
            return refuse(ErrorCode::IoError, {},
                tr("The project was not opened (%1); free memory and try again.").arg(utf8(what)).toStdString());
        });
        onOwner([this, outcome, content] { end(outcome, content); });
    });
}

ProjectOpening::~ProjectOpening() { cancel(); }

void ProjectOpening::cancel() { m_stop.request_stop(); }

void ProjectOpening::wait()
{
    if (m_hasEnded)
        return;
    m_thread->wait();
    QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
}

void ProjectOpening::end(Expected<void> outcome, std::shared_ptr<ProjectContent> content)
{
    m_outcome = std::move(outcome);
    m_content = std::move(content);
    m_hasEnded = true;
    emit ended();
}

std::pair<std::unique_ptr<ProjectThread>, ProjectContent> ProjectOpening::take()
{
    return {std::move(m_thread), std::move(*m_content)};
}

} // namespace fleetwright::app
