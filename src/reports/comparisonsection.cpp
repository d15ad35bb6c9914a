// SPDX-License-Identifier: GPL-3.0-or-later
// Plans side by side: one table for all of them instead of a list for each.
#include "reports/sections.h"
#include "reports/wording.h"
#include "solver/answer/constrainttitle.h"
#include "solver/size/sizewords.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

constexpr std::size_t plansATable = 8;

/// A row over all plans, before it is known which differ.
struct ComparedRow {
    QString label;
    QStringList cells; ///< by plan
    std::vector<std::optional<double>> values; ///< by plan; of words none
    Better better = Better::None;
    [[nodiscard]] bool differs() const
    {
        return std::ranges::any_of(cells, [&](const QString &cell) { return cell != cells.front(); });
    }
    [[nodiscard]] bool isNothing() const
    {
        return std::ranges::all_of(cells, [](const QString &cell) { return cell.isEmpty() || cell == absent(); })
            || (!values.empty()
                && std::ranges::all_of(values, [](const auto &value) { return value.value_or(0) == 0; }));
    }
};

using WordsOf = std::function<QString(const ReportPlan &)>;

ComparedRow wordsRow(const QString &label, const std::vector<ReportPlan> &plans, const WordsOf &wordsOf)
{
    ComparedRow row{.label = label, .cells = {}, .values = {}};
    for (const auto &plan : plans)
        row.cells << wordsOf(plan);
    return row;
}

ComparedRow figureRow(const Figure &figure, const std::vector<ReportPlan> &plans)
{
    ComparedRow row{.label = {}, .cells = {}, .values = {}, .better = figure.better};
    for (const auto &plan : plans)
        row.values.push_back(plan.solution ? figureOf(*plan.solution, figure.key) : std::nullopt);
    const auto unit = unitFor(figure.group, figure.dimension, largestOf(row.values));
    row.label = titleWithUnit(labelOf(figure), unit);
    for (const auto &value : row.values)
        row.cells << (value ? utf8(units::formatInColumn(*value, unit)) : absent());
    return row;
}

/// The best values of a row that has a better end, where they differ.
void markBest(ComparedRow &row)
{
    if (row.better == Better::None || !row.differs())
        return;
    std::optional<double> best;
    for (const auto &value : row.values)
        if (value && std::isfinite(*value)
            && (!best || (row.better == Better::Lower ? *value < *best : *value > *best)))
            best = value;
    for (std::size_t i = 0; i < row.values.size(); ++i)
        if (best && row.values[i] == best)
            row.cells[qsizetype(i)] += u" \u2713"_s;
}

std::vector<ComparedRow> inputRows(const std::vector<ReportPlan> &plans, const Catalog &catalog)
{
    const auto name = [&](const ItemReference &reference, CatalogKind kind) {
        return utf8(nameOf(reference, kind, catalog));
    };
    return {
        wordsRow(tr("Workload"), plans,
            [&](const ReportPlan &plan) { return name(plan.document.workload, CatalogKind::Workload); }),
        wordsRow(tr("Node"), plans,
            [&](const ReportPlan &plan) { return name(plan.document.fleet.node, CatalogKind::Node); }),
        wordsRow(tr("Number of nodes"), plans,
            [](const ReportPlan &plan) { return amount(double(plan.document.fleet.nodes), units::Dimension::Number); }),
        wordsRow(tr("Fabric"), plans,
            [&](const ReportPlan &plan) { return name(plan.document.fleet.fabric, CatalogKind::Fabric); }),
        wordsRow(tr("Paid for"), plans,
            [](const ReportPlan &plan) {
                return utf8(
                    words(DecisionPaying{plan.document.fleet.costs.paying, plan.document.fleet.costs.rentTerm}));
            }),
        wordsRow(tr("Global batch"), plans,
            [](const ReportPlan &plan) {
                return amount(double(plan.document.training.globalBatch), units::Dimension::Number);
            }),
        wordsRow(tr("Sequence length"), plans,
            [](const ReportPlan &plan) {
                return amount(double(plan.document.training.sequenceLength), units::Dimension::Number);
            }),
        wordsRow(tr("Precision"), plans,
            [](const ReportPlan &plan) { return utf8(toString(plan.document.training.precision)); }),
        wordsRow(tr("Layout"), plans,
            [](const ReportPlan &plan) {
                const auto &split = plan.plan ? (*plan.plan)->parallelism : plan.document.parallelism;
                const auto dp = plan.solution ? tr(", DP %1").arg(plan.solution->estimate.dp) : QString();
                return tr("TP %1, PP %2").arg(split.tp).arg(split.pp)
                    + (split.cp > 1 ? tr(", CP %1").arg(split.cp) : QString())
                    + (split.ep > 1 ? tr(", EP %1").arg(split.ep) : QString()) + dp;
            }),
        wordsRow(tr("Cost model"), plans, [](const ReportPlan &plan) { return utf8(plan.document.costModelId); }),
    };
}

