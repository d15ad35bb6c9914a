// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/limits.h"

#include "solver/operations/operations.h"

namespace fleetwright {

namespace {

using units::Dimension;
using units::format;

constexpr double unknownFigure = std::numeric_limits<double>::quiet_NaN();

template <class Quantity> std::optional<double> base(const std::optional<Quantity> &quantity)
{
    return quantity ? std::optional(quantity->value()) : std::nullopt;
}

/// The largest amount of which `amount / capacity <= share` holds in floating point, as the trace compares it: the
/// division is monotonic, so all smaller ones hold, too.
double mostBytes(double capacity, double share)
{
    double most = capacity * share;
    while (most / capacity > share)
        most = std::nextafter(most, 0.0);
    for (double next = std::nextafter(most, std::numeric_limits<double>::max()); next / capacity <= share;
         next = std::nextafter(most, std::numeric_limits<double>::max()))
        most = next;
    return most;
}

struct LimitText {
    Dimension dimension;
    std::string_view subject;
};

LimitText textOf(Limit limit)
{
    switch (limit) {
    case Limit::MemoryCapacity: return {Dimension::Information, "The memory"};
    case Limit::MaxMemoryFraction: return {Dimension::Fraction, "The used share of accelerator memory"};
    case Limit::DeadlineDays: return {Dimension::Time, "The training time"};
    case Limit::RunCostUsd: return {Dimension::Money, "The cost at the lowest cloud price"};
    case Limit::MaxFacilityMw: return {Dimension::Power, "The power of the facility"};
    case Limit::MinMfu: return {Dimension::Fraction, "The MFU"};
    case Limit::MaxStepTimeS: return {Dimension::Time, "The step time"};
    }
    return {Dimension::Number, {}};
}

} // namespace

LayoutFigures figuresOf(const Estimate &estimate)
{
    return {.stepSeconds = estimate.stepTime ? estimate.stepTime->value() : unknownFigure,
        .memoryBytes = estimate.memory ? estimate.memory->total.value() : unknownFigure,
        .mfu = estimate.mfu.value_or(unknownFigure),
        .tokensPerSecond = estimate.tokensPerSecond.value_or(unknownFigure)};
}

Limits::Limits(const Plan &plan)
    : m_accelerators(plan->fleet->accelerators()), m_tokens(valueOf(plan->tokenBudget())), m_price(unknownFigure),
      m_power(unknownFigure), m_countsTokens(countsTokens(*plan->workload))
{
    const auto &node = *plan->fleet->node;
    const auto &accelerator = *node.accelerator;
    m_capacity = accelerator.memoryCapacity.value();
    if (accelerator.cloudPriceLow)
        m_price = accelerator.cloudPriceLow->value();
    if (node.maxPower)
        m_itPower = double(plan->fleet->nodeCount) * *node.maxPower;
    else if (accelerator.tdp)
        m_itPower = m_accelerators * *accelerator.tdp;
    if (const auto settings = operationsSettings(plan->assumptions); settings && m_itPower) {
        const auto &site = plan->fleet->site;
        const double pue = pueOf(site, *settings);
        m_facilityPower = pue * *m_itPower;
        if (!site.pue)
            m_assumedPue = " A PUE of " + units::threeDigits(pue)
                + " is assumed: choose a facility or a grid that states one, or edit operations.pue.";
    }
    m_power = valueOf(base(m_facilityPower));

    const auto &limits = plan->constraints;
    const auto set = [this](Limit limit, std::optional<double> value) {
        m_allowed[static_cast<std::size_t>(limit)] = value;
    };
    set(Limit::MaxMemoryFraction, limits.maxMemoryShare);
    set(Limit::DeadlineDays, base(limits.deadline));
    set(Limit::RunCostUsd, base(limits.runCost));
    set(Limit::MaxFacilityMw, base(limits.facilityPower));
    set(Limit::MinMfu, limits.minMfu);
    set(Limit::MaxStepTimeS, base(limits.maxStepTime));
    m_memoryBytes = limits.maxMemoryShare ? mostBytes(m_capacity, *limits.maxMemoryShare) : m_capacity;
    for (const auto limit :
        {Limit::MaxFacilityMw, Limit::MinMfu, Limit::MaxStepTimeS, Limit::DeadlineDays, Limit::RunCostUsd})
        if (allowed(limit))
            m_set[m_count++] = limit;
}

RunFigures Limits::run(const Estimate &estimate) const
{
    RunFigures run;
    if (!std::isnan(m_tokens))
        run.tokens = m_tokens;
    const auto duration = durationOf(figuresOf(estimate));
    if (!std::isnan(duration.value())) {
        run.duration = duration;
        run.acceleratorHours = m_accelerators * double(duration / hour);
        if (!std::isnan(m_price))
            run.cost = costOf(duration);
    }
    run.itPower = m_itPower;
    run.facilityPower = m_facilityPower;
    return run;
}

std::string_view Limits::unknown(Limit limit, const LayoutFigures &figures) const
{
    switch (limit) {
    case Limit::MemoryCapacity:
    case Limit::MaxMemoryFraction: return "the cost model knows no memory";
    case Limit::RunCostUsd:
        if (!std::isnan(durationOf(figures).value()))
            return "the accelerator has no cloud price in the catalog";
        [[fallthrough]];
    case Limit::DeadlineDays:
        return std::isnan(m_tokens) ? "neither the plan nor the workload states how many tokens to train on"
            : m_countsTokens        ? "the cost model gives no tokens per second for this workload"
                                    : "the workload is not counted in tokens";
    case Limit::MaxFacilityMw: return "neither the node's power nor the accelerator's TDP is known";
    case Limit::MinMfu: return "the cost model gives none";
    case Limit::MaxStepTimeS: return "the cost model gives no step time";
    }
    return {};
}

TraceEntry Limits::memoryCapacity(const Estimate &estimate) const
{
    TraceEntry entry{.constraint = std::string(keyOf(Limit::MemoryCapacity)),
        .code = ErrorCode::OutOfMemory,
        .dimension = Dimension::Information,
        .allowed = m_capacity};
    entry.decided = estimate.memory && estimate.fits;
    if (!entry.decided) {
        entry.sentence = "Whether the plan fits the " + format(m_capacity, Dimension::Information)
            + " of an accelerator is not known: the cost model knows no memory.";
        return entry;
    }
    entry.holds = *estimate.fits;
    entry.needed = estimate.memory->total.value();
    entry.sentence = "The fullest accelerator holds " + format(estimate.memory->total) + " of its "
        + format(estimate.memory->capacity)
        + (entry.holds ? "."
                       : ": it does not fit. Raise TP, PP or the ZeRO stage, recompute activations, or use smaller "
                         "microbatches.");
    return entry;
}

TraceEntry Limits::entryOf(Limit limit, const LayoutFigures &figures) const
{
    const auto [dimension, subject] = textOf(limit);
    const double value = needed(limit, figures);
    TraceEntry entry{.constraint = std::string(keyOf(limit)),
        .holds = holds(limit, value),
        .decided = !std::isnan(value),
        .dimension = dimension,
        .needed = std::isnan(value) ? 0 : value,
        .allowed = *allowed(limit)};
    const auto bound = format(entry.allowed, dimension);
    if (!entry.decided)
        entry.sentence = std::string(subject) + " cannot be checked against " + bound + ": "
            + std::string(unknown(limit, figures)) + ".";
    else if (limit == Limit::MinMfu)
        entry.sentence = std::string(subject) + " is " + format(value, dimension)
            + (entry.holds ? ", at least the " : ", less than the ") + bound + " asked for.";
    else
        entry.sentence = std::string(subject) + " is " + format(value, dimension)
            + (entry.holds ? ", within the " : ", more than the ") + bound + " allowed.";
    if (limit == Limit::MaxFacilityMw)
        entry.sentence += m_assumedPue;
    return entry;
}

std::vector<TraceEntry> Limits::trace(const Estimate &estimate) const
{
    const auto figures = figuresOf(estimate);
    std::vector<TraceEntry> trace{memoryCapacity(estimate)};
    for (const auto limit : {Limit::MaxMemoryFraction, Limit::DeadlineDays, Limit::RunCostUsd, Limit::MaxFacilityMw,
             Limit::MinMfu, Limit::MaxStepTimeS})
        if (allowed(limit))
            trace.push_back(entryOf(limit, figures));
    return trace;
}

} // namespace fleetwright
