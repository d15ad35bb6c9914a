// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/fleet.h"
#include "solver/blocks/networkbom.h"
#include "solver/worksheet/evaluatedsheet.h"

/// The worksheet of a fleet and of a run on it: what the fleet's document, the catalog and its network's bill of
/// materials enter, and what follows. worth-it.md, sections 1 to 6.
namespace fleetwright {

namespace uncertainty {
struct Tenths;
struct SheetCell;
} // namespace uncertainty

/// What must be ordered for the networks of a fleet. A rack-scale node is counted by its trays: on a rail-optimised
/// fabric the trays of a rack share the leaves of its rails, and eight racks are a unit (DGX SuperPOD with GB200).
struct FleetNetwork {
    NetworkBill training; ///< of the fabric between the accelerators
    NetworkBill storage; ///< 2 ports a node, non-blocking
    NetworkBill inBand; ///< 2 ports a node at 2:1: logins, data, management
    NetworkBill outOfBand; ///< a port a node and switch
};
/// The two ports of a node on each service network are assumptions of worth-it.md, section 6. UnsupportedValue
/// "topology" for fabrics that are no fat tree; those of networkBill(), and MissingField "fabric" where the catalog
/// states no switch for the fabric.
[[nodiscard]] Expected<FleetNetwork> fleetNetwork(const Fleet &fleet);

/// Everything of enterFleet(), the fleet's costs, its network and its cooling. A network that the fabric's topology
/// cannot reach leaves the rows open that rest on it (network_is_reachable). Prices of nodes and accelerators whose
/// source names no vendor are the accelerator vendor's. Figures without a range get the assumed one (withAssumedRange);
/// defaults of the sheet with a published range are entered with it. Where spare nodes are to be ordered (order_spares)
/// and no number of them is stated, as many as suffice 99 % of the time are entered. Refused as SheetEntries::enter
/// with "fleet.costs.<entry>"; an entry of the fleet that the sheet has not (of the run in the fleet's sheet) is passed
/// over, one that no sheet has is UnknownReference. UnsupportedValue: an entry that is stated elsewhere, and a range of
/// the life, which decides how many columns a sheet has.
struct FleetEntries {
    SheetEntries entries;
    std::vector<std::string> notices; ///< what is estimated, old, or left out, one sentence each
    std::optional<FleetNetwork> network;
    std::optional<Error> unreachable; ///< the network, with the largest fleet that it connects
};
[[nodiscard]] Expected<FleetEntries> enterCosts(const Worksheet &sheet, const Fleet &fleet);

/// Entries that the fleet, the plan or the solver states: no entry of a fleet's costs.
[[nodiscard]] bool isStatedElsewhere(std::string_view entry);

/// A value of the sheet with its range: of an entry what is entered or measured runs make of it, of everything else
/// eight of ten draws of all entries that have one (uncertainty::SheetSample), as in a decision about the fleet: at
/// most a tenth lies below `low` and at most a tenth above `high`. It holds the likely value (uncertainty::shownRange),
/// unless measured runs have moved the step time that it rests on. An end at which the value is "never" is open:
/// infinity.
struct SheetRange {
    double low = 0, likely = 0, high = 0;
    bool operator==(const SheetRange &) const = default;
};
/// How far one entry moves a value.
struct SheetSwing {
    std::string entry;
    double atLow = 0, atHigh = 0; ///< the value with the entry at its low, at its high; infinity: never
};

/// A fleet's or a run's sheet with ranges.
class CostSheet {
public:
    [[nodiscard]] const EvaluatedSheet &sheet() const { return m_sheet; }
    [[nodiscard]] const std::vector<std::string> &notices() const { return m_notices; }
    [[nodiscard]] const std::optional<FleetNetwork> &network() const { return m_network; }
    [[nodiscard]] Paying paying() const { return m_paying; }
    /// In the row's unit; nothing where the row has no value. `column`: the year or month, of rows that have them.
    [[nodiscard]] std::optional<double> value(std::string_view key, std::size_t column = 0) const
    {
        return m_sheet.value(key, column);
    }
    /// Drawn when the first one is asked for, and kept: some ten milliseconds for all rows of one number, as much again
    /// for those of years. Any thread may ask.
    [[nodiscard]] std::optional<SheetRange> range(std::string_view key, std::size_t column = 0) const;
    /// The same, but of an entry eight of ten draws, too: where it stands among what is computed, one range means what
    /// the others do. Of what measured runs say as range().
    [[nodiscard]] std::optional<SheetRange> drawnRange(std::string_view key, std::size_t column = 0) const;
    /// So that range() of rows of one number is at hand afterwards: for a worker to call.
    void drawRanges() const;
    /// Largest first.
    [[nodiscard]] std::vector<SheetSwing> swings(std::string_view key, std::size_t column = 0) const;
    /// Why a row has no value: the entry that is missing and what to enter; empty where it has one.
    [[nodiscard]] std::string reasonFor(std::string_view key) const;

private:
    [[nodiscard]] SheetRange drawnAround(double likely, std::size_t row, std::size_t column) const;
    [[nodiscard]] std::optional<uncertainty::Tenths> tenthsOf(uncertainty::SheetCell cell) const;
    [[nodiscard]] bool moves(std::size_t row, std::size_t column) const; ///< whether an entry with a range moves it
    /// Whether it rests on a step time that measured runs have put elsewhere.
    [[nodiscard]] bool isMovedByRuns(std::size_t row, std::size_t column) const;
    friend Expected<CostSheet> costSheet(FleetEntries entries, const FleetCosts &costs);
    CostSheet(EvaluatedSheet sheet, FleetEntries entries, const FleetCosts &costs);

