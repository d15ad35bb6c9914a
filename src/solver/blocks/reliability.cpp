// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/reliability.h"

#include "domain/rules.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

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
    figures.checkpointInterval = std::sqrt(2.0 * writeShare) * figures.fleetMtbf;
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
