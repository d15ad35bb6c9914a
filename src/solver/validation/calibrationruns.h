// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogrecord.h"
#include "domain/plandocument.h"
#include "solver/models/detailed/calibration.h"
#include "solver/validation/measuredrun.h"
#include "solver/validation/steprange.h"

/// Measured runs as the calibration takes them.
namespace fleetwright::validation {

/// Sizes of a workload of the catalog as runs state them. What the catalog does not know is absent.
[[nodiscard]] MeasuredModel modelOf(const CatalogRecord &workload);

/// A run of the plan before it is measured: hardware, model, batch and the layout, of a plan that leaves it open the
/// one that is recommended. It is predicted as the plan is by `detailed`, digit for digit, but for notInRunLike().
/// `rangeOf` and refusals as resolveWithBestLayout(), and refused as configurationFrom().
[[nodiscard]] Expected<MeasuredRun> runLike(const PlanDocument &document, const Catalog &catalog,
    const RangeOf &rangeOf = {}, const std::stop_token &stop = {});
/// What makes the plan's own step time another one: a sentence each.
[[nodiscard]] std::vector<std::string> notInRunLike(const PlanDocument &document);

struct SkippedRun {
    std::string id;
    std::string reason; ///< why it cannot be fitted, in a few words
    bool operator==(const SkippedRun &) const = default;
};

struct CalibrationRuns {
    std::vector<detailed::CalibrationRun> runs;
    std::vector<SkippedRun> skipped;
};

/// Every run that has a configuration, a measured step time and a layout that can exist; the others with their reason.
/// Runs without a source count as one source. Ids are those of the runs; where two are alike they stay alike.
[[nodiscard]] CalibrationRuns calibrationRuns(std::span<const MeasuredRun> runs);

/// A run as the other runs of its source predict it.
struct LeftOutPrediction {
    Seconds predicted{};
    double error = 0; ///< signed, relative to the measured time
};

/// A calibration to measured runs, with what had to be left out.
struct RunCalibration {
    detailed::Calibration calibration; ///< the constants; its errors are those of the runs that they were fitted to
    std::vector<SkippedRun> skipped;
    std::vector<LeftOutPrediction> leftOut{}; ///< of each run of the calibration: what a new run must expect
    double medianErrorLeftOut = 0, meanErrorLeftOut = 0; ///< absolute
    double siteEffect = 0; ///< mean over the runs of ln(measured / predicted) that their source explains
};
/// Whether it is worth applying, how far off a new run must be expected and what to beware of; a sentence each, without
/// statistics.
[[nodiscard]] std::vector<std::string> inWords(const RunCalibration &calibration);
/// The rows of the file that are no runs, as runs that were left out.
[[nodiscard]] std::vector<SkippedRun> leftOut(const RunFile &file);

/// What a calibration starts from.
struct CalibrationStart {
    detailed::Constants present; ///< in use; the errors before the fit are theirs
    /// Believed beforehand: effects are counted from them and constants are drawn to them. No fit to the same runs.
    detailed::Constants centre{};
};

inline constexpr std::size_t mostRunsOfASource = 2000;

/// Learns the effect of each source from its runs (sourceeffect.h), predicts every run from the others of its source,
/// and moves `constants` (empty: those that the runs identify) as far as the runs identify them beside the effect.
/// Refuses as detailed::calibrateBeside(); where no run can be used the sentence says why the first cannot; OutOfRange
/// "runs" beyond mostRunsOfASource.
[[nodiscard]] Expected<RunCalibration> calibrate(std::span<const MeasuredRun> runs, const CalibrationStart &start,
    const std::vector<detailed::Constant> &constants = {}, std::stop_token stop = {},
    std::atomic<int> *iterations = nullptr);

} // namespace fleetwright::validation
