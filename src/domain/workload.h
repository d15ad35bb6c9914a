// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogrecord.h"
#include "domain/valid.h"

namespace fleetwright {

/// What the cost models distinguish: dense transformers, transformers with mixture-of-experts layers, everything else.
enum class WorkloadFamily { Transformer, MixtureOfExperts, Other };
[[nodiscard]] std::string_view toString(WorkloadFamily family); ///< "transformer", "moe", "other"

/// A model to train. Counts that the source does not publish are absent.
struct WorkloadFacts {
    std::string id;
    std::string name;
    WorkloadFamily family = WorkloadFamily::Transformer;
    double parameters = 0; ///< total
    double activeParameters = 0; ///< used per token; equals parameters for dense models
    std::optional<double> derivedParameters; ///< recomputed from the architecture, for the cross-check
    std::optional<Flops> forwardFlops; ///< per unit of work: token, image, sequence, step
    std::string forwardFlopsUnit;
    std::optional<int> layers;
    std::optional<int> hiddenSize;
    std::optional<int> attentionHeads;
    std::optional<int> kvHeads;
    std::optional<int> headDim;
    std::optional<int> ffnHiddenSize;
    std::optional<int> vocabSize;
    std::optional<int> maxSequenceLength;
    std::optional<int> experts;
    std::optional<int> expertsPerToken;
    std::optional<bool> gatedFfn; ///< two matrices enter the activation
    std::optional<bool> tiedEmbeddings;
    std::optional<int> expertFfnHiddenSize, sharedExperts, firstDenseLayers,
        expertLayerInterval; ///< zero shared experts or dense layers are facts, too
    std::string attentionType; ///< "mha", "gqa", "mqa", "mla", "hybrid"...; empty when unknown
    bool hybrid = false; ///< state-space or convolution layers stand among the attention layers
    std::optional<int> queryLoraRank;
    std::optional<int> kvLoraRank;
    std::optional<int> qkRopeHeadDim;
    std::optional<double> trainingTokens; ///< published pre-training tokens
    bool operator==(const WorkloadFacts &) const = default;
};
using Workload = Valid<WorkloadFacts>;

/// Whether a sample of the global batch is a sequence of tokens, so that tokens per second, a token budget and a cost
/// per token mean something: transformers, hybrids of attention and state space, and whatever states its FLOP per
/// token.
[[nodiscard]] bool countsTokens(const WorkloadFacts &workload);

/// Positive parameters, active no more than total, counts at least 1, heads a multiple of kv heads.
[[nodiscard]] Expected<void> check(const WorkloadFacts &facts);

/// From a catalog record. MissingField when the parameter count is unknown.
[[nodiscard]] Expected<Workload> workloadFrom(const CatalogRecord &record);

} // namespace fleetwright
