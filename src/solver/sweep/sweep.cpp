// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/sweep/sweep.h"

#include "solver/answer/constrainttitle.h"
#include "solver/search/bestlayout.h"
#include "solver/search/cellsearch.h"
#include "solver/validation/ownsite.h"
#include "units/fault.h"
#include "units/format.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace fleetwright {

std::optional<double> SweepResult::figure(const SweepCell &cell, std::string_view key) const
{
    const auto found = std::ranges::find(figures, key);
    const auto index = static_cast<std::size_t>(found - figures.begin());
    return index < cell.figures.size() ? cell.figures[index] : std::nullopt;
}

std::vector<SweepSetting> settingsOf(const SweepDocument &document, std::size_t row, std::size_t column)
{
    auto settings = document.axes[0].points[row].settings;
    if (document.axes.size() > 1) {
        const auto &more = document.axes[1].points[column].settings;
        settings.insert(settings.end(), more.begin(), more.end());
    }
    return settings;
}

namespace {

using CellSolver = std::function<Expected<Solution>(const Plan &)>;

/// Values edited for the plan's own model that another one does not know stay out of its cells, with a notice; what the
/// sweep itself varies is never left out.
void leaveOutUnknownAssumptions(PlanDocument &plan, const CostModel &model, std::vector<std::string> &notices)
{
    std::string unknown;
    for (auto it = plan.assumptions.edited.begin(); it != plan.assumptions.edited.end();) {
        if (check(Assumptions{{*it}}, model.assumptions())) {
            ++it;
            continue;
        }
        unknown += (unknown.empty() ? "" : ", ") + it->first;
        it = plan.assumptions.edited.erase(it);
    }
    if (!unknown.empty())
        notices.push_back("The cost model " + std::string(model.id())
            + " does not know these assumptions that the plan has edited, so they were left out: " + unknown + ".");
}

/// The plan with the layout that its cell shows, and the layout.
Expected<std::pair<Plan, Layout>> layoutOf(const Plan &plan, const PlanDocument &document,
    const std::optional<CellSearch> &search, std::span<const SweepSetting> settings, const SweepOptions &options)
{
    constexpr int threads = 1; // cells run side by side
    auto asked = search.value_or(CellSearch());
    if (document.bestLayout) {
        for (const auto &setting : settings)
            if (const auto option = layoutSearchOptionOf(setting.key))
                asked.space[*option] = (*document.bestLayout)[*option];
        asked.space = within(asked.space, *document.bestLayout);
    } else {
        layoutsearch::keep(asked.space, plan, settings);
    }
    if (!search) {
        auto decided = layoutsearch::decided(plan, asked.space, options.rangeOf, options.stop, threads);
        if (!decided)
            return std::unexpected(std::move(decided.error()));
        return std::pair(std::move(decided->plan), decided->layout->row.layout);
    }
    const auto best = layoutsearch::bestLayout(plan, asked, options.stop);
    if (!best)
        return std::unexpected(best.error());
    auto layout = *best ? std::optional((*best)->layout) : std::nullopt;
    if (!layout) {
        const auto closest = layoutsearch::recommend(plan, asked.space, {}, options.stop, threads);
        if (!closest)
            return std::unexpected(closest.error());
        layout = closest->row.layout;
    }
    auto found = layoutsearch::withLayout(plan, *layout);
    if (!found)
        return std::unexpected(std::move(found.error()));
    return std::pair(std::move(*found), *layout);
}

Expected<Solution> answer(const SweepDocument &document, SweepCell &cell, const std::string &costModel,
    const Catalog &catalog, const CellSolver &solver, const SweepOptions &options)
{
    try {
        auto plan = document.plan;
        if (const auto model = findCostModel(costModel); model && costModel != plan.costModelId)
            leaveOutUnknownAssumptions(plan, **model, cell.notices);
        plan.costModelId = costModel;
        const auto settings = settingsOf(document, cell.row, cell.column);
        const auto applied = apply(settings, plan, catalog);
        if (!applied)
            return std::unexpected(applied.error());
        if (!searchesCells(document))
            return solver(*applied);
        const auto changed = applySettings(settings, plan, catalog);
        if (!changed)
            return std::unexpected(changed.error());
        const auto found = layoutOf(*applied, changed->document, document.search, settings, options);
        if (!found)
            return std::unexpected(found.error());
        cell.layout = found->second;
        return solver(found->first);
    } catch (const std::exception &exception) {
        return refuse(ErrorCode::UnsupportedValue, {},
            "The cost model could not finish this cell (" + faultInWords(exception)
                + "); take the value out of the sweep and report it.");
    }
}

void fill(SweepCell &cell, const Expected<Solution> &solution, const std::vector<std::string> &figures)
{
    if (!solution) {
        cell.refused = solution.error();
        cell.layout = std::nullopt;
        cell.notices.clear();
        return;
    }
    if (cell.layout)
        cell.notices.insert(cell.notices.begin(),
            (solution->feasible ? "Best layout: " : "No layout keeps every limit; the closest: ")
                + inWords(*cell.layout) + ".");
    cell.feasible = solution->feasible;
    cell.decided = feasibility(*solution).has_value();
    cell.onlyLikely = isOnlyLikely(*solution);
    cell.figures.reserve(figures.size());
    for (const auto &key : figures)
        cell.figures.push_back(figureOf(*solution, key));
    for (const auto &entry : solution->trace) {
        if (entry.decided && !entry.holds) {
            cell.problems.push_back(entry.sentence);
            cell.missed.push_back(missInWords(entry));
        }
        if (cell.onlyLikely && entry.onlyLikely)
            cell.notices.push_back(entry.sentence);
    }
    for (std::size_t i = 0; i < noticeCount; ++i)
        if (const auto notice = static_cast<Notice>(i); solution->estimate.notices.has(notice))
            cell.notices.emplace_back(sentence(notice));
}

Expected<SweepResult> emptyResult(const SweepDocument &document)
{
    if (auto ok = check(document); !ok)
        return std::unexpected(ok.error());
    if (const auto figure = chooseFigure(document.figure); !figure)
        return std::unexpected(figure.error());
    if (searchesCells(document))
        for (const auto &axis : document.axes)
            for (const auto &point : axis.points)
                for (const auto &setting : point.settings)
                    if (setting.key == "training.microbatch_count")
                        return refuse(ErrorCode::UnsupportedValue, "search",
                            "A search chooses the microbatch size of each cell, which decides the number of "
                            "microbatches; vary training.microbatch_size instead.");
    SweepResult result;
    const auto ids = document.costModels.empty() ? std::vector{document.plan.costModelId} : document.costModels;
    for (const auto &id : ids) {
        const auto model = findCostModel(id);
        if (!model)
            return std::unexpected(model.error());
        result.models.push_back({id, std::string((*model)->version())});
    }
    for (const auto &figure : allFigures())
        result.figures.emplace_back(figure.key);
    if (!findFigure(document.figure))
        result.figures.push_back(document.figure);
    result.rows = document.axes[0].points.size();
    result.columns = document.axes.size() > 1 ? document.axes[1].points.size() : 1;
    for (std::size_t row = 0; row < result.rows; ++row)
        for (std::size_t column = 0; column < result.columns; ++column)
            for (std::size_t model = 0; model < result.models.size(); ++model)
                result.cells.push_back({.row = row, .column = column, .model = model});
    return result;
}

} // namespace

