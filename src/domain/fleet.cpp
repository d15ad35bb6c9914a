// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/fleet.h"

#include "domain/rules.h"

namespace fleetwright {

Bandwidth FleetFacts::scaleOutBandwidth() const
{
    const double portsPerAccelerator = node->nicCount ? double(*node->nicCount) / node->acceleratorsPerNode : 1.0;
    return fabric->portBandwidth * portsPerAccelerator;
}

Expected<void> check(const FleetFacts &facts)
{
    rules::Checker rule("");
    rule.within("fleet.nodes", "The number of nodes", facts.nodeCount, 1, mostNodes);
    if (facts.site.pue)
        rule.within("fleet.facility", "The PUE of the facility", *facts.site.pue, 1, 10);
    if (rule.result() && double(facts.nodeCount) * facts.node->acceleratorsPerNode > 1e8)
        rule.fail(ErrorCode::OutOfRange, "fleet.nodes",
            "The fleet would hold more than 100 million accelerators; use fewer nodes.");
    return rule.result();
}

FleetTotals totals(const Fleet &fleet)
{
    const auto &node = fleet->node;
    const auto &accelerator = node->accelerator;
    const double count = fleet->accelerators();
    FleetTotals sum;
    sum.accelerators = fleet->accelerators();
    auto peak = accelerator->peak(Precision::Bf16);
    if (!peak)
        peak = accelerator->peak(Precision::Fp16);
    if (peak)
        sum.densePeak = *peak * count;
    sum.memory = accelerator->memoryCapacity * count;
    sum.memoryBandwidth = accelerator->memoryBandwidth * count;
    sum.scaleOutPerNode = fleet->scaleOutBandwidth() * double(node->acceleratorsPerNode);
    if (node->maxPower)
        sum.maxItPower = *node->maxPower * double(fleet->nodeCount);
    if (sum.maxItPower && fleet->site.pue)
        sum.facilityPower = *sum.maxItPower * *fleet->site.pue;
    if (accelerator->tdp)
        sum.acceleratorTdp = *accelerator->tdp * count;
    if (accelerator->purchasePrice)
        sum.acceleratorPurchase = *accelerator->purchasePrice * count;
    return sum;
}

} // namespace fleetwright
