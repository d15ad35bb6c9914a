// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/costmodel.h"
#include "solver/validation/measuredrun.h"
#include "solver/validation/runconfiguration.h"

#include <atomic>
#include <cmath>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

/// Predicted against measured: how far a cost model has been from runs that somebody timed.
namespace fleetwright::validation {

/// Errors are relative to the measured value; fractions.
struct ErrorFigures {
    int count = 0;
    double medianError = 0, meanError = 0, p90Error = 0; ///< of absolute relative errors
    double bias = 0; ///< mean of signed relative errors; positive: predicted too slow
};

/// Of signed relative errors; all zero for none.
[[nodiscard]] ErrorFigures errorFigures(const std::vector<double> &errors);

/// One scored run.
struct ScoredRun {
    std::size_t run = 0; ///< index into the file
    std::string id;
    Seconds predicted{}, measured{};
    double error = 0; ///< signed: predicted over measured, minus 1
    /// ln(measured / predicted), as ranges and effects of sources take errors.
    [[nodiscard]] double logError() const { return std::log(measured / predicted); }
    double mfu = 0;
    bool timed = false; ///< step time was scored
    std::optional<Bytes> predictedMemory, measuredMemory; ///< set where memory was scored
    std::optional<bool> predictedFits, ranOutOfMemory; ///< both set where the verdict was scored
    bool singleNode = false;
    StepBreakdown breakdown; ///< of the prediction
    bool hostBound = false; ///< a layer takes as long as the host needs to launch it; known of `detailed` only
};

struct MemoryScore {
    double macroMedianError = 0;
    std::map<std::string, ErrorFigures> sources;
    int verdictsRight = 0, verdicts = 0; ///< out of memory or not, where the run says so
};

/// A group of at least five rows that differ only in how the job was split.
struct RankGroup {
    std::string name;
    std::vector<std::size_t> rows; ///< indices into Validation::runs
    double kendallTau = 0;
    double regret = 0; ///< measured time of the model's favourite over the fastest, minus 1
    bool singleNode = false;
};

/// A run whose step time was not scored.
struct NotScored {
    std::size_t run = 0; ///< index into the file
    std::string reason;
};

struct Validation {
    std::string costModelId, costModelVersion;
    int rows = 0, priced = 0;
    std::map<std::string, int> skipped; ///< by reason
    std::vector<NotScored> notScored{}; ///< the same runs one by one, in the order of the file
    double macroMedianError = 0, macroMeanError = 0; ///< mean over sources of the source's median or mean
    ErrorFigures overall;
    std::map<std::string, ErrorFigures> sources, accelerators, families, sizes, parallelisms, precisions,
        kinds; ///< keys in words
    MemoryScore memory;
    std::vector<RankGroup> groups;
    std::optional<double> kendallTau, regret; ///< means over groups; nothing without groups
    std::vector<ScoredRun> runs; ///< in the order of the file
    [[nodiscard]] std::optional<double> kendallTauOf(bool singleNode) const;
    [[nodiscard]] std::optional<double> regretOf(bool singleNode) const;
};

/// Prices every row with the model. `constants`: for `detailed` only. Rows are independent: any thread count gives the
/// same answer. `progress` counts rows done. Cancelled when stopped. UnknownReference "cost_model".
[[nodiscard]] Expected<Validation> validate(std::span<const MeasuredRun> runs, std::string_view costModelId,
    const detailed::Constants &constants = {}, std::stop_token stop = {}, std::atomic<std::size_t> *progress = nullptr,
    Rules rules = Rules::Current);

/// As Validation::skipped counts the rows that are no runs.
inline constexpr std::string_view unreadReason = "row not understood";
/// Counts the rows of the file that are no runs among those that were not scored.
void countUnread(const RunFile &file, Validation &validation);

/// Words under which breakdowns group a run: "Hopper", "10-30 B", "TP + PP + DP".
[[nodiscard]] std::string sizeClass(double parameters);
[[nodiscard]] std::string parallelismKind(const detailed::Layout &layout);

/// What a person should know about one miss, a sentence each: which parts of the step the prediction is made of, what
/// the run leaves unsaid and the mapping assumed, how the other runs of the source fare, what the model does not
/// describe, and the notes of the row.
[[nodiscard]] std::vector<std::string> explainMiss(
    const MeasuredRun &run, const ScoredRun &scored, const Validation &validation);

/// Kendall's tau-b of two equally long lists; 0 where one of them is constant.
[[nodiscard]] double kendallTau(std::span<const double> a, std::span<const double> b);

} // namespace fleetwright::validation