    EvaluatedSheet m_sheet;
    std::vector<std::string> m_notices;
    std::optional<FleetNetwork> m_network;
    std::vector<MissingCost> m_missing;
    Paying m_paying;
    struct Moved {
        std::size_t row;
        bool high;
    };
    std::vector<Moved> m_moved; ///< lane by lane, through all of m_draws
    std::vector<SheetDraws> m_draws;
    struct Ranges;
    std::shared_ptr<Ranges> m_ranges; ///< of copies the same
};
/// Refused as evaluateSheet(), with "fleet.costs.<entry>".
[[nodiscard]] Expected<CostSheet> costSheet(FleetEntries entries, const FleetCosts &costs);

/// The spare nodes that suffice 99 % of the time, from the sheet's failures and days of repair. MissingField
/// "nodes_in_repair" where these are not known; those of spares().
[[nodiscard]] Expected<std::int64_t> sparesNeeded(const CostSheet &sheet);

/// Power, capital, running cost, levelised cost, cash flow, buy or rent of a fleet before any workload runs on it.
/// OutOfRange "nodes" for more than the fabric's topology connects.
[[nodiscard]] Expected<CostSheet> fleetCost(const Fleet &fleet);

/// What a training run is, beside its fleet.
struct RunEntries {
    double tokens = 0, batchSequences = 1, sequenceTokens = 1;
    Seconds stepTime{};
    std::optional<Seconds> stepLow, stepHigh; ///< the range of the prediction
    std::optional<Seconds> stepMiddle{}; ///< of that range, where measured runs of the site moved it off stepTime
    bool stepByRuns = false; ///< stepTime is that middle already
    std::optional<Seconds> checkpointTime; ///< nothing: not known
    Seconds restart{}; ///< these two unless the fleet's costs state them
};
/// The same with what the plan's operations say about checkpoints and restarts, where no run is known.
[[nodiscard]] Expected<CostSheet> fleetCost(
    const Fleet &fleet, const std::optional<Seconds> &checkpointTime, Seconds restart);
[[nodiscard]] Expected<CostSheet> runCost(const Fleet &fleet, const RunEntries &run);
/// What runCost() evaluates.
[[nodiscard]] Expected<FleetEntries> enterRun(const Fleet &fleet, const RunEntries &run);

} // namespace fleetwright
