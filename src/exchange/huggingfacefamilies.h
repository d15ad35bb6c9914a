// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/huggingfaceconfig.h"

#include "domain/transformershape.h"

#include <array>

namespace fleetwright::exchange {

/// Which layers have experts, by which keys.
enum class ExpertsBy {
    Nothing, ///< a dense family
    EveryLayer,
    FirstDense, ///< first_k_dense_replace, moe_layer_freq
    Step, ///< decoder_sparse_step, mlp_only_layers
    Interleaved ///< interleave_moe_layer_step, moe_layers
};

/// Which layers have a window where no `layer_types` says it.
enum class WindowBy {
    Nothing,
    EveryLayer, ///< that has a sliding_window
    EverySecond, ///< the first, the third...
    Pattern, ///< all but every n-th (sliding_window_pattern)
    UpperLayers, ///< from max_window_layers on, where use_sliding_window is set
    RotaryLayers ///< attention_chunk_size, in those with rotary positions (no_rope_layers)
};

/// Where a size that a file leaves out stands: with the class of the family in the library that reads it. Only sizes
/// that published files leave out; 0: the file must state it.
struct LeftOutSizes {
    int heads = 0, kvHeads = 0, headDim = 0, vocabulary = 0, window = 0, context = 0;
};

/// What a family of model types has in common, and what its keys do not say. Sources: the implementations in
/// huggingface/transformers (models/<type>/configuration_*.py and modeling_*.py), checked by the published totals of
/// tests/data/hf-configs.json.
struct HuggingFaceFamily {
    std::array<std::string_view, 4> modelTypes; ///< the first names it; the others are of the same architecture
    std::string_view title;
    int year; ///< of its first publication
    bool gated = true;
    bool tied = false; ///< where tie_word_embeddings says nothing
    NormKind norm = NormKind::Rms;
    int norms = 2; ///< of a layer
    AttentionBias bias = AttentionBias::None; ///< where no key says it
    std::string_view biasKey = {}; ///< turns biases of attention on or off
    AttentionBias biasWhenSet = AttentionBias::All;
    bool ffnBias = false;
    std::string_view ffnBiasKey = {};
    bool outputBias = false;
    bool queryKeyNorm = false;
    std::string_view queryKeyNormKey = {};
    Positions positions = Positions::Rotary;
    bool latent = false;
    ExpertsBy experts = ExpertsBy::Nothing;
    bool selectionBias = false; ///< of experts, where topk_method says nothing
    WindowBy window = WindowBy::Nothing;
    LeftOutSizes leftOut = {};
    void (*more)(HuggingFaceConfig &config, TransformerShape &shape) = nullptr; ///< what only this family has
};

/// The family of this model type, or nullptr.
[[nodiscard]] const HuggingFaceFamily *findHuggingFaceFamily(std::string_view modelType);

/// Every model type that is understood, the names of families first.
[[nodiscard]] std::vector<std::string_view> knownModelTypes();

} // namespace fleetwright::exchange
