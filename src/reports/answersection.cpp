// SPDX-License-Identifier: GPL-3.0-or-later
// The first two pages of a report: what to do, with its numbers, and why.
#include "charts/decisioncharts.h"
#include "reports/sections.h"
#include "reports/wording.h"
#include "solver/answer/constrainttitle.h"
#include "solver/size/decisionpaper.h"
#include "solver/size/sizewords.h"
#include "solver/worksheet/fleettables.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

using uncertainty::RiskFigure;
using units::Dimension;

namespace {

/// "25.9 (21.5 to 31.5)": likely, and eight draws in ten, in the column's unit.
QString rangedCell(double likely, const uncertainty::FleetRisk *risk, RiskFigure figure, double perUnit)
{
    if (!std::isfinite(likely))
        return std::isnan(likely) ? absent() : tr("never");
    auto text = utf8(units::threeDigits(likely / perUnit));
    const auto *spread = risk && risk->spread(figure) ? &*risk->spread(figure) : nullptr;
    if (spread && std::isfinite(spread->quantiles.p90) && spread->quantiles.p10 < spread->quantiles.p90)
        text += tr(" (%1 to %2)")
                    .arg(utf8(units::threeDigits(spread->quantiles.p10 / perUnit)),
                        utf8(units::threeDigits(spread->quantiles.p90 / perUnit)));
    return text;
}

QString chanceCell(const size::PaperOption &option)
{
    if (option.risk && option.risk->deadline)
        return utf8(units::formatPercent(option.risk->deadline->share));
    const double closed = option.answer->figures.deadlineChance;
    return std::isnan(closed) ? absent() : utf8(units::formatPercent(closed));
}

Table optionsTable(const DecisionDocument &document, const size::DecisionPaper &paper)
{
    constexpr double million = 1e6;
    Table table{tr("Options. Ranges are those of eight draws in ten; money in millions of US dollars."),
        {tr("Option"), tr("Capital [MUSD]"), tr("Jobs [MUSD]"), tr("Year [MUSD]"), tr("Days")}, {},
        {false, true, true, true, true}};
    const bool hasDate = document.limits.plan.deadline.has_value();
    if (hasDate) {
        table.header << tr("By the date");
        table.rightAligned.push_back(true);
    }
    table.header << tr("Power [MW]") << tr("Note");
    table.rightAligned.insert(table.rightAligned.end(), {true, false});
    for (std::size_t i = 0; i < paper.options.size(); ++i) {
        const auto &option = paper.options[i];
        QStringList row{utf8(option.name)};
        if (const auto *answer = option.answer) {
            const auto &figures = answer->figures;
            row << rangedCell(figures.capitalUsd, option.risk, RiskFigure::Capital, million)
                << rangedCell(figures.runCostUsd, option.risk, RiskFigure::RunCost, million)
                << rangedCell(figures.yearlyUsd, option.risk, RiskFigure::OwnershipCost, million)
                << rangedCell(figures.days, option.risk, RiskFigure::Days, 1);
            if (hasDate)
                row << chanceCell(option);
            row << rangedCell(figures.facilityWatts, nullptr, RiskFigure::Days, million);
        } else {
            row << u"0"_s << u"0"_s << u"0"_s << tr("never");
            if (hasDate)
                row << u"0 %"_s;
            row << u"0"_s;
        }
        row << utf8(option.note);
        table.rows.push_back(std::move(row));
        if (option.role == size::PaperOption::Role::Recommended)
            table.strongRows.push_back(i);
    }
    return table;
}

BulletList bullets(const std::vector<std::string> &sentences)
{
    BulletList list;
    for (const auto &sentence : sentences)
        list.items << utf8(sentence);
    return list;
}

/// Capital by line, the largest first.
Table capitalTable(const PricedFleet &priced)
{
    Table table{tr("Where the capital goes: %1").arg(priced.name), {tr("Line"), tr("USD"), tr("Share"), tr("Source")},
        {}, {false, true, true, false}};
    for (const auto &line : figuresOf(FleetSection::Capital, priced.sheet)) {
        if (!line.value || line.unit != "USD" || line.value->likely == 0)
            continue;
        if (line.isTotal)
            table.strongRows.push_back(table.rows.size());
        table.rows.push_back({utf8(line.label), utf8(rangeText(*line.value, line.unit)),
            line.share ? utf8(units::formatPercent(*line.share)) : QString(), utf8(line.source)});
    }
    return table;
}

void appendDecisionCharts(Elements &elements, const ReportDecision &decision, const std::vector<PricedFleet> &fleets)
{
    const auto &result = *decision.result;
    elements.push_back(PageBreak{});
    elements.push_back(Heading{2, tr("Why")});
    if (!fleets.empty())
        elements.push_back(capitalTable(fleets.front()));
    std::vector<ChartPicture> pictures;
    pictures.push_back({tr("Days against cost of the run; the line joins fleets that none beats in both"),
        charts::decisionFrontChart(result, {.axes = decision.document.front, .selected = {}, .picked = {}})});
    if (!fleets.empty()) {
        auto curves = charts::buyAndRentCurves(fleets.front().name, fleets.front().sheet);
        if (fleets.size() > 1) {
            auto others = charts::buyAndRentCurves(fleets[1].name, fleets[1].sheet);
            if (!others.empty())
                curves.push_back(std::move(others.front()));
        }
        pictures.push_back({tr("Cumulative cost in present value, by month"), charts::moneyChart(curves)});
    }
    if (decision.sure) {
        const auto objective = decision.sure->risk.objective;
        if (const auto *winner = decision.sure->of(0)) {
            pictures.push_back({tr("What each input does to the recommended fleet"),
                charts::tornadoChart(decision.sure->risk, *winner, objective, 8)});
            pictures.push_back({tr("Days of the recommended fleet over the draws"),
                charts::riskHistogramChart(*winner, RiskFigure::Days)});
        }
    }
    for (std::size_t i = 0; i + 1 < pictures.size(); i += 2)
        elements.push_back(ChartPair{std::move(pictures[i]), std::move(pictures[i + 1])});
    if (pictures.size() % 2 == 1)
        elements.push_back(std::move(pictures.back()));
}

void appendDecisionAnswer(
    Elements &elements, const ReportDecision &decision, const ReportSubject &subject, const Catalog &catalog)
{
    const auto paper = size::paperOf(decision.document, catalog, *decision.result, decision.sure.get());
    elements.push_back(Heading{1, tr("Recommendation")});
    elements.push_back(Note{utf8(paper.recommendation)});
    elements.push_back(optionsTable(decision.document, paper));
    if (!paper.risks.empty()) {
        elements.push_back(Heading{2, tr("Risks")});
        elements.push_back(bullets(paper.risks));
    }
    if (!paper.asked.empty()) {
        elements.push_back(Heading{2, tr("What is asked")});
        elements.push_back(bullets(paper.asked));
    }
    elements.push_back(Heading{2, tr("In words")});
    elements.push_back(bullets(paper.reasons));
    appendDecisionCharts(elements, decision, pricedFleets(subject, catalog));
}

struct RankedPlan {
    const ReportPlan *plan = nullptr;
    std::size_t number = 0; ///< from 1, as in the tables
    double cost = 0, days = 0; ///< infinity: not known
};

double knownOr(const std::optional<double> &value, double otherwise) { return value.value_or(otherwise); }

/// Feasible plans, the cheapest run first, where no cost is known the shortest.
std::vector<RankedPlan> ranked(const std::vector<ReportPlan> &plans)
{
    constexpr double unknown = std::numeric_limits<double>::infinity();
    std::vector<RankedPlan> found;
    for (std::size_t i = 0; i < plans.size(); ++i)
        if (const auto &solution = plans[i].solution; solution && feasibility(*solution) != false)
            found.push_back({&plans[i], i + 1, knownOr(figureOf(*solution, "run_cost_usd"), unknown),
                knownOr(figureOf(*solution, "run_time_s"), unknown)});
    std::ranges::stable_sort(found, {}, [](const RankedPlan &plan) { return std::pair(plan.cost, plan.days); });
    return found;
}

QString figureCell(const Solution &solution, std::string_view key)
{
    const auto value = figureOf(solution, key);
    return value ? utf8(valueInWords(figureNamed(key), solution)) : absent();
}

void appendPlansAnswer(Elements &elements, const std::vector<ReportPlan> &plans)
{
    constexpr std::size_t mostOptions = 4; // one row is left for doing nothing
    const auto best = ranked(plans);
    elements.push_back(Heading{1, tr("Recommendation")});
    if (best.empty()) {
        elements.push_back(Note{plans.size() == 1 ? tr("The plan cannot be recommended: see below what binds it.")
                                                  : tr("None of the plans can be recommended: see below what binds.")});
    } else {
        const auto &first = best.front();
        const auto &solution = *first.plan->solution;
        QStringList parts;
        for (const auto key : {"run_time_s", "run_cost_usd", "facility_peak_w"})
            if (figureOf(solution, key))
                parts << labelOf(figureNamed(key)) + u' ' + figureCell(solution, key);
        elements.push_back(
            Note{best.size() == 1 ? tr("%1: %2.").arg(utf8(first.plan->document.name), parts.join(u", "_s))
                                  : tr("Of %1 feasible plans %2 costs least: %3.")
                                        .arg(best.size())
                                        .arg(utf8(first.plan->document.name), parts.join(u", "_s))});
        Table table{tr("Feasible plans, the cheapest run first"),
            {tr("#"), tr("Plan"), tr("Run"), tr("Cost of the run"), tr("Power"), tr("MFU")}, {},
            {true, false, true, true, true, true}};
        for (std::size_t i = 0; i < best.size() && i < mostOptions; ++i) {
            const auto &of = *best[i].plan->solution;
            table.rows.push_back(
                {QString::number(best[i].number), utf8(best[i].plan->document.name), figureCell(of, "run_time_s"),
                    figureCell(of, "run_cost_usd"), figureCell(of, "facility_peak_w"), figureCell(of, "mfu")});
        }
        table.rows.push_back({QString(), tr("Do nothing"), tr("never"), u"0"_s, u"0"_s, absent()});
        table.strongRows = {0};
        elements.push_back(std::move(table));
        if (best.size() > mostOptions)
            elements.push_back(
                Paragraph{tr("%1 more feasible plans stand in the comparison.").arg(best.size() - mostOptions)});
    }
    BulletList others;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const auto name = u"%1  %2"_s.arg(i + 1).arg(utf8(plans[i].document.name));
        if (!plans[i].solution) {
            others.items << tr("%1: refused. %2").arg(name, utf8(plans[i].solution.error().message));
            continue;
        }
        if (feasibility(*plans[i].solution) != false)
            continue;
        for (const auto &entry : plans[i].solution->trace)
            if (entry.decided && !entry.holds) {
                others.items << tr("%1: %2").arg(name, utf8(missInWords(entry)));
                break;
            }
    }
    if (!others.items.isEmpty()) {
        elements.push_back(Heading{2, tr("Not feasible")});
        elements.push_back(std::move(others));
    }
    appendCharts(elements, plans);
}

} // namespace

