// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/solvejob.h"

#include "exchange/plandocuments.h"
#include "exchange/rangedsolution.h"
#include "exchange/validationdata.h"

namespace fleetwright::jobs {

namespace {

void answer(SolveOutcome &outcome, const Catalog &catalog, const std::shared_ptr<const LearntSite> &learning,
    const SolveJob::Solver &solver, const std::stop_token &stop)
{
    auto site = outcome.document.bestLayout ? learnt(learning, stop) : nullptr;
    auto decided = layoutsearch::resolveWithBestLayout(
        outcome.document, catalog, exchange::rangesOfSite(site.get()), stop);
    if (!decided) {
        outcome.solution = std::unexpected(decided.error());
        return;
    }
    outcome.plan = std::move(decided->plan);
    outcome.layout = std::move(decided->layout);
    outcome.inputHash = exchange::inputHash(outcome.document, *outcome.plan);
    if (stop.stop_requested())
        return;
    outcome.solution = solver(*outcome.plan);
    if (!outcome.solution || !outcome.solution->range)
        return;
    if (!site)
        site = learnt(learning, stop);
    if (site) {
        auto range = exchange::shippedRangeOf(*outcome.plan, *outcome.solution, site.get());
        outcome.solution = withStepRange(std::move(*outcome.solution), *outcome.plan, std::move(range));
    }
}

} // namespace

SolveJob::Solver SolveJob::usualSolver()
{
    return [](const Plan &plan) { return exchange::solveWithRange(plan); };
}

SolveJob::SolveJob(QObject *parent) : SolveJob(usualSolver(), parent) { }

SolveJob::SolveJob(Solver solver, QObject *parent) : QObject(parent), m_solver(std::move(solver)) { }

SolveJob::~SolveJob() = default;

void SolveJob::start(
    PlanDocument document, std::shared_ptr<const Catalog> catalog, std::shared_ptr<const LearntSite> site)
{
    const auto outcome = std::make_shared<SolveOutcome>();
    outcome->document = std::move(document);
    m_run.start(
        [outcome, solver = m_solver, catalog = std::move(catalog), site = std::move(site)](const LatestRun::Run &run) {
            answer(*outcome, *catalog, site, solver, run.stop());
            outcome->elapsed = run.elapsed();
            if (outcome->solution && outcome->solution->costs && !run.stop().stop_requested())
                outcome->solution->costs->drawRanges();
            return outcome;
        },
        [outcome](const std::string &what) {
            outcome->solution = refuse(ErrorCode::UnsupportedValue, {},
                "The cost model could not finish this plan (" + what + "); change the last edit and report the plan.");
            return outcome;
        },
        [this](const std::shared_ptr<SolveOutcome> &answered) { emit finished(*answered); });
    emit started();
}

void SolveJob::cancel() { m_run.cancel(); }

} // namespace fleetwright::jobs
