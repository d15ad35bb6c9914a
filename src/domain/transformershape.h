// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogrecord.h"

#include <cstdint>

namespace fleetwright {

/// Which linear maps of an attention add a vector.
enum class AttentionBias { None, QueryKeyValue, All };
enum class NormKind { Rms, Layer }; ///< one vector of the hidden size, or two
enum class Positions { Rotary, PartlyRotary, Learned, Linear };

/// Attention over one compressed vector of a token (multi-head latent attention).
struct LatentAttention {
    std::optional<int> queryRank; ///< absent: one map from the hidden size to the queries
    int keyValueRank = 1;
    int keyDim = 1, rotaryDim = 1, valueDim = 1; ///< of a head
    bool operator==(const LatentAttention &) const = default;
};

/// A feed-forward part of which a token uses a few experts.
struct ExpertLayers {
    int experts = 1, perToken = 1;
    int ffn = 1; ///< width of one
    int shared = 0; ///< experts that every token uses
    int sharedFfn = 0; ///< width of all of them together
    bool sharedGate = false; ///< a vector that weighs them
    bool routerBias = false;
    bool selectionBias = false; ///< one number an expert, which only the choice of experts sees
    bool biases = false; ///< of the experts' own maps
    bool operator==(const ExpertLayers &) const = default;
};

struct TransformerLayer {
    bool experts = false;
    bool windowed = false; ///< sees the last TransformerShape::window tokens, or its chunk of so many
    bool operator==(const TransformerLayer &) const = default;
};

/// A decoder of transformer layers with every size that counts: from it follow its parameters to the last one.
struct TransformerShape {
    std::vector<TransformerLayer> layers;
    int hidden = 1, heads = 1, kvHeads = 1;
    int headDim = 1; ///< of queries, keys and values; not used by latent attention
    int ffn = 1; ///< of layers without experts
    int vocabulary = 1;
    std::optional<int> embedding; ///< width of the embeddings where it is not the hidden size: two maps join them
    bool gated = true; ///< three matrices instead of two
    bool tied = false; ///< one matrix for embedding and output
    NormKind norm = NormKind::Rms;
    int normsPerLayer = 2;
    bool finalNorm = true, embeddingNorm = false;
    AttentionBias attentionBias = AttentionBias::None;
    bool ffnBias = false, outputBias = false; ///< output: a number for each word
    bool queryKeyNorm = false; ///< of the size of a head, one for all queries and one for all keys
    bool sinks = false; ///< a number for each head, which attention may go to instead of a token
    Positions positions = Positions::Rotary;
    int learnedPositions = 0; ///< rows of their table
    std::optional<LatentAttention> latent;
    std::optional<ExpertLayers> experts;
    std::optional<int> window; ///< tokens
    std::optional<int> context; ///< tokens
    int furtherTokenLayers = 0; ///< behind the others, for predicting tokens after the next; counted nowhere
    bool operator==(const TransformerShape &) const = default;

    [[nodiscard]] int expertLayers() const;
    [[nodiscard]] int windowedLayers() const;
};

/// What the parameters are in. A token uses all but the experts that are not chosen.
struct ParameterCounts {
    std::int64_t embeddings = 0; ///< input and output, learned positions, their norms and biases
    std::int64_t attention = 0; ///< with its biases, norms of queries and keys, sinks
    std::int64_t feedForward = 0; ///< of layers without experts
    std::int64_t experts = 0, activeExperts = 0; ///< that the router chooses among
    std::int64_t shared = 0; ///< shared experts and routers
    std::int64_t norms = 0; ///< of layers, and the last one

    [[nodiscard]] std::int64_t total() const { return active() - activeExperts + experts; }
    [[nodiscard]] std::int64_t active() const
    {
        return embeddings + attention + feedForward + activeExperts + shared + norms;
    }
    bool operator==(const ParameterCounts &) const = default;
};

/// The largest that this count of the workloads catalog may be; where the catalog states no limit a billion tokens, or
/// a width of a million.
[[nodiscard]] int largestOf(std::string_view workloadField);

/// Every count in its range, heads a multiple of kv heads, experts of a token no more than there are, experts exactly
/// where layers have them. OutOfRange with the catalog's name of the field.
[[nodiscard]] Expected<void> check(const TransformerShape &shape);

/// Exact; refused as by check(), within whose ranges no sum leaves 64 bits.
[[nodiscard]] Expected<ParameterCounts> countParameters(const TransformerShape &shape);

/// The parameters of one layer like the last, which is what a layer that predicts a further token adds at least.
[[nodiscard]] Expected<std::int64_t> parametersOfLastLayer(const TransformerShape &shape);

/// How the catalog states which layers have experts: after the first dense ones every n-th.
struct ExpertPattern {
    int firstDense = 0, interval = 1;
    bool exact = true; ///< these very layers; else as many, all after the dense ones
    bool operator==(const ExpertPattern &) const = default;
};
[[nodiscard]] ExpertPattern expertPatternOf(const TransformerShape &shape);

/// Sets the fields of a workload that state its architecture and its parameters, stated and derived alike; what the
/// shape has not becomes unknown.
void setShape(CatalogRecord &workload, const TransformerShape &shape, const ParameterCounts &parameters);

} // namespace fleetwright
