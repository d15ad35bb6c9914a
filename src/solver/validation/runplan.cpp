// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/runconfiguration.h"

#include "solver/validation/parametercounts.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fleetwright::validation {

namespace {

constexpr double largestInt = std::numeric_limits<int>::max();

std::optional<int> positive(std::int64_t count)
{
    return count > 0 ? std::optional(static_cast<int>(count)) : std::nullopt;
}

/// Domain values count in int; a run beyond that is no run.
bool fitsInt(std::initializer_list<std::int64_t> counts)
{
    return std::ranges::all_of(counts, [](std::int64_t count) { return double(count) <= largestInt; });
}

Expected<Workload> workloadOf(const MeasuredRun &run, const detailed::Architecture &model, std::int64_t sequenceLength)
{
    WorkloadFacts facts;
    facts.id = run.id;
    facts.name = run.model.name.empty() ? run.id : run.model.name.string();
    facts.family = model.experts > 0 ? WorkloadFamily::MixtureOfExperts : WorkloadFamily::Transformer;
    facts.parameters = run.model.parameters && *run.model.parameters > 0 ? *run.model.parameters
                                                                         : ParameterCounts::total(model);
    const double active = run.model.activeParameters && *run.model.activeParameters > 0 ? *run.model.activeParameters
        : model.experts > 0                                                             ? ParameterCounts::active(model)
                                                                                        : facts.parameters;
    facts.activeParameters = std::min(active, facts.parameters);
    facts.layers = positive(model.layers);
    facts.hiddenSize = positive(model.hidden);
    facts.attentionHeads = positive(model.heads);
    facts.kvHeads = positive(model.kvHeads);
    facts.headDim = positive(model.headDim);
    facts.ffnHiddenSize = positive(
        model.experts > 0 && model.expertLayers == model.layers ? model.expertFfn : model.ffn);
    facts.gatedFfn = model.gated;
    facts.tiedEmbeddings = model.tiedEmbeddings;
    facts.hybrid = model.workScale != 1;
    facts.vocabSize = positive(model.vocabulary);
    facts.maxSequenceLength = positive(sequenceLength);
    facts.experts = positive(model.experts);
    if (model.experts > 0) {
        facts.expertsPerToken = positive(model.expertsPerToken);
        facts.expertFfnHiddenSize = positive(model.expertFfn);
        facts.sharedExperts = static_cast<int>(model.sharedExperts);
        facts.firstDenseLayers = static_cast<int>(model.layers - model.expertLayers);
    }
    if (model.latentAttention) {
        constexpr int queryRank = 1536, valueRank = 512, rotaryDim = 64; // DeepSeek-V2 and V3
        facts.attentionType = "mla";
        facts.queryLoraRank = queryRank;
        facts.kvLoraRank = valueRank;
        facts.qkRopeHeadDim = rotaryDim;
    }
    return Workload::create(std::move(facts));
}

/// As the catalog writes it, so that the plan's accelerator is recognised as what the run used.
std::string_view architectureName(detailed::Family family)
{
    switch (family) {
    case detailed::Family::V100: return "Volta";
    case detailed::Family::A100: return "Ampere";
    case detailed::Family::Hopper: return "Hopper";
    case detailed::Family::Blackwell: return "Blackwell";
    case detailed::Family::BlackwellUltra: return "Blackwell Ultra";
    case detailed::Family::Tpu: return "TPU v5";
    case detailed::Family::TpuV6e: return "TPU v6";
    case detailed::Family::Cdna: return "CDNA 3";
    }
    return {};
}

Expected<Accelerator> acceleratorOf(const MeasuredRun &run, const detailed::Machine &machine)
{
    AcceleratorFacts facts;
    facts.id = run.accelerator;
    facts.name = run.accelerator;
    facts.vendor = "as the run states";
    facts.tier = "cloud";
    facts.architecture = architectureName(machine.family);
    const auto set = [&facts](Precision precision, FlopRate peak) {
        facts.peaks[static_cast<std::size_t>(precision)] = peak;
    };
    set(Precision::Fp16, machine.peak16);
    if (machine.family != detailed::Family::V100)
        set(Precision::Bf16, machine.peak16);
    if (machine.peak8 > machine.peak16)
        set(Precision::Fp8, machine.peak8);
    if (machine.peak4 > machine.peak8)
        set(Precision::Fp4, machine.peak4);
    facts.memoryCapacity = machine.capacity;
    facts.memoryBandwidth = machine.memoryBandwidth;
    facts.scaleUpBandwidth = machine.scaleUp;
    return Accelerator::create(std::move(facts));
}

Expected<Fleet> fleetOf(const MeasuredRun &run, const RunConfiguration &configuration)
{
    const auto &machine = configuration.setting.machine;
    const auto n = configuration.setting.accelerators;
    auto accelerator = acceleratorOf(run, machine);
    if (!accelerator)
        return std::unexpected(accelerator.error());
    const auto stated = run.acceleratorsPerNode && *run.acceleratorsPerNode > 0
        ? *run.acceleratorsPerNode
        : std::min<std::int64_t>(machine.domain, 8);
    const auto perNode = std::gcd(n, stated); // partly used nodes count as smaller ones
    auto node = Node::create({.id = run.accelerator + " node",
        .name = run.accelerator + " node",
        .accelerator = std::move(*accelerator),
        .acceleratorsPerNode = static_cast<int>(perNode),
        .scaleUpDomainSize = static_cast<int>(std::max(perNode, std::min(machine.domain, n))),
        .scaleUpBandwidth = machine.scaleUp,
        .scaleUpLatency = std::nullopt,
        .nicCount = static_cast<int>(perNode),
        .nicRate = machine.scaleOut,
        .hostMemory = std::nullopt,
        .maxPower = std::nullopt,
        .psuCount = std::nullopt,
        .rackUnits = std::nullopt});
    if (!node)
        return std::unexpected(node.error());
    FabricFacts fabric;
    fabric.id = "stated";
    fabric.name = run.scaleOutText.empty() ? "scale-out network" : run.scaleOutText;
    fabric.portBandwidth = machine.scaleOut;
    auto network = Fabric::create(std::move(fabric));
    if (!network)
        return std::unexpected(network.error());
    return Fleet::create({.name = run.accelerator,
        .node = std::move(*node),
        .nodeCount = static_cast<int>(n / perNode),
        .fabric = std::move(*network),
        .site = {}});
}

} // namespace

