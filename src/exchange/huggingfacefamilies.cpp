// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/huggingfacefamilies.h"

#include <algorithm>

namespace fleetwright::exchange {

namespace {

void gptOss(HuggingFaceConfig &, TransformerShape &shape)
{
    shape.sinks = true;
    if (shape.experts)
        shape.experts->routerBias = shape.experts->biases = true;
}

void gpt2(HuggingFaceConfig &config, TransformerShape &shape)
{
    shape.learnedPositions = config.required(
        {"n_positions", "max_position_embeddings"}, "learned_position_count", "the learned positions");
}

void bloom(HuggingFaceConfig &, TransformerShape &shape) { shape.embeddingNorm = true; }

/// The older form shares one key and value among all heads, whatever its num_kv_heads says. Layers that compute
/// attention and feed-forward side by side have one norm, or one for each.
void falcon(HuggingFaceConfig &config, TransformerShape &shape)
{
    const bool newer = config.flag("new_decoder_architecture").value_or(false);
    const bool shared = config.flag("multi_query").value_or(true);
    if (!newer)
        shape.kvHeads = shared ? 1 : shape.heads;
    const bool beside = config.flag("parallel_attn").value_or(true);
    const auto norms = config.count({"num_ln_in_parallel_attn"}, "layers").value_or(2);
    shape.normsPerLayer = newer ? std::min(norms, 2) : beside ? 1 : 2;
    if (config.flag("alibi").value_or(false))
        shape.positions = Positions::Linear;
}

/// The table of positions has two rows more than it has positions.
void opt(HuggingFaceConfig &config, TransformerShape &shape)
{
    shape.learnedPositions = config.required(
                                 {"max_position_embeddings"}, "learned_position_count", "the learned positions")
        + 2;
    const auto width = config.count({"word_embed_proj_dim"}, "embedding_size").value_or(shape.hidden);
    if (width != shape.hidden)
        shape.embedding = width;
    const bool before = config.flag("do_layer_norm_before").value_or(true);
    shape.finalNorm = before && !config.flag("_remove_final_layer_norm").value_or(false);
}

constexpr auto familyTable = std::to_array<HuggingFaceFamily>({
    {.modelTypes = {"llama"}, .title = "Llama", .year = 2023, .biasKey = "attention_bias", .ffnBiasKey = "mlp_bias"},
    {.modelTypes = {"llama4_text", "llama4"},
        .title = "Llama 4",
        .year = 2025,
        .biasKey = "attention_bias",
        .experts = ExpertsBy::Interleaved,
        .window = WindowBy::RotaryLayers,
        .leftOut = {.headDim = 128}},
    {.modelTypes = {"mistral"}, .title = "Mistral", .year = 2023, .window = WindowBy::EveryLayer},
    {.modelTypes = {"mixtral"},
        .title = "Mixtral",
        .year = 2023,
        .experts = ExpertsBy::EveryLayer,
        .window = WindowBy::EveryLayer},
    {.modelTypes = {"qwen2", "qwen2_vl", "qwen2_5_vl", "qwen2_5_vl_text"},
        .title = "Qwen2",
        .year = 2024,
        .bias = AttentionBias::QueryKeyValue,
        .window = WindowBy::UpperLayers},
    {.modelTypes = {"qwen2_moe"},
        .title = "Qwen2 MoE",
        .year = 2024,
        .bias = AttentionBias::QueryKeyValue,
        .biasKey = "qkv_bias",
        .biasWhenSet = AttentionBias::QueryKeyValue,
        .experts = ExpertsBy::Step,
        .window = WindowBy::UpperLayers},
    {.modelTypes = {"qwen3", "qwen3_vl_text"},
        .title = "Qwen3",
        .year = 2025,
        .biasKey = "attention_bias",
        .queryKeyNorm = true,
        .window = WindowBy::UpperLayers,
        .leftOut = {.headDim = 128}},
    {.modelTypes = {"qwen3_moe", "qwen3_vl_moe_text"},
        .title = "Qwen3 MoE",
        .year = 2025,
        .biasKey = "attention_bias",
        .queryKeyNorm = true,
        .experts = ExpertsBy::Step,
        .window = WindowBy::UpperLayers},
    {.modelTypes = {"gemma"},
        .title = "Gemma",
        .year = 2024,
        .tied = true,
        .biasKey = "attention_bias",
        .leftOut = {.headDim = 256}},
    {.modelTypes = {"gemma2"},
        .title = "Gemma 2",
        .year = 2024,
        .tied = true,
        .norms = 4,
        .biasKey = "attention_bias",
        .window = WindowBy::EverySecond,
        .leftOut = {.headDim = 256, .window = 4096}},
    {.modelTypes = {"gemma3_text", "gemma3"},
        .title = "Gemma 3",
        .year = 2025,
        .tied = true,
        .norms = 4,
        .biasKey = "attention_bias",
        .queryKeyNorm = true,
        .window = WindowBy::Pattern,
        .leftOut =
            {.heads = 8, .kvHeads = 4, .headDim = 256, .vocabulary = 262'208, .window = 4096, .context = 131'072}},
    {.modelTypes = {"deepseek_v2"},
        .title = "DeepSeek-V2",
        .year = 2024,
        .biasKey = "attention_bias",
        .latent = true,
        .experts = ExpertsBy::FirstDense},
    {.modelTypes = {"deepseek_v3"},
        .title = "DeepSeek-V3",
        .year = 2024,
        .biasKey = "attention_bias",
        .latent = true,
        .experts = ExpertsBy::FirstDense,
        .selectionBias = true},
    {.modelTypes = {"kimi_k2"},
        .title = "Kimi K2",
        .year = 2025,
        .biasKey = "attention_bias",
        .latent = true,
        .experts = ExpertsBy::FirstDense,
        .selectionBias = true},
    {.modelTypes = {"glm4_moe", "glm4v_moe_text"},
        .title = "GLM-4.5",
        .year = 2025,
        .biasKey = "attention_bias",
        .biasWhenSet = AttentionBias::QueryKeyValue,
        .queryKeyNormKey = "use_qk_norm",
        .positions = Positions::PartlyRotary,
        .experts = ExpertsBy::FirstDense,
        .selectionBias = true},
    {.modelTypes = {"gpt_oss"},
        .title = "gpt-oss",
        .year = 2025,
        .bias = AttentionBias::All,
        .biasKey = "attention_bias",
        .experts = ExpertsBy::EveryLayer,
        .window = WindowBy::EverySecond,
        .leftOut = {.headDim = 64, .window = 128},
        .more = gptOss},
    {.modelTypes = {"gpt2"},
        .title = "GPT-2",
        .year = 2019,
        .gated = false,
        .tied = true,
        .norm = NormKind::Layer,
        .bias = AttentionBias::All,
        .ffnBias = true,
        .positions = Positions::Learned,
        .more = gpt2},
    {.modelTypes = {"gpt_neox"},
        .title = "GPT-NeoX",
        .year = 2022,
        .gated = false,
        .norm = NormKind::Layer,
        .bias = AttentionBias::All,
        .biasKey = "attention_bias",
        .ffnBias = true,
        .positions = Positions::PartlyRotary},
    {.modelTypes = {"bloom"},
        .title = "BLOOM",
        .year = 2022,
        .gated = false,
        .tied = true,
        .norm = NormKind::Layer,
        .bias = AttentionBias::All,
        .ffnBias = true,
        .positions = Positions::Linear,
        .more = bloom},
    {.modelTypes = {"falcon"},
        .title = "Falcon",
        .year = 2023,
        .gated = false,
        .tied = true,
        .norm = NormKind::Layer,
        .biasKey = "bias",
        .ffnBiasKey = "bias",
        .more = falcon},
    {.modelTypes = {"phi"},
        .title = "Phi",
        .year = 2023,
        .gated = false,
        .norm = NormKind::Layer,
        .norms = 1,
        .bias = AttentionBias::All,
        .ffnBias = true,
        .outputBias = true,
        .queryKeyNormKey = "qk_layernorm",
        .positions = Positions::PartlyRotary},
    {.modelTypes = {"phi3"}, .title = "Phi-3", .year = 2024, .window = WindowBy::EveryLayer},
    {.modelTypes = {"opt"},
        .title = "OPT",
        .year = 2022,
        .gated = false,
        .tied = true,
        .norm = NormKind::Layer,
        .bias = AttentionBias::All,
        .biasKey = "enable_bias",
        .ffnBias = true,
        .ffnBiasKey = "enable_bias",
        .positions = Positions::Learned,
        .more = opt},
});

} // namespace

const HuggingFaceFamily *findHuggingFaceFamily(std::string_view modelType)
{
    const auto found = std::ranges::find_if(familyTable, [&](const HuggingFaceFamily &family) {
        return !modelType.empty() && std::ranges::find(family.modelTypes, modelType) != family.modelTypes.end();
    });
    return found == familyTable.end() ? nullptr : &*found;
}

std::vector<std::string_view> knownModelTypes()
{
    std::vector<std::string_view> names, others;
    for (const auto &family : familyTable)
        for (const auto &type : family.modelTypes)
            if (!type.empty())
                (&type == family.modelTypes.data() ? names : others).push_back(type);
    names.insert(names.end(), others.begin(), others.end());
    return names;
}

} // namespace fleetwright::exchange
