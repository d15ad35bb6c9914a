// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/pricer.h"

#include "domain/rules.h"

#include <string>

namespace fleetwright::detailed {

namespace {

constexpr std::int64_t mostCount = 1'000'000'000;
/// Some frameworks count the embedding and the output layer as layers when they cut a model into stages.
constexpr std::int64_t endLayers = 2;

bool positive(double value) { return std::isfinite(value) && value > 0; }

bool isShare(const std::optional<double> &share) { return !share || (*share >= 0 && *share <= 1); }

bool counts(const Layout &layout)
{
    for (const auto count : {layout.tp, layout.pp, layout.virtualStages, layout.cp, layout.dp, layout.ep,
             layout.expertTp, layout.microbatch})
        if (count < 1 || count > mostCount)
            return false;
    return layout.zeroStage >= 0 && layout.zeroStage <= 3 && layout.shardGroup >= 0 && isShare(layout.recomputeShare);
}

std::unexpected<Error> infeasible(const char *field, std::string sentence)
{
    return refuse(ErrorCode::InfeasibleParallelism, field, std::move(sentence));
}

std::string text(std::int64_t number) { return std::to_string(number); }

} // namespace

Expected<Pricer> Pricer::make(const Setting &setting)
{
    rules::Checker rule("");
    const auto &machine = setting.machine;
    const auto &model = setting.architecture;
    const auto rate = [&rule](std::string_view field, std::string_view label, double value) {
        if (!positive(value))
            rule.fail(ErrorCode::OutOfRange, field, std::string(label) + " must be a finite number greater than zero.");
    };
    rate("acc.peak16", "The 16-bit peak", machine.peak16.value());
    rate("acc.peak8", "The 8-bit peak", machine.peak8.value());
    rate("acc.peak4", "The 4-bit peak", machine.peak4.value());
    rate("acc.hbm_bw", "The memory bandwidth", machine.memoryBandwidth.value());
    rate("acc.hbm", "The memory capacity", machine.capacity.value());
    rate("acc.up", "The scale-up bandwidth", machine.scaleUp.value());
    rate("acc.nic", "The scale-out bandwidth", machine.scaleOut.value());
    const auto count = [&rule](
                           std::string_view field, std::string_view label, std::int64_t value, std::int64_t least = 1) {
        if (value < least || value > mostCount)
            rule.fail(ErrorCode::OutOfRange, field,
                std::string(label) + " must be " + text(least) + " to " + text(mostCount) + ".");
    };
    count("acc.domain", "The scale-up domain", machine.domain);
    count("model.layers", "The number of layers", model.layers);
    count("model.hidden", "The hidden size", model.hidden);
    count("model.heads", "The number of attention heads", model.heads);
    count("model.kv_heads", "The number of KV heads", model.kvHeads);
    count("model.head_dim", "The head dimension", model.headDim);
    count("model.ffn_hidden", "The FFN size", model.ffn);
    count("model.vocab", "The vocabulary", model.vocabulary);
    count("model.experts", "The number of experts", model.experts, 0);
    if (model.experts > 0) {
        count("model.top_k", "The number of experts per token", model.expertsPerToken);
        count("model.moe_ffn_hidden", "The FFN size of an expert", model.expertFfn);
        count("model.shared_experts", "The number of shared experts", model.sharedExperts, 0);
        count("model.moe_layers", "The number of expert layers", model.expertLayers, 0);
        if (model.expertsPerToken > model.experts)
            rule.fail(ErrorCode::OutOfRange, "model.top_k", "A token cannot be sent to more experts than there are.");
        if (model.expertLayers > model.layers)
            rule.fail(ErrorCode::OutOfRange, "model.moe_layers", "There cannot be more expert layers than layers.");
    }
    rate("work_scale", "The scaling of layer work", model.workScale);
    count("n", "The number of accelerators", setting.accelerators);
    count("seq", "The sequence length", setting.sequenceLength);
    count("batch", "The global batch", setting.globalBatch);
    if (setting.precisionBits != 16 && setting.precisionBits != 8 && setting.precisionBits != 4)
        rule.fail(ErrorCode::UnsupportedValue, "prec", "The precision must be 16, 8 or 4 bits.");
    if (setting.attentionKernel < 0 || setting.attentionKernel > 3)
        rule.fail(
            ErrorCode::OutOfRange, "flash", "The generation of the attention kernel must be 0 (not fused), 1, 2 or 3.");
    if (!(std::isfinite(setting.loraBaseBytes) && setting.loraBaseBytes >= 0))
        rule.fail(ErrorCode::OutOfRange, "base_bytes", "The bytes of a frozen weight must be zero or more.");
    count("grad_bytes", "The bytes of a gradient element", setting.stack.gradientBytes);
    rule.within("bubble_share", "The share of the pipeline bubble", setting.bubbleShare, 0, 1);
    rate("straggler", "The straggler factor", setting.straggler);
    rule.atLeast("imbalance", "The routing imbalance", setting.imbalance, 1);
    for (const auto &descriptor : constantTable()) {
        const double value = setting.constants[descriptor.constant] / baseFactor(descriptor);
        if (!(std::isfinite(value) && value >= 0))
            rule.fail(ErrorCode::OutOfRange, "constants." + std::string(descriptor.key),
                std::string(descriptor.label) + " must be a finite number, zero or more.");
    }
    if (auto ok = rule.result(); !ok)
        return std::unexpected(ok.error());
    return Pricer(setting);
}

bool Pricer::isLegal(const Layout &layout) const
{
    if (!counts(layout))
        return false;
    const auto &model = m_setting.architecture;
    const auto [t, p, v, c, r] = std::tuple(layout.tp, layout.pp, layout.virtualStages, layout.cp, layout.dp);
    if (double(t) * double(p) * double(c) * double(r) != double(m_setting.accelerators) || model.heads % t != 0
        || (model.kvHeads % t != 0 && t % model.kvHeads != 0))
        return false;
    const bool denseLayers = model.experts == 0 || model.expertLayers < model.layers;
    if (denseLayers && model.ffn % t != 0)
        return false;
    if (p > model.layers + endLayers || (c > 1 && m_setting.sequenceLength % (2 * c) != 0)
        || double(layout.microbatch) * double(r) > double(m_setting.globalBatch))
        return false;
    if (v > 1) {
        const auto replicaBatch = layout.microbatch * r;
        if (p == 1 || p * v > model.layers + endLayers || m_setting.globalBatch % replicaBatch != 0
            || m_setting.globalBatch / replicaBatch % p != 0)
            return false;
    }
    if (layout.ep > 1 && (model.experts == 0 || model.experts % layout.ep != 0))
        return false;
    if (model.experts > 0 && (t % layout.expertTp != 0 || (t * c * r) % (layout.ep * layout.expertTp) != 0))
        return false;
    return layout.shardGroup == 0 || (r * c) % layout.shardGroup == 0;
}

Expected<void> Pricer::check(const Layout &layout) const
{
    if (isLegal(layout))
        return {};
    const auto &model = m_setting.architecture;
    const auto [t, p, v, c, r, b] = std::tuple(
        layout.tp, layout.pp, layout.virtualStages, layout.cp, layout.dp, layout.microbatch);
    const std::array<std::pair<std::int64_t, std::pair<const char *, const char *>>, 8> numbers{
        {{t, {"tp", "Tensor parallelism (TP)"}}, {p, {"pp", "Pipeline parallelism (PP)"}},
            {v, {"vs", "The number of virtual stages"}}, {c, {"cp", "Context parallelism (CP)"}},
            {r, {"dp", "Data parallelism (DP)"}}, {layout.ep, {"ep", "Expert parallelism (EP)"}},
            {layout.expertTp, {"etp", "Expert tensor parallelism"}}, {b, {"mb", "The microbatch size"}}}};
    for (const auto &[value, name] : numbers)
        if (value < 1 || value > mostCount)
            return refuse(
                ErrorCode::OutOfRange, name.first, std::string(name.second) + " must be 1 to " + text(mostCount) + ".");
    if (layout.zeroStage < 0 || layout.zeroStage > 3)
        return refuse(ErrorCode::OutOfRange, "zero", "The ZeRO stage must be 0, 1, 2 or 3.");
    if (layout.shardGroup < 0)
        return refuse(ErrorCode::OutOfRange, "shard", "The size of the parameter-shard group must be at least 1.");
    if (!isShare(layout.recomputeShare))
        return refuse(ErrorCode::OutOfRange, "recompute_share", "The share that is recomputed must be 0 to 1.");
    const auto n = m_setting.accelerators;
    if (double(t) * double(p) * double(c) * double(r) != double(n))
        return infeasible("tp",
            "TP " + text(t) + " \u00d7 PP " + text(p) + " \u00d7 CP " + text(c) + " \u00d7 DP " + text(r)
                + " is not the fleet's " + text(n) + " accelerators; choose sizes whose product is " + text(n) + ".");
    if (model.heads % t != 0)
        return infeasible("tp", "TP " + text(t) + " does not divide the " + text(model.heads) + " attention heads.");
    if (model.kvHeads % t != 0 && t % model.kvHeads != 0)
        return infeasible(
            "tp", "TP " + text(t) + " and the " + text(model.kvHeads) + " KV heads do not divide each other.");
    if ((model.experts == 0 || model.expertLayers < model.layers) && model.ffn % t != 0)
        return infeasible("tp", "TP " + text(t) + " does not divide the FFN size " + text(model.ffn) + ".");
    if (p > model.layers + endLayers)
        return infeasible("pp",
            "PP " + text(p) + " needs at least as many layers; the workload has " + text(model.layers)
                + " and two ends.");
    if (c > 1 && m_setting.sequenceLength % (2 * c) != 0)
        return infeasible("cp",
            "Context parallelism cuts each sequence into 2 CP pieces; " + text(2 * c)
                + " does not divide the sequence length " + text(m_setting.sequenceLength) + ".");
    if (double(b) * double(r) > double(m_setting.globalBatch))
        return infeasible("mb",
            "Microbatch " + text(b) + " \u00d7 DP " + text(r) + " exceeds the global batch of "
                + text(m_setting.globalBatch) + "; lower one of them or raise the batch.");
    if (v > 1) {
        if (p == 1)
            return infeasible("vs", "Virtual stages interleave a pipeline; set PP above 1 or virtual stages to 1.");
        if (p * v > model.layers + endLayers)
            return infeasible("vs",
                "PP " + text(p) + " \u00d7 " + text(v)
                    + " virtual stages needs at least as many layers; the workload has " + text(model.layers)
                    + " and two ends.");
        if (m_setting.globalBatch % (b * r) != 0 || m_setting.globalBatch / (b * r) % p != 0)
            return infeasible("vs",
                "Interleaving needs a number of microbatches that PP " + text(p) + " divides; global batch "
                    + text(m_setting.globalBatch) + " over microbatch " + text(b) + " \u00d7 DP " + text(r)
                    + " is none.");
    }
    if (layout.ep > 1 && model.experts == 0)
        return infeasible("ep", "The workload has no experts; set EP to 1.");
    if (layout.ep > 1 && model.experts % layout.ep != 0)
        return infeasible("ep", "EP " + text(layout.ep) + " does not divide the " + text(model.experts) + " experts.");
    if (model.experts > 0 && t % layout.expertTp != 0)
        return infeasible(
            "etp", "Expert tensor parallelism " + text(layout.expertTp) + " does not divide TP " + text(t) + ".");
    if (model.experts > 0 && (t * c * r) % (layout.ep * layout.expertTp) != 0)
        return infeasible("ep",
            "EP " + text(layout.ep) + " \u00d7 expert TP " + text(layout.expertTp)
                + " does not divide TP \u00d7 CP \u00d7 DP = " + text(t * c * r) + ".");
    return infeasible("shard",
        "The parameter-shard group of " + text(layout.shardGroup) + " does not divide DP \u00d7 CP = " + text(r * c)
            + ".");
}

} // namespace fleetwright::detailed
