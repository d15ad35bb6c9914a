// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/limits.h"

#include "solver/answer/plancost.h"

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
    case Limit::DeadlineDays: return {Dimension::Time, "The training time, with failures,"};
    case Limit::RunCostUsd: return {Dimension::Money, "The cost of the run, all in,"};
    case Limit::CapitalUsd: return {Dimension::Money, "The capital"};
    case Limit::YearlyCostUsd: return {Dimension::Money, "The cost of the fleet in a year"};
    case Limit::MaxFacilityMw: return {Dimension::Power, "The peak power of the facility"};
    case Limit::MinMfu: return {Dimension::Fraction, "The MFU"};
    case Limit::MaxStepTimeS: return {Dimension::Time, "The step time"};
    }
    return {Dimension::Number, {}};
}

/// A reason as the end of a sentence: those of the worksheet are sentences of their own.
std::string ended(std::string reason) { return reason.ends_with('.') ? reason : reason + "."; }

} // namespace

LayoutFigures figuresOf(const Estimate &estimate)
{
    return {.stepSeconds = estimate.stepTime ? estimate.stepTime->value() : unknownFigure,
        .memoryBytes = estimate.memory ? estimate.memory->total.value() : unknownFigure,
        .mfu = estimate.mfu.value_or(unknownFigure),
        .tokensPerSecond = estimate.tokensPerSecond.value_or(unknownFigure)};
}

Limits::Limits(const Plan &plan)
    : Limits(plan, [&]() -> Expected<CostSheet> {
          const auto settings = operationsSettings(plan->assumptions);
          if (!settings)
              return std::unexpected(settings.error());
          return planCost(plan, StepTimes{.likely = 1.0 * second}, *settings);
      }())
{
}

Limits::Limits(const Plan &plan, const Expected<CostSheet> &ofOneSecond)
    : m_accelerators(plan->fleet->accelerators()), m_tokens(valueOf(plan->tokenBudget())),
      m_tokensPerStep(double(plan->training.globalBatch) * double(plan->training.sequenceLength)),
      m_timePerStep(unknownFigure), m_costPerStep(unknownFigure), m_capital(unknownFigure), m_yearlyCost(unknownFigure),
      m_power(unknownFigure), m_paying(plan->fleet->costs.paying), m_countsTokens(countsTokens(*plan->workload))
{
    m_capacity = plan->fleet->node->accelerator->memoryCapacity.value();
    const auto read = [&](Limit limit, std::string_view key, double factor) {
        const auto value = ofOneSecond ? ofOneSecond->value(key) : std::nullopt;
        if (!value)
            m_reasons[limit] = ofOneSecond ? ofOneSecond->reasonFor(key) : ofOneSecond.error().message;
        return value ? *value * factor : unknownFigure;
    };
    const auto readRun = [&](Limit limit, std::string_view key, double factor) {
        const double value = read(limit, key, factor);
        return std::isnan(value) && ofOneSecond && ofOneSecond->value("productive_share") == 0.0
            ? std::numeric_limits<double>::infinity()
            : value;
    };
    m_timePerStep = readRun(Limit::DeadlineDays, "run_days", (1.0 * day).value());
    if (m_paying == Paying::Rent && ofOneSecond)
        m_runExtras = ofOneSecond->value("run_rent_extra_usd").value_or(0);
    m_costPerStep = readRun(Limit::RunCostUsd, runCostKey(m_paying), 1) - m_runExtras;
    m_capital = m_paying == Paying::Own ? read(Limit::CapitalUsd, "capital_usd", 1) : 0;
    m_yearlyCost = read(Limit::YearlyCostUsd, yearlyCostKey(m_paying), 1);
    m_power = read(Limit::MaxFacilityMw, "facility_peak_w", 1);
    if (ofOneSecond)
        m_fleetRate = fleetwright::fleetRate(*ofOneSecond);
    if (!plan->fleet->site.pue && ofOneSecond && !ofOneSecond->sheet().isEntered("pue"))
        m_assumedPue = " A PUE of " + units::threeDigits(ofOneSecond->value("pue").value_or(0))
            + " is assumed: choose a facility or a grid that states one, or edit the PUE among the plan\u2019s "
              "assumptions.";

    const auto &limits = plan->constraints;
    const auto set = [this](Limit limit, std::optional<double> value) {
        m_allowed[static_cast<std::size_t>(limit)] = value;
    };
    set(Limit::MaxMemoryFraction, limits.maxMemoryShare);
    set(Limit::DeadlineDays, base(limits.deadline));
    set(Limit::RunCostUsd, base(limits.runCost));
    set(Limit::CapitalUsd, base(limits.capital));
    set(Limit::YearlyCostUsd, base(limits.yearlyCost));
    set(Limit::MaxFacilityMw, base(limits.facilityPower));
    set(Limit::MinMfu, limits.minMfu);
    set(Limit::MaxStepTimeS, base(limits.maxStepTime));
    m_memoryBytes = limits.maxMemoryShare ? mostBytes(m_capacity, *limits.maxMemoryShare) : m_capacity;
    for (const auto limit : {Limit::MaxFacilityMw, Limit::CapitalUsd, Limit::YearlyCostUsd, Limit::MinMfu,
             Limit::MaxStepTimeS, Limit::DeadlineDays, Limit::RunCostUsd})
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
    }
    return run;
}

