// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/reliability.h"

#include "domain/rules.h"

#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/log1p.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace fleetwright {

namespace {

void checkFailureRate(rules::Checker &rule, Frequency perNode)
{
    rule.within("rate_per_node_day", "The number of failures per node and day", double(perNode / perDay), 0, 1000);
}

/// P(X > units) for X Poisson with that mean: the regularised incomplete gamma function P(units + 1, mean). Series of
/// it need some sqrt(mean) terms in the tails; for huge means the first terms of Temme's expansion (1979; DLMF 8.12)
/// are exact to a part in the mean.
double poissonShortage(double mean, std::int64_t units)
{
    constexpr double huge = 1e9;
    const double a = double(units) + 1.0;
    if (mean == 0)
        return 0.0;
    if (mean < huge)
        return boost::math::gamma_p(a, mean);
    const double mu = (mean - a) / a;
    const double half = -boost::math::log1pmx(mu); // eta^2 / 2
    const double eta = std::copysign(std::sqrt(2.0 * half), mu);
    constexpr double nearby = 1e-7; // 1/mu - 1/eta cancels there, and is -1/3 + mu/12
    const double correction = std::abs(mu) < nearby ? -1.0 / 3.0 : 1.0 / mu - 1.0 / eta;
    return 0.5 * std::erfc(-eta * std::sqrt(0.5 * a))
        - std::exp(-a * half) / std::sqrt(2.0 * std::numbers::pi * a) * correction;
}

} // namespace

Seconds youngInterval(Seconds checkpointWrite, Seconds mtbf)
{
    return std::sqrt(2.0 * double(checkpointWrite / mtbf)) * mtbf;
}

Seconds dalyInterval(Seconds checkpointWrite, Seconds mtbf)
{
    const double half = 0.5 * double(checkpointWrite / mtbf); // w / (2 M)
    if (half >= 1)
        return mtbf;
    return youngInterval(checkpointWrite, mtbf) * (1.0 + std::sqrt(half) / 3.0 + half / 9.0) - checkpointWrite;
}

Expected<IntervalRule> parseIntervalRule(std::string_view text)
{
    if (text == "young")
        return IntervalRule::Young;
    if (text == "daly")
        return IntervalRule::Daly;
    return refuse(ErrorCode::UnsupportedValue, "interval_rule",
        "The interval between checkpoints follows the rule \u201cyoung\u201d or \u201cdaly\u201d.");
}

Expected<Goodput> goodput(const GoodputInputs &inputs)
{
    rules::Checker rule("");
    rule.within("nodes", "The number of nodes", double(inputs.nodes), 1, 1e6);
    checkFailureRate(rule, inputs.failuresPerNode);
    rule.notNegative("checkpoint_s", "The time to write a checkpoint", inputs.checkpointWrite);
    rule.notNegative("restart_s", "The time to restart", inputs.restart);
    rule.positive("interval_s", "The interval between checkpoints", inputs.interval);
    rule.within("replicas", "The number of replicas", double(inputs.replicas), 1, 1e6);
    rule.within(
        "accelerators_per_node", "The number of accelerators per node", double(inputs.acceleratorsPerNode), 1, 1e4);
    rule.notNegative("usd_per_accelerator_hour", "The price of an accelerator", inputs.acceleratorPrice);
    if (!rule.result())
        return std::unexpected(rule.result().error());

    Goodput out;
    const bool fails = inputs.failuresPerNode.value() > 0;
    const bool writes = inputs.checkpointWrite.value() > 0;
    const bool redoes = inputs.replicas == 1;
    out.failures = double(inputs.nodes) * inputs.failuresPerNode;
    out.interval = inputs.interval;
    double lost = 0; // shares of the time that failures take
    if (fails) {
        out.mtbf = 1.0 / out.failures;
        out.youngInterval = youngInterval(inputs.checkpointWrite, *out.mtbf);
        out.dalyInterval = dalyInterval(inputs.checkpointWrite, *out.mtbf);
        if (!out.interval && redoes && writes)
            out.interval = inputs.rule == IntervalRule::Young ? out.youngInterval : out.dalyInterval;
        if (!out.interval && (redoes || writes))
            return refuse(ErrorCode::MissingField, "interval_s",
                writes ? "Replicas that survive failures have no best interval between checkpoints; state it."
                       : "Checkpoints that take no time have no best interval; state it.");
        out.redoneShare = redoes ? 0.5 * double(*out.interval / *out.mtbf) : 0.0;
        out.restartShare = double(inputs.restart / *out.mtbf) / double(inputs.replicas);
        lost = out.redoneShare + out.restartShare;
    }
    const double writing = out.interval ? double(inputs.checkpointWrite / *out.interval) : 0.0;
    out.goodput = std::max(0.0, (1.0 - lost) / (1.0 + writing));
    out.checkpointShare = out.goodput * writing;
    if (out.goodput == 0) {
        out.redoneShare /= lost;
        out.restartShare /= lost;
    }
    const double accelerators = double(inputs.nodes) * double(inputs.acceleratorsPerNode);
    out.lostAccelerators = (1.0 - out.goodput) * accelerators;
    out.lostMoney = out.lostAccelerators * inputs.acceleratorPrice;
    return out;
}

