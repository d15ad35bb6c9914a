// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "domain/paying.h"
#include "domain/price.h"

/// What a fleet pays: the prices of the catalog that it uses and figures of its own. Entries have the keys and units of
/// the rows of the worksheet (solver/worksheet), which checks them.
namespace fleetwright {

/// A figure in the unit of its row, or the id of a price.
struct CostEntry {
    std::variant<double, std::string> value = 0.0;
    std::optional<double> low, high; ///< of a figure; both or neither
    bool operator==(const CostEntry &) const = default;
};

/// As documents of fleets hold it; empty: what the catalog has, by the rules of resolveCosts().
struct CostDocument {
    Paying paying = Paying::Own;
    RentTerm rentTerm = RentTerm::OnDemand;
    std::string rentVendor; ///< empty: any
    std::map<std::string, CostEntry, std::less<>> entries; ///< "node_usd", "life_years", "rate_per_node_day"...
    bool operator==(const CostDocument &) const = default;
};

/// One entry with its value, and where that is from.
struct CostFigure {
    std::string entry;
    double likely = 0;
    std::optional<double> low, high;
    bool olderThanAYear = false; ///< than the catalog's prices; decides the range that is assumed where none is stated
    bool hasRange() const { return low && high; }
    std::string source; ///< "Quotation of 2026-H1: DGX H100 (NVIDIA)", "7 quotes on demand"
    std::string date; ///< as the price states it
    Confidence confidence = Confidence::User;
    std::string notice; ///< one sentence where the figure does not stand as it is: old, textbook, a list of one
    bool assumed = false; ///< nobody stated this entry for this fleet: a planning default, or an estimate
    bool operator==(const CostFigure &) const = default;
};

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

/// The entry of the worksheet that a price can stand for, by what it is of and its unit: "node_usd", "accelerator_usd",
/// "rent_usd_per_hour", "usd_per_kwh", "colocation_usd_per_kw_month", "facility_usd_per_w", "storage_usd_per_tb",
/// "support_share", "licence_usd_per_accelerator", "staff_usd"; empty: none.
[[nodiscard]] std::string_view costEntryOf(const CatalogRecord &price);

/// The prices of the catalog that fit the entry for this node, the one that resolveCosts() takes first.
/// Own items go before shipped ones, quotes before textbook values, current before old ones, then the newest.
[[nodiscard]] std::vector<const CatalogRecord *> pricesFor(
    std::string_view entry, const CatalogRecord &node, const CostDocument &document, const Catalog &catalog);

/// In USD: typical, else the middle of low and high; another currency by its rate in the catalog. Nothing where the
/// price states no value or its currency no rate.
[[nodiscard]] std::optional<CostFigure> figureOf(
    std::string_view entry, const CatalogRecord &price, const Catalog &catalog);

/// What the fleet's document states, else
/// - the node: its own purchase price, else its accelerators' and hosts at the ratio of the nodes that state both;
/// - rent: of the quotes of its term (and vendor), own ones before shipped ones, those within a year of the newest, the
///   middle one, with the lowest and the highest as the range;
/// - electricity, where the site states no tariff: the catalog's planning default;
/// - storage, support, staff: the newest shipped price; colocation too unless the fleet has a building of its own.
/// Nothing depends on the day on which it is asked. UnknownReference "fleet.costs.<entry>" for a price that the catalog
/// lacks; UnsupportedValue for one of another unit or for something else, or without value or rate; OutOfRange for low,
/// likely and high out of order, or not finite.
[[nodiscard]] Expected<FleetCosts> resolveCosts(const CostDocument &document, const CatalogRecord &node,
    const CatalogRecord &fabric, bool siteHasTariff, const Catalog &catalog);

} // namespace fleetwright