std::vector<ComparedRow> resultRows(const std::vector<ReportPlan> &plans)
{
    std::vector<ComparedRow> rows{wordsRow(labelOf(feasibleFigure()), plans,
        [](const ReportPlan &plan) { return plan.solution ? feasibilityText(*plan.solution) : tr("refused"); })};
    for (const auto &figure : allFigures())
        if (figure.prominence == Prominence::Headline && figure.group != FigureGroup::Published)
            rows.push_back(figureRow(figure, plans));
    for (auto &row : rows)
        markBest(row);
    rows.push_back(wordsRow(tr("What binds"), plans, [](const ReportPlan &plan) {
        QStringList misses;
        if (plan.solution)
            for (const auto &entry : plan.solution->trace)
                if (entry.decided && !entry.holds)
                    misses << utf8(missInWords(entry));
        return misses.join(u"; "_s);
    }));
    return rows;
}

/// "Batch 2,048; precision bf16": what all have.
QString sharedInputs(const std::vector<ComparedRow> &rows)
{
    QStringList shared;
    for (const auto &row : rows)
        if (!row.differs() && !row.cells.front().isEmpty())
            shared << u"%1: %2"_s.arg(row.label, row.cells.front());
    return shared.join(u"; "_s);
}

/// What the cheapest and the shortest feasible plan do against each other, in a sentence made from their figures.
QString tradeInWords(const std::vector<ReportPlan> &plans)
{
    const ReportPlan *cheapest = nullptr, *shortest = nullptr;
    const auto value = [](const ReportPlan *plan, std::string_view key) { return figureOf(*plan->solution, key); };
    for (const auto &plan : plans) {
        if (!plan.solution || feasibility(*plan.solution) != true || !value(&plan, "run_cost_usd")
            || !value(&plan, "run_time_s"))
            continue;
        if (!cheapest || *value(&plan, "run_cost_usd") < *value(cheapest, "run_cost_usd"))
            cheapest = &plan;
        if (!shortest || *value(&plan, "run_time_s") < *value(shortest, "run_time_s"))
            shortest = &plan;
    }
    if (!cheapest || cheapest == shortest)
        return {};
    const auto inWords = [&](const ReportPlan *plan, std::string_view key) {
        return utf8(units::format(*value(plan, key), figureNamed(key).dimension));
    };
    return tr("The cheapest run is that of %1 (%2, %3); %4 is done in %5 and costs %6.")
        .arg(utf8(cheapest->document.name), inWords(cheapest, "run_cost_usd"), inWords(cheapest, "run_time_s"),
            utf8(shortest->document.name), inWords(shortest, "run_time_s"), inWords(shortest, "run_cost_usd"));
}

void appendPlansCompared(Elements &elements, const std::vector<ReportPlan> &plans, const Catalog &catalog)
{
    const auto inputs = inputRows(plans, catalog);
    auto rows = inputs;
    const auto results = resultRows(plans);
    rows.insert(rows.end(), results.begin(), results.end());
    if (const auto trade = tradeInWords(plans); !trade.isEmpty())
        elements.push_back(Paragraph{trade});
    for (std::size_t first = 0; first < plans.size(); first += plansATable) {
        const auto count = std::min(plansATable, plans.size() - first);
        Table table{plans.size() > plansATable ? tr("Plans %1 to %2 of %3; \u2713 marks the best of all")
                                                     .arg(first + 1)
                                                     .arg(first + count)
                                                     .arg(plans.size())
                                               : tr("Rows that differ; \u2713 marks the best"),
            {QString()}, {}, {false}};
        for (std::size_t i = first; i < first + count; ++i) {
            table.header << plotLabel(plans[i], i);
            table.rightAligned.push_back(true);
        }
        for (const auto &row : rows) {
            if (!row.differs() || row.isNothing())
                continue;
            QStringList cells{row.label};
            for (std::size_t i = first; i < first + count; ++i)
                cells << row.cells[qsizetype(i)];
            table.rows.push_back(std::move(cells));
        }
        elements.push_back(std::move(table));
    }
    if (const auto shared = sharedInputs(inputs); !shared.isEmpty())
        elements.push_back(Paragraph{tr("The same in all: %1.").arg(shared)});
}

