// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/turningpoints.h"

#include "solver/answer/plancost.h"
#include "solver/size/answerruns.h"
#include "solver/size/sizewords.h"
#include "solver/worksheet/fleettables.h"
#include "solver/worksheet/sheets.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::size {

namespace {

constexpr std::string_view stepEntry = "step_time_s";

/// The objective of one answer as a function of one entry.
class Objective {
public:
    static Expected<Objective> of(
        const DecisionDocument &document, const Catalog &catalog, const Result &result, const Answer &answer)
    {
        const auto runs = runsOf(document, catalog, result, answer, {});
        if (!runs)
            return std::unexpected(runs.error());
        Objective objective;
        objective.m_paying = runs->fleet->costs.paying;
        objective.m_what = document.objective;
        for (const auto &run : runs->runs) {
            auto entries = enterRun(runs->fleet, run);
            if (!entries)
                return std::unexpected(entries.error());
            auto sheet = evaluateSheet(std::move(entries->entries), SheetGaps::LeftOut);
            if (!sheet)
                return std::unexpected(sheet.error());
            objective.m_sheets.push_back(std::move(*sheet));
        }
        return objective;
    }

    /// What the entry is now; nothing where it is not entered.
    [[nodiscard]] std::optional<double> now(std::string_view entry) const
    {
        const auto &sheet = m_sheets.front();
        return sheet.isEntered(entry) ? sheet.value(entry) : std::nullopt;
    }

    /// With the entry multiplied by a factor, in all jobs.
    [[nodiscard]] double at(std::string_view entry, double factor) const
    {
        double sum = 0;
        for (const auto &sheet : m_sheets) {
            SheetDraws draws(sheet.program(), sheet.entries());
            const auto row = sheet.sheet().find(entry);
            if (row && sheet.isEntered(entry) && sheet.program()->isPresent(*row))
                for (double &lane : draws.entry(*row))
                    lane *= factor;
            draws.run();
            const auto value = [&](std::string_view key) {
                const auto found = sheet.sheet().find(key);
                return found && sheet.program()->isPresent(*found) ? draws.values(*found)[0] : unknownFigure;
            };
            switch (m_what) {
            case DecisionObjective::RunCost: sum += value(runCostKey(m_paying)); break;
            case DecisionObjective::Days: sum += value("run_days"); break;
            case DecisionObjective::Energy: sum += value("run_kwh"); break;
            case DecisionObjective::Carbon: sum += value("run_grid_kg"); break;
            case DecisionObjective::Capital: return m_paying == Paying::Own ? value("capital_usd") : 0;
            case DecisionObjective::OwnershipCost: return value(yearlyCostKey(m_paying));
            }
        }
        return sum;
    }

private:
    std::vector<EvaluatedSheet> m_sheets;
    Paying m_paying = Paying::Own;
    DecisionObjective m_what = DecisionObjective::RunCost;
};

/// The factor at which the difference is 0, between nothing and a hundred times; nothing where it is none.
template <class Difference> std::optional<double> rootOf(Difference difference)
{
    constexpr double most = 100;
    constexpr int halvings = 80;
    double low = 1e-9, high = most;
    double atLow = difference(low);
    const double atHigh = difference(high);
    if (std::isnan(atLow) || std::isnan(atHigh) || (atLow < 0) == (atHigh < 0))
        return std::nullopt;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2, value = difference(middle);
        if ((value < 0) == (atLow < 0)) {
            low = middle;
            atLow = value;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}

std::string ofValue(double value, std::string_view unit)
{
    return units::threeDigits(value) + (unit.empty() ? "" : "\u00a0" + std::string(unit));
}

std::string_view priceOf(const Lot &lot) { return lot.paying.paying == Paying::Own ? "node_usd" : "rent_usd_per_hour"; }

} // namespace

Expected<std::vector<PriceChange>> priceChanges(
    const DecisionDocument &document, const Catalog &catalog, const Result &result, double share, std::size_t most)
{
    std::vector<PriceChange> changes;
    const bool ofMoney = document.objective == DecisionObjective::RunCost
        || document.objective == DecisionObjective::Capital || document.objective == DecisionObjective::OwnershipCost;
    const auto best = result.byNode();
    std::vector<Objective> objectives;
    for (const auto *lot : best) {
        if (!ofMoney || !lot->answer.isFeasible() || objectives.size() == most)
            break; // feasible ones come first
        auto objective = Objective::of(document, catalog, result, lot->answer);
        if (!objective)
            return std::unexpected(objective.error());
        objectives.push_back(std::move(*objective));
    }
    if (objectives.size() < 2)
        return changes;
    const auto winnerWith = [&](std::string_view entry, double factor, std::optional<std::size_t> of) {
        std::size_t winner = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < objectives.size(); ++i)
            if (const double value = objectives[i].at(entry, !of || *of == i ? factor : 1); value < least) {
                least = value;
                winner = i;
            }
        return winner;
    };
    const auto look = [&](std::string_view entry, double factor, std::optional<std::size_t> of) {
        PriceChange change{.entry = std::string(entry),
            .label = sheets::run().row(*sheets::run().find(entry)).label,
            .factor = factor,
            .of = of,
            .winner = winnerWith(entry, factor, of),
            .sentence = {}};
        change.changes = change.winner != 0;
        if (change.changes)
            change.sentence = "With \u201c" + change.label + "\u201d " + units::formatPercent(std::abs(factor - 1))
                + (factor > 1 ? " higher" : " lower")
                + (of ? " for " + fleetInWords(result, best[*of]->answer) + " alone" : std::string(" for all")) + ", "
                + fleetInWords(result, best[change.winner]->answer) + " wins.";
        changes.push_back(std::move(change));
    };
    for (const std::string_view entry : {"node_usd", "rent_usd_per_hour", "usd_per_kwh"})
        for (const double factor : {1 - share, 1 + share})
            look(entry, factor, std::nullopt);
    look(priceOf(result.lots[best.front()->answer.lot]), 1 + share, 0);
    for (std::size_t i = 1; i < objectives.size(); ++i)
        look(priceOf(result.lots[best[i]->answer.lot]), 1 - share, i);
    return changes;
}

