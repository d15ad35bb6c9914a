// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace fleetwright {

/// How accelerators are rented, as prices in the catalog say it.
enum class RentTerm : std::uint8_t { OnDemand, Spot, CapacityBlock, Reserved1y, Reserved3y, Reserved5y };
inline constexpr std::array allRentTerms{RentTerm::OnDemand, RentTerm::Spot, RentTerm::CapacityBlock,
    RentTerm::Reserved1y, RentTerm::Reserved3y, RentTerm::Reserved5y};
/// "on-demand", "spot", "capacity-block", "reserved-1y", "reserved-3y", "reserved-5y".
[[nodiscard]] std::string_view toString(RentTerm term);
[[nodiscard]] Expected<RentTerm> parseRentTerm(std::string_view text, std::string_view field = "rent_term");
[[nodiscard]] std::string_view words(RentTerm term); ///< "on demand", "reserved for 3 years"
/// For how many years a reservation is paid, whether the fleet works or not; 0 of other terms.
[[nodiscard]] int yearsOf(RentTerm term);

/// Owned: bought, with everything around it. Rented: by the hour, at the price of the fleet's rent term.
enum class Paying : std::uint8_t { Own, Rent };
[[nodiscard]] std::string_view toString(Paying paying); ///< "own", "rent"
[[nodiscard]] Expected<Paying> parsePaying(std::string_view text, std::string_view field = "paying");

} // namespace fleetwright
