// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/layoutsearchjob.h"

#include "solver/search/layoutsearchwords.h"

#include <QElapsedTimer>

#include <exception>

namespace fleetwright::jobs {

namespace {

constexpr int millisecondsBetweenSnapshots = 100;
constexpr double millisecondsPerSecond = 1e3;

Error broken(const std::string &what)
{
    return {ErrorCode::UnsupportedValue, {},
        "The search could not be finished (" + what + "); change the plan and report it."};
}

Expected<LayoutSearchJob::Found> search(const layoutsearch::Request &request, const layoutsearch::Control &control)
{
    auto result = layoutsearch::run(request, control);
    if (!result)
        return std::unexpected(result.error());
    LayoutSearchJob::Found found{.result = std::move(*result), .recommendation = {}};
    found.recommendation = layoutsearch::recommendation(request, found.result);
    return found;
}

} // namespace

LayoutSearchJob::LayoutSearchJob(QObject *parent) : LayoutSearchJob(search, parent) { }

LayoutSearchJob::LayoutSearchJob(Searcher searcher, QObject *parent) : QObject(parent), m_searcher(std::move(searcher))
{
    m_pool.setMaxThreadCount(1); // runs queue, so a superseded run never answers after the one that replaced it
}

LayoutSearchJob::~LayoutSearchJob()
{
    cancel();
    m_pool.waitForDone();
}

void LayoutSearchJob::start(LayoutSearchDocument document, std::shared_ptr<const Catalog> catalog)
{
    cancel();
    m_stop = std::stop_source();
    m_running = true;
    m_pool.start(
        [this, run = m_run, document = std::move(document), catalog = std::move(catalog), stop = m_stop.get_token()] {
            if (stop.stop_requested())
                return;
            QElapsedTimer clock;
            clock.start();
            const auto seconds = [&clock] { return double(clock.elapsed()) / millisecondsPerSecond; };
            const auto answer = [&]() -> LayoutSearchOutcome {
                try {
                    auto resolved = layoutsearch::requestFrom(document, *catalog);
                    if (!resolved)
                        return std::unexpected(resolved.error());
                    const auto request = std::make_shared<const layoutsearch::Request>(std::move(*resolved));
                    auto found = m_searcher(*request,
                        {.progress =
                                [&](const layoutsearch::Snapshot &snapshot) {
                                    post(run, {snapshot, request, seconds()});
                                },
                            .millisecondsBetween = millisecondsBetweenSnapshots,
                            .stop = stop});
                    if (!found)
                        return std::unexpected(found.error());
                    return LayoutSearchAnswer{request,
                        std::make_shared<const layoutsearch::Result>(std::move(found->result)),
                        std::move(found->recommendation), seconds()};
                } catch (const std::exception &exception) {
                    return std::unexpected(broken(exception.what()));
                } catch (...) {
                    return std::unexpected(broken("an unknown fault"));
                }
            };
            auto outcome = answer();
            if (!stop.stop_requested())
                deliver(run, [this, outcome = std::move(outcome)] {
                    m_running = false;
                    emit finished(outcome);
                });
        });
    emit started();
}

void LayoutSearchJob::cancel()
{
    ++m_run;
    m_running = false;
    m_stop.request_stop();
    m_pool.clear();
}

void LayoutSearchJob::post(quint64 run, LayoutSearchProgress progress)
{
    const std::scoped_lock lock(m_mailbox);
    const bool underWay = m_waiting.has_value();
    m_waiting = {run, std::move(progress)};
    if (underWay)
        return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            std::optional<std::pair<quint64, LayoutSearchProgress>> arrived;
            {
                const std::scoped_lock emptying(m_mailbox);
                arrived.swap(m_waiting);
            }
            if (arrived && arrived->first == m_run)
                emit progressed(arrived->second);
        },
        Qt::QueuedConnection);
}

void LayoutSearchJob::deliver(quint64 run, std::function<void()> act)
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
