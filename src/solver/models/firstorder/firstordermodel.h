// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/costmodel.h"
#include "solver/models/firstorder/firstorder.h"

namespace fleetwright::firstorder {

/// The cost model `first-order` over plans. What a plan says and the model's own inputs differ in a few places, read as
/// follows:
/// - the scale-up domain of the node (8 in a DGX H100, 72 in an NVL72 rack; no more than the fleet) is the model's
/// "node": inside it
///   traffic runs on the scale-up link, which is the host link where the node states none;
/// - the fabric's bandwidth per accelerator is its port rate times the node's NICs per accelerator;
/// - recompute `full` is the model's recomputation; `none` and `selective` are its absence, and
/// Notice::RecomputeApproximated says where
///   memory is then counted with another setting than the plan's;
/// - forward FLOP stated per sequence of n tokens are divided by n, and those per token of workloads that are not
/// transformers multiplied
///   by the sequence length, because the replica variant counts FLOP per token for transformers and per sample
///   otherwise; the unsharded variant takes the figure as stated, as published;
/// - DP is accelerators / (TP x PP x EP): EP multiplies the model-parallel size. CP is unknown to the model and refused
/// above 1;
///   sequence parallelism is always assumed by the replica's memory.
[[nodiscard]] const CostModel &costModel();

/// The model's inputs for a plan. Fields of refusals are those of plans.
[[nodiscard]] Expected<Inputs> inputsFrom(
    const Workload &workload, const Fleet &fleet, const Training &training, const Assumptions &assumptions);

/// The same refusal with the plan's field instead of the model's native one.
[[nodiscard]] Error inPlanTerms(Error error);

} // namespace fleetwright::firstorder
