// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/uncertainty/sampling.h"

#include "solver/uncertainty/random.h"

#include <Eigen/Cholesky>
#include <boost/math/special_functions/erf.hpp>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

namespace fleetwright::uncertainty {

double normalQuantile(double share) { return std::numbers::sqrt2 * boost::math::erf_inv(2 * share - 1); }

namespace {

/// How far the tenth part lies from the middle of a standard normal.
const double tenth = normalQuantile(0.9);

void shuffle(std::span<double> values, Random &random)
{
    for (std::size_t i = values.size(); i > 1; --i)
        std::swap(values[i - 1], values[random.below(i)]);
}

/// The normal scores that have a rank correlation: those of a normal pair with Pearson's 2 sin(pi r / 6).
double scoreCorrelation(double rank) { return 2 * std::sin(std::numbers::pi * rank / 6); }

using Matrix = Eigen::MatrixXd;

Expected<Matrix> wantedCorrelations(const Request &request)
{
    const auto count = Eigen::Index(request.inputs.size());
    Matrix wanted = Matrix::Identity(count, count);
    for (const auto &[first, second, rank] : request.correlations) {
        if (first >= request.inputs.size() || second >= request.inputs.size() || first == second
            || !(std::abs(rank) <= 1))
            return refuse(ErrorCode::OutOfRange, "correlations",
                "A rank correlation is a number from -1 to 1 between two different inputs.");
        wanted(Eigen::Index(first), Eigen::Index(second)) = scoreCorrelation(rank);
        wanted(Eigen::Index(second), Eigen::Index(first)) = scoreCorrelation(rank);
    }
    return wanted;
}

/// Lower triangle L of L L' = matrix; nothing where the matrix is not positive definite.
std::optional<Matrix> rootOf(const Matrix &matrix)
{
    const Eigen::LLT<Matrix> root(matrix);
    constexpr double least = 1e-9; // beyond it the inverse loses all digits
    if (root.info() != Eigen::Success || Matrix(root.matrixL()).diagonal().minCoeff() < least)
        return std::nullopt;
    return Matrix(root.matrixL());
}

/// Rows that are multiplied at a time: between them a stop is seen.
constexpr Eigen::Index rowsAtATime = 512;

/// The correlations that chance gave the columns; nothing once stopped.
std::optional<Matrix> products(const Matrix &columns, double squares, const std::stop_token &stop)
{
    Matrix sum = Matrix::Zero(columns.cols(), columns.cols());
    for (Eigen::Index row = 0; row < columns.rows(); row += rowsAtATime) {
        if (stop.stop_requested())
            return std::nullopt;
        const auto part = columns.middleRows(row, std::min(rowsAtATime, columns.rows() - row));
        sum.noalias() += part.transpose() * part;
    }
    return Matrix(sum / squares);
}

/// Puts the columns of `values` (ascending) into an order with the wanted correlations of their scores.
void order(
    Matrix &values, const Matrix &wantedRoot, std::uint64_t seed, std::size_t firstStream, const std::stop_token &stop)
{
    const auto rows = values.rows(), columns = values.cols();
    std::vector<double> scores(static_cast<std::size_t>(rows));
    double squares = 0;
    for (Eigen::Index i = 0; i < rows; ++i) {
        scores[std::size_t(i)] = normalQuantile(double(i + 1) / double(rows + 1));
        squares += scores[std::size_t(i)] * scores[std::size_t(i)];
    }
    Matrix shuffled(rows, columns);
    for (Eigen::Index column = 0; column < columns; ++column) {
        Random random(seed, 2 * (firstStream + std::size_t(column)) + 2);
        auto one = scores;
        shuffle(one, random);
        shuffled.col(column) = Eigen::Map<const Eigen::VectorXd>(one.data(), rows);
    }
    // What chance correlated is taken out first.
    const auto byChance = products(shuffled, squares, stop);
    if (!byChance)
        return;
    const auto found = rootOf(*byChance);
    const Matrix turn = found ? Matrix(found->transpose().triangularView<Eigen::Upper>().solve(wantedRoot.transpose()))
                              : Matrix(wantedRoot.transpose());
    for (Eigen::Index row = 0; row < rows && !stop.stop_requested(); row += rowsAtATime) {
        const auto count = std::min(rowsAtATime, rows - row);
        shuffled.middleRows(row, count) = (shuffled.middleRows(row, count) * turn).eval();
    }
    std::vector<std::pair<double, Eigen::Index>> places(static_cast<std::size_t>(rows));
    for (Eigen::Index column = 0; column < columns && !stop.stop_requested(); ++column) {
        for (Eigen::Index i = 0; i < rows; ++i)
            places[std::size_t(i)] = {shuffled(i, column), i};
        std::ranges::sort(places);
        const Eigen::VectorXd ascending = values.col(column);
        for (Eigen::Index i = 0; i < rows; ++i)
            values(places[std::size_t(i)].second, column) = ascending(i);
    }
}

/// What the order of the draws depends on: no range of an input.
struct OrderedBy {
    std::size_t draws = 0, inputs = 0, streams = 0;
    std::uint64_t seed = 0;
    std::vector<Correlation> correlations;
    bool operator==(const OrderedBy &) const = default;
};

/// The shares of a hypercube, column after column.
Matrix hypercubeOf(const OrderedBy &by, const Matrix &wantedRoot, std::size_t hypercube, const std::stop_token &stop)
{
    const auto rows = by.draws / hypercubes, columns = by.inputs;
    const auto firstStream = hypercube * std::max(columns, by.streams);
    Matrix shares(rows, columns);
    for (std::size_t column = 0; column < columns && !stop.stop_requested(); ++column) {
        Random random(by.seed, 2 * (firstStream + column) + 1);
        constexpr double smallest = 0x1.0p-60; // no draw at the very end, where a log-normal has none
        for (std::size_t row = 0; row < rows; ++row)
            shares(Eigen::Index(row), Eigen::Index(column)) = std::max(
                smallest, (double(row) + random.uniform()) / double(rows));
    }
    order(shares, wantedRoot, by.seed, firstStream, stop);
    return shares;
}

using Shares = std::shared_ptr<const std::vector<double>>; ///< input after input, each hypercube after hypercube

/// The last few: plans of one worksheet differ in their figures, and a limit on money draws each of them anew.
class KnownShares {
public:
    [[nodiscard]] Shares find(const OrderedBy &by) const
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = std::ranges::find(m_known, by, &Known::by);
        return found == m_known.end() ? nullptr : found->shares;
    }
    void add(OrderedBy by, Shares shares)
    {
        constexpr std::size_t most = 4, mostValues = 1'000'000;
        if (shares->size() > mostValues)
            return;
        const std::scoped_lock lock(m_mutex);
        if (m_known.size() == most)
            m_known.erase(m_known.begin());
        m_known.push_back({std::move(by), std::move(shares)});
    }

private:
    struct Known {
        OrderedBy by;
        Shares shares;
    };
    mutable std::mutex m_mutex;
    std::vector<Known> m_known; ///< the oldest first
};

/// Nothing once stopped.
Shares sharesOf(const OrderedBy &by, const Matrix &wantedRoot, const std::stop_token &stop)
{
    static KnownShares known;
    if (auto found = known.find(by))
        return found;
    const auto made = std::make_shared<std::vector<double>>(by.draws * by.inputs);
    tbb::parallel_for(std::size_t(0), hypercubes, [&](std::size_t hypercube) {
        const auto shares = hypercubeOf(by, wantedRoot, hypercube, stop);
        for (std::size_t input = 0; input < by.inputs; ++input)
            std::copy_n(shares.col(Eigen::Index(input)).data(), shares.rows(),
                made->begin() + std::ptrdiff_t(input * by.draws + hypercube * by.draws / hypercubes));
    });
    if (stop.stop_requested())
        return nullptr;
    known.add(by, made);
    return made;
}

/// The share of sorted values below which the quantile lies, between two neighbours in proportion.
double sortedQuantile(std::span<const double> sorted, double share)
{
    const double place = share * double(sorted.size() - 1);
    const auto below = std::size_t(place);
    const auto above = std::min(below + 1, sorted.size() - 1);
    const double part = place - double(below);
    return part == 0 || sorted[below] == sorted[above] ? sorted[below]
                                                       : sorted[below] + part * (sorted[above] - sorted[below]);
}

double standardError(std::span<const double> ofHypercubes)
{
    const double count = double(ofHypercubes.size());
    const double mean = std::accumulate(ofHypercubes.begin(), ofHypercubes.end(), 0.0) / count;
    if (!std::isfinite(mean))
        return std::numeric_limits<double>::infinity();
    double squares = 0;
    for (const double value : ofHypercubes)
        squares += (value - mean) * (value - mean);
    return std::sqrt(squares / (count - 1) / count);
}

} // namespace

