// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chartdata.h"

#include "charts/wording.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

void chooseAxis(BarChartData &data, const Figure &whole)
{
    double largest = 0;
    const auto consider = [&](double value) { largest = std::isfinite(value) ? std::max(largest, value) : largest; };
    for (const double total : data.totals)
        consider(total);
    for (const auto &line : data.lines)
        for (const auto &value : line.values)
            consider(value.value_or(0));
    data.unit = unitFor(whole.group, whole.dimension, largest);
    data.axisTitle = titleWithUnit(labelOf(whole), data.unit);
    const double span = largest > 0 ? 1.18 * largest / data.unit.factor
                                    : 1.0; // room for the total beside the longest bar
    data.tickInterval = niceInterval(span);
    data.axisMaximum = span;
}

Seconds StepBreakdown::*partOf(Quantity quantity)
{
    switch (quantity) {
    case Quantity::Compute: return &StepBreakdown::compute;
    case Quantity::TensorParallel: return &StepBreakdown::tp;
    case Quantity::PipelineParallel: return &StepBreakdown::pp;
    case Quantity::ContextParallel: return &StepBreakdown::cp;
    case Quantity::ExpertParallel: return &StepBreakdown::ep;
    case Quantity::DataParallel: return &StepBreakdown::dp;
    case Quantity::Bubble: return &StepBreakdown::bubble;
    case Quantity::Optimizer: return &StepBreakdown::optimizer;
    case Quantity::Overhead: return &StepBreakdown::overhead;
    default: return &StepBreakdown::other;
    }
}

void addPart(BarChartData &data, Quantity quantity, std::vector<double> values)
{
    if (std::ranges::any_of(values, [](double value) { return value > 0; }))
        data.parts.push_back({quantity, std::move(values)});
}

/// The share that every plan with a limit is allowed, when it is the same one.
std::optional<double> commonShare(const std::vector<LabelledMemory> &plans)
{
    std::optional<double> common;
    for (const auto &plan : plans) {
        if (!plan.allowedShare)
            continue;
        if (common && *common != *plan.allowedShare)
            return std::nullopt;
        common = plan.allowedShare;
    }
    return common;
}

QString amounts(const BarChartData &data, std::size_t plan)
{
    QStringList parts;
    for (const auto &part : data.parts)
        if (part.values[plan] > 0)
            parts << tr("%1 %2").arg(
                label(part.quantity, data.group), localized(units::format(part.values[plan], data.unit.dimension)));
    return parts.join(u", "_s);
}

/// "Step time by part. A: 7.4 s (Compute 5 s, DP 2.4 s). B: ..." for the first few plans.
QString described(const BarChartData &data, const QString &title)
{
    constexpr std::size_t spoken = 8;
    if (data.totals.empty())
        return tr("%1: there are no plans to show.").arg(title);
    QStringList sentences;
    for (std::size_t i = 0; i < std::min(spoken, data.totals.size()); ++i) {
        QString limits;
        for (const auto &line : data.lines)
            if (line.values[i])
                limits += tr(", %1 %2").arg(
                    withinSentence(line.name), localized(units::format(*line.values[i], data.unit.dimension)));
        const QString parts = amounts(data, i);
        sentences << tr("%1%2%3%4")
                         .arg(data.labels[qsizetype(i)].isEmpty() ? QString() : data.labels[qsizetype(i)] + u": "_s,
                             localized(units::format(data.totals[i], data.unit.dimension)),
                             parts.isEmpty() ? QString() : u" ("_s + parts + u")"_s, limits);
    }
    if (data.totals.size() > spoken)
        sentences << tr("and %1 more plans").arg(data.totals.size() - spoken);
    return tr("%1. %2.").arg(title, sentences.join(u"; "_s));
}

} // namespace

