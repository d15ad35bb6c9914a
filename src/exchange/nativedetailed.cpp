// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/nativedetailed.h"

#include "exchange/nativefacts.h"

namespace fleetwright::exchange {

namespace {

detailed::Machine readMachine(NativeReader in)
{
    detailed::Machine machine;
    machine.family = take(in, detailed::parseFamily(in.text("family")));
    machine.peak16 = in.quantity<FlopRate>("peak16");
    machine.peak8 = in.optionalQuantity<FlopRate>("peak8").value_or(machine.peak16);
    machine.peak4 = in.optionalQuantity<FlopRate>("peak4").value_or(machine.peak8);
    machine.memoryBandwidth = in.quantity<Bandwidth>("hbm_bw");
    machine.capacity = in.quantity<Bytes>("hbm");
    machine.scaleUp = in.quantity<Bandwidth>("up");
    machine.domain = in.count("domain");
    machine.scaleOut = in.quantity<Bandwidth>("nic");
    return machine;
}

detailed::Architecture readArchitecture(NativeReader in)
{
    detailed::Architecture model;
    model.layers = in.count("layers");
    model.hidden = in.count("hidden");
    model.heads = in.count("heads");
    model.kvHeads = in.optionalCount("kv_heads").value_or(model.heads);
    model.headDim = in.optionalCount("head_dim").value_or(model.heads > 0 ? model.hidden / model.heads : 0);
    model.ffn = in.count("ffn_hidden");
    model.gated = in.optionalFlag("gated").value_or(false);
    model.vocabulary = in.count("vocab");
    model.latentAttention = in.optionalFlag("mla").value_or(false);
    model.tiedEmbeddings = in.optionalFlag("tied").value_or(false);
    model.experts = in.optionalCount("experts").value_or(0);
    if (model.experts > 0) {
        model.expertsPerToken = in.count("top_k");
        model.expertFfn = in.count("moe_ffn_hidden");
        model.sharedExperts = in.optionalCount("shared_experts").value_or(0);
        model.expertLayers = in.optionalCount("moe_layers").value_or(model.layers);
    }
    return model;
}

Json memoryToJson(const detailed::MemoryFigures &memory, Bytes capacity)
{
    return {{"total_bytes", memory.allocated.value()}, {"device_bytes", memory.device.value()},
        {"weights_bytes", memory.weights.value()}, {"gradients_bytes", memory.gradients.value()},
        {"optimizer_bytes", memory.optimizer.value()}, {"activations_bytes", memory.activations.value()},
        {"other_bytes", memory.other.value()}, {"capacity_bytes", capacity.value()}};
}

} // namespace

DetailedInputs readDetailedInputs(NativeReader &in)
{
    DetailedInputs inputs;
    auto &[setting, layout] = inputs;
    setting.machine = readMachine(in.object("acc"));
    setting.architecture = readArchitecture(in.object("model"));
    setting.architecture.workScale = in.optionalNumber("work_scale").value_or(1);
    setting.accelerators = in.count("n");
    setting.sequenceLength = in.count("seq");
    setting.globalBatch = in.count("batch");
    setting.precisionBits = in.smallCount("prec", 4, 16).value_or(16);
    setting.attentionKernel = in.smallCount("flash", 0, 3).value_or(3);
    const auto version = in.optionalText("version").value_or("1.0");
    if (const auto constants = detailed::Constants::version(version))
        setting.constants = *constants;
    else
        in.fail(ErrorCode::UnsupportedValue, "version",
            "The version must be 1.0 (the specification), 2.0 or " + std::string(detailed::modelVersion) + ".");
    setting.loraBaseBytes = in.optionalNumber("base_bytes").value_or(0);
    setting.lora = in.optionalFlag("lora").value_or(false);
    setting.causal = in.optionalFlag("causal").value_or(true);
    setting.bubbleShare = in.optionalNumber("bubble_share").value_or(1);
    setting.straggler = in.optionalNumber("straggler").value_or(1);
    setting.imbalance = in.optionalNumber("imbalance").value_or(1);
    auto &stack = setting.stack;
    stack = detailed::defaultsOf(take(in, detailed::parseSoftware(in.optionalText("stack").value_or("megatron_core"))));
    stack.dpOverlap = in.optionalFlag("dp_overlap").value_or(stack.dpOverlap);
    stack.tpOverlap = in.optionalFlag("tp_overlap").value_or(stack.tpOverlap);
    stack.ppOverlap = in.optionalFlag("p2p_overlap").value_or(stack.ppOverlap);
    stack.gradientBytes = in.smallCount("grad_bytes", 1, 8).value_or(stack.gradientBytes);
    stack.epOverlap = in.optionalFlag("ep_overlap").value_or(stack.epOverlap);
    stack.graphs = in.optionalFlag("graphs").value_or(stack.graphs);
    stack.dropout = in.optionalFlag("dropout").value_or(stack.dropout);
    stack.compiledLoss = in.optionalFlag("compiled_loss").value_or(stack.compiledLoss);

    layout.tp = in.optionalCount("tp").value_or(1);
    layout.pp = in.optionalCount("pp").value_or(1);
    layout.virtualStages = in.optionalCount("vs").value_or(1);
    layout.cp = in.optionalCount("cp").value_or(1);
    layout.dp = in.optionalCount("dp").value_or(1);
    layout.ep = in.optionalCount("ep").value_or(1);
    layout.expertTp = in.optionalCount("etp").value_or(layout.ep > 1 ? 1 : layout.tp);
    layout.microbatch = in.optionalCount("mb").value_or(1);
    layout.zeroStage = in.smallCount("zero", 0, 3).value_or(0);
    layout.shardGroup = in.optionalCount("shard").value_or(0);
    layout.sequenceParallel = in.optionalFlag("sp").value_or(false);
    layout.recompute = take(
        in, parseRecompute(in.optionalText("recompute").value_or("none"), "recompute"), Recompute::None);
    layout.recomputeShare = in.optionalNumber("recompute_share");
    return inputs;
}

Expected<Json> evaluateDetailed(NativeReader &in)
{
    const auto inputs = readDetailedInputs(in);
    if (in.error())
        return std::unexpected(*in.error());
    const auto pricer = detailed::Pricer::make(inputs.setting);
    if (!pricer)
        return std::unexpected(pricer.error());
    if (auto ok = pricer->check(inputs.layout); !ok)
        return std::unexpected(ok.error());
    const auto figures = pricer->price(inputs.layout);
    return Json{{"step_time_s", figures.stepTime.value()}, {"compute_time_s", figures.computeTime.value()},
        {"bubble_time_s", figures.bubbleTime.value()}, {"tp_comm_time_s", figures.tp.total.value()},
        {"tp_exposed_s", figures.tp.exposed.value()}, {"cp_comm_time_s", figures.cp.total.value()},
        {"cp_exposed_s", figures.cp.exposed.value()}, {"ep_comm_time_s", figures.ep.total.value()},
        {"ep_exposed_s", figures.ep.exposed.value()}, {"pp_exposed_s", figures.pp.exposed.value()},
        {"dp_comm_time_s", figures.dp.total.value()}, {"dp_exposed_s", figures.dp.exposed.value()},
        {"optimizer_time_s", figures.optimizerTime.value()}, {"overhead_time_s", figures.overheadTime.value()},
        {"straggler_factor", inputs.setting.straggler}, {"forward_layer_s", figures.forwardLayer.value()},
        {"backward_layer_s", figures.backwardLayer.value()}, {"logits_s", figures.logits.value()},
        {"microbatches", figures.microbatches}, {"model_flops", figures.modelFlops.value()}, {"mfu16", figures.mfu16},
        {"mfu", figures.mfu}, {"tokens_per_s", figures.tokensPerSecond}, {"fits", figures.fits},
        {"memory", memoryToJson(figures.memory, inputs.setting.machine.capacity)}};
}

} // namespace fleetwright::exchange
