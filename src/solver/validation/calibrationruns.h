// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogrecord.h"
#include "solver/models/detailed/calibration.h"
#include "solver/validation/measuredrun.h"

/// Measured runs as the calibration takes them.
namespace fleetwright::validation {

/// Sizes of a workload of the catalog as runs state them. What the catalog does not know is absent.
[[nodiscard]] MeasuredModel modelOf(const CatalogRecord &workload);

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

/// A calibration to measured runs, with what had to be left out.
struct RunCalibration {
    detailed::Calibration calibration;
    std::vector<SkippedRun> skipped;
};
/// The rows of the file that are no runs, as runs that were left out.
[[nodiscard]] std::vector<SkippedRun> leftOut(const RunFile &file);

/// Fits `constants` (empty: those that the runs can identify), starting from `start`. Refuses as detailed::calibrate();
/// where no run can be used the sentence says why the first cannot.
[[nodiscard]] Expected<RunCalibration> calibrate(std::span<const MeasuredRun> runs, const detailed::Constants &start,
    const std::vector<detailed::Constant> &constants = {}, std::stop_token stop = {},
    std::atomic<int> *iterations = nullptr);

} // namespace fleetwright::validation
