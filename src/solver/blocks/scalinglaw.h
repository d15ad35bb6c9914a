// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/quantity.h"

#include <cmath>

/// Compute-optimal training after Hoffmann 2022 (approach 3 and its rule of thumb): training takes C = 6 P D FLOP, and
/// a budget is best spent at D = 20 tokens per parameter, which makes P* = sqrt(C / 120). Arguments are positive.
namespace fleetwright::scalinglaw {

inline constexpr double flopPerParameterAndToken = 6; ///< two forward, four backward; attention scores are not in it
inline constexpr double tokensPerParameter = 20;

[[nodiscard]] inline Flops trainingWork(double parameters, double tokens)
{
    return flopPerParameterAndToken * parameters * tokens * flop;
}
[[nodiscard]] inline double optimalTokens(double parameters) { return tokensPerParameter * parameters; }
[[nodiscard]] inline double optimalParameters(Flops work)
{
    return std::sqrt(work.value() / (flopPerParameterAndToken * tokensPerParameter));
}

} // namespace fleetwright::scalinglaw
