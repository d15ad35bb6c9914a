// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/pricer.h"
#include "solver/validation/runconfiguration.h"

namespace fleetwright::validation {

/// The step of a run over all layouts that its source leaves open.
struct LikelyStep {
    Seconds mean{}; ///< geometric, every likely layout alike
    double deviation = 0; ///< standard deviation of its logarithm over them; 0 where the layout is stated
};
/// `pricer` is one of the configuration's setting, with any constants.
[[nodiscard]] LikelyStep likelyStep(const detailed::Pricer &pricer, const RunConfiguration &configuration);

/// The same with these constants. Refusals as Pricer::make().
[[nodiscard]] Expected<LikelyStep> likelyStep(
    const RunConfiguration &configuration, const detailed::Constants &constants);

/// Half-width as a logarithm that a range gains where what ran is guessed (the precision) or has no term (state on the
/// host): published runs with all state on the host took 32 % longer than predicted.
inline constexpr double guessedHalfWidth = 0.30;

/// Standard deviation of the logarithm of the step over all that the facts leave open: the layout, the precision, and
/// what the cost model has no term for.
[[nodiscard]] double openDeviation(const RunConfiguration &configuration, const LikelyStep &step);

} // namespace fleetwright::validation
