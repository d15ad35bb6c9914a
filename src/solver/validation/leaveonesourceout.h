// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/estimation.h"
#include "solver/validation/leftout.h"
#include "solver/validation/measuredrun.h"

#include <atomic>
#include <functional>
#include <map>

/// How far a prediction is off at a site that no estimate has seen.
namespace fleetwright::validation {

struct LeaveOneSourceOut {
    detailed::Estimation all; ///< with every source
    std::map<std::string, detailed::Constants, std::less<>> without; ///< by the source that was left out
    /// ln(measured / predicted) of each run with constants that were estimated anew, from neutral values, without the
    /// run's source.
    std::vector<double> logErrors;
};

/// Estimates once with all runs and once without each source, on all cores. `done` counts the sources that are done.
/// Refuses as detailed::estimate(); MissingField "runs" where all runs are of one source.
[[nodiscard]] Expected<LeaveOneSourceOut> leaveOneSourceOut(std::span<const detailed::CalibrationRun> runs,
    const detailed::Constants &start, std::stop_token stop = {}, std::atomic<int> *done = nullptr);

/// The left-out errors of all measured runs that `detailed` prices, those that teach and those that only score:
/// estimates from the former (RunConfiguration::teaches()), prices each with what was estimated without its source.
[[nodiscard]] Expected<LeftOut> leftOutErrors(std::span<const MeasuredRun> runs, const LeaveOneSourceOut &estimates);
/// Those runs of a file from which constants are learnt.
[[nodiscard]] std::vector<detailed::CalibrationRun> teachingRuns(std::span<const MeasuredRun> runs);

/// Mean over sources of the median and of the mean of |predicted / measured - 1|.
struct MacroErrors {
    double median = 0, mean = 0;
    int sources = 0;
};
[[nodiscard]] MacroErrors macroErrors(
    std::span<const detailed::CalibrationRun> runs, std::span<const double> logErrors);

} // namespace fleetwright::validation
