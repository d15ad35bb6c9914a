// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/pricechoice.h"
#include "solver/costs/costvalidation.h"

namespace fleetwright::costs {

/// By how much what was published to be paid for whole fleets was missed. Ranges of money hold what quotes, rates and
/// step times leave open, and not this: that an order as a whole is paid otherwise than it is quoted.
struct MoneyEvidence {
    struct Misses {
        std::size_t count = 0;
        double median = 0; ///< absolute, at catalog prices
        std::optional<double> discounted; ///< the same with the discount of large buyers, where it makes a difference
        bool operator==(const Misses &) const = default;
    };
    std::optional<Misses> purchases, rentals;
    bool operator==(const MoneyEvidence &) const = default;
};
[[nodiscard]] MoneyEvidence moneyEvidence(const CostValidation &validation);

/// What a range of money holds, and how far published purchases (of a rented fleet: rents) were from the worksheet,
/// which it does not hold.
[[nodiscard]] std::string moneyRangeInWords(const MoneyEvidence &evidence, Paying paying);
/// The same in a line, beside an amount: of a rented fleet what rents were missed by. Empty where nothing was
/// published.
[[nodiscard]] std::string moneyRangeInShort(const MoneyEvidence &evidence, Paying paying);

} // namespace fleetwright::costs
