// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/publishedchoicesjob.h"

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

} // namespace

PublishedChoicesJob::PublishedChoicesJob(QObject *parent) : PublishedChoicesJob(scored, parent) { }

PublishedChoicesJob::PublishedChoicesJob(Scorer scorer, QObject *parent) : QObject(parent), m_scorer(std::move(scorer))
{
}

PublishedChoicesJob::~PublishedChoicesJob() = default;

void PublishedChoicesJob::start(Reader shipped)
{
    m_run.start(
        [this, scorer = m_scorer, shipped = std::move(shipped)](const LatestRun::Run &run) -> PublishedChoicesOutcome {
            const auto runs = shipped();
            if (!runs)
                return std::unexpected(runs.error());
            const auto tell = [&](double share) { run.post([this, share] { emit progressed(share); }); };
            return shared(scorer(runs->runs, {.progress = tell, .stop = run.stop()}));
        },
        [](const std::string &what) {
            return refuse(ErrorCode::UnsupportedValue, {},
                "The published layouts could not be ranked (" + what + "); please report it.");
        },
        [this](const PublishedChoicesOutcome &outcome) { emit finished(outcome); });
    emit started();
}

void PublishedChoicesJob::cancel()
{
    if (m_run.cancel())
        emit cancelled();
}

} // namespace fleetwright::jobs