Expected<Plan> planFrom(const MeasuredRun &run, const RunConfiguration &configuration, std::string_view costModelId)
{
    const auto &setting = configuration.setting;
    const auto &layout = configuration.layout;
    const auto &model = setting.architecture;
    if (!fitsInt({setting.accelerators, setting.sequenceLength, setting.globalBatch, layout.tp, layout.pp, layout.cp,
            layout.ep, layout.microbatch, model.layers, model.hidden, model.heads, model.kvHeads, model.headDim,
            model.ffn, model.vocabulary, model.experts, model.expertFfn}))
        return refuse(ErrorCode::OutOfRange, "run", "counts beyond a plan's range");
    auto workload = workloadOf(run, model, setting.sequenceLength);
    if (!workload)
        return std::unexpected(workload.error());
    auto fleet = fleetOf(run, configuration);
    if (!fleet)
        return std::unexpected(fleet.error());
    const bool half = run.precision.starts_with("fp16") || setting.machine.family == detailed::Family::V100;
    Training training;
    training.globalBatch = static_cast<int>(setting.globalBatch);
    training.microbatchCount.reset();
    training.microbatchSize = static_cast<int>(layout.microbatch);
    training.sequenceLength = static_cast<int>(setting.sequenceLength);
    constexpr int wholeWord = 16, byteWide = 8;
    training.precision = setting.precisionBits == wholeWord ? (half ? Precision::Fp16 : Precision::Bf16)
        : setting.precisionBits == byteWide                 ? Precision::Fp8
                                                            : Precision::Fp4;
    training.recompute = layout.recompute;
    training.lora = setting.lora;
    return Plan::create({.name = run.id,
        .workload = std::move(*workload),
        .fleet = std::move(*fleet),
        .parallelism = {.tp = static_cast<int>(layout.tp),
            .pp = static_cast<int>(layout.pp),
            .cp = static_cast<int>(layout.cp),
            .ep = static_cast<int>(layout.ep),
            .virtualStages = static_cast<int>(layout.virtualStages),
            .zeroStage = layout.zeroStage,
            .sequenceParallel = layout.sequenceParallel},
        .training = training,
        .assumptions = {},
        .constraints = {},
        .costModelId = std::string(costModelId)});
}

Assumptions assumptionsFrom(const RunConfiguration &configuration)
{
    const auto &setting = configuration.setting;
    const auto &layout = configuration.layout;
    const auto &stack = setting.stack;
    const auto usual = detailed::defaultsOf(stack.software);
    Assumptions assumptions;
    auto &edited = assumptions.edited;
    edited["software_stack"] = std::string(detailed::toString(stack.software));
    edited["attention_kernel"] = setting.attentionKernel == 0 ? std::string("none")
                                                              : std::to_string(setting.attentionKernel);
    const auto flag = [&edited](const char *key, bool value, bool byDefault) {
        if (value != byDefault)
            edited[key] = std::string(value ? "on" : "off");
    };
    flag("dp_overlap", stack.dpOverlap, usual.dpOverlap);
    flag("tp_overlap", stack.tpOverlap, usual.tpOverlap);
    flag("pp_overlap", stack.ppOverlap, usual.ppOverlap);
    flag("ep_overlap", stack.epOverlap, usual.epOverlap);
    flag("dropout", stack.dropout, usual.dropout);
    flag("compiled_loss", stack.compiledLoss, usual.compiledLoss);
    if (stack.gradientBytes != usual.gradientBytes)
        edited["gradient_precision"] = std::to_string(stack.gradientBytes) + " bytes";
    if (stack.graphs)
        edited["cuda_graphs"] = true;
    if (setting.loraBaseBytes > 0)
        edited["lora_base_4bit"] = true;
    if (setting.bubbleShare != 1)
        edited["pipeline_schedule"] = std::string(setting.bubbleShare > 0 ? "zero_bubble_1p" : "zero_bubble_2p");
    if (layout.expertTp != detailed::expertTpOf(0, layout.tp, layout.ep))
        edited["expert_tensor_parallel"] = double(layout.expertTp);
    if (layout.recomputeShare)
        edited["recompute_share"] = *layout.recomputeShare;
    if (layout.shardGroup > 0)
        edited["shard_group"] = double(layout.shardGroup);
    return assumptions;
}

} // namespace fleetwright::validation
