// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/solve.h"
#include "solver/validation/newsite.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <stop_token>

namespace fleetwright::exchange {

/// The ranges of the cost model `detailed` from the runs that come with the program and their left-out errors. Made on
/// the first call, then kept; any thread may call. Empty where the shipped runs or errors cannot be read.
[[nodiscard]] const validation::RangeTable &shippedRangeTable();

/// What the shipped left-out errors say beside a validation; nullptr unless it is one of `detailed`,
/// or when stopped.
[[nodiscard]] std::shared_ptr<const validation::NewSite> shippedNewSite(const validation::Validation &validation,
    std::span<const validation::MeasuredRun> runs, const std::stop_token &stop = {});

/// The same as a project predicts, of a validation with its constants: no left-out error is known of those. `site`: of
/// the runs that the project holds; nullptr: it holds none.
[[nodiscard]] std::shared_ptr<const validation::NewSite> projectNewSite(const validation::Validation &validation,
    std::span<const validation::MeasuredRun> runs, const validation::OwnSite *site, const std::stop_token &stop = {});

/// What 0, 1, 3, 5 and 10 known runs of a source do for its others, over the same sources for each: those with enough
/// runs for ten. `validation` is one of `detailed`. Cancelled when stopped.
[[nodiscard]] Expected<std::map<int, validation::FewShotFigures>> shippedFewShot(
    const validation::Validation &validation, std::span<const validation::MeasuredRun> runs, std::stop_token stop);

/// The range of the plan's step time by the shipped runs, moved and narrowed by the own runs of its site where they are
/// given and the plan edits no constant; nothing unless `detailed` priced it.
[[nodiscard]] std::optional<validation::PredictionRange> shippedRangeOf(
    const Plan &plan, const Solution &solution, const validation::OwnSite *site = nullptr);
/// The same of a step time by the plan's own cost model.
[[nodiscard]] std::optional<validation::PredictionRange> shippedRangeOf(
    const Plan &plan, Seconds stepTime, const validation::OwnSite *site = nullptr);

/// The same of plans of a site, for what chooses layouts by its runs; empty without a site. The site must outlive it.
[[nodiscard]] validation::RangeOf rangesOfSite(const validation::OwnSite *site);

/// What stands beside the errors of a validation of `detailed`.
struct HonestScores {
    const validation::NewSite *newSite = nullptr;
    const std::map<int, validation::FewShotFigures> *fewShot = nullptr;
    const validation::OwnSite *site = nullptr; ///< whose runs the ranges are of
};

/// As `fleetwright-cli validate --format json` prints it: errors are fractions of the measured value, times in seconds,
/// memory in bytes. `file` is what was validated. "runs" holds every run whose step time was scored; "memory.runs"
/// those whose memory was; "not_scored" every other row, as notScoredToJson(). With `honest`: "left_out" (or
/// "own_runs"), "coverage", "levels" of the shipped errors where some are among them, "production" with the claims of
/// others, "few_shot", and the "range": [low, high] of every run.
[[nodiscard]] nlohmann::ordered_json validationToJson(
    const validation::Validation &validation, const validation::RunFile &file, const HonestScores &honest = {});

/// [{"id", "source", "reason"}] of runs, and of the rows that are no runs [{"id", "place", "code", "field", "reason"}],
/// whose id is null where they state none.
[[nodiscard]] nlohmann::ordered_json notScoredToJson(
    const validation::Validation &validation, const validation::RunFile &file);

/// {"low_s", "high_s", "typical_error", "runs", "sources", "comparable", "outside": [sentences], "own_runs",
/// "own_runs_alike", "for"}; the last says in words for whom it holds. Where own runs moved it, it has what they say.
[[nodiscard]] nlohmann::ordered_json rangeToJson(const validation::PredictionRange &range);
/// Nothing when it is no such object.
[[nodiscard]] std::optional<validation::PredictionRange> rangeFromJson(const nlohmann::ordered_json &json);

} // namespace fleetwright::exchange
