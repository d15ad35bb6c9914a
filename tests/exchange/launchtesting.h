// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/exchangetesting.h"
#include "exchange/launch/launchconfiguration.h"
#include "exchange/launch/launchrules.h"

/// What the tests of launch configurations share.
namespace exchangetesting {

/// A dense model of 80 layers on 32 nodes of 8 accelerators, TP 8 and DP 32, that every framework takes.
inline fleetwright::exchange::Launch denseLaunch()
{
    using namespace fleetwright;
    exchange::Launch launch;
    launch.planName = "Plan";
    launch.workloadName = "Model";
    auto &facts = launch.model.facts;
    facts.name = "Model";
    facts.layers = 80;
    facts.hiddenSize = 8192;
    facts.attentionHeads = 64;
    facts.kvHeads = 8;
    facts.headDim = 128;
    facts.ffnHiddenSize = 28672;
    facts.vocabSize = 128256;
    facts.gatedFfn = true;
    facts.tiedEmbeddings = false;
    facts.attentionType = "gqa";
    launch.model.architecture = "decoder_only_transformer";
    launch.model.norm = "rmsnorm";
    launch.model.position = "rope";
    launch.nodes = 32;
    launch.acceleratorsPerNode = 8;
    launch.domain = 8;
    launch.nodeName = "Node";
    launch.fabricName = "Fabric";
    launch.tp = 8;
    launch.dp = 32;
    launch.expertTp = 8;
    launch.globalBatch = 256;
    launch.microbatches = 8;
    launch.sequenceLength = 8192;
    launch.steps = 1000;
    launch.software.emplace();
    return launch;
}

/// The same with 64 experts, EP 8 and whole experts, sequence parallel.
inline fleetwright::exchange::Launch expertLaunch()
{
    auto launch = denseLaunch();
    auto &facts = launch.model.facts;
    facts.family = fleetwright::WorkloadFamily::MixtureOfExperts;
    facts.experts = 64;
    facts.expertsPerToken = 4;
    facts.expertFfnHiddenSize = 2048;
    launch.model.architecture = "moe_decoder_only_transformer";
    launch.ep = 8;
    launch.expertTp = 1;
    launch.sequenceParallel = true;
    return launch;
}

/// A plan document that must be read and resolved.
struct LaunchedPlan {
    fleetwright::PlanDocument document;
    fleetwright::Plan plan;
};
inline fleetwright::Expected<LaunchedPlan> launchedPlan(const fleetwright::PlanDocument &document)
{
    auto plan = resolve(document, shipped());
    if (!plan)
        return std::unexpected(plan.error());
    return LaunchedPlan{document, std::move(*plan)};
}

} // namespace exchangetesting
