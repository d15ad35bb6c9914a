// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/decisiondocument.h"
#include "exchange/plandocuments.h"

namespace fleetwright::exchange {

/// Reads a decision document (YAML 1.2 or JSON) as strictly as plans are read: unknown and duplicate keys, wrong types
/// and values out of range are refused with the dotted path in Error::field and line and column in the sentence.
///
///     fleetwright: 1
///     decision: 70B on 15 T tokens in 30 days
///     jobs:                                   # name, tokens or share, batches, assumptions and layout are optional
///       - {workload: llama3_1_70b, tokens: 15e12, training: {global_batch: 2048, seq_len: 8192, precision: bf16},
///          batches: {from: 1024, to: 4096}, layout: {tp: [4, 8]}}
///     candidates:                             # optional, as each of its keys: every one
///       nodes: [nvidia_dgx_h100, nvidia_gb200_nvl72]
///       counts: 1..4096                       # or {from: 1, to: 4096}
///       fabrics: any                          # or a list of ids
///       oversubscriptions: [1, 2]
///       sites: [{facility: hyperscale, grid: se}]
///       paying: [own, on_demand, reserved_3y]
///       fleets: [{label: Offer B, fleet: {...}}]      # as they are
///       owned: [{label: Fleet of 2024, fleet: {...}}] # as they are and with more nodes
///       vendors: [NVIDIA, AMD]
///       costs: {life_years: 4}                # of every fleet
///     limits: {deadline_days: 30, capital_usd: 2.0e8, run_cost_usd: 2.0e7, yearly_cost_usd: 5.0e7,
///              max_facility_mw: 10, delivery_by: 2027-03-01, carbon_t: 500, max_memory_fraction: 0.9, min_mfu: 0.3,
///              min_goodput: 0.9, deadline_chance: 0.9}
///     objective: run_cost                     # days, capital, ownership_cost, carbon, energy
///     front: [days, run_cost]
///     base_case: {node: nvidia_dgx_h100, nodes: 128}  # without a fabric: the first that the node takes
///     order: 2026-12-01
///     uncertainty: {draws: 10000, seed: 1}
///     cost_model: detailed
///
/// Limits that plans have too keep their keys, former ones included. Microbatches, recomputation and tokens do not
/// stand under `training`: they are refused with where they belong.
[[nodiscard]] Expected<DecisionDocument> decisionFromText(std::string_view text);
/// The same rules on a parsed object, which cannot name lines.
[[nodiscard]] Expected<DecisionDocument> decisionFromJson(const Json &json);
/// decisionFromJson reads it back as an equal document, if its jobs' training states no more than documents do.
[[nodiscard]] Json decisionToJson(const DecisionDocument &document);
[[nodiscard]] std::string decisionToYaml(const DecisionDocument &document);

/// Whether a parsed text is a decision document.
[[nodiscard]] bool isDecision(const Json &json);

/// SHA-256 over everything that the answer depends on: the document but its name, the values of the workloads, sites,
/// nodes and fabrics to choose from, all prices with network gear, currencies and planning defaults, and the cost model
/// with its version and calibrated constants. Lower-case hexadecimal.
[[nodiscard]] std::string decisionInputHash(const DecisionDocument &document, const Catalog &catalog);

} // namespace fleetwright::exchange
