// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/fewshot.h"
#include "solver/validation/ownsite.h"
#include "solver/validation/predictionrange.h"

#include <stop_token>

/// How far `detailed` is from runs whose source it has not seen: what a plan for another site must expect.
namespace fleetwright::validation {

/// The range of one scored run, made without the runs of its source.
struct ScoredRange {
    std::size_t run = 0; ///< index into Validation::runs
    Seconds prediction{}; ///< the middle: of constants that had not seen the source, where they are known
    Seconds low{}, high{};
    bool leftOut = false; ///< the prediction is one of constants fitted without the source
    bool afterOwnRuns = false; ///< the own runs of the site moved and narrowed it
    [[nodiscard]] bool holds(Seconds measured) const { return low <= measured && measured <= high; }
};

struct LeftOutScore {
    std::vector<ScoredRange> runs; ///< of every timed run, in the order of the validation
    int leftOut = 0; ///< runs whose left-out error is known; the others are scored as predicted
    std::map<std::string, ErrorFigures> sources;
    ErrorFigures overall;
    double macroMedianError = 0, macroMeanError = 0; ///< mean over sources
    Coverage coverage;
};

/// Of a validation of `detailed` with the constants of the program. A run that the table holds is taken with its
/// left-out error, any other as it was predicted; its source, where the table has runs of it, is left out of its range
/// either way. Empty when stopped.
[[nodiscard]] LeftOutScore leftOutScore(const Validation &validation, std::span<const MeasuredRun> runs,
    const RangeTable &table, const std::stop_token &stop = {});

/// The same with other constants, of which no left-out error is known, and with the own runs of a site where there are
/// any (else nullptr): every prediction and range is then that of a run of the site, and a run that is one of them is
/// predicted from the others.
[[nodiscard]] LeftOutScore projectScore(const Validation &validation, std::span<const MeasuredRun> runs,
    const RangeTable &table, const OwnSite *site, const std::stop_token &stop = {});

/// The runs of the validation as fewShot() takes them; those that cannot be priced are not in the answer.
[[nodiscard]] std::vector<FewShotRun> fewShotRuns(const Validation &validation, std::span<const MeasuredRun> runs,
    const RangeTable &table, const detailed::Constants &constants = {});

} // namespace fleetwright::validation
