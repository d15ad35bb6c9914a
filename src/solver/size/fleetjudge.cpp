// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/fleetjudge.h"

#include "solver/answer/binding.h"
#include "solver/answer/plancost.h"
#include "solver/search/recommendation.h"
#include "solver/uncertainty/sampling.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::size {

namespace {

constexpr std::array withTheRun{SizeLimit::Deadline, SizeLimit::RunCost, SizeLimit::Carbon};
constexpr std::array ofTheFleet{
    SizeLimit::Capital, SizeLimit::YearlyCost, SizeLimit::Power, SizeLimit::Goodput, SizeLimit::Delivery};

PerSecond lineOf(SizeLimit limit, const FleetPrices &prices)
{
    switch (limit) {
    case SizeLimit::Deadline: return prices.days;
    case SizeLimit::RunCost: return prices.runCostUsd;
    default: return prices.carbonKg;
    }
}

/// How much of the limit is used, 1 being all of it.
double usedOf(const Tightest &tightest)
{
    return isLeast(tightest.limit) ? tightest.allowed / tightest.value : tightest.value / tightest.allowed;
}

/// In the unit of the limit; of several jobs the one that comes closest.
double figureOfAnswer(SizeLimit limit, const Answer &answer)
{
    if (limit != SizeLimit::Mfu)
        return FleetJudge::figureOf(limit, answer.figures);
    return answer.jobs.empty() ? unknownFigure : std::ranges::min(answer.jobs, {}, &JobAnswer::mfu).mfu;
}

std::optional<Tightest> memoryLimit(const DecisionDocument &document, const Answer &answer)
{
    if (answer.jobs.empty())
        return std::nullopt;
    return Tightest{.limit = SizeLimit::Layout,
        .value = std::ranges::max(answer.jobs, {}, &JobAnswer::memoryShare).memoryShare,
        .allowed = document.limits.plan.maxMemoryShare.value_or(layoutsearch::defaultMemoryShare)};
}

bool holds(SizeLimit limit, double value, double allowed)
{
    return std::isnan(value) || (isLeast(limit) ? value >= allowed : value <= allowed);
}

} // namespace

double DaysSpread::chanceOf(double days) const
{
    if (std::isinf(likely))
        return 0;
    return deviation > 0 ? 0.5 * std::erfc(-std::log(days / likely) / deviation / std::sqrt(2.0))
                         : (likely <= days ? 1 : 0);
}

double DaysSpread::daysFor(double chance) const
{
    return deviation == 0 || std::isinf(likely) ? likely
                                                : likely * std::exp(deviation * uncertainty::normalQuantile(chance));
}

std::string_view keyOf(SizeLimit limit)
{
    switch (limit) {
    case SizeLimit::Layout: return fleetwright::keyOf(Limit::MaxMemoryFraction);
    case SizeLimit::Deadline: return fleetwright::keyOf(Limit::DeadlineDays);
    case SizeLimit::RunCost: return fleetwright::keyOf(Limit::RunCostUsd);
    case SizeLimit::Capital: return fleetwright::keyOf(Limit::CapitalUsd);
    case SizeLimit::YearlyCost: return fleetwright::keyOf(Limit::YearlyCostUsd);
    case SizeLimit::Power: return fleetwright::keyOf(Limit::MaxFacilityMw);
    case SizeLimit::Carbon: return "carbon_t";
    case SizeLimit::Goodput: return "min_goodput";
    case SizeLimit::Delivery: return "delivery_by";
    case SizeLimit::Mfu: return fleetwright::keyOf(Limit::MinMfu);
    case SizeLimit::Chance: return "deadline_chance";
    }
    return {};
}

double valueOf(DecisionObjective objective, const FleetFigures &figures)
{
    switch (objective) {
    case DecisionObjective::RunCost: return figures.runCostUsd;
    case DecisionObjective::Days: return figures.days;
    case DecisionObjective::Capital: return figures.capitalUsd;
    case DecisionObjective::OwnershipCost: return figures.yearlyUsd;
    case DecisionObjective::Carbon: return figures.carbonKg;
    case DecisionObjective::Energy: return figures.energyKwh;
    }
    return unknownFigure;
}

