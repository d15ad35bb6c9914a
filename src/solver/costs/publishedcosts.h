// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/unitsymbol.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Published purchases, powers, energies and interruptions, as plain values: what they say, and how the worksheet is to
/// be set up for the same scope.
namespace fleetwright::costs {

/// What is compared. A boundary (accelerator, node, all-in, with PUE) is never compared with another.
enum class CostKind {
    AllInPower, ///< facility power per accelerator
    MeteredNode, ///< mean power of a node in training
    MeteredEnergy, ///< of a run; where the measured watts are an input, of its hours and PUE
    AllInCapital, ///< per accelerator
    Purchase,
    Programme, ///< a purchase with its operation
    Rental, ///< of a year
    RunCost, ///< hours times a stated price: arithmetic
    CircularEnergy, ///< hours times a stated constant: arithmetic
    Interruptions
};
inline constexpr std::array allCostKinds{CostKind::AllInPower, CostKind::MeteredNode, CostKind::MeteredEnergy,
    CostKind::AllInCapital, CostKind::Purchase, CostKind::Programme, CostKind::Rental, CostKind::RunCost,
    CostKind::CircularEnergy, CostKind::Interruptions};

/// "all_in_power", "metered_node"...: in files.
[[nodiscard]] std::string_view toString(CostKind kind);
[[nodiscard]] std::optional<CostKind> costKindOf(std::string_view word);
/// "All-in power per accelerator"...: for people.
[[nodiscard]] std::string_view title(CostKind kind);
/// What its figures measure: power, energy, money, or a number.
[[nodiscard]] units::Dimension dimensionOf(CostKind kind);
[[nodiscard]] std::string_view baseUnit(CostKind kind); ///< "W", "J", "USD", or "1" for numbers

/// How far a computed figure may be from the published one.
struct CostTolerance {
    enum class Rule {
        Share, ///< at most this share of the published figure to either side
        Factor, ///< at most this many times more or less
        Bracket ///< the published figure lies in the computed range
    };
    Rule rule = Rule::Share;
    double value = 0;
    /// Of computed over published. Never for a bracket, which is about a range.
    [[nodiscard]] bool holds(double ratio) const;
    bool operator==(const CostTolerance &) const = default;
};
/// "15 %", "factor 2", "in range".
[[nodiscard]] std::string inWords(const CostTolerance &tolerance);

/// What a row's `good_enough_to_score` says of a kind: "yes-25%", "yes 8 %", "factor-1.5", "tco-factor-1.5",
/// "energy 15 %: ...", "failures: restarts factor 1.5". Nothing where it does not count for that kind.
[[nodiscard]] std::optional<CostTolerance> toleranceOf(std::string_view goodEnough, CostKind kind);

struct CostSource {
    std::string title, url, locator, date;
    bool operator==(const CostSource &) const = default;
};

/// One published figure that counts.
struct PublishedCost {
    std::string id, name;
    CostKind kind = CostKind::Purchase;
    std::string date; ///< of the figure
    double published = 0; ///< base units of dimensionOf(kind)
    std::string priceId, priceField; ///< the figure stands in this field of this price of the catalog
    CostTolerance tolerance;
    std::string goodEnough; ///< the row's own words, empty for figures of the specification
    std::string scope, note; ///< what the source covers; how it is compared
    CostSource source;

    struct Part {
        std::string accelerator; ///< catalog id
        std::string node; ///< catalog id: priced, or powered, as this
        std::int64_t accelerators = 0;
        bool operator==(const Part &) const = default;
    };
    std::vector<Part> parts; ///< of one kind of accelerator each
    std::vector<std::string> rows; ///< of the worksheet: their sum is compared
    /// Entered as they stand, because the source states them; in the units of the worksheet's rows.
    std::map<std::string, double> entries;
    std::string fabricId; ///< catalog id; empty: the node's own
    std::string gridId; ///< tariff of the operation
    std::string rentTerm; ///< of the prices catalog
    std::optional<double> acceleratorHours;
    std::optional<double> pue;
    std::optional<double> measuredWatts; ///< per accelerator, of the boundary that was metered
    std::optional<double> days, minutes; ///< that were watched
    std::optional<double> shareOfMaximum; ///< of a metered node
    bool operator==(const PublishedCost &) const = default;
};

struct UnscoredCost {
    std::string id, name, reason;
    std::string goodEnough;
    CostSource source;
    bool operator==(const UnscoredCost &) const = default;
};

struct PublishedCosts {
    std::vector<PublishedCost> figures;
    std::vector<UnscoredCost> notScored;
    std::string lowFleetRate, highFleetRate; ///< planning defaults: failures per 1,000 node-days of published fleets
    bool operator==(const PublishedCosts &) const = default;
};

} // namespace fleetwright::costs
