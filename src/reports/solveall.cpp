// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/reportdocument.h"

#include "exchange/decisiondocuments.h"
#include "exchange/plandocuments.h"
#include "exchange/publishedcosts.h"
#include "exchange/rangedsolution.h"
#include "exchange/sweepdocuments.h"
#include "exchange/sweepresults.h"
#include "exchange/validationdata.h"

namespace fleetwright::reports {

namespace {

size::RangeOf rangesOf(const validation::OwnSite *site)
{
    return [site](const Plan &plan, Seconds stepTime) { return exchange::shippedRangeOf(plan, stepTime, site); };
}

} // namespace

ReportPlan solveOne(const PlanDocument &document, const Catalog &catalog, const validation::OwnSite *site)
{
    auto decided = layoutsearch::resolveWithBestLayout(document, catalog, exchange::rangesOfSite(site));
    if (!decided)
        return {document, std::nullopt, std::unexpected(std::move(decided.error())), {}, std::nullopt};
    auto &plan = decided->plan;
    auto solution = exchange::solveWithRange(plan, site);
    // The hash covers the assumptions that the cost model knows, so a plan that names no model has none.
    std::string hash = findCostModel(document.costModelId) ? exchange::inputHash(document, plan) : std::string();
    return {document, std::move(plan), std::move(solution), std::move(hash), std::move(decided->layout)};
}

std::vector<ReportPlan> solveAll(
    const std::vector<PlanDocument> &documents, const Catalog &catalog, const validation::OwnSite *site)
{
    std::vector<ReportPlan> plans;
    plans.reserve(documents.size());
    for (const auto &document : documents)
        plans.push_back(solveOne(document, catalog, site));
    return plans;
}

ReportDecision decisionOf(DecisionDocument document, std::shared_ptr<const size::Result> result,
    std::shared_ptr<const size::HowSure> sure, std::string inputHash, const Catalog &catalog,
    const validation::OwnSite *site)
{
    ReportDecision decision{.document = std::move(document),
        .result = std::move(result),
        .sure = std::move(sure),
        .inputHash = std::move(inputHash)};
    if (!decision.result->answers.empty())
        if (const auto range = size::measuredLike(decision.document, catalog, *decision.result, rangesOf(site)))
            decision.evidence = validation::trustInWords(*range);
    return decision;
}

Expected<ReportDecision> answerDecision(const DecisionDocument &document, const Catalog &catalog,
    const validation::OwnSite *site, const size::Control &control)
{
    const auto rangeOf = rangesOf(site);
    auto result = size::run(document, catalog, rangeOf, control);
    if (!result)
        return std::unexpected(result.error());
    std::shared_ptr<const size::HowSure> drawn;
    if (!result->answers.empty()) {
        auto sure = size::howSure(document, catalog, *result, rangeOf, control.stop, control.threads);
        if (sure)
            sure->money = exchange::shippedMoneyEvidence(catalog);
        if (sure)
            drawn = std::make_shared<const size::HowSure>(std::move(*sure));
        else if (sure.error().code != ErrorCode::MissingField) // no fleet can run the jobs: nothing to draw
            return std::unexpected(sure.error());
    }
    return decisionOf(document, std::make_shared<const size::Result>(std::move(*result)), std::move(drawn),
        exchange::decisionInputHash(document, catalog), catalog, site);
}

ReportSweep answerSweep(const KeptSweep &sweep, const Catalog &catalog, std::stop_token stop)
{
    const auto &document = sweep.document;
    if (!sweep.resultText.empty() && sweep.inputHash == exchange::sweepInputHash(document, catalog))
        if (auto kept = exchange::runFromText(sweep.resultText))
            return {document, std::move(kept->result)};
    std::size_t cells = std::max<std::size_t>(1, document.costModels.size());
    for (const auto &axis : document.axes)
        cells *= axis.points.size();
    if (searchesCells(document) || cells > mostReportedSweepCells)
        return {document,
            refuse(ErrorCode::UnsupportedValue, {},
                "It has no answer of the inputs as they stand: run it on the Sweeps page, which keeps it for "
                "reports.")};
    return {document, runSweep(document, catalog, {.stop = std::move(stop), .solver = exchange::solveForVerdict})};
}

} // namespace fleetwright::reports
