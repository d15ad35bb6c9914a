// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspace/projectcontent.h"

#include <QObject>

#include <memory>
#include <optional>
#include <stop_token>

namespace fleetwright::app {

class ProjectThread;

/// What the file of an open project holds now, read on the project's thread from the construction on. Destroying it
/// stops the reading and does not wait; the thread must outlive that call alone.
class ProjectReading : public QObject {
    Q_OBJECT
public:
    explicit ProjectReading(ProjectThread &thread, QObject *parent = nullptr);
    ~ProjectReading() override;

    [[nodiscard]] bool hasEnded() const { return m_content.has_value(); }
    /// Once it has ended; once.
    [[nodiscard]] Expected<ProjectContent> take() { return std::move(*m_content); }

signals:
    void ended();

private:
    /// Where the project's thread leaves what it read; it may outlive the reading.
    struct Receiver;
    std::shared_ptr<Receiver> m_receiver;
    std::stop_source m_stop;
    std::optional<Expected<ProjectContent>> m_content;
};

} // namespace fleetwright::app
