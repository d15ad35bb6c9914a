// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/shapechecks.h"

#include "domain/rules.h"

namespace fleetwright {

Expected<void> checkShape(const WorkloadFacts &workload)
{
    constexpr double most = 1e18;
    rules::Checker rule("");
    rule.within("parameters", "The parameter count", workload.parameters, 1, most);
    rule.within("active_parameters", "The active parameter count (no more than the total)", workload.activeParameters,
        1, workload.parameters);
    rule.positive("inference_flops", "The forward FLOP", workload.forwardFlops);
    const auto count = [&](std::string_view field, std::string_view label, const std::optional<int> &value) {
        if (value)
            rule.atLeast(field, label, *value, 1);
    };
    count("layers", "The number of layers", workload.layers);
    count("hidden_dim", "The hidden size", workload.hiddenSize);
    count("heads", "The number of attention heads", workload.attentionHeads);
    count("experts", "The number of experts", workload.experts);
    count("active_experts_per_token", "The number of experts per token", workload.expertsPerToken);
    return rule.result();
}

Expected<void> checkShape(const AcceleratorFacts &accelerator)
{
    rules::Checker rule("");
    rule.positive("peak_flops", "The peak", accelerator.peak(Precision::Fp16));
    for (const auto precision : allPrecisions)
        rule.positive("precision_flops", "The peak", accelerator.peak(precision));
    rule.positive("memory_bytes", "The memory capacity", accelerator.memoryCapacity);
    rule.positive("memory_bw", "The memory bandwidth", accelerator.memoryBandwidth);
    rule.positive("host_link_bw", "The host link bandwidth", accelerator.hostLinkBandwidth);
    rule.notNegative("dispatch_s", "The dispatch overhead", accelerator.dispatchTime);
    rule.notNegative("tdp_w", "The TDP", accelerator.tdp);
    rule.positive("sram_bytes", "The SRAM capacity", accelerator.sramCapacity);
    rule.positive("sram_bw", "The SRAM bandwidth", accelerator.sramBandwidth);
    return rule.result();
}

} // namespace fleetwright
