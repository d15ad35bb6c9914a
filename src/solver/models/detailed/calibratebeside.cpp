// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/calibrationparts.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::detailed {

namespace {

/// Share of the prior's uncertainty that runs must remove before a constant moves beside the effect of its source.
constexpr double leastIdentifiedBeside = 0.05;

/// The runs of one source and the lower Cholesky factor of their covariance.
struct Whitened {
    std::vector<const CalibrationRun *> runs;
    Eigen::MatrixXd factor;

    [[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd &values) const
    {
        return factor.triangularView<Eigen::Lower>().solve(values);
    }
    /// Nothing where a run cannot be priced, or when stopped: a source may have thousands of runs.
    [[nodiscard]] std::optional<Eigen::MatrixXd> slopes(
        const Parameters &parameters, const double *x, const std::stop_token &stop) const
    {
        Eigen::MatrixXd values(Eigen::Index(runs.size()), parameters.count());
        for (std::size_t r = 0; r < runs.size(); ++r) {
            if (stop.stop_requested())
                return std::nullopt;
            for (int i = 0; i < parameters.count(); ++i) {
                const auto slope = parameters.slope(*runs[r], x, i);
                if (!slope)
                    return std::nullopt;
                values(Eigen::Index(r), i) = *slope;
            }
        }
        return solve(values);
    }
};

class WhitenedErrors final : public ceres::CostFunction {
public:
    WhitenedErrors(const Whitened &source, const Parameters &parameters, const std::stop_token &stop)
        : m_source(source), m_parameters(parameters), m_stop(stop)
    {
        set_num_residuals(int(source.runs.size()));
        mutable_parameter_block_sizes()->push_back(parameters.count());
    }
    bool Evaluate(const double *const *x, double *residuals, double **jacobians) const override
    {
        const auto values = m_parameters.valuesAt(x[0]);
        Eigen::VectorXd errors(num_residuals());
        for (int r = 0; r < num_residuals(); ++r) {
            if (m_stop.stop_requested())
                return false;
            const auto error = logError(*m_source.runs[std::size_t(r)], values);
            if (!error)
                return false;
            errors[r] = *error;
        }
        Eigen::Map<Eigen::VectorXd>(residuals, num_residuals()) = m_source.solve(errors);
        if (!jacobians || !jacobians[0])
            return true;
        const auto slopes = m_source.slopes(m_parameters, x[0], m_stop);
        if (!slopes)
            return false;
        Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
            jacobians[0], slopes->rows(), slopes->cols()) = *slopes;
        return true;
    }

private:
    const Whitened &m_source;
    const Parameters &m_parameters;
    const std::stop_token &m_stop;
};

Expected<std::vector<Whitened>> whitened(std::span<const CalibrationRun> runs, std::span<const CorrelatedRuns> sources)
{
    const auto wrong = [] {
        return refuse(ErrorCode::OutOfRange, "runs",
            "The runs of the sources and their covariances do not belong together; this is a fault of the program.");
    };
    std::vector<Whitened> made;
    std::vector<bool> taken(runs.size());
    for (const auto &source : sources) {
        const auto count = source.runs.size();
        if (source.covariance.size() != count * count)
            return wrong();
        Whitened one;
        for (const auto run : source.runs) {
            if (run >= runs.size() || taken[run])
                return wrong();
            taken[run] = true;
            one.runs.push_back(&runs[run]);
        }
        const Eigen::Map<const Eigen::MatrixXd> covariance(
            source.covariance.data(), Eigen::Index(count), Eigen::Index(count)); // symmetric: the order is no matter
        const Eigen::LLT<Eigen::MatrixXd> cholesky(covariance);
        if (cholesky.info() != Eigen::Success)
            return wrong();
        one.factor = cholesky.matrixL();
        made.push_back(std::move(one));
    }
    if (std::ranges::find(taken, false) != taken.end())
        return wrong();
    return made;
}

/// Standard deviations at x; nothing where a run cannot be priced, or when stopped.
std::optional<Eigen::VectorXd> deviationsAt(const std::vector<Whitened> &sources, const Parameters &parameters,
    const double *x, double priorWidth, const std::stop_token &stop)
{
    const auto count = parameters.count();
    Eigen::MatrixXd information = Eigen::MatrixXd::Zero(count, count);
    for (const auto &source : sources) {
        const auto slopes = source.slopes(parameters, x, stop);
        if (!slopes)
            return std::nullopt;
        information += slopes->transpose() * *slopes;
    }
    // deviations() takes slopes; the root of the information serves as well.
    const Eigen::MatrixXd root =
        (information + Eigen::MatrixXd::Identity(count, count) * 1e-12).llt().matrixL().transpose();
    return deviations(root, priorWidth);
}

std::vector<Constant> identifiedBeside(
    const std::vector<Whitened> &sources, const Constants &centre, double priorWidth, const std::stop_token &stop)
{
    const Parameters all(centre, fittedConstants(centre));
    const std::vector<double> origin(std::size_t(all.count()), 0.0);
    const auto width = deviationsAt(sources, all, origin.data(), priorWidth, stop);
    std::vector<Constant> constants;
    for (int i = 0; width && i < all.count(); ++i)
        if (1 - (*width)[i] / priorWidth >= leastIdentifiedBeside)
            constants.push_back(all.constant(i));
    return constants;
}

} // namespace

Expected<Calibration> calibrateBeside(std::span<const CalibrationRun> runs, std::span<const CorrelatedRuns> sources,
    const Constants &centre, const Constants &present, const CalibrationOptions &options, std::stop_token stop,
    std::atomic<int> *iterations)
{
    if (auto ok = checkCalibration(runs, centre, options); !ok)
        return std::unexpected(std::move(ok.error()));
    if (stop.stop_requested())
        return cancelledCalibration();
    const auto groups = whitened(runs, sources);
    if (!groups)
        return std::unexpected(groups.error());
    auto constants = options.constants.empty() ? identifiedBeside(*groups, centre, options.priorWidth, stop)
                                               : options.constants;
    std::ranges::sort(constants);
    const auto repeated = std::ranges::unique(constants);
    constants.erase(repeated.begin(), repeated.end());
    if (stop.stop_requested())
        return cancelledCalibration();

    const Parameters parameters(centre, std::move(constants));
    std::vector<double> x(std::size_t(parameters.count()), 0.0);
    Calibration answer;
    Watch watch(stop, iterations, answer.iterations);
    Eigen::VectorXd width(0);
    if (parameters.count() > 0) {
        ceres::Problem problem;
        problem.AddParameterBlock(x.data(), parameters.count());
        for (int i = 0; i < parameters.count(); ++i) {
            problem.SetParameterLowerBound(x.data(), i, parameters.least(i));
            problem.SetParameterUpperBound(x.data(), i, parameters.most(i));
        }
        for (const auto &source : *groups)
            problem.AddResidualBlock(new WhitenedErrors(source, parameters, stop), nullptr, x.data());
        problem.AddResidualBlock(new Prior(parameters.count(), options.priorWidth), nullptr, x.data());
        const bool solved = solveQuietly(problem, watch);
        auto found = solved ? deviationsAt(*groups, parameters, x.data(), options.priorWidth, stop) : std::nullopt;
        if (stop.stop_requested())
            return cancelledCalibration();
        if (!found)
            return refuse(ErrorCode::OutOfRange, "runs",
                "The fit found no solution for these runs; look for one whose configuration is wrong.");
        width = std::move(*found);
    }
    fillAnswer(runs, parameters, present, x, width, options.priorWidth, answer);
    return answer;
}

} // namespace fleetwright::detailed
