// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chartdata.h"

#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

QString tr(const char *text) { return QCoreApplication::translate("charts", text); }

struct AxisUnit {
    double factor;
    const char *symbol;
};

constexpr auto timeUnits = std::to_array<AxisUnit>({{1e-6, "\u00b5s"}, {1e-3, "ms"}, {1.0, "s"}});
constexpr auto memoryUnits = std::to_array<AxisUnit>(
    {{1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}}); // no TB: capacities are thought of in GB

/// The largest unit in which the largest value is at least one.
AxisUnit unitFor(double largest, std::span<const AxisUnit> choices)
{
    AxisUnit best = choices.front();
    for (const auto &choice : choices)
        if (largest >= choice.factor)
            best = choice;
    return best;
}

void chooseAxis(BarChartData &data, const QString &quantity, std::span<const AxisUnit> choices)
{
    double largest = 0;
    const auto consider = [&](double value) { largest = std::isfinite(value) ? std::max(largest, value) : largest; };
    for (const double total : data.totals)
        consider(total);
    for (const auto &line : data.lines)
        for (const auto &value : line.values)
            consider(value.value_or(0));
    const AxisUnit unit = largest > 0 ? unitFor(largest, choices) : choices.back();
    data.unit = QString::fromUtf8(unit.symbol);
    data.unitFactor = unit.factor;
    data.axisTitle = tr("%1 (%2)").arg(quantity, data.unit);
    const double span = largest > 0 ? 1.18 * largest / unit.factor : 1.0; // room for the total beside the longest bar
    data.tickInterval = niceInterval(span);
    data.axisMaximum = span;
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
                label(part.quantity), QString::fromStdString(units::format(part.values[plan], data.dimension)));
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
                    line.name.toLower(), QString::fromStdString(units::format(*line.values[i], data.dimension)));
        const QString parts = amounts(data, i);
        sentences << tr("%1%2%3%4")
                         .arg(data.labels[qsizetype(i)].isEmpty() ? QString() : data.labels[qsizetype(i)] + u": "_s,
                             QString::fromStdString(units::format(data.totals[i], data.dimension)),
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
    struct Part {
        Quantity quantity;
        Seconds StepBreakdown::*time;
    };
    static constexpr auto parts = std::to_array<Part>(
        {{Quantity::Compute, &StepBreakdown::compute}, {Quantity::TensorParallel, &StepBreakdown::tp},
            {Quantity::PipelineParallel, &StepBreakdown::pp}, {Quantity::ContextParallel, &StepBreakdown::cp},
            {Quantity::ExpertParallel, &StepBreakdown::ep}, {Quantity::DataParallel, &StepBreakdown::dp},
            {Quantity::Bubble, &StepBreakdown::bubble}, {Quantity::Optimizer, &StepBreakdown::optimizer},
            {Quantity::Overhead, &StepBreakdown::overhead}, {Quantity::Other, &StepBreakdown::other}});
    BarChartData data;
    data.dimension = units::Dimension::Time;
    data.totals.assign(plans.size(), 0.0);
    for (const auto &plan : plans)
        data.labels << plan.label;
    for (const auto &part : parts) {
        std::vector<double> values;
        for (std::size_t i = 0; i < plans.size(); ++i) {
            values.push_back((plans[i].breakdown.*part.time).value());
            data.totals[i] += values.back();
        }
        addPart(data, part.quantity, std::move(values));
    }
    chooseAxis(data, tr("Step time"), timeUnits);
    return data;
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
    data.dimension = units::Dimension::Information;
    std::vector<double> rest; // `other`, and what the named parts do not explain
    LimitLine capacity{tr("Capacity"), {}, false};
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
        allowed.name = tr("Allowed (%1)").arg(QString::fromStdString(units::formatPercent(*share)));
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
    chooseAxis(data, tr("Memory of the fullest accelerator"), memoryUnits);
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

QString label(Quantity quantity)
{
    switch (quantity) {
    case Quantity::Compute: return tr("Compute");
    case Quantity::TensorParallel: return tr("TP communication");
    case Quantity::PipelineParallel: return tr("PP communication");
    case Quantity::ContextParallel: return tr("CP communication");
    case Quantity::ExpertParallel: return tr("EP communication");
    case Quantity::DataParallel: return tr("DP communication");
    case Quantity::Bubble: return tr("Pipeline bubble");
    case Quantity::Optimizer: return tr("Optimizer step");
    case Quantity::Overhead: return tr("Overhead");
    case Quantity::Other: return tr("Other");
    case Quantity::Weights: return tr("Weights");
    case Quantity::Gradients: return tr("Gradients");
    case Quantity::OptimizerState: return tr("Optimizer state");
    case Quantity::Activations: return tr("Activations");
    }
    return {};
}

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
    return described(stepBars(plans), tr("Step time by part"));
}

QString describeMemory(const std::vector<LabelledMemory> &plans)
{
    return described(memoryBars(plans), tr("Memory of the fullest accelerator by part"));
}

} // namespace fleetwright::charts
