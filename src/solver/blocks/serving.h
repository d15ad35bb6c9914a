// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plan.h"
#include "solver/blocks/firstorderconstants.h"

#include <cstdint>
#include <span>

/// Serving a decoder from one accelerator: prefill bound by compute, decode bound by memory (Pope 2023), chunked
/// prefill (Agrawal 2024), speculative decoding (Leviathan 2023, equation 1), multi-head latent attention (DeepSeek-AI
/// 2024).
///
/// What the model leaves out: servingLimitations().
namespace fleetwright {

/// Bytes of keys and values that `batch` sequences of `tokens` keep, w bytes per element:
///   grouped-query attention  2 L a_kv d s b w     (d: the stated head size, else h/a; a_kv: the kv heads, else a)
///   latent attention         L (r_kv + r_rope) s b w
/// `pageTokens`: s is rounded up to whole pages. Layers and hidden size fall back to the constants' defaults.
/// UnsupportedValue "family" for workloads without attention; MissingField "heads"; MissingField "qk_rope_head_dim"
/// when only the kv rank is stated; OutOfRange "seq_len", "batch_size", "page_tokens" (< 1).
[[nodiscard]] Expected<Bytes> kvCache(const WorkloadFacts &workload, std::int64_t tokens, std::int64_t batch,
    Precision precision, std::optional<std::int64_t> pageTokens = {}, const FirstOrderConstants &constants = {});

struct ServingConstants {
    double draftTokens = 4; ///< proposed per verification
    Bandwidth transfer = 100.0 * gigabytePerSecond; ///< of the cache from the prefill to the decode accelerator
    FirstOrderConstants model;
};

struct ServingInputs {
    WorkloadFacts workload;
    AcceleratorFacts accelerator; ///< prefills, and decodes where no other does
    std::optional<AcceleratorFacts> decodeAccelerator; ///< decodes instead: the cache is moved to it
    std::optional<WorkloadFacts> draft; ///< proposes tokens on the decode accelerator
    std::int64_t promptTokens = 2048; ///< s
    std::int64_t batch = 1; ///< b, sequences at a time
    std::int64_t cachedPrefix = 0; ///< tokens of the prompt whose cache exists already
    std::optional<std::int64_t> chunkTokens; ///< prefill in pieces of this many tokens
    Precision precision = Precision::Fp16;
    double efficiency = 0.5; ///< share of the peak that prefill reaches
    double acceptance = 0.7; ///< A, chance that a drafted token is accepted
    ServingConstants constants;
};

struct ServingFigures {
    Seconds timeToFirstToken{}; ///< [2 P S' b + 4 L a d S' s b] / (R eta) + dispatch * chunks (+ KV / transfer), S' = s
                                ///< - cached prefix
    Seconds interTokenLatency{}; ///< (P w + KV)/W + L * layer tax; speculative: (4 T_draft + that) / (1 + A (1 -
                                 ///< A^4)/(1 - A))
    std::int64_t chunks = 1;
    std::optional<Seconds>
        chunkTime; ///< of a full chunk, which is the slowest: the longest that decoding waits for a prefill
    double cacheHit = 0; ///< share of the prompt that was cached
    Bytes weights{}, kvCache{}, draftWeights{};
    Bytes required{}; ///< their sum, on the accelerator that decodes
    Bytes capacity{};
    bool fits = false;
    double tokensPerSecondPerUser = 0; ///< 1 / ITL
    double tokensPerSecond = 0; ///< of the whole batch
    std::optional<Dollars>
        costPerMillionTokens; ///< output tokens, at the lowest cloud price of the decode accelerator; decoding only
    bool precisionFallback = false; ///< the prefill accelerator has no peak for the precision; its 16-bit peak was used
    [[nodiscard]] double utilization() const { return required / capacity; }
};

/// Refusals in this order: OutOfRange "seq_len", "batch_size", "efficiency" (outside 1e-9 to 1), "cached_prefix"
/// (outside 0 to the prompt), "chunk_tokens" (< 1), "acceptance" (outside 0 to 1), "transfer_bw"; the shapes' own
/// (checkShape), those of kvCache; UnsupportedValue "precision" without any usable peak.
[[nodiscard]] Expected<ServingFigures> serving(const ServingInputs &inputs);

/// What it takes to serve the model of a plan afterwards: its workload, accelerator and precision; prompts as long as
/// its sequences.
[[nodiscard]] ServingInputs servingInputs(const Plan &plan);

/// One sentence: it fits, or what to change so that it does.
[[nodiscard]] std::string servingAdvice(const ServingInputs &inputs, const ServingFigures &figures);

/// What to know before relying on the figures, for people.
[[nodiscard]] std::span<const std::string_view> servingLimitations();

/// One figure for tables.
struct ServingFigure {
    std::string_view key; ///< with its unit
    std::string_view label;
    units::Dimension dimension = units::Dimension::Number;
    std::string_view meaning; ///< with formula and source
    std::string_view absence; ///< why it may be absent
    std::optional<double> (*value)(const ServingFigures &figures) = nullptr; ///< base units
};
[[nodiscard]] std::span<const ServingFigure> servingFigures();

} // namespace fleetwright
