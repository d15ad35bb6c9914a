// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/nativereader.h"

/// Building blocks about running a fleet and about what comes after training, on their native inputs (see
/// nativemodels.h).
namespace fleetwright::exchange {

/// {model, fleet, batch_size, efficiency = 0.5, overlap_comm = true, variant = "replica", precision = "fp16", seq_len =
/// 2048}
/// -> {best: {tp, pp, dp, mfu, step} or null, top: [...], count}
[[nodiscard]] Expected<Json> evaluateSplitSearch(NativeReader &in);

/// {fleet, grid: [g/kWh, PUE, L/kWh], days, mfu = 1, embodied_kg_per_device = 0}
/// The fleet's PUE counts before the grid's, and 1.12 where neither is known; a TDP that is not stated is 700 W.
[[nodiscard]] Expected<Json> evaluateSustainability(NativeReader &in);

/// The same, with usd_per_kwh = 0.12, amortization_years = 3, infrastructure_multiplier = 1; `carbon_kg` is
/// operational. An accelerator without `unit_cost_usd` costs nothing.
[[nodiscard]] Expected<Json> evaluateEconomics(NativeReader &in);

/// {fleet, job_hours, checkpoint_s = 60, recovery_s = 300}
[[nodiscard]] Expected<Json> evaluateReliability(NativeReader &in);

/// {model, accelerator, decode_accelerator, draft, seq_len, batch_size, precision, efficiency = 0.5, cached_prefix = 0,
/// chunk_tokens, acceptance = 0.7, transfer_bw = 1e11}
[[nodiscard]] Expected<Json> evaluateServing(NativeReader &in);

/// {nodes, rate_per_node_day, checkpoint_s, restart_s, interval_s, interval_rule = "young", replicas = 1,
/// accelerators_per_node = 8, usd_per_accelerator_hour = 0}
/// Times and intervals that do not exist (no failures, no checkpoints) are null.
[[nodiscard]] Expected<Json> evaluateGoodput(NativeReader &in);

/// {nodes, rate_per_node_day, repair_days, shortage = 0.01, nodes_per_failure = 1}
[[nodiscard]] Expected<Json> evaluateSpares(NativeReader &in);

/// {nodes, ports_per_node, switch_radix, oversubscription = 1, topology = "fat-tree", planes = 1, rails,
/// leaf_group_nodes, unit_groups, ufm_ports = 0, switch_ports_per_cage = 1, node_ports_per_cage = 1, node_leaf_copper =
/// false, leaf_spine_copper = false, switch_spare_share = 0.02, transceiver_spare_share = 0.03}
[[nodiscard]] Expected<Json> evaluateNetworkBill(NativeReader &in);

} // namespace fleetwright::exchange
