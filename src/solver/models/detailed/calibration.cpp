// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/calibration.h"

#include <ceres/ceres.h>
#include <glog/logging.h>

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
/// Relative step of the central differences: small against kinks of the model, large against rounding.
constexpr double differenceStep = 1e-4;
/// Share of the prior's uncertainty that runs must remove before a constant is worth fitting.
constexpr double leastIdentified = 0.25;
constexpr double smallestConstant =
    1e-3; ///< of the starting value, where the table's bound is zero, which has no logarithm
constexpr int mostIterations = 200;

std::size_t at(Constant constant) { return static_cast<std::size_t>(constant); }

const ConstantDescriptor &descriptorOf(Constant constant) { return constantTable()[at(constant)]; }

/// Logarithm of predicted over measured; nothing where the run cannot be priced with these constants.
std::optional<double> logError(const CalibrationRun &run, const Constants &constants)
{
    auto setting = run.setting;
    setting.constants = constants;
    const auto pricer = Pricer::make(setting);
    if (!pricer)
        return std::nullopt;
    const double ratio = pricer->price(run.layout).stepTime / run.measured;
    return ratio > 0 && std::isfinite(ratio) ? std::optional(std::log(ratio)) : std::nullopt;
}

/// What is being fitted: logarithms of constants over their starting values, within bounds.
class Parameters {
public:
    Parameters(const Constants &start, std::vector<Constant> constants)
        : m_start(start), m_constants(std::move(constants))
    {
        for (const auto constant : m_constants) {
            const auto &descriptor = descriptorOf(constant);
            const double factor = baseFactor(descriptor);
            const double value = m_start[constant];
            m_least.push_back(std::log(std::max(descriptor.least * factor / value, smallestConstant)));
            m_most.push_back(std::log(descriptor.most * factor / value));
        }
    }

    [[nodiscard]] int count() const { return int(m_constants.size()); }
    [[nodiscard]] Constant constant(int i) const { return m_constants[std::size_t(i)]; }
    [[nodiscard]] double least(int i) const { return m_least[std::size_t(i)]; }
    [[nodiscard]] double most(int i) const { return m_most[std::size_t(i)]; }
    [[nodiscard]] Constants valuesAt(const double *x) const
    {
        Constants values = m_start;
        for (int i = 0; i < count(); ++i)
            values[constant(i)] = m_start[constant(i)] * std::exp(x[i]);
        return values;
    }

    /// d logError / d x_i by central differences that stay within the bounds.
    [[nodiscard]] std::optional<double> slope(const CalibrationRun &run, const double *x, int i) const
    {
        auto values = valuesAt(x);
        const double above = std::min(x[i] + differenceStep, most(i)),
                     below = std::max(x[i] - differenceStep, least(i));
        if (!(above > below))
            return 0.0;
        values[constant(i)] = m_start[constant(i)] * std::exp(above);
        const auto upper = logError(run, values);
        values[constant(i)] = m_start[constant(i)] * std::exp(below);
        const auto lower = logError(run, values);
        if (!upper || !lower)
            return std::nullopt;
        return (*upper - *lower) / (above - below);
    }

private:
    Constants m_start;
    std::vector<Constant> m_constants;
    std::vector<double> m_least, m_most;
};

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

/// Standard deviations of the parameters: prior and runs together (Laplace approximation at the solution).
Eigen::VectorXd deviations(const Eigen::MatrixXd &slopes, double priorWidth)
{
    const auto count = slopes.cols();
    const Eigen::MatrixXd information = slopes.transpose() * slopes
        + Eigen::MatrixXd::Identity(count, count) / (priorWidth * priorWidth);
    return information.ldlt().solve(Eigen::MatrixXd::Identity(count, count)).diagonal().cwiseMax(0).cwiseSqrt();
}