Expected<void> check(const Input &input)
{
    const bool isOrdered = input.low <= input.likely && input.likely <= input.high;
    if (!std::isfinite(input.low) || !std::isfinite(input.high) || !isOrdered)
        return refuse(ErrorCode::OutOfRange, input.key, "Low, likely and high must be finite and in this order.");
    if (input.shape == Shape::LogNormal && !(input.low > 0))
        return refuse(ErrorCode::OutOfRange, input.key, "A log-normal range must be greater than 0.");
    return {};
}

double quantile(const Input &input, double share)
{
    if (input.low == input.high)
        return input.likely;
    if (input.shape == Shape::Normal) {
        const double score = normalQuantile(share);
        return input.likely + score / tenth * (score < 0 ? input.likely - input.low : input.high - input.likely);
    }
    if (input.shape == Shape::LogNormal) {
        const double score = normalQuantile(share);
        const double ratio = score < 0 ? input.likely / input.low : input.high / input.likely;
        return input.likely * std::pow(ratio, score / tenth);
    }
    const double width = input.high - input.low, rise = input.likely - input.low;
    return share * width <= rise ? input.low + std::sqrt(share * width * rise)
                                 : input.high - std::sqrt((1 - share) * width * (input.high - input.likely));
}

Expected<Sample> draw(const Request &request, const std::stop_token &stop)
{
    if (request.draws < leastDraws || request.draws > mostDraws || request.draws % hypercubes != 0)
        return refuse(ErrorCode::OutOfRange, "draws",
            "The draws must be a multiple of 10 between " + std::to_string(leastDraws) + " and "
                + std::to_string(mostDraws) + ".");
    for (const auto &input : request.inputs)
        if (auto ok = check(input); !ok)
            return std::unexpected(ok.error());
    const auto wanted = wantedCorrelations(request);
    if (!wanted)
        return std::unexpected(wanted.error());
    const auto root = rootOf(*wanted);
    if (!root)
        return refuse(ErrorCode::OutOfRange, "correlations",
            "These rank correlations cannot hold together: make the largest of them smaller.");
    Sample sample;
    sample.m_draws = request.draws;
    sample.m_inputs = request.inputs.size();
    sample.m_values.resize(request.draws * request.inputs.size());
    const OrderedBy by{request.draws, request.inputs.size(), request.streams, request.seed, request.correlations};
    if (const auto shares = by.inputs > 0 ? sharesOf(by, *root, stop) : nullptr)
        tbb::parallel_for(std::size_t(0), by.inputs, [&](std::size_t input) {
            const auto first = input * by.draws;
            for (std::size_t i = first; i < first + by.draws; ++i)
                sample.m_values[i] = quantile(request.inputs[input], (*shares)[i]);
        });
    if (stop.stop_requested())
        return refuse(ErrorCode::Cancelled, {}, "The draws were cancelled.");
    return sample;
}

