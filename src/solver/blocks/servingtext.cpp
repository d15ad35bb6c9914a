// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/serving.h"

#include "units/format.h"

#include <array>
#include <cmath>

namespace fleetwright {

using units::Dimension;

ServingInputs servingInputs(const Plan &plan)
{
    ServingInputs inputs;
    inputs.workload = *plan->workload;
    inputs.accelerator = *plan->fleet->node->accelerator;
    inputs.promptTokens = plan->training.sequenceLength;
    inputs.precision = plan->training.precision;
    const auto &planning = plan->assumptions.planning;
    if (const auto efficiency = planning.find("compute_efficiency_default"); efficiency != planning.end())
        inputs.efficiency = efficiency->second;
    return inputs;
}

std::string servingAdvice(const ServingInputs &inputs, const ServingFigures &figures)
{
    const std::string holds = units::format(figures.required) + " of " + units::format(figures.capacity);
    if (figures.fits)
        return "It fits: " + holds + " on the accelerator that decodes.";
    const Bytes fixed = figures.weights + figures.draftWeights;
    if (figures.weights > figures.capacity)
        return "It does not fit: " + holds + ", and the weights alone are " + units::format(figures.weights)
            + ". Choose a precision with fewer bytes or an accelerator with more memory; this model serves from one "
              "accelerator.";
    if (fixed > figures.capacity)
        return "It does not fit: " + holds + ". Choose a smaller draft model, or none.";
    const double batch = std::floor(double(inputs.batch) * double((figures.capacity - fixed) / figures.kvCache));
    if (batch >= 1)
        return "It does not fit: " + holds + ". Lower the batch to " + units::format(batch, Dimension::Number)
            + ", shorten the prompt, or choose an accelerator with more memory.";
    return "It does not fit: " + holds
        + ", not even one sequence. Shorten the prompt, choose a precision with fewer bytes or an accelerator with "
          "more memory.";
}

std::span<const std::string_view> servingLimitations()
{
    static constexpr auto texts = std::to_array<std::string_view>({
        "One accelerator holds the whole model: there is no TP, PP or EP in serving.",
        "Prefill counts all parameters, also those of experts that a token does not use, as published.",
        "Decoding reads all weights and the cache of the whole prompt for every token; it computes nothing, so large "
        "batches look too good.",
        "The cache does not grow with the output; requests of a batch are equally long and start together.",
        "Checking drafted tokens costs no more than one token, and four tokens are drafted each time.",
        "The cost of tokens counts the time of the decoding accelerator only, always busy, at the lowest cloud price "
        "of that accelerator\u2019s own catalog item; the prices of the catalog may be lower.",
    });
    return texts;
}

std::span<const ServingFigure> servingFigures()
{
    static constexpr auto figures = std::to_array<ServingFigure>({
        {"ttft_s", "Time to first token (TTFT)", Dimension::Time,
            "[2 P S' b + 4 L a d S' s b] / (R eta) + dispatch per chunk, with S' the tokens of the prompt that are not "
            "cached; plus moving the cache when another accelerator decodes (Pope 2023).",
            "", [](const ServingFigures &f) { return std::optional(f.timeToFirstToken.value()); }},
        {"itl_s", "Inter-token latency (ITL)", Dimension::Time,
            "(weights + KV cache) / memory bandwidth + layers \u00b7 0.01 ms; with a draft model (4 T_draft + that) / "
            "(1 + A (1 - A^4) / (1 - A)) (Pope 2023, Leviathan 2023).",
            "", [](const ServingFigures &f) { return std::optional(f.interTokenLatency.value()); }},
        {"tokens_per_s_per_user", "Tokens/s per user", Dimension::Number, "1 / ITL.", "",
            [](const ServingFigures &f) { return std::optional(f.tokensPerSecondPerUser); }},
        {"tokens_per_s", "Tokens/s of the replica", Dimension::Number, "Batch / ITL.", "",
            [](const ServingFigures &f) { return std::optional(f.tokensPerSecond); }},
        {"usd_per_million_output_tokens", "Per million output tokens", Dimension::Money,
            "Lowest cloud price of the decoding accelerator over its tokens; decoding only.",
            "The decoding accelerator has no cloud price: enter it in the accelerators catalog.",
            [](const ServingFigures &f) {
                return f.costPerMillionTokens ? std::optional(f.costPerMillionTokens->value()) : std::nullopt;
            }},
        {"decode_stall_s", "Longest decode stall", Dimension::Time,
            "Time of a full chunk: the longest that decoding waits for a prefill (Agrawal 2024).",
            "Prefill is not chunked: enter a chunk size.",
            [](const ServingFigures &f) { return f.chunkTime ? std::optional(f.chunkTime->value()) : std::nullopt; }},
    });
    return figures;
}

} // namespace fleetwright
