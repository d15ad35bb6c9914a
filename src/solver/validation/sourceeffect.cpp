// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/sourceeffect.h"

#include "solver/validation/parametercounts.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fleetwright::validation {

namespace {

/// Families that behave alike stand near each other; a source has runs of two at most.
double placeOfFamily(detailed::Family family)
{
    using detailed::Family;
    switch (family) {
    case Family::V100: return 0;
    case Family::A100: return 3;
    case Family::Hopper: return 6;
    case Family::Blackwell: return 9;
    case Family::BlackwellUltra: return 11;
    case Family::Tpu: return 20;
    case Family::TpuV6e: return 21;
    case Family::Cdna: return 30;
    }
    return 40;
}

double placeOfPrecision(int bits)
{
    constexpr int sixteen = 16, eight = 8;
    return bits >= sixteen ? 0 : bits >= eight ? 2 : 4;
}

double placeOfRecompute(Recompute recompute)
{
    switch (recompute) {
    case Recompute::None: return 0;
    case Recompute::Selective: return 1;
    case Recompute::Full: return 2;
    }
    return 0;
}

double distance(const EffectPlace &a, const EffectPlace &b)
{
    double squares = 0;
    for (std::size_t i = 0; i < a.features.size(); ++i)
        squares += (a.features[i] - b.features[i]) * (a.features[i] - b.features[i]);
    return std::sqrt(squares);
}

} // namespace

std::optional<EffectPlace> effectPlace(const detailed::Setting &setting, const detailed::Layout &layout)
{
    const auto constants = detailed::fittedConstants(setting.constants);
    auto slopes = detailed::logSlopes(setting, layout, constants);
    if (!slopes)
        return std::nullopt;
    const auto log = [](auto count) { return std::log(double(count)); };
    const auto &model = setting.architecture;
    constexpr double experts = 3, sharded = 2;
    constexpr int shardedParameters = 3;
    EffectPlace place;
    place.features = {log(double(layout.microbatch * setting.sequenceLength) / double(layout.cp)),
        log(ParameterCounts::total(model) / double(layout.tp * layout.pp)), log(setting.accelerators),
        log(setting.sequenceLength), log(layout.tp), log(layout.pp), log(layout.cp), log(model.hidden),
        model.experts > 0 ? experts : 0, placeOfPrecision(setting.precisionBits), placeOfRecompute(layout.recompute),
        layout.zeroStage == shardedParameters ? sharded : 0, placeOfFamily(setting.machine.family)};
    place.slopes = std::move(*slopes);
    return place;
}

EffectCovariance effectCovariance(const EffectPlace &a, const EffectPlace &b, const EffectScales &scales)
{
    const auto square = [](double value) { return value * value; };
    return {.ownConstants = square(scales.constants)
            * std::inner_product(a.slopes.begin(), a.slopes.end(), b.slopes.begin(), 0.0),
        .rest = square(scales.source) + square(scales.discrepancy) * std::exp(-distance(a, b) / scales.length)};
}

struct SourceEffect::Learnt {
    std::vector<EffectRun> runs;
    EffectScales scales;
    Eigen::VectorXd noise; ///< variance of each run's own scatter
    Eigen::MatrixXd covariance; ///< of the effect at the runs, without the noise
    Eigen::MatrixXd inverse; ///< of the covariance with the noise
    Eigen::VectorXd solved; ///< the inverse times the errors
    Eigen::VectorXd solvedOnes; ///< the inverse times ones
    Eigen::LLT<Eigen::MatrixXd> cholesky;

    Learnt(std::vector<EffectRun> learntFrom, const EffectScales &ofScales, const std::stop_token &stop)
        : runs(std::move(learntFrom)), scales(ofScales), noise(Eigen::Index(runs.size())),
          covariance(Eigen::Index(runs.size()), Eigen::Index(runs.size()))
    {
        noise.setConstant(scales.run * scales.run);
        for (std::size_t i = 0; i < runs.size() && !stop.stop_requested(); ++i)
            for (std::size_t j = 0; j <= i; ++j)
                covariance(Eigen::Index(i), Eigen::Index(j)) = covariance(
                    Eigen::Index(j), Eigen::Index(i)) = effectCovariance(runs[i].place, runs[j].place, scales).total();
        if (!runs.empty())
            factorise(stop);
    }

    void factorise(const std::stop_token &stop)
    {
        if (stop.stop_requested())
            return;
        const auto count = covariance.rows();
        Eigen::VectorXd errors(count);
        for (Eigen::Index i = 0; i < count; ++i)
            errors[i] = runs[std::size_t(i)].logError;
        Eigen::MatrixXd whole = covariance;
        whole.diagonal() += noise;
        cholesky.compute(whole);
        inverse = Eigen::MatrixXd::Identity(count, count);
        constexpr Eigen::Index atOnce = 128; // columns
        for (Eigen::Index first = 0; first < count && !stop.stop_requested(); first += atOnce)
            cholesky.solveInPlace(inverse.middleCols(first, std::min(atOnce, count - first)));
        solved = cholesky.solve(errors);
        solvedOnes = cholesky.solve(Eigen::VectorXd::Ones(count));
    }