Expected<SweepResult> runSweep(const SweepDocument &document, const Catalog &catalog, const SweepOptions &options)
{
    auto result = emptyResult(document);
    if (!result)
        return result;
    const CellSolver solver = [&options](const Plan &plan) {
        auto solution = options.solver ? options.solver(plan) : solve(plan);
        if (options.rangeOf && solution && solution->estimate.stepTime)
            if (auto range = options.rangeOf(plan, *solution->estimate.stepTime); range && range->ownRuns > 0)
                solution = withStepRange(std::move(*solution), plan, std::move(range));
        return solution;
    };
    std::atomic<std::size_t> done = 0;
    const auto cells = result->cells.size(), first = std::size_t(options.part), stride = std::size_t(options.parts);
    const auto total = (cells + stride - 1 - first) / stride;
    const auto price = [&](std::size_t index) {
        if (options.stop.stop_requested())
            return;
        auto &cell = result->cells[index];
        fill(cell, answer(document, cell, result->models[cell.model].id, catalog, solver, options), result->figures);
        const auto count = ++done;
        if (options.progress)
            options.progress(count, total);
    };
    tbb::task_arena arena(options.threads > 0 ? std::min(options.threads, tbb::this_task_arena::max_concurrency())
                                              : tbb::task_arena::automatic);
    arena.execute([&] { tbb::parallel_for(first, std::max(first, cells), stride, price); });
    if (options.stop.stop_requested())
        return refuse(ErrorCode::Cancelled, {}, "The sweep was cancelled.");
    return result;
}

