// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/pricer.h"

#include <array>
#include <atomic>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

/// Fits the constants of `detailed` to measured runs: bounded least squares (Ceres Solver, trust region after Levenberg
/// and Marquardt) over the logarithms of predicted over measured step times, with a prior that holds what the runs
/// cannot identify at its present value.
namespace fleetwright::detailed {

struct CalibrationRun {
    std::string id;
    std::string source; ///< runs of one source share a weight
    Setting setting;
    Layout layout;
    Seconds measured{};
};

struct CalibrationOptions {
    std::vector<Constant> constants; ///< to fit; empty: those that the runs can identify
    double priorWidth = 0.1; ///< standard deviation of the prior on the logarithm of a constant
    bool robust = true; ///< Cauchy loss: a run that contradicts the others does not pull the fit
};

struct FittedConstant {
    Constant constant{};
    double before = 0, after = 0; ///< SI units
    double low = 0, high = 0; ///< one standard deviation around `after`, from the covariance of the fit
    double identified = 0; ///< share of the uncertainty that the runs removed, 0 to 1: 0 is nothing but the prior
    bool atBound = false;
};

struct CalibratedRun {
    std::string id;
    Seconds measured{}, before{}, after{};
    [[nodiscard]] double errorBefore() const { return before / measured - 1; } ///< signed; positive: predicted too slow
    [[nodiscard]] double errorAfter() const { return after / measured - 1; }
};

struct Calibration {
    Constants constants; ///< all of them, the fitted ones replaced
    std::vector<FittedConstant> fitted; ///< only those that were fitted
    std::vector<CalibratedRun> runs;
    double medianErrorBefore = 0, medianErrorAfter = 0; ///< absolute, relative to measured
    double meanErrorBefore = 0, meanErrorAfter = 0;
    int iterations = 0;
};

/// Constants that the runs can identify: a change of one standard deviation of the prior moves the predicted step time
/// of the runs by noticeably more than the rest of the constants could undo. Sorted by how much.
[[nodiscard]] std::vector<Constant> identifiable(std::span<const CalibrationRun> runs, const Constants &start);

/// How many of the runs measured each constant: a small change of it changes the predicted step time, and it is that of
/// their accelerators and their precision.
[[nodiscard]] std::array<int, constantCount> dependentRuns(
    std::span<const CalibrationRun> runs, const Constants &start);

/// Those of the table that runs decided and that have a logarithm.
[[nodiscard]] std::vector<Constant> fittedConstants(const Constants &start);

/// d ln(step time) / d ln(constant) of each constant at the setting's values, by central differences. The constants
/// must be positive. Nothing where the setting cannot be priced.
[[nodiscard]] std::optional<std::vector<double>> logSlopes(
    const Setting &setting, const Layout &layout, std::span<const Constant> constants);

/// Every run weighs by its distance from the prediction over the noise: 4 %, the usual difference between sites, or
/// what the runs scatter around the fit where that is less (at least 1 %); every source weighs as much as another.
/// Robust fits solve plain squares first and go on with Cauchy's loss from there, so that where the constants start
/// does not decide who is believed; below four runs there are plain squares. Deterministic. `iterations` counts up
/// while it works. MissingField "runs" without runs; OutOfRange "runs" where a measured time is not positive or a run
/// cannot be priced; UnsupportedValue "constants" when the runs identify none; Cancelled.
[[nodiscard]] Expected<Calibration> calibrate(std::span<const CalibrationRun> runs, const Constants &start,
    const CalibrationOptions &options = {}, std::stop_token stop = {}, std::atomic<int> *iterations = nullptr);

/// How both answer when they are stopped.
[[nodiscard]] std::unexpected<Error> cancelledCalibration();

/// Runs of one source, as indices, with the covariance of their ln(measured / predicted) while the constants stand
/// still: row by row, as many rows as runs.
struct CorrelatedRuns {
    std::vector<std::size_t> runs;
    std::vector<double> covariance;
};

/// Fits the constants as far as the runs identify them beside what their source has of its own: least squares of the
/// errors, whitened by the covariance of each source, with the prior around `centre`. Where the effect of the source
/// explains the errors as well, the constants share them by how far each is believed. No constants are named: those
/// whose uncertainty the runs reduce by 5 % or more move; perhaps none, which is no refusal. `present`: what the errors
/// before the fit are taken with. Refuses as calibrate(); OutOfRange "runs" where a covariance is none or sources
/// overlap.
[[nodiscard]] Expected<Calibration> calibrateBeside(std::span<const CalibrationRun> runs,
    std::span<const CorrelatedRuns> sources, const Constants &centre, const Constants &present,
    const CalibrationOptions &options, std::stop_token stop = {}, std::atomic<int> *iterations = nullptr);

} // namespace fleetwright::detailed