    /// Changes the inverse and what was solved as one more term on the diagonal does (Sherman and Morrison).
    void addNoise(Eigen::Index at, double variance)
    {
        noise[at] += variance;
        const Eigen::VectorXd column = inverse.col(at);
        const double scale = variance / (1 + variance * column[at]);
        solved -= scale * solved[at] * column;
        inverse.noalias() -= scale * column * column.transpose();
    }

    /// Distance of each run from what the others say, in standard deviations.
    [[nodiscard]] Eigen::VectorXd surprise() const
    {
        return (solved.array() / inverse.diagonal().array().sqrt()).abs();
    }

    [[nodiscard]] Eigen::VectorXd covarianceWith(const EffectPlace &place) const
    {
        Eigen::VectorXd values(Eigen::Index(runs.size()));
        for (std::size_t i = 0; i < runs.size(); ++i)
            values[Eigen::Index(i)] = effectCovariance(runs[i].place, place, scales).total();
        return values;
    }
    /// Of the effect alone.
    [[nodiscard]] double variance(const EffectPlace &place, const Eigen::VectorXd &with) const
    {
        const double before = effectCovariance(place, place, scales).total();
        return std::max(0.0, before - with.dot(cholesky.solve(with)));
    }
};

SourceEffect::SourceEffect(
    std::vector<EffectRun> runs, const EffectScales &scales, bool robust, const std::stop_token &stop)
{
    const auto learnt = std::make_shared<Learnt>(std::move(runs), scales, stop);
    constexpr std::size_t fewestForRobust = 4; // with fewer there is no telling which of them is wrong
    constexpr double believable = 2.5; // standard deviations
    constexpr int mostRounds = 100;
    constexpr double close = 1.001;
    bool more = false;
    for (int round = 0; robust && learnt->runs.size() >= fewestForRobust && round < mostRounds; ++round) {
        if (stop.stop_requested())
            break;
        // The most surprising run first: what it did to the others is undone before they are judged.
        Eigen::Index worst = 0;
        const double surprise = learnt->surprise().maxCoeff(&worst);
        if (surprise <= believable * close)
            break;
        const double left = 1 / learnt->inverse(worst, worst); // variance given the others, its own noise included
        learnt->addNoise(worst, left * (surprise * surprise / (believable * believable) - 1));
        more = true;
    }
    if (more)
        learnt->factorise(stop);
    m_learnt = learnt;
}

std::size_t SourceEffect::count() const { return m_learnt->runs.size(); }
const EffectScales &SourceEffect::scales() const { return m_learnt->scales; }

EffectPosterior SourceEffect::at(const EffectPlace &place) const
{
    const double run = m_learnt->scales.run;
    if (count() == 0)
        return {.mean = 0, .deviation = std::sqrt(effectCovariance(place, place, scales()).total() + run * run)};
    const auto with = m_learnt->covarianceWith(place);
    return {.mean = with.dot(m_learnt->solved), .deviation = std::sqrt(m_learnt->variance(place, with) + run * run)};
}

double SourceEffect::weight(const EffectPlace &place) const
{
    return count() == 0 ? 0 : m_learnt->covarianceWith(place).dot(m_learnt->solvedOnes);
}

double SourceEffect::remaining(const EffectPlace &place) const
{
    return at(place).deviation / SourceEffect({}, scales()).at(place).deviation;
}

EffectPosterior SourceEffect::leaveOneOut(std::size_t i) const
{
    const auto at = Eigen::Index(i);
    const double variance = 1 / m_learnt->inverse(at, at); // with the noise of this run
    const double usual = m_learnt->scales.run * m_learnt->scales.run;
    return {.mean = m_learnt->runs[i].logError - m_learnt->solved[at] * variance,
        .deviation = std::sqrt(std::max(usual, variance - m_learnt->noise[at] + usual))};
}

double SourceEffect::deviationWith(const EffectPlace &place, const EffectPlace &candidate) const
{
    const double noise = m_learnt->scales.run * m_learnt->scales.run;
    double here = effectCovariance(place, place, scales()).total(),
           there = effectCovariance(candidate, candidate, scales()).total(),
           both = effectCovariance(place, candidate, scales()).total();
    if (count() > 0) {
        const auto withPlace = m_learnt->covarianceWith(place), withCandidate = m_learnt->covarianceWith(candidate);
        const Eigen::VectorXd solved = m_learnt->cholesky.solve(withCandidate);
        here = m_learnt->variance(place, withPlace);
        there -= withCandidate.dot(solved);
        both -= withPlace.dot(solved);
    }
    return std::sqrt(std::max(0.0, here - both * both / (there + noise)) + noise);
}

std::vector<double> SourceEffect::covarianceBesideConstants() const
{
    const auto &runs = m_learnt->runs;
    std::vector<double> covariance;
    covariance.reserve(runs.size() * runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (std::size_t j = 0; j < runs.size(); ++j)
            covariance.push_back(effectCovariance(runs[i].place, runs[j].place, scales()).rest
                + (i == j ? m_learnt->noise[Eigen::Index(i)] : 0));
    return covariance;
}

} // namespace fleetwright::validation
