// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/sizejob.h"

#include "exchange/decisiondocuments.h"
#include "exchange/publishedcosts.h"
#include "exchange/validationdata.h"

namespace fleetwright::jobs {

namespace {

constexpr double sizedShare = 0.9; ///< of the progress; how sure it is is drawn in the rest

Expected<size::Result> sizeIt(const DecisionDocument &document, const Catalog &catalog, const size::RangeOf &rangeOf,
    const size::Control &control)
{
    return size::run(document, catalog, rangeOf, control);
}

} // namespace

SizeJob::SizeJob(QObject *parent) : SizeJob(sizeIt, parent) { }

SizeJob::SizeJob(Sizer sizer, QObject *parent) : QObject(parent), m_sizer(std::move(sizer)) { }

SizeJob::~SizeJob() = default;

void SizeJob::start(
    DecisionDocument document, std::shared_ptr<const Catalog> catalog, std::shared_ptr<const LearntSite> site)
{
    m_run.start(
        [this, sizer = m_sizer, document = std::move(document), catalog = std::move(catalog), site = std::move(site)](
            const LatestRun::Run &run) -> SizeOutcome {
            const auto tell = [&](size::Snapshot snapshot) {
                snapshot.share *= sizedShare;
                run.report(
                    [this, progress = SizeProgress{snapshot, run.elapsed() / second}] { emit progressed(progress); });
            };
            const auto own = learnt(site, run.stop());
            const auto rangeOf = [&](const Plan &plan, Seconds stepTime) {
                return exchange::shippedRangeOf(plan, stepTime, own.get());
            };
            auto result = shared(sizer(document, *catalog, rangeOf, {.progress = tell, .stop = run.stop()}));
            if (!result)
                return std::unexpected(result.error());
            tell({.share = 1, .partial = *result});
            return withSureness({.document = document,
                                    .result = std::move(*result),
                                    .inputHash = exchange::decisionInputHash(document, *catalog),
                                    .seconds = run.elapsed() / second},
                *catalog, rangeOf, run.stop());
        },
        [](const std::string &what) {
            return refuse(ErrorCode::UnsupportedValue, {},
                "The decision could not be answered (" + what + "); change the question and report it.");
        },
        [this](const SizeOutcome &outcome) { emit finished(outcome); });
    emit started();
}

SizeAnswer SizeJob::withSureness(
    SizeAnswer answer, const Catalog &catalog, const size::RangeOf &rangeOf, const std::stop_token &stop)
{
    if (answer.result->answers.empty())
        return answer;
    auto sure = size::howSure(answer.document, catalog, *answer.result, rangeOf, stop);
    if (sure)
        sure->money = exchange::shippedMoneyEvidence(catalog);
    if (sure)
        answer.sure = std::make_shared<const size::HowSure>(std::move(*sure));
    else
        answer.sureRefused = sure.error().message;
    return answer;
}

void SizeJob::cancel() { m_run.cancel(); }

} // namespace fleetwright::jobs
