// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/nativefacts.h"

namespace fleetwright::exchange {

namespace {

WorkloadFamily readFamily(NativeReader &in)
{
    const auto family = in.text("family");
    if (family == "transformer")
        return WorkloadFamily::Transformer;
    if (family == "moe")
        return WorkloadFamily::MixtureOfExperts;
    if (family != "other")
        in.fail(ErrorCode::UnsupportedValue, "family", "The family must be transformer, moe or other.");
    return WorkloadFamily::Other;
}

} // namespace

WorkloadFacts readWorkload(NativeReader in)
{
    WorkloadFacts facts;
    facts.family = readFamily(in);
    facts.parameters = in.number("parameters");
    facts.activeParameters = in.optionalNumber("active_parameters").value_or(facts.parameters);
    facts.forwardFlops = in.optionalQuantity<Flops>("inference_flops");
    facts.layers = in.smallCount("layers", 1, mostCount);
    facts.hiddenSize = in.smallCount("hidden_dim", 1, mostCount);
    facts.attentionHeads = in.smallCount("heads", 1, mostCount);
    facts.kvHeads = in.smallCount("kv_heads", 1, mostCount);
    facts.experts = in.smallCount("experts", 1, mostCount);
    facts.expertsPerToken = in.smallCount("active_experts_per_token", 1, mostCount);
    facts.kvLoraRank = in.smallCount("kv_lora_rank", 1, mostCount);
    facts.qkRopeHeadDim = in.smallCount("qk_rope_head_dim", 1, mostCount);
    return facts;
}

NativeAccelerator readAccelerator(NativeReader in)
{
    NativeAccelerator accelerator;
    auto &facts = accelerator.facts;
    facts.memoryCapacity = in.quantity<Bytes>("memory_bytes");
    facts.memoryBandwidth = in.quantity<Bandwidth>("memory_bw");
    facts.hostLinkBandwidth = in.optionalQuantity<Bandwidth>("host_link_bw");
    facts.dispatchTime = in.optionalQuantity<Seconds>("dispatch_s");
    facts.tdp = in.optionalQuantity<Watts>("tdp_w");
    facts.purchasePrice = in.optionalQuantity<Dollars>("unit_cost_usd");
    facts.sramCapacity = in.optionalQuantity<Bytes>("sram_bytes");
    facts.sramBandwidth = in.optionalQuantity<Bandwidth>("sram_bw");
    accelerator.flashBandwidth = in.optionalQuantity<Bandwidth>("flash_bw");
    accelerator.storageBandwidth = in.optionalQuantity<Bandwidth>("storage_bw");
    accelerator.scaleUpLatency = in.optionalQuantity<Seconds>("scale_up_latency");
    const auto peak = in.quantity<FlopRate>("peak_flops");
    auto table = in.optionalObject("precision_flops");
    for (const auto precision : allPrecisions)
        facts.peaks[static_cast<std::size_t>(precision)] = table.optionalQuantity<FlopRate>(toString(precision));
    auto &half = facts.peaks[static_cast<std::size_t>(Precision::Fp16)];
    half = half.value_or(peak);
    return accelerator;
}

NativeFabric readFabric(NativeReader in)
{
    return {.bandwidth = in.quantity<Bandwidth>("bandwidth"),
        .latency = in.optionalQuantity<Seconds>("latency"),
        .oversubscription = in.number("oversubscription")};
}

NativeFleet readFleet(NativeReader in)
{
    NativeFleet fleet;
    fleet.accelerator = readAccelerator(in.object("accelerator"));
    fleet.fabric = readFabric(in.object("fabric"));
    fleet.acceleratorsPerNode = in.requiredSmallCount("accelerators_per_node", 1, 1'000'000);
    fleet.nodes = in.requiredSmallCount("nodes", 1, mostCount);
    fleet.scaleUpBandwidth = in.quantity<Bandwidth>("intra_node_bw");
    fleet.nicsPerNode = in.smallCount("nics_per_node", 0, mostCount);
    fleet.psusPerNode = in.smallCount("psus_per_node", 0, mostCount);
    fleet.pue = in.optionalNumber("pue");
    return fleet;
}

void applyFleet(const NativeFleet &fleet, firstorder::Inputs &inputs)
{
    inputs.accelerator = fleet.accelerator.facts;
    inputs.flashBandwidth = fleet.accelerator.flashBandwidth;
    inputs.scaleUpLatency = fleet.accelerator.scaleUpLatency;
    inputs.domainSize = fleet.acceleratorsPerNode;
    inputs.accelerators = fleet.accelerators();
    inputs.scaleUpBandwidth = fleet.scaleUpBandwidth;
    inputs.fabricBandwidth = fleet.fabric.bandwidth;
    inputs.fabricLatency = fleet.fabric.latency;
    inputs.oversubscription = fleet.fabric.oversubscription;
}

} // namespace fleetwright::exchange
