// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/transformershape.h"

#include "domain/rules.h"

#include <algorithm>

namespace fleetwright {

namespace {

using Count = std::int64_t;

Count normOf(const TransformerShape &shape, Count width) { return shape.norm == NormKind::Layer ? 2 * width : width; }

/// The matrices and biases of one feed-forward part of this width.
Count feedForwardOf(const TransformerShape &shape, Count width, bool biases)
{
    const Count into = shape.gated ? 2 : 1;
    return (into + 1) * shape.hidden * width + (biases ? into * width + shape.hidden : 0);
}

/// The catalog of published models and the implementations of transformers agree on what has a bias here: the maps
/// that read the hidden state, and the output.
Count latentAttentionOf(const TransformerShape &shape, const LatentAttention &latent)
{
    const Count h = shape.hidden, heads = shape.heads, queries = heads * (latent.keyDim + latent.rotaryDim);
    const bool biased = shape.attentionBias == AttentionBias::All;
    Count sum = 0;
    if (latent.queryRank) {
        const Count rank = *latent.queryRank;
        sum += h * rank + (biased ? rank : 0) + normOf(shape, rank) + rank * queries;
    } else {
        sum += h * queries;
    }
    const Count rank = latent.keyValueRank, compressed = rank + latent.rotaryDim;
    sum += h * compressed + (biased ? compressed : 0) + normOf(shape, rank);
    sum += rank * heads * (latent.keyDim + latent.valueDim);
    return sum + heads * latent.valueDim * h + (biased ? h : 0);
}

Count attentionOf(const TransformerShape &shape)
{
    if (shape.latent)
        return latentAttentionOf(shape, *shape.latent);
    const Count h = shape.hidden, queries = Count(shape.heads) * shape.headDim,
                keys = Count(shape.kvHeads) * shape.headDim;
    Count sum = h * (queries + 2 * keys) + queries * h;
    if (shape.attentionBias != AttentionBias::None)
        sum += queries + 2 * keys;
    if (shape.attentionBias == AttentionBias::All)
        sum += h;
    if (shape.queryKeyNorm)
        sum += 2 * normOf(shape, shape.headDim);
    return sum + (shape.sinks ? shape.heads : 0);
}

Count sharedOf(const TransformerShape &shape, const ExpertLayers &experts)
{
    const Count h = shape.hidden, routed = experts.experts;
    return h * routed + (experts.routerBias ? routed : 0) + (experts.selectionBias ? routed : 0)
        + feedForwardOf(shape, experts.sharedFfn, experts.biases && experts.sharedFfn > 0)
        + (experts.sharedGate ? h : 0);
}

Count embeddingsOf(const TransformerShape &shape)
{
    const Count h = shape.hidden, words = shape.vocabulary, width = shape.embedding.value_or(shape.hidden);
    Count sum = words * width * (shape.tied ? 1 : 2) + shape.learnedPositions * h;
    if (shape.embedding)
        sum += 2 * h * width;
    if (shape.embeddingNorm)
        sum += normOf(shape, h);
    return sum + (shape.outputBias ? words : 0);
}

} // namespace

int TransformerShape::expertLayers() const
{
    return static_cast<int>(std::ranges::count_if(layers, &TransformerLayer::experts));
}

int TransformerShape::windowedLayers() const
{
    return static_cast<int>(std::ranges::count_if(layers, &TransformerLayer::windowed));
}

int largestOf(std::string_view workloadField)
{
    const bool tokens = workloadField == "max_seq_len" || workloadField == "sliding_window"
        || workloadField == "learned_position_count";
    const double otherwise = tokens ? rules::mostOfAnything : 1e6;
    const auto *field = findField(CatalogKind::Workload, workloadField);
    return rules::countOf(std::min(otherwise, field ? field->maximum.value_or(otherwise) : otherwise));
}

Expected<void> check(const TransformerShape &shape)
{
    // The largest products, times 300 layers, are 1,024 experts * 3 matrices * 30,000 * 1 million (2.8e16) and, of
    // latent attention, 1 million * 300 heads * 2 million (1.8e17): far from 9.2e18.
    rules::Checker rule({});
    const auto count = [&](std::string_view field, double value, double least = 1) {
        const auto *known = findField(CatalogKind::Workload, field);
        rule.within(field, known ? known->label : field, value, least, largestOf(field));
    };
    count("layers", double(shape.layers.size()));
    count("hidden_size", shape.hidden);
    count("attention_heads", shape.heads);
    count("kv_heads", shape.kvHeads);
    count("head_dim", shape.headDim);
    count("ffn_hidden_size", shape.ffn);
    count("vocab_size", shape.vocabulary);
    count("embedding_size", shape.embedding.value_or(1));
    count("learned_position_count", shape.learnedPositions, 0);
    count("sliding_window", shape.window.value_or(1));
    count("max_seq_len", shape.context.value_or(1));
    rule.within("norms", "The number of norms of a layer", shape.normsPerLayer, 0, 8);
    if (const auto &latent = shape.latent) {
        count("mla_q_lora_rank", latent->queryRank.value_or(1));
        count("mla_kv_lora_rank", latent->keyValueRank);
        count("mla_qk_nope_head_dim", latent->keyDim);
        count("mla_qk_rope_head_dim", latent->rotaryDim);
        count("mla_v_head_dim", latent->valueDim);
    }
    if (shape.kvHeads > 0 && shape.heads % shape.kvHeads != 0) {
        rule.fail(ErrorCode::OutOfRange, "kv_heads", "The attention heads must be a multiple of the kv heads.");
    }
    if (const auto &experts = shape.experts) {
        count("experts", experts->experts);
        rule.within("experts_per_token", "The number of experts per token", experts->perToken, 1, experts->experts);
        count("moe_ffn_hidden_size", experts->ffn);
        count("shared_experts", experts->shared, 0);
        count("shared_expert_ffn_hidden_size", experts->sharedFfn, 0);
    }
    if (shape.experts.has_value() != (shape.expertLayers() > 0))
        rule.fail(ErrorCode::OutOfRange, "experts",
            shape.experts ? "There are experts, but no layer has them." : "Layers have experts, but there are none.");
    if (!shape.window && shape.windowedLayers() > 0)
        rule.fail(ErrorCode::MissingField, "sliding_window", "Layers have a window, but its length is missing.");
    return rule.result();
}

Expected<ParameterCounts> countParameters(const TransformerShape &shape)
{
    if (auto ok = check(shape); !ok)
        return std::unexpected(std::move(ok.error()));
    const auto layers = Count(shape.layers.size()), withExperts = Count(shape.expertLayers());
    ParameterCounts counts;
    counts.embeddings = embeddingsOf(shape);
    counts.attention = layers * attentionOf(shape);
    counts.feedForward = (layers - withExperts) * feedForwardOf(shape, shape.ffn, shape.ffnBias);
    if (const auto &experts = shape.experts) {
        const auto one = feedForwardOf(shape, experts->ffn, experts->biases);
        counts.experts = withExperts * experts->experts * one;
        counts.activeExperts = withExperts * experts->perToken * one;
        counts.shared = withExperts * sharedOf(shape, *experts);
    }
    counts.norms = (layers * shape.normsPerLayer + (shape.finalNorm ? 1 : 0)) * normOf(shape, shape.hidden);
    return counts;
}

Expected<std::int64_t> parametersOfLastLayer(const TransformerShape &shape)
{
    if (shape.layers.empty())
        return refuse(ErrorCode::MissingField, "layers", "There are no layers.");
    auto alone = shape;
    alone.layers = {shape.layers.back()};
    if (!alone.layers.back().experts)
        alone.experts.reset();
    const auto counts = countParameters(alone);
    if (!counts)
        return std::unexpected(counts.error());
    return counts->total() - counts->embeddings - (shape.finalNorm ? normOf(shape, shape.hidden) : 0);
}

ExpertPattern expertPatternOf(const TransformerShape &shape)
{
    const int layers = static_cast<int>(shape.layers.size()), withExperts = shape.expertLayers();
    const auto isThis = [&](int dense, int interval) {
        for (int i = 0; i < layers; ++i)
            if (shape.layers[std::size_t(i)].experts != (i >= dense && (i - dense + 1) % interval == 0))
                return false;
        return true;
    };
    for (int interval = 1; interval <= std::max(1, layers); ++interval)
        for (const int dense : {0, layers - withExperts * interval})
            if (dense >= 0 && isThis(dense, interval))
                return {dense, interval, true};
    return {layers - withExperts, 1, false};
}

} // namespace fleetwright
