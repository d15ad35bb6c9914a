// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/calibration.h"

/// The constants of `detailed` at a typical site, estimated from runs of many sources. A source is a site and a
/// release: its runs share an effect that no other site has, so that a source with many runs says little more about
/// the others than one with few.
///
/// Model of a run r of source s: ln(measured / predicted(constants)) = e_s + u_r, with e_s normal of width
/// `betweenSources` and u_r after Student (four degrees of freedom) of the source's own scatter, at least
/// `smallestScatter`; at most `mostEffectiveRuns` runs of a source count. Every constant has a prior that comes from no
/// fit: a round physical value and a wide standard deviation of its logarithm (neutralPriors()). The effects are
/// integrated out, the constants maximise what is left (Gauss and Newton, weights renewed in every pass).
namespace fleetwright::detailed {

/// Round value and standard deviation of the logarithm of a constant before any run is seen.
struct NeutralPrior {
    Constant constant{};
    double value = 0; ///< in the unit of its descriptor
    double width = 0;
};
/// Of every constant that is estimated; the others keep their values.
[[nodiscard]] std::span<const NeutralPrior> neutralPriors();

struct SourceFit {
    std::string source;
    int runs = 0;
    double effect = 0; ///< mean of e_s given its runs; positive: the source takes longer than a typical site
    double deviation = 0; ///< standard deviation of e_s given its runs
};

struct Estimation {
    Constants constants;
    std::vector<double> logErrors; ///< ln(measured / predicted) of each run
    std::vector<SourceFit> sources; ///< in the order of their names
    int passes = 0;
};

struct EstimationOptions {
    double betweenSources = 0.02; ///< width of e_s while constants are estimated
    int mostPasses = 15;
    std::optional<Constants> from; ///< where to begin; nothing: at the neutral values
};

/// Runs whose source is `without` are priced, but nothing is learnt from them. `start` gives the constants that are not
/// estimated. Deterministic. MissingField "runs" without runs to learn from; OutOfRange "runs" for one that cannot be
/// priced; Cancelled.
[[nodiscard]] Expected<Estimation> estimate(std::span<const CalibrationRun> runs, const Constants &start,
    std::optional<std::string_view> without = {}, const EstimationOptions &options = {}, std::stop_token stop = {});

} // namespace fleetwright::detailed