std::vector<Constant> fittedConstants(const Constants &start)
{
    std::vector<Constant> constants;
    for (const auto &descriptor : constantTable())
        if (descriptor.fitted() && start[descriptor.constant] > 0)
            constants.push_back(descriptor.constant);
    return constants;
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

/// Holds every constant near its starting value.
class Prior final : public ceres::CostFunction {
public:
    Prior(int count, double width) : m_width(width)
    {
        set_num_residuals(count);
        mutable_parameter_block_sizes()->push_back(count);
    }
    bool Evaluate(const double *const *x, double *residuals, double **jacobians) const override
    {
        const int count = num_residuals();
        for (int i = 0; i < count; ++i)
            residuals[i] = x[0][i] / m_width;
        if (jacobians && jacobians[0]) {
            std::fill_n(jacobians[0], count * count, 0.0);
            for (int i = 0; i < count; ++i)
                jacobians[0][i * count + i] = 1 / m_width;
        }
        return true;
    }

private:
    double m_width;
};

class Watch final : public ceres::IterationCallback {
public:
    Watch(const std::stop_token &stop, std::atomic<int> *iterations, int &count)
        : m_stop(stop), m_iterations(iterations), m_count(count)
    {
    }
    ceres::CallbackReturnType operator()(const ceres::IterationSummary &) override
    {
        ++m_count;
        if (m_iterations)
            m_iterations->store(m_count, std::memory_order_relaxed);
        return m_stop.stop_requested() ? ceres::SOLVER_ABORT : ceres::SOLVER_CONTINUE;
    }

private:
    const std::stop_token &m_stop;
    std::atomic<int> *m_iterations;
    int &m_count;
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
    ceres::Solver::Options options;
    options.linear_solver_type = ceres::DENSE_QR;
    options.max_num_iterations = mostIterations;
    options.num_threads = 1; // the order of the sums decides the last digit
    options.logging_type = ceres::SILENT;
    options.callbacks.push_back(&watch);
    ceres::Solver::Summary summary;
    ceres::Solve(options, &problem, &summary);
    return summary.IsSolutionUsable();
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

Expected<void> check(std::span<const CalibrationRun> runs, const Constants &start, const CalibrationOptions &options)
{
    if (runs.empty())
        return refuse(ErrorCode::MissingField, "runs", "There are no measured runs to calibrate to; add some.");
    for (const auto &run : runs) {
        if (!(run.measured.value() > 0) || !std::isfinite(run.measured.value()))
            return refuse(ErrorCode::OutOfRange, "runs",
                "The measured step time of the run \u201c" + run.id
                    + "\u201d must be positive; correct it or leave the run out.");
        auto setting = run.setting;
        setting.constants = start;
        const auto pricer = Pricer::make(setting);
        const auto legal = pricer ? pricer->check(run.layout) : Expected<void>(std::unexpected(pricer.error()));
        if (!legal)
            return refuse(ErrorCode::OutOfRange, "runs",
                "The run \u201c" + run.id + "\u201d cannot be priced: " + legal.error().message);
        if (!logError(run, start))
            return refuse(ErrorCode::OutOfRange, "runs",
                "The run \u201c" + run.id + "\u201d has no predicted step time; leave it out.");
    }
    if (!(options.priorWidth > 0) || !std::isfinite(options.priorWidth))
        return refuse(ErrorCode::OutOfRange, "prior_width", "The width of the prior must be positive.");
    for (const auto constant : options.constants) {
        const auto &descriptor = descriptorOf(constant);
        const double value = start[constant] / baseFactor(descriptor);
        if (!(value > 0) || value < descriptor.least || value > descriptor.most)
            return refuse(ErrorCode::OutOfRange, "constants",
                std::string(descriptor.label) + " starts outside what it can physically be; reset it first.");
    }
    return {};
}

void fillRuns(std::span<const CalibrationRun> runs, const Constants &start, Calibration &answer)
{
    std::vector<double> before, after;
    for (const auto &run : runs) {
        const double was = std::exp(logError(run, start).value_or(0)),
                     is = std::exp(logError(run, answer.constants).value_or(0));
        answer.runs.push_back({run.id, run.measured, was * run.measured, is * run.measured});
        before.push_back(std::abs(was - 1));
        after.push_back(std::abs(is - 1));
    }
    const auto mean = [](const std::vector<double> &values) {
        return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
    };
    answer.medianErrorBefore = median(before);
    answer.medianErrorAfter = median(after);
    answer.meanErrorBefore = mean(before);
    answer.meanErrorAfter = mean(after);
}

std::unexpected<Error> cancelled() { return refuse(ErrorCode::Cancelled, {}, "The calibration was cancelled."); }

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
            if (std::abs(parameters.slope(run, &origin, 0).value_or(0)) > std::numeric_limits<float>::epsilon())
                ++counts[at(descriptor.constant)];
    }
    return counts;
}

Expected<Calibration> calibrate(std::span<const CalibrationRun> runs, const Constants &start,
    const CalibrationOptions &options, std::stop_token stop, std::atomic<int> *iterations)
{
    [[maybe_unused]] static const bool quiet = [] {
        FLAGS_minloglevel = google::GLOG_FATAL; // what the solver has to say is in its summary
        return true;
    }();
    if (auto ok = check(runs, start, options); !ok)
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
        return cancelled();

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
            return cancelled();
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
    answer.constants = start;
    for (int i = 0; i < parameters.count(); ++i) {
        const auto &descriptor = descriptorOf(parameters.constant(i));
        const double factor = baseFactor(descriptor);
        const auto bounded = [&](double value) {
            return std::clamp(value, descriptor.least * factor, descriptor.most * factor);
        };
        FittedConstant fitted;
        fitted.constant = descriptor.constant;
        fitted.before = start[descriptor.constant];
        fitted.after = bounded(fitted.before * std::exp(x[std::size_t(i)]));
        fitted.low = bounded(fitted.after * std::exp(-width[i]));
        fitted.high = bounded(fitted.after * std::exp(width[i]));
        fitted.identified = std::clamp(1 - width[i] / options.priorWidth, 0.0, 1.0);
        constexpr double near = 1e-6;
        fitted.atBound = x[std::size_t(i)] <= parameters.least(i) + near
            || x[std::size_t(i)] >= parameters.most(i) - near;
        answer.constants[descriptor.constant] = fitted.after;
        answer.fitted.push_back(fitted);
    }
    fillRuns(runs, start, answer);
    return answer;
}

} // namespace fleetwright::detailed