Quantiles quantilesOf(std::span<const double> values)
{
    Quantiles quantiles;
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    quantiles.p10 = sortedQuantile(sorted, 0.1);
    quantiles.p50 = sortedQuantile(sorted, 0.5);
    quantiles.p90 = sortedQuantile(sorted, 0.9);
    quantiles.mean = std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
    std::array<std::vector<double>, 4> parts; // P10, P50, P90, mean
    for (std::size_t i = 0; i < hypercubes; ++i) {
        const auto first = i * values.size() / hypercubes, last = (i + 1) * values.size() / hypercubes;
        std::vector<double> part(values.begin() + std::ptrdiff_t(first), values.begin() + std::ptrdiff_t(last));
        parts[3].push_back(std::accumulate(part.begin(), part.end(), 0.0) / double(part.size()));
        std::ranges::sort(part);
        parts[0].push_back(sortedQuantile(part, 0.1));
        parts[1].push_back(sortedQuantile(part, 0.5));
        parts[2].push_back(sortedQuantile(part, 0.9));
    }
    quantiles.p10Error = standardError(parts[0]);
    quantiles.p50Error = standardError(parts[1]);
    quantiles.p90Error = standardError(parts[2]);
    quantiles.meanError = standardError(parts[3]);
    return quantiles;
}

Chance chanceOf(std::span<const char> holds)
{
    std::vector<double> shares;
    for (std::size_t i = 0; i < hypercubes; ++i) {
        const auto first = i * holds.size() / hypercubes, last = (i + 1) * holds.size() / hypercubes;
        const auto count = std::ranges::count(holds.subspan(first, last - first), char(1));
        shares.push_back(double(count) / double(last - first));
    }
    return {double(std::ranges::count(holds, char(1))) / double(holds.size()), standardError(shares)};
}

Chance chanceOfShares(std::span<const double> ofHypercubes)
{
    return {std::accumulate(ofHypercubes.begin(), ofHypercubes.end(), 0.0) / double(ofHypercubes.size()),
        standardError(ofHypercubes)};
}

std::vector<double> ranksOf(std::span<const double> values)
{
    std::vector<std::size_t> places(values.size());
    std::iota(places.begin(), places.end(), std::size_t(0));
    std::ranges::sort(places, {}, [&](std::size_t place) { return values[place]; });
    std::vector<double> ranks(values.size());
    for (std::size_t i = 0; i < places.size();) {
        std::size_t end = i;
        while (end < places.size() && values[places[end]] == values[places[i]])
            ++end;
        for (std::size_t k = i; k < end; ++k)
            ranks[places[k]] = double(i + end - 1) / 2;
        i = end;
    }
    return ranks;
}

double correlationOfRanks(std::span<const double> left, std::span<const double> right)
{
    const double mean = double(left.size() - 1) / 2;
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
        ab += (left[i] - mean) * (right[i] - mean);
        aa += (left[i] - mean) * (left[i] - mean);
        bb += (right[i] - mean) * (right[i] - mean);
    }
    return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

double rankCorrelation(std::span<const double> left, std::span<const double> right)
{
    return correlationOfRanks(ranksOf(left), ranksOf(right));
}

} // namespace fleetwright::uncertainty
