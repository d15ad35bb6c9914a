// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/fabric.h"

#include "domain/named.h"
#include "domain/rules.h"

namespace fleetwright {

namespace {
constexpr std::array allTopologies{FabricTopology::FatTree, FabricTopology::RailOptimised, FabricTopology::Dragonfly,
    FabricTopology::Torus3d, FabricTopology::Ring};
}

std::string_view toString(FabricTopology topology)
{
    switch (topology) {
    case FabricTopology::FatTree: return "fat_tree";
    case FabricTopology::RailOptimised: return "rail_optimised";
    case FabricTopology::Dragonfly: return "dragonfly";
    case FabricTopology::Torus3d: return "torus_3d";
    case FabricTopology::Ring: return "ring";
    }
    return {};
}

Expected<FabricTopology> parseFabricTopology(std::string_view text, std::string_view field)
{
    return parseNamed(text, field, "topology", allTopologies);
}

Expected<void> check(const FabricFacts &facts)
{
    rules::Checker rule("fabric \u201c" + facts.name + "\u201d");
    rule.filled("id", facts.id).filled("name", facts.name);
    rule.positive("port_rate_gbit_per_s", "The port rate", facts.portBandwidth);
    rule.notNegative("latency_us", "The latency", facts.latency);
    rule.within("oversubscription", "The oversubscription", facts.oversubscription, 1, mostOversubscription);
    if (facts.switchRadix)
        rule.within("switch_ports", "The number of switch ports", *facts.switchRadix, 0, rules::mostOfAnything);
    return rule.result();
}

Expected<Fabric> fabricFrom(const CatalogRecord &record)
{
    if (record.text("scope").value_or("scale_out") != "scale_out")
        return refuse(ErrorCode::UnsupportedValue, "scope",
            "\u201c" + record.name + "\u201d does not connect nodes; choose a fabric of scope scale_out.");
    FabricFacts facts;
    facts.id = record.id;
    facts.name = record.name;
    const auto port = record.quantity<Bandwidth>("port_bandwidth_gb_per_s");
    const auto rate = record.quantity<Bandwidth>("port_rate_gbit_per_s");
    if (!port && !rate)
        return refuse(ErrorCode::MissingField, "port_rate_gbit_per_s",
            "The port rate of \u201c" + record.name
                + "\u201d is unknown; choose another fabric or add one with its rate.");
    facts.portBandwidth = port ? *port : *rate;
    facts.latency = record.quantity<Seconds>("latency_us");
    facts.oversubscription = record.number("oversubscription_typical").value_or(1.0);
    const auto radix = record.number("switch_ports");
    facts.switchRadix = radix ? std::optional(rules::countOf(*radix)) : std::nullopt;
    return Fabric::create(std::move(facts));
}

} // namespace fleetwright