Expected<std::optional<BuyOrRent>> buyOrRent(const Catalog &catalog, const Result &result)
{
    const auto *best = result.best();
    if (!best)
        return std::nullopt;
    BuyOrRent answer;
    const auto &winner = result.lots[best->lot];
    for (std::size_t i = 0; i < result.answers.size(); ++i) {
        const auto &one = result.answers[i].answer;
        const auto &lot = result.lots[one.lot];
        if (!one.isFeasible() || lot.nodeId != winner.nodeId)
            continue;
        auto &place = lot.paying.paying == Paying::Own ? answer.owned : answer.rented;
        if (!place) // the best come first
            place = i;
    }
    if (answer.owned && answer.rented) {
        const auto &owned = result.answers[*answer.owned].answer, &rented = result.answers[*answer.rented].answer;
        const auto cost = [](const Answer &of) { return units::format(Dollars::from_value(of.figures.runCostUsd)); };
        answer.sentences.push_back("For these jobs alone " + fleetInWords(result, owned) + " costs " + cost(owned)
            + ", " + fleetInWords(result, rented) + " " + cost(rented) + ".");
    }
    auto asked = fleetOf(result, *best);
    asked.costs.paying = Paying::Own;
    if (winner.paying.paying == Paying::Own && answer.rented)
        asked.costs.rentTerm = result.lots[result.answers[*answer.rented].answer.lot].paying.rentTerm;
    const auto fleet = resolve(asked, catalog);
    if (!fleet)
        return std::unexpected(fleet.error());
    const auto sheet = fleetCost(*fleet);
    if (!sheet)
        return std::unexpected(sheet.error());
    if (!sheet->value("capital_usd")) // nobody sells it
        return answer.sentences.empty() ? std::nullopt : std::optional(std::move(answer));
    const auto words = buyOrRentInWords(*fleet, *sheet);
    answer.sentences.insert(answer.sentences.end(), words.begin(), words.end());
    return answer;
}

Expected<std::vector<TurningPoint>> turningPoints(const DecisionDocument &document, const Catalog &catalog,
    const Result &result, const Answer &loser, const Answer &winner)
{
    const auto losing = Objective::of(document, catalog, result, loser);
    if (!losing)
        return std::unexpected(losing.error());
    const auto winning = Objective::of(document, catalog, result, winner);
    if (!winning)
        return std::unexpected(winning.error());
    const auto price = priceOf(result.lots[loser.lot]);
    struct Lever {
        std::string_view entry, subject;
        bool movesBoth;
    };
    const std::array<Lever, 3> levers{{{price, price == "node_usd" ? "a node" : "the rent", false},
        {"usd_per_kwh", "the tariff", true}, {stepEntry, "a step", false}}};
    std::vector<TurningPoint> points;
    const double least = winning->at(stepEntry, 1);
    for (const auto &lever : levers) {
        const auto now = losing->now(lever.entry);
        const double here = losing->at(lever.entry, 1);
        if (!now || *now == 0 || std::isnan(here) || std::isnan(least) || losing->at(lever.entry, 2) == here)
            continue;
        const auto factor = rootOf([&](double times) {
            return losing->at(lever.entry, times) - (lever.movesBoth ? winning->at(lever.entry, times) : least);
        });
        const auto &row = sheets::run().row(*sheets::run().find(lever.entry));
        TurningPoint point{.entry = std::string(lever.entry),
            .label = row.label,
            .unit = row.unit,
            .now = *now,
            .needed = factor ? std::optional(*factor * *now) : std::nullopt,
            .sentence = {}};
        const auto fleet = fleetInWords(result, loser), other = fleetInWords(result, winner);
        if (lever.entry == stepEntry && factor && loser.jobs.front().mfu / *factor > 1)
            point.needed = std::nullopt; // faster than the peak
        if (!point.needed)
            point.sentence = "No value of \u201c" + row.label + "\u201d alone makes " + fleet + " as good as " + other
                + ".";
        else if (lever.entry == stepEntry)
            point.sentence = fleet + " equals " + other + " if its steps take "
                + units::formatPercent(std::abs(1 - *factor))
                + (*factor < 1 ? " less time than predicted (an MFU of " : " more time than predicted (an MFU of ")
                + units::formatPercent(loser.jobs.front().mfu / *factor) + " instead of "
                + units::formatPercent(loser.jobs.front().mfu) + ").";
        else
            point.sentence = fleet + " equals " + other + " where " + std::string(lever.subject) + " costs "
                + ofValue(*point.needed, row.unit) + " (now " + ofValue(*now, row.unit) + ").";
        points.push_back(std::move(point));
    }
    return points;
}

} // namespace fleetwright::size
