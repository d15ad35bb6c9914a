// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspace/projectthread.h"

#include <QObject>

#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace fleetwright::app {

struct ProjectContent;

/// A project that is opened and read on its own thread, from its construction on; the one that is open stays as it is
/// until Workspace::adopt(). Destroying it cancels and waits.
class ProjectOpening : public QObject {
    Q_OBJECT
public:
    /// `opener` runs on the project's thread and owns what it needs.
    explicit ProjectOpening(ProjectThread::Opener opener, QObject *parent = nullptr);
    ~ProjectOpening() override;

    /// It ends with Cancelled as soon as what is being read is read.
    void cancel();
    /// Until it has ended, while the caller does nothing else.
    void wait();
    [[nodiscard]] bool hasEnded() const { return m_hasEnded; }
    /// Once it has ended.
    [[nodiscard]] const Expected<void> &outcome() const { return m_outcome; }
    /// Of one that succeeded; once.
    [[nodiscard]] std::pair<std::unique_ptr<ProjectThread>, ProjectContent> take();

signals:
    void progressed(int percent);
    void ended();

private:
    void end(Expected<void> outcome, std::shared_ptr<ProjectContent> content);

    std::stop_source m_stop;
    std::shared_ptr<ProjectContent> m_content;
    Expected<void> m_outcome;
    bool m_hasEnded = false;
    std::unique_ptr<ProjectThread> m_thread; ///< goes first: it may still be telling
};

} // namespace fleetwright::app
