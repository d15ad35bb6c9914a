// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/calibrationparts.h"

#include <glog/logging.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fleetwright::detailed {

namespace {

/// Relative step of the central differences: small against kinks of the model, large against rounding.
constexpr double differenceStep = 1e-4;
constexpr double smallestConstant =
    1e-3; ///< of the starting value, where the table's bound is zero, which has no logarithm

double medianOfErrors(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    const auto middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

void fillRuns(std::span<const CalibrationRun> runs, const Constants &present, Calibration &answer)
{
    std::vector<double> before, after;
    for (const auto &run : runs) {
        const double was = std::exp(logError(run, present).value_or(0)),
                     is = std::exp(logError(run, answer.constants).value_or(0));
        answer.runs.push_back({run.id, run.measured, was * run.measured, is * run.measured});
        before.push_back(std::abs(was - 1));
        after.push_back(std::abs(is - 1));
    }
    const auto mean = [](const std::vector<double> &values) {
        return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
    };
    answer.medianErrorBefore = medianOfErrors(before);
    answer.medianErrorAfter = medianOfErrors(after);
    answer.meanErrorBefore = mean(before);
    answer.meanErrorAfter = mean(after);
}

} // namespace

const ConstantDescriptor &descriptorOf(Constant constant)
{
    return constantTable()[static_cast<std::size_t>(constant)];
}

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

Parameters::Parameters(const Constants &start, std::vector<Constant> constants)
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

Constants Parameters::valuesAt(const double *x) const
{
    Constants values = m_start;
    for (int i = 0; i < count(); ++i)
        values[constant(i)] = m_start[constant(i)] * std::exp(x[i]);
    return values;
}

std::optional<double> Parameters::slope(const CalibrationRun &run, const double *x, int i) const
{
    auto values = valuesAt(x);
    const double above = std::min(x[i] + differenceStep, most(i)), below = std::max(x[i] - differenceStep, least(i));
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

std::optional<std::vector<double>> logSlopes(
    const Setting &setting, const Layout &layout, std::span<const Constant> constants)
{
    const CalibrationRun run{.id = {}, .source = {}, .setting = setting, .layout = layout, .measured = 1.0 * second};
    const Parameters parameters(setting.constants, {constants.begin(), constants.end()});
    const std::vector<double> origin(constants.size(), 0.0);
    std::vector<double> slopes;
    for (int i = 0; i < parameters.count(); ++i) {
        const auto slope = parameters.slope(run, origin.data(), i);
        if (!slope)
            return std::nullopt;
        slopes.push_back(*slope);
    }
    return slopes;
}

bool solveQuietly(ceres::Problem &problem, Watch &watch)
{
    [[maybe_unused]] static const bool quiet = [] {
        FLAGS_minloglevel = google::GLOG_FATAL; // what the solver has to say is in its summary
        return true;
    }();
    ceres::Solver::Options options;
    options.linear_solver_type = ceres::DENSE_QR;
    options.max_num_iterations = mostIterations;
    options.num_threads = 1;
    options.logging_type = ceres::SILENT;
    options.callbacks.push_back(&watch);
    ceres::Solver::Summary summary;
    ceres::Solve(options, &problem, &summary);
    return summary.IsSolutionUsable();
}

Expected<void> checkCalibration(
    std::span<const CalibrationRun> runs, const Constants &start, const CalibrationOptions &options)
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

std::unexpected<Error> cancelledCalibration()
{
    return refuse(ErrorCode::Cancelled, {}, "The calibration was cancelled.");
}

void fillAnswer(std::span<const CalibrationRun> runs, const Parameters &parameters, const Constants &before,
    const std::vector<double> &x, const Eigen::VectorXd &width, double priorWidth, Calibration &answer)
{
    answer.constants = parameters.start();
    for (int i = 0; i < parameters.count(); ++i) {
        const auto &descriptor = descriptorOf(parameters.constant(i));
        const double factor = baseFactor(descriptor);
        const auto bounded = [&](double value) {
            return std::clamp(value, descriptor.least * factor, descriptor.most * factor);
        };
        FittedConstant fitted;
        fitted.constant = descriptor.constant;
        fitted.before = before[descriptor.constant];
        fitted.after = bounded(parameters.start()[descriptor.constant] * std::exp(x[std::size_t(i)]));
        fitted.low = bounded(fitted.after * std::exp(-width[i]));
        fitted.high = bounded(fitted.after * std::exp(width[i]));
        fitted.identified = std::clamp(1 - width[i] / priorWidth, 0.0, 1.0);
        constexpr double near = 1e-6;
        fitted.atBound = x[std::size_t(i)] <= parameters.least(i) + near
            || x[std::size_t(i)] >= parameters.most(i) - near;
        answer.constants[descriptor.constant] = fitted.after;
        answer.fitted.push_back(fitted);
    }
    fillRuns(runs, before, answer);
}

} // namespace fleetwright::detailed
