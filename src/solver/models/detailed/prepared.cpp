// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/prepared.h"

#include "solver/models/detailed/familymean.h"

namespace fleetwright::detailed {

namespace {

/// Constants by family; nothing where the family has none.
std::optional<Constant> of(Family family, std::initializer_list<std::pair<Family, Constant>> list)
{
    for (const auto &[member, constant] : list)
        if (member == family)
            return constant;
    return std::nullopt;
}

std::optional<Constant> attentionConstantOf(Family family, int generation)
{
    switch (generation) {
    case 1: return of(family, {{Family::A100, Constant::Attention1A100}, {Family::Hopper, Constant::Attention1Hopper}});
    case 2: return of(family, {{Family::A100, Constant::Attention2A100}, {Family::Hopper, Constant::Attention2Hopper}});
    case 3:
        return of(family,
            {{Family::Hopper, Constant::Attention3Hopper}, {Family::Blackwell, Constant::Attention3Blackwell},
                {Family::BlackwellUltra, Constant::Attention3BlackwellUltra}, {Family::Tpu, Constant::Attention3Tpu},
                {Family::TpuV6e, Constant::Attention3Tpu}, {Family::Cdna, Constant::Attention3Cdna}});
    default: return std::nullopt;
    }
}

bool oldMegatron(const Setting &setting)
{
    return setting.stack.software == Software::MegatronV2 || setting.stack.software == Software::MegatronDeepSpeed;
}

void addProducts(const Architecture &model, bool expertLayer, LayerKind &kind)
{
    const auto add = [&kind](double k, double n, Product::Split split, Product::Part part) {
        kind.products[static_cast<std::size_t>(kind.productCount++)] = {k, n, split, part};
        auto &sums = kind.sums[static_cast<std::size_t>(split)];
        sums = {sums.k + k, sums.n + n, sums.kn + k * n};
        kind.parameters += k * n;
    };
    using enum Product::Split;
    const double h = double(model.hidden), a = double(model.heads), d = double(model.headDim), g = model.gated ? 2 : 1;
    if (model.latentAttention) {
        add(h, 1536, Replicated, Product::Part::Attention);
        add(1536, a * 192, Column, Product::Part::Attention);
        add(h, 512 + 64, Replicated, Product::Part::Attention);
        add(512, a * 256, Column, Product::Part::Attention);
        add(a * 128, h, Row, Product::Part::Attention);
    } else {
        add(h, (a + 2 * double(model.kvHeads)) * d, Column, Product::Part::Attention);
        add(a * d, h, Row, Product::Part::Attention);
    }
    kind.actFfn = expertLayer ? double(model.sharedExperts) * double(model.expertFfn) : double(model.ffn);
    if (kind.actFfn > 0) {
        const auto part = expertLayer ? Product::Part::SharedExperts : Product::Part::FeedForward;
        add(h, g * kind.actFfn, Column, part);
        add(kind.actFfn, h, Row, part);
    }
    kind.parameters += 2 * h;
    if (expertLayer) {
        kind.experts = true;
        kind.parameters += h * double(model.experts);
        kind.expertParameters = double(model.experts) * (g + 1) * h * double(model.expertFfn);
    }
}

/// Section 4.
PerToken trafficPerToken(const Prepared &in, const Setting &setting, const LayerKind &kind)
{
    return {.bySequence = in.hidden * (20 + (setting.stack.dropout ? 10 : 0)),
        .byTensor = 4 * (in.heads + in.kvHeads) * in.headDim + 2 * (in.gates + 1) * kind.actFfn};
}

/// Section 9.
PerToken keptPerToken(const Prepared &in, const Setting &setting, const LayerKind &kind)
{
    const double saved = setting.precisionBits == 16 ? 2 : 1;
    const double h = in.hidden, heads = in.heads * in.headDim, kvHeads = in.kvHeads * in.headDim;
    PerToken kept;
    kept.bySequence = 4 * h + (setting.lora ? saved * h : 2 * saved * h) + (setting.stack.dropout ? 2 * h : 0);
    if (setting.architecture.latentAttention) {
        kept.whole = 2 * (1536 + 2 * 576);
        kept.byTensor = 2 * in.heads * 640;
    } else {
        kept.byTensor = 2 * (heads + 2 * kvHeads) + 2 * heads;
    }
    kept.byTensor += in.keptPerWidth * kind.actFfn;
    if (in.eager) {
        kept.bySequence += 4 * h;
        kept.byTensor += 2 * (heads + kvHeads) + (in.gates > 1 ? 2 * kind.actFfn : 0);
    }
    return kept;
}

double keptPerWidth(const Prepared &in, const Setting &setting)
{
    const bool sixteenBits = setting.precisionBits == 16;
    if (setting.lora)
        return (sixteenBits ? 2 : setting.constants[Constant::LoraEightBitActivations]) * in.gates;
    return 2 * in.gates + (sixteenBits ? 2 : 1);
}

} // namespace

Constant productConstant(const Setting &setting, int bits)
{
    const auto family = setting.machine.family;
    if (bits == 4)
        if (const auto four = of(family,
                {{Family::Blackwell, Constant::Gemm4Blackwell},
                    {Family::BlackwellUltra, Constant::Gemm4BlackwellUltra}}))
            return *four;
    if (bits <= 8)
        if (const auto eight = of(family,
                {{Family::Hopper, Constant::Gemm8Hopper}, {Family::Blackwell, Constant::Gemm8Blackwell},
                    {Family::BlackwellUltra, Constant::Gemm8BlackwellUltra}, {Family::Cdna, Constant::Gemm8Cdna}}))
            return *eight;
    if (isTpu(family))
        return Constant::Gemm16Tpu;
    return static_cast<Constant>(static_cast<std::size_t>(Constant::Gemm16V100) + static_cast<std::size_t>(family));
}

std::optional<Constant> generationConstant(const Setting &setting)
{
    return setting.machine.family == Family::TpuV6e ? std::optional(Constant::TpuV6eShare) : std::nullopt;
}

/// The generation asked for, else the next lower ones, else the second, else the third (section 2).
std::optional<Constant> attentionConstant(const Setting &setting)
{
    for (int generation = setting.attentionKernel; generation >= 1; --generation)
        if (const auto constant = attentionConstantOf(setting.machine.family, generation))
            return constant;
    for (const int generation : {2, 3})
        if (const auto constant = attentionConstantOf(setting.machine.family, generation))
            return constant;
    return std::nullopt;
}

std::optional<Constant> hostConstant(const Setting &setting, bool experts, bool pipelined)
{
    if (setting.stack.graphs)
        return std::nullopt;
    if (experts && setting.stack.software != Software::Xla)
        return Constant::HostExpert;
    switch (setting.stack.software) {
    case Software::Xla: break; // one program for the whole step
    case Software::MegatronV2:
    case Software::MegatronDeepSpeed: return Constant::HostV2;
    case Software::MegatronCore: return Constant::HostCore;
    case Software::Fsdp:
    case Software::FsdpCompiled: return Constant::HostFsdp;
    case Software::Research: return pipelined ? Constant::HostResearchPipeline : Constant::HostResearch;
    }
    return std::nullopt;
}

std::optional<Constant> tpHostConstant(const Setting &setting, bool pipelined)
{
    if (oldMegatron(setting))
        return Constant::TpHost;
    if (setting.stack.software == Software::Research)
        return pipelined ? Constant::TpHostResearchPipeline : Constant::TpHostResearch;
    return std::nullopt;
}

std::optional<Constant> transferHostConstant(const Setting &setting)
{
    if (oldMegatron(setting))
        return Constant::TransferHost;
    if (setting.stack.software == Software::Research)
        return Constant::TransferHostResearch;
    return std::nullopt;
}

std::optional<Constant> scalingConstant(const Setting &setting)
{
    if (setting.precisionBits == 4)
        return Constant::ScalingFour;
    if (setting.precisionBits == 8)
        return setting.stack.software == Software::FsdpCompiled ? Constant::ScalingCompiled : Constant::ScalingEight;
    return std::nullopt;
}

Constant elementwiseConstant(const Setting &setting)
{
    switch (setting.stack.software) {
    case Software::MegatronV2:
    case Software::MegatronDeepSpeed: return Constant::ElementwiseV2;
    case Software::Fsdp: return Constant::ElementwiseFsdp;
    case Software::Xla: return isTpu(setting.machine.family) ? Constant::ElementwiseXla : Constant::ElementwiseXlaGpu;
    case Software::FsdpCompiled: return Constant::ElementwiseFsdpCompiled;
    case Software::Research: return Constant::ElementwiseResearch;
    case Software::MegatronCore: break;
    }
    return Constant::ElementwiseCore;
}

LayerKind layerKindOf(const Architecture &model, bool experts)
{
    LayerKind kind;
    addProducts(model, experts, kind);
    return kind;
}

double parametersOf(const Architecture &model)
{
    const double expertLayers = model.experts > 0 ? double(model.expertLayers) : 0;
    double sum = double(model.vocabulary) * double(model.hidden) * (model.tiedEmbeddings ? 1 : 2);
    for (const bool experts : {false, true}) {
        const auto kind = layerKindOf(model, experts);
        sum += (experts ? expertLayers : double(model.layers) - expertLayers)
            * (kind.parameters + kind.expertParameters);
    }
    return sum;
}

Prepared prepare(const Setting &setting)
{
    const auto &machine = setting.machine;
    const auto &model = setting.architecture;
    const auto &constants = setting.constants;
    const auto software = setting.stack.software;
    Prepared in;
    in.tpu = isTpu(machine.family);
    in.memoryRate = constants[Constant::MemoryShare] * machine.memoryBandwidth.value();
    in.secondsPerByte = 1 / in.memoryRate;
    const auto peak = setting.precisionBits == 16 ? machine.peak16
        : setting.precisionBits == 8              ? machine.peak8
                                                  : machine.peak4;
    in.productRate = productShare(setting, setting.precisionBits) * peak.value();
    in.productRate16 = productShare(setting, 16) * machine.peak16.value();
    in.attentionRate = attentionShare(setting) * machine.peak16.value();
    in.fusedAttention = setting.attentionKernel > 0;
    in.operandBytes = setting.precisionBits == 16 ? 2 : 1;
    const auto orNothing = [&constants](std::optional<Constant> which) { return which ? constants[*which] : 0; };
    in.scalingBytes = orNothing(scalingConstant(setting));
    in.gradientBytes = setting.stack.gradientBytes;
    in.scaleUpRate = constants[in.tpu ? Constant::TpuLinkShare : Constant::ScaleUpShare] * machine.scaleUp.value();
    in.scaleOutRate = constants[Constant::ScaleOutShare] * machine.scaleOut.value();
    in.scaleUpLatency = constants[Constant::ScaleUpLatency];
    in.scaleOutLatency = constants[Constant::ScaleOutLatency];
    in.collectiveLaunch = setting.stack.graphs || in.tpu ? 0 : constants[Constant::CollectiveLaunch];
    in.domain = double(machine.domain);
    in.interference = constants[Constant::Interference];
    in.elementwise = constants[elementwiseConstant(setting)];
    in.expertVisit = constants[Constant::ExpertVisit];
    in.hostMix = constants[Constant::HostMix];
    in.ownWindows = constants[Constant::OwnWindows] > 0;
    in.overlapChunk = constants[Constant::OverlapChunk];
    const bool research = software == Software::Research;
    in.eager = software == Software::Fsdp || research;
    in.fsdpStack = in.eager || software == Software::FsdpCompiled;
    in.oldMegatron = oldMegatron(setting);
    if (in.oldMegatron)
        in.lossBytes = constants[Constant::LossTraffic];
    in.tpHostGrowth = orNothing(tpHostConstant(setting));
    in.pipelinedTpHostGrowth = orNothing(tpHostConstant(setting, true));
    in.transferHost = orNothing(transferHostConstant(setting));
    // Inside one domain the hosts of a TP group and of its neighbours are the same.
    in.pipelinedHost = research && setting.accelerators > machine.domain;
    in.gathersOnce = in.fsdpStack && constants[Constant::GatherOnce] > 0;
    // Research code with TP gathers its inputs again and has a loss of its own.
    in.frameworkMemory = in.fsdpStack && !research && constants[Constant::FrameworkMemory] > 0;
    // Seen on eager frameworks alone; no compiled run has ZeRO 1.
    in.broadcast = software == Software::Fsdp ? constants[Constant::Broadcast] : 0;
    in.slowdown = model.workScale
        * (software == Software::MegatronDeepSpeed ? constants[Constant::DeepSpeedSlowdown] : 1);

    in.workScale = model.workScale;

    in.tokensPerSequence = double(setting.sequenceLength);
    in.globalBatch = double(setting.globalBatch);
    in.accelerators = double(setting.accelerators);
    in.hidden = double(model.hidden);
    in.heads = double(model.heads);
    in.kvHeads = double(model.kvHeads);
    in.headDim = double(model.headDim);
    in.qkDim = model.latentAttention ? 192 : in.headDim;
    in.valueDim = model.latentAttention ? 128 : in.headDim;
    in.layers = double(model.layers);
    in.vocabulary = double(model.vocabulary);
    in.gates = model.gated ? 2 : 1;
    in.experts = double(model.experts);
    in.expertsPerToken = double(model.expertsPerToken);
    in.expertFfn = double(model.expertFfn);
    in.embedding = in.vocabulary * in.hidden;
    in.keptPerWidth = keptPerWidth(in, setting);

    const double expertLayers = model.experts > 0 ? double(model.expertLayers) : 0;
    double flopsPerToken = 0;
    for (const bool experts : {false, true}) {
        auto &kind = in.kinds[experts ? 1 : 0];
        kind = layerKindOf(model, experts);
        kind.layers = experts ? expertLayers : in.layers - expertLayers;
        kind.traffic = trafficPerToken(in, setting, kind);
        kind.kept = keptPerToken(in, setting, kind);
        kind.hostSeconds = orNothing(hostConstant(setting, experts));
        kind.pipelinedHostSeconds = orNothing(hostConstant(setting, experts, true));
        in.layerParameters += kind.layers * kind.parameters;
        in.expertParameters += kind.layers * kind.expertParameters;
        double products = 0;
        for (int i = 0; i < kind.productCount; ++i)
            products += kind.products[static_cast<std::size_t>(i)].k * kind.products[static_cast<std::size_t>(i)].n;
        if (experts)
            products += in.expertsPerToken * (in.gates + 1) * in.hidden * in.expertFfn;
        const double scores = in.tokensPerSequence * in.heads * (in.qkDim + in.valueDim) * (setting.causal ? 0.5 : 1);
        flopsPerToken += kind.layers * model.workScale * 2 * (products + scores);
    }
    const double tokens = in.globalBatch * in.tokensPerSequence;
    in.layerFlops = 3 * flopsPerToken * tokens;
    in.modelFlops = in.layerFlops + 6 * in.embedding * tokens;
    in.peakFlops = in.accelerators * peak.value();
    in.peak16Flops = in.accelerators * machine.peak16.value();
    return in;
}

} // namespace fleetwright::detailed
