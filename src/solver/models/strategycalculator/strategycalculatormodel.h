// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/costmodel.h"
#include "solver/models/plannerfacts.h"
#include "solver/models/strategycalculator/strategycalculator.h"

/// The cost model `strategy-calculator` over plans: memory and communication volumes, no times. Its native inputs are
/// derived from the plan so:
///
///     params_billions = P / 1e9            hidden = h    layers = L    vocab = V
///     ffn_ratio       = FFN hidden size / h, or the assumption where the workload states none (with a notice)
///     experts         = experts of a mixture of experts; is_moe = the workload is one
///     gpus            = accelerators       gpu_memory_gb = memory capacity / 1e9
///     gpus_per_node   = scale-up domain of the node, no more than the fleet
///     batch, seq      = the plan's         bytes per element = those of the plan's precision
///
/// DP = floor(accelerators / (TP PP)); accelerators that are left over idle, and a notice says so. EP is ignored (with
/// a notice); CP above 1 is refused. A plan fits when its memory is less than the memory share of the capacity.
namespace fleetwright::strategycalculator {

[[nodiscard]] const CostModel &costModel();

/// The model's inputs for a plan. MissingField with field "workload" without layers, hidden size or vocabulary; fields
/// of refusals are those of plans.
[[nodiscard]] Expected<Inputs> inputsFrom(const planners::Facts &facts, const Assumptions &assumptions);

/// The same with their derivation, in the order above.
[[nodiscard]] std::vector<planners::NativeInput> nativeInputs(const planners::Facts &facts, const Inputs &inputs);

} // namespace fleetwright::strategycalculator
