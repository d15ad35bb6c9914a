// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QSet>
#include <QTimer>

#include <chrono>

namespace fleetwright::app {

/// Whether a page's answer follows its inputs without anybody pressing anything: it does until a run for the same
/// subject takes as long as the limit or is cancelled, and again once a run that somebody asked for was fast. Says,
/// too, when a run has lasted long enough for its progress to be worth showing.
class LiveRun : public QObject {
    Q_OBJECT
public:
    explicit LiveRun(QObject *parent, std::chrono::milliseconds limit = std::chrono::seconds(1));

    [[nodiscard]] bool isLive(const QString &subject) const { return !m_slow.contains(subject); }
    /// The inputs changed: due() follows when they have been left alone for a moment, if the subject is live.
    void ask(const QString &subject);
    void began(const QString &subject);
    void ended(); ///< with an answer
    void stopped(); ///< without one, because its inputs have changed; nothing if none runs
    void cancelled(); ///< by somebody, who does not want it to begin again by itself
    void clear(); ///< other subjects: nothing is known of them
    [[nodiscard]] bool isLong() const { return m_long; } ///< the run has lasted for half a second

signals:
    void due();
    void becameLong();

private:
    std::chrono::milliseconds m_limit;
    QTimer m_pause, m_patience;
    QElapsedTimer m_clock;
    QString m_running;
    QSet<QString> m_slow;
    bool m_long = false;
};

} // namespace fleetwright::app
