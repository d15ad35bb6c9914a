// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/calibration.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

/// What one source (a site with its release of the software) does differently from the typical one that the constants
/// describe, learnt from a few of its runs: a Gaussian process over ln(measured / predicted). Formulas:
/// resources/handbook/calibration.md.
namespace fleetwright::validation {

/// Standard deviations of the parts of the effect, as logarithms. They stand once: the values of greatest likelihood
/// over the published sources, each predicted with constants that had not seen it.
struct EffectScales {
    double source = 0.02; ///< [tau] one factor on all runs of the source
    double constants = 0.11; ///< [w] constants that the source has of its own
    double discrepancy = 0.135; ///< [s] what runs that are alike share beyond that
    double length = 3.1; ///< [l] over which likeness in the features is lost
    double run = 0.085; ///< [sigma] of a single run
};

/// Where a run or plan stands.
struct EffectPlace {
    /// Logarithms of tokens in a microbatch, parameters of a rank, accelerators, sequence length, TP, PP, CP and hidden
    /// size; experts, precision, recomputation, sharded parameters and accelerator family as distances that were chosen
    /// so that a different kind is as far away as a factor of 5 to 50 in a size.
    std::array<double, 13> features{};
    std::vector<double> slopes; ///< d ln(step time) / d ln(constant) of detailed::fittedConstants()
};
/// Nothing where the setting cannot be priced.
[[nodiscard]] std::optional<EffectPlace> effectPlace(const detailed::Setting &setting, const detailed::Layout &layout);

/// Covariance of the effects at two places: tau^2 + s^2 exp(-distance / l), and w^2 times the product of the slopes.
struct EffectCovariance {
    double ownConstants = 0; ///< what constants of the source's own explain
    double rest = 0;
    [[nodiscard]] double total() const { return ownConstants + rest; }
};
[[nodiscard]] EffectCovariance effectCovariance(
    const EffectPlace &a, const EffectPlace &b, const EffectScales &scales = {});

/// Of ln(measured / predicted) of a run that is not among those that were learnt from, its own scatter included.
struct EffectPosterior {
    double mean = 0;
    double deviation = 0;
};

/// A run to learn from.
struct EffectRun {
    EffectPlace place;
    double logError = 0; ///< ln(measured / predicted)
};

/// Immutable; copies share what was computed.
class SourceEffect {
public:
    /// Without runs the effect is nowhere and as uncertain as a new source. From four runs on, one that lies more than
    /// 2.5 standard deviations from what the others say counts as scattering by as much as it does (`robust`).
    /// Thousands of runs take seconds; one that was stopped is not to be asked.
    explicit SourceEffect(std::vector<EffectRun> runs, const EffectScales &scales = {}, bool robust = true,
        const std::stop_token &stop = {});

    [[nodiscard]] std::size_t count() const;
    [[nodiscard]] EffectPosterior at(const EffectPlace &place) const;
    /// Which share of what the runs say the place takes over, the rest being the constants': the mean there where every
    /// run had the same ln(measured / predicted) = 1. 0 without runs.
    [[nodiscard]] double weight(const EffectPlace &place) const;
    /// Share of a new source's uncertainty that is left at the place: 1 without runs.
    [[nodiscard]] double remaining(const EffectPlace &place) const;
    /// What the other runs say about run `i`: the closed form of leaving it out.
    [[nodiscard]] EffectPosterior leaveOneOut(std::size_t i) const;
    /// The deviation at the place once a run at `candidate` is measured, whatever it says.
    [[nodiscard]] double deviationWith(const EffectPlace &place, const EffectPlace &candidate) const;
    /// Covariance of the runs while the constants stand still, row by row: for detailed::calibrateBeside().
    [[nodiscard]] std::vector<double> covarianceBesideConstants() const;
    [[nodiscard]] const EffectScales &scales() const;

private:
    struct Learnt;
    std::shared_ptr<const Learnt> m_learnt;
};

} // namespace fleetwright::validation
