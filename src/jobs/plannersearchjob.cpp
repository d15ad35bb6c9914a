// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/plannersearchjob.h"

#include <QElapsedTimer>

#include <exception>

namespace fleetwright::jobs {

namespace {

constexpr int millisecondsBetweenReports = 50;

Error broken(const std::string &what)
{
    return {ErrorCode::UnsupportedValue, {},
        "The search could not be finished (" + what + "); change the plan and report it."};
}

PlannerSearchOutcome answer(const PlannerSearchRequest &request, const Catalog &catalog,
    const PlannerSearchJob::Searcher &searcher, const searcher::Progress &progress, const std::stop_token &stop)
{
    try {
        const auto plan = resolve(request.document, catalog);
        if (!plan)
            return std::unexpected(plan.error());
        auto found = searcher(*plan, request, progress, stop);
        if (!found)
            return std::unexpected(found.error());
        return std::make_shared<const PlannerSearch>(std::move(*found));
    } catch (const std::exception &exception) {
        return std::unexpected(broken(exception.what()));
    } catch (...) {
        return std::unexpected(broken("an unknown fault"));
    }
}

} // namespace

PlannerSearchJob::PlannerSearchJob(QObject *parent)
    : PlannerSearchJob(
        [](const Plan &plan, const PlannerSearchRequest &request, const searcher::Progress &progress,
            const std::stop_token &stop) {
            return runPlannerSearch(plan, request.planner, request.threads, progress, stop);
        },
        parent)
{
}

PlannerSearchJob::PlannerSearchJob(Searcher searcher, QObject *parent)
    : QObject(parent), m_searcher(std::move(searcher))
{
    m_pool.setMaxThreadCount(1); // runs queue, so a superseded run never answers after the one that replaced it
}

PlannerSearchJob::~PlannerSearchJob()
{
    cancel();
    m_pool.waitForDone();
}

void PlannerSearchJob::start(PlannerSearchRequest request, std::shared_ptr<const Catalog> catalog)
{
    cancel();
    m_stop = std::stop_source();
    m_running = true;
    m_pool.start(
        [this, run = m_run, request = std::move(request), catalog = std::move(catalog), stop = m_stop.get_token()] {
            if (stop.stop_requested())
                return;
            QElapsedTimer sinceReport;
            const searcher::Progress progress = [&](double share) {
                if (sinceReport.isValid() && sinceReport.elapsed() < millisecondsBetweenReports)
                    return;
                sinceReport.start();
                deliver(run, [this, share] { emit progressed(share); });
            };
            auto outcome = answer(request, *catalog, m_searcher, progress, stop);
            if (!stop.stop_requested())
                deliver(run, [this, outcome = std::move(outcome)] {
                    m_running = false;
                    emit finished(outcome);
                });
        });
    emit started();
}

void PlannerSearchJob::cancel()
{
    ++m_run;
    m_running = false;
    m_stop.request_stop();
    m_pool.clear();
}

void PlannerSearchJob::deliver(quint64 run, std::function<void()> act)
{
    QMetaObject::invokeMethod(
        this,
        [this, run, act = std::move(act)] {
            if (run == m_run)
                act();
        },
        Qt::QueuedConnection);
}

} // namespace fleetwright::jobs
