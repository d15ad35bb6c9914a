// SPDX-License-Identifier: GPL-3.0-or-later
// Which fleets and runs of a report stand in its workbook.
#include "exchange/resultdocuments.h"
#include "exchange/validationdata.h"
#include "reports/sections.h"
#include "reports/wording.h"
#include "reports/workbook.h"
#include "solver/size/answerruns.h"
#include "solver/size/decisionpaper.h"
#include "solver/size/sizewords.h"

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

std::vector<WorkbookFact> layoutFacts(const QString &layout, double batch)
{
    return {{tr("Layout"), layout, true}, {tr("Global batch"), amount(batch, units::Dimension::Number), false}};
}

QString splitOf(const Plan &plan)
{
    const auto &split = plan->parallelism;
    return tr("TP %1, PP %2, CP %3, EP %4").arg(split.tp).arg(split.pp).arg(split.cp).arg(split.ep);
}

void addAnswer(WorkbookSubject &workbook, const ReportDecision &decision, const Catalog &catalog,
    const size::Answer &answer, const QString &role)
{
    const auto &result = *decision.result;
    const auto runs = size::runsOf(decision.document, catalog, result, answer,
        [](const Plan &plan, Seconds stepTime) { return exchange::shippedRangeOf(plan, stepTime); });
    if (!runs)
        return;
    const auto name = utf8(size::shortFleetInWords(result, answer));
    std::size_t job = 0;
    for (const auto &[fleet, entries] : *runs)
        for (const auto &run : entries) {
            auto sheet = runCost(fleet, run);
            if (sheet && job < answer.jobs.size())
                workbook.sheets.push_back(
                    {.name = answer.jobs.size() > 1 ? tr("%1, job %2").arg(name).arg(job + 1) : name,
                        .role = role,
                        .fleet = fleet,
                        .sheet = std::move(*sheet),
                        .facts = layoutFacts(utf8(inWords(answer.jobs[job].layout)), answer.jobs[job].globalBatch)});
            ++job;
        }
}

} // namespace

WorkbookSubject workbookSubjectOf(const ReportSubject &subject, const ReportDocument &report, const Catalog &catalog)
{
    WorkbookSubject workbook{.title = report.title,
        .organisation = report.organisation,
        .author = report.author,
        .date = report.created,
        .versions = report.reproducibility,
        .hashes = {},
        .answer = {},
        .decision = {},
        .sheets = {}};
    if (subject.decision) {
        const auto &[document, result, sure, hash, evidence] = *subject.decision;
        const auto paper = size::paperOf(document, catalog, *result, sure.get());
        workbook.answer << utf8(paper.recommendation);
        for (const auto &sentence : paper.reasons)
            workbook.answer << utf8(sentence);
        workbook.hashes << utf8(hash);
        workbook.decision = exchange::decisionText(document, *result, catalog, sure.get());
        const auto rows = result->byNode();
        if (!rows.empty())
            addAnswer(workbook, *subject.decision, catalog, rows.front()->answer,
                result->best() ? tr("Recommended") : tr("Closest to all limits"));
        if (rows.size() > 1)
            addAnswer(workbook, *subject.decision, catalog, rows[1]->answer, tr("Runner-up"));
        if (result->baseCase)
            addAnswer(workbook, *subject.decision, catalog, *result->baseCase, tr("Base case"));
    }
    for (const auto &plan : subject.plans) {
        if (!plan.inputHash.empty())
            workbook.hashes << utf8(plan.inputHash);
        if (!plan.plan || !plan.solution || !plan.solution->costs || workbook.sheets.size() >= mostWorkbookSheets)
            continue;
        workbook.sheets.push_back({.name = utf8(plan.document.name),
            .role = {},
            .fleet = (*plan.plan)->fleet,
            .sheet = *plan.solution->costs,
            .facts = layoutFacts(splitOf(*plan.plan), (*plan.plan)->training.globalBatch),
            .result = exchange::solutionText(*plan.solution, *plan.plan)});
    }
    return workbook;
}

} // namespace fleetwright::reports
