// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/layoutadvicejob.h"

#include "exchange/validationdata.h"

namespace fleetwright::jobs {

namespace {

Expected<LayoutAdvice> advise(const LayoutQuestion &question, const std::stop_token &stop)
{
    const auto site = learnt(question.site, stop);
    const auto rangeOf = exchange::rangesOfSite(site.get());
    LayoutAdvice advice;
    if (question.found) {
        auto remedies = layoutsearch::remediesOf(question.plan, question.space, *question.found, rangeOf, stop);
        if (!remedies)
            return std::unexpected(std::move(remedies.error()));
        advice.remedies = *remedies;
        return advice;
    }
    auto best = layoutsearch::recommend(question.plan, question.space, rangeOf, stop);
    if (!best)
        return std::unexpected(std::move(best.error()));
    advice.best = std::move(*best);
    return advice;
}

} // namespace

LayoutAdviceJob::LayoutAdviceJob(QObject *parent) : LayoutAdviceJob(advise, parent) { }

LayoutAdviceJob::LayoutAdviceJob(Adviser adviser, QObject *parent) : QObject(parent), m_adviser(std::move(adviser)) { }

LayoutAdviceJob::~LayoutAdviceJob() = default;

void LayoutAdviceJob::start(LayoutQuestion question)
{
    m_run.start([adviser = m_adviser, question = std::move(question)](
                    const LatestRun::Run &run) { return shared(adviser(question, run.stop())); },
        [](const std::string &what) {
            return refuse(ErrorCode::UnsupportedValue, {},
                "The best layout could not be looked for (" + what + "); change the last edit and report the plan.");
        },
        [this](const LayoutAdviceOutcome &outcome) { emit finished(outcome); });
}

void LayoutAdviceJob::cancel() { m_run.cancel(); }

} // namespace fleetwright::jobs
