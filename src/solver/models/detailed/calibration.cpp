// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/calibrationparts.h"
#include "solver/models/detailed/prepared.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace fleetwright::detailed {

namespace {

/// Spread of the logarithm of identical configurations between sites and releases
/// (resources/handbook/models/detailed.md, section 14): the noise of a run, until the runs show that they agree better
/// among themselves. Nobody's runs repeat to better than 1 %.
constexpr double largestNoise = 0.04, smallestNoise = 0.01;
constexpr int noisePasses = 3;
/// With fewer runs there is no telling which of them is wrong.
constexpr std::size_t fewestForRobust = 4;
/// Share of the prior's uncertainty that runs must remove before a constant is worth fitting.
constexpr double leastIdentified = 0.25;

/// Every source weighs the same, and all runs together as much as their number.
std::vector<double> weightsOf(std::span<const CalibrationRun> runs)
{
    std::map<std::string_view, int> members;
    for (const auto &run : runs)
        ++members[run.source];
    std::vector<double> weights;
    for (const auto &run : runs)
        weights.push_back(double(runs.size()) / (double(members.size()) * members[run.source]));
    return weights;
}

/// Rows: runs; columns: parameters; each row divided by the noise and multiplied with the root of its weight.
Eigen::MatrixXd jacobian(std::span<const CalibrationRun> runs, std::span<const double> weights, double noise,
    const Parameters &parameters, const double *x)
{
    Eigen::MatrixXd slopes(Eigen::Index(runs.size()), parameters.count());
    for (std::size_t r = 0; r < runs.size(); ++r)
        for (int i = 0; i < parameters.count(); ++i)
            slopes(Eigen::Index(r), i) = parameters.slope(runs[r], x, i).value_or(0) * std::sqrt(weights[r]) / noise;
    return slopes;
}

std::vector<Constant> identifiable(std::span<const CalibrationRun> runs, const Constants &start, double priorWidth)
{
    const Parameters parameters(start, fittedConstants(start));
    const std::vector<double> origin(std::size_t(parameters.count()), 0.0);
    const auto slopes = jacobian(runs, weightsOf(runs), largestNoise, parameters, origin.data());
    const auto width = deviations(slopes, priorWidth);
    std::vector<std::pair<double, Constant>> found;
    for (int i = 0; i < parameters.count(); ++i)
        if (const double identified = 1 - width[i] / priorWidth; identified >= leastIdentified)
            found.emplace_back(identified, parameters.constant(i));
    std::ranges::stable_sort(found, std::greater(), &std::pair<double, Constant>::first);
    std::vector<Constant> constants;
    for (const auto &[identified, constant] : found)
        constants.push_back(constant);
    return constants;
}

/// One run's residual.
class RunError final : public ceres::CostFunction {
public:
    RunError(const CalibrationRun &run, double factor, const Parameters &parameters, const std::stop_token &stop)
        : m_run(run), m_factor(factor), m_parameters(parameters), m_stop(stop)
    {
        set_num_residuals(1);
        mutable_parameter_block_sizes()->push_back(parameters.count());
    }
    bool Evaluate(const double *const *x, double *residuals, double **jacobians) const override
    {
        if (m_stop.stop_requested())
            return false;
        const auto error = logError(m_run, m_parameters.valuesAt(x[0]));
        if (!error)
            return false;
        residuals[0] = m_factor * *error;
        if (jacobians && jacobians[0])
            for (int i = 0; i < m_parameters.count(); ++i) {
                const auto slope = m_parameters.slope(m_run, x[0], i);
                if (!slope)
                    return false;
                jacobians[0][i] = m_factor * *slope;
            }
        return true;
    }

private:
    const CalibrationRun &m_run;
    double m_factor;
    const Parameters &m_parameters;
    const std::stop_token &m_stop;
};

/// Moves x to the least cost. `lossScale` of Cauchy's loss in standard deviations; nothing: plain squares. False when
/// it was stopped or broke.
bool minimise(std::span<const CalibrationRun> runs, std::span<const double> weights, double noise,
    const Parameters &parameters, double priorWidth, std::optional<double> lossScale, std::vector<double> &x,
    const std::stop_token &stop, Watch &watch)
{
    ceres::Problem problem;
    problem.AddParameterBlock(x.data(), parameters.count());
    for (int i = 0; i < parameters.count(); ++i) {
        problem.SetParameterLowerBound(x.data(), i, parameters.least(i));
        problem.SetParameterUpperBound(x.data(), i, parameters.most(i));
    }
    for (std::size_t r = 0; r < runs.size(); ++r)
        problem.AddResidualBlock(new RunError(runs[r], std::sqrt(weights[r]) / noise, parameters, stop),
            lossScale ? new ceres::CauchyLoss(*lossScale) : nullptr, x.data());
    problem.AddResidualBlock(new Prior(parameters.count(), priorWidth), nullptr, x.data());
    return solveQuietly(problem, watch);
}

double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    const auto middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Scale of Cauchy's loss in standard deviations of the noise: what the middle of the runs deviates.
double lossScaleOf(std::span<const double> errors, std::span<const double> weights, double noise)
{
    constexpr double deviationOfMedian =
        1.4826; // standard deviation over median absolute deviation of a normal distribution
    std::vector<double> sizes;
    for (std::size_t r = 0; r < errors.size(); ++r)
        sizes.push_back(std::sqrt(weights[r]) * std::abs(errors[r]) / noise);
    return std::max(1.0, deviationOfMedian * median(std::move(sizes)));
}

/// Weights of the runs with Cauchy's at the solution, for the covariance.
std::vector<double> robustWeights(
    std::span<const double> errors, std::span<const double> weights, double noise, double scale)
{
    std::vector<double> robust;
    for (std::size_t r = 0; r < errors.size(); ++r) {
        const double residual = std::sqrt(weights[r]) * errors[r] / noise / scale;
        robust.push_back(weights[r] / (1 + residual * residual));
    }
    return robust;
}

/// How far the runs are from the fit, for the constants that it spent; nothing where hardly any run is left to tell.
std::optional<double> scatter(std::span<const double> errors, std::span<const double> weights, double spent)
{
    const double left = std::accumulate(weights.begin(), weights.end(), 0.0) - spent;
    if (left < 2)
        return std::nullopt;
    double squares = 0;
    for (std::size_t r = 0; r < errors.size(); ++r)
        squares += weights[r] * errors[r] * errors[r];
    return std::sqrt(squares / left);
}

/// Whether the run says something of the constant: what stands in for another accelerator's is not measured by it, nor
/// the rate of a precision in which it multiplies little but its logits.
bool measures(const CalibrationRun &run, const ConstantDescriptor &descriptor)
{
    if (!descriptor.family)
        return true;
    const bool isOfProducts = descriptor.key.starts_with("gemm");
    return !run.setting.families.isNearest()
        && (!isOfProducts || productConstant(run.setting, run.setting.precisionBits) == descriptor.constant);
}

} // namespace