const SweepCell *bestCell(
    const SweepResult &result, const ChosenFigure &figure, std::size_t model, std::optional<std::size_t> column)
{
    if (figure.better == Better::None)
        return nullptr;
    const SweepCell *best = nullptr;
    std::optional<double> bestValue;
    for (const auto &cell : result.cells) {
        const bool counts = cell.model == model && cell.feasible && (!column || cell.column == *column);
        const auto value = counts ? result.figure(cell, figure.key) : std::nullopt;
        if (value && (!bestValue || (figure.better == Better::Lower ? *value < *bestValue : *value > *bestValue))) {
            best = &cell;
            bestValue = value;
        }
    }
    return best;
}

std::string describeBest(const SweepDocument &document, const SweepResult &result, const ChosenFigure &figure,
    std::size_t model, const Catalog &catalog)
{
    const auto label = figure.shortLabel + (result.models.size() > 1 ? " (" + result.models[model].id + ")" : "");
    if (figure.better == Better::None)
        return label + ": neither more nor less is better, so no cell is the best.";
    const auto *best = bestCell(result, figure, model);
    if (!best) {
        const auto answered = [&](const SweepCell &cell) { return cell.model == model && !cell.refused; };
        const auto valued = [&](const SweepCell &cell) { return answered(cell) && result.figure(cell, figure.key); };
        const auto *common = findFigure(figure.key);
        if (common && std::ranges::any_of(result.cells, answered) && std::ranges::none_of(result.cells, valued))
            return label + ": no cell has a value. " + std::string(common->absence);
        return label + ": no feasible cell has a value, so none is the best.";
    }
    auto text = "Best " + label + ": " + figureText(result.figure(*best, figure.key), figure.dimension) + " at "
        + describe(document.axes[0]) + " " + describe(document.axes[0].points[best->row], catalog);
    if (document.axes.size() > 1)
        text += ", " + describe(document.axes[1]) + " " + describe(document.axes[1].points[best->column], catalog);
    return text + ".";
}

std::string describeBestOfEach(const SweepDocument &document, const SweepResult &result, const ChosenFigure &figure,
    std::size_t model, const Catalog &catalog)
{
    constexpr std::size_t readable = 6;
    if (document.axes.size() < 2 || result.columns < 2 || result.columns > readable || figure.better == Better::None)
        return {};
    std::string text;
    std::optional<std::size_t> row;
    bool same = true, all = true;
    for (std::size_t column = 0; column < result.columns; ++column) {
        const auto *best = bestCell(result, figure, model, column);
        text += (column ? ", " : "")
            + (best ? describe(document.axes[0].points[best->row], catalog) + " ("
                        + figureText(result.figure(*best, figure.key), figure.dimension) + ")"
                    : std::string("none"))
            + " with " + describe(document.axes[1].points[column], catalog);
        same = same && (!best || !row || *row == best->row);
        all = all && best;
        row = best ? std::optional(best->row) : row;
    }
    if (!row)
        return {};
    return "Best " + describe(document.axes[0]) + " for each " + describe(document.axes[1]) + ": " + text
        + (!all        ? "."
                : same ? "; the best " + describe(document.axes[0]) + " is the same for each."
                       : "; the best " + describe(document.axes[0]) + " differs.");
}