double niceInterval(double span)
{
    const double raw = span / 8.0;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double lead = raw / power;
    return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

BarChartData stepBars(const std::vector<LabelledBreakdown> &plans)
{
    BarChartData data;
    data.totals.assign(plans.size(), 0.0);
    for (const auto &plan : plans)
        data.labels << plan.label;
    for (const auto quantity : stepParts()) {
        std::vector<double> values;
        for (std::size_t i = 0; i < plans.size(); ++i) {
            values.push_back((plans[i].breakdown.*partOf(quantity)).value());
            data.totals[i] += values.back();
        }
        addPart(data, quantity, std::move(values));
    }
    chooseAxis(data, figureNamed("step_time_s"));
    return data;
}

void markLikely(BarChartData &bars, const std::vector<std::optional<validation::PredictionRange>> &ranges)
{
    LimitLine line{{}, {}, true};
    int runs = 0;
    for (const auto &range : ranges) {
        const bool isMoved = range && range->ownRuns > 0;
        line.values.push_back(isMoved ? std::optional(range->middle().value()) : std::nullopt);
        runs = std::max(runs, isMoved ? range->ownRuns : 0);
    }
    if (runs == 0)
        return;
    line.name = localized("likely" + validation::byYourRuns(runs));
    bars.lines.push_back(std::move(line));
    chooseAxis(bars, figureNamed("step_time_s"));
    bars.axisTitle = titleWithUnit(tr("%1 by the formula").arg(labelOf(figureNamed("step_time_s"))), bars.unit);
}

BarChartData memoryBars(const std::vector<LabelledMemory> &plans)
{
    struct Part {
        Quantity quantity;
        std::optional<Bytes> MemoryEstimate::*amount;
    };
    static constexpr auto parts = std::to_array<Part>({{Quantity::Weights, &MemoryEstimate::weights},
        {Quantity::Gradients, &MemoryEstimate::gradients}, {Quantity::OptimizerState, &MemoryEstimate::optimizer},
        {Quantity::Activations, &MemoryEstimate::activations}});
    BarChartData data;
    data.group = FigureGroup::Memory;
    std::vector<double> rest; // `other`, and what the named parts do not explain
    LimitLine capacity{shortLabelOf(figureNamed("memory.capacity_bytes")), {}, false};
    LimitLine allowed{tr("Allowed"), {}, true};
    for (const auto &plan : plans) {
        data.labels << plan.label;
        data.totals.push_back(plan.memory.total.value());
        rest.push_back(plan.memory.total.value());
        capacity.values.push_back(
            plan.memory.capacity.value() > 0 ? std::optional(plan.memory.capacity.value()) : std::nullopt);
        allowed.values.push_back(
            plan.allowedShare ? std::optional(*plan.allowedShare * plan.memory.capacity.value()) : std::nullopt);
    }
    if (const auto share = commonShare(plans))
        allowed.name = tr("Allowed (%1)").arg(localized(units::formatPercent(*share)));
    for (const auto &part : parts) {
        std::vector<double> values;
        for (std::size_t i = 0; i < plans.size(); ++i) {
            const auto &amount = plans[i].memory.*part.amount;
            values.push_back(amount ? amount->value() : 0.0);
            rest[i] -= values.back();
        }
        addPart(data, part.quantity, std::move(values));
    }
    for (std::size_t i = 0; i < plans.size(); ++i)
        if (rest[i] < 1e-9 * data.totals[i])
            rest[i] = 0.0; // rounding of the sum, not memory
    addPart(data, Quantity::Other, std::move(rest));
    for (auto *line : {&capacity, &allowed})
        if (std::ranges::any_of(line->values, [](const auto &value) { return value.has_value(); }))
            data.lines.push_back(std::move(*line));
    chooseAxis(data, figureNamed("memory.total_bytes"));
    return data;
}

BarChartData slice(const BarChartData &data, std::size_t first, std::size_t count)
{
    BarChartData part = data;
    const auto cut = [&](auto &values) {
        const auto from = std::min(first, values.size());
        const auto to = std::min(first + count, values.size());
        values = std::vector(values.begin() + std::ptrdiff_t(from), values.begin() + std::ptrdiff_t(to));
    };
    part.labels = data.labels.mid(qsizetype(first), qsizetype(count));
    cut(part.totals);
    for (auto &bar : part.parts)
        cut(bar.values);
    for (auto &line : part.lines)
        cut(line.values);
    return part;
}

std::span<const Quantity> stepParts()
{
    static constexpr std::array parts{Quantity::Compute, Quantity::TensorParallel, Quantity::PipelineParallel,
        Quantity::ContextParallel, Quantity::ExpertParallel, Quantity::DataParallel, Quantity::Bubble,
        Quantity::Optimizer, Quantity::Overhead, Quantity::Other};
    return parts;
}

std::span<const Quantity> memoryParts()
{
    static constexpr std::array parts{
        Quantity::Weights, Quantity::Gradients, Quantity::OptimizerState, Quantity::Activations, Quantity::Other};
    return parts;
}

const Figure &figureOf(Quantity quantity, FigureGroup group)
{
    const auto key = [&]() -> std::string_view {
        switch (quantity) {
        case Quantity::Compute: return "compute_time_s";
        case Quantity::TensorParallel: return "exposed_tp_comm_time_s";
        case Quantity::PipelineParallel: return "exposed_pp_comm_time_s";
        case Quantity::ContextParallel: return "exposed_cp_comm_time_s";
        case Quantity::ExpertParallel: return "exposed_ep_comm_time_s";
        case Quantity::DataParallel: return "exposed_dp_comm_time_s";
        case Quantity::Bubble: return "bubble_time_s";
        case Quantity::Optimizer: return "optimizer_time_s";
        case Quantity::Overhead: return "overhead_time_s";
        case Quantity::Other: break;
        case Quantity::Weights: return "memory.weights_bytes";
        case Quantity::Gradients: return "memory.gradients_bytes";
        case Quantity::OptimizerState: return "memory.optimizer_bytes";
        case Quantity::Activations: return "memory.activations_bytes";
        }
        return group == FigureGroup::Memory ? "memory.other_bytes" : "other_time_s";
    };
    return figureNamed(key());
}

QString label(Quantity quantity, FigureGroup group) { return shortLabelOf(figureOf(quantity, group)); }

QColor colour(Quantity quantity)
{
    // Okabe and Ito, "Color Universal Design" (2008); greys for what is not work.
    switch (quantity) {
    case Quantity::Compute:
    case Quantity::Weights: return QColor(0x00, 0x72, 0xb2);
    case Quantity::TensorParallel:
    case Quantity::Gradients: return QColor(0xe6, 0x9f, 0x00);
    case Quantity::PipelineParallel: return QColor(0x56, 0xb4, 0xe9);
    case Quantity::ContextParallel: return QColor(0xf0, 0xe4, 0x42);
    case Quantity::ExpertParallel: return QColor(0xcc, 0x79, 0xa7);
    case Quantity::DataParallel:
    case Quantity::Activations: return QColor(0x00, 0x9e, 0x73);
    case Quantity::Optimizer:
    case Quantity::OptimizerState: return QColor(0xd5, 0x5e, 0x00);
    case Quantity::Bubble: return QColor(0xbd, 0xbd, 0xbd);
    case Quantity::Overhead: return QColor(0x75, 0x75, 0x75);
    case Quantity::Other: return QColor(0x9a, 0x9a, 0x9a);
    }
    return {};
}

QString describeStepBreakdown(const std::vector<LabelledBreakdown> &plans)
{
    return described(stepBars(plans), tr("%1 by part").arg(labelOf(figureNamed("step_time_s"))));
}

QString describeMemory(const std::vector<LabelledMemory> &plans)
{
    return described(memoryBars(plans), tr("Memory of the fullest accelerator by part"));
}

} // namespace fleetwright::charts
