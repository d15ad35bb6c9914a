// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/pricedanswer.h"

#include "solver/answer/plancost.h"
#include "solver/size/answerruns.h"
#include "solver/worksheet/sheets.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::size {

namespace {

constexpr std::string_view wholeNodeEntry = "node_usd";

/// The entries that a factor on one multiplies: of a node that is priced by its parts, these.
std::vector<std::string_view> movedBy(std::string_view entry, const EvaluatedSheet &sheet)
{
    if (entry == wholeNodeEntry && !sheet.isEntered(entry))
        return {"accelerator_usd", "chassis_usd"};
    return {entry};
}

/// Figures of the answer are those of a line through two points: what moves them is taken from the sheets as a ratio.
void scale(double &figure, double now, double then)
{
    if (std::isnan(now))
        return;
    figure = now != 0 && std::isfinite(now) && std::isfinite(then) ? figure * (then / now) : then;
}

} // namespace

Expected<PricedAnswer> PricedAnswer::of(
    const DecisionDocument &document, const Catalog &catalog, const Result &result, const Answer &answer)
{
    const auto runs = runsOf(document, catalog, result, answer, {});
    if (!runs)
        return std::unexpected(runs.error());
    PricedAnswer priced;
    priced.m_answer = &answer;
    for (const auto &fleet : *runs) {
        auto &sheets = priced.m_fleets.emplace_back();
        sheets.paying = fleet.fleet->costs.paying;
        for (const auto &run : fleet.runs) {
            auto entries = enterRun(fleet.fleet, run);
            if (!entries)
                return std::unexpected(entries.error());
            auto sheet = evaluateSheet(std::move(entries->entries), SheetGaps::LeftOut);
            if (!sheet)
                return std::unexpected(sheet.error());
            sheets.jobs.push_back(std::move(*sheet));
        }
    }
    priced.m_now = priced.sheetsWith({}, 1);
    return priced;
}

std::optional<double> PricedAnswer::now(std::string_view entry) const
{
    const auto &sheet = m_fleets.front().jobs.front();
    const auto moved = movedBy(entry, sheet);
    return std::ranges::any_of(moved, [&](std::string_view key) { return sheet.isEntered(key); }) ? sheet.value(entry)
                                                                                                  : std::nullopt;
}

FleetFigures PricedAnswer::sheetsWith(std::string_view entry, double factor) const
{
    FleetFigures sum{.days = 0,
        .runCostUsd = 0,
        .electricityUsd = 0,
        .capitalUsd = 0,
        .yearlyUsd = 0,
        .carbonKg = 0,
        .energyKwh = 0};
    for (const auto &fleet : m_fleets) {
        double days = 0;
        for (const auto &sheet : fleet.jobs) {
            SheetDraws draws(sheet.program(), sheet.entries());
            for (const auto key : movedBy(entry, sheet))
                if (const auto row = sheet.sheet().find(key);
                    row && sheet.isEntered(key) && sheet.program()->isPresent(*row))
                    for (double &lane : draws.entry(*row))
                        lane *= factor;
            draws.run();
            const auto value = [&](std::string_view key) {
                const auto found = sheet.sheet().find(key);
                return found && sheet.program()->isPresent(*found) ? draws.values(*found)[0] : unknownFigure;
            };
            sum.runCostUsd += value(runCostKey(fleet.paying));
            sum.electricityUsd += fleet.paying == Paying::Own ? value("run_electricity_usd") : unknownFigure;
            days += value("run_days");
            sum.energyKwh += value("run_kwh");
            sum.carbonKg += value("run_grid_kg");
            if (&sheet == &fleet.jobs.front()) {
                sum.capitalUsd += fleet.paying == Paying::Own ? value("capital_usd") : 0;
                sum.yearlyUsd += value(yearlyCostKey(fleet.paying));
            }
        }
        sum.days = std::isnan(days) ? days : std::max(sum.days, days);
    }
    return sum;
}

FleetFigures PricedAnswer::with(std::string_view entry, double factor) const
{
    return scaledTo(sheetsWith(entry, factor));
}

FleetFigures PricedAnswer::scaledTo(const FleetFigures &sheets) const
{
    auto figures = m_answer->figures;
    for (const auto figure : {&FleetFigures::days, &FleetFigures::runCostUsd, &FleetFigures::electricityUsd,
             &FleetFigures::capitalUsd, &FleetFigures::yearlyUsd, &FleetFigures::carbonKg, &FleetFigures::energyKwh})
        scale(figures.*figure, m_now.*figure, sheets.*figure);
    return figures;
}

std::vector<const Answer *> byObjective(const Result &result, const FleetJudge &judge, bool (*competes)(const Answer &))
{
    std::vector<const Answer *> answers;
    const auto add = [&](const Answer &answer) {
        const bool isKnown = std::ranges::any_of(answers, [&](const Answer *other) {
            return other->lot == answer.lot && other->nodes == answer.nodes && other->second == answer.second;
        });
        if (!isKnown && !answer.jobs.empty() && std::isfinite(judge.objectiveOf(answer.figures)) && competes(answer))
            answers.push_back(&answer);
    };
    for (const auto &lot : result.answers)
        add(lot.answer);
    for (const auto &answer : result.front)
        add(answer);
    const auto *winner = result.best();
    std::ranges::stable_sort(answers, {},
        [&](const Answer *answer) { return std::pair(judge.objectiveOf(answer->figures), answer != winner); });
    return answers;
}

std::string_view priceEntryOf(const Lot &lot)
{
    return lot.paying.paying == Paying::Own ? wholeNodeEntry : "rent_usd_per_hour";
}

std::string pricedInWords(const Result &result, const Answer &answer)
{
    const auto ofLot = [](const Lot &lot) {
        return lot.label.empty() ? lot.node + ", " + words(lot.paying) : lot.label;
    };
    auto text = ofLot(result.lots[answer.lot]);
    return answer.second ? text + " with " + ofLot(result.lots[answer.second->lot]) : text;
}

std::string priceInWords(std::string_view entry, double value)
{
    const auto &unit = sheets::run().row(*sheets::run().find(entry)).unit;
    return units::threeDigits(value) + (unit.empty() ? "" : "\u00a0" + std::string(unit));
}

bool breaksMoneyAlone(const Answer &answer)
{
    return std::ranges::all_of(answer.misses, [](const Miss &miss) {
        return miss.limit == SizeLimit::RunCost || miss.limit == SizeLimit::Capital
            || miss.limit == SizeLimit::YearlyCost;
    });
}

} // namespace fleetwright::size
