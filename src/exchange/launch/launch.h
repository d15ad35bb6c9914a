// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What a plan says to the framework that runs it. One description, which every launch configuration is written from
/// (launchconfiguration.h), every rule is checked on (launchrules.h) and every imported plan is checked by.
namespace fleetwright::exchange {

/// The model in the words of its catalog item.
struct LaunchModel {
    WorkloadFacts facts;
    std::string architecture; ///< as the catalog names it
    std::optional<int> qkHeadDim, valueHeadDim; ///< of latent attention
    std::optional<int> sharedExpertFfn; ///< of one shared expert
    std::string norm, position, attentionBias; ///< "rmsnorm", "rope", "qkv"...; empty: unknown
    std::optional<bool> ffnBias;

    [[nodiscard]] bool hasExperts() const { return facts.experts.value_or(1) > 1; }
    [[nodiscard]] bool isLatent() const { return facts.attentionType == "mla"; }
    [[nodiscard]] bool isDecoder() const
    {
        return architecture == "decoder_only_transformer" || architecture == "moe_decoder_only_transformer";
    }
    /// Layers without experts that come first, and whether every layer behind them has experts.
    [[nodiscard]] int denseLayers() const { return facts.firstDenseLayers.value_or(0); }
};

/// A switch of the software: how the plan was priced and whether the plan itself says so or leaves it to its software.
struct LaunchSwitch {
    bool on = false;
    bool stated = false;
};

/// What a plan of the cost model `detailed` says of the software.
struct LaunchSoftware {
    LaunchSwitch dpOverlap, tpOverlap, ppOverlap, epOverlap, dropout;
    bool graphs = false;
    bool unfusedAttention = false; ///< stated
    std::optional<int> gradientBytes; ///< where stated
    std::string schedule = "1f1b";
};

struct Launch {
    std::string planName;
    std::string workloadName;
    LaunchModel model;
    int nodes = 1, acceleratorsPerNode = 1;
    int domain = 1; ///< accelerators of one scale-up domain, no more than the fleet
    std::string nodeName, fabricName;
    bool blackwellOrLater = false;
    std::int64_t tp = 1, pp = 1, cp = 1, dp = 1, ep = 1, expertTp = 1, virtualStages = 1; ///< world = TP PP CP DP
    std::int64_t shardGroup = 0; ///< of ZeRO 3; 0: all of DP and CP
    int zeroStage = 0;
    bool sequenceParallel = false;
    std::int64_t globalBatch = 1, microbatchSize = 1;
    std::int64_t microbatches = 1; ///< of a replica and step, accumulation included
    std::int64_t sequenceLength = 1;
    Precision precision = Precision::Bf16;
    Recompute recompute = Recompute::None;
    bool lora = false;
    std::optional<std::int64_t> steps; ///< of the token budget, rounded up; nothing where there is none
    std::optional<LaunchSoftware> software; ///< nothing for plans of other cost models, which do not know it
    std::vector<std::string> withoutFlag; ///< sentences on what no framework takes

    [[nodiscard]] std::int64_t world() const { return std::int64_t(nodes) * acceleratorsPerNode; }
    [[nodiscard]] std::int64_t layersPerChunk() const { return pp * virtualStages; }
    /// The switch where it is on, whoever says so.
    [[nodiscard]] bool isOn(LaunchSwitch LaunchSoftware::*which) const { return software && ((*software).*which).on; }
    /// The plan itself asks for it.
    [[nodiscard]] bool asksFor(LaunchSwitch LaunchSoftware::*which) const
    {
        return isOn(which) && ((*software).*which).stated;
    }
};

/// The plan with its layout fixed (bestlayout.h) and the document's reference to its workload. MissingField "workload"
/// where the catalog lacks what every framework must know, InfeasibleParallelism where the degrees do not divide the
/// fleet or the batch.
[[nodiscard]] Expected<Launch> launchOf(const Plan &plan, const ItemReference &workload, const Catalog &catalog);

/// Steps of so many tokens, rounded up.
[[nodiscard]] std::int64_t stepsOf(double tokens, std::int64_t globalBatch, std::int64_t sequenceLength);

/// How pipelines of Megatron count the two ends of a model among its layers, so that equal stages come out.
struct PipelineEnds {
    bool embedding = false, loss = false;
    [[nodiscard]] int layers() const { return int(embedding) + int(loss); }
};
/// The first that divides the layers evenly among `chunks`; nothing where none does.
[[nodiscard]] std::optional<PipelineEnds> pipelineEnds(std::int64_t layers, std::int64_t chunks);

} // namespace fleetwright::exchange
