// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/solvejob.h"

#include "exchange/plandocuments.h"
#include "exchange/rangedsolution.h"

#include <QElapsedTimer>

#include <exception>

namespace fleetwright::jobs {

namespace {

Error broken(const std::string &what)
{
    return {ErrorCode::UnsupportedValue, {},
        "The cost model could not finish this plan (" + what + "); change the last edit and report the plan."};
}

void answer(SolveOutcome &outcome, const Catalog &catalog, const SolveJob::Solver &solver, const std::stop_token &stop)
{
    auto plan = resolve(outcome.document, catalog);
    if (!plan) {
        outcome.solution = std::unexpected(plan.error());
        return;
    }
    outcome.plan = std::move(*plan);
    outcome.inputHash = exchange::inputHash(*outcome.plan);
    if (stop.stop_requested())
        return;
    outcome.solution = solver(*outcome.plan);
}

/// No exception leaves: whatever a library throws becomes the outcome's error.
void answerGuarded(
    SolveOutcome &outcome, const Catalog &catalog, const SolveJob::Solver &solver, const std::stop_token &stop)
{
    try {
        answer(outcome, catalog, solver, stop);
    } catch (const std::exception &exception) {
        outcome.solution = std::unexpected(broken(exception.what()));
    } catch (...) {
        outcome.solution = std::unexpected(broken("an unknown fault"));
    }
}

} // namespace

SolveJob::SolveJob(QObject *parent) : SolveJob([](const Plan &plan) { return exchange::solveWithRange(plan); }, parent)
{
}

SolveJob::SolveJob(Solver solver, QObject *parent) : QObject(parent), m_solver(std::move(solver))
{
    m_pool.setMaxThreadCount(1); // runs queue, so a superseded run never answers after the one that replaced it
}

SolveJob::~SolveJob()
{
    cancel();
    m_pool.waitForDone();
}

void SolveJob::start(PlanDocument document, std::shared_ptr<const Catalog> catalog)
{
    cancel();
    m_stop = std::stop_source();
    m_running = true;
    m_pool.start([this, run = m_run, document = std::move(document), catalog = std::move(catalog),
                     stop = m_stop.get_token()]() mutable {
        if (stop.stop_requested())
            return;
        QElapsedTimer timer;
        timer.start();
        SolveOutcome outcome;
        outcome.document = std::move(document);
        answerGuarded(outcome, *catalog, m_solver, stop);
        outcome.elapsed = double(timer.nsecsElapsed()) * 1e-9 * second;
        if (!stop.stop_requested())
            deliver(run, std::move(outcome));
    });
    emit started();
}

void SolveJob::cancel()
{
    ++m_run;
    m_running = false;
    m_stop.request_stop();
    m_pool.clear();
}

bool SolveJob::isRunning() const { return m_running; }

void SolveJob::deliver(quint64 run, SolveOutcome outcome)
{
    QMetaObject::invokeMethod(
        this,
        [this, run, outcome = std::move(outcome)] {
            if (run != m_run)
                return;
            m_running = false;
            emit finished(outcome);
        },
        Qt::QueuedConnection);
}

} // namespace fleetwright::jobs
