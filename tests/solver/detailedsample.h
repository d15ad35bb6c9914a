// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/pricer.h"

#include <array>
#include <optional>
#include <random>

/// Random settings of the detailed engine with a legal layout each.
namespace fleetwright::testing {

struct DetailedCase {
    detailed::Setting setting;
    detailed::Layout layout;
};

class DetailedMaker {
public:
    explicit DetailedMaker(unsigned seed) : m_random(seed) { }

    /// Nothing when the dice gave a layout that cannot exist.
    [[nodiscard]] std::optional<DetailedCase> next()
    {
        DetailedCase made{setting(), layout()};
        auto &[setting, layout] = made;
        setting.accelerators = layout.tp * layout.pp * layout.cp * layout.dp;
        setting.globalBatch = layout.dp * layout.microbatch * layout.pp * pick<std::int64_t>({1, 2, 3, 8});
        if (setting.architecture.experts == 0)
            layout.ep = layout.expertTp = 1;
        if (setting.lora)
            layout.zeroStage = pick<int>({0, 3});
        if (layout.zeroStage != 3)
            layout.shardGroup = 0;
        const auto pricer = detailed::Pricer::make(setting);
        if (!pricer)
            qFatal("%s: %s", pricer.error().field.c_str(), pricer.error().message.c_str());
        return pricer->isLegal(layout) ? std::optional(made) : std::nullopt;
    }

private:
    template <class T> T pick(std::initializer_list<T> choices)
    {
        return *(choices.begin()
            + std::uniform_int_distribution<std::ptrdiff_t>(0, std::ptrdiff_t(choices.size()) - 1)(m_random));
    }
    bool oneIn(int n) { return pick<int>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) % n == 0; }

    detailed::Setting setting()
    {
        detailed::Setting setting;
        auto &machine = setting.machine;
        machine.family = static_cast<detailed::Family>(pick<int>({0, 1, 2, 3, 4, 5, 6}));
        machine.peak16 = FlopRate::from_value(9e14);
        machine.peak8 = FlopRate::from_value(18e14);
        machine.peak4 = FlopRate::from_value(36e14);
        machine.memoryBandwidth = Bandwidth::from_value(pick<double>({1e12, 3e12, 8e12}));
        machine.capacity = Bytes::from_value(80e9);
        machine.scaleUp = Bandwidth::from_value(450e9);
        machine.domain = pick<std::int64_t>({1, 4, 8, 72});
        machine.scaleOut = Bandwidth::from_value(pick<double>({6e9, 50e9}));
        auto &model = setting.architecture;
        model = {.layers = pick<std::int64_t>({13, 24, 32, 61}),
            .hidden = 4096,
            .heads = 32,
            .kvHeads = pick<std::int64_t>({8, 32}),
            .headDim = pick<std::int64_t>({80, 128}),
            .ffn = 14336,
            .gated = oneIn(2),
            .vocabulary = 51200,
            .latentAttention = oneIn(4),
            .tiedEmbeddings = oneIn(3)};
        if (oneIn(2)) {
            model.experts = 16;
            model.expertsPerToken = 2;
            model.expertFfn = 2048;
            model.sharedExperts = pick<std::int64_t>({0, 1});
            model.expertLayers = model.layers - pick<std::int64_t>({0, 1, 3, 12});
        }
        setting.stack = detailed::defaultsOf(static_cast<detailed::Software>(pick<int>({0, 1, 2, 3, 4, 5})));
        setting.sequenceLength = pick<std::int64_t>({128, 2048, 8192});
        setting.precisionBits = pick<int>({16, 8, 4});
        setting.attentionKernel = pick<int>({0, 2, 3});
        setting.lora = oneIn(6);
        setting.causal = !oneIn(6);
        setting.straggler = pick<double>({1, 1.1});
        setting.imbalance = pick<double>({1, 1.3});
        return setting;
    }

    detailed::Layout layout()
    {
        detailed::Layout layout;
        layout.tp = pick<std::int64_t>({1, 2, 4, 8});
        layout.pp = pick<std::int64_t>({1, 2, 3, 4, 8});
        layout.virtualStages = pick<std::int64_t>({1, 1, 2, 3});
        layout.cp = pick<std::int64_t>({1, 1, 2, 4});
        layout.dp = pick<std::int64_t>({1, 2, 8, 32});
        layout.ep = pick<std::int64_t>({1, 2, 8, 16});
        layout.expertTp = pick<std::int64_t>({1, 1, 2});
        layout.microbatch = pick<std::int64_t>({1, 2, 4});
        layout.zeroStage = pick<int>({0, 1, 2, 3});
        layout.shardGroup = oneIn(3) ? 2 : 0;
        layout.sequenceParallel = oneIn(2);
        layout.recompute = static_cast<Recompute>(pick<int>({0, 1, 2}));
        return layout;
    }

    std::mt19937 m_random;
};

} // namespace fleetwright::testing
