// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/pricewhatif.h"

#include "solver/size/sizewords.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::size {

namespace {

/// Fleets whose costs differ by less are taken as equal: the present winner stays.
constexpr double equalShare = 1e-9;

/// "20 % lower".
std::string changeInWords(double factor)
{
    const auto by = units::formatPercent(std::abs(factor - 1));
    return factor < 1 ? by + " lower" : by + " higher";
}

} // namespace

Expected<PriceRivals> PriceRivals::of(const DecisionDocument &document, const Catalog &catalog, const Result &result)
{
    PriceRivals rivals(document, result);
    for (const auto *answer : byObjective(result, rivals.m_judge, breaksMoneyAlone)) {
        auto priced = PricedAnswer::of(document, catalog, result, *answer);
        if (!priced)
            return std::unexpected(priced.error());
        rivals.m_rivals.push_back({answer, pricedInWords(result, *answer), std::move(*priced)});
    }
    rivals.listPrices();
    return rivals;
}

bool PriceRivals::anyMatters() const
{
    constexpr std::array limits{SizeLimit::RunCost, SizeLimit::Capital, SizeLimit::YearlyCost};
    constexpr std::array objectives{
        DecisionObjective::RunCost, DecisionObjective::Capital, DecisionObjective::OwnershipCost};
    return std::ranges::find(objectives, m_judge.objective()) != objectives.end()
        || std::ranges::any_of(limits, [&](SizeLimit limit) { return m_judge.allowed(limit).has_value(); });
}

void PriceRivals::listPrices()
{
    std::vector<AskedPrice> alone;
    for (const auto &lot : m_result->answers)
        if (const auto *rival = rivalOf(&lot.answer);
            rival && std::ranges::find(alone, rival->price, [](const AskedPrice &p) { return *p.of; }) == alone.end())
            alone.push_back({std::string(priceEntryOf(m_result->lots[lot.answer.lot])), rival->price, rival->price});
    if (alone.empty())
        return;
    m_prices.push_back(alone.front());
    struct Everybody {
        std::string_view entry, title;
        std::ptrdiff_t least; ///< of prices that it stands for, so that it is another question
    };
    for (const auto &[entry, title, least] : {Everybody{"node_usd", "all nodes that are bought", 2},
             Everybody{"rent_usd_per_hour", "all that is rented", 2}, Everybody{"usd_per_kwh", "electricity", 1}}) {
        const auto moved = entry == "usd_per_kwh"
            ? std::ranges::count_if(m_rivals, [&](const Rival &rival) { return rival.priced.now(entry).has_value(); })
            : std::ranges::count(alone, entry, &AskedPrice::entry);
        if (moved >= least)
            m_prices.push_back({std::string(entry), std::nullopt, std::string(title)});
    }
    m_prices.insert(m_prices.end(), alone.begin() + 1, alone.end());
}

const PriceRivals::Rival *PriceRivals::rivalOf(const Answer *answer) const
{
    const auto found = std::ranges::find_if(m_rivals, [&](const Rival &rival) { return rival.answer == answer; });
    return found == m_rivals.end() ? nullptr : &*found;
}

std::optional<std::size_t> PriceRivals::priceOf(const Answer &answer) const
{
    const auto *rival = rivalOf(&answer);
    const auto found = !rival ? m_prices.end()
                              : std::ranges::find(m_prices, std::optional(rival->price), &AskedPrice::of);
    return found == m_prices.end() ? std::nullopt : std::optional(std::size_t(found - m_prices.begin()));
}

// A price moves no figure by more than its own share, so that those are looked at that are within reach.
const Answer *PriceRivals::winnerWith(std::string_view entry, double factor, const std::string *of) const
{
    const Answer *winner = nullptr;
    double least = 0;
    const auto *today = m_result->best();
    for (const auto &rival : m_rivals) {
        const double now = m_judge.objectiveOf(rival.answer->figures);
        if (winner && now * std::min(1.0, factor) > least * (1 + equalShare))
            break;
        const bool moves = !of || *of == rival.price;
        if (!rival.answer->isFeasible() && !(moves && factor < 1))
            continue;
        const auto figures = moves ? rival.priced.with(entry, factor) : rival.answer->figures;
        const double value = m_judge.objectiveOf(figures);
        if (std::isnan(value) || !m_judge.misses(figures).empty())
            continue;
        const bool isEqual = winner && std::abs(value - least) <= equalShare * std::abs(least);
        if (!winner || (isEqual ? rival.answer == today : value < least)) {
            winner = rival.answer;
            least = value;
        }
    }
    return winner;
}

