// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/approveddecision.h"
#include "solver/size/decisionrisk.h"
#include "units/unitsymbol.h"

/// What people read about the answer to a decision: the only place that words it.
namespace fleetwright::size {

/// "a, b and c".
[[nodiscard]] std::string listed(const std::vector<std::string> &parts);

/// "Deadline", "Cost of the run", "Facility power"...
[[nodiscard]] std::string_view titleOf(SizeLimit limit);

/// The figure of a limit with its unit: "31.4 days", "262 MUSD", "11.2 MW", "90 %", "first run after 240 days". "not
/// known" and "never ends" where it is so.
[[nodiscard]] std::string valueInWords(SizeLimit limit, double value);
/// Days without their unit, in as many digits as show that they are more than is allowed.
[[nodiscard]] std::string daysBeside(double days, double allowed);
/// "82.4 %"; what is above 0 and below 1 % is "< 1 %": neither draws nor the range of a step tell more of it.
[[nodiscard]] std::string chanceInWords(double share);

/// "273 MUSD (230 to 278)": a value and its range in the value's unit; the value alone where low is high or either has
/// no end.
[[nodiscard]] std::string rangeInWords(SizeLimit limit, double value, double low, double high);

/// The same with what the figure is of, where its unit does not say so: "262 MUSD of capital", "21.5 MUSD for the run".
[[nodiscard]] std::string limitInWords(SizeLimit limit, double value);

/// Where a limit has to be, to the digits that are shown and never short of it: what is read can be typed.
[[nodiscard]] std::string neededInWords(SizeLimit limit, double needed);
/// The same without what the figure is of, for beside its title: "11.3 MW".
[[nodiscard]] std::string neededValueInWords(SizeLimit limit, double needed);
/// "9.90 MUSD", "25.1 days": what a fleet has of the objective.
[[nodiscard]] std::string objectiveInWords(DecisionObjective objective, double value);
/// Another fleet's figure held against the winner's: "10.6 MUSD, 7.07 % more".
[[nodiscard]] std::string againstWinner(DecisionObjective objective, double winner, double other);

/// "512 × DGX B200, owned, InfiniBand XDR"; with the label of an offer or an owned fleet in front, the site behind.
[[nodiscard]] std::string fleetInWords(const Lot &lot, int nodes);
[[nodiscard]] std::string fleetInWords(const Result &result, const Answer &answer);
/// What tells a fleet from the base case where both have the same nodes in the same number, paid for alike, and so have
/// one short name for two: the fabric, else the site, else whose costs. Of the base case what tells it from such a
/// fleet of the answer. Empty where nothing reads alike.
[[nodiscard]] std::string distinctionInWords(const Result &result, const Answer &answer);
/// The nodes alone, for columns: "512 × NVIDIA DGX B200"; with the label of an offer or an owned fleet in front, and
/// distinctionInWords() behind, unless that is the fabric, which has a column of its own.
[[nodiscard]] std::string nodesInWords(const Result &result, const Answer &answer);
/// The nodes and what they run, whoever pays for them: "512 × NVIDIA DGX B200, Llama 70B".
[[nodiscard]] std::string hardwareInWords(const DecisionDocument &document, const Result &result, const Answer &answer);
/// How it is paid for, for columns: "owned", "reserved for 3 years", "on demand"; of two fleets both where they differ.
[[nodiscard]] std::string payingInWords(const Result &result, const Answer &answer);
/// Without fabric and site, but for distinctionInWords(): "512 × DGX B200, owned". Names the best fleets of different
/// nodes, where many are listed.
[[nodiscard]] std::string shortFleetInWords(const Result &result, const Answer &answer);

/// How the jobs are laid out: "TP 4, PP 2, DP 512, microbatch 1"; of several jobs with their names.
[[nodiscard]] std::string layoutsInWords(const DecisionDocument &document, const Answer &answer);

/// The ranks alone, for columns: "TP 4, PP 2, DP 512".
[[nodiscard]] std::string splitsInWords(const DecisionDocument &document, const Answer &answer);

/// "31.4 days, 1.4 over"; "88.1 % goodput, 1.9 points short"; "needs 96 GB of an accelerator’s memory, 24 over".
[[nodiscard]] std::string missInWords(const Miss &miss);
/// How far a fleet is from a limit: "3.9 days left", "1.2 MW over", "1.9 points short".
[[nodiscard]] std::string slackInWords(const Tightest &tightest);
[[nodiscard]] std::string tightestInWords(const Tightest &tightest); ///< "Deadline: 3.9 days left"
/// "Deadline", "Deadline by your runs" where so many move what is judged.
[[nodiscard]] std::string titleOf(SizeLimit limit, int ownRuns);
/// The same of a limit that is kept: "facility power, 5.23 MW left".
[[nodiscard]] std::string nearestInWords(const Tightest &tightest);
[[nodiscard]] std::string missesInWords(const Answer &answer); ///< all of them; "" where none is broken

/// "96 nodes need 33.6 days and keep the rest", of the limits.
[[nodiscard]] std::string remedyInWords(const Remedy &remedy);
/// All of them. Where there is none: that no limit moved alone lets it in. Empty for a fleet that breaks nothing.
[[nodiscard]] std::string remediesInWords(const LotAnswer &lot);

/// A limit that a decision states, in the unit of its figure; days from the order to the first run for the delivery.
struct StatedLimit {
    SizeLimit limit = SizeLimit::Deadline;
    double value = 0;
    bool operator==(const StatedLimit &) const = default;
};
/// As somebody stated it: "30 days", "300 MUSD of capital", "a first run after 240 days".
[[nodiscard]] std::string statedInWords(const StatedLimit &stated);
/// The same for beside the limit's title: "300 MUSD".
[[nodiscard]] std::string statedValueInWords(const StatedLimit &stated);
/// In the order of SizeLimit.
[[nodiscard]] std::vector<StatedLimit> statedLimits(const DecisionDocument &document);

/// What each limit alone keeps out, a sentence each: where it would have to be for the first fleet with less of the
/// objective, and what that has. Limits that keep out nothing are passed over.
[[nodiscard]] std::vector<std::string> keptOutInWords(const DecisionDocument &document, const Result &result);

/// That the layout is not the fastest but the simplest near it (layoutsearch::indistinguishable), and what the fastest
/// would save; empty where that is less than worthTelling.
[[nodiscard]] std::string simplestInWords(const Answer &answer);
/// Where a limit has to be, rounded to where it lets the fleet in: to three digits, of days to as many as do not read
/// as other days than those of the fleet to three.
[[nodiscard]] double neededToDigits(SizeLimit limit, double needed);
/// The figures of a fleet that everybody asks for, without the objective's and that of a limit, which are said already:
/// "29.4 days, 166 MUSD of capital and 6.71 MW".
[[nodiscard]] std::string figuresInWords(
    const FleetFigures &figures, DecisionObjective objective, std::optional<SizeLimit> said = std::nullopt);
/// What another batch near the stated one would do: "With a batch of 2268 instead of 2048 it would be 21 \u00d7 ...";
/// empty where it would do nothing better, or where that is not known.
[[nodiscard]] std::string otherBatchInWords(const DecisionDocument &document, const Result &result);
/// Which numbers of nodes are left out, by which batches, and whether others nearby would do better; empty: none are.
[[nodiscard]] std::string leftOutInWords(const DecisionDocument &document, const Result &result);
/// A job that states no range of batches, with the range from its own batch to that of the better fleet.
struct BatchRange {
    std::size_t job = 0;
    int least = 0, most = 0;
};
/// What lets otherBatchInWords() in; empty where that is.
[[nodiscard]] std::vector<BatchRange> otherBatches(const DecisionDocument &document, const Result &result);
/// Whether it saves enough to stand among the first things that are said: whoever trains has to agree to it.
[[nodiscard]] bool isBatchWorthALine(const DecisionDocument &document, const Result &result);

/// That what is bought takes far more capital than the budget of the run, where the capital is not limited; else "".
[[nodiscard]] std::string capitalInWords(const DecisionDocument &document, const Answer &answer);

/// The answer in sentences: the winner with its figures, what speaks against it (another fleet is the best in more
/// draws, where they are known; what a reservation costs in all; an offer whose last day nobody compared), what limits
/// keep out, what the next fleet and the base case do against it; or that nothing meets the limits ("Nothing meets 10
/// MW and 30 days: the nearest is 11.2 MW and 30 days, or 10 MW and 33.6 days"), with the fleets that would. The first
/// is the recommendation.
[[nodiscard]] std::vector<std::string> recommendation(
    const DecisionDocument &document, const Result &result, const HowSure *sure = nullptr);

/// What the next fleet of another node and the base case do against the winner, and withoutCapitalInWords(): the end
/// of recommendation(). None without a winner.
[[nodiscard]] std::vector<std::string> rivalsInWords(const DecisionDocument &document, const Result &result);

/// What the jobs cost at least where nothing is bought and nothing is reserved (Result::cheapestUncommitted()); ""
/// where the best is had so itself, none keeps the limits, or the objective is another one.
[[nodiscard]] std::string withoutCapitalInWords(const DecisionDocument &document, const Result &result);

/// What stands beside the cards, a line each: the winner and the next fleet of another node, what speaks against the
/// winner most, and of each limit that keeps out a better fleet in short which one ("With 13.6 MW instead of 12 MW:
/// 1024 \u00d7 DGX H200, owned, 11.8 % less cost of the run."). Without a winner recommendation(), in one line.
[[nodiscard]] std::vector<std::string> briefly(
    const DecisionDocument &document, const Result &result, const HowSure *sure = nullptr);

/// The same, a sentence each, for where some may have no room: the winner, what measured runs make of it, which
/// fleet is the best more often, the next fleet of another node, what speaks against the winner, and what limits keep
/// out.
[[nodiscard]] std::vector<std::string> inOrderOfWeight(
    const DecisionDocument &document, const Result &result, const HowSure *sure = nullptr);

/// USD that a reservation costs until its term ends; nothing for fleets that are not reserved for years.
[[nodiscard]] std::optional<double> reservationUsd(const Result &result, const Answer &answer);

/// The days of a fleet: "ordered on 2026-12-01, first run after 160 days on 2027-05-10, jobs done on 2027-06-05";
/// without the day of the order the days alone. Where the delivery is not known: that it is not, where an order or a
/// limit on it is stated.
[[nodiscard]] std::string calendarInWords(const DecisionDocument &document, const Answer &answer);

/// That the days count from the start of the run and nobody knows how long after the order that is; "" where a lead
/// time is known, and of what is rented or there already.
[[nodiscard]] std::string leadTimeInWords(const Result &result, const Answer &answer);

/// What the formula alone would choose, and what the project's measured runs make of that; where both choose one fleet,
/// what either says of it. "" without measured runs, or where they change no figure as it is written.
[[nodiscard]] std::string measuredInWords(const Result &result);
/// The same in a line: that the runs decide, and what the formula alone would choose.
[[nodiscard]] std::string measuredInShort(const Result &result);
/// "The same fleet now takes 28.9 days and 9.33 MUSD; approved were 25.9 days and 8.37 MUSD.": measured runs, prices or
/// constants moved what was approved; or that another fleet is the best now. Empty where neither moved by worthTelling.
[[nodiscard]] std::string movedInWords(const Result &approved, const Result &now);

/// How sure the answer is: the draws, what decides the order of the first two, and at which prices another wins.
[[nodiscard]] std::vector<std::string> howSureInWords(const HowSure &sure);

/// What people ask first about how sure it is, with the title of each row.
struct SureHeadline {
    std::string title, sentence;
};
/// What would change the choice (prices a fifth up and down), which inputs move days and cost of the winner most, and
/// which quote or measurement would make the choice safer. None without draws of the winner.
[[nodiscard]] std::vector<SureHeadline> sureHeadlines(const HowSure &sure);
/// "One run in ten takes longer than 39.8 days."; empty where it is not drawn, or certain.
[[nodiscard]] std::string lateInWords(const uncertainty::FleetRisk *risk);

/// What whoever approves the winner signs for, a sentence each: the chance of the date, how often another fleet is the
/// best, the range of the capital, and a delivery of which nothing is known. `ranges` as drawn on that day.
[[nodiscard]] std::vector<std::string> risksInWords(
    const DecisionDocument &document, const Result &result, const PredictedRanges &ranges);

/// A chance of the deadline that is usually asked for.
inline constexpr double usualDeadlineChance = 0.9;
/// What may be demanded of the deadline: the winner keeps it with less, and nobody has said how sure it has to be.
[[nodiscard]] std::optional<double> chanceToDemand(
    const DecisionDocument &document, const Result &result, const uncertainty::FleetRisk *winner);

/// What binds: the winner's tightest limit (or that none is stated, or that nothing keeps them all), what each limit
/// keeps out, the best without it, and which of them keep out nothing.
[[nodiscard]] std::vector<std::string> bindingInWords(const DecisionDocument &document, const Result &result);

/// What was looked at: "1,204 numbers of nodes of 87 fleets; 312 more that no layout of the jobs divides".
[[nodiscard]] std::string countsInWords(const Result &result);

/// "512 × NVIDIA DGX B200, rented, on demand": what the plan of a fleet is called, what tells it apart first.
[[nodiscard]] std::string fleetTitle(int nodes, std::string_view node, const CostDocument &costs);

} // namespace fleetwright::size
