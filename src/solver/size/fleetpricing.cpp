// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/fleetpricing.h"

#include "solver/answer/plancost.h"
#include "solver/worksheet/sheets.h"
#include "solver/worksheet/usedprices.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::size {

namespace {

constexpr std::string_view stepEntry = "step_time_s", lifeEntry = "life_years";
constexpr double daysPerWeek = 7;

/// The rows that are read.
struct Rows {
    std::size_t days, owned, electricity, rented, kwh, grid, capital, annual, rentYear, peak, goodput, ready, ownedHour,
        rentedHour;
};

std::size_t rowOf(std::string_view key) { return sheets::run().find(key).value(); }

const Rows &rows()
{
    static const Rows found{.days = rowOf("run_days"),
        .owned = rowOf(runCostKey(Paying::Own)),
        .electricity = rowOf("run_electricity_usd"),
        .rented = rowOf(runCostKey(Paying::Rent)),
        .kwh = rowOf("run_kwh"),
        .grid = rowOf("run_grid_kg"),
        .capital = rowOf("capital_usd"),
        .annual = rowOf(yearlyCostKey(Paying::Own)),
        .rentYear = rowOf(yearlyCostKey(Paying::Rent)),
        .peak = rowOf("facility_peak_w"),
        .goodput = rowOf("productive_share"),
        .ready = rowOf("ready_weeks"),
        .ownedHour = rowOf(hourlyCostKey(Paying::Own)),
        .rentedHour = rowOf(hourlyCostKey(Paying::Rent))};
    return found;
}

std::vector<std::size_t> wanted()
{
    const auto &r = rows();
    return {r.days, r.owned, r.electricity, r.rented, r.kwh, r.grid, r.capital, r.annual, r.rentYear, r.peak, r.goodput,
        r.ready, r.ownedHour, r.rentedHour};
}

/// The same but for the price of the rent.
bool sameButRent(const FleetCosts &left, const FleetCosts &right)
{
    const auto others = [](const FleetCosts &costs) {
        auto figures = costs.figures;
        std::erase_if(figures, [](const CostFigure &figure) { return figure.entry == rentEntry; });
        return figures;
    };
    return left.cooling == right.cooling && left.network == right.network && others(left) == others(right);
}

/// Of the two runs of a lane pair, one of one second and one of twice as many; a run that never ends takes no value.
PerSecond between(double atOnce, double atTwice, double unit)
{
    const double slope = (atTwice - atOnce) / unit;
    return {.fixed = atOnce - slope * unit, .perSecond = slope};
}

} // namespace

double PerSecond::secondsAt(double value) const
{
    if (std::isnan(fixed) || perSecond == 0)
        return fixed <= value   ? std::numeric_limits<double>::infinity()
            : std::isnan(fixed) ? std::numeric_limits<double>::infinity()
                                : -1;
    return (value - fixed) / perSecond;
}

FleetFigures FleetPrices::at(double seconds) const
{
    return {.days = days.at(seconds),
        .runCostUsd = runCostUsd.at(seconds),
        .electricityUsd = electricityUsd.at(seconds),
        .capitalUsd = capitalUsd,
        .yearlyUsd = yearlyUsd,
        .facilityWatts = facilityWatts,
        .carbonKg = carbonKg.at(seconds),
        .energyKwh = energyKwh.at(seconds),
        .goodput = goodput,
        .readyDays = readyDays,
        .usdPerAcceleratorHour = usdPerAcceleratorHour};
}

FleetPricing::FleetPricing(const Plan &plan, std::vector<Fleet> fleets, const OperationsSettings &settings)
    : m_plan(*plan), m_fleets(std::move(fleets)), m_settings(settings)
{
    for (std::size_t i = 0; i < m_fleets.size(); ++i) {
        const auto &costs = m_fleets[i]->costs;
        const auto found = std::ranges::find_if(m_groups, [&](const Group &group) {
            return 2 * group.members.size() < SheetProgram::lanes && sameButRent(m_fleets[group.base]->costs, costs);
        });
        if (found == m_groups.end()) {
            m_groups.push_back({.base = i, .members = {i}});
            continue;
        }
        found->members.push_back(i);
        if (!m_fleets[found->base]->costs.find(rentEntry)) // lanes differ only in what is entered
            found->base = i;
    }
}

