// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/serving.h"

#include "domain/rules.h"
#include "solver/blocks/economics.h"
#include "solver/blocks/shapechecks.h"
#include "solver/blocks/singleaccelerator.h"

#include <cmath>

namespace fleetwright {

namespace {

double layersOf(const WorkloadFacts &workload, const FirstOrderConstants &constants)
{
    return workload.layers ? double(*workload.layers) : constants.defaultLayers;
}

/// All heads side by side: a d, which is h unless the head size is stated.
double attentionWidth(const WorkloadFacts &workload, const FirstOrderConstants &constants)
{
    if (workload.headDim && workload.attentionHeads)
        return double(*workload.headDim) * double(*workload.attentionHeads);
    return workload.hiddenSize ? double(*workload.hiddenSize) : constants.defaultHiddenSize;
}

/// Tokens that one verification yields on average: 1 + A + ... + A^n (Leviathan 2023, equation 1).
double tokensPerVerification(double acceptance, double drafted)
{
    if (acceptance >= 1)
        return 1 + drafted;
    return 1 + acceptance * (1 - std::pow(acceptance, drafted)) / (1 - acceptance);
}

std::optional<Error> settingsErrorOf(const ServingInputs &inputs)
{
    rules::Checker rule("");
    rule.atLeast("seq_len", "The prompt length", double(inputs.promptTokens), 1);
    rule.atLeast("batch_size", "The batch", double(inputs.batch), 1);
    rule.within("efficiency", "The efficiency", inputs.efficiency, 1e-9, 1);
    rule.within("cached_prefix", "The cached prefix", double(inputs.cachedPrefix), 0, double(inputs.promptTokens));
    if (inputs.chunkTokens)
        rule.atLeast("chunk_tokens", "The chunk", double(*inputs.chunkTokens), 1);
    rule.within("acceptance", "The acceptance", inputs.acceptance, 0, 1);
    rule.positive("transfer_bw", "The transfer bandwidth", inputs.constants.transfer);
    if (!rule.result())
        return rule.result().error();
    for (const auto &ok : {checkShape(inputs.workload), checkShape(inputs.accelerator),
             inputs.decodeAccelerator ? checkShape(*inputs.decodeAccelerator) : Expected<void>(),
             inputs.draft ? checkShape(*inputs.draft) : Expected<void>()})
        if (!ok)
            return ok.error();
    return std::nullopt;
}

} // namespace

Expected<Bytes> kvCache(const WorkloadFacts &workload, std::int64_t tokens, std::int64_t batch, Precision precision,
    std::optional<std::int64_t> pageTokens, const FirstOrderConstants &constants)
{
    rules::Checker rule("");
    rule.atLeast("seq_len", "The number of tokens", double(tokens), 1);
    rule.atLeast("batch_size", "The batch", double(batch), 1);
    if (pageTokens)
        rule.atLeast("page_tokens", "The page size in tokens", double(*pageTokens), 1);
    if (workload.family == WorkloadFamily::Other)
        rule.fail(
            ErrorCode::UnsupportedValue, "family", "This workload keeps no keys and values; choose a transformer.");
    if (!rule.result())
        return std::unexpected(rule.result().error());

    const double kept = pageTokens ? std::ceil(double(tokens) / double(*pageTokens)) * double(*pageTokens)
                                   : double(tokens);
    double elementsPerLayer = 0; // of one token
    if (workload.kvLoraRank) {
        if (!workload.qkRopeHeadDim)
            return refuse(ErrorCode::MissingField, "qk_rope_head_dim",
                "Latent attention needs the size of the rotary part of a key; state it beside the kv rank.");
        elementsPerLayer = double(*workload.kvLoraRank) + double(*workload.qkRopeHeadDim);
    } else {
        if (!workload.attentionHeads)
            return refuse(ErrorCode::MissingField, "heads",
                "The size of the KV cache needs the number of attention heads; state the workload's heads.");
        const double heads = double(*workload.attentionHeads);
        elementsPerLayer = 2.0 * attentionWidth(workload, constants)
            * (double(workload.kvHeads.value_or(*workload.attentionHeads)) / heads);
    }
    return layersOf(workload, constants) * elementsPerLayer * kept * double(batch) * bytesPerElement(precision);
}

Expected<ServingFigures> serving(const ServingInputs &inputs)
{
    if (auto error = settingsErrorOf(inputs))
        return std::unexpected(std::move(*error));
    const auto &workload = inputs.workload;
    const auto &constants = inputs.constants.model;
    const auto &decoder = inputs.decodeAccelerator ? *inputs.decodeAccelerator : inputs.accelerator;
    const auto cache = kvCache(workload, inputs.promptTokens, inputs.batch, inputs.precision, {}, constants);
    if (!cache)
        return std::unexpected(cache.error());
    const auto peak = peakFor(inputs.accelerator, inputs.precision);
    if (!peak)
        return refuse(ErrorCode::UnsupportedValue, "precision",
            "The accelerator states no peak for this precision and no 16-bit peak; choose another precision.");

    ServingFigures figures;
    figures.precisionFallback = peak->fallback;
    const double prompt = double(inputs.promptTokens);
    const double batch = double(inputs.batch);
    const double layers = layersOf(workload, constants);
    const double fresh = prompt - double(inputs.cachedPrefix);
    const FlopRate rate = inputs.efficiency * peak->rate;
    const Seconds dispatch = inputs.accelerator.dispatchTime.value_or(constants.dispatch);
    const auto computeTime = [&](double tokens) {
        return (2.0 * workload.parameters * tokens * batch
                   + 4.0 * layers * attentionWidth(workload, constants) * tokens * prompt * batch)
            * flop / rate;
    };
    if (inputs.chunkTokens) {
        const double chunk = std::min(double(*inputs.chunkTokens), fresh);
        figures.chunks = std::max<std::int64_t>(1, std::int64_t(std::ceil(fresh / double(*inputs.chunkTokens))));
        figures.chunkTime = computeTime(chunk) + dispatch;
    }
    figures.timeToFirstToken = computeTime(fresh) + double(figures.chunks) * dispatch;
    figures.cacheHit = double(inputs.cachedPrefix) / prompt;
    figures.kvCache = *cache;
    if (inputs.decodeAccelerator)
        figures.timeToFirstToken += figures.kvCache / inputs.constants.transfer;

    figures.weights = workload.parameters * bytesPerElement(inputs.precision);
    const Seconds plain = (figures.weights + figures.kvCache) / decoder.memoryBandwidth + layers * constants.layerTax;
    figures.interTokenLatency = plain;
    if (inputs.draft) {
        const auto draftCache = kvCache(
            *inputs.draft, inputs.promptTokens, inputs.batch, inputs.precision, {}, constants);
        if (!draftCache)
            return std::unexpected(draftCache.error());
        figures.draftWeights = inputs.draft->parameters * bytesPerElement(inputs.precision);
        const Seconds draftTime = (figures.draftWeights + *draftCache) / decoder.memoryBandwidth;
        const double drafted = inputs.constants.draftTokens;
        figures.interTokenLatency = (drafted * draftTime + plain) / tokensPerVerification(inputs.acceptance, drafted);
    }
    figures.required = figures.weights + figures.kvCache + figures.draftWeights;
    figures.capacity = decoder.memoryCapacity;
    figures.fits = figures.required <= figures.capacity;
    figures.tokensPerSecondPerUser = 1.0 / figures.interTokenLatency.value();
    figures.tokensPerSecond = batch * figures.tokensPerSecondPerUser;
    if (decoder.cloudPriceLow)
        figures.costPerMillionTokens = costPerMillion(*decoder.cloudPriceLow, figures.tokensPerSecond);
    return figures;
}

} // namespace fleetwright
