// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"

#include <chrono>

/// What a vendor offers, as it was written down. worth-it.md, section 9.
namespace fleetwright {

/// What a line of an offer buys, and what its scope can hold.
enum class OfferPart : std::uint8_t {
    Nodes, ///< quantity: nodes, or the node's accelerators
    SpareNodes, ///< quantity: nodes
    Network,
    Storage, ///< quantity: terabytes
    Management, ///< head, login and fabric-manager nodes
    Racks, ///< with power distribution and cooling
    Installation,
    Support, ///< paid with the order; quantity: years
    Licences, ///< paid with the order
    Freight
};
inline constexpr std::array allOfferParts{OfferPart::Nodes, OfferPart::SpareNodes, OfferPart::Network,
    OfferPart::Storage, OfferPart::Management, OfferPart::Racks, OfferPart::Installation, OfferPart::Support,
    OfferPart::Licences, OfferPart::Freight};
/// "nodes", "spare_nodes", "network", "storage", "management", "racks", "installation", "support", "licences",
/// "freight".
[[nodiscard]] std::string_view toString(OfferPart part);
[[nodiscard]] Expected<OfferPart> parseOfferPart(std::string_view text, std::string_view field);
[[nodiscard]] std::string_view words(OfferPart part); ///< "spare nodes"
[[nodiscard]] std::string_view unitOf(OfferPart part); ///< of a quantity: "nodes", "TB", "years"; empty: pieces

struct OfferLine {
    std::string item; ///< the id of a node, an accelerator, network gear or a fabric; a part; or a text with `part`
    std::optional<OfferPart> part; ///< what the line buys, where the item does not say it
    double quantity = 1;
    double unitPrice = 0; ///< in the offer's currency, before the discount
    double discount = 0; ///< share of the price, 0 to 1
    [[nodiscard]] double amount() const { return quantity * unitPrice * (1 - discount); }
    bool operator==(const OfferLine &) const = default;
};

/// Space and power beside the purchase.
struct OfferColocation {
    double perKwMonth = 0; ///< of contracted power, in the offer's currency
    bool includesEnergy = false;
    bool operator==(const OfferColocation &) const = default;
};

/// Rented, not bought: such an offer has no lines.
struct OfferRent {
    double perAcceleratorHour = 0; ///< in the offer's currency
    RentTerm term = RentTerm::OnDemand;
    double extrasPerYear = 0; ///< storage, network, support... in the offer's currency
    bool operator==(const OfferRent &) const = default;
};

struct OfferDocument {
    std::string name;
    std::string vendor;
    std::optional<std::chrono::sys_days> validUntil; ///< the last day on which it stands
    std::string currency = "USD"; ///< three capital letters
    /// What is offered: node, count and fabric, where it stands, and the buyer's own figures (life, utilisation,
    /// tariff...). The offer's prices are not among its costs.
    FleetDocument fleet;
    std::vector<OfferLine> lines;
    std::vector<OfferPart> scope; ///< parts that the prices of the lines include without a line of their own
    std::optional<int> supportYears; ///< included; of support with a line its quantity says it
    std::optional<int> warrantyYears;
    std::optional<double> deliveryWeeks; ///< from the order
    std::string paymentTerms; ///< as written
    std::optional<OfferColocation> colocation;
    std::optional<OfferRent> rent;
    bool operator==(const OfferDocument &) const = default;
};

[[nodiscard]] std::string labelOf(const OfferDocument &offer); ///< "512 nodes in spring (Vendor)"

/// Whether licences are among its lines or included in them: what it is compared with then has them, too.
[[nodiscard]] bool hasLicences(const OfferDocument &offer);

inline constexpr std::size_t mostOfferLines = 200;
inline constexpr int mostOfferYears = 50;

/// A name and a vendor; a currency of three capital letters; lines or a rent, not both; quantities above 0, prices of 0
/// or more, discounts 0 to 1, years of support in whole years; every part once in the scope; support in the scope only
/// with its years; nodes never without a price. Fields: "vendor", "lines[2].quantity", "scope[0]", "support_years",
/// "rent.per_accelerator_hour"...
[[nodiscard]] Expected<void> check(const OfferDocument &document);

} // namespace fleetwright
