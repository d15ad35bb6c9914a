// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"

namespace fleetwright::exchange {

/// The model that a launch states by its sizes, defaults of the framework filled in.
struct ModelShapes {
    int layers = 1, hidden = 1, heads = 1, kvHeads = 1, headDim = 1, ffn = 1;
    bool gated = false, tied = true;
    std::optional<int> vocabulary; ///< absent where the tokenizer decides
    std::optional<int> maxPositions;
    bool latent = false;
    std::optional<int> queryRank, kvRank, qkHeadDim, ropeHeadDim, valueHeadDim; ///< of latent attention
    int experts = 0, expertsPerToken = 0, expertFfn = 0, sharedFfn = 0; ///< sharedFfn: of all shared experts
    int denseLayers = 0, expertInterval = 1;
    std::string norm, position, attentionBias; ///< in the words of the catalog; empty: not stated
    bool ffnBias = true;
};

/// The items of the workloads catalog with these sizes, those with the longest sequence stated first. Sizes that an
/// item leaves open fit.
[[nodiscard]] std::vector<const CatalogRecord *> workloadsWith(const ModelShapes &shapes, const Catalog &catalog);
/// The first size in which an item differs, in words ("80 layers, not 64"); nothing where it fits.
[[nodiscard]] std::optional<std::string> differenceFrom(const CatalogRecord &workload, const ModelShapes &shapes);

/// An item of its own with these sizes, to stand inline in a plan, its parameters counted. MissingField where the
/// vocabulary is unknown.
[[nodiscard]] Expected<CatalogRecord> workloadFrom(const ModelShapes &shapes);

} // namespace fleetwright::exchange
