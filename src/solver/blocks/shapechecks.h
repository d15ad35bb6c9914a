// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/accelerator.h"
#include "domain/workload.h"

/// Checks of facts that reach the building blocks without a catalog. Fields are the native names of the models
/// ("hidden_dim", "memory_bw"), not those of the catalog.
namespace fleetwright {

/// OutOfRange for "parameters", "active_parameters", "inference_flops", "layers", "hidden_dim", "heads", "experts" or
/// "active_experts_per_token" that is not finite or not positive, and for more active parameters than parameters.
[[nodiscard]] Expected<void> checkShape(const WorkloadFacts &workload);

/// OutOfRange for "peak_flops" (the 16-bit peak), "precision_flops", "memory_bytes", "memory_bw", "host_link_bw",
/// "dispatch_s", "tdp_w", "sram_bytes" or "sram_bw" that is not finite or not positive (dispatch and TDP: negative).
[[nodiscard]] Expected<void> checkShape(const AcceleratorFacts &accelerator);

} // namespace fleetwright