Expected<Spares> spares(const SparesInputs &inputs)
{
    rules::Checker rule("");
    rule.within("nodes", "The number of nodes", double(inputs.nodes), 1, 1e6);
    checkFailureRate(rule, inputs.failuresPerNode);
    rule.within("repair_days", "The repair time in days", double(inputs.repair / day), 0, 3650);
    rule.within("shortage", "The accepted probability of a shortage", inputs.shortage, 1e-9, 0.5);
    rule.within("nodes_per_failure", "The number of nodes that one failure takes", double(inputs.nodesPerFailure), 1,
        std::max(1.0, double(inputs.nodes)));
    if (!rule.result())
        return std::unexpected(rule.result().error());

    Spares out;
    out.meanDown = double(inputs.nodes) * double(inputs.failuresPerNode * inputs.repair);
    const auto enough = [&](std::int64_t units) { return poissonShortage(out.meanDown, units) <= inputs.shortage; };
    // The median of X is within 1 of the mean, so that two below it more than half of the cases are short.
    std::int64_t tooFew = std::max<std::int64_t>(-1, static_cast<std::int64_t>(out.meanDown) - 2);
    std::int64_t most = tooFew + 1;
    for (std::int64_t step = 1; !enough(most); step *= 2) {
        tooFew = most;
        most += step;
    }
    while (most - tooFew > 1) {
        const auto middle = std::midpoint(tooFew, most);
        (enough(middle) ? most : tooFew) = middle;
    }
    out.units = most;
    out.nodes = out.units * inputs.nodesPerFailure;
    out.shortage = poissonShortage(out.meanDown, out.units);
    return out;
}

Expected<Reliability> reliability(const ReliabilityInputs &inputs, const ReliabilityConstants &constants)
{
    rules::Checker rule("");
    const auto countFrom = [&rule](std::string_view field, std::string_view label, double value, double least) {
        rule.atLeast(field, label, value, least);
    };
    countFrom("nodes", "The number of nodes", inputs.nodes, 1);
    countFrom("accelerators_per_node", "The number of accelerators per node", inputs.acceleratorsPerNode, 1);
    countFrom("nics_per_node", "The number of NICs per node", inputs.nicsPerNode, 0);
    countFrom("psus_per_node", "The number of power supplies per node", inputs.psusPerNode, 0);
    rule.notNegative("job_hours", "The duration of the job", inputs.duration);
    rule.notNegative("checkpoint_s", "The time to write a checkpoint", inputs.checkpointWrite);
    rule.notNegative("recovery_s", "The recovery time", inputs.recovery);
    for (const auto &mttf : {constants.acceleratorMttf, constants.nicMttf, constants.psuMttf})
        rule.positive("mttf", "The mean time to failure of a part", mttf);
    if (!rule.result())
        return std::unexpected(rule.result().error());

    const auto rate = inputs.acceleratorsPerNode / constants.acceleratorMttf + inputs.nicsPerNode / constants.nicMttf
        + inputs.psusPerNode / constants.psuMttf;
    Reliability figures;
    figures.nodeMtbf = 1.0 / rate;
    figures.fleetMtbf = figures.nodeMtbf / inputs.nodes;
    const double writeShare = inputs.checkpointWrite / figures.fleetMtbf;
    figures.checkpointInterval = youngInterval(inputs.checkpointWrite, figures.fleetMtbf);
    figures.expectedFailures = inputs.duration / figures.fleetMtbf;
    figures.failureProbability = -std::expm1(-figures.expectedFailures);
    // delta / tau, written so that a checkpoint that costs nothing is not 0 / 0.
    figures.goodput = std::max(0.0, 1.0 - std::sqrt(0.5 * writeShare) - double(inputs.recovery / figures.fleetMtbf));
    return figures;
}

Expected<Checkpoint> checkpoint(double parameters, Bytes statePerParameter, double writers,
    std::optional<Bandwidth> storage, const CheckpointConstants &constants)
{
    rules::Checker rule("");
    rule.within("parameters", "The parameter count", parameters, 1, 1e18);
    rule.atLeast("writers", "The number of writers", writers, 1);
    rule.positive("storage_bw", "The storage bandwidth", storage);
    if (!rule.result())
        return std::unexpected(rule.result().error());
    Checkpoint figures;
    figures.size = parameters * statePerParameter;
    figures.bandwidth = std::min(writers * storage.value_or(constants.storage), constants.ceiling);
    figures.write = figures.size / figures.bandwidth;
    figures.slow = figures.write > constants.slow;
    return figures;
}

} // namespace fleetwright
