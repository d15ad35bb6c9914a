// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/figures.h"

#include "solver/answer/figuretable.h"
#include "solver/answer/likelyspeed.h"
#include "units/editdistance.h"
#include "units/format.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace fleetwright {

namespace {

using units::Dimension;

struct OldKey {
    std::string_view old, current;
};
/// Keys of documents and results of earlier versions. A part of the step that is the same number as a figure of the
/// estimate has that figure's key.
constexpr auto oldKeys = std::to_array<OldKey>({
    {"breakdown.compute_s", "compute_time_s"},
    {"breakdown.tp_s", "exposed_tp_comm_time_s"},
    {"breakdown.pp_s", "exposed_pp_comm_time_s"},
    {"breakdown.cp_s", "exposed_cp_comm_time_s"},
    {"breakdown.ep_s", "exposed_ep_comm_time_s"},
    {"breakdown.dp_s", "exposed_dp_comm_time_s"},
    {"breakdown.bubble_s", "bubble_time_s"},
    {"breakdown.optimizer_s", "optimizer_time_s"},
    {"breakdown.overhead_s", "overhead_time_s"},
    {"breakdown.other_s", "other_time_s"},
    {"details.tp_exposed_s", "exposed_tp_comm_time_s"},
    {"details.pp_exposed_s", "exposed_pp_comm_time_s"},
    {"details.cp_exposed_s", "exposed_cp_comm_time_s"},
    {"details.ep_exposed_s", "exposed_ep_comm_time_s"},
    {"details.dp_exposed_s", "exposed_dp_comm_time_s"},
    {"cost_usd", "run_cost_usd"},
    {"usd_per_million_tokens", "cost_usd_per_million_tokens"},
    {"cost_per_million_tokens_usd", "cost_usd_per_million_tokens"},
    {"memory_bytes", "memory.total_bytes"},
    {"memory_total_bytes", "memory.total_bytes"},
    {"memory_headroom_bytes", "memory.headroom_bytes"},
    {"memory_share_of_limit", "memory.share_of_limit"},
});

constexpr std::string_view detailPrefix = "details.";

} // namespace

std::optional<Bytes> memoryLimit(const Solution &solution)
{
    if (!solution.estimate.memory)
        return std::nullopt;
    Bytes limit = solution.estimate.memory->capacity;
    for (const auto &entry : solution.trace)
        if (entry.constraint == "max_memory_fraction")
            limit = std::min(limit, entry.allowed * solution.estimate.memory->capacity);
    return limit;
}

std::string_view toString(FigureGroup group)
{
    switch (group) {
    case FigureGroup::Feasibility: return "Feasibility";
    case FigureGroup::Step: return "Step time and its parts";
    case FigureGroup::Rates: return "Utilisation and rates";
    case FigureGroup::Memory: return "Memory by part";
    case FigureGroup::Run: return "The whole run";
    case FigureGroup::Pipeline: return "Layout and pipeline";
    case FigureGroup::Cost: return "Cost";
    case FigureGroup::Environment: return "Energy, carbon and water";
    case FigureGroup::Failures: return "Failures and checkpoints";
    case FigureGroup::Published: return "By the published rules, accelerators only";
    }
    return {};
}

ScoreLevel levelOf(FigureGroup group)
{
    switch (group) {
    case FigureGroup::Feasibility:
    case FigureGroup::Memory: return ScoreLevel::Feasibility;
    case FigureGroup::Step:
    case FigureGroup::Rates:
    case FigureGroup::Pipeline: return ScoreLevel::Performance;
    case FigureGroup::Run:
    case FigureGroup::Cost:
    case FigureGroup::Environment:
    case FigureGroup::Failures:
    case FigureGroup::Published: break;
    }
    return ScoreLevel::Macro;
}

const Figure *findFigure(std::string_view key)
{
    const auto found = std::ranges::find(allFigures(), key, &Figure::key);
    return found == allFigures().end() ? nullptr : &*found;
}

std::string_view narrowLabel(const Figure &figure)
{
    return figure.shortLabel.empty() ? figure.label : figure.shortLabel;
}

bool isCalled(const Figure &figure, std::string_view words)
{
    const auto has = [words](std::string_view text) {
        return !std::ranges::search(
            text, words, {}, [](unsigned char c) { return std::tolower(c); },
            [](unsigned char c) {
                return std::tolower(c);
            }).empty();
    };
    return has(figure.label) || has(figure.alsoCalled);
}

std::string reasonFor(const Figure &figure, const Solution &solution)
{
    if (figure.value(solution))
        return {};
    if (const auto row = rowKeyOf(figure, solution); !row.empty() && solution.costs) {
        // Without a run the sheet is that of the fleet alone.
        const auto reason = solution.costs->reasonFor(row);
        return !reason.empty() ? reason
                               : "There is no run to pay for: neither the plan nor its workload states how many tokens "
                                 "to train on, or the cost model gives no tokens per second.";
    }
    const auto reason = reasonForAbsence(solution, figure.key);
    return std::string(reason.empty() ? figure.absence : reason);
}

std::optional<SheetRange> rangeOf(const Figure &figure, const Solution &solution)
{
    const auto row = rowKeyOf(figure, solution);
    const auto range = row.empty() || !solution.costs ? std::nullopt : solution.costs->drawnRange(row);
    if (!range || range->low == range->high)
        return std::nullopt;
    const double base = baseOf(*solution.costs, row);
    return SheetRange{range->low * base, range->likely * base, range->high * base};
}

