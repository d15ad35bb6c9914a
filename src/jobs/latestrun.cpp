// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/latestrun.h"

namespace fleetwright::jobs {

LatestRun::LatestRun() { m_pool.setMaxThreadCount(1); }

LatestRun::~LatestRun()
{
    cancel();
    m_pool.waitForDone();
}

void LatestRun::begin(std::function<std::function<void()>(const Run &)> work)
{
    cancel();
    m_stop = std::stop_source();
    m_running = true;
    Run run;
    run.m_latest = this;
    run.m_number = m_number;
    run.m_stop = m_stop.get_token();
    m_pool.start([this, run, work = std::move(work)]() mutable {
        if (run.m_stop.stop_requested())
            return;
        run.m_clock.start();
        auto finish = work(run);
        if (!run.m_stop.stop_requested())
            run.post([this, finish = std::move(finish)] {
                m_running = false;
                finish();
            });
    });
}

bool LatestRun::cancel()
{
    ++m_number;
    m_stop.request_stop();
    m_pool.clear();
    return std::exchange(m_running, false);
}

void LatestRun::wait() { m_pool.waitForDone(); }

void LatestRun::heard(quint64 number, const std::function<void()> &act) const
{
    if (number == m_number && m_running)
        act();
}

Seconds LatestRun::Run::elapsed() const { return double(m_clock.nsecsElapsed()) * 1e-9 * second; }

void LatestRun::Run::post(std::function<void()> act) const
{
    QMetaObject::invokeMethod(
        &m_latest->m_home, [latest = m_latest, number = m_number, act = std::move(act)] { latest->heard(number, act); },
        Qt::QueuedConnection);
}

void LatestRun::Run::report(std::function<void()> act) const
{
    const std::scoped_lock lock(m_latest->m_mailbox);
    const bool underWay = m_latest->m_waiting.has_value();
    m_latest->m_waiting = {m_number, std::move(act)};
    if (underWay)
        return;
    QMetaObject::invokeMethod(
        &m_latest->m_home,
        [latest = m_latest] {
            std::optional<Report> arrived;
            {
                const std::scoped_lock emptying(latest->m_mailbox);
                arrived.swap(latest->m_waiting);
            }
            if (arrived)
                latest->heard(arrived->number, arrived->act);
        },
        Qt::QueuedConnection);
}

} // namespace fleetwright::jobs
