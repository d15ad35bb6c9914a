// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/precision.h"

#include <optional>

namespace fleetwright {

enum class Recompute { None, Selective, Full };
[[nodiscard]] std::string_view toString(Recompute recompute); ///< "none", "selective", "full"
[[nodiscard]] Expected<Recompute> parseRecompute(std::string_view text, std::string_view field = "training.recompute");

/// How the run is trained, apart from how it is split.
struct Training {
    int globalBatch = 1; ///< sequences per optimizer step
    /// Exactly one of the two is set: microbatches per replica and step, or sequences per microbatch.
    std::optional<int> microbatchCount = 1;
    std::optional<int> microbatchSize;
    int sequenceLength = 2048; ///< tokens
    Precision precision = Precision::Bf16;
    Recompute recompute = Recompute::None;
    bool lora = false;
    int accumulationSteps = 1;
    std::optional<double> tokenBudget; ///< tokens to train on; the workload's published count where absent
    bool operator==(const Training &) const = default;
};

/// Batch 1 to 1e9, sequence length 1 to 1e9, accumulation and microbatches at least 1, token budget positive.
/// Fields are "training.global_batch" and so on.
[[nodiscard]] Expected<void> check(const Training &training);

} // namespace fleetwright