std::vector<Constant> identifiable(std::span<const CalibrationRun> runs, const Constants &start)
{
    return runs.empty() ? std::vector<Constant>() : identifiable(runs, start, CalibrationOptions{}.priorWidth);
}

std::array<int, constantCount> dependentRuns(std::span<const CalibrationRun> runs, const Constants &start)
{
    std::array<int, constantCount> counts{};
    for (const auto &descriptor : constantTable()) {
        if (!(start[descriptor.constant] > 0))
            continue;
        const Parameters parameters(start, {descriptor.constant});
        const double origin = 0;
        for (const auto &run : runs)
            if (measures(run, descriptor)
                && std::abs(parameters.slope(run, &origin, 0).value_or(0)) > std::numeric_limits<float>::epsilon())
                ++counts[static_cast<std::size_t>(descriptor.constant)];
    }
    return counts;
}

Expected<Calibration> calibrate(std::span<const CalibrationRun> runs, const Constants &start,
    const CalibrationOptions &options, std::stop_token stop, std::atomic<int> *iterations)
{
    if (auto ok = checkCalibration(runs, start, options); !ok)
        return std::unexpected(std::move(ok.error()));
    auto constants = options.constants.empty() ? identifiable(runs, start, options.priorWidth) : options.constants;
    std::ranges::sort(constants);
    const auto repeated = std::ranges::unique(constants);
    constants.erase(repeated.begin(), repeated.end());
    if (constants.empty())
        return refuse(ErrorCode::UnsupportedValue, "constants",
            "These runs decide none of the constants; add runs that take other paths through the model, or name the "
            "constants to fit.");
    if (stop.stop_requested())
        return cancelledCalibration();

    const Parameters parameters(start, std::move(constants));
    const auto weights = weightsOf(runs);
    std::vector<double> x(std::size_t(parameters.count()), 0.0);
    Calibration answer;
    Watch watch(stop, iterations, answer.iterations);
    const auto errorsNow = [&] {
        std::vector<double> errors;
        const auto values = parameters.valuesAt(x.data());
        for (const auto &run : runs)
            errors.push_back(logError(run, values).value_or(0));
        return errors;
    };
    const bool robust = options.robust && runs.size() >= fewestForRobust;
    double noise = largestNoise;
    auto effective = weights;
    Eigen::VectorXd width;
    for (int pass = 0; pass < noisePasses; ++pass) {
        // Plain squares first: from there the robust loss sees who disagrees, wherever the constants started.
        bool solved = pass > 0 && robust
            ? true
            : minimise(runs, weights, noise, parameters, options.priorWidth, std::nullopt, x, stop, watch);
        if (solved && robust && !stop.stop_requested()) {
            const double scale = lossScaleOf(errorsNow(), weights, noise);
            solved = minimise(runs, weights, noise, parameters, options.priorWidth, scale, x, stop, watch);
            effective = robustWeights(errorsNow(), weights, noise, scale);
        }
        if (stop.stop_requested())
            return cancelledCalibration();
        if (!solved)
            return refuse(ErrorCode::OutOfRange, "runs",
                "The fit found no solution for these runs; look for one whose configuration is wrong.");
        width = deviations(jacobian(runs, effective, noise, parameters, x.data()), options.priorWidth);
        const double spent = double(parameters.count())
            - width.squaredNorm() / (options.priorWidth * options.priorWidth);
        const auto seen = scatter(errorsNow(), effective, spent);
        if (!seen || pass + 1 == noisePasses)
            break;
        noise = std::clamp(*seen, smallestNoise, largestNoise);
    }
    fillAnswer(runs, parameters, start, x, width, options.priorWidth, answer);
    return answer;
}

} // namespace fleetwright::detailed
