// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layoutsearchdocument.h"

#include <memory>

namespace fleetwright {

/// A catalog of one accelerator, node, fabric and dense transformer.
inline std::shared_ptr<const Catalog> searchCatalog()
{
    auto catalog = std::make_shared<Catalog>();
    const auto insert = [&](CatalogKind kind, std::string id, std::map<std::string, FieldValue, std::less<>> values) {
        CatalogRecord made;
        made.kind = kind;
        made.name = id;
        made.id = std::move(id);
        made.values = std::move(values);
        catalog->insert(std::move(made));
    };
    insert(CatalogKind::Accelerator, "card",
        {{"vendor", std::string("Example")}, {"tier", std::string("cloud")}, {"kind", std::string("gpu")},
            {"launch_year", 2022.0}, {"status", std::string("shipping")}, {"peak_dense_tflops.bf16", 1000.0},
            {"memory_capacity_bytes", 8e10}, {"memory_bandwidth_gb_per_s", 3000.0},
            {"scale_up_unidirectional_gb_per_s", 450.0}, {"host_link_unidirectional_gb_per_s", 64.0}});
    insert(CatalogKind::Node, "node",
        {{"vendor", std::string("Example")}, {"kind", std::string("server")}, {"launch_year", 2022.0},
            {"status", std::string("shipping")}, {"accelerator_id", std::string("card")},
            {"accelerators_per_node", 8.0}, {"scale_up_domain_size", 8.0}});
    insert(CatalogKind::Fabric, "fabric",
        {{"family", std::string("Ethernet")}, {"scope", std::string("scale_out")}, {"port_rate_gbit_per_s", 400.0},
            {"port_bandwidth_gb_per_s", 50.0}});
    insert(CatalogKind::Workload, "model",
        {{"family", std::string("Example")}, {"kind", std::string("language")},
            {"architecture", std::string("decoder_only_transformer")}, {"release_year", 2024.0}, {"params_total", 7e9},
            {"layers", 32.0}, {"hidden_size", 4096.0}, {"vocab_size", 32000.0}});
    return catalog;
}

inline PlanDocument planOf(int nodes)
{
    PlanDocument made;
    made.name = "plan";
    made.workload = std::string("model");
    made.fleet.node = std::string("node");
    made.fleet.fabric = std::string("fabric");
    made.fleet.nodes = nodes;
    made.training.globalBatch = 64;
    made.costModelId = "first-order";
    return made;
}

inline LayoutSearchDocument searchOf(int nodes)
{
    LayoutSearchDocument made;
    made.plan = planOf(nodes);
    return made;
}

} // namespace fleetwright
