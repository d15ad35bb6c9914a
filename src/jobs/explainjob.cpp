// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/explainjob.h"

#include <exception>

namespace fleetwright::jobs {

namespace {

/// No exception leaves: whatever a library throws becomes the outcome's error.
ExplainOutcome explainGuarded(const Plan &plan, const ExplainJob::Explainer &explainer)
{
    const auto broken = [](const std::string &what) {
        return refuse(ErrorCode::UnsupportedValue, {},
            "The plan could not be explained (" + what + "); change the entry that was edited last and report it.");
    };
    try {
        auto explanation = explainer(plan);
        if (!explanation)
            return std::unexpected(explanation.error());
        return std::make_shared<const detailed::PlanExplanation>(std::move(*explanation));
    } catch (const std::exception &exception) {
        return broken(exception.what());
    } catch (...) {
        return broken("an unknown fault");
    }
}

} // namespace

ExplainJob::ExplainJob(QObject *parent) : ExplainJob([](const Plan &plan) { return detailed::explain(plan); }, parent)
{
}

ExplainJob::ExplainJob(Explainer explainer, QObject *parent) : QObject(parent), m_explainer(std::move(explainer))
{
    m_pool.setMaxThreadCount(1); // runs queue, so a superseded run never answers after the one that replaced it
}

ExplainJob::~ExplainJob()
{
    cancel();
    m_pool.waitForDone();
}

void ExplainJob::start(Plan plan)
{
    cancel();
    m_stop = std::stop_source();
    m_running = true;
    m_pool.start([this, run = m_run, plan = std::move(plan), stop = m_stop.get_token()] {
        if (stop.stop_requested())
            return;
        auto outcome = explainGuarded(plan, m_explainer);
        if (!stop.stop_requested())
            deliver(run, std::move(outcome));
    });
    emit started();
}

void ExplainJob::cancel()
{
    ++m_run;
    m_running = false;
    m_stop.request_stop();
    m_pool.clear();
}

void ExplainJob::deliver(quint64 run, ExplainOutcome outcome)
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
