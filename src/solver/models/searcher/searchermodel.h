// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/costmodel.h"
#include "solver/models/plannerfacts.h"
#include "solver/models/searcher/searcher.h"

/// The cost model `searcher` over plans. Its native inputs are derived from the plan so, all for one step over the
/// whole global batch:
///
///     n_gpu_per_node      = scale-up domain of the node, no more than the fleet          n_node = accelerators /
///     n_gpu_per_node gpu_gflops          = dense peak of the plan's precision / 1e9                     [GFLOP/s]
///     bw_gpu_to_gpu       = scale-up bandwidth, one direction, / 1.024e9                 [GB/s, 1 GB = 1024 MB]
///     bw_inter_node       = port rate x ports / accelerators per node / oversubscription / 1.024e9
///     num_layers          = L
///     layer_tflops        = 2 P_a / L x B s / 1e12, each layer alike                     [TFLOP] forward; P_a active
///     parameters layer_activation_MB = B s h w / 1e6, each layer alike                              [MB]    w bytes
///     per element tp_comm_sum_MB      = 4 B s h w L / 1e6                                            [MB]    four
///     all-reduces per layer (Shoeybi 2019) dp_sum_gradient_MB  = P w / 1e6 [MB]
///
/// DP = accelerators / (TP PP). EP is taken as a part of DP and costs nothing (a notice says so); CP above 1 is
/// refused; more stages than layers are refused, because the model's search leaves them out. The MFU is derived: 6 P_a
/// B s over step time, accelerators and peak.
namespace fleetwright::searcher {

[[nodiscard]] const CostModel &costModel();

/// The model's inputs for a plan. MissingField with field "workload" without layers or hidden size; fields of refusals
/// are those of plans.
[[nodiscard]] Expected<Inputs> inputsFrom(const planners::Facts &facts, const Assumptions &assumptions);

/// The same with their derivation, in the order above. The facts must have passed inputsFrom().
[[nodiscard]] std::vector<planners::NativeInput> nativeInputs(const planners::Facts &facts, const Inputs &inputs);

} // namespace fleetwright::searcher
