// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/estimation.h"

#include <atomic>

/// How far a prediction is off at a site that no estimate has seen.
namespace fleetwright::validation {

struct LeaveOneSourceOut {
    detailed::Estimation all; ///< with every source
    /// ln(measured / predicted) of each run with constants that were estimated anew, from neutral values, without the
    /// run's source.
    std::vector<double> logErrors;
};

/// Estimates once with all runs and once without each source, on all cores. `done` counts the sources that are done.
/// Refuses as detailed::estimate(); MissingField "runs" where all runs are of one source.
[[nodiscard]] Expected<LeaveOneSourceOut> leaveOneSourceOut(std::span<const detailed::CalibrationRun> runs,
    const detailed::Constants &start, std::stop_token stop = {}, std::atomic<int> *done = nullptr);

/// Mean over sources of the median and of the mean of |predicted / measured - 1|.
struct MacroErrors {
    double median = 0, mean = 0;
    int sources = 0;
};
[[nodiscard]] MacroErrors macroErrors(
    std::span<const detailed::CalibrationRun> runs, std::span<const double> logErrors);

} // namespace fleetwright::validation
