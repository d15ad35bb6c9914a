// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/pricechoice.h"

/// What a fleet pays: the prices of the catalog that it uses and figures of its own.
namespace fleetwright {

/// An entry that the catalog cannot fill, and what to do about it.
struct MissingCost {
    std::string entry, sentence;
    bool operator==(const MissingCost &) const = default;
};

/// A piece of network gear with what the sheet needs of it.
struct NetworkPart {
    std::string id, name;
    double power = 0; ///< W, of a switch its maximum, of a transceiver one end's
    bool powerKnown = false;
    bool powerIsTypical = false; ///< the catalog has no maximum
    std::string powerSource; ///< the part, or the switch whose maximum includes its modules
    std::optional<CostFigure> price; ///< of a piece
    std::optional<double> leadTimeWeeks; ///< from order to delivery
    std::optional<double> cablePricePerMetre; ///< USD, of the fibre that goes with a transceiver
    bool operator==(const NetworkPart &) const = default;
};

/// What the fleet's fabric is built of. Absent: the catalog has none for it.
struct NetworkParts {
    std::optional<NetworkPart> switchPart;
    std::int64_t switchPorts = 0; ///< at the rate of the fabric's port
    std::int64_t portsPerCage = 1; ///< of the switch
    std::int64_t trays = 1; ///< hosts in a node: those of a rack-scale node, with two processors each
    std::optional<NetworkPart> managementSwitch; ///< of 1 Gb/s ports, for the out-of-band network
    std::optional<NetworkPart> switchTransceiver, nodeTransceiver; ///< absent: none of the rate is in the catalog
    bool operator==(const NetworkParts &) const = default;
};

struct FleetCosts {
    Paying paying = Paying::Own;
    RentTerm rentTerm = RentTerm::OnDemand;
    std::string rentVendor;
    std::vector<CostFigure> figures; ///< each entry once
    std::vector<MissingCost> missing;
    NetworkParts network;
    std::string cooling; ///< of the node, as the catalog states it; empty: not stated
    [[nodiscard]] const CostFigure *find(std::string_view entry) const;
    [[nodiscard]] const MissingCost *findMissing(std::string_view entry) const;
    bool operator==(const FleetCosts &) const = default;
};

/// What the fleet's document states, else
/// - the node: its own purchase price, else its accelerators' (a price, else what the accelerator's item says) and
///   hosts at the ratio of the nodes that state both;
/// - rent: of the quotes of its term (and vendor) those of one kind with the first (own or shipped, valid or expired,
///   quote or textbook value), none wholly a year older than it: their median, from the lowest to the highest;
/// - electricity, where the site states no tariff: the catalog's planning default;
/// - storage, support, staff: the newest shipped price; colocation too unless the fleet has a building of its own.
/// Nothing depends on the day on which it is asked. UnknownReference "fleet.costs.<entry>" for a price that the catalog
/// lacks; UnsupportedValue for one of another unit, item, rent term or vendor, or without value or rate; OutOfRange for
/// low, likely and high out of order, or not finite. Words and flags are handed on: the worksheet knows its rows.
[[nodiscard]] Expected<FleetCosts> resolveCosts(const CostDocument &document, const CatalogRecord &node,
    const CatalogRecord &fabric, bool siteHasTariff, const Catalog &catalog);

} // namespace fleetwright
