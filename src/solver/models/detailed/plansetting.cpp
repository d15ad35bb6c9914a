// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/detailedmodel.h"

#include "solver/models/detailed/detailedtext.h"
#include "solver/models/plannerfacts.h"

namespace fleetwright::detailed {

namespace {

Expected<int> bitsOf(Precision precision)
{
    switch (precision) {
    case Precision::Bf16:
    case Precision::Fp16: return 16;
    case Precision::Fp8:
    case Precision::Int8: return 8;
    case Precision::Int4:
    case Precision::Fp4: return 4;
    case Precision::Fp32:
    case Precision::Tf32: break;
    }
    return refuse(ErrorCode::UnsupportedValue, "training.precision",
        "The detailed model prices training in 16, 8 or 4 bits; choose bf16, fp16, fp8 or fp4, or another cost model "
        "for "
            + std::string(toString(precision)) + ".");
}

/// Absent sizes are refused; what can be assumed is assumed with a notice.
Expected<Architecture> architectureFrom(const Workload &workload, Notices &notices)
{
    const auto &facts = *workload;
    if (facts.family == WorkloadFamily::Other && !facts.hybrid)
        return refuse(ErrorCode::UnsupportedValue, "workload",
            "The detailed model prices transformers; \u201c" + facts.name
                + "\u201d is none. Choose first-order or another cost model.");
    Architecture model;
    std::optional<Error> missing;
    const auto take = [&](const std::optional<int> &count, std::string_view what, std::int64_t &to) {
        if (auto value = planners::required(count, what, workload))
            to = *value;
        else if (!missing)
            missing = value.error();
    };
    take(facts.layers, "number of layers", model.layers);
    take(facts.hiddenSize, "hidden size", model.hidden);
    take(facts.attentionHeads, "number of attention heads", model.heads);
    take(facts.vocabSize, "vocabulary size", model.vocabulary);
    if (missing)
        return std::unexpected(std::move(*missing));
    model.kvHeads = facts.kvHeads.value_or(facts.attentionHeads.value_or(1));
    model.headDim = facts.headDim.value_or(int(std::max<std::int64_t>(1, model.hidden / model.heads)));
    if (!facts.gatedFfn || !facts.tiedEmbeddings)
        notices.add(Notice::ArchitectureAssumed);
    model.gated = facts.gatedFfn.value_or(false);
    model.tiedEmbeddings = facts.tiedEmbeddings.value_or(false);
    if (facts.ffnHiddenSize) {
        model.ffn = *facts.ffnHiddenSize;
    } else {
        // 4 h for two matrices, 8/3 h in multiples of 256 for three: the same parameters.
        model.ffn = model.gated ? (8 * model.hidden / 3 + 255) / 256 * 256 : 4 * model.hidden;
        if (!facts.expertFfnHiddenSize)
            notices.add(Notice::FfnRatioAssumed);
    }
    model.latentAttention = facts.attentionType == "mla" || (facts.attentionType.empty() && facts.kvLoraRank);
    if (model.latentAttention && (facts.kvLoraRank.value_or(512) != 512 || facts.queryLoraRank.value_or(0) != 1536))
        notices.add(Notice::LatentAttentionApproximated);
    if (facts.experts && *facts.experts > 1) {
        model.experts = *facts.experts;
        take(facts.expertsPerToken, "number of experts per token", model.expertsPerToken);
        take(facts.expertFfnHiddenSize ? facts.expertFfnHiddenSize : facts.ffnHiddenSize, "FFN size of an expert",
            model.expertFfn);
        if (missing)
            return std::unexpected(std::move(*missing));
        model.sharedExperts = facts.sharedExperts.value_or(0);
        const auto dense = std::min<std::int64_t>(facts.firstDenseLayers.value_or(0), model.layers);
        model.expertLayers = (model.layers - dense) / facts.expertLayerInterval.value_or(1);
    }
    return model;
}

} // namespace

void takeChoices(const Choices &choices, Setting &setting)
{
    auto &stack = setting.stack;
    stack.dpOverlap = choices.dpOverlap.value_or(stack.dpOverlap);
    stack.tpOverlap = choices.tpOverlap.value_or(stack.tpOverlap);
    stack.ppOverlap = choices.ppOverlap.value_or(stack.ppOverlap);
    stack.epOverlap = choices.epOverlap.value_or(stack.epOverlap);
    stack.graphs = stack.graphs || choices.graphs;
    stack.dropout = choices.dropout.value_or(stack.dropout);
    stack.gradientBytes = choices.gradientBytes.value_or(stack.gradientBytes);
    stack.compiledLoss = choices.compiledLoss.value_or(stack.compiledLoss);
    setting.attentionKernel = choices.attentionKernel.value_or(setting.attentionKernel);
    if (setting.lora && choices.fourBitBase)
        setting.loraBaseBytes = 0.6;
    if (choices.bubbleShare != 1)
        setting.bubbleShare = choices.bubbleShare;
    setting.straggler = choices.straggler;
    setting.imbalance = choices.imbalance;
    setting.causal = choices.causal;
}

Expected<PlanSetting> settingFrom(
    const Workload &workload, const Fleet &fleet, const Training &training, const Assumptions &assumptions)
{
    if (auto ok = fleetwright::check(training); !ok)
        return std::unexpected(ok.error());
    const auto choices = choicesFrom(assumptions);
    if (!choices)
        return std::unexpected(choices.error());
    PlanSetting plan;
    auto &setting = plan.setting;
    const auto architecture = architectureFrom(workload, plan.notices);
    if (!architecture)
        return std::unexpected(architecture.error());
    setting.architecture = *architecture;
    const auto bits = bitsOf(training.precision);
    if (!bits)
        return std::unexpected(bits.error());
    setting.precisionBits = *bits;

    const auto &node = *fleet->node;
    const auto &accelerator = *node.accelerator;
    auto &machine = setting.machine;
    setting.families = familyOf(accelerator);
    machine.family = setting.families.family();
    if (setting.families.isNearest())
        plan.notices.add(Notice::FamilyNearest);
    if (machine.family == Family::Cdna)
        plan.notices.add(Notice::FamilyFewRuns);
    const auto firstOf = [&accelerator](std::initializer_list<Precision> precisions) -> std::optional<FlopRate> {
        for (const auto precision : precisions)
            if (const auto peak = accelerator.peak(precision))
                return peak;
        return std::nullopt;
    };
    const auto peak16 = firstOf(
        {training.precision == Precision::Fp16 ? Precision::Fp16 : Precision::Bf16, Precision::Bf16, Precision::Fp16});
    if (!peak16)
        return refuse(ErrorCode::UnsupportedValue, "fleet.node",
            "The accelerator \u201c" + accelerator.name
                + "\u201d states no dense 16-bit peak (bf16 or fp16), from which training is priced; duplicate it in "
                  "the accelerators catalog and fill the peak in, if it has one.");
    machine.peak16 = *peak16;
    machine.peak8 = firstOf({training.precision == Precision::Int8 ? Precision::Int8 : Precision::Fp8, Precision::Fp8})
                        .value_or(machine.peak16);
    machine.peak4 = firstOf({training.precision == Precision::Int4 ? Precision::Int4 : Precision::Fp4, Precision::Fp4})
                        .value_or(machine.peak8);
    if ((setting.precisionBits == 8 && machine.peak8 == machine.peak16)
        || (setting.precisionBits == 4 && machine.peak4 == machine.peak8))
        plan.notices.add(Notice::PrecisionFallback);
    machine.memoryBandwidth = accelerator.memoryBandwidth;
    machine.capacity = accelerator.memoryCapacity;
    auto facts = planners::Facts::create(workload, fleet, training);
    if (!facts)
        return std::unexpected(facts.error());
    machine.scaleUp = facts->scaleUp();
    machine.domain = facts->domainSize();
    machine.scaleOut = facts->scaleOut();
    if (!node.scaleUpBandwidth)
        plan.notices.add(Notice::ScaleUpAssumed);
    if (!node.nicCount)
        plan.notices.add(Notice::NicCountAssumed);

    setting.accelerators = fleet->accelerators();
    setting.sequenceLength = training.sequenceLength;
    setting.globalBatch = training.globalBatch;
    setting.lora = training.lora;
    plan.softwareClass = choices->softwareClass.value_or(
        choices->software ? classOf(*choices->software) : defaultSoftwareClass);
    setting.stack = defaultsOf(choices->software.value_or(stackOf(plan.softwareClass, machine.family)));
    // A stack that the plan names itself keeps the best kernel.
    setting.attentionKernel = attentionKernelOf(
        choices->software ? Software::MegatronCore : setting.stack.software, machine.family);
    takeChoices(*choices, setting);
    setting.constants = choices->constants;
    plan.expertTp = choices->expertTp;
    plan.shardGroup = choices->shardGroup;
    plan.recomputeShare = choices->recomputeShare;

    const double computed = parametersOf(setting.architecture);
    if (workload->hybrid) {
        setting.architecture.workScale = workload->parameters / computed;
        plan.notices.add(Notice::HybridApproximated);
    } else if (std::abs(workload->parameters / computed - 1) > 0.03) {
        plan.notices.add(Notice::ParameterCountsDiffer);
    }
    return plan;
}

Expected<Layout> layoutFrom(const PlanSetting &plan, const Parallelism &parallelism, const Training &training)
{
    if (auto ok = fleetwright::check(parallelism); !ok)
        return std::unexpected(ok.error());
    const auto &setting = plan.setting;
    Layout layout;
    layout.tp = parallelism.tp;
    layout.pp = parallelism.pp;
    layout.cp = parallelism.cp;
    layout.ep = parallelism.ep;
    layout.virtualStages = parallelism.virtualStages;
    layout.zeroStage = parallelism.zeroStage;
    layout.sequenceParallel = parallelism.sequenceParallel;
    layout.recompute = training.recompute;
    layout.recomputeShare = plan.recomputeShare;
    layout.expertTp = expertTpOf(plan.expertTp, layout.tp, layout.ep);
    const auto ranks = double(layout.tp) * double(layout.pp) * double(layout.cp);
    const auto n = setting.accelerators;
    if (ranks > double(n) || n % (layout.tp * layout.pp * layout.cp) != 0) {
        const std::string product = "TP " + std::to_string(layout.tp) + " \u00d7 PP " + std::to_string(layout.pp)
            + " \u00d7 CP " + std::to_string(layout.cp);
        return refuse(ErrorCode::InfeasibleParallelism, "parallelism",
            product + (ranks > double(n) ? " needs more than" : " does not divide") + " the fleet's "
                + std::to_string(n) + " accelerators; change one of them or the number of nodes.");
    }
    layout.dp = n / (layout.tp * layout.pp * layout.cp);
    layout.shardGroup = plan.shardGroup;
    if (training.microbatchSize) {
        layout.microbatch = *training.microbatchSize;
    } else {
        const auto count = std::int64_t(training.microbatchCount.value_or(1)) * training.accumulationSteps;
        if (setting.globalBatch % layout.dp != 0 || setting.globalBatch / layout.dp % count != 0)
            return refuse(ErrorCode::InfeasibleParallelism, "training.microbatch_count",
                std::to_string(count) + " microbatches \u00d7 DP " + std::to_string(layout.dp)
                    + " do not divide the global batch of " + std::to_string(setting.globalBatch)
                    + "; state the microbatch size instead, or change the number.");
        layout.microbatch = setting.globalBatch / layout.dp / count;
    }
    return layout;
}

Expected<PlanConfiguration> configurationFrom(const Plan &plan)
{
    auto setting = settingFrom(plan->workload, plan->fleet, plan->training, plan->assumptions);
    if (!setting)
        return std::unexpected(setting.error());
    const auto layout = layoutFrom(*setting, plan->parallelism, plan->training);
    if (!layout)
        return std::unexpected(layout.error());
    return PlanConfiguration{std::move(*setting), *layout};
}

Error inPlanTerms(Error error)
{
    static constexpr auto names = std::to_array<std::pair<std::string_view, std::string_view>>({
        {"tp", "parallelism.tp"},
        {"pp", "parallelism.pp"},
        {"vs", "parallelism.virtual_stages"},
        {"cp", "parallelism.cp"},
        {"dp", "parallelism"},
        {"ep", "parallelism.ep"},
        {"zero", "parallelism.zero_stage"},
        {"etp", "assumptions.expert_tensor_parallel"},
        {"shard", "assumptions.shard_group"},
        {"recompute_share", "assumptions.recompute_share"},
        {"mb", "training.microbatch_size"},
        {"batch", "training.global_batch"},
        {"seq", "training.seq_len"},
        {"n", "fleet.nodes"},
        {"straggler", "assumptions.straggler_factor"},
        {"imbalance", "assumptions.moe_imbalance_factor"},
    });
    if (error.code == ErrorCode::Cancelled)
        return error;
    const auto found = std::ranges::find(
        names, std::string_view(error.field), &std::pair<std::string_view, std::string_view>::first);
    if (found != names.end())
        error.field = found->second;
    else if (error.field.starts_with("constants."))
        error.field = "assumptions." + error.field.substr(10);
    else
        error.field = error.field.starts_with("acc.") ? "fleet.node" : "workload";
    return error;
}

Notices noticesOf(const Setting &setting, const Layout &layout, const Figures &figures)
{
    Notices notices;
    const auto when = [&notices](bool holds, Notice notice) {
        if (holds)
            notices.add(notice);
    };
    const auto &model = setting.architecture;
    const bool experts = model.experts > 0;
    when(setting.precisionBits == 4 && !setting.lora, Notice::FourBitTraining);
    when(setting.precisionBits == 8 && experts, Notice::EightBitExperts);
    when(experts, Notice::ExpertsSpread);
    when(setting.lora, Notice::LoraApproximated);
    when(setting.accelerators > 10'000, Notice::ManyAccelerators);
    when(setting.accelerators > setting.machine.domain && setting.machine.scaleOut < 6.0 * gigabytePerSecond,
        Notice::SlowFabric);
    when(setting.sequenceLength > 131'072, Notice::LongSequence);
    when(layout.microbatch * setting.sequenceLength / layout.cp < 512, Notice::SmallMicrobatch);
    when(layout.pp > 64, Notice::DeepPipeline);
    when(layout.pp * layout.virtualStages > model.layers, Notice::StagesExceedLayers);
    when(!model.latentAttention && model.headDim % 8 != 0, Notice::UnalignedHeads);
    when(setting.globalBatch % (layout.dp * layout.microbatch) != 0, Notice::MicrobatchFractional);
    const double share = figures.memory.device / setting.machine.capacity;
    when(share > 0.9 && share < 1.06, Notice::MemoryTight);
    return notices;
}

} // namespace fleetwright::detailed
