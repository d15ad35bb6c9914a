// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/comparejob.h"

#include <exception>

namespace fleetwright::jobs {

namespace {

/// No exception leaves: whatever a library throws becomes the outcome's error.
ComparisonOutcome answerGuarded(const ComparisonRequest &request, const Catalog &catalog,
    const CompareJob::Comparer &comparer, const std::stop_token &stop)
{
    const auto broken = [](const std::string &what) {
        return refuse(ErrorCode::UnsupportedValue, {},
            "The comparison could not be finished (" + what
                + "); leave out the plan or model that was added last and report it.");
    };
    try {
        auto comparison = comparer(request, catalog, stop);
        if (!comparison)
            return std::unexpected(comparison.error());
        return std::make_shared<const Comparison>(std::move(*comparison));
    } catch (const std::exception &exception) {
        return broken(exception.what());
    } catch (...) {
        return broken("an unknown fault");
    }
}

} // namespace

CompareJob::CompareJob(QObject *parent)
    : CompareJob([](const ComparisonRequest &request, const Catalog &catalog,
                     std::stop_token stop) { return compare(request, catalog, std::move(stop)); },
        parent)
{
}

CompareJob::CompareJob(Comparer comparer, QObject *parent) : QObject(parent), m_comparer(std::move(comparer))
{
    m_pool.setMaxThreadCount(1); // runs queue, so a superseded run never answers after the one that replaced it
}

CompareJob::~CompareJob()
{
    cancel();
    m_pool.waitForDone();
}

void CompareJob::start(ComparisonRequest request, std::shared_ptr<const Catalog> catalog)
{
    cancel();
    m_stop = std::stop_source();
    m_running = true;
    m_pool.start(
        [this, run = m_run, request = std::move(request), catalog = std::move(catalog), stop = m_stop.get_token()] {
            if (stop.stop_requested())
                return;
            auto outcome = answerGuarded(request, *catalog, m_comparer, stop);
            if (!stop.stop_requested())
                deliver(run, std::move(outcome));
        });
    emit started();
}

void CompareJob::cancel()
{
    ++m_run;
    m_running = false;
    m_stop.request_stop();
    m_pool.clear();
}

void CompareJob::deliver(quint64 run, ComparisonOutcome outcome)
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
