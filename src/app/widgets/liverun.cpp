// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/liverun.h"

namespace fleetwright::app {

using namespace std::chrono_literals;

namespace {
constexpr auto pauseInTyping = 120ms;
constexpr auto patience = 500ms;
} // namespace

LiveRun::LiveRun(QObject *parent, std::chrono::milliseconds limit) : QObject(parent), m_limit(limit)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseInTyping);
    connect(&m_pause, &QTimer::timeout, this, &LiveRun::due);
    m_patience.setSingleShot(true);
    m_patience.setInterval(patience);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        m_long = true;
        emit becameLong();
    });
}

void LiveRun::ask(const QString &subject)
{
    if (isLive(subject))
        m_pause.start();
}

void LiveRun::began(const QString &subject)
{
    stopped();
    m_pause.stop();
    m_running = subject;
    m_clock.start();
    m_patience.start();
}

void LiveRun::ended()
{
    if (!m_running.isEmpty() && m_clock.elapsed() < m_limit.count())
        m_slow.remove(m_running);
    stopped();
}

void LiveRun::stopped()
{
    if (!m_running.isEmpty() && m_clock.elapsed() >= m_limit.count())
        m_slow.insert(m_running);
    m_patience.stop();
    m_running.clear();
    m_long = false;
}

void LiveRun::cancelled()
{
    m_pause.stop();
    if (!m_running.isEmpty())
        m_slow.insert(m_running);
    stopped();
}

void LiveRun::clear()
{
    m_pause.stop();
    stopped();
    m_slow.clear();
}

} // namespace fleetwright::app