const std::shared_ptr<const SheetProgram> &FleetPricing::programFor(const SheetEntries &entries)
{
    auto entered = entries.entered();
    const int years = std::max(1, int(entries.single(lifeEntry)));
    for (const auto &known : m_programs)
        if (known.years == years && known.entered == entered)
            return known.program;
    static const auto rowsWanted = wanted();
    auto program = std::make_shared<const SheetProgram>(entries.sheet(), entered, years, rowsWanted);
    m_programs.push_back({.entered = std::move(entered), .years = years, .program = std::move(program)});
    return m_programs.back().program;
}

Expected<void> FleetPricing::price(const Group &group, int nodes, std::vector<FleetPrices> &prices)
{
    FleetFacts facts = *m_fleets[group.base];
    facts.nodeCount = nodes;
    auto fleet = Fleet::create(std::move(facts));
    if (!fleet)
        return std::unexpected(fleet.error());
    auto planFacts = m_plan;
    planFacts.fleet = std::move(*fleet);
    const auto plan = Plan::create(std::move(planFacts));
    if (!plan)
        return std::unexpected(plan.error());
    constexpr double unit = 1e6; // seconds of training
    const double tokensOfAStep = double((*plan)->training.globalBatch) * (*plan)->training.sequenceLength;
    const auto run = planRun(*plan, {.likely = Seconds::from_value(unit)}, tokensOfAStep, m_settings);
    if (!run)
        return std::unexpected(run.error());
    auto entered = enterRun(run->fleet, run->run);
    if (!entered)
        return std::unexpected(entered.error());
    if (entered->unreachable)
        return std::unexpected(*entered->unreachable);
    const auto &entries = entered->entries;
    const auto &program = programFor(entries);
    SheetDraws draws(program, entries);
    const auto write = [&](std::string_view key, std::size_t lane, double value) {
        if (const auto row = entries.sheet().find(key); row && program->isPresent(*row) && program->isEntered(*row))
            draws.entry(*row)[lane] = draws.entry(*row)[lane + 1] = value;
    };
    const auto step = *entries.sheet().find(stepEntry);
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        const auto lane = 2 * i;
        const auto &costs = m_fleets[group.members[i]]->costs;
        if (program->isPresent(step)) {
            draws.entry(step)[lane] = unit;
            draws.entry(step)[lane + 1] = 2 * unit;
        }
        if (const auto *rent = costs.find(rentEntry))
            write(rentEntry, lane, rent->likely);
    }
    draws.run();
    const auto &r = rows();
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        const auto lane = 2 * i;
        const auto &costs = m_fleets[group.members[i]]->costs;
        const bool own = costs.paying == Paying::Own;
        const auto value = [&](std::size_t row, std::size_t at) {
            return program->isPresent(row) ? draws.values(row)[at] : unknownFigure;
        };
        const auto line = [&](std::size_t row) { return between(value(row, lane), value(row, lane + 1), unit); };
        auto &to = prices[group.members[i]];
        to.goodput = value(r.goodput, lane);
        to.days = line(r.days);
        const bool hasRent = costs.find(rentEntry) != nullptr;
        to.runCostUsd = own ? line(r.owned) : hasRent ? line(r.rented) : PerSecond();
        to.electricityUsd = own ? line(r.electricity) : PerSecond();
        to.energyKwh = line(r.kwh);
        to.carbonKg = line(r.grid);
        if (to.neverEnds())
            for (auto *figure : {&to.days, &to.runCostUsd, &to.electricityUsd, &to.carbonKg, &to.energyKwh})
                *figure = {.fixed = std::numeric_limits<double>::infinity(), .perSecond = 0};
        to.capitalUsd = own ? value(r.capital, lane) : 0;
        to.yearlyUsd = own ? value(r.annual, lane) : hasRent ? value(r.rentYear, lane) : unknownFigure;
        to.facilityWatts = value(r.peak, lane);
        // What is rented is there, unless it was said when.
        const auto *delivery = costs.find("node_delivery_weeks");
        const bool isStated = delivery && !delivery->assumed && delivery->confidence == Confidence::User;
        to.readyDays = own || isStated ? value(r.ready, lane) * daysPerWeek : unknownFigure;
        const double perHour = own ? value(r.ownedHour, lane) : hasRent ? value(r.rentedHour, lane) : unknownFigure;
        to.usdPerAcceleratorHour = perHour / (*plan)->fleet->accelerators();
    }
    return {};
}

Expected<std::vector<FleetPrices>> FleetPricing::of(int nodes)
{
    std::vector<FleetPrices> prices(m_fleets.size());
    for (const auto &group : m_groups)
        if (auto ok = price(group, nodes, prices); !ok)
            return std::unexpected(ok.error());
    return prices;
}

} // namespace fleetwright::size
