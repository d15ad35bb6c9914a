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
#include "text/localized.h"

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

/// The batch stands among the inputs.
std::vector<WorkbookFact> layoutFacts(const QString &layout) { return {{tr("Layout"), layout, true}}; }

QString splitOf(const Plan &plan)
{
    const auto &split = plan->parallelism;
    return tr("TP %1, PP %2, CP %3, EP %4").arg(split.tp).arg(split.pp).arg(split.cp).arg(split.ep);
}

/// The answers of a decision, whose runs are priced with the ranges that the decision was answered with.
class AnswerSheets {
public:
    AnswerSheets(WorkbookSubject &workbook, const ReportDecision &decision, const Catalog &catalog,
        const validation::OwnSite *site)
        : m_workbook(workbook), m_decision(decision), m_catalog(catalog), m_site(site)
    {
    }

    void add(const size::Answer &answer, const QString &role)
    {
        const auto &result = *m_decision.result;
        const auto name = localized(size::shortFleetInWords(result, answer));
        const auto runs = size::runsOf(m_decision.document, m_catalog, result, answer,
            [site = m_site](const Plan &plan, Seconds step) { return exchange::shippedRangeOf(plan, step, site); });
        if (!runs) {
            m_workbook.leftOut.push_back({name, role, plainWords(runs.error().message), {}});
            return;
        }
        auto job = jobsByFleet(answer).begin();
        for (const auto &of : *runs)
            for (const auto &run : of.runs)
                add(answer, *job++, name, role, of.fleet, size::asLikely(run));
    }

private:
    /// In the order of size::runsOf(): those of the first fleet, then those of the second.
    const std::vector<std::size_t> &jobsByFleet(const size::Answer &answer)
    {
        m_jobs.clear();
        for (const bool ofSecond : {false, true})
            for (std::size_t job = 0; job < answer.jobs.size(); ++job)
                if (answer.isOfSecond(job) == ofSecond)
                    m_jobs.push_back(job);
        return m_jobs;
    }

    void add(const size::Answer &answer, std::size_t job, const QString &name, const QString &role, const Fleet &fleet,
        const RunEntries &run)
    {
        const auto title = answer.jobs.size() > 1 ? tr("%1, job %2").arg(name).arg(job + 1) : name;
        if (auto sheet = runCost(fleet, run))
            m_workbook.sheets.push_back({.name = title,
                .role = role,
                .fleet = fleet,
                .sheet = std::move(*sheet),
                .facts = layoutFacts(localized(inWords(answer.jobs[job].layout)))});
        else
            m_workbook.leftOut.push_back({title, role, plainWords(sheet.error().message), {}});
    }

    WorkbookSubject &m_workbook;
    const ReportDecision &m_decision;
    const Catalog &m_catalog;
    const validation::OwnSite *m_site;
    std::vector<std::size_t> m_jobs;
};

/// The same money for the same work.
bool isSame(const CostSheet &a, const CostSheet &b)
{
    return std::ranges::all_of(
        std::array{"capital_usd", "run_days", "run_owned_usd", "run_rented_usd", "expenses_usd"}, [&](const char *key) {
            const auto left = a.value(key), right = b.value(key);
            constexpr double cent = 0.005;
            return left.has_value() == right.has_value() && (!left || std::abs(*left - *right) < cent);
        });
}

void addPlan(WorkbookSubject &workbook, const ReportPlan &plan)
{
    const auto name = utf8(plan.document.name);
    if (!plan.plan || !plan.solution) {
        workbook.leftOut.push_back({name, {}, plainWords(plan.solution.error().message), {}});
        return;
    }
    auto result = exchange::solutionText(*plan.solution, *plan.plan);
    const auto same = std::ranges::find_if(workbook.sheets, [&](const WorkbookSheet &sheet) {
        return plan.solution->costs && !sheet.role.isEmpty() && sheet.fleet == (*plan.plan)->fleet
            && isSame(sheet.sheet, *plan.solution->costs);
    });
    if (same != workbook.sheets.end())
        workbook.leftOut.push_back(
            {name, {}, tr("It is the fleet \u201c%1\u201d, to the cent.").arg(same->name), std::move(result)});
    else if (plan.solution->costs)
        workbook.sheets.push_back({.name = name,
            .role = {},
            .fleet = (*plan.plan)->fleet,
            .sheet = *plan.solution->costs,
            .facts = layoutFacts(splitOf(*plan.plan)),
            .result = std::move(result)});
    else
        workbook.leftOut.push_back({name, {}, tr("It has no costs."), std::move(result)});
}

} // namespace

WorkbookSubject workbookSubjectOf(
    const ReportSubject &subject, const ReportDocument &report, const Catalog &catalog, const validation::OwnSite *site)
{
    WorkbookSubject workbook{.title = report.title,
        .organisation = report.organisation,
        .author = report.author,
        .date = report.created,
        .versions = report.reproducibility,
        .hashes = {},
        .hashesOf = {},
        .answer = {},
        .decision = {},
        .sheets = {},
        .leftOut = {}};
    if (subject.decision) {
        const auto &[document, result, sure, hash, evidence, approved] = *subject.decision;
        const auto paper = size::paperOf(document, catalog, *result, sure.get());
        workbook.answer << localized(paper.recommendation);
        for (const auto &sentence : paper.reasons)
            workbook.answer << localized(sentence);
        workbook.hashes << utf8(hash);
        workbook.hashesOf << tr("the decision");
        workbook.decision = exchange::decisionText(document, *result, catalog, sure.get());
        AnswerSheets answers(workbook, *subject.decision, catalog, site);
        const auto rows = result->byNode();
        if (!rows.empty())
            answers.add(rows.front()->answer, result->best() ? tr("Recommended") : tr("Closest to all limits"));
        if (rows.size() > 1)
            answers.add(rows[1]->answer,
                rows[1]->answer.isFeasible() ? tr("Runner-up") : tr("Best of another node, breaks a limit"));
        if (result->baseCase)
            answers.add(*result->baseCase, tr("Base case"));
    }
    for (const auto &plan : subject.plans) {
        if (!plan.inputHash.empty()) {
            workbook.hashes << utf8(plan.inputHash);
            workbook.hashesOf << utf8(plan.document.name);
        }
        addPlan(workbook, plan);
    }
    return workbook;
}

} // namespace fleetwright::reports
