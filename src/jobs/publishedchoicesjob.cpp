// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/publishedchoicesjob.h"

#include <exception>

namespace fleetwright::jobs {

namespace {

Expected<std::vector<validation::PublishedScore>> scored(
    std::span<const validation::MeasuredRun> shipped, const validation::PublishedControl &control)
{
    const auto choices = validation::publishedChoices(shipped);
    if (!choices)
        return std::unexpected(choices.error());
    return validation::scorePublishedChoices(*choices, control);
}

/// No exception leaves: whatever a library throws becomes the outcome's error.
PublishedChoicesOutcome guarded(const PublishedChoicesJob::Reader &shipped, const PublishedChoicesJob::Scorer &scorer,
    const validation::PublishedControl &control)
{
    const auto broken = [](const std::string &what) {
        return refuse(ErrorCode::UnsupportedValue, {},
            "The published layouts could not be ranked (" + what + "); please report it.");
    };
    try {
        const auto runs = shipped();
        if (!runs)
            return std::unexpected(runs.error());
        auto scores = scorer(runs->runs, control);
        if (!scores)
            return std::unexpected(scores.error());
        return std::make_shared<const std::vector<validation::PublishedScore>>(std::move(*scores));
    } catch (const std::exception &exception) {
        return broken(exception.what());
    } catch (...) {
        return broken("an unknown fault");
    }
}

} // namespace

PublishedChoicesJob::PublishedChoicesJob(QObject *parent) : PublishedChoicesJob(scored, parent) { }

PublishedChoicesJob::PublishedChoicesJob(Scorer scorer, QObject *parent) : QObject(parent), m_scorer(std::move(scorer))
{
    m_pool.setMaxThreadCount(1); // runs queue, so a superseded run never answers after the one that replaced it
}

PublishedChoicesJob::~PublishedChoicesJob()
{
    m_stop.request_stop();
    ++m_run;
    m_pool.clear();
    m_pool.waitForDone();
}

void PublishedChoicesJob::start(Reader shipped)
{
    m_stop.request_stop();
    m_pool.clear();
    m_stop = std::stop_source();
    m_running = true;
    m_pool.start([this, run = ++m_run, shipped = std::move(shipped), stop = m_stop.get_token()] {
        if (stop.stop_requested())
            return;
        const auto post = [this, run](auto act) {
            QMetaObject::invokeMethod(
                this,
                [this, run, act = std::move(act)] {
                    if (run == m_run && m_running)
                        act();
                },
                Qt::QueuedConnection);
        };
        auto outcome = guarded(shipped, m_scorer,
            {.progress = [&](double share) { post([this, share] { emit progressed(share); }); }, .stop = stop});
        if (stop.stop_requested())
            return;
        post([this, outcome = std::move(outcome)] {
            m_running = false;
            emit finished(outcome);
        });
    });
    emit started();
}

void PublishedChoicesJob::cancel()
{
    if (!m_running)
        return;
    ++m_run;
    m_running = false;
    m_stop.request_stop();
    m_pool.clear();
    emit cancelled();
}

} // namespace fleetwright::jobs
