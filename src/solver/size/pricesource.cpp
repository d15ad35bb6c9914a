// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/pricesource.h"

#include "solver/size/leftoutwords.h"
#include "solver/size/pricedanswer.h"
#include "solver/worksheet/notcounted.h"
#include "solver/worksheet/usedprices.h"

#include <algorithm>
#include <set>

namespace fleetwright::size {

namespace {

/// The attribution of what a price states.
const Attribution *sourceOf(const CatalogRecord &price)
{
    return price.attribution(price.number("typical") ? "typical" : "low");
}

bool isWeak(const Attribution &from)
{
    return from.confidence == Confidence::Estimate || from.verification != Verification::Read;
}

/// "a market price, “DGX H100” (“DGX H100 price guide”, 2026), not read again for the catalog".
std::string sourceInWords(const CatalogRecord &price, const Attribution &from, const Source *source)
{
    const std::string kind(inWords(from.confidence));
    auto text = (from.confidence == Confidence::Estimate ? "an " + kind : "a " + kind) + ", \u201c" + price.name
        + "\u201d";
    if (source)
        text += " (\u201c" + source->title + "\u201d" + (source->published.empty() ? "" : ", " + source->published)
            + ")";
    switch (from.verification) {
    case Verification::Read: break;
    case Verification::NotReread: text += ", not read again for the catalog"; break;
    case Verification::Derived: text += ", worked out from other prices"; break;
    }
    return text;
}

} // namespace

std::optional<WeakPrice> weakPrice(const Catalog &catalog, const Result &result, const Answer &answer)
{
    const auto document = fleetOf(result, answer);
    const auto fleet = resolve(document, catalog);
    if (!fleet)
        return std::nullopt;
    const auto entry = priceEntryOf(result.lots[answer.lot]);
    const auto isOf = [&](std::string_view key) {
        return key == entry || (entry == "node_usd" && key == "accelerator_usd");
    };
    const auto &figures = (*fleet)->costs.figures;
    const auto figure = std::ranges::find_if(figures, [&](const CostFigure &one) { return isOf(one.entry); });
    if (figure == figures.end())
        return std::nullopt;
    std::set<std::string> ids;
    const Attribution *weakest = nullptr;
    const CatalogRecord *weakestPrice = nullptr;
    UsedPrices used(catalog);
    for (const auto &price : used.of(document)) {
        if (price.entry != figure->entry)
            continue;
        const auto *record = catalog.find(CatalogKind::Price, price.id);
        const auto *from = record ? sourceOf(*record) : nullptr;
        if (!from || !isWeak(*from))
            return std::nullopt; // one that can be relied on is enough
        if (!weakest) {
            weakest = from;
            weakestPrice = record;
        }
        ids.insert(price.id);
    }
    if (!weakest)
        return std::nullopt;
    return WeakPrice{"\u201c" + std::string(entryInWords(figure->entry))
            + "\u201d rests on little: " + priceInWords(figure->entry, figure->likely) + ", "
            + sourceInWords(*weakestPrice, *weakest, catalog.source(CatalogKind::Price, weakest->sourceId))
            + (ids.size() > 1 ? ", and the other quotes no better." : "."),
        {ids.begin(), ids.end()}};
}

std::vector<std::string> notCountedInWords(const Catalog &catalog, const Result &result, const Answer &answer)
{
    if (result.lots[answer.lot].paying.paying == Paying::Rent)
        return {};
    const auto fleet = resolve(fleetOf(result, answer), catalog);
    const auto sheet = fleet ? fleetCost(*fleet) : Expected<CostSheet>(std::unexpected(fleet.error()));
    return sheet ? notCounted(*sheet) : std::vector<std::string>();
}

} // namespace fleetwright::size
