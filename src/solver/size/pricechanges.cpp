// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/pricewhatif.h"
#include "solver/size/sizewords.h"
#include "solver/size/turningpoints.h"
#include "solver/worksheet/sheets.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::size {

namespace {

std::string sentenceOf(const PriceChange &change, const std::string &where, const std::string &then)
{
    const auto by = units::formatPercent(std::abs(change.factor - 1));
    return change.factor > 1 ? "With \u201c" + change.label + "\u201d " + by + " higher" + where + ", " + then + "."
                             : "With \u201c" + change.label + "\u201d " + by + " lower" + where + ", " + then + ".";
}

} // namespace

Expected<std::vector<PriceChange>> priceChanges(
    const DecisionDocument &document, const Catalog &catalog, const Result &result, double share, std::size_t most)
{
    const auto rivals = PriceRivals::of(document, catalog, result);
    if (!rivals)
        return std::unexpected(rivals.error());
    return priceChanges(*rivals, result, share, most);
}

std::vector<PriceChange> priceChanges(const PriceRivals &rivals, const Result &result, double share, std::size_t most)
{
    std::vector<PriceChange> changes;
    if (!rivals.anyMatters())
        return changes;
    const auto *today = result.best();
    const auto look = [&](std::string_view entry, double factor, const std::string *of) {
        const auto *winner = rivals.winnerWith(entry, factor, of);
        PriceChange change{.entry = std::string(entry),
            .label = sheets::run().row(*sheets::run().find(entry)).label,
            .factor = factor,
            .of = of ? std::optional(*of) : std::nullopt,
            .winner = winner ? std::optional(FleetOfAnswer{winner->lot, winner->nodes}) : std::nullopt,
            .winnerInWords = winner ? shortFleetInWords(result, *winner) : std::string(),
            .changes = winner != today,
            .sentence = {}};
        if (change.changes)
            change.sentence = sentenceOf(change, of ? " for " + *of + " alone" : std::string(" for all"),
                !change.winner ? std::string("no fleet keeps all limits")
                    : today    ? change.winnerInWords + " wins"
                               : change.winnerInWords + " keeps all limits");
        changes.push_back(std::move(change));
    };
    for (const std::string_view entry : {"node_usd", "rent_usd_per_hour", "usd_per_kwh"})
        for (const double factor : {1 - share, 1 + share})
            look(entry, factor, nullptr);
    // Each price alone: the winner's up, the others' down.
    std::vector<std::string> prices;
    for (const auto &lot : result.answers) {
        const auto &of = result.lots[lot.answer.lot];
        if (prices.size() == most || lot.answer.jobs.empty() || !breaksMoneyAlone(lot.answer))
            continue;
        auto price = pricedInWords(result, lot.answer);
        if (std::ranges::find(prices, price) != prices.end())
            continue;
        look(priceEntryOf(of), today && prices.empty() ? 1 + share : 1 - share, &price);
        prices.push_back(std::move(price));
    }
    return changes;
}

} // namespace fleetwright::size