std::string Limits::unknown(Limit limit, const LayoutFigures &figures) const
{
    switch (limit) {
    case Limit::MemoryCapacity:
    case Limit::MaxMemoryFraction: return "the cost model knows no memory";
    case Limit::DeadlineDays:
    case Limit::RunCostUsd:
        if (std::isnan(durationOf(figures).value()))
            return std::isnan(m_tokens) ? "neither the plan nor the workload states how many tokens to train on"
                : m_countsTokens        ? "the cost model gives no tokens per second for this workload"
                                        : "the workload is not counted in tokens";
        [[fallthrough]];
    case Limit::CapitalUsd:
    case Limit::YearlyCostUsd:
    case Limit::MaxFacilityMw: {
        const auto reason = m_reasons.find(limit);
        return reason == m_reasons.end() ? "a figure of the worksheet is missing" : reason->second;
    }
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

std::optional<SheetRange> Limits::rangeOf(Limit limit, const CostSheet &costs) const
{
    const auto in = [&](std::string_view key, double factor) {
        const auto range = costs.range(key);
        return range ? std::optional(SheetRange{range->low * factor, range->likely * factor, range->high * factor})
                     : std::nullopt;
    };
    switch (limit) {
    case Limit::DeadlineDays: return in("run_days", (1.0 * day).value());
    case Limit::RunCostUsd: return in(runCostKey(m_paying), 1);
    case Limit::CapitalUsd: return m_paying == Paying::Own ? in("capital_usd", 1) : std::nullopt;
    case Limit::YearlyCostUsd: return in(yearlyCostKey(m_paying), 1);
    case Limit::MaxFacilityMw: return in("facility_peak_w", 1);
    case Limit::MemoryCapacity:
    case Limit::MaxMemoryFraction:
    case Limit::MinMfu:
    case Limit::MaxStepTimeS: break;
    }
    return std::nullopt;
}

TraceEntry Limits::entryOf(
    Limit limit, const LayoutFigures &figures, std::optional<SheetRange> range, std::optional<double> byRuns) const
{
    const auto [dimension, subject] = textOf(limit);
    const bool isByRuns = byRuns && followsFromTime(limit);
    auto judged = figures;
    if (isByRuns)
        judged.tokensPerSecond /= *byRuns;
    const double value = needed(limit, judged);
    TraceEntry entry{.constraint = std::string(keyOf(limit)),
        .holds = holds(limit, value),
        .decided = !std::isnan(value),
        .dimension = dimension,
        .needed = std::isnan(value) ? 0 : value,
        .allowed = *allowed(limit)};
    const auto bound = format(entry.allowed, dimension);
    if (!entry.decided)
        entry.sentence = std::string(subject) + " cannot be checked against " + bound + ": "
            + ended(unknown(limit, figures));
    else if (std::isinf(value))
        entry.sentence = m_reasons.at(limit);
    else if (limit == Limit::MinMfu)
        entry.sentence = std::string(subject) + " is " + format(value, dimension)
            + (entry.holds ? ", at least the " : ", less than the ") + bound + " asked for.";
    else
        entry.sentence = std::string(subject) + " is " + format(value, dimension)
            + (entry.holds ? ", within the " : ", more than the ") + bound + " allowed.";
    if (limit == Limit::CapitalUsd && m_paying == Paying::Rent)
        entry.sentence = "The fleet is rented and takes no capital.";
    if (entry.decided && entry.holds && range && range->high > entry.allowed) {
        entry.onlyLikely = true;
        entry.sentence += (std::isinf(range->high)
                                  ? std::string(" At the high end of its range it has no end")
                                  : " At the high end of its range it is " + format(range->high, dimension))
            + ": it holds at the likely value only.";
    }
    if (isByRuns && std::isfinite(value) && entry.decided) {
        entry.byFormula = needed(limit, figures);
        entry.sentence += " That is by the project\u2019s own measured runs; the formula alone says "
            + format(*entry.byFormula, dimension) + ".";
    }
    if (limit == Limit::MaxFacilityMw)
        entry.sentence += m_assumedPue;
    return entry;
}

std::vector<TraceEntry> Limits::trace(
    const Estimate &estimate, const CostSheet *costs, std::optional<double> byRuns) const
{
    const auto figures = figuresOf(estimate);
    std::vector<TraceEntry> trace{memoryCapacity(estimate)};
    for (const auto limit : {Limit::MaxMemoryFraction, Limit::DeadlineDays, Limit::RunCostUsd, Limit::CapitalUsd,
             Limit::YearlyCostUsd, Limit::MaxFacilityMw, Limit::MinMfu, Limit::MaxStepTimeS})
        if (allowed(limit))
            trace.push_back(entryOf(limit, figures, costs ? rangeOf(limit, *costs) : std::nullopt, byRuns));
    return trace;
}

} // namespace fleetwright