FleetJudge::FleetJudge(const DecisionDocument &document) : m_objective(document.objective), m_front(document.front)
{
    const auto &limits = document.limits;
    const auto set = [this](SizeLimit limit, std::optional<double> value) { m_allowed[std::size_t(limit)] = value; };
    const auto base = [](const auto &quantity, double unit = 1) {
        return quantity ? std::optional(quantity->value() / unit) : std::nullopt;
    };
    set(SizeLimit::Deadline, base(limits.plan.deadline, (1.0 * day).value()));
    set(SizeLimit::RunCost, base(limits.plan.runCost));
    set(SizeLimit::Capital, base(limits.plan.capital));
    set(SizeLimit::YearlyCost, base(limits.plan.yearlyCost));
    set(SizeLimit::Power, base(limits.plan.facilityPower));
    set(SizeLimit::Carbon, base(limits.carbon));
    set(SizeLimit::Goodput, limits.minGoodput);
    if (limits.deliveryBy && document.order)
        set(SizeLimit::Delivery, double((*limits.deliveryBy - *document.order).count()));
    set(SizeLimit::Mfu, limits.plan.minMfu);
    set(SizeLimit::Chance, limits.deadlineChance);
}

FleetJudge FleetJudge::moved(SizeLimit limit, double allowed) const
{
    auto judge = *this;
    judge.m_allowed[std::size_t(limit)] = allowed;
    return judge;
}

FleetJudge FleetJudge::without(SizeLimit limit) const
{
    return moved(limit, isLeast(limit) ? 0 : std::numeric_limits<double>::infinity());
}

bool FleetJudge::isOfTheFleet(SizeLimit limit) { return std::ranges::find(ofTheFleet, limit) != ofTheFleet.end(); }

double FleetJudge::figureOf(SizeLimit limit, const FleetFigures &figures)
{
    switch (limit) {
    case SizeLimit::Deadline: return figures.days;
    case SizeLimit::RunCost: return figures.runCostUsd;
    case SizeLimit::Capital: return figures.capitalUsd;
    case SizeLimit::YearlyCost: return figures.yearlyUsd;
    case SizeLimit::Power: return figures.facilityWatts;
    case SizeLimit::Carbon: return figures.carbonKg;
    case SizeLimit::Goodput: return figures.goodput;
    case SizeLimit::Delivery: return figures.readyDays;
    case SizeLimit::Chance: return figures.deadlineChance;
    case SizeLimit::Layout:
    case SizeLimit::Mfu: break;
    }
    return unknownFigure;
}

double FleetJudge::mostSeconds(const FleetPrices &prices) const { return mostSeconds(prices, SizeLimit::Layout); }

double FleetJudge::mostSeconds(const FleetPrices &prices, SizeLimit without) const
{
    double most = std::numeric_limits<double>::infinity();
    for (const auto limit : withTheRun)
        if (const auto bound = allowed(limit); bound && limit != without)
            most = std::min(most, lineOf(limit, prices).secondsAt(*bound));
    return most;
}

bool FleetJudge::breaksFixed(const FleetPrices &prices) const
{
    const auto figures = prices.at(0);
    return std::ranges::any_of(ofTheFleet, [&](SizeLimit limit) {
        const auto bound = allowed(limit);
        return bound && !holds(limit, figureOf(limit, figures), *bound);
    });
}

bool FleetJudge::outgrows(const FleetPrices &prices) const
{
    constexpr double far = 1.25; // times the limit
    const auto figures = prices.at(0);
    return std::ranges::any_of(
        std::array{SizeLimit::Capital, SizeLimit::YearlyCost, SizeLimit::Power}, [&](SizeLimit limit) {
            const auto bound = allowed(limit);
            return bound && figureOf(limit, figures) > far * *bound;
        });
}

