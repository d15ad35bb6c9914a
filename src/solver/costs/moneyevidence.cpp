// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/costs/moneyevidence.h"

#include "units/format.h"

namespace fleetwright::costs {

MoneyEvidence moneyEvidence(const CostValidation &validation)
{
    MoneyEvidence evidence;
    for (const auto &summary : validation.summaries) {
        if (summary.kind != CostKind::Purchase && summary.kind != CostKind::Rental)
            continue;
        auto &misses = summary.kind == CostKind::Purchase ? evidence.purchases : evidence.rentals;
        misses = {.count = summary.count,
            .median = summary.medianError,
            .discounted = summary.hasDiscount ? std::optional(summary.medianDiscounted) : std::nullopt};
    }
    return evidence;
}

std::string moneyRangeInWords(const MoneyEvidence &evidence, Paying paying)
{
    constexpr std::string_view held = "Ranges of money are those of prices, rates and step times alone";
    const bool own = paying == Paying::Own;
    const auto &misses = own ? evidence.purchases : evidence.rentals;
    if (!misses)
        return std::string(held) + ".";
    auto text = std::string(held) + ": "
        + units::counted(double(misses->count), own ? "published purchase was" : "published rental contract was",
            own ? "published purchases were" : "published rental contracts were")
        + " missed by " + (misses->count > 1 ? "a median of " : "")
        + units::formatPercent(misses->discounted.value_or(misses->median));
    if (misses->discounted)
        text += " with the discount of large buyers, " + units::formatPercent(misses->median) + " without";
    return text + "; a binding offer settles it.";
}

std::string moneyRangeInShort(const MoneyEvidence &evidence, Paying paying)
{
    const bool own = paying == Paying::Own;
    const auto &misses = own ? evidence.purchases : evidence.rentals;
    if (!misses)
        return {};
    const auto off = (misses->count > 1 ? "a median of " : "") + units::formatPercent(misses->median);
    if (!own) // nobody states a discount on a rent
        return "Published rents were missed by " + off + ".";
    if (misses->discounted)
        return "The range is that of prices: published purchases were missed by " + off + ", by "
            + units::formatPercent(*misses->discounted) + " with the discount of large buyers.";
    return "The range is that of prices: published purchases were missed by " + off + ".";
}

} // namespace fleetwright::costs