std::vector<PricedFleet> pricedFleets(const ReportSubject &subject, const Catalog &catalog)
{
    std::vector<PricedFleet> fleets;
    const auto add = [&](const QString &name, const Fleet &fleet, Expected<CostSheet> sheet) {
        const bool isThere = std::ranges::any_of(fleets, [&](const PricedFleet &of) { return of.fleet == fleet; });
        if (sheet && !isThere)
            fleets.push_back({name, fleet, std::move(*sheet)});
    };
    if (subject.decision) {
        const auto &result = *subject.decision->result;
        std::vector<const size::Answer *> answers;
        if (!result.answers.empty())
            answers.push_back(&result.answers.front().answer);
        if (result.baseCase)
            answers.push_back(&*result.baseCase);
        for (const auto *answer : answers)
            if (const auto fleet = resolve(size::fleetOf(result, *answer), catalog))
                add(utf8(size::shortFleetInWords(result, *answer)), *fleet, fleetCost(*fleet));
        return fleets;
    }
    for (const auto &plan : subject.plans)
        if (plan.plan)
            add(utf8(plan.document.name), (*plan.plan)->fleet, fleetCost((*plan.plan)->fleet));
    return fleets;
}

void appendAnswer(Elements &elements, const ReportSubject &subject, const Catalog &catalog)
{
    if (subject.decision)
        appendDecisionAnswer(elements, *subject.decision, subject, catalog);
    else
        appendPlansAnswer(elements, subject.plans);
}

} // namespace fleetwright::reports
