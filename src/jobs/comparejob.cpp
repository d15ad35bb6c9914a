// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/comparejob.h"

#include "exchange/validationdata.h"

namespace fleetwright::jobs {

CompareJob::CompareJob(QObject *parent)
    : CompareJob([](const ComparisonRequest &request, const Catalog &catalog,
                     std::stop_token stop) { return compare(request, catalog, std::move(stop)); },
        parent)
{
}

CompareJob::CompareJob(Comparer comparer, QObject *parent) : QObject(parent), m_comparer(std::move(comparer)) { }

CompareJob::~CompareJob() = default;

void CompareJob::start(
    ComparisonRequest request, std::shared_ptr<const Catalog> catalog, std::shared_ptr<const LearntSite> learning)
{
    m_run.start(
        [comparer = m_comparer, request = std::move(request), catalog = std::move(catalog),
            learning = std::move(learning)](const LatestRun::Run &run) {
            auto asked = request;
            if (!asked.rangeOf)
                asked.rangeOf = [site = learnt(learning, run.stop())](const Plan &plan, Seconds stepTime) {
                    return exchange::shippedRangeOf(plan, stepTime, site.get());
                };
            return shared(comparer(asked, *catalog, run.stop()));
        },
        [](const std::string &what) {
            return refuse(ErrorCode::UnsupportedValue, {},
                "The comparison could not be finished (" + what
                    + "); leave out the plan or model that was added last and report it.");
        },
        [this](const ComparisonOutcome &outcome) { emit finished(outcome); });
    emit started();
}

void CompareJob::cancel() { m_run.cancel(); }

} // namespace fleetwright::jobs