QString sizedText(size::SizeLimit limit, double value)
{
    return std::isnan(value) ? absent() : utf8(size::valueInWords(limit, value));
}

/// The best fleet of each node as columns, as the decision found them.
void appendFleetsCompared(Elements &elements, const ReportDecision &decision)
{
    using size::SizeLimit;
    const auto &result = *decision.result;
    constexpr std::size_t most = 5;
    std::vector<const size::Answer *> answers;
    for (const auto *row : result.byNode())
        if (answers.size() < most && !row->answer.jobs.empty())
            answers.push_back(&row->answer);
    if (answers.size() < 2)
        return;
    Table table{tr("The best fleet of each node"), {QString()}, {}, {false}};
    for (const auto *answer : answers) {
        table.header << utf8(size::shortFleetInWords(result, *answer));
        table.rightAligned.push_back(true);
    }
    const auto add = [&](const QString &label, const std::function<QString(const size::Answer &)> &of) {
        QStringList cells{label};
        for (const auto *answer : answers)
            cells << of(*answer);
        if (std::ranges::any_of(cells.mid(1), [](const QString &cell) { return !cell.isEmpty() && cell != absent(); }))
            table.rows.push_back(std::move(cells));
    };
    const auto addFigure = [&](const QString &label, SizeLimit limit, double size::FleetFigures::*figure) {
        add(label, [=](const size::Answer &answer) { return sizedText(limit, answer.figures.*figure); });
    };
    add(tr("Limits"), [](const size::Answer &answer) {
        return answer.isFeasible() ? tr("kept") : utf8(size::missesInWords(answer));
    });
    addFigure(tr("Cost of the jobs"), SizeLimit::RunCost, &size::FleetFigures::runCostUsd);
    addFigure(tr("Capital"), SizeLimit::Capital, &size::FleetFigures::capitalUsd);
    addFigure(tr("Cost of a year"), SizeLimit::YearlyCost, &size::FleetFigures::yearlyUsd);
    addFigure(tr("Days"), SizeLimit::Deadline, &size::FleetFigures::days);
    addFigure(tr("Chance of the date, closed form"), SizeLimit::Chance, &size::FleetFigures::deadlineChance);
    addFigure(tr("Facility power"), SizeLimit::Power, &size::FleetFigures::facilityWatts);
    addFigure(tr("Carbon of the jobs"), SizeLimit::Carbon, &size::FleetFigures::carbonKg);
    addFigure(tr("Goodput"), SizeLimit::Goodput, &size::FleetFigures::goodput);
    add(tr("Accelerators"),
        [](const size::Answer &answer) { return amount(double(answer.accelerators), units::Dimension::Number); });
    add(tr("Layout"), [&](const size::Answer &answer) { return utf8(size::splitsInWords(decision.document, answer)); });
    add(tr("MFU"), [](const size::Answer &answer) { return utf8(units::formatPercent(answer.jobs.front().mfu)); });
    add(tr("Memory"),
        [](const size::Answer &answer) { return utf8(units::formatPercent(answer.jobs.front().memoryShare)); });
    elements.push_back(std::move(table));
}

} // namespace

void appendComparison(Elements &elements, const ReportSubject &subject, const Catalog &catalog)
{
    const bool plans = subject.plans.size() > 1
        && (!subject.decision || subject.set.audience == Audience::Technical || !subject.set.plans.empty());
    elements.push_back(Heading{1, tr("Comparison")});
    const auto before = elements.size();
    if (subject.decision)
        appendFleetsCompared(elements, *subject.decision);
    if (plans)
        appendPlansCompared(elements, subject.plans, catalog);
    if (elements.size() == before)
        elements.pop_back();
}

} // namespace fleetwright::reports
