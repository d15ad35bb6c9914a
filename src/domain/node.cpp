// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/node.h"

#include "domain/rules.h"

namespace fleetwright {

Expected<void> check(const NodeFacts &facts)
{
    rules::Checker rule("node \u201c" + facts.name + "\u201d");
    rule.filled("id", facts.id).filled("name", facts.name);
    rule.within("accelerators_per_node", "The number of accelerators per node", facts.acceleratorsPerNode, 1, 100000);
    rule.within("scale_up_domain_size", "The scale-up domain (no smaller than the node)", facts.scaleUpDomainSize,
        facts.acceleratorsPerNode, 1000000);
    rule.positive("scale_up_unidirectional_gb_per_s_per_accelerator", "The scale-up bandwidth", facts.scaleUpBandwidth);
    rule.notNegative("scale_up_latency_us", "The scale-up latency", facts.scaleUpLatency);
    rule.positive("nic_rate_gbit_per_s", "The NIC rate", facts.nicRate);
    rule.positive("max_power_kw", "The maximum power", facts.maxPower);
    if (facts.nicCount)
        rule.within("nics_scale_out_count", "The number of NICs", *facts.nicCount, 1, 100000);
    if (facts.psuCount)
        rule.within("psu_count", "The number of power supplies", *facts.psuCount, 0, rules::mostOfAnything);
    if (facts.rackUnits)
        rule.within("rack_units", "The height in rack units", *facts.rackUnits, 0, rules::mostOfAnything);
    return rule.result();
}

Expected<Node> nodeFrom(const CatalogRecord &record, Accelerator accelerator)
{
    const auto integer = [&](std::string_view key) {
        const auto value = record.number(key);
        return value ? std::optional(rules::countOf(*value)) : std::nullopt;
    };
    const auto perNode = integer("accelerators_per_node").value_or(0);
    auto scaleUp = record.quantity<Bandwidth>("scale_up_unidirectional_gb_per_s_per_accelerator");
    if (const auto both = record.quantity<Bandwidth>("scale_up_bidirectional_gb_per_s_per_accelerator");
        both && !scaleUp)
        scaleUp = *both / 2.0;
    if (!scaleUp)
        scaleUp = accelerator->scaleUpBandwidth;
    return Node::create({.id = record.id,
        .name = record.name,
        .accelerator = std::move(accelerator),
        .acceleratorsPerNode = perNode,
        .scaleUpDomainSize = integer("scale_up_domain_size").value_or(perNode),
        .scaleUpBandwidth = scaleUp,
        .scaleUpLatency = std::nullopt,
        .nicCount = integer("nics_scale_out_count"),
        .nicRate = record.quantity<Bandwidth>("nic_rate_gbit_per_s"),
        .hostMemory = record.quantity<Bytes>("host_dram_gib"),
        .maxPower = record.quantity<Watts>("max_power_kw"),
        .psuCount = integer("psu_count"),
        .rackUnits = integer("rack_units")});
}

} // namespace fleetwright
