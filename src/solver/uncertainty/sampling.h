// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

/// Draws of uncertain inputs. worth-it.md, section 10.
namespace fleetwright::uncertainty {

enum class Shape : std::uint8_t {
    Triangular, ///< from low over likely to high: prices, rates
    LogNormal, ///< median `likely`; a tenth lies below `low`, a tenth above `high`, each side with a width of its own
    Normal ///< the same, without the logarithm
};

/// An input and its range, in one unit. low <= likely <= high, finite; of LogNormal greater than 0.
struct Input {
    std::string key;
    Shape shape = Shape::Triangular;
    double low = 0, likely = 0, high = 0;
    bool operator==(const Input &) const = default;
};
/// OutOfRange with the key as field.
[[nodiscard]] Expected<void> check(const Input &input);
/// Inverse transform: the value below which the share lies, 0 < share < 1.
[[nodiscard]] double quantile(const Input &input, double share);
/// Of the standard normal, 0 < share < 1.
[[nodiscard]] double normalQuantile(double share);

/// The rank correlation (Spearman) that two inputs are drawn with, -1 to 1.
struct Correlation {
    std::size_t first = 0, second = 0;
    double rank = 0;
    bool operator==(const Correlation &) const = default;
};

inline constexpr std::size_t hypercubes = 10;
inline constexpr std::size_t leastDraws = 10 * hypercubes, mostDraws = 1'000'000;

struct Request {
    std::vector<Input> inputs;
    std::vector<Correlation> correlations; ///< of pairs that are not named: 0
    std::size_t draws = 10'000;
    std::uint64_t seed = 1;
    /// Random streams that a hypercube has; 0: one for each input. With a number of its own, no less than the inputs,
    /// an input is drawn the same whatever stands behind it, correlations with those before it included.
    std::size_t streams = 0;
};

/// Latin hypercubes: in each of ten equal and independent ones every input has one value in each equally likely slice
/// of its range (McKay, Beckman and Conover 1979), put into an order with the ranks that were asked for (Iman and
/// Conover 1982). The spread of a result over the ten says how far it may be off for want of draws.
class Sample {
public:
    [[nodiscard]] std::size_t draws() const { return m_draws; }
    [[nodiscard]] std::size_t inputs() const { return m_inputs; }
    /// Of one input, hypercube after hypercube.
    [[nodiscard]] std::span<const double> of(std::size_t input) const
    {
        return std::span(m_values).subspan(input * m_draws, m_draws);
    }
    /// The first draw of a hypercube; begin(hypercubes) is draws().
    [[nodiscard]] std::size_t begin(std::size_t hypercube) const { return hypercube * m_draws / hypercubes; }

private:
    friend Expected<Sample> draw(const Request &request, const std::stop_token &stop);
    std::size_t m_draws = 0, m_inputs = 0;
    std::vector<double> m_values;
};

/// The same for a seed on every machine and number of threads; the hypercubes are drawn on those of the caller's arena.
/// OutOfRange "draws" (100 to 1,000,000 and a multiple of 10), "correlations" (outside -1 to 1, of inputs that do not
/// exist, or that cannot hold together), and those of check(); Cancelled.
[[nodiscard]] Expected<Sample> draw(const Request &request, const std::stop_token &stop = {});

/// Of values that were drawn hypercube by hypercube.
struct Quantiles {
    double p10 = 0, p50 = 0, p90 = 0, mean = 0;
    double p10Error = 0, p50Error = 0, p90Error = 0, meanError = 0; ///< standard errors, from the ten hypercubes
    bool operator==(const Quantiles &) const = default;
};
/// Infinite values count as the largest ("never"), and so do the errors of what they reach; no NaN may be among them.
[[nodiscard]] Quantiles quantilesOf(std::span<const double> values);
/// The share of the draws that hold, with its standard error.
struct Chance {
    double share = 0, error = 0;
    bool operator==(const Chance &) const = default;
};
[[nodiscard]] Chance chanceOf(std::span<const char> holds);
/// From the share of each hypercube.
[[nodiscard]] Chance chanceOfShares(std::span<const double> ofHypercubes);
/// From 0 up, ties at their mean rank.
[[nodiscard]] std::vector<double> ranksOf(std::span<const double> values);
/// Pearson's correlation of ranks is Spearman's of what they rank; 0 where one of them does not vary.
[[nodiscard]] double correlationOfRanks(std::span<const double> left, std::span<const double> right);
[[nodiscard]] double rankCorrelation(std::span<const double> left, std::span<const double> right);

} // namespace fleetwright::uncertainty
