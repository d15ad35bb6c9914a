// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/comparison.h"

#include "solver/answer/scorecard.h"
#include "solver/search/bestlayout.h"
#include "solver/worksheet/formulawords.h"
#include "solver/worksheet/notcounted.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace fleetwright {

namespace {

std::unexpected<Error> cancelled() { return refuse(ErrorCode::Cancelled, {}, "The comparison was cancelled."); }

ComparisonColumn columnOf(std::size_t index, const PlanDocument &document, const CostModel &model)
{
    return {.plan = index,
        .planName = document.name,
        .modelId = std::string(model.id()),
        .modelTitle = std::string(model.title()),
        .modelVersion = std::string(model.version())};
}

/// With the layout that the plan's own cost model finds best where it is open, so that all models price the same one.
Expected<PlanDocument> withFixedLayout(const PlanDocument &document, const Catalog &catalog,
    const validation::RangeOf &rangeOf, const std::stop_token &stop)
{
    if (!document.bestLayout)
        return document;
    const auto decided = layoutsearch::resolveWithBestLayout(document, catalog, rangeOf, stop);
    if (!decided)
        return std::unexpected(decided.error());
    auto fixed = document;
    adopt(decided->layout->row.layout, fixed);
    fixed.constraints = decided->plan->constraints;
    return fixed;
}

ComparisonColumn priced(std::size_t index, const PlanDocument &document, const CostModel &model, const Catalog &catalog,
    const ComparisonRequest &request)
{
    auto column = columnOf(index, document, model);
    PlanDocument asked = document;
    asked.costModelId = column.modelId;
    asked.assumptions = understoodBy(model, document.assumptions, column.ignoredAssumptions);
    auto plan = resolve(asked, catalog);
    if (!plan) {
        column.solution = std::unexpected(plan.error());
        return column;
    }
    column.resolved = std::move(*plan);
    column.solution = solve(*column.resolved);
    if (!column.solution)
        return column;
    if (request.rangeOf && column.solution->estimate.stepTime)
        column.solution = withStepRange(
            *column.solution, *column.resolved, request.rangeOf(*column.resolved, *column.solution->estimate.stepTime));
    column.explanation = explainAll(*column.resolved, *column.solution);
    const auto &what = **column.resolved;
    if (const auto evaluator = model.prepare(what.workload, what.fleet, what.training, what.assumptions))
        column.outOfScope = (*evaluator)->outOfScope(what.parallelism, column.solution->estimate);
    return column;
}

/// Among the columns of one cost model: that another model is more optimistic makes no plan better.
void markBest(ComparisonRow &row, const std::vector<ComparisonColumn> &columns, std::string_view modelId)
{
    const auto ofModel = [&](std::size_t i) { return columns[i].modelId == modelId; };
    const auto competes = [&](std::size_t i) {
        return ofModel(i) && row.cells[i].value && !row.cells[i].isAtLeast
            && standingOf(columns[i].solution) == Standing::Keeps;
    };
    std::vector<double> all, competing;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (ofModel(i) && row.cells[i].value)
            all.push_back(*row.cells[i].value);
        if (competes(i))
            competing.push_back(*row.cells[i].value);
    }
    if (competing.empty() || std::ranges::min(all) == std::ranges::max(all))
        return;
    const double best = row.better == Better::Lower ? std::ranges::min(competing) : std::ranges::max(competing);
    if (std::ranges::count_if(
            competing, [&](double value) { return std::abs(value - best) <= tieOfValues * std::abs(best); })
        > 1)
        return;
    for (std::size_t i = 0; i < columns.size(); ++i) // one that may keep its limits and be as good
        if (const auto &value = row.cells[i].value; ofModel(i) && value
            && (standingOf(columns[i].solution) == Standing::Undecided
                || (row.cells[i].isAtLeast && standingOf(columns[i].solution) == Standing::Keeps))
            && (row.better == Better::Lower ? *value <= best : *value >= best))
            return;
    for (std::size_t i = 0; i < columns.size(); ++i)
        row.cells[i].best = row.cells[i].best || (competes(i) && *row.cells[i].value == best);
}

