// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/moerouting.h"

#include "domain/rules.h"
#include "solver/blocks/shapechecks.h"

#include <algorithm>

namespace fleetwright {

Expected<MoeRouting> moeRouting(const WorkloadFacts &workload, std::int64_t batch, std::int64_t sequenceLength,
    Precision precision, std::int64_t expertRanks, double imbalance, const Link &fabric,
    const FirstOrderConstants &constants)
{
    rules::Checker rule("");
    rule.atLeast("moe_routing_imbalance_factor", "The routing imbalance", imbalance, 1);
    rule.atLeast("ep_size", "Expert parallelism (EP)", double(expertRanks), 1);
    rule.atLeast("batch", "The batch", double(batch), 1);
    rule.atLeast("seq_len", "The sequence length", double(sequenceLength), 1);
    if (!rule.result())
        return std::unexpected(rule.result().error());
    if (!workload.experts)
        return refuse(ErrorCode::MissingField, "experts",
            "The workload has no experts; choose a mixture-of-experts model or state its experts.");
    if (auto ok = checkShape(workload); !ok)
        return std::unexpected(ok.error());

    const double chosen = double(workload.expertsPerToken.value_or(1));
    MoeRouting routing;
    routing.activeExperts = std::min(double(*workload.experts), chosen *imbalance);
    routing.multiplier = routing.activeExperts / chosen;
    routing.activeParameters = workload.activeParameters * routing.multiplier;
    const double hidden = workload.hiddenSize ? double(*workload.hiddenSize) : constants.defaultHiddenSize;
    routing.payload = double(batch) * double(sequenceLength) * hidden * routing.activeExperts
        * bytesPerElement(precision);
    routing.remote = double(expertRanks - 1) / double(expertRanks) * routing.payload;
    if (expertRanks > 1) {
        auto time = allToAll(routing.payload, expertRanks, fabric);
        if (!time)
            return std::unexpected(std::move(time.error()));
        routing.allToAllTime = *time;
    }
    return routing;
}

} // namespace fleetwright
