// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"

/// A small catalog and plan in which every value is valid; tests change one thing at a time.
namespace samples {

using namespace fleetwright;

inline CatalogRecord record(CatalogKind kind, std::string id, std::map<std::string, FieldValue, std::less<>> values)
{
    CatalogRecord made;
    made.kind = kind;
    made.id = id;
    made.name = id;
    made.values = std::move(values);
    return made;
}

inline CatalogRecord accelerator()
{
    return record(CatalogKind::Accelerator, "test_gpu",
        {{"vendor", "Test"}, {"tier", "cloud"}, {"kind", "gpu"}, {"launch_year", 2024.0}, {"status", "shipping"},
            {"peak_dense_tflops.bf16", 1000.0}, {"peak_dense_tflops.fp16", 1000.0}, {"memory_capacity_bytes", 80e9},
            {"memory_bandwidth_gb_per_s", 3000.0}, {"scale_up_unidirectional_gb_per_s", 450.0}, {"tdp_w", 700.0}});
}

inline CatalogRecord node()
{
    return record(CatalogKind::Node, "test_node",
        {{"vendor", "Test"}, {"kind", "server"}, {"launch_year", 2024.0}, {"status", "shipping"},
            {"accelerator_id", "test_gpu"}, {"accelerators_per_node", 8.0}, {"scale_up_domain_size", 8.0},
            {"nics_scale_out_count", 4.0}, {"nic_rate_gbit_per_s", 400.0}, {"max_power_kw", 10.0}});
}

inline CatalogRecord fabric()
{
    return record(CatalogKind::Fabric, "test_fabric",
        {{"scope", "scale_out"}, {"family", "Test"}, {"status", "shipping"}, {"port_rate_gbit_per_s", 400.0},
            {"port_bandwidth_gb_per_s", 50.0}, {"latency_us", 5.0}});
}

inline CatalogRecord workload()
{
    return record(CatalogKind::Workload, "test_model",
        {{"family", "Test"}, {"kind", "language"}, {"architecture", "decoder_only_transformer"},
            {"release_year", 2024.0}, {"params_total", 7e9}, {"params_active", 7e9}, {"layers", 32.0},
            {"hidden_size", 4096.0}, {"attention_heads", 32.0}, {"kv_heads", 8.0}, {"training_tokens", 1e12}});
}

inline Catalog catalog()
{
    Catalog made;
    made.insert(accelerator());
    made.insert(node());
    made.insert(fabric());
    made.insert(workload());
    return made;
}

inline PlanDocument plan()
{
    PlanDocument made;
    made.name = "Test plan";
    made.workload = "test_model";
    made.fleet.node = "test_node";
    made.fleet.nodes = 4;
    made.fleet.fabric = "test_fabric";
    made.training.globalBatch = 64;
    made.costModelId = "first-order";
    return made;
}

} // namespace samples