class Rows {
public:
    explicit Rows(Comparison &comparison) : m_comparison(comparison) { }

    /// `value` is asked for every column with a solution. A row that no column has is left out.
    template <class Value>
    void add(ComparisonRow row, std::string_view absence, const Value &value, const Figure *figure = nullptr)
    {
        for (const auto &column : m_comparison.columns) {
            ComparisonCell cell;
            if (!column.solution) {
                cell.refused = true;
                cell.reason = column.solution.error().message;
            } else {
                cell.value = value(column);
                cell.onlyLikely = figure == &feasibleFigure() && isOnlyLikely(*column.solution);
                if (cell.value && !std::isfinite(*cell.value))
                    cell.value.reset();
                cell.isAtLeast = cell.value && figure && !figure->row.empty() && column.solution->costs
                    && isAtLeast(*column.solution->costs, figure->row);
                if (!cell.value) {
                    const auto reason = reasonForAbsence(*column.solution, row.key);
                    cell.reason = figure ? withLabels(reasonFor(*figure, *column.solution))
                        : reason.empty() ? std::string(absence)
                                         : std::string(reason);
                    if (figure)
                        cell.instead = insteadOf(*figure, *column.solution);
                }
            }
            row.cells.push_back(std::move(cell));
        }
        if (std::ranges::none_of(row.cells, [](const ComparisonCell &cell) { return cell.value.has_value(); }))
            return;
        if (row.group == toString(FigureGroup::Step)
            && std::ranges::all_of(row.cells, [](const ComparisonCell &cell) { return cell.value.value_or(0) == 0; }))
            return;
        // Plans that are each priced by their own cost model have no best among them where these differ.
        const auto models = m_comparison.modelIds();
        const auto isOfOnePlan = [this](const ComparisonColumn &column) {
            return column.plan == m_comparison.columns.front().plan;
        };
        const bool hasOwn = std::ranges::count(m_comparison.columns, models.front(), &ComparisonColumn::modelId)
                < std::ssize(m_comparison.columns)
            && std::ranges::count_if(m_comparison.columns, isOfOnePlan) == 1;
        if (row.better != Better::None && !hasOwn)
            for (const auto model : models)
                markBest(row, m_comparison.columns, model);
        m_comparison.rows.push_back(std::move(row));
    }

private:
    Comparison &m_comparison;
};

void addOwnFigures(Rows &rows, const CostModel &model)
{
    for (const auto &own : ownFigures(model))
        rows.add({.key = "details." + std::string(model.id()) + own.key.substr(std::string_view("details").size()),
                     .figure = own.key, // two models may use one key for two things
                     .label = std::string(own.label),
                     .group = "Figures of " + std::string(model.title()) + " only",
                     .meaning = std::string(own.formula),
                     .dimension = own.dimension},
            "Only " + std::string(model.title()) + " produces this figure, and not for every plan.",
            [&](const ComparisonColumn &column) {
                return column.modelId == model.id() ? std::optional(column.solution->estimate.details[own.index])
                                                    : std::nullopt;
            });
}

ComparisonRow rowOf(const Figure &figure)
{
    return {.key = std::string(figure.key),
        .figure = std::string(figure.key),
        .label = std::string(figure.label),
        .shortLabel = std::string(narrowLabel(figure)),
        .group = std::string(toString(figure.group)),
        .meaning = std::string(figure.help),
        .dimension = figure.dimension,
        .better = figure.better,
        .part = figure.prominence == Prominence::Part};
}

