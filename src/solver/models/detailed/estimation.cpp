// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/estimation.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <map>

namespace fleetwright::detailed {

namespace {

constexpr double smallestScatter = 0.06, largestScatter = 0.25, scatterOfFew = 0.08;
constexpr std::size_t fewRuns = 2; // of which no scatter can be told
constexpr double mostEffectiveRuns = 40, freedom = 4;
constexpr double logStep = 1e-4, longestMove = 0.4, settled = 2e-3, damping = 1e-3;
constexpr double deviationOfMedian = 1.4826; // of a normal distribution

/// Widths are narrower than what physics allows by this factor, chosen by errors on sources left out.
constexpr double narrowed = 0.6;

using enum Constant;
constexpr double gemm16 = 0.65, gemm8 = 0.55, gemm4 = 0.42, attention3 = 0.48, familyWidth = 0.25;
/// In the units of constantTable(): shares of peaks and links that people quote before they measure, host times of
/// milliseconds, traffic of one or two passes over the data.
constexpr auto priors = std::to_array<NeutralPrior>({
    {Gemm16V100, gemm16, familyWidth},
    {Gemm16A100, gemm16, familyWidth},
    {Gemm16Hopper, gemm16, familyWidth},
    {Gemm16Blackwell, gemm16, familyWidth},
    {Gemm16BlackwellUltra, gemm16, familyWidth},
    {Gemm16Tpu, gemm16, familyWidth},
    {Gemm16Cdna, gemm16, familyWidth},
    {Gemm8Hopper, gemm8, familyWidth},
    {Gemm8Blackwell, gemm8, familyWidth},
    {Gemm8BlackwellUltra, gemm8, familyWidth},
    {Gemm8Cdna, gemm8, familyWidth},
    {Gemm4Blackwell, gemm4, familyWidth},
    {Gemm4BlackwellUltra, gemm4, familyWidth},
    {Attention1A100, 0.35, 0.2},
    {Attention1Hopper, 0.2, 0.2},
    {Attention2A100, 0.55, 0.15},
    {Attention2Hopper, 0.35, 0.15},
    {Attention3Hopper, attention3, familyWidth},
    {Attention3Blackwell, attention3, familyWidth},
    {Attention3BlackwellUltra, attention3, familyWidth},
    {Attention3Tpu, attention3, familyWidth},
    {Attention3Cdna, attention3, familyWidth},
    {ElementwiseV2, 1, 0.4},
    {ElementwiseCore, 1.5, 0.4},
    {ElementwiseFsdp, 2, 0.4},
    {ElementwiseXla, 0.7, 0.4},
    {ElementwiseXlaGpu, 1.8, 0.4},
    {DeepSpeedSlowdown, 1.2, 0.15},
    {LoraTraffic, 6, 0.4},
    {RoutingTraffic, 2, 0.5},
    {ScoreTraffic, 10, 0.4},
    {UnalignedSlowdown, 8, 0.6},
    {HostV2, 0.9, 0.3},
    {HostCore, 0.5, 0.3},
    {HostFsdp, 0.6, 0.3},
    {HostExpert, 1.8, 0.3},
    {StepOverhead, 10, 0.5},
    {ScaleUpShare, 0.65, 0.2},
    {ScaleOutShare, 0.7, 0.2},
    {TpuLinkShare, 0.85, 0.2},
    {Interference, 0.2, 0.4},
    {TpHost, 0.02, 0.5},
    {TransferHost, 0.3, 0.5},
    {Broadcast, 3, 0.5},
    {ExpertVisit, 8, 0.5},
    {LossTraffic, 30, 0.4},
    {TpuV6eShare, 0.8, 0.2},
    {ElementwiseFsdpCompiled, 1.8, 0.3},
    {ElementwiseResearch, 2.2, 0.4},
    {HostResearch, 0.8, 0.4},
    {TpHostResearch, 0.05, 0.8},
    {HostResearchPipeline, 3, 0.6},
    {TpHostResearchPipeline, 0.1, 0.8},
    {TransferHostResearch, 0.3, 0.7},
    {ScalingEight, 2, 0.6},
    {ScalingFour, 3, 0.6},
    {ScalingCompiled, 3, 0.6},
    {CollectiveLaunch, 15, 0.6},
});

double middle(std::vector<double> values)
{
    std::ranges::sort(values);
    const auto half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// The constants that are estimated, as logarithms.
class Unknowns {
public:
    explicit Unknowns(const Constants &start) : m_start(start)
    {
        m_centre.resize(Eigen::Index(priors.size()));
        m_precision.resize(Eigen::Index(priors.size()));
        for (std::size_t i = 0; i < priors.size(); ++i) {
            const double width = narrowed * priors[i].width;
            m_centre[Eigen::Index(i)] = std::log(priors[i].value * factorOf(i));
            m_precision[Eigen::Index(i)] = 1 / (width * width);
        }
    }
    [[nodiscard]] Eigen::Index count() const { return m_centre.size(); }
    [[nodiscard]] const Eigen::VectorXd &centre() const { return m_centre; }
    [[nodiscard]] const Eigen::VectorXd &precision() const { return m_precision; }
    [[nodiscard]] Constants at(const Eigen::VectorXd &logs) const
    {
        auto values = m_start;
        for (Eigen::Index i = 0; i < count(); ++i)
            values[neutralPriors()[std::size_t(i)].constant] = std::exp(logs[i]);
        return values;
    }
    [[nodiscard]] Eigen::VectorXd logsOf(const Constants &constants) const
    {
        Eigen::VectorXd logs(count());
        for (Eigen::Index i = 0; i < count(); ++i)
            logs[i] = std::log(constants[neutralPriors()[std::size_t(i)].constant]);
        return bounded(logs);
    }
    [[nodiscard]] Eigen::VectorXd bounded(Eigen::VectorXd logs) const
    {
        constexpr double leastPositive = 1e-9; // bounds of zero have no logarithm
        for (Eigen::Index i = 0; i < count(); ++i) {
            const auto &descriptor = descriptorOf(std::size_t(i));
            logs[i] = std::clamp(logs[i],
                std::log(std::max(descriptor.least * factorOf(std::size_t(i)), leastPositive)),
                std::log(descriptor.most * factorOf(std::size_t(i))));
        }
        return logs;
    }

private:
    [[nodiscard]] static const ConstantDescriptor &descriptorOf(std::size_t i)
    {
        return constantTable()[static_cast<std::size_t>(neutralPriors()[i].constant)];
    }
    [[nodiscard]] static double factorOf(std::size_t i) { return baseFactor(descriptorOf(i)); }

    const Constants &m_start;
    Eigen::VectorXd m_centre, m_precision;
};

/// ln(measured / predicted) of each run; nothing where one cannot be priced.
std::optional<Eigen::VectorXd> errorsAt(std::span<const CalibrationRun> runs, const Constants &constants)
{
    Eigen::VectorXd errors(Eigen::Index(runs.size()));
    for (std::size_t r = 0; r < runs.size(); ++r) {
        auto setting = runs[r].setting;
        setting.constants = constants;
        const auto pricer = Pricer::make(setting);
        if (!pricer)
            return std::nullopt;
        const double ratio = runs[r].measured / pricer->price(runs[r].layout).stepTime;
        if (!(ratio > 0) || !std::isfinite(ratio))
            return std::nullopt;
        errors[Eigen::Index(r)] = std::log(ratio);
    }
    return errors;
}

struct Members {
    std::string_view source;
    std::vector<Eigen::Index> runs;
};

std::vector<Members> membersOf(std::span<const CalibrationRun> runs)
{
    std::map<std::string_view, std::vector<Eigen::Index>> found;
    for (std::size_t r = 0; r < runs.size(); ++r)
        found[runs[r].source].push_back(Eigen::Index(r));
    std::vector<Members> all;
    for (auto &[source, members] : found)
        all.push_back({source, std::move(members)});
    return all;
}

/// Precision of each run of a source at these errors: Student's weights over the source's own scatter, and no more than
/// a number of runs, which are not independent.
Eigen::VectorXd precisionsOf(const Members &members, const Eigen::VectorXd &errors)
{
    const auto count = Eigen::Index(members.runs.size());
    std::vector<double> of;
    for (const auto run : members.runs)
        of.push_back(errors[run]);
    double centre = 0, scatter = scatterOfFew;
    if (members.runs.size() > fewRuns) {
        centre = middle(of);
        for (double &value : of)
            value = std::abs(value - centre);
        scatter = std::clamp(deviationOfMedian * middle(of), smallestScatter, largestScatter);
    }
    Eigen::VectorXd precisions(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const double z = (errors[members.runs[std::size_t(i)]] - centre) / scatter;
        precisions[i] = (freedom + 1) / (freedom + z * z) / (scatter * scatter)
            * std::min(1.0, mostEffectiveRuns / double(count));
    }
    return precisions;
}

/// Sum over sources of what integrating out the source's effect leaves: the gradient and the curvature (Gauss, Newton)
/// of half the squares, at errors y(x) with slopes dy/dx = -J.
struct Normal {
    Eigen::MatrixXd curvature;
    Eigen::VectorXd gradient;
};
Normal normalOf(const std::vector<Members> &all, const Eigen::VectorXd &errors, const Eigen::MatrixXd &slopes,
    const Unknowns &unknowns, const Eigen::VectorXd &logs, double betweenSources)
{
    Normal sum{unknowns.precision().asDiagonal(), unknowns.precision().cwiseProduct(unknowns.centre() - logs)};
    for (const auto &members : all) {
        const auto precisions = precisionsOf(members, errors);
        Eigen::MatrixXd j(Eigen::Index(members.runs.size()), unknowns.count());
        Eigen::VectorXd y(Eigen::Index(members.runs.size()));
        for (Eigen::Index i = 0; i < y.size(); ++i) {
            j.row(i) = slopes.row(members.runs[std::size_t(i)]);
            y[i] = errors[members.runs[std::size_t(i)]];
        }
        const Eigen::MatrixXd weighted = precisions.asDiagonal() * j;
        const Eigen::VectorXd total = weighted.colwise().sum();
        const double shared = 1 / (1 / (betweenSources * betweenSources) + precisions.sum());
        sum.curvature += j.transpose() * weighted - shared * total * total.transpose();
        sum.gradient += weighted.transpose() * y - shared * precisions.dot(y) * total;
    }
    return sum;
}

/// d ln(predicted) / d ln(constant) by forward differences, all runs.
std::optional<Eigen::MatrixXd> slopesAt(std::span<const CalibrationRun> runs, const Unknowns &unknowns,
    const Eigen::VectorXd &logs, const Eigen::VectorXd &errors)
{
    Eigen::MatrixXd slopes(errors.size(), unknowns.count());
    for (Eigen::Index i = 0; i < unknowns.count(); ++i) {
        auto moved = logs;
        moved[i] += logStep;
        const auto there = errorsAt(runs, unknowns.at(moved));
        if (!there)
            return std::nullopt;
        slopes.col(i) = (errors - *there) / logStep;
    }
    return slopes;
}

std::vector<SourceFit> effectsOf(const std::vector<Members> &all, const Eigen::VectorXd &errors, double betweenSources)
{
    std::vector<SourceFit> fits;
    for (const auto &members : all) {
        const auto precisions = precisionsOf(members, errors);
        double sum = 0;
        for (Eigen::Index i = 0; i < precisions.size(); ++i)
            sum += precisions[i] * errors[members.runs[std::size_t(i)]];
        const double variance = 1 / (1 / (betweenSources * betweenSources) + precisions.sum());
        fits.push_back({std::string(members.source), int(members.runs.size()), variance * sum, std::sqrt(variance)});
    }
    return fits;
}

std::unexpected<Error> unpriced()
{
    return refuse(ErrorCode::OutOfRange, "runs",
        "One of the runs has no predicted step time with the constants tried; leave out runs that cannot be priced.");
}

} // namespace

std::span<const NeutralPrior> neutralPriors() { return priors; }

Expected<Estimation> estimate(std::span<const CalibrationRun> runs, const Constants &start,
    std::optional<std::string_view> without, const EstimationOptions &options, std::stop_token stop)
{
    std::vector<CalibrationRun> learnt;
    for (const auto &run : runs)
        if (run.source != without)
            learnt.push_back(run);
    if (learnt.empty())
        return refuse(ErrorCode::MissingField, "runs", "There are no measured runs to learn from; add some.");
    const Unknowns unknowns(start);
    const auto all = membersOf(learnt);
    Eigen::VectorXd logs = options.from ? unknowns.logsOf(*options.from) : unknowns.bounded(unknowns.centre());
    Estimation answer;
    for (bool done = false; !done && answer.passes < options.mostPasses; ++answer.passes) {
        if (stop.stop_requested())
            return refuse(ErrorCode::Cancelled, {}, "The estimation was cancelled.");
        const auto errors = errorsAt(learnt, unknowns.at(logs));
        const auto slopes = errors ? slopesAt(learnt, unknowns, logs, *errors) : std::nullopt;
        if (!slopes)
            return unpriced();
        auto [curvature, gradient] = normalOf(all, *errors, *slopes, unknowns, logs, options.betweenSources);
        curvature.diagonal() *= 1 + damping;
        const Eigen::VectorXd move = curvature.ldlt().solve(gradient).cwiseMax(-longestMove).cwiseMin(longestMove);
        logs = unknowns.bounded(logs + move);
        done = move.cwiseAbs().maxCoeff() < settled;
    }
    answer.constants = unknowns.at(logs);
    const auto errors = errorsAt(runs, answer.constants);
    if (!errors)
        return unpriced();
    answer.logErrors.assign(errors->begin(), errors->end());
    answer.sources = effectsOf(membersOf(runs), *errors, options.betweenSources);
    return answer;
}

} // namespace fleetwright::detailed
