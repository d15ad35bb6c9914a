// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/pricer.h"

#include <random>

/// Settings and layouts of the detailed model for tests.
namespace detailedmaker {

using namespace fleetwright;
using namespace fleetwright::detailed;

inline Machine machine(Family family = Family::Hopper)
{
    return {.family = family,
        .peak16 = 989.4 * teraflopPerSecond,
        .peak8 = 1978.9 * teraflopPerSecond,
        .peak4 = 1978.9 * teraflopPerSecond,
        .memoryBandwidth = 3350.0 * gigabytePerSecond,
        .capacity = 80.0 * gigabyte,
        .scaleUp = 450.0 * gigabytePerSecond,
        .domain = 8,
        .scaleOut = 50.0 * gigabytePerSecond};
}

/// As wide as its heads are together; not gated, tied embeddings.
inline Architecture denseModel(
    std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t ffn, std::int64_t vocabulary)
{
    return {.layers = layers,
        .hidden = hidden,
        .heads = heads,
        .kvHeads = heads,
        .headDim = hidden / heads,
        .ffn = ffn,
        .vocabulary = vocabulary,
        .tiedEmbeddings = true};
}

/// Llama 3 70B on 64 H100.
inline Setting setting()
{
    Setting setting;
    setting.machine = machine();
    setting.architecture = denseModel(80, 8192, 64, 28672, 128256);
    setting.architecture.kvHeads = 8;
    setting.architecture.gated = true;
    setting.architecture.tiedEmbeddings = false;
    setting.accelerators = 64;
    setting.sequenceLength = 8192;
    setting.globalBatch = 128;
    return setting;
}

inline Layout layout()
{
    return {.tp = 4,
        .pp = 4,
        .virtualStages = 5,
        .dp = 4,
        .expertTp = 4,
        .microbatch = 1,
        .zeroStage = 1,
        .sequenceParallel = true};
}

/// DeepSeek-V3.
inline Architecture experts()
{
    return {.layers = 61,
        .hidden = 7168,
        .heads = 128,
        .kvHeads = 128,
        .headDim = 128,
        .ffn = 18432,
        .gated = true,
        .vocabulary = 129280,
        .latentAttention = true,
        .experts = 256,
        .expertsPerToken = 8,
        .expertFfn = 2048,
        .sharedExperts = 1,
        .expertLayers = 58};
}

/// Any valid setting with a legal layout: small and large, dense and with experts, every stack, precision and flag.
class Generator {
public:
    explicit Generator(std::uint64_t seed) : m_random(seed) { }

    struct Plan {
        Setting setting;
        Layout layout;
    };
    Plan next()
    {
        for (;;) {
            Plan plan = any();
            const auto pricer = Pricer::make(plan.setting);
            if (pricer && pricer->isLegal(plan.layout))
                return plan;
        }
    }

    std::int64_t pick(std::initializer_list<std::int64_t> values) { return values.begin()[m_random() % values.size()]; }
    bool coin() { return m_random() % 2 == 0; }
    double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(m_random); }

private:
    Plan any()
    {
        Plan plan;
        auto &[setting, layout] = plan;
        auto &machine = setting.machine;
        machine.family = static_cast<Family>(m_random() % familyCount);
        machine.peak16 = uniform(50, 3000) * teraflopPerSecond;
        machine.peak8 = (coin() ? 2.0 : 1.0) * machine.peak16;
        machine.peak4 = (coin() ? 2.0 : 1.0) * machine.peak8;
        machine.memoryBandwidth = uniform(300, 10000) * gigabytePerSecond;
        machine.capacity = uniform(16, 300) * gigabyte;
        machine.scaleUp = uniform(10, 1000) * gigabytePerSecond;
        machine.domain = pick({1, 2, 4, 8, 16, 72, 256, 8960});
        machine.scaleOut = uniform(1, 100) * gigabytePerSecond;
        auto &model = setting.architecture;
        model.layers = pick({1, 2, 7, 12, 24, 32, 61, 96, 126});
        model.heads = pick({1, 8, 16, 40, 64, 96, 128});
        model.kvHeads = coin() ? model.heads : 1;
        model.headDim = pick({40, 64, 100, 128, 256});
        model.hidden = coin() ? model.heads * model.headDim : pick({512, 4096, 16384});
        model.ffn = pick({1024, 11008, 28672, 53248});
        model.gated = coin();
        model.vocabulary = pick({1000, 32000, 51200, 256000});
        model.tiedEmbeddings = coin();
        model.latentAttention = m_random() % 5 == 0;
        if (coin()) {
            model.experts = pick({4, 8, 64, 256});
            model.expertsPerToken = std::min(model.experts, pick({1, 2, 4, 8}));
            model.expertFfn = pick({512, 2048, 14336});
            model.sharedExperts = pick({0, 1, 2});
            model.expertLayers = pick(
                {0, model.layers, std::max<std::int64_t>(1, model.layers - 3), (model.layers + 1) / 2});
        }
        model.workScale = m_random() % 10 == 0 ? uniform(0.5, 2) : 1;
        setting.stack = defaultsOf(static_cast<Software>(m_random() % softwareCount));
        if (m_random() % 4 == 0)
            setting.stack = {.software = setting.stack.software,
                .dpOverlap = coin(),
                .tpOverlap = coin(),
                .ppOverlap = coin(),
                .gradientBytes = coin() ? 2 : 4,
                .dropout = coin()};
        setting.sequenceLength = pick({1, 512, 2048, 8192, 131072});
        setting.precisionBits = int(pick({16, 16, 8, 4}));
        setting.attentionKernel = int(pick({0, 1, 2, 3}));
        setting.lora = m_random() % 6 == 0;
        setting.causal = m_random() % 5 != 0;
        setting.bubbleShare = m_random() % 6 == 0 ? (coin() ? 0 : 1.0 / 3) : 1;
        setting.straggler = m_random() % 5 == 0 ? uniform(1, 1.5) : 1;
        setting.imbalance = m_random() % 5 == 0 ? uniform(1, 3) : 1;
        layout.tp = pick({1, 1, 2, 4, 8, 16});
        layout.pp = pick({1, 1, 2, 3, 4, 8, 12, 32});
        layout.virtualStages = layout.pp > 1 && coin() ? pick({2, 3, 4}) : 1;
        layout.cp = pick({1, 1, 1, 2, 4, 8});
        layout.dp = pick({1, 2, 3, 8, 64, 500});
        layout.ep = model.experts > 0 ? pick({1, 2, 4, 8, 64}) : 1;
        layout.expertTp = coin() ? layout.tp : 1;
        layout.microbatch = pick({1, 1, 2, 4, 16});
        setting.accelerators = layout.tp * layout.pp * layout.cp * layout.dp;
        setting.globalBatch = layout.dp * layout.microbatch * pick({1, 2, 8, 32, 96})
            + (layout.virtualStages == 1 && m_random() % 8 == 0 ? 1 : 0);
        layout.zeroStage = int(pick({0, 1, 2, 3}));
        layout.shardGroup = m_random() % 6 == 0 && layout.dp * layout.cp % 2 == 0 ? layout.dp * layout.cp / 2 : 0;
        layout.sequenceParallel = coin();
        layout.recompute = static_cast<Recompute>(m_random() % 3);
        if (m_random() % 8 == 0)
            layout.recomputeShare = uniform(0, 1);
        return plan;
    }

    std::mt19937_64 m_random;
};

} // namespace detailedmaker
