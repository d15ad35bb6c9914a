// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/sweepjob.h"

#include "exchange/sweepdocuments.h"

#include <QElapsedTimer>

#include <atomic>
#include <exception>

namespace fleetwright::jobs {

namespace {

constexpr qint64 progressInterval_ms = 50;

Expected<SweepResult> guarded(const SweepDocument &document, const Catalog &catalog, const SweepOptions &options)
{
    try {
        return runSweep(document, catalog, options);
    } catch (const std::exception &exception) {
        return refuse(ErrorCode::UnsupportedValue, {},
            "The sweep could not finish (" + std::string(exception.what()) + "); make it smaller and report it.");
    }
}

} // namespace

SweepJob::SweepJob(QObject *parent) : SweepJob([](const Plan &plan) { return solve(plan); }, parent) { }

SweepJob::SweepJob(Solver solver, QObject *parent) : QObject(parent), m_solver(std::move(solver))
{
    m_pool.setMaxThreadCount(1); // runs queue; each spreads over all cores by itself
}

SweepJob::~SweepJob()
{
    m_stop.request_stop();
    ++m_run;
    m_pool.clear();
    m_pool.waitForDone();
}

void SweepJob::start(SweepDocument document, std::shared_ptr<const Catalog> catalog)
{
    m_stop.request_stop();
    m_pool.clear();
    m_stop = std::stop_source();
    m_running = true;
    m_pool.start([this, run = ++m_run, document = std::move(document), catalog = std::move(catalog),
                     stop = m_stop.get_token()]() mutable {
        if (stop.stop_requested())
            return;
        QElapsedTimer timer;
        timer.start();
        std::atomic<qint64> nextReport = progressInterval_ms;
        SweepOptions options{.stop = stop, .solver = m_solver};
        options.progress = [&](std::size_t done, std::size_t total) {
            auto due = nextReport.load();
            const auto now = timer.elapsed();
            if (now < due || !nextReport.compare_exchange_strong(due, now + progressInterval_ms))
                return;
            QMetaObject::invokeMethod(
                this,
                [this, run, done, total] {
                    if (run == m_run && m_running)
                        emit progressed(int(done), int(total));
                },
                Qt::QueuedConnection);
        };
        auto result = guarded(document, *catalog, options);
        if (stop.stop_requested())
            return;
        SweepOutcome outcome{std::move(document), std::move(result), {}, double(timer.nsecsElapsed()) * 1e-9 * second};
        outcome.inputHash = exchange::sweepInputHash(outcome.document, *catalog);
        QMetaObject::invokeMethod(
            this,
            [this, run, outcome = std::move(outcome)] {
                if (run != m_run || !m_running)
                    return;
                m_running = false;
                emit finished(outcome);
            },
            Qt::QueuedConnection);
    });
    emit started();
}

void SweepJob::cancel()
{
    if (!m_running)
        return;
    ++m_run;
    m_running = false;
    m_stop.request_stop();
    m_pool.clear();
    emit cancelled();
}

bool SweepJob::isRunning() const { return m_running; }

} // namespace fleetwright::jobs
