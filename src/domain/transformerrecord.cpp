// SPDX-License-Identifier: GPL-3.0-or-later
// A transformer as the workloads catalog states it.
#include "domain/transformershape.h"

namespace fleetwright {

namespace {

std::string_view attentionTypeOf(const TransformerShape &shape)
{
    return shape.latent ? "mla" : shape.kvHeads == shape.heads ? "mha" : shape.kvHeads == 1 ? "mqa" : "gqa";
}

std::string_view toString(AttentionBias bias)
{
    switch (bias) {
    case AttentionBias::None: return "none";
    case AttentionBias::QueryKeyValue: return "qkv";
    case AttentionBias::All: return "all";
    }
    return {};
}

std::string_view toString(Positions positions)
{
    switch (positions) {
    case Positions::Rotary: return "rope";
    case Positions::PartlyRotary: return "rope_partial";
    case Positions::Learned: return "learned";
    case Positions::Linear: return "alibi";
    }
    return {};
}

} // namespace

void setShape(CatalogRecord &workload, const TransformerShape &shape, const ParameterCounts &parameters)
{
    const auto number = [&](const char *key, std::optional<double> value) {
        if (value)
            workload.values.insert_or_assign(key, *value);
        else
            workload.values.erase(key);
    };
    const auto text = [&](const char *key, std::string_view value) {
        workload.values.insert_or_assign(key, std::string(value));
    };
    const auto flag = [&](const char *key, bool value) { workload.values.insert_or_assign(key, value); };

    text("architecture", shape.experts ? "moe_decoder_only_transformer" : "decoder_only_transformer");
    for (const auto *key : {"params_total", "params_total_derived"})
        number(key, double(parameters.total()));
    for (const auto *key : {"params_active", "params_active_derived"})
        number(key, double(parameters.active()));
    number("derivation_error", 0);
    number("layers", double(shape.layers.size()));
    number("hidden_size", shape.hidden);
    number("attention_heads", shape.heads);
    number("kv_heads", shape.kvHeads);
    const auto &latent = shape.latent;
    number("head_dim", latent ? latent->keyDim : shape.headDim);
    text("attention_type", attentionTypeOf(shape));
    number("mla_q_lora_rank", latent && latent->queryRank ? std::optional<double>(*latent->queryRank) : std::nullopt);
    number("mla_kv_lora_rank", latent ? std::optional<double>(latent->keyValueRank) : std::nullopt);
    number("mla_qk_nope_head_dim", latent ? std::optional<double>(latent->keyDim) : std::nullopt);
    number("mla_qk_rope_head_dim", latent ? std::optional<double>(latent->rotaryDim) : std::nullopt);
    number("mla_v_head_dim", latent ? std::optional<double>(latent->valueDim) : std::nullopt);
    text("attention_bias", toString(shape.attentionBias));
    number("sliding_window", shape.windowedLayers() > 0 ? shape.window : std::nullopt);
    number("ffn_hidden_size", shape.ffn);
    flag("gated_ffn", shape.gated);
    flag("ffn_bias", shape.ffnBias || (shape.experts && shape.experts->biases));
    text("norm_type", shape.norm == NormKind::Layer ? "layernorm" : "rmsnorm");
    number("vocab_size", shape.vocabulary);
    number("embedding_size", shape.embedding);
    flag("tied_embeddings", shape.tied);
    number("max_seq_len", shape.context);
    text("position_embedding", toString(shape.positions));
    number("learned_position_count",
        shape.learnedPositions > 0 ? std::optional<double>(shape.learnedPositions) : std::nullopt);

    for (const auto *key : {"experts", "experts_per_token", "shared_experts", "moe_ffn_hidden_size",
             "shared_expert_ffn_hidden_size", "first_dense_layers", "moe_layer_interval"})
        workload.values.erase(key);
    if (const auto &experts = shape.experts) {
        number("experts", experts->experts);
        number("experts_per_token", experts->perToken);
        number("shared_experts", experts->shared);
        number("moe_ffn_hidden_size", experts->ffn);
        if (experts->shared > 0 && experts->sharedFfn != experts->shared * experts->ffn)
            number("shared_expert_ffn_hidden_size", double(experts->sharedFfn) / experts->shared);
        const auto pattern = expertPatternOf(shape);
        number("first_dense_layers", pattern.firstDense);
        number("moe_layer_interval", pattern.interval);
    }
}

} // namespace fleetwright
