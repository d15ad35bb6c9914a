// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/models/plannerfacts.h"
#include "solver/models/searcher/searcher.h"

/// The published planners' own searches over the splits of a plan's fleet, in one form for the window and the command
/// line.
namespace fleetwright {

/// What one planner says about one split. Figures that the planner does not produce are absent.
struct PlannerSearchRow {
    int tp = 1, pp = 1, dp = 1;
    bool best = false;
    bool fits = true; ///< false only where the planner knows memory
    std::string why; ///< of a row that does not fit: a sentence; else what else is worth knowing, or empty
    std::optional<Seconds> stepTime, computeTime, dpTime, tpTime, ppTime;
    std::optional<double> mfu;
    std::optional<Bytes> memory, volume, tpVolume, ppVolume, dpVolume;
    std::optional<double> bubble; ///< (pp-1)/(pp-1+m) of the pipelined interval
    std::optional<int> microbatches; ///< that the planner chose for the row
    bool operator==(const PlannerSearchRow &) const = default;
};

struct PlannerSearch {
    std::string planner; ///< id of the cost model whose search it is
    std::string title;
    std::vector<planners::NativeInput> inputs; ///< as derived from the plan
    bool defaultAssumptions =
        false; ///< the plan's assumptions belong to another cost model, so the planner's defaults were used
    std::vector<PlannerSearchRow> rows; ///< in the planner's own order
    std::vector<std::string> recommendation; ///< the answer and its reasons, in sentences
    std::vector<std::string> advice; ///< for mixtures of experts
    std::vector<std::string> warnings;
    std::vector<searcher::Row> searcherRows; ///< of the searcher only: what its output file holds
    bool operator==(const PlannerSearch &) const = default;

    [[nodiscard]] const PlannerSearchRow *best() const;
};

/// Ids of the planners that search, in the order in which they are offered, what answers most of a plan's question
/// first: "first-order" (its split search), "strategy-calculator", "searcher".
[[nodiscard]] std::span<const std::string_view> searchPlanners();
/// How people call the search: "Searcher", "Strategy calculator", "Split search (first-order)".
[[nodiscard]] std::string_view searchPlannerTitle(std::string_view planner);
/// What the planner cannot say of a split: "knows no memory", "knows no time"; empty where it knows both.
[[nodiscard]] std::string_view searchPlannerGap(std::string_view planner);

/// Runs the search on `threads` threads (0: as many as the machine has). The plan's assumptions count where the plan's
/// own cost model is the planner; otherwise the planner's defaults do. UnsupportedValue with field "cost_model" for a
/// model without a search; refusals with fields of plans as the cost models have them; Cancelled after a stop.
[[nodiscard]] Expected<PlannerSearch> runPlannerSearch(const Plan &plan, std::string_view planner, int threads = 0,
    const searcher::Progress &progress = {}, const std::stop_token &stop = {});

/// Puts a row of the search into the plan that was searched: TP and PP of the row, CP, EP and virtual stages 1, ZeRO
/// and sequence parallelism kept. Microbatches that the search chose replace the plan's, and the split search's overlap
/// is switched on where the plan is priced by first-order, so that the plan shows the row's figures.
void adopt(const PlannerSearchRow &row, const PlannerSearch &search, PlanDocument &document);

} // namespace fleetwright
