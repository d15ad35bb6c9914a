// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layoutsearchspace.h"
#include "domain/offer.h"

#include <chrono>

/// Which fleet should we buy or rent for these jobs? worth-it.md, section 8.
namespace fleetwright {

/// A workload that the fleet has to train. Layouts, microbatches and recomputation are the solver's to choose.
struct DecisionJob {
    std::string name; ///< empty: the workload's
    ItemReference workload = std::string();
    std::optional<double> tokens; ///< nothing: what the workload states
    /// Of a year of the base case, 0 to 1: the job is then what the base case trains in that time, and no tokens are
    /// stated. All jobs have shares, or none has.
    std::optional<double> share;
    Training training; ///< its microbatches, recomputation and token budget are not looked at
    std::optional<int> leastBatch,
        mostBatch; ///< where the job allows a range around training.globalBatch; both or neither
    Assumptions assumptions;
    LayoutSearchSpace space; ///< what is fixed about the layouts
    bool operator==(const DecisionJob &) const = default;
};

/// Where a fleet may stand.
struct DecisionSite {
    std::string facility, grid; ///< ids; empty: none
    bool operator==(const DecisionSite &) const = default;
};

/// How a fleet may be paid for.
struct DecisionPaying {
    Paying paying = Paying::Own;
    RentTerm rentTerm = RentTerm::OnDemand; ///< of rented fleets
    bool operator==(const DecisionPaying &) const = default;
};
/// "own", "on_demand", "reserved_3y", "capacity_block"...
[[nodiscard]] std::string toString(const DecisionPaying &paying);
[[nodiscard]] Expected<DecisionPaying> parseDecisionPaying(std::string_view text, std::string_view field);
[[nodiscard]] std::string words(const DecisionPaying &paying); ///< "owned", "rented, reserved for 3 years"

/// A fleet that stands as it is: an offer, or one that is already owned.
struct DecisionFleet {
    std::string label; ///< "Offer B", "the fleet of 2024"
    FleetDocument fleet;
    bool operator==(const DecisionFleet &) const = default;
};

/// An offer of the project by its name, or one that stands in the decision.
using OfferReference = std::variant<std::string, OfferDocument>;

/// What is chosen from. What is left out is every one.
struct DecisionCandidates {
    std::vector<std::string> nodes; ///< ids; empty: all whose accelerator is of the cloud tier
    int leastNodes = 1, mostNodes = 4096; ///< numbers of nodes, of those that the jobs can use
    std::vector<std::string> fabrics; ///< ids; empty: every one that a node takes
    std::vector<double> oversubscriptions; ///< empty: the fabric's own
    std::vector<DecisionSite> sites; ///< empty: one of which nothing is known
    std::vector<DecisionPaying> paying; ///< empty: owned
    std::vector<DecisionFleet> fleets; ///< beside them, each with its own number of nodes
    std::vector<OfferReference> offers; ///< likewise, at their own prices
    /// Owned already: candidates as they are, and extended with nodes of the same kind. What is owned costs no capital
    /// any more.
    std::vector<DecisionFleet> owned;
    std::vector<std::string> vendors; ///< of accelerators; empty: all
    std::map<std::string, CostEntry, std::less<>> costs; ///< entries that hold for every fleet: "life_years"...
    bool operator==(const DecisionCandidates &) const = default;
};

/// Whether every fleet has the spare nodes ordered that suffice 99 % of the time (orderSparesEntry).
[[nodiscard]] bool ordersSpares(const DecisionCandidates &candidates);
void setOrdersSpares(DecisionCandidates &candidates, bool ordered);

/// What a decision can be limited by beside the limits of plans.
struct DecisionLimits {
    Constraints plan; ///< for all jobs together; memory and MFU for each
    std::optional<KilogramsCo2e> carbon; ///< of the energy of all jobs
    std::optional<double> minGoodput;
    std::optional<std::chrono::sys_days> deliveryBy; ///< first run, ordered on DecisionDocument::order
    std::optional<double> deadlineChance; ///< that the deadline is met, 0 to 1; needs a deadline
    bool operator==(const DecisionLimits &) const = default;
};

enum class DecisionObjective : std::uint8_t { RunCost, Days, Capital, OwnershipCost, Carbon, Energy };
inline constexpr std::array allDecisionObjectives{DecisionObjective::RunCost, DecisionObjective::Days,
    DecisionObjective::Capital, DecisionObjective::OwnershipCost, DecisionObjective::Carbon, DecisionObjective::Energy};
/// "run_cost", "days", "capital", "ownership_cost", "carbon", "energy".
[[nodiscard]] std::string_view toString(DecisionObjective objective);
[[nodiscard]] Expected<DecisionObjective> parseDecisionObjective(
    std::string_view text, std::string_view field = "objective");
[[nodiscard]] std::string_view words(DecisionObjective objective); ///< "cost of the run", "days"...

struct DecisionDocument {
    std::string name;
    std::vector<DecisionJob> jobs;
    DecisionCandidates candidates;
    DecisionLimits limits;
    DecisionObjective objective = DecisionObjective::RunCost;
    std::array<DecisionObjective, 2> front{DecisionObjective::Days, DecisionObjective::RunCost};
    /// What is compared with, paid for as its costs say; without a fabric on the node's usual one.
    std::optional<FleetDocument> baseCase;
    std::optional<std::chrono::sys_days> order; ///< the day on which is ordered
    std::size_t draws = 10'000;
    std::uint64_t seed = 1;
    std::string costModelId;
    bool operator==(const DecisionDocument &) const = default;
};

inline constexpr std::size_t mostDecisionJobs = 20;

/// The decision with the offers that it names; UnknownReference "candidates.offers[1]" for a name that none has.
[[nodiscard]] Expected<DecisionDocument> withOffers(DecisionDocument document, std::span<const OfferDocument> offers);

/// A name; 1 to mostDecisionJobs jobs, all with shares (that add up to at most 1 and need a base case) or none; ranges
/// of batches that hold the job's own; 1 <= leastNodes <= mostNodes; limits as check(Constraints) and in range; a
/// chance only with a deadline, a delivery only with an order before it; two different axes. Fields: "name",
/// "jobs[1].share", "candidates.counts", "limits.deadline_chance", "front"... Names are looked up where the decision is
/// solved.
[[nodiscard]] Expected<void> check(const DecisionDocument &document);

} // namespace fleetwright