FleetFigures PriceRivals::figuresOf(const Answer *answer, const AskedPrice &price, double factor) const
{
    const auto *rival = rivalOf(answer);
    return !rival                                ? FleetFigures()
        : !price.of || *price.of == rival->price ? rival->priced.with(price.entry, factor)
                                                 : rival->answer->figures;
}

std::string PriceRivals::valueInWords(const AskedPrice &price, double factor) const
{
    const auto found = std::ranges::find_if(m_rivals, [&](const Rival &rival) { return price.of == rival.price; });
    const auto now = found == m_rivals.end() ? std::nullopt : found->priced.now(price.entry);
    return now ? priceInWords(price.entry, *now * factor) + " instead of " + priceInWords(price.entry, *now)
               : std::string();
}

PriceWhatIf PriceRivals::whatIf(const AskedPrice &price, double factor) const
{
    PriceWhatIf asked{.factor = factor,
        .now = m_result->best(),
        .then = winnerWith(price.entry, factor, price.of ? &*price.of : nullptr),
        .figuresNow = {},
        .figuresThen = {},
        .sentence = {}};
    if (asked.now)
        asked.figuresNow = asked.now->figures;
    asked.figuresThen = figuresOf(asked.then ? asked.then : asked.now, price, factor);
    const auto now = asked.now ? shortFleetInWords(*m_result, *asked.now) : std::string(),
               then = asked.then ? shortFleetInWords(*m_result, *asked.then) : std::string();
    const auto what = !asked.then && !asked.now ? std::string("no fleet keeps all limits")
        : !asked.then                           ? "no fleet keeps all limits; " + now + " breaks them"
        : !asked.now                            ? then + " keeps all limits"
        : asked.changes()                       ? then + " is the best, in place of " + now
                                                : then + " stays the best";
    const auto value = factor == 1 ? std::string() : valueInWords(price, factor);
    const auto changed = price.title + " " + changeInWords(factor);
    asked.sentence = factor == 1 ? "With the price of " + price.title + " as it is: " + what + "."
        : value.empty()          ? "With the price of " + changed + ": " + what + "."
                                 : "With the price of " + changed + " (" + value + "): " + what + ".";
    return asked;
}

PriceRivals::Turns PriceRivals::turnsOf(const AskedPrice &price) const
{
    constexpr double most = 5, step = 1.05;
    constexpr int halvings = 24;
    const auto *today = m_result->best();
    const auto changes = [&](double factor) {
        return winnerWith(price.entry, factor, price.of ? &*price.of : nullptr) != today;
    };
    const auto towards = [&](double by) -> std::optional<double> {
        double stays = 1;
        for (double factor = by; factor <= most * (1 + equalShare) && factor >= 1 / most * (1 - equalShare);
             factor *= by) {
            if (changes(factor)) {
                double turned = factor;
                for (int i = 0; i < halvings; ++i) {
                    const double middle = std::sqrt(stays * turned);
                    (changes(middle) ? turned : stays) = middle;
                }
                return turned;
            }
            stays = factor;
        }
        return std::nullopt;
    };
    return {.below = towards(1 / step), .above = towards(step)};
}

std::string PriceRivals::turnsInWords(const AskedPrice &price) const
{
    const auto turns = turnsOf(price);
    const auto *today = m_result->best();
    if (!turns.below && !turns.above)
        return today ? "No price of " + price.title + " between a fifth and five times of it changes the choice."
                     : "No price of " + price.title + " from a fifth of it on lets a fleet keep all limits.";
    const auto from = [&](double factor, bool isFirst) {
        const auto *winner = winnerWith(price.entry, factor, price.of ? &*price.of : nullptr);
        const auto what = !winner ? std::string("no fleet keeps all limits")
            : today               ? shortFleetInWords(*m_result, *winner) + " is the best"
                                  : shortFleetInWords(*m_result, *winner) + " keeps all limits";
        const auto value = valueInWords(price, factor);
        const auto by = changeInWords(factor);
        if (value.empty())
            return isFirst ? "From " + by + " on: " + what : "; from " + by + " on: " + what;
        return isFirst ? "From " + by + " on (" + value + "): " + what
                       : "; from " + by + " on (" + value + "): " + what;
    };
    std::string said;
    if (turns.above)
        said = from(*turns.above, true);
    if (turns.below)
        said += from(*turns.below, said.empty());
    if (today && !turns.below)
        said += "; no lower price changes the choice";
    if (today && !turns.above)
        said += "; no higher price changes the choice";
    return said + ".";
}

} // namespace fleetwright::size
