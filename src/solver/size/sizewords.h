// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/decisionrisk.h"
#include "units/unitsymbol.h"

/// What people read about the answer to a decision: the only place that words it.
namespace fleetwright::size {

/// "Deadline", "Cost of the run", "Facility power"...
[[nodiscard]] std::string_view titleOf(SizeLimit limit);

/// The figure of a limit with its unit: "31.4 days", "262 MUSD", "11.2 MW", "90 %", "first run after 240 days". "not
/// known" and "never ends" where it is so.
[[nodiscard]] std::string valueInWords(SizeLimit limit, double value);

/// "273 MUSD (230 to 278)": a value and its range in the value's unit; the value alone where low is high or either has
/// no end.
[[nodiscard]] std::string rangeInWords(SizeLimit limit, double value, double low, double high);

/// The same with what the figure is of, where its unit does not say so: "262 MUSD of capital", "21.5 MUSD for the run".
[[nodiscard]] std::string limitInWords(SizeLimit limit, double value);

/// Where a limit has to be, to the digits that are shown and never short of it: what is read can be typed.
[[nodiscard]] std::string neededInWords(SizeLimit limit, double needed);

/// "512 × DGX B200, owned, InfiniBand XDR"; with the label of an offer or an owned fleet in front, the site behind.
[[nodiscard]] std::string fleetInWords(const Lot &lot, int nodes);
[[nodiscard]] std::string fleetInWords(const Result &result, const Answer &answer);
/// The nodes alone, for columns: "512 × NVIDIA DGX B200"; with the label of an offer or an owned fleet in front.
[[nodiscard]] std::string nodesInWords(const Result &result, const Answer &answer);
/// How it is paid for, for columns: "owned", "reserved for 3 years", "on demand"; of two fleets both where they differ.
[[nodiscard]] std::string payingInWords(const Result &result, const Answer &answer);
/// Without fabric and site: "512 × DGX B200, owned". Names the best fleets of different nodes, where many are listed.
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
/// In the order of SizeLimit.
[[nodiscard]] std::vector<StatedLimit> statedLimits(const DecisionDocument &document);

/// What each limit alone keeps out, a sentence each: where it would have to be for the first fleet with less of the
/// objective, and what that has. Limits that keep out nothing are passed over.
[[nodiscard]] std::vector<std::string> keptOutInWords(const DecisionDocument &document, const Result &result);

/// That what is bought takes far more capital than the budget of the run, where the capital is not limited; else "".
[[nodiscard]] std::string capitalInWords(const DecisionDocument &document, const Answer &answer);

/// The answer in sentences: the winner with its figures, what speaks against it (another fleet is the best in more
/// draws, where they are known; what a reservation costs in all; an offer whose last day nobody compared), what limits
/// keep out, what the next fleet and the base case do against it; or that nothing meets the limits ("Nothing meets 10
/// MW and 30 days: the nearest is 11.2 MW and 30 days, or 10 MW and 33.6 days"), with the fleets that would. The first
/// is the recommendation.
[[nodiscard]] std::vector<std::string> recommendation(
    const DecisionDocument &document, const Result &result, const HowSure *sure = nullptr);

/// What the next fleet of another node and the base case do against the winner: the end of recommendation(). None
/// without a winner.
[[nodiscard]] std::vector<std::string> rivalsInWords(const DecisionDocument &document, const Result &result);

/// USD that a reservation costs until its term ends; nothing for fleets that are not reserved for years.
[[nodiscard]] std::optional<double> reservationUsd(const Result &result, const Answer &answer);

/// The days of a fleet: "ordered on 2026-12-01, first run after 160 days on 2027-05-10, jobs done on 2027-06-05";
/// without the day of the order the days alone. Where the delivery is not known: that it is not, where an order or a
/// limit on it is stated.
[[nodiscard]] std::string calendarInWords(const DecisionDocument &document, const Answer &answer);

/// How sure the answer is: the draws, what decides the order of the first two, and at which prices another wins.
[[nodiscard]] std::vector<std::string> howSureInWords(const HowSure &sure);

/// What binds: the winner's tightest limit (or that none is stated, or that nothing keeps them all), what each limit
/// keeps out, the best without it, and which of them keep out nothing.
[[nodiscard]] std::vector<std::string> bindingInWords(const DecisionDocument &document, const Result &result);

/// What was looked at: "1,204 numbers of nodes of 87 fleets; 312 more that no layout of the jobs divides".
[[nodiscard]] std::string countsInWords(const Result &result);

} // namespace fleetwright::size
