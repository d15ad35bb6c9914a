// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/detailedtext.h"

#include "solver/models/commonassumptions.h"
#include "solver/models/tunable.h"
#include "units/format.h"

namespace fleetwright::detailed {

using units::Dimension;

std::span<const DetailDescriptor> detailDescriptors()
{
    static constexpr auto descriptors = std::to_array<DetailDescriptor>({
        {"tp_exposed_s", "TP communication that the step waits for", Dimension::Time,
            "per layer and microbatch max(y/4, y - 3/4 w) where TP overlaps, else y", "exposed_tp_comm_time_s"},
        {"cp_exposed_s", "CP communication that the step waits for", Dimension::Time,
            "ring exchange beyond the attention that hides it", "exposed_cp_comm_time_s"},
        {"ep_exposed_s", "EP communication that the step waits for", Dimension::Time,
            "dispatch and combine, forward and backward", "exposed_ep_comm_time_s"},
        {"pp_exposed_s", "PP communication that the step waits for", Dimension::Time,
            "2 y v m + 2 y (p-1), or 2 y (p-1) where interleaving hides it", "exposed_pp_comm_time_s"},
        {"dp_exposed_s", "DP communication that the step waits for", Dimension::Time,
            "gradients and parameters beyond the passes that hide them, and interference", "exposed_dp_comm_time_s"},
        {"forward_layer_s", "Forward pass of a layer", Dimension::Time,
            "mean over the layers, one microbatch, with exposed communication"},
        {"backward_layer_s", "Backward pass of a layer", Dimension::Time,
            "mean over the layers, one microbatch, with recomputation and exposed communication"},
        {"logits_s", "Output layer and loss", Dimension::Time, "one microbatch, all passes"},
        {"embedding_s", "Embedding", Dimension::Time, "one microbatch"},
        {"microbatches", "Microbatches per replica", Dimension::Number, "m = max(1, B / (DP b))"},
        {"microbatch_size", "Sequences per microbatch", Dimension::Number, "b"},
        {"mfu16", "MFU against the 16-bit peak", Dimension::Fraction, "model FLOP / (N P16 step)"},
        {"model_flops", "Model FLOP per step", Dimension::Computation,
            "3 times the forward FLOP of products and causal attention, no recomputation"},
        {"allocated_bytes", "Allocated memory", Dimension::Information,
            "what the framework allocates; the device total adds 6 % and 2.5 GB"},
        {"fullest_stage", "Fullest stage", Dimension::Number, "0 first, 1 second, 2 last"},
        {"parameters", "Parameters of the architecture", Dimension::Number,
            "all matrices, norms, experts and embeddings"},
    });
    static_assert(descriptors.size() == std::tuple_size_v<decltype(Estimate::details)>);
    static_assert(static_cast<std::size_t>(Detail::Parameters) + 1 == descriptors.size());
    return descriptors;
}

std::span<const Limitation> limitationTexts()
{
    static constexpr auto texts = std::to_array<Limitation>({
        {"Whether a site reaches the vendor's clocks and network is not an input: identical configurations differ by 4 "
         "% (median) and up to 20 % between sites and releases."},
        {"Step time is calibrated, its split among products, attention and element-wise work is not: the three trade "
         "against each other. Take the split as indicative."},
        {"16-bit rates of Blackwell rest mostly on one slow and two faster sites; 16-bit runs there may be 15 to 25 % "
         "faster than predicted."},
        {"No published run multiplies in 16 bits on CDNA: their rate there is the neutral one that estimates start "
         "from."},
        {"No failures, checkpoints, evaluation, data stalls or network congestion: production runs are commonly 10 to "
         "30 % slower than the step time."},
        {"Expert exchange is never overlapped; recipes that overlap it are up to 30 % faster across nodes."},
        {"ZeRO variants that broadcast parameter by parameter lose seconds beyond 500 ranks; that is not modelled."},
        {"Caching allocators can hold far more than the allocated total."},
        {"First-stage effects of very long pipelines with few layers per stage depend on the framework's own split of "
         "layers."},
        {"Unbalanced routing is modelled through the imbalance factor only."},
        {"State-space and other hybrid layers are priced by scaling attention layers with the parameters."},
        {"Latent attention (MLA) has the ranks and head sizes of DeepSeek-V3."},
        {"LoRA: adapters on attention matrices, ranks up to 64, no gradient exchange and no optimizer."},
        {"Vision, recommendation and other workloads that are no transformers are refused."},
    });
    return texts;
}

namespace {

using planners::number;
using planners::text;

constexpr auto runGroup = "Run";
constexpr auto softwareGroup = "Software";
constexpr auto layoutGroup = "Layout";
constexpr auto own = "This model, section 9 of its documentation";

std::optional<bool> switchOf(const AssumptionValue &value)
{
    return text(value) == "auto" ? std::nullopt : std::optional(text(value) == "on");
}

std::string classDescription()
{
    std::string text = "Who made the training software fast; chooses the software stack and the range around the step "
                       "time. ";
    for (const auto softwareClass : allSoftwareClasses)
        text += std::string(toString(softwareClass)) + ": " + membersOf(softwareClass) + ". ";
    return text + "Auto: that of the stack where one is chosen, else " + std::string(toString(defaultSoftwareClass))
        + ".";
}

std::string stackOfClass(SoftwareClass softwareClass)
{
    return std::string(inWords(stackOf(softwareClass, Family::A100)));
}

AssumptionDescriptor switchDescriptor(const char *key, const char *label, const char *description)
{
    return {.key = key,
        .label = label,
        .description = description,
        .defaultValue = std::string("auto"),
        .choices = {"auto", "on", "off"},
        .source = own,
        .group = softwareGroup};
}

const planners::Tunables<Choices> &tunables()
{
    static const planners::Tunables<Choices> list{
        {{.key = std::string(softwareClassKey),
             .label = "Software class",
             .description = classDescription(),
             .defaultValue = std::string("auto"),
             .choices = {"auto", "tuned", "framework", "research"},
             .source = own,
             .group = softwareGroup},
            [](Choices &to, const AssumptionValue &v, double) {
                to.softwareClass = text(v) == "auto"
                    ? std::nullopt
                    : std::optional(parseSoftwareClass(text(v)).value_or(defaultSoftwareClass));
            }},
        {{.key = std::string(softwareStackKey),
             .label = "Software stack",
             .description = "Generation of the training software: fusion, overlap, host time and gradient precision "
                            "follow it. Auto: by the software class: "
                 + stackOfClass(SoftwareClass::Tuned) + " for tuned; " + stackOfClass(SoftwareClass::Framework)
                 + " for framework; " + stackOfClass(SoftwareClass::Research) + " for research; "
                 + std::string(inWords(Software::Xla)) + " on TPU.",
             .defaultValue = std::string("auto"),
             .choices = {"auto", "megatron_v2", "megatron_ds", "megatron_core", "fsdp", "fsdp_compile", "xla",
                 "research"},
             .source = own,
             .group = softwareGroup},
            [](Choices &to, const AssumptionValue &v, double) {
                to.software = text(v) == "auto"
                    ? std::nullopt
                    : std::optional(parseSoftware(text(v)).value_or(Software::MegatronCore));
            }},
        {{.key = "attention_kernel",
             .label = "Attention kernel",
             .description = "none: not fused; 1: Triton FlashAttention; 2: FlashAttention-2; 3: cuDNN, "
                            "FlashAttention-3, Splash. Auto: 2 where the software class chooses an FSDP stack, else "
                            "3, or the best that the family has; none on V100.",
             .defaultValue = std::string("auto"),
             .choices = {"auto", "none", "1", "2", "3"},
             .source = own,
             .group = softwareGroup},
            [](Choices &to, const AssumptionValue &v, double) {
                to.attentionKernel = text(v) == "auto" ? std::nullopt
                                                       : std::optional(text(v) == "none" ? 0 : text(v).front() - '0');
            }},
        {{.key = "gradient_precision",
             .label = "Gradient elements",
             .description =
                 "Bytes of a gradient that is accumulated and exchanged. Auto: 2 under Megatron, 4 under FSDP and XLA.",
             .defaultValue = std::string("auto"),
             .choices = {"auto", "2 bytes", "4 bytes"},
             .source = own,
             .group = softwareGroup},
            [](Choices &to, const AssumptionValue &v, double) {
                to.gradientBytes = text(v) == "auto" ? std::nullopt : std::optional(text(v).front() - '0');
            }},
        {switchDescriptor("dp_overlap", "Overlap DP",
             "Gradients and parameters travel while other layers compute. Auto: as the software stack does."),
            [](Choices &to, const AssumptionValue &v, double) { to.dpOverlap = switchOf(v); }},
        {switchDescriptor("tp_overlap", "Overlap TP",
             "TP collectives run in chunks under the products beside them. Auto: as the software stack does."),
            [](Choices &to, const AssumptionValue &v, double) { to.tpOverlap = switchOf(v); }},
        {switchDescriptor("pp_overlap", "Overlap PP",
             "Interleaved pipelines send while they compute. Auto: as the software stack does."),
            [](Choices &to, const AssumptionValue &v, double) { to.ppOverlap = switchOf(v); }},
        {switchDescriptor(
             "ep_overlap", "Overlap EP", "Expert exchange runs beside other work of its layer. Auto: off."),
            [](Choices &to, const AssumptionValue &v, double) { to.epOverlap = switchOf(v); }},
        {{.key = "cuda_graphs",
             .label = "CUDA graphs",
             .description = "The step is captured once and replayed, so that the host launches nothing.",
             .defaultValue = false,
             .source = own,
             .group = softwareGroup},
            [](Choices &to, const AssumptionValue &v, double) { to.graphs = std::get<bool>(v); }},
        {{.key = "lora_base_4bit",
             .label = "LoRA base in 4 bits",
             .description = "Frozen weights are stored in 4 bits and compute in the plan's precision (QLoRA).",
             .defaultValue = false,
             .source = "Dettmers 2023: QLoRA",
             .group = softwareGroup},
            [](Choices &to, const AssumptionValue &v, double) { to.fourBitBase = std::get<bool>(v); }},
        {switchDescriptor("dropout", "Dropout", "Dropout layers with masks. Auto: only in Megatron until 2022."),
            [](Choices &to, const AssumptionValue &v, double) { to.dropout = switchOf(v); }},
        {switchDescriptor("compiled_loss", "Compiled loss",
             "FSDP stacks make the loss in one kernel, without 32-bit copies of the logits in memory. Auto: where they "
             "are compiled."),
            [](Choices &to, const AssumptionValue &v, double) { to.compiledLoss = switchOf(v); }},
        {{.key = "pipeline_schedule",
             .label = "Pipeline schedule",
             .description = "1F1B, interleaved where there are virtual stages; zero-bubble with a third of the bubble "
                            "and the same memory, or without bubble and with twice the memory.",
             .defaultValue = std::string("1f1b"),
             .choices = {"1f1b", "zero_bubble_1p", "zero_bubble_2p"},
             .source = "Narayanan 2021; Qi 2024",
             .group = layoutGroup},
            [](Choices &to, const AssumptionValue &v, double) {
                to.bubbleShare = text(v) == "1f1b" ? 1 : text(v) == "zero_bubble_1p" ? 1.0 / 3 : 0;
            }},
        {{.key = "expert_tensor_parallel",
             .label = "Expert TP",
             .description = "TP ranks that share one expert. 0: one where EP is above 1, else TP.",
             .defaultValue = 0.0,
             .minimum = 0,
             .maximum = 1e6,
             .integer = true,
             .source = own,
             .group = layoutGroup},
            [](Choices &to, const AssumptionValue &v, double) { to.expertTp = std::int64_t(number(v)); }},
        {{.key = "shard_group",
             .label = "Parameter-shard group",
             .description =
                 "Ranks over which ZeRO 3 (FSDP) shards parameters; the rest are replicas. 0: all of DP and CP.",
             .defaultValue = 0.0,
             .minimum = 0,
             .maximum = 1e6,
             .integer = true,
             .source = "Zhao 2023: hybrid sharding",
             .group = layoutGroup},
            [](Choices &to, const AssumptionValue &v, double) { to.shardGroup = std::int64_t(number(v)); }},
        {{.key = "recompute_share",
             .label = "Recomputed share",
             .description = "Share of the layers' forward work that is computed again, for policies between selective "
                            "and full. 0: what the plan's recomputation means.",
             .defaultValue = 0.0,
             .minimum = 0,
             .maximum = 1,
             .source = own,
             .group = layoutGroup},
            [](Choices &to, const AssumptionValue &v, double) {
                to.recomputeShare = number(v) > 0 ? std::optional(number(v)) : std::nullopt;
            }},
        {{.key = "causal_attention",
             .label = "Causal attention",
             .description = "Fused kernels skip the half of the scores that a causal mask hides.",
             .defaultValue = true,
             .source = "Dao 2023",
             .group = runGroup},
            [](Choices &to, const AssumptionValue &v, double) { to.causal = std::get<bool>(v); }},
        {planners::stragglerFactor(Choices().straggler, runGroup),
            [](Choices &to, const AssumptionValue &v, double) { to.straggler = number(v); }},
        {planners::routingImbalance(Choices().imbalance, runGroup),
            [](Choices &to, const AssumptionValue &v, double) { to.imbalance = number(v); }},
    };
    return list;
}

std::string constantGroup(const ConstantDescriptor &constant)
{
    return constant.family ? "Measured constants, " + std::string(toString(*constant.family)) : "Measured constants";
}

std::string constantDescription(const ConstantDescriptor &constant)
{
    std::string text(constant.meaning);
    if (constant.fitted())
        text += " Range over refits that leave one source out: " + units::exact(*constant.low) + " to "
            + units::exact(*constant.high) + ".";
    return text;
}

} // namespace

std::span<const AssumptionDescriptor> assumptionDescriptors()
{
    static const auto descriptors = [] {
        const auto first = tunables().descriptors();
        std::vector<AssumptionDescriptor> list(first.begin(), first.end());
        for (const auto &constant : constantTable())
            list.push_back({.key = std::string(constant.key),
                .label = std::string(constant.label),
                .description = constantDescription(constant),
                .defaultValue = constant.value,
                .dimension = constant.dimension,
                .unit = std::string(constant.unit),
                .minimum = constant.least,
                .maximum = constant.most,
                .source = std::string(constant.source),
                .group = constantGroup(constant)});
        return list;
    }();
    return descriptors;
}

Expected<Choices> choicesFrom(const Assumptions &assumptions)
{
    if (auto ok = fleetwright::check(assumptions, assumptionDescriptors()); !ok)
        return std::unexpected(ok.error());
    Choices choices;
    tunables().apply(assumptions, choices);
    const auto descriptors = assumptionDescriptors().subspan(tunables().descriptors().size());
    for (std::size_t i = 0; i < constantCount; ++i) {
        const auto &constant = constantTable()[i];
        choices.constants[constant.constant] = number(valueOf(assumptions, descriptors[i])) * baseFactor(constant);
    }
    return choices;
}

} // namespace fleetwright::detailed
