// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/layoutsearchjob.h"

#include "exchange/validationdata.h"
#include "solver/search/layoutsearchwords.h"

namespace fleetwright::jobs {

namespace {

constexpr int millisecondsBetweenSnapshots = 100;

Expected<LayoutSearchJob::Found> search(const layoutsearch::Request &request, const layoutsearch::Control &control)
{
    auto result = layoutsearch::run(request, control);
    if (!result)
        return std::unexpected(result.error());
    LayoutSearchJob::Found found{.result = std::move(*result), .recommendation = {}};
    found.recommendation = layoutsearch::recommendation(request, found.result, control.stop);
    return found;
}

} // namespace

LayoutSearchJob::LayoutSearchJob(QObject *parent) : LayoutSearchJob(search, parent) { }

LayoutSearchJob::LayoutSearchJob(Searcher searcher, QObject *parent) : QObject(parent), m_searcher(std::move(searcher))
{
}

LayoutSearchJob::~LayoutSearchJob() = default;

void LayoutSearchJob::start(
    LayoutSearchDocument document, std::shared_ptr<const Catalog> catalog, std::shared_ptr<const LearntSite> site)
{
    const auto seconds = [](const LatestRun::Run &run) { return run.elapsed() / second; };
    m_run.start(
        [this, seconds, searcher = m_searcher, document = std::move(document), catalog = std::move(catalog),
            site = std::move(site)](const LatestRun::Run &run) -> LayoutSearchOutcome {
            auto resolved = layoutsearch::requestFrom(document, *catalog);
            if (!resolved)
                return std::unexpected(resolved.error());
            const auto request = std::make_shared<const layoutsearch::Request>(std::move(*resolved));
            const auto tell = [&](const layoutsearch::Snapshot &snapshot) {
                run.report([this, progress = LayoutSearchProgress{snapshot, request, seconds(run)}] {
                    emit progressed(progress);
                });
            };
            auto found = searcher(
                *request, {.progress = tell, .millisecondsBetween = millisecondsBetweenSnapshots, .stop = run.stop()});
            if (!found)
                return std::unexpected(found.error());
            std::optional<Layout> byRuns;
            if (const auto own = learnt(site, run.stop()))
                byRuns = layoutsearch::sayFormulaAlone(
                    *request, found->result, exchange::rangesOfSite(own.get()), found->recommendation, run.stop());
            return LayoutSearchAnswer{request, std::make_shared<const layoutsearch::Result>(std::move(found->result)),
                std::move(found->recommendation), byRuns, seconds(run)};
        },
        [](const std::string &what) {
            return refuse(ErrorCode::UnsupportedValue, {},
                "The search could not be finished (" + what + "); change the plan and report it.");
        },
        [this](const LayoutSearchOutcome &outcome) { emit finished(outcome); });
    emit started();
}

void LayoutSearchJob::cancel() { m_run.cancel(); }

} // namespace fleetwright::jobs