/// From where to where the decisive figures may be, and whether runs like the plan were measured at all.
void addHowSure(Rows &rows)
{
    constexpr std::string_view noRange =
        "No measured run was compared with this cost model, or nothing that the figure "
        "rests on has a range.";
    for (const auto key : comparedRanges()) {
        const auto *figure = findFigure(key);
        const auto add = [&](std::string_view which, std::string_view meaning, double SheetRange::*end) {
            auto row = rowOf(*figure);
            row.key = figure->key.substr(0, figure->key.rfind('_'));
            row.key += '_' + std::string(which) + std::string(figure->key.substr(figure->key.rfind('_')));
            for (auto *label : {&row.label, &row.shortLabel})
                *label += ", " + std::string(which) + " end";
            row.group = howSureGroup;
            row.meaning = meaning;
            rows.add(std::move(row), noRange, [&](const ComparisonColumn &column) {
                const auto range = rangeOf(*figure, *column.solution);
                return range ? std::optional((*range).*end) : std::nullopt;
            });
        };
        add("low", "One of ten draws of prices, rates and the step time lies below, as in a decision.",
            &SheetRange::low);
        add("high", "One of ten draws of prices, rates and the step time lies above, as in a decision.",
            &SheetRange::high);
    }
    rows.add({.key = std::string(measuredRow),
                 .figure = std::string(measuredRow),
                 .label = "Measured runs like it",
                 .group = std::string(howSureGroup),
                 .meaning = "Whether measured runs of this size, accelerator and software were compared with the cost "
                            "model.",
                 .better = Better::Higher,
                 .verdict = true,
                 .cells = {}},
        "This cost model was not compared with measured runs.", [](const ComparisonColumn &column) {
            const auto &range = column.solution->range;
            return range ? std::optional(range->isValidated() ? 1.0 : 0.0) : std::nullopt;
        });
}

void fillRows(Comparison &comparison, const std::vector<const CostModel *> &models, bool ownFigures, bool isRanged)
{
    Rows rows(comparison);
    for (const auto &group : comparedGroups()) {
        for (const auto *figure : group.figures) {
            auto row = rowOf(*figure);
            row.group = group.title;
            row.verdict = figure == &feasibleFigure();
            rows.add(
                std::move(row), figure->absence,
                [figure](const ComparisonColumn &column) { return figure->value(*column.solution); }, figure);
        }
        if (group.title == beforeHowSure && isRanged)
            addHowSure(rows);
    }
    if (ownFigures)
        for (const auto *model : models)
            addOwnFigures(rows, *model);
}

} // namespace

Standing standingOf(const Expected<Solution> &solution)
{
    if (!solution)
        return Standing::Refused;
    const auto known = feasibility(*solution);
    if (known == false)
        return Standing::Breaks;
    return known && scorecard(*solution).overall != Verdict::Undecided ? Standing::Keeps : Standing::Undecided;
}

std::vector<ExplainedFigure> explainAll(const Plan &plan, const Solution &solution)
{
    std::vector<ExplainedFigure> figures;
    if (const auto model = findCostModel(plan->costModelId))
        if (const auto evaluator = (*model)->prepare(plan->workload, plan->fleet, plan->training, plan->assumptions))
            figures = (*evaluator)->explain(plan->parallelism).value_or(std::vector<ExplainedFigure>());
    for (auto &&figure : explainRun(plan, solution))
        if (std::ranges::find(figures, figure.key, &ExplainedFigure::key) == figures.end())
            figures.push_back(std::move(figure));
    return figures;
}

const ExplainedFigure *ComparisonColumn::explained(std::string_view key) const
{
    const auto found = std::ranges::find(explanation, key, &ExplainedFigure::key);
    return found == explanation.end() ? nullptr : &*found;
}

std::optional<double> Spread::ratio() const { return low() > 0 ? std::optional(high() / low()) : std::nullopt; }

std::vector<std::string_view> Comparison::modelIds() const
{
    std::vector<std::string_view> ids;
    for (const auto &column : columns)
        if (std::ranges::find(ids, column.modelId) == ids.end())
            ids.emplace_back(column.modelId);
    return ids;
}

