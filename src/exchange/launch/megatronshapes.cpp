// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/megatronshapes.h"

#include <algorithm>

namespace fleetwright::exchange {

namespace {

constexpr std::int64_t mostSize = 1'000'000'000;

/// As Megatron-LM chooses it where it is not stated.
int usualFfn(int hidden, bool gated)
{
    const auto size = gated ? std::int64_t(hidden) * 8 / 3 / 64 * 64 : 4 * std::int64_t(hidden);
    return int(std::clamp<std::int64_t>(size, 1, mostSize));
}

/// Which layers have experts, one number for each, or "every n-th".
void takeExpertLayers(const std::vector<int> &pattern, MegatronArguments &arguments, ModelShapes &shapes)
{
    if (pattern.size() == 1 && shapes.layers != 1) {
        shapes.expertInterval = std::max(1, pattern.front());
        return;
    }
    const auto first = std::ranges::find(pattern, 1);
    const auto second = first == pattern.end() ? first : std::find(first + 1, pattern.end(), 1);
    shapes.denseLayers = int(first - pattern.begin());
    shapes.expertInterval = second == pattern.end() ? 1 : int(second - first);
    bool regular = pattern.size() == std::size_t(shapes.layers) && first != pattern.end();
    for (int layer = 0; regular && layer < shapes.layers; ++layer) {
        const bool expert = layer >= shapes.denseLayers && (layer - shapes.denseLayers) % shapes.expertInterval == 0;
        regular = pattern[std::size_t(layer)] == int(expert);
    }
    if (!regular)
        arguments.refuse(ErrorCode::UnsupportedValue, "--moe-layer-freq",
            "--moe-layer-freq must name each of the " + std::to_string(shapes.layers)
                + " layers, and a plan knows dense layers first, then every n-th layer with experts.");
}

void readAttention(MegatronArguments &arguments, ModelShapes &shapes)
{
    const bool grouped = arguments.flag("--group-query-attention");
    const int groups = arguments.count("--num-query-groups").value_or(1);
    shapes.kvHeads = grouped ? groups : shapes.heads;
    shapes.headDim = arguments.count("--kv-channels").value_or(std::max(1, shapes.hidden / std::max(1, shapes.heads)));
    shapes.latent = arguments.flag("--multi-latent-attention");
    if (!shapes.latent)
        return;
    shapes.queryRank = arguments.count("--q-lora-rank");
    shapes.kvRank = arguments.count("--kv-lora-rank").value_or(32);
    shapes.qkHeadDim = arguments.count("--qk-head-dim").value_or(128);
    shapes.ropeHeadDim = arguments.count("--qk-pos-emb-head-dim").value_or(64);
    shapes.valueHeadDim = arguments.count("--v-head-dim").value_or(128);
    shapes.kvHeads = shapes.heads;
    shapes.headDim = *shapes.valueHeadDim;
}

void readExperts(MegatronArguments &arguments, ModelShapes &shapes)
{
    shapes.experts = arguments.count("--num-experts", 0).value_or(0);
    const int topK = arguments.count("--moe-router-topk").value_or(2);
    const int expertFfn = arguments.count("--moe-ffn-hidden-size").value_or(shapes.ffn);
    const int shared = arguments.count("--moe-shared-expert-intermediate-size", 0).value_or(0);
    const auto pattern = arguments.pattern("--moe-layer-freq");
    static_cast<void>(arguments.flag("--moe-grouped-gemm"));
    static_cast<void>(arguments.word("--moe-token-dispatcher-type"));
    if (shapes.experts == 0)
        return;
    if (topK > shapes.experts)
        arguments.refuse(ErrorCode::OutOfRange, "--moe-router-topk",
            "--moe-router-topk is " + std::to_string(topK) + " of " + std::to_string(shapes.experts) + " experts.");
    shapes.expertsPerToken = topK;
    shapes.expertFfn = expertFfn;
    shapes.sharedFfn = shared;
    if (pattern)
        takeExpertLayers(*pattern, arguments, shapes);
}

} // namespace

bool statesShapes(const MegatronArguments &arguments)
{
    return arguments.has("--num-layers") || arguments.has("--encoder-num-layers") || arguments.has("--hidden-size");
}

ModelShapes shapesFrom(MegatronArguments &arguments)
{
    ModelShapes shapes;
    shapes.layers = arguments.required("--num-layers", "--encoder-num-layers");
    shapes.hidden = arguments.required("--hidden-size");
    shapes.heads = arguments.required("--num-attention-heads");
    shapes.gated = arguments.flag("--swiglu");
    shapes.ffn = arguments.count("--ffn-hidden-size").value_or(usualFfn(shapes.hidden, shapes.gated));
    shapes.tied = !arguments.flag("--untie-embeddings-and-output-weights");
    shapes.vocabulary = arguments.count("--vocab-size");
    static_cast<void>(arguments.number("--make-vocab-size-divisible-by"));
    shapes.maxPositions = arguments.count("--max-position-embeddings");
    const auto norm = arguments.word("--normalization").value_or("LayerNorm");
    shapes.norm = norm == "RMSNorm" ? "rmsnorm" : "layernorm";
    auto position = arguments.word("--position-embedding-type").value_or("learned_absolute");
    if (arguments.flag("--use-rotary-position-embeddings"))
        position = "rope";
    shapes.position = position == "rope" ? "rope" : position == "learned_absolute" ? "learned" : "";
    shapes.ffnBias = !arguments.flag("--disable-bias-linear");
    const bool qkvBias = arguments.flag("--add-qkv-bias");
    shapes.attentionBias = shapes.ffnBias ? "all" : qkvBias ? "qkv" : "none";
    readAttention(arguments, shapes);
    readExperts(arguments, shapes);
    return shapes;
}

} // namespace fleetwright::exchange
