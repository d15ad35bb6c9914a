// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/calibration.h"

#include <ceres/ceres.h>

/// What the two ways to fit constants share: calibrate() and calibrateBeside(). For these two only.
namespace fleetwright::detailed {

inline constexpr int mostIterations = 200;

[[nodiscard]] const ConstantDescriptor &descriptorOf(Constant constant);
/// Logarithm of predicted over measured; nothing where the run cannot be priced with these constants.
[[nodiscard]] std::optional<double> logError(const CalibrationRun &run, const Constants &constants);

/// What is being fitted: logarithms of constants over their starting values, within bounds.
class Parameters {
public:
    Parameters(const Constants &start, std::vector<Constant> constants);

    [[nodiscard]] int count() const { return int(m_constants.size()); }
    [[nodiscard]] Constant constant(int i) const { return m_constants[std::size_t(i)]; }
    [[nodiscard]] double least(int i) const { return m_least[std::size_t(i)]; }
    [[nodiscard]] double most(int i) const { return m_most[std::size_t(i)]; }
    [[nodiscard]] const Constants &start() const { return m_start; }
    [[nodiscard]] Constants valuesAt(const double *x) const;
    /// d logError / d x_i by central differences that stay within the bounds.
    [[nodiscard]] std::optional<double> slope(const CalibrationRun &run, const double *x, int i) const;

private:
    Constants m_start;
    std::vector<Constant> m_constants;
    std::vector<double> m_least, m_most;
};

/// Standard deviations of the parameters: prior and runs together (Laplace approximation at the solution).
[[nodiscard]] Eigen::VectorXd deviations(const Eigen::MatrixXd &slopes, double priorWidth);

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

/// Least squares on one thread, so that the order of the sums does not decide the last digit. False when it was
/// stopped or broke.
[[nodiscard]] bool solveQuietly(ceres::Problem &problem, Watch &watch);

/// Refuses as calibrate() says.
[[nodiscard]] Expected<void> checkCalibration(
    std::span<const CalibrationRun> runs, const Constants &start, const CalibrationOptions &options);

/// Puts the fitted constants, from `x` with standard deviations `width`, and the errors of the runs before and after
/// into the answer.
void fillAnswer(std::span<const CalibrationRun> runs, const Parameters &parameters, const Constants &before,
    const std::vector<double> &x, const Eigen::VectorXd &width, double priorWidth, Calibration &answer);

} // namespace fleetwright::detailed
