// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/sampleplan.h"

#include <array>
#include <cmath>
#include <random>

namespace testing {

using namespace fleetwright;

/// Random valid plans, the same on every machine: mt19937 is specified and only its raw output is used.
class PlanMaker {
public:
    explicit PlanMaker(unsigned seed) : m_random(seed) { }

    int whole(int low, int high) { return low + int(m_random() % unsigned(high - low + 1)); }
    double real(double low, double high) { return low + (high - low) * double(m_random()) / 4294967295.0; }
    /// Even over the orders of magnitude.
    double scale(double low, double high) { return std::exp(real(std::log(low), std::log(high))); }
    bool coin() { return m_random() & 1U; }
    int powerOfTwo(int most) { return 1 << whole(0, most); }

    AcceleratorFacts accelerator()
    {
        AcceleratorFacts facts = sampleplan::accelerator();
        facts.peaks = {};
        sampleplan::setPeak(facts, Precision::Fp16, scale(1e9, 1e17) * flopPerSecond);
        if (coin())
            sampleplan::setPeak(facts, Precision::Fp8, scale(1e9, 1e17) * flopPerSecond);
        facts.memoryCapacity = scale(1e5, 1e13) * byte;
        facts.memoryBandwidth = scale(1e6, 1e14) * bytePerSecond;
        facts.hostLinkBandwidth = maybe(scale(1e6, 1e12) * bytePerSecond);
        facts.dispatchTime = maybe(scale(1e-7, 1) * second);
        facts.tdp = maybe(scale(0.1, 2000) * watt);
        facts.sramCapacity = maybe(scale(1e3, 1e12) * byte);
        facts.sramBandwidth = maybe(scale(1e9, 1e16) * bytePerSecond);
        return facts;
    }

    FleetFacts fleet()
    {
        auto node = sampleplan::node(accelerator());
        node.acceleratorsPerNode = powerOfTwo(4);
        node.scaleUpDomainSize = node.acceleratorsPerNode * powerOfTwo(3);
        node.scaleUpBandwidth = maybe(scale(1e6, 1e13) * bytePerSecond);
        node.scaleUpLatency = maybe(scale(1e-9, 1e-3) * second);
        node.nicCount = coin() ? std::optional(whole(1, 16)) : std::nullopt;
        auto fabric = sampleplan::fabric();
        fabric.portBandwidth = scale(1e6, 1e12) * bytePerSecond;
        fabric.latency = maybe(scale(1e-7, 1e-2) * second);
        fabric.oversubscription = coin() ? 1.0 : real(1, 20);
        return sampleplan::fleet(node, fabric, powerOfTwo(12));
    }

    WorkloadFacts workload()
    {
        auto facts = sampleplan::workload();
        facts.family = std::array{WorkloadFamily::Transformer, WorkloadFamily::MixtureOfExperts,
            WorkloadFamily::Other}[std::size_t(whole(0, 2))];
        facts.parameters = scale(1, 1e13);
        facts.activeParameters = coin() ? facts.parameters : std::max(1.0, facts.parameters * real(0.01, 1));
        facts.forwardFlops = maybe(scale(1, 1e15) * flop);
        facts.forwardFlopsUnit = coin() ? "flop_per_token" : "flop_per_image";
        facts.layers = maybe(whole(1, 200));
        facts.hiddenSize = maybe(whole(1, 30000));
        facts.attentionHeads = whole(1, 256);
        facts.kvHeads = std::nullopt;
        facts.experts = maybe(whole(8, 512));
        facts.expertsPerToken = maybe(whole(1, 8));
        return facts;
    }

    Parallelism parallelism()
    {
        return {.tp = powerOfTwo(5),
            .pp = powerOfTwo(5),
            .ep = powerOfTwo(3),
            .virtualStages = whole(1, 8),
            .zeroStage = whole(0, 3),
            .sequenceParallel = coin()};
    }

    PlanFacts plan()
    {
        auto made = sampleplan::plan(fleet(), workload());
        auto &training = made.training;
        training.globalBatch = whole(1, 1 << 20);
        training.microbatchCount = training.microbatchSize = std::nullopt;
        (coin() ? training.microbatchCount : training.microbatchSize) = powerOfTwo(10);
        training.sequenceLength = whole(1, 1 << 17);
        training.precision = allPrecisions[std::size_t(whole(0, int(precisionCount) - 1))];
        training.recompute = std::array{
            Recompute::None, Recompute::Selective, Recompute::Full}[std::size_t(whole(0, 2))];
        training.lora = coin();
        training.accumulationSteps = powerOfTwo(5);
        made.parallelism = parallelism();
        auto &edited = made.assumptions.edited;
        edited["variant"] = std::string(coin() ? "replica" : "unsharded");
        edited["topology"] = std::string(std::array{"auto", "ring", "tree"}[std::size_t(whole(0, 2))]);
        edited["overlap_comm"] = coin();
        edited["overlap_efficiency"] = real(0, 1);
        edited["efficiency"] = scale(1e-9, 1);
        edited["congestion_factor"] = real(1, 4);
        edited["straggler_factor"] = coin() ? 1.0 : real(1, 3);
        edited["moe_imbalance_factor"] = real(1, 4);
        return made;
    }

private:
    template <class T> std::optional<T> maybe(T value) { return coin() ? std::optional(value) : std::nullopt; }
    std::mt19937 m_random;
};

} // namespace testing
