// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/size.h"

#include <string>
#include <vector>

namespace fleetwright::size {

/// Something that would let one fleet win over another if it were different, everything else being as it is.
struct TurningPoint {
    std::string
        entry; ///< of the worksheet: "node_usd", "rent_usd_per_hour", "usd_per_kwh"; "step_time_s" for the speed
    std::string label, unit;
    double now = 0; ///< of the loser
    std::optional<double> needed; ///< where both are equal; nothing where no value does
    std::string sentence;
};

/// What would have to change for `loser` to equal `winner` in the decision's objective and keep its limits: the price
/// of its nodes or of its rent, the tariff (for both), the speed of its layouts. Fleets and layouts stay as they are.
/// The limits of the decision are judged again at what is different. Empty for objectives that none of these moves.
/// Refused as resolve() and evaluateSheet().
[[nodiscard]] Expected<std::vector<TurningPoint>> turningPoints(const DecisionDocument &document,
    const Catalog &catalog, const Result &result, const Answer &loser, const Answer &winner);

struct FleetOfAnswer {
    std::size_t lot = 0; ///< of Result::lots
    int nodes = 0;
    bool operator==(const FleetOfAnswer &) const = default;
};

/// Who wins when a price is different, fleets and layouts staying as they are.
struct PriceChange {
    std::string entry, label; ///< of the worksheet: what a node costs, the rent, the tariff
    double factor = 1; ///< on what it is now
    /// Whose price it is: everybody's, or that of one node and way of paying (an offer, an owned fleet) alone:
    /// pricedInWords().
    std::optional<std::string> of;
    std::optional<FleetOfAnswer> winner; ///< nothing: no fleet keeps the limits
    std::string winnerInWords;
    bool changes = false; ///< whether that is another than now
    std::string sentence; ///< where it changes
};

/// Node prices, rents and the tariff of all fleets by so much up and down, then the price of what wins alone up and
/// each other one alone down, at most `most` of them. Candidates are all fleets that the answer keeps: the best of each
/// node, fabric, site and way of paying, what comes closest where money alone stands in the way, and the front; limits
/// of money are judged again. Nothing where no price moves objective or limits. Refused as turningPoints().
[[nodiscard]] Expected<std::vector<PriceChange>> priceChanges(const DecisionDocument &document, const Catalog &catalog,
    const Result &result, double share = 0.2, std::size_t most = 20);
class PriceRivals;
/// The same where the fleets are priced already.
[[nodiscard]] std::vector<PriceChange> priceChanges(
    const PriceRivals &rivals, const Result &result, double share = 0.2, std::size_t most = 20);

/// Buying against renting the winner's node.
struct BuyOrRent {
    std::optional<std::size_t> owned, rented; ///< indices in Result::answers: the best of each that keeps the limits
    std::vector<std::string> sentences; ///< the two runs beside each other; from which month, utilisation and rent
                                        ///< owning costs less; against the same nodes, and against the cheapest
                                        ///< rent that keeps the limits where other nodes have that
    /// Of these what belongs beside the answer: the two runs (or the winner's own nodes had in the other way, where no
    /// such fleet keeps the limits), and the month: against the cheapest rent that keeps the limits.
    std::vector<std::string> first{};
    /// What they call the cheapest rent that keeps the limits: an index in Result::answers. Nothing where the winner's
    /// own nodes are rented for no more.
    std::optional<std::size_t> cheapestRent{};
    std::optional<FleetDocument> fleet{}; ///< the winner's as owned, at the rent term that it is held against
};
/// Of the winner's fleet at its rent term; nothing where nothing is feasible, or its node is only ever rented. Refused
/// as turningPoints().
[[nodiscard]] Expected<std::optional<BuyOrRent>> buyOrRent(
    const DecisionDocument &document, const Catalog &catalog, const Result &result);

} // namespace fleetwright::size
