// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/steprange.h"
#include "solver/validation/validation.h"

#include <string>
#include <vector>

/// How far to trust one prediction: an interval from the errors of comparable runs, and what about the plan was never
/// validated.
namespace fleetwright::validation {

/// One scored run as ranges need it.
struct ReferenceRun {
    std::string source;
    detailed::Family family = detailed::Family::A100;
    std::string accelerator;
    std::string parallelism; ///< parallelismKind()
    std::string size; ///< sizeClass()
    int precisionBits = 16;
    bool experts = false, lora = false, contextParallel = false, tensorParallel = false, pipelineParallel = false,
         shardedParameters = false;
    std::int64_t accelerators = 1, sequenceLength = 1, stages = 1;
    double parameters = 0;
    double error = 0; ///< signed
};

/// The runs behind the ranges, with their errors under the shipped constants.
class RangeTable {
public:
    explicit RangeTable(std::vector<ReferenceRun> runs);
    /// Comparable runs are those of the same family, kind of parallelism and size; conditions are dropped in the order
    /// size, parallelism, family until at least twelve runs of at least two sources remain. The interval is the 80 %
    /// range of measured over predicted times, every source with equal weight. A new source differs from S known ones
    /// by more than they differ among each other, so the tails of 10 % are shortened by S / (S + 2); predicting the
    /// runs of each published source from the others, the interval then holds 78 % of them on average
    /// (tests/exchange/tst_shippedvalidation.cpp). A prediction lies within its own interval.
    [[nodiscard]] PredictionRange rangeOf(
        const detailed::Setting &setting, const detailed::Layout &layout, Seconds stepTime) const;
    [[nodiscard]] std::span<const ReferenceRun> runs() const { return m_runs; }

private:
    std::vector<ReferenceRun> m_runs;
};

[[nodiscard]] std::vector<ReferenceRun> referenceRuns(
    std::span<const MeasuredRun> runs, const detailed::Constants &constants = {});

} // namespace fleetwright::validation
