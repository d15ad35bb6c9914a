// SPDX-License-Identifier: GPL-3.0-or-later
// Section numbers are those of resources/handbook/models/detailed.md; section 16 is what this file does.
#include "solver/validation/runsoftware.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>

namespace fleetwright::validation {

using detailed::Family;
using detailed::Software;

std::string lowerCase(std::string_view text)
{
    constexpr std::size_t longest = 2000;
    std::string result(text.substr(0, longest));
    std::ranges::transform(result, result.begin(),
        [](char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter; });
    return result;
}

std::string bare(std::string_view name)
{
    auto text = lowerCase(name);
    std::erase_if(text, [](unsigned char letter) { return !std::isalnum(letter); });
    return text;
}

std::int64_t stated(const std::optional<std::int64_t> &count, std::int64_t otherwise)
{
    return count && *count > 0 ? *count : otherwise;
}

bool namesSharding(const std::string &fsdp) { return !fsdp.empty() && !lowerCase(fsdp).starts_with("no"); }

FrameworkWords::FrameworkWords(const MeasuredRun &run)
    : name(lowerCase(run.framework)), mlperf(run.source.key.starts_with("mlperf")),
      style(has("style") || has("modellink")), megatron(has("megatron")),
      megatronLm(name.starts_with("megatron-lm") && !style), eager(has("eager") || lowerCase(run.id).contains("eager")),
      nvidia(has("nvidia") || lowerCase(run.submitter).contains("nvidia") || run.source.key.starts_with("nvidia")),
      date(run.source.date)
{
}

namespace {

/// Names that stand for PyTorch with sharded parameters or optimizer state, whatever the layout.
bool namesFsdp(const FrameworkWords &words)
{
    static constexpr std::array names{"fsdp", "internevo", "litgpt", "deepspeed", "accelerate", "pytorch", "olmo"};
    return std::ranges::any_of(names, [&words](std::string_view name) { return words.has(name); });
}

/// "mlperf-v6.0": 6; 0 for other sources.
int mlperfRound(const std::string &sourceKey)
{
    static const std::regex round(R"(mlperf-v(\d{1,3}))");
    std::smatch match;
    return std::regex_search(sourceKey, match, round) ? std::stoi(match[1]) : 0;
}

} // namespace

SoftwareGuess softwareOf(const MeasuredRun &run, const FrameworkWords &words, Family family, Rules rules)
{
    const bool current = since(rules, Rules::Current), version2 = since(rules, Rules::Version2);
    if (current && words.research())
        return {Software::Research};
    // Neuron and TPUs compile whole steps with XLA, whichever library describes them.
    if (current && (bare(run.accelerator).starts_with("trainium") || isTpu(family)))
        return {Software::Xla};
    if (words.has("jax") || words.has("maxtext"))
        return {Software::Xla};
    if (words.has("torchtitan"))
        return {current && words.eager ? Software::Fsdp : Software::FsdpCompiled};
    if (words.has("composer") || words.has("pytorch fsdp"))
        return {Software::Fsdp};
    if (words.mlperf || words.has("nemo") || words.has("megatron-core") || words.has("bridge")
        || words.has("megascale"))
        return {Software::MegatronCore};
    const bool deepSpeed = words.has("deepspeed");
    const bool hopperOrLater = family != Family::V100 && family != Family::A100
        && !(version2 && run.accelerator == "MI250X");
    if ((words.megatron && hopperOrLater && !(version2 && deepSpeed)) || (words.megatronLm && words.date >= "2023"))
        return {Software::MegatronCore};
    // "A / B" names alternatives; then only the rows with ZeRO-3 ran under DeepSpeed.
    if ((words.megatron && ((deepSpeed && !words.has(" / ")) || run.zeroStage == 3)) || (version2 && words.has("neox")))
        return {Software::MegatronDeepSpeed};
    if (words.megatron || run.framework == "OneFlow")
        return {Software::MegatronV2};
    if (const auto alike = current ? detailed::stackNamed(words.name) : std::nullopt)
        return {*alike};
    // Nothing else than Megatron-Core was used for such a job, until others wrote the same.
    if (version2 && hopperOrLater && stated(run.tp) > 1 && stated(run.pp) > 1 && (!current || words.nvidia))
        return {Software::MegatronCore, true};
    if (!current || words.name.empty() || namesFsdp(words) || namesSharding(run.fsdp) || run.zeroStage == 3)
        return {Software::Fsdp};
    return {Software::Research};
}

namespace {

/// "126M without flash attention": the notes of a source say it of one of its models, or of all.
bool notesSayNotFused(const MeasuredRun &run)
{
    static const std::regex sentence(R"((\S+ )?without flash)");
    const auto notes = lowerCase(run.notes);
    std::smatch match;
    if (!std::regex_search(notes, match, sentence))
        return false;
    std::string model = match[1];
    if (model.empty() || !std::isdigit(static_cast<unsigned char>(model.front())))
        return true;
    model.pop_back();
    return lowerCase(run.model.name).contains(model);
}

} // namespace

int attentionKernelOf(const MeasuredRun &run, const FrameworkWords &words, Software software, Rules rules)
{
    const bool old = software == Software::MegatronV2 || software == Software::MegatronDeepSpeed;
    if (run.flashAttention == false || (!run.flashAttention && (old || (words.megatronLm && words.date < "2024"))))
        return 0;
    // Sailor's models multiply queries with keys, apply a softmax and multiply with values.
    if (since(rules, Rules::Current) && !run.flashAttention && words.has("sailor"))
        return 0;
    // Pax had no fused attention of its own on GPU; Transformer Engine brought it.
    if (since(rules, Rules::Current) && !run.flashAttention && words.has("pax")
        && (!words.has("transformer engine") || notesSayNotFused(run)))
        return 0;
    if (words.has("composer"))
        return 1;
    const bool second = old || software == Software::Fsdp || software == Software::FsdpCompiled
        || software == Software::Research || words.has("megascale");
    return second ? 2 : 3;
}

namespace {

/// "2024" of the date, else of the source's key; empty where neither names a year.
std::string yearOf(const MeasuredRun &run)
{
    static const std::regex year(R"((?:^|-)(20\d\d)(?:-|$))");
    for (const auto *text : {&run.source.date, &run.source.key})
        if (std::smatch match; std::regex_search(text->string(), match, year))
            return match[1];
    return {};
}

/// Before, compiling torchtitan's loss failed and was switched off in its code.
constexpr std::string_view firstCompiledLoss = "2025";

} // namespace

detailed::Stack stackOf(
    const MeasuredRun &run, const FrameworkWords &words, SoftwareGuess guess, const std::string &precision, Rules rules)
{
    const auto software = guess.software;
    const bool current = since(rules, Rules::Current);
    const auto year = yearOf(run);
    auto stack = detailed::defaultsOf(software);
    if ((words.megatronLm && words.date < "2024-06") || guess.byShape)
        stack.tpOverlap = false;
    if (since(rules, Rules::Version2)) {
        const auto notes = lowerCase(run.notes);
        // The recipes of Megatron-Bridge capture the step in CUDA graphs and overlap the expert exchange since its
        // releases of May 2026; MLPerf 6.0 ran those.
        constexpr int roundOfMay2026 = 6;
        const bool lateRecipe = (words.name.starts_with("megatron-bridge") && words.date >= "2026-05")
            || (current && words.has("megatron-bridge") && mlperfRound(run.source.key) >= roundOfMay2026);
        stack.graphs = lateRecipe || notes.contains("cuda graph") || notes.contains("cuda_graph");
        stack.epOverlap = lateRecipe && stated(run.model.experts) > 0;
    }
    if (const auto flag = run.overlap.find("tp_comm_overlap"); flag != run.overlap.end())
        stack.tpOverlap = flag->second;
    if (const auto flag = run.overlap.find("async_tp"); current && flag != run.overlap.end())
        stack.tpOverlap = flag->second;
    if (const auto flag = run.overlap.find("p2p_overlap"); flag != run.overlap.end())
        stack.ppOverlap = flag->second;
    if ((software == Software::MegatronDeepSpeed && precision.starts_with("bf16"))
        || precision.contains("fp32 gradient") || lowerCase(run.notes).contains("gradient accumulation in fp32"))
        stack.gradientBytes = 4;
    if (current && software == Software::FsdpCompiled && words.has("torchtitan") && !year.empty()
        && year < firstCompiledLoss)
        stack.compiledLoss = false;
    if (precision.contains("pure"))
        stack.gradientBytes = 2;
    return stack;
}

std::string inWords(const detailed::Stack &stack, int attentionKernel)
{
    return std::string(detailed::inWords(stack.software))
        + (attentionKernel == 0 ? ", attention not fused"
                                : ", fused attention of generation " + std::to_string(attentionKernel))
        + (stack.graphs ? ", CUDA graphs" : "") + (stack.epOverlap ? ", expert exchange overlapped" : "");
}

namespace {

/// A policy between none and full in the words of its framework, as the share of a layer's forward work that is
/// computed again: what is left when the matrices that it names are taken out of a layer of usual shape.
struct RecomputePolicy {
    std::string_view holds, andHolds, lacks;
    RecomputeReading reading;
};

/// The first that fits.
constexpr std::array policies{
    // MaxText: what is offloaded to the host comes back, the rest is computed again.
    RecomputePolicy{"decoder_layer_input", "out_proj", "", {Recompute::Full, 0.7}},
    RecomputePolicy{"decoder_layer_input", "query", "", {Recompute::Full, 0.78}},
    RecomputePolicy{"decoder_layer_input", "", "", {Recompute::Full, 1.0}},
    RecomputePolicy{"proj_offloaded", "", "", {Recompute::Full, 0.78}},
    // Megatron-Core: modules by name.
    RecomputePolicy{"selective", "moe", "moe_act", {Recompute::Selective, 0.6}},
    RecomputePolicy{"selective", "norm", "", {Recompute::Selective, 0.12}},
    RecomputePolicy{"selective", "act,", "", {Recompute::Selective, 0.12}},
    RecomputePolicy{"selective", "mlp", "", {Recompute::Selective, 0.5}},
};

} // namespace

RecomputeReading recomputeOf(const std::string &text, Rules rules)
{
    const RecomputeReading plain{text.starts_with("full") ? Recompute::Full
            : text.starts_with("selective")               ? Recompute::Selective
                                                          : Recompute::None,
        std::nullopt};
    if (!since(rules, Rules::Current))
        return plain;
    static const std::regex someLayers(R"((\d{1,6}) of (\d{1,6}) layers)");
    if (std::smatch match; plain.recompute == Recompute::Full && std::regex_search(text, match, someLayers)) {
        const double some = std::stod(match[1]), all = std::stod(match[2]);
        if (all > 0 && some <= all)
            return {Recompute::Full, some / all};
    }
    for (const auto &policy : policies)
        if ((policy.reading.recompute == Recompute::Full || plain.recompute == Recompute::Selective)
            && text.contains(policy.holds) && text.contains(policy.andHolds)
            && (policy.lacks.empty() || !text.contains(policy.lacks)))
            return policy.reading;
    return plain;
}

} // namespace fleetwright::validation
