// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/sampleplan.h"
#include "solver/search/layoutsearch.h"

/// Plans whose layouts are searched in tests and benchmarks.
namespace searchsample {

using namespace fleetwright;

inline NodeFacts a100Node()
{
    AcceleratorFacts facts = sampleplan::accelerator();
    facts.id = "a100";
    facts.name = "A100 80 GB";
    facts.architecture = "Ampere";
    facts.memoryCapacity = 80.0 * gigabyte;
    facts.memoryBandwidth = 2039.0 * gigabytePerSecond;
    facts.peaks = {};
    sampleplan::setPeak(facts, Precision::Fp16, 312.0 * teraflopPerSecond);
    sampleplan::setPeak(facts, Precision::Bf16, 312.0 * teraflopPerSecond);
    auto node = sampleplan::node(facts);
    node.scaleUpBandwidth = 300.0 * gigabytePerSecond;
    return node;
}

inline WorkloadFacts gpt3(int layers, int hidden, int heads, double parameters)
{
    WorkloadFacts facts;
    facts.id = "gpt3";
    facts.name = "GPT-3";
    facts.parameters = facts.activeParameters = parameters;
    facts.layers = layers;
    facts.hiddenSize = hidden;
    facts.attentionHeads = heads;
    facts.kvHeads = heads;
    facts.ffnHiddenSize = 4 * hidden;
    facts.vocabSize = 51200;
    facts.gatedFfn = false;
    facts.tiedEmbeddings = true;
    facts.trainingTokens = 300e9;
    return facts;
}

inline PlanFacts planOf(const FleetFacts &fleet, const WorkloadFacts &workload, int batch, int sequenceLength = 2048)
{
    auto plan = sampleplan::plan(fleet, workload);
    plan.training = {.globalBatch = batch,
        .microbatchCount = std::nullopt,
        .microbatchSize = 1,
        .sequenceLength = sequenceLength,
        .precision = Precision::Bf16};
    plan.parallelism = {};
    plan.costModelId = "detailed";
    return plan;
}

/// GPT-3 13B on 64 A100, batch 128.
inline PlanFacts gpt13()
{
    return planOf(sampleplan::fleet(a100Node(), sampleplan::fabric(), 8), gpt3(40, 5120, 40, 13e9), 128);
}
/// GPT-3 175B on `nodes` times 8 A100, batch 1536.
inline PlanFacts gpt175(int nodes)
{
    return planOf(sampleplan::fleet(a100Node(), sampleplan::fabric(), nodes), gpt3(96, 12288, 96, 174.6e9), 1536);
}

/// A small mixture of experts with leading dense layers on 32 H100; the batch has divisors that are no powers of two.
inline PlanFacts experts()
{
    WorkloadFacts facts = sampleplan::workload();
    facts.id = "moe";
    facts.name = "Small mixture of experts";
    facts.family = WorkloadFamily::MixtureOfExperts;
    facts.parameters = 30e9;
    facts.activeParameters = 4e9;
    facts.layers = 12;
    facts.hiddenSize = 2048;
    facts.attentionHeads = 24;
    facts.kvHeads = 8;
    facts.headDim = 128;
    facts.ffnHiddenSize = 6144;
    facts.vocabSize = 64000;
    facts.experts = 24;
    facts.expertsPerToken = 4;
    facts.expertFfnHiddenSize = 1536;
    facts.sharedExperts = 1;
    facts.firstDenseLayers = 2;
    facts.gatedFfn = true;
    facts.tiedEmbeddings = false;
    return planOf(sampleplan::fleet(sampleplan::node(), sampleplan::fabric(), 3), facts, 48, 4096);
}

/// Llama 3.1 70B on 64 H100 with long sequences, so that CP counts.
inline PlanFacts llama70()
{
    auto facts = sampleplan::workload();
    facts.headDim = 128;
    facts.ffnHiddenSize = 28672;
    facts.vocabSize = 128256;
    facts.gatedFfn = true;
    facts.tiedEmbeddings = false;
    return planOf(sampleplan::fleet(sampleplan::node(), sampleplan::fabric(), 8), facts, 24, 16384);
}

inline layoutsearch::Request requestOf(
    const PlanFacts &plan, LayoutSearchObjective objective = LayoutSearchObjective::StepTime)
{
    layoutsearch::Request request;
    request.cases.push_back({.label = {}, .plan = Plan::create(plan).value()});
    request.costModelId = plan.costModelId;
    request.objective = objective;
    return request;
}

} // namespace searchsample