std::string describeFeasibility(const SweepResult &result)
{
    const auto count = [&](auto test) { return std::to_string(std::ranges::count_if(result.cells, test)); };
    const auto refused = count([](const SweepCell &cell) { return cell.refused.has_value(); });
    const auto unknown = count([](const SweepCell &cell) { return !cell.decided; });
    const auto likely = count([](const SweepCell &cell) { return cell.onlyLikely; });
    return count([](const SweepCell &cell) { return cell.decided && cell.feasible; }) + " of "
        + std::to_string(result.cells.size()) + " cells are feasible"
        + (likely == "0" ? "" : ", " + likely + " of them at the likely values only")
        + (unknown == "0" ? "" : ", " + unknown + " are not known to fit because the cost model knows no memory")
        + (refused == "0" ? "." : ", " + refused + " were refused.");
}

std::string describeFormulaAlone(const SweepResult &result)
{
    return std::ranges::any_of(result.models, validation::isMovedByRuns, &SweepModel::id)
        ? std::string(validation::formulaAlone)
        : std::string();
}

std::optional<SweepCrossing> findCrossing(const SweepDocument &document, const SweepResult &result,
    std::string_view figure, double mark, std::size_t column, std::size_t model)
{
    const auto positions = numbersOf(document.axes[0]);
    std::optional<std::size_t> last; // point with a value
    std::optional<bool> startsAbove;
    double lastValue = 0;
    for (std::size_t i = 0; i < result.rows; ++i) {
        const auto value = result.figure(result.cell(i, column, model), figure);
        if (!value)
            continue;
        if (*value != mark) { // on the mark is on neither side
            const bool above = *value > mark;
            if (startsAbove && above != *startsAbove) {
                SweepCrossing crossing{.from = *last, .to = i, .falls = !above, .position = std::nullopt};
                if (!positions.empty())
                    crossing.position = positions[*last]
                        + (positions[i] - positions[*last]) * (mark - lastValue) / (*value - lastValue);
                return crossing;
            }
            startsAbove = above;
        }
        last = i;
        lastValue = *value;
    }
    return std::nullopt;
}

std::string describeCrossing(const SweepDocument &document, const SweepResult &result, const ChosenFigure &figure,
    double mark, std::size_t column, std::size_t model, const Catalog &catalog)
{
    const auto shown = units::format(mark, figure.dimension);
    const auto crossing = findCrossing(document, result, figure.key, mark, column, model);
    const auto &axis = document.axes[0];
    std::string subject = figure.shortLabel;
    if (document.axes.size() > 1)
        subject += " with " + describe(document.axes[1]) + " " + describe(document.axes[1].points[column], catalog);
    if (result.models.size() > 1)
        subject += " (" + result.models[model].id + ")";
    if (!crossing) {
        for (std::size_t i = 0; i < result.rows; ++i)
            if (const auto value = result.figure(result.cell(i, column, model), figure.key); value && *value != mark)
                return subject + " stays " + (*value > mark ? "above " : "below ") + shown + " at every point.";
        return subject + " has no value to compare with " + shown + ".";
    }
    std::string text = subject + (crossing->falls ? " falls below " : " rises above ") + shown + " at " + describe(axis)
        + " " + describe(axis.points[crossing->to], catalog);
    if (crossing->position && *crossing->position > numbersOf(axis)[crossing->from])
        text += " (linear interpolation from " + describe(axis.points[crossing->from], catalog)
            + " puts the crossing at " + units::threeDigits(*crossing->position) + ")";
    else
        text += "; at " + describe(axis.points[crossing->from], catalog) + " it "
            + (crossing->position ? "lies on it" : "does not yet");
    return text + ".";
}

} // namespace fleetwright