std::vector<Miss> FleetJudge::misses(const FleetFigures &figures) const
{
    std::vector<Miss> misses;
    for (std::size_t i = 0; i < sizeLimitCount; ++i) {
        const auto limit = static_cast<SizeLimit>(i);
        const double value = figureOf(limit, figures);
        if (const auto bound = allowed(limit); bound && !holds(limit, value, *bound))
            misses.push_back({.limit = limit, .needed = value, .allowed = *bound});
    }
    return misses;
}

double FleetJudge::excess(const std::vector<Miss> &misses)
{
    double largest = 1;
    for (const auto &miss : misses) {
        const double over = isLeast(miss.limit) ? miss.allowed / miss.needed : miss.needed / miss.allowed;
        largest = std::max(largest, std::isnan(over) ? std::numeric_limits<double>::infinity() : over);
    }
    return largest;
}

std::optional<std::string_view> FleetJudge::unknown(const FleetPrices &prices, Paying paying) const
{
    const bool own = paying == Paying::Own;
    const std::array<std::pair<DecisionObjective, std::string_view>, 6> figures{
        {{DecisionObjective::RunCost, runCostKey(paying)}, {DecisionObjective::Days, "run_days"},
            {DecisionObjective::Capital, "capital_usd"}, {DecisionObjective::OwnershipCost, yearlyCostKey(paying)},
            {DecisionObjective::Carbon, "run_grid_kg"}, {DecisionObjective::Energy, "run_kwh"}}};
    const auto known = prices.at(1);
    for (const auto &[objective, key] : figures)
        if (objective == m_objective && std::isnan(valueOf(objective, known)))
            return key;
    const std::array<std::pair<SizeLimit, std::string_view>, 8> limited{
        {{SizeLimit::Deadline, "run_days"}, {SizeLimit::RunCost, runCostKey(paying)},
            {SizeLimit::Capital, "capital_usd"}, {SizeLimit::YearlyCost, yearlyCostKey(paying)},
            {SizeLimit::Power, "facility_peak_w"}, {SizeLimit::Carbon, "run_grid_kg"},
            {SizeLimit::Goodput, "productive_share"}, {SizeLimit::Delivery, "ready_weeks"}}};
    for (const auto &[limit, key] : limited)
        if (allowed(limit) && std::isnan(figureOf(limit, known))
            && (own || limit != SizeLimit::Delivery)) // what is rented is there
            return key;
    return std::nullopt;
}

int runsBehind(SizeLimit limit, const Answer &answer)
{
    constexpr double alike = 1e-9; // no run moves the steps of this fleet
    const bool isMoved = answer.byFormula && std::isfinite(answer.figures.days) && std::isfinite(answer.byFormula->days)
        && std::abs(answer.figures.days / answer.byFormula->days - 1) > alike
        && std::ranges::find(withTheRun, limit) != withTheRun.end();
    return isMoved ? answer.ownRuns : 0;
}

std::optional<Tightest> tightestLimit(const DecisionDocument &document, const Answer &answer)
{
    if (!answer.misses.empty()) {
        const auto &miss = answer.misses.front();
        return Tightest{.limit = miss.limit,
            .holds = false,
            .value = miss.needed,
            .allowed = miss.allowed,
            .ownRuns = runsBehind(miss.limit, answer)};
    }
    const FleetJudge judge(document);
    std::optional<Tightest> tightest;
    const auto useOf = [&](const Tightest &one) {
        return LimitUse{.isBesideMemory = one.limit != SizeLimit::Layout, .used = usedOf(one)};
    };
    const auto take = [&](const Tightest &next) {
        if (std::isfinite(usedOf(next)) && (!tightest || useOf(next) > useOf(*tightest)))
            tightest = next;
    };
    for (std::size_t i = 0; i < sizeLimitCount; ++i) {
        const auto limit = static_cast<SizeLimit>(i);
        const auto bound = judge.allowed(limit);
        if (!bound)
            continue;
        take({.limit = limit,
            .value = figureOfAnswer(limit, answer),
            .allowed = *bound,
            .ownRuns = runsBehind(limit, answer)});
    }
    if (const auto memory = memoryLimit(document, answer))
        take(*memory);
    return tightest;
}

} // namespace fleetwright::size
