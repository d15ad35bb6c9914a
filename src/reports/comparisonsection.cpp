// SPDX-License-Identifier: GPL-3.0-or-later
// Plans side by side: one table for all of them instead of a list for each.
#include "reports/sections.h"
#include "reports/wording.h"
#include "solver/answer/comparison.h"
#include "solver/answer/constrainttitle.h"
#include "solver/size/sizewords.h"
#include "text/catalogtexts.h"
#include "text/localized.h"
#include "units/grouping.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

using size::SizeLimit;

namespace {

constexpr std::size_t plansATable = 8;
constexpr QStringView bestMark = u" \u2713";

/// A row over all plans, before it is known which differ.
struct ComparedRow {
    QString label;
    QString figureName{}; ///< without its unit
    QStringList cells; ///< by plan
    std::vector<std::optional<double>> values; ///< by plan; of words none
    Better better = Better::None;
    [[nodiscard]] bool differs() const
    {
        return std::ranges::any_of(cells, [&](const QString &cell) { return cell != cells.front(); });
    }
    /// "Cost of the run, owned" of fleets that are all owned says what "Cost of the run" said.
    [[nodiscard]] bool repeats(const ComparedRow &earlier) const
    {
        return !values.empty() && values == earlier.values && figureName.startsWith(earlier.figureName + u',');
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
    ComparedRow row{.label = {}, .figureName = labelOf(figure), .cells = {}, .values = {}, .better = figure.better};
    for (const auto &plan : plans)
        row.values.push_back(plan.solution ? figureOf(*plan.solution, figure.key) : std::nullopt);
    const auto unit = unitFor(figure.group, figure.dimension, largestOf(row.values));
    row.label = titleWithUnit(row.figureName, unit);
    for (const auto &value : row.values)
        row.cells << (value ? localized(units::formatInColumn(*value, unit)) : absent());
    return row;
}

/// Whether the plans ask the same of a figure: those of a step the same batch, those of a run the same tokens.
bool isComparable(const Figure &figure, const std::vector<ReportPlan> &plans)
{
    const auto sameIn = [&](const auto &of) {
        return std::ranges::all_of(plans, [&](const ReportPlan &plan) {
            return plan.plan && plans.front().plan && of(*plan.plan) == of(*plans.front().plan);
        });
    };
    if (!sameIn([](const Plan &plan) { return plan->workload; }))
        return false;
    switch (figure.group) {
    case FigureGroup::Step:
    case FigureGroup::Pipeline:
        return sameIn(
            [](const Plan &plan) { return std::pair(plan->training.globalBatch, plan->training.sequenceLength); });
    case FigureGroup::Run:
    case FigureGroup::Cost:
    case FigureGroup::Environment: return sameIn([](const Plan &plan) { return plan->training.tokenBudget; });
    default: return true;
    }
}

/// The best values of a row that has a better end, where they differ: of the plans of one cost model that keep their
/// limits, as the window marks them. That another model is more optimistic makes no plan better.
void markBest(ComparedRow &row, const std::vector<ReportPlan> &plans)
{
    if (row.better == Better::None || !row.differs())
        return;
    for (const auto &of : plans) {
        const auto competes = [&](std::size_t i) {
            return plans[i].document.costModelId == of.document.costModelId
                && standingOf(plans[i].solution) == Standing::Keeps && row.values[i] && std::isfinite(*row.values[i]);
        };
        std::optional<double> best;
        for (std::size_t i = 0; i < plans.size(); ++i)
            if (competes(i)
                && (!best || (row.better == Better::Lower ? *row.values[i] < *best : *row.values[i] > *best)))
                best = row.values[i];
        const auto mayBeAsGood = [&](std::size_t i) {
            return plans[i].document.costModelId == of.document.costModelId
                && standingOf(plans[i].solution) == Standing::Undecided && row.values[i]
                && (row.better == Better::Lower ? *row.values[i] <= *best : *row.values[i] >= *best);
        };
        for (std::size_t i = 0; i < plans.size() && best; ++i)
            if (mayBeAsGood(i))
                best.reset();
        for (std::size_t i = 0; i < plans.size(); ++i)
            if (best && competes(i) && *row.values[i] == *best && !row.cells[qsizetype(i)].endsWith(bestMark))
                row.cells[qsizetype(i)] += bestMark;
    }
}

std::vector<ComparedRow> inputRows(const std::vector<ReportPlan> &plans, const Catalog &catalog)
{
    const auto name = [&](const ItemReference &reference, CatalogKind kind) {
        return nameInWords(reference, kind, catalog);
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
                return localized(
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
            [](const ReportPlan &plan) { return localized(toString(plan.document.training.precision)); }),
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
    for (const auto &figure : allFigures()) {
        if (figure.prominence != Prominence::Headline || figure.group == FigureGroup::Published)
            continue;
        auto row = figureRow(figure, plans);
        if (std::ranges::any_of(rows, [&](const ComparedRow &earlier) { return row.repeats(earlier); }))
            continue;
        if (isComparable(figure, plans))
            markBest(row, plans);
        rows.push_back(std::move(row));
    }
    rows.push_back(wordsRow(tr("What binds"), plans, [](const ReportPlan &plan) {
        QStringList misses;
        if (plan.solution)
            for (const auto &entry : plan.solution->trace)
                if (entry.decided && !entry.holds)
                    misses << localized(missInWords(entry));
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
    if (!runsCompare(plans))
        return {};
    const ReportPlan *cheapest = nullptr, *shortest = nullptr;
    const auto value = [](const ReportPlan *plan, std::string_view key) { return figureOf(*plan->solution, key); };
    for (const auto &plan : plans) {
        if (standingOf(plan.solution) != Standing::Keeps || !value(&plan, "run_cost_usd")
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
        return localized(units::format(*value(plan, key), figureNamed(key).dimension));
    };
    return tr("The cheapest run is that of %1 (%2, %3); %4 is done in %5 and costs %6.")
        .arg(utf8(cheapest->document.name), inWords(cheapest, "run_cost_usd"), inWords(cheapest, "run_time_s"),
            utf8(shortest->document.name), inWords(shortest, "run_time_s"), inWords(shortest, "run_cost_usd"));
}

/// Tables of these rows with the plans as columns.
std::vector<Table> planTables(const std::vector<ComparedRow> &rows, const std::vector<ReportPlan> &plans)
{
    std::vector<Table> tables;
    for (std::size_t first = 0; first < plans.size(); first += plansATable) {
        const auto count = std::min(plansATable, plans.size() - first);
        Table table{{}, {QString()}, {}, {false}};
        for (std::size_t i = first; i < first + count; ++i) {
            table.header << plotLabel(plans[i], i);
            table.rightAligned.push_back(true);
        }
        for (const auto &row : rows) {
            QStringList cells{row.label};
            for (std::size_t i = first; i < first + count; ++i)
                cells << row.cells[qsizetype(i)];
            table.rows.push_back(std::move(cells));
        }
        tables.push_back(std::move(table));
    }
    return tables;
}

void appendPlansCompared(Elements &elements, const std::vector<ReportPlan> &plans, const Catalog &catalog)
{
    const auto inputs = inputRows(plans, catalog);
    auto rows = inputs;
    const auto results = resultRows(plans);
    rows.insert(rows.end(), results.begin(), results.end());
    if (const auto trade = tradeInWords(plans); !trade.isEmpty())
        elements.push_back(Paragraph{trade});
    std::erase_if(rows, [](const ComparedRow &row) { return !row.differs() || row.isNothing(); });
    const auto last = plans.size();
    for (std::size_t first = 0; auto &table : planTables(rows, plans)) {
        const auto end = std::min(first + plansATable, last);
        table.caption = last > plansATable
            ? tr("Plans %1 to %2 of %3; \u2713 marks the best of all that keep their limits")
                  .arg(first + 1)
                  .arg(end)
                  .arg(last)
            : tr("Rows that differ; \u2713 marks the best that keeps its limits");
        elements.push_back(std::move(table));
        first = end;
    }
    if (const auto shared = sharedInputs(inputs); !shared.isEmpty())
        elements.push_back(Paragraph{tr("The same in all: %1.").arg(shared)});
}

/// Of several jobs each, in their order.
QString ofJobs(const size::Answer &answer, const std::function<double(const size::JobAnswer &)> &share)
{
    QStringList cells;
    for (const auto &job : answer.jobs)
        cells << localized(units::formatPercent(share(job)));
    return cells.join(u"; "_s);
}

/// The fleets of a decision as columns: the best of each node that keeps the limits and the base case; where none does,
/// those that come closest. What breaks a limit stands below, in a line each.
class FleetsCompared {
public:
    FleetsCompared(const ReportDecision &decision, Audience audience)
        : m_decision(decision), m_result(*decision.result), m_audience(audience)
    {
        const auto compared = m_result.compared();
        for (std::size_t place = 0; place < compared.size(); ++place) {
            const auto &answer = compared[place]->answer;
            if (!answer.jobs.empty() && (answer.isFeasible() || !m_result.best()) && m_columns.size() < most)
                add(answer, answer.isFeasible(),
                    localized(answer.second ? size::fleetInWords(m_result, answer)
                                            : size::shortFleetInWords(m_result, answer)),
                    place);
        }
        if (m_result.baseCase)
            add(*m_result.baseCase, false,
                tr("base case: %1").arg(localized(size::shortFleetInWords(m_result, *m_result.baseCase))),
                std::nullopt);
    }

    void appendTo(Elements &elements)
    {
        if (m_columns.size() > 1)
            elements.push_back(table());
        BulletList broken;
        for (const auto *row : m_result.byNode())
            if (m_result.best() && !row->answer.isFeasible())
                broken.items << u"%1: %2"_s.arg(localized(size::fleetInWords(m_result, row->answer)),
                    localized(size::missesInWords(size::asDrawn(m_decision.document, row->answer,
                        m_decision.sure ? m_decision.sure->of(m_result, row->answer) : nullptr))));
        if (broken.items.isEmpty())
            return;
        constexpr qsizetype mostForBoard = 4; // the closest come first
        if (const auto more = broken.items.size() - mostForBoard; m_audience == Audience::Board && more > 0) {
            broken.items.resize(mostForBoard);
            broken.items << tr("More that break a limit: %1; a report for engineers lists them.").arg(more);
        }
        elements.push_back(Heading{2, tr("What breaks a limit")});
        elements.push_back(std::move(broken));
    }

private:
    static constexpr std::size_t most = 5;
    struct Column {
        const size::Answer *answer;
        bool competes;
        QString name;
        const uncertainty::FleetRisk *risk;
        bool drawsCompete; ///< best of its node
    };

    void add(const size::Answer &answer, bool competes, const QString &name, std::optional<std::size_t> place)
    {
        m_columns.push_back({&answer, competes, name, m_decision.sure ? m_decision.sure->of(place) : nullptr,
            place && *place < m_result.byNode().size()});
    }

    Table table()
    {
        using size::FleetFigures;
        m_table = Table{m_result.best() ? tr("The best fleet of each node; \u2713 marks the best that keeps the limits")
                                        : tr("The closest fleet of each node: none keeps all limits"),
            {QString()}, {}, {false}};
        for (const auto &column : m_columns) {
            m_table.header << column.name;
            m_table.rightAligned.push_back(true);
        }
        addWords(tr("Breaks"), [](const size::Answer &answer) { return localized(size::missesInWords(answer)); });
        addFigure(tr("Cost of the jobs"), SizeLimit::RunCost, &FleetFigures::runCostUsd);
        addFigure(tr("Capital"), SizeLimit::Capital, &FleetFigures::capitalUsd);
        addFigure(tr("Cost of a year"), SizeLimit::YearlyCost, &FleetFigures::yearlyUsd);
        addFigure(tr("Days"), SizeLimit::Deadline, &FleetFigures::days);
        addChance();
        addBestShare();
        addFigure(tr("Facility power"), SizeLimit::Power, &FleetFigures::facilityWatts);
        addFigure(tr("Carbon of the jobs"), SizeLimit::Carbon, &FleetFigures::carbonKg);
        if (m_audience != Audience::Board)
            addFigure(tr("Goodput"), SizeLimit::Goodput, &FleetFigures::goodput);
        addWords(tr("Fabric"),
            [&](const size::Answer &answer) { return localizedAsWhole(m_result.lots[answer.lot].fabric); });
        addWords(tr("Accelerators"), [](const size::Answer &answer) {
            const int all = answer.accelerators + (answer.second ? answer.second->accelerators : 0);
            return amount(double(all), units::Dimension::Number);
        });
        if (m_audience != Audience::Board)
            addEngineering();
        return std::move(m_table);
    }

    /// What says how a fleet is used, not which one to have.
    void addEngineering()
    {
        addWords(tr("Layout"),
            [&](const size::Answer &answer) { return localized(size::splitsInWords(m_decision.document, answer)); });
        addWords(tr("MFU"), [](const size::Answer &answer) { return ofJobs(answer, &size::JobAnswer::likelyMfu); });
        addWords(
            tr("Memory"), [](const size::Answer &answer) { return ofJobs(answer, &size::JobAnswer::memoryShare); });
    }

    /// A row that differs; what all share says nothing here.
    void addRow(QStringList cells)
    {
        const auto rest = cells.mid(1);
        if (std::ranges::any_of(rest, [&](const QString &cell) { return cell != rest.front(); }))
            m_table.rows.push_back(std::move(cells));
    }
    void addWords(const QString &label, const std::function<QString(const size::Answer &)> &of)
    {
        QStringList cells{label};
        for (const auto &column : m_columns)
            cells << of(*column.answer);
        addRow(std::move(cells));
    }
    void addFigure(const QString &label, SizeLimit limit, double size::FleetFigures::*figure)
    {
        addValues(label, limit, [=](const Column &column) { return column.answer->figures.*figure; });
    }
    /// Of the draws where all were drawn, else the closed form of all.
    void addChance()
    {
        const auto isDrawn = [](const Column &column) { return column.risk && column.risk->deadline; };
        if (m_decision.document.limits.deadlineChance) // fleets are chosen by draws
            addFigure(tr("Chance of the date"), SizeLimit::Chance, &size::FleetFigures::deadlineChance);
        else if (std::ranges::all_of(m_columns, isDrawn))
            addValues(tr("Chance of the date"), SizeLimit::Chance,
                [](const Column &column) { return column.risk->deadline->share; });
        else
            addFigure(tr("Chance of the date, from the range of the step time alone"), SizeLimit::Chance,
                &size::FleetFigures::deadlineChance);
    }
    /// Of the draws; what does not compete has none.
    void addBestShare()
    {
        QStringList cells{
            tr("The best in, of %1 draws")
                .arg(utf8(units::grouped(std::to_string(m_decision.sure ? m_decision.sure->risk.draws : 0))))};
        for (const auto &column : m_columns)
            cells << (column.risk && column.drawsCompete ? localized(units::formatPercent(column.risk->best.share))
                                                         : absent());
        addRow(std::move(cells));
    }
    void addValues(const QString &label, SizeLimit limit, const std::function<double(const Column &)> &of)
    {
        std::optional<double> best;
        for (const auto &column : m_columns) {
            const double value = of(column);
            if (column.competes && std::isfinite(value)
                && (!best || (size::isLeast(limit) ? value > *best : value < *best)))
                best = value;
        }
        // What all have alike tells none apart.
        const bool isMarked = std::ranges::any_of(
            m_columns, [&](const Column &column) { return column.competes && of(column) != best; });
        QStringList cells{label};
        for (const auto &column : m_columns) {
            const double value = of(column);
            cells << sizedText(limit, value, m_decision.document.limits.plan.deadline)
                    + (isMarked && column.competes && best && value == *best ? bestMark.toString() : u""_s);
        }
        addRow(std::move(cells));
    }

    const ReportDecision &m_decision;
    const size::Result &m_result;
    Audience m_audience;
    std::vector<Column> m_columns;
    Table m_table;
};

} // namespace

bool runsCompare(const std::vector<ReportPlan> &plans)
{
    return isComparable(figureNamed("run_cost_usd"), plans) && std::ranges::all_of(plans, [&](const ReportPlan &plan) {
        return plan.document.costModelId == plans.front().document.costModelId;
    });
}

void appendComparison(Elements &elements, const ReportSubject &subject, const Catalog &catalog)
{
    const bool plans = subject.plans.size() > 1
        && (!subject.decision || subject.set.audience == Audience::Technical || !subject.set.plans.empty());
    elements.push_back(Heading{1, tr("Comparison")});
    const auto before = elements.size();
    if (subject.decision)
        FleetsCompared(*subject.decision, subject.set.audience).appendTo(elements);
    if (plans)
        appendPlansCompared(elements, subject.plans, catalog);
    if (elements.size() == before)
        elements.pop_back();
}

void appendMemory(Elements &elements, const std::vector<ReportPlan> &plans)
{
    std::vector<ComparedRow> rows;
    const auto memoryOf = [&](const Figure &figure) {
        auto row = figureRow(figure, plans);
        if (!row.isNothing())
            rows.push_back(std::move(row));
    };
    for (const auto &figure : allFigures())
        if (figure.group == FigureGroup::Memory)
            memoryOf(figure);
    for (const auto *key : {"memory.total_bytes", "memory.capacity_bytes"})
        memoryOf(figureNamed(key));
    if (rows.empty())
        return;
    for (auto &table : planTables(rows, plans)) {
        table.caption = tr("Memory of the fullest accelerator by part");
        elements.push_back(std::move(table));
    }
}

} // namespace fleetwright::reports