std::string valueInWords(const Figure &figure, const Solution &solution)
{
    if (const auto instead = insteadOf(figure, solution); !instead.empty())
        return std::string(instead);
    const auto value = figure.value(solution);
    const auto range = value ? rangeOf(figure, solution) : std::nullopt;
    if (!range)
        return figureText(value, figure.dimension);
    const bool isOpen = std::isinf(range->high);
    const auto unit = units::unitFor(isOpen ? *value : std::max(*value, range->high), figure.dimension);
    const auto symbol = units::shownSymbol(unit.symbol);
    return units::formatInColumn(*value, unit) + (symbol.empty() ? "" : "\u00a0" + std::string(symbol)) + " ("
        + units::formatInColumn(range->low, unit) + " to "
        + (isOpen ? "never" : units::formatInColumn(range->high, unit)) + ")";
}

std::vector<ExplainedCell> explainCosts(const Solution &solution)
{
    std::vector<ExplainedCell> cells;
    if (!solution.costs)
        return cells;
    const auto &sheet = solution.costs->sheet();
    for (const auto &row : sheet.sheet().rows())
        if (row.shape != SheetShape::Months)
            if (auto cell = sheet.explain(row.key, row.shape == SheetShape::Years ? 1 : 0))
                cells.push_back(std::move(*cell));
    return cells;
}

std::optional<ExplainedCell> explainRow(const Figure &figure, const Solution &solution)
{
    const auto row = rowKeyOf(figure, solution);
    if (row.empty() || !solution.costs)
        return std::nullopt;
    auto cell = solution.costs->sheet().explain(row);
    return cell ? std::optional(std::move(*cell)) : std::nullopt;
}

std::string_view currentKey(std::string_view key)
{
    const auto found = std::ranges::find(oldKeys, key, &OldKey::old);
    return found == oldKeys.end() ? key : found->current;
}

Expected<ChosenFigure> chooseFigure(std::string_view asked, std::string_view field)
{
    const auto key = currentKey(asked);
    if (const auto *figure = findFigure(key))
        return ChosenFigure{std::string(key), std::string(figure->label), std::string(narrowLabel(*figure)),
            figure->dimension, figure->better};
    for (const auto *model : costModels())
        for (const auto &own : ownFigures(*model))
            if (own.key == key)
                return ChosenFigure{
                    own.key, std::string(own.label), std::string(own.label), own.dimension, Better::None};
    const std::string shown(asked.substr(0, 80));
    std::string sentence = "There is no figure \u201c" + shown + "\u201d";
    const auto nearest = std::ranges::min_element(
        allFigures(), {}, [&](const Figure &figure) { return editDistance(figure.key, shown); });
    if (editDistance(nearest->key, shown) <= std::max<std::size_t>(3, shown.size() / 4))
        sentence += "; did you mean \u201c" + std::string(nearest->key) + "\u201d?";
    else
        sentence += "; name one of an estimate, such as step_time_s, mfu, scaling_efficiency, bubble_fraction or "
                    "memory.total_bytes.";
    return refuse(ErrorCode::UnsupportedValue, std::string(field), std::move(sentence));
}

std::optional<double> figureOf(const Solution &solution, std::string_view key)
{
    std::optional<double> value;
    if (const auto *figure = findFigure(key)) {
        value = figure->value(solution);
    } else if (key.starts_with(detailPrefix)) {
        if (const auto model = findCostModel(solution.costModelId))
            for (const auto &own : ownFigures(**model))
                if (own.key == key)
                    value = solution.estimate.details[own.index];
    }
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<double> likelyFigureOf(const Solution &solution, std::string_view key)
{
    const auto value = figureOf(solution, key);
    const auto likely = likelyByRuns(key, value, figureOf(solution, "step_time_s"), solution.range);
    return likely ? likely : value;
}

std::string figureText(std::optional<double> value, units::Dimension dimension)
{
    return value ? units::format(*value, dimension) : "\u2013";
}

std::string titleWithUnit(std::string_view label, std::string_view symbol)
{
    std::string title(label);
    return symbol.empty() ? title : title + " [" + std::string(symbol) + "]";
}

units::UnitSymbol unitFor(FigureGroup group, Dimension dimension, double largest)
{
    const auto unit = units::unitFor(largest, dimension);
    const auto most = group == FigureGroup::Step && dimension == Dimension::Time ? units::findUnit("s", dimension)
        : (group == FigureGroup::Memory || group == FigureGroup::Feasibility) && dimension == Dimension::Information
        ? units::findUnit("GB", dimension)
        : std::nullopt;
    return most && unit.factor > most->factor ? *most : unit;
}

double largestOf(std::span<const std::optional<double>> values)
{
    double largest = 0;
    for (const auto &value : values)
        if (value && std::isfinite(*value))
            largest = std::max(largest, std::abs(*value));
    return largest;
}

FigureColumn figureColumn(std::string_view label, units::Dimension dimension,
    std::span<const std::optional<double>> values, std::string_view absent)
{
    const auto unit = units::unitFor(largestOf(values), dimension);
    FigureColumn column{titleWithUnit(label, unit.symbol), {}};
    for (const auto &value : values)
        column.cells.push_back(value ? units::formatInColumn(*value, unit) : std::string(absent));
    return column;
}

std::vector<OwnFigure> ownFigures(const CostModel &model)
{
    std::vector<OwnFigure> own;
    const auto details = model.details();
    for (std::size_t i = 0; i < std::min(details.size(), std::tuple_size_v<decltype(Estimate::details)>); ++i)
        if (const auto key = details[i].path(); key.starts_with(detailPrefix))
            own.push_back({key, details[i].label, details[i].formula, details[i].dimension, i});
    return own;
}

} // namespace fleetwright
