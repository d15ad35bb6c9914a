// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/solve.h"

/// Llama-3.1-70B on 32 nodes of 8 H100 with InfiniBand NDR, TP 8 PP 4; tests change one thing at a time.
namespace sampleplan {

using namespace fleetwright;

inline void setPeak(AcceleratorFacts &facts, Precision precision, FlopRate rate)
{
    facts.peaks[static_cast<std::size_t>(precision)] = rate;
}

inline AcceleratorFacts accelerator()
{
    AcceleratorFacts facts;
    facts.id = "h100";
    facts.name = "H100";
    facts.memoryCapacity = 80.0 * gibibyte;
    facts.memoryBandwidth = 3350.0 * gigabytePerSecond;
    setPeak(facts, Precision::Fp16, 989.0 * teraflopPerSecond);
    setPeak(facts, Precision::Bf16, 989.0 * teraflopPerSecond);
    setPeak(facts, Precision::Fp8, 1979.0 * teraflopPerSecond);
    facts.hostLinkBandwidth = 64.0 * gigabytePerSecond;
    facts.dispatchTime = 0.01 * millisecond;
    facts.tdp = 700.0 * watt;
    facts.cloudPriceLow = 2.0 * dollarPerHour;
    return facts;
}

inline NodeFacts node(const AcceleratorFacts &acceleratorFacts = accelerator())
{
    return {.id = "node",
        .name = "Node",
        .accelerator = Accelerator::create(acceleratorFacts).value(),
        .acceleratorsPerNode = 8,
        .scaleUpDomainSize = 8,
        .scaleUpBandwidth = 450.0 * gigabytePerSecond,
        .nicCount = 8,
        .maxPower = 10.2 * kilowatt};
}

inline FabricFacts fabric()
{
    return {.id = "ndr", .name = "NDR", .portBandwidth = 50.0 * gigabytePerSecond, .latency = 5.0 * microsecond};
}

/// 300,000 USD a node, 2 USD an hour on demand, 0.1 USD/kWh; nothing fails.
inline FleetCosts costs()
{
    return {.figures = {{.entry = "node_usd", .likely = 300e3}, {.entry = "rent_usd_per_hour", .likely = 2},
                {.entry = "usd_per_kwh", .likely = 0.1}}};
}

inline FleetFacts fleet(const NodeFacts &nodeFacts = node(), const FabricFacts &fabricFacts = fabric(), int nodes = 32)
{
    return {.name = "Fleet",
        .node = Node::create(nodeFacts).value(),
        .nodeCount = nodes,
        .fabric = Fabric::create(fabricFacts).value(),
        .costs = costs()};
}

inline WorkloadFacts workload()
{
    WorkloadFacts facts;
    facts.id = "llama";
    facts.name = "Llama-3.1-70B";
    facts.parameters = 70.6e9;
    facts.activeParameters = 70.6e9;
    facts.layers = 80;
    facts.hiddenSize = 8192;
    facts.attentionHeads = 64;
    facts.kvHeads = 8;
    facts.trainingTokens = 15e12;
    return facts;
}

inline PlanFacts plan(const FleetFacts &fleetFacts = fleet(), const WorkloadFacts &workloadFacts = workload())
{
    return {.name = "Plan",
        .workload = Workload::create(workloadFacts).value(),
        .fleet = Fleet::create(fleetFacts).value(),
        .parallelism = {.tp = 8, .pp = 4},
        .training = {.globalBatch = 256,
            .microbatchCount = 16,
            .sequenceLength = 2048,
            .precision = Precision::Fp16,
            .recompute = Recompute::Selective},
        .costModelId = "first-order"};
}

inline Expected<std::unique_ptr<Evaluator>> prepare(const PlanFacts &facts)
{
    const auto model = findCostModel(facts.costModelId);
    if (!model)
        return std::unexpected(model.error());
    return (*model)->prepare(facts.workload, facts.fleet, facts.training, facts.assumptions);
}

} // namespace sampleplan
