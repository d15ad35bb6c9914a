// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/internalrate.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace fleetwright {

namespace {

constexpr double leastRate = -0.99, mostRate = 10;
constexpr double leastGrowth = 0.01; ///< 1 + leastRate, without its rounding

struct Slope {
    double value, slope;
};

/// Of the polynomial whose coefficients come with the highest power first.
template <class Range> Slope polynomialAt(const Range &coefficients, double x)
{
    Slope at{0, 0};
    for (const double coefficient : coefficients) {
        at.slope = at.slope * x + at.value;
        at.value = at.value * x + coefficient;
    }
    return at;
}

/// The root between `low` and `high`, at which the polynomial has opposite signs: Newton's steps, halving where one
/// leaves the bracket or is slow.
template <class Range> double rootBetween(const Range &coefficients, double low, double high)
{
    constexpr int mostSteps = 200;
    const bool rising = polynomialAt(coefficients, high).value > 0;
    double x = (low + high) / 2, before = high - low;
    for (int step = 0; step < mostSteps; ++step) {
        const auto at = polynomialAt(coefficients, x);
        if (at.value == 0)
            return x;
        ((at.value > 0) == rising ? high : low) = x;
        double next = x - at.value / at.slope;
        if (!(next > low && next < high) || std::abs(next - x) > before / 2)
            next = (low + high) / 2;
        before = std::abs(next - x);
        x = next;
        if (before <= 1e-16 * x)
            break;
    }
    return x;
}

} // namespace

InternalRate internalRateOfReturn(std::span<const double> flows)
{
    const auto isZero = [](double flow) { return flow == 0; };
    while (!flows.empty() && isZero(flows.front()))
        flows = flows.subspan(1);
    while (!flows.empty() && isZero(flows.back()))
        flows = flows.first(flows.size() - 1);
    int changes = 0;
    double sign = 0, sum = 0;
    for (const double flow : flows) {
        if (std::isnan(flow))
            return {};
        if (isZero(flow))
            continue;
        changes += sign * flow < 0 ? 1 : 0;
        sign = flow > 0 ? 1 : -1;
        sum += flow;
    }
    if (changes != 1)
        return {changes == 0 ? IrrOutcome::None : IrrOutcome::Several, {}};
    if (sum == 0)
        return {IrrOutcome::Unique, 0.0};
    // `sign` is that of the last flow, which decides where the rate is low. Powers of 1/(1 + rate) for rates above 0,
    // of 1 + rate for those below stay between 0 and 1.
    if (sum * sign > 0) {
        const auto backwards = std::views::reverse(flows);
        const double least = 1 / (1 + mostRate), value = polynomialAt(backwards, least).value;
        if (value * sign > 0)
            return {IrrOutcome::Outside, {}};
        return {IrrOutcome::Unique, value == 0 ? mostRate : 1 / rootBetween(backwards, least, 1) - 1};
    }
    const double least = leastGrowth, value = polynomialAt(flows, least).value;
    if (value * sign < 0)
        return {IrrOutcome::Outside, {}};
    return {IrrOutcome::Unique, value == 0 ? leastRate : rootBetween(flows, least, 1) - 1};
}

} // namespace fleetwright
