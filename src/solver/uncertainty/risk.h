// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/uncertainty/sheetsample.h"
#include "solver/worksheet/fleetcost.h"

#include <array>
#include <map>
#include <optional>
#include <stop_token>

/// How sure: what the ranges of prices, step times, failures, tariffs and deliveries make of the days and the money of
/// several fleets, and which of them is the best how often. worth-it.md, section 10.
namespace fleetwright::uncertainty {

/// What is drawn for each fleet; any of them can be the objective, and the least is the best.
enum class RiskFigure : std::uint8_t {
    Days, ///< of the run, or from the order on: see DeadlineFrom; in days
    RunCost, ///< as the fleet is paid for; USD
    OwnershipCost, ///< a year of the fleet as it is paid for; USD
    Capital, ///< USD; 0 of rented fleets
    Power, ///< peak of the facility, W; drawn where it is limited
    Carbon ///< of the runs' energy, kg; drawn where it is limited
};
/// Those that are drawn in any case.
inline constexpr std::array allRiskFigures{
    RiskFigure::Days, RiskFigure::RunCost, RiskFigure::OwnershipCost, RiskFigure::Capital};
inline constexpr std::size_t riskFigures = allRiskFigures.size() + 2;
/// A figure must not exceed it; in the figure's unit.
struct RiskLimit {
    RiskFigure figure = RiskFigure::Capital;
    double most = 0;
    bool operator==(const RiskLimit &) const = default;
};
/// The words of decision documents: "days", "run_cost", "ownership_cost", "capital"; "power", "carbon".
[[nodiscard]] std::string_view toString(RiskFigure figure);
[[nodiscard]] std::string_view titleOf(RiskFigure figure); ///< "Cost of the run"
[[nodiscard]] std::string_view unitOf(RiskFigure figure); ///< "days", "USD", "USD a year", "W"

/// From when days are counted.
enum class DeadlineFrom : std::uint8_t {
    Start, ///< of the run
    Order ///< with delivery and burn-in
};

/// A fleet with what it is to run, one run after the other.
struct RiskFleet {
    std::string label;
    std::vector<SheetEntries> runs; ///< of sheets::run(), each with the fleet's costs; at least one
    Paying paying = Paying::Own;
    /// Whether it can be chosen: the others are drawn beside, and are never the best.
    bool competes = true;
    /// What runs the jobs, whoever pays for it: fleets of one name are off by the same step times in every draw. Empty:
    /// a fleet by itself.
    std::string hardware{};
    /// What its step times are called where fleets of one hardware share them: nodes and jobs. Empty: as the first.
    std::string hardwareLabel{};
    /// What measured runs of the site say of its step times; of several jobs, of that which they say least of.
    struct StepRuns {
        int all = 0; ///< that move them
        int same = 0; ///< of these, of the very step
        double further = 1; ///< share of the range that one more run of the very step leaves
    };
    StepRuns stepRuns{};
    std::string runOtherwise{}; ///< how one of those runs differs that is of the same fleet, a sentence; empty: none is
    /// Accelerators whose step times are wrong together: half of the variance of ln(step time) is shared by the fleets
    /// of a family, half is a fleet's own. Empty: all of it is its own.
    std::string family;
    /// A second fleet beside it, which does the runs from here on at the same time: days are those of the later one,
    /// everything else adds up.
    struct Second {
        std::size_t firstRun = 0;
        Paying paying = Paying::Own;
        std::string family;
    };
    std::optional<Second> second{};
    /// Whether a run is the first of its fleet: what a fleet costs counts there.
    [[nodiscard]] bool isFirstOfFleet(std::size_t run) const { return run == 0 || (second && run == second->firstRun); }
    [[nodiscard]] bool isOfSecond(std::size_t run) const { return second && run >= second->firstRun; }
    std::map<std::string, std::string, std::less<>> reasons; ///< by row of the sheet: why it has no value here
};
/// A fleet's entries as runCost() makes them; the family as `detailed` prices its accelerator. RunEntries::stepLow and
/// stepHigh are the 80 % range of the prediction, around stepMiddle where it is stated; without them the step time is
/// taken as certain. Refused as runCost(); MissingField "runs" without any.
[[nodiscard]] Expected<RiskFleet> riskFleet(std::string label, const Fleet &fleet, std::span<const RunEntries> runs);
/// Both side by side; label, and whether it competes, of the first. The second's own second is lost.
[[nodiscard]] RiskFleet sideBySide(RiskFleet first, RiskFleet second);

inline constexpr std::size_t mostRiskFleets = 200;
/// What the draws of all inputs and figures may take.
inline constexpr std::size_t mostRiskBytes = std::size_t(256) << 20;

struct RiskQuestion {
    std::vector<RiskFleet> fleets; ///< the first is the one that is chosen
    RiskFigure objective = RiskFigure::RunCost;
    std::optional<Seconds> deadline;
    DeadlineFrom deadlineFrom = DeadlineFrom::Start;
    std::optional<Dollars> budget; ///< of the run
    std::vector<RiskLimit> limits{}; ///< beside these two
    [[nodiscard]] bool hasLimits() const { return deadline || budget || !limits.empty(); }
    [[nodiscard]] bool asksFor(RiskFigure figure) const;
    /// Fleets that are not drawn themselves, of the nodes and layouts of one that is: their days are its days times a
    /// factor in every draw.
    struct DaysLike {
        std::size_t fleet = 0; ///< that is drawn
        double factor = 1;
        bool operator==(const DaysLike &) const = default;
    };
    std::vector<DaysLike> alike{};
    std::size_t draws = SheetSampling().draws;
    std::uint64_t seed = SheetSampling().seed;
    double vendorCorrelation = SheetSampling().vendorCorrelation;
    int threads = 0; ///< 0: all cores; the answer is the same for any number
};

/// Something that is not known exactly. Entries of several fleets are one input where entry, source and range are
/// equal: the tariff of one site, the price of one node.
struct RiskInput {
    enum class Kind : std::uint8_t {
        Price,
        FamilyStepTime, ///< how far the step times of a family are off together, as a factor
        FleetStepTime, ///< how far a fleet's is off by itself, as a factor
        Assumption ///< another entry of the worksheet
    };
    Kind kind = Kind::Assumption;
    std::string entry; ///< of the worksheet
    std::string label; ///< "Price of a node: DGX H100 (NVIDIA), 2026-H1"
    std::string unit, source, vendor;
    double low = 0, likely = 0, high = 0; ///< of step times: the widest 80 % range of the fleets concerned
    std::vector<std::size_t> fleets; ///< indices of those that it concerns
    bool operator==(const RiskInput &) const = default;
};

inline constexpr std::size_t riskBins = 40;
/// How often which values came up: bins of equal width from the least to the greatest finite value.
struct RiskHistogram {
    double from = 0, to = 0;
    std::array<std::uint32_t, riskBins> counts{};
    std::uint32_t never = 0; ///< draws without end: the run never ends, or costs without bound
    bool operator==(const RiskHistogram &) const = default;
};

/// A figure of a fleet over the draws. Infinity stands for "never".
struct RiskSpread {
    double likely = 0; ///< with every input at its likely value, step times where measured runs put them
    double byFormula = 0; ///< the same with step times as computed; likely where no run moves them
    Quantiles quantiles;
    RiskHistogram histogram;
    /// What is shown beside the likely value, and holds it.
    [[nodiscard]] Tenths range() const { return shownRange({quantiles.p10, quantiles.p90}, likely, false); }
    bool operator==(const RiskSpread &) const = default;
};

/// What one input does to a figure of a fleet.
struct RiskSwing {
    std::size_t input = 0; ///< of RiskAnswer::inputs
    double atLow = 0, atHigh = 0; ///< the figure with this input at either end (of step times the 10 % and 90 %
                                  ///< quantiles), all others likely and step times where measured runs
                                  ///< put them: its middle is RiskSpread::likely
    double rankCorrelation = 0; ///< of input and figure over the draws
    bool operator==(const RiskSwing &) const = default;
};

struct FleetRisk {
    std::string label;
    /// By RiskFigure; nothing: see missing. Of the fleet's own draws (SheetSample), so that it is the same in every
    /// question and in a plan; of two fleets side by side of a question about them alone.
    std::array<std::optional<RiskSpread>, riskFigures> spreads;
    std::array<std::string, riskFigures> missing; ///< why there is none, or none that ends, and what to enter
    std::optional<Chance> deadline; ///< of holding, of its own draws as its spreads are; nothing without one
    std::optional<Chance> budget, both; ///< of holding, as all others of the draws of all fleets; nothing without such
                                        ///< a limit (both: without either)
    std::vector<Chance> limits; ///< of holding each of RiskQuestion::limits; 0 where the figure is not known
    std::optional<Chance> all; ///< of holding every limit of the question; nothing without any
    Chance best; ///< share of the draws in which it has the least objective of the fleets that meet the limits
    Chance least; ///< the same whatever the limits
    std::array<std::vector<RiskSwing>, riskFigures> tornados; ///< by RiskFigure; widest swing first
    /// Its days are another fleet's draws times this (RiskQuestion::DaysLike); 1: as they were drawn.
    double daysScaledBy = 1;
    [[nodiscard]] const std::vector<RiskSwing> &tornado(RiskFigure figure) const
    {
        return tornados[static_cast<std::size_t>(figure)];
    }
    [[nodiscard]] const std::optional<RiskSpread> &spread(RiskFigure figure) const
    {
        return spreads[static_cast<std::size_t>(figure)];
    }
    bool operator==(const FleetRisk &) const = default;
};
/// The same swings, strongest rank correlation first.
[[nodiscard]] std::vector<RiskSwing> byRankCorrelation(std::vector<RiskSwing> swings);

/// What it would be worth to know an input exactly before choosing; of a fleet's step time its share of the family's
/// error too, since a measured step shows both. For each twentieth of its range the fleet is chosen
/// that is best there, on one half of the hypercubes and tried on the other: what chance alone gives counts for
/// nothing.
struct RiskSettling {
    std::size_t input = 0;
    Chance right; ///< share of the draws in which the fleet chosen so is the best, to compare with the winner's
    /// By how much the objective would fall on average, of a measured step at most; nothing where draws without end
    /// have no average.
    std::optional<double> worth;
    bool isMeasured = false; ///< a step of which runs are known
    bool isStepTime = false; ///< what a measurement tells, and no quote
    /// "A binding quote for ... would make the choice right in 91 % of draws instead of 83 %."; of a step that was
    /// measured already, what is left to measure, and why.
    std::string sentence;
    bool operator==(const RiskSettling &) const = default;
};

/// Who is ahead, and what decides it.
struct RiskRank {
    std::size_t winner = 0, runnerUp = 0; ///< most and second most often the best
    Chance ahead; ///< share of the draws in which the winner's objective is less than the runner-up's; a tie is a half
    struct Driver {
        std::size_t input = 0;
        double atLow = 0, atHigh = 0; ///< the runner-up's objective less the winner's, with this input at either end
        double rankCorrelation = 0; ///< of the input and that difference
        [[nodiscard]] bool turns() const { return (atLow < 0) != (atHigh < 0); } ///< alone it changes the order
        bool operator==(const Driver &) const = default;
    };
    double expectedLead = 0; ///< the runner-up's objective less the winner's, both as likely: RiskSpread
    std::vector<Driver> drivers; ///< strongest rank correlation first
    std::vector<RiskSettling> settling; ///< what helps most first; only what helps in a hundredth of the draws and by
                                        ///< more than two standard errors
    /// What to learn first: of the first of `settling` and, where that was measured already, of the next one; that
    /// there is none.
    [[nodiscard]] std::string firstToLearn() const;
    std::vector<std::string> sentences; ///< all of it in words
    bool operator==(const RiskRank &) const = default;
};

struct RiskAnswer {
    std::size_t draws = 0;
    std::uint64_t seed = 0;
    RiskFigure objective = RiskFigure::RunCost;
    std::vector<RiskInput> inputs;
    std::vector<FleetRisk> fleets; ///< as asked
    std::vector<FleetRisk> alike; ///< of RiskQuestion::alike; days and the chance of the deadline alone
    std::optional<Chance> none; ///< share of the draws in which no fleet meets the limits; nothing without limits
    std::optional<RiskRank> rank; ///< with two fleets or more that have the objective
    bool operator==(const RiskAnswer &) const = default;
};

/// The same for a seed on every machine and number of threads. OutOfRange "draws" (those of draw(), and more than fit
/// mostRiskBytes), "fleets" (none, or more than mostRiskFleets), "deadline", "budget" (not above 0), "limits" (below
/// 0), "correlation" (not from 0 to below 1); MissingField "objective" where no fleet has it, and "fleets" of a fleet
/// without runs; those of evaluateSheet() with the fleet's label in front of the sentence; Cancelled.
[[nodiscard]] Expected<RiskAnswer> assessRisk(const RiskQuestion &question, const std::stop_token &stop = {});

/// The days of a fleet's runs, one after the other, draw by draw as FleetRisk has them; infinity: never. Refused as
/// evaluateSheet() and SheetSample::draw(); MissingField "fleets" where the sheet has no days.
[[nodiscard]] Expected<std::vector<double>> drawDays(
    const RiskFleet &fleet, const SheetSampling &how, const std::stop_token &stop = {});

} // namespace fleetwright::uncertainty
