// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"

#include <deque>

namespace fleetwright {

/// The entry of a fleet's worksheet that the rent of an accelerator-hour is.
inline constexpr std::string_view rentEntry = "rent_usd_per_hour";

/// A price of the catalog, and the entry of the worksheet whose figure is made from it: "node_usd", "switch_usd"...
struct UsedPrice {
    std::string id, entry;
    bool operator==(const UsedPrice &) const = default;
};

/// Which prices of a catalog the figures of fleets are made from: those that a fleet names, and those that
/// resolveCosts() and networkPartsOf() take for what it does not state. Of a rent every quote that counts in the
/// middle.
class UsedPrices {
public:
    /// Refers to the catalog.
    explicit UsedPrices(const Catalog &catalog);
    /// In the order of the fleet's figures, then of its network; none of a fleet that cannot be resolved. Fleets of one
    /// node, fabric and costs are looked at once.
    [[nodiscard]] const std::vector<UsedPrice> &of(const FleetDocument &fleet);

private:
    [[nodiscard]] std::vector<UsedPrice> lookedFor(const FleetDocument &fleet) const;

    const Catalog &m_catalog;
    std::chrono::sys_days m_day; ///< of the catalog's prices
    struct Known {
        FleetDocument fleet; ///< what decides about prices
        std::vector<UsedPrice> prices;
    };
    std::deque<Known> m_known; ///< what is handed out stays where it is
};

/// The range of a price as worksheets use it where the price itself states an end of it or none, in the price's unit
/// and currency.
struct RangeInUse {
    double low = 0, high = 0;
    std::string source; ///< a sentence: what stands in the place of an end that is not stated
    bool operator==(const RangeInUse &) const = default;
};
/// Nothing where both ends are stated, no worksheet takes the price, or it is a rent: whose range is that of the quotes
/// that count. `pricesOf`: dayOfPrices().
[[nodiscard]] std::optional<RangeInUse> rangeInUse(
    const CatalogRecord &price, const Catalog &catalog, std::chrono::sys_days pricesOf);

/// "Price of a node": what the worksheets call an entry; the key itself where they have none.
[[nodiscard]] std::string_view entryInWords(std::string_view entry);

} // namespace fleetwright