const ComparisonRow *Comparison::row(std::string_view key) const
{
    const auto found = std::ranges::find(rows, key, &ComparisonRow::key);
    return found == rows.end() ? nullptr : &*found;
}

std::optional<double> Comparison::difference(const ComparisonRow &row, std::size_t column, std::size_t reference) const
{
    if (row.verdict || column >= row.cells.size() || reference >= row.cells.size())
        return std::nullopt;
    const auto &value = row.cells[column].value;
    const auto &base = row.cells[reference].value;
    return value && base && *base != 0 ? std::optional(*value / *base - 1.0) : std::nullopt;
}

bool Comparison::isAside(std::size_t column) const
{
    return !columns.at(column).counts() && std::ranges::any_of(columns, [&](const ComparisonColumn &other) {
        return other.plan == columns[column].plan && other.counts();
    });
}

std::vector<Spread> Comparison::spread(std::string_view key) const
{
    std::vector<Spread> found;
    const auto *figure = row(key);
    if (!figure)
        return found;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto &value = figure->cells[i].value;
        if (!value || isAside(i))
            continue;
        auto at = std::ranges::find(found, columns[i].plan, &Spread::plan);
        if (at == found.end())
            at = found.insert(found.end(), Spread{.plan = columns[i].plan, .values = {}});
        at->values.push_back({i, *value});
    }
    for (auto &spread : found)
        std::ranges::stable_sort(spread.values, {}, &Spread::Value::value);
    return found;
}

Expected<Comparison> compare(const ComparisonRequest &request, const Catalog &catalog, std::stop_token stop)
{
    std::set<std::string> ids(request.modelIds.begin(), request.modelIds.end());
    if (request.byOwnModels) {
        ids.clear();
        for (const auto &plan : request.plans)
            ids.insert(plan.costModelId);
    }
    const auto modelsOfPlan = request.byOwnModels ? 1 : request.modelIds.size();
    if (request.plans.empty() || ids.empty())
        return refuse(ErrorCode::OutOfRange, "plans", "Choose at least one plan and one cost model.");
    if (request.plans.size() * modelsOfPlan > mostComparisonColumns)
        return refuse(ErrorCode::OutOfRange, "plans",
            std::to_string(request.plans.size()) + " plans by " + std::to_string(modelsOfPlan)
                + " cost models are more than the " + std::to_string(mostComparisonColumns)
                + " columns that can be compared; choose fewer.");
    std::vector<const CostModel *> models;
    for (const auto &id : request.byOwnModels ? std::vector<std::string>(ids.begin(), ids.end()) : request.modelIds) {
        const auto model = findCostModel(id);
        if (!model)
            return std::unexpected(model.error());
        models.push_back(*model);
    }
    Comparison comparison;
    comparison.plans = request.plans;
    for (std::size_t i = 0; i < request.plans.size(); ++i) {
        const auto fixed = withFixedLayout(request.plans[i], catalog, request.rangeOf, stop);
        for (const auto *model : models) {
            if (stop.stop_requested())
                return cancelled();
            if (request.byOwnModels && model->id() != request.plans[i].costModelId)
                continue;
            if (fixed) {
                comparison.columns.push_back(priced(i, *fixed, *model, catalog, request));
            } else {
                comparison.columns.push_back(columnOf(i, request.plans[i], *model));
                comparison.columns.back().solution = std::unexpected(fixed.error());
            }
        }
    }
    if (request.asideLast && comparison.plans.size() == 1)
        std::ranges::stable_sort(comparison.columns, {}, [](const ComparisonColumn &column) {
            return column.counts() ? 0 : column.solution ? 1 : 2;
        });
    fillRows(comparison, models, request.ownFigures, bool(request.rangeOf));
    return comparison;
}

} // namespace fleetwright
