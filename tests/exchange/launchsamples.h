// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/launchtesting.h"

#include <array>
#include <random>

namespace exchangetesting {

/// Layouts at random, the same for the same seed: most of what a plan can say about how it is launched. Many are
/// refused by one framework or another.
class LaunchSamples {
public:
    explicit LaunchSamples(unsigned int seed) : m_random(seed) { }

    fleetwright::PlanDocument next()
    {
        using namespace fleetwright;
        PlanDocument plan;
        plan.name = "Sample " + std::to_string(++m_count);
        plan.workload = std::string(of(
            std::array{"llama3_1_8b", "llama3_1_70b", "gpt3_175b", "mixtral_8x7b", "qwen3_235b_a22b", "deepseek_v3"}));
        plan.fleet.node = std::string("nvidia_dgx_h100");
        plan.fleet.fabric = std::string("ib_ndr");
        plan.fleet.nodes = of(std::array{1, 4, 8, 32});
        auto &split = plan.parallelism;
        split.tp = of(std::array{1, 2, 4, 8});
        split.pp = of(std::array{1, 1, 2, 4, 8});
        split.cp = of(std::array{1, 1, 1, 2, 4});
        split.ep = of(std::array{1, 1, 2, 8});
        split.virtualStages = split.pp > 1 ? of(std::array{1, 1, 2, 3, 5}) : 1;
        split.zeroStage = of(std::array{0, 1, 2, 3});
        split.sequenceParallel = split.tp > 1 && of(std::array{true, true, false});
        auto &training = plan.training;
        const int dp = std::max(1, plan.fleet.nodes * 8 / (split.tp * split.pp * split.cp));
        const int microbatch = of(std::array{1, 2});
        const int microbatches = of(std::array{1, 4, 8, 12, 16});
        training.globalBatch = dp * microbatch * microbatches;
        if (of(std::array{true, false})) {
            training.microbatchSize = microbatch;
            training.microbatchCount.reset();
        } else {
            training.microbatchCount = microbatches;
        }
        training.sequenceLength = of(std::array{2048, 4096, 8192});
        training.precision = of(
            std::array{Precision::Bf16, Precision::Bf16, Precision::Fp8, Precision::Fp16, Precision::Fp4});
        training.recompute = of(std::array{Recompute::None, Recompute::Selective, Recompute::Full});
        if (of(std::array{true, false}))
            training.tokenBudget = of(std::array{1e9, 1.5e12, 12345678.0});
        plan.costModelId = "detailed";
        for (const char *key : {"dp_overlap", "tp_overlap", "pp_overlap", "ep_overlap", "dropout"})
            if (const std::string_view word = of(std::array{"", "", "", "on", "off"}); !word.empty())
                plan.assumptions.edited[key] = std::string(word);
        sometimes(plan, "software_stack", std::string("megatron_core"));
        sometimes(plan, "gradient_precision", std::string(of(std::array{"2 bytes", "4 bytes"})));
        sometimes(plan, "attention_kernel", std::string("none"));
        sometimes(plan, "cuda_graphs", true);
        sometimes(plan, "expert_tensor_parallel", double(of(std::array{1, 2})));
        sometimes(plan, "shard_group", double(of(std::array{8, 16})));
        return plan;
    }

private:
    template <class T, std::size_t N> T of(const std::array<T, N> &values) { return values[m_random() % N]; }
    void sometimes(fleetwright::PlanDocument &plan, const char *key, fleetwright::AssumptionValue value)
    {
        if (m_random() % 8 == 0)
            plan.assumptions.edited[key] = std::move(value);
    }

    std::mt19937 m_random;
    int m_count = 0;
};

} // namespace exchangetesting
