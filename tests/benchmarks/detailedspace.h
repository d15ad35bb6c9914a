// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/pricer.h"

#include <vector>

/// A realistic search space of the detailed model: GPT-3 175B on 512 A100, global batch 1536, every TP, PP, DP,
/// microbatch size, interleaving, recomputation, sequence parallelism and ZeRO stage that is legal.
namespace detailedspace {

using namespace fleetwright;
using namespace fleetwright::detailed;

inline Setting setting()
{
    Setting setting;
    setting.machine = {.family = Family::A100,
        .peak16 = 312.0 * teraflopPerSecond,
        .peak8 = 312.0 * teraflopPerSecond,
        .peak4 = 312.0 * teraflopPerSecond,
        .memoryBandwidth = 2039.0 * gigabytePerSecond,
        .capacity = 80.0 * gigabyte,
        .scaleUp = 300.0 * gigabytePerSecond,
        .domain = 8,
        .scaleOut = 25.0 * gigabytePerSecond};
    setting.architecture = {.layers = 96,
        .hidden = 12288,
        .heads = 96,
        .kvHeads = 96,
        .headDim = 128,
        .ffn = 49152,
        .vocabulary = 51200,
        .tiedEmbeddings = true};
    setting.accelerators = 512;
    setting.sequenceLength = 2048;
    setting.globalBatch = 1536;
    return setting;
}

/// Legal layouts; those that share a layer's price stand together.
inline std::vector<Layout> layouts(const Pricer &pricer)
{
    const auto &setting = pricer.setting();
    std::vector<Layout> all;
    for (std::int64_t tp = 1; tp <= 96; ++tp)
        for (std::int64_t microbatch = 1; microbatch <= setting.globalBatch; ++microbatch)
            for (const bool sequenceParallel : {false, true})
                for (const auto recompute : {Recompute::None, Recompute::Selective, Recompute::Full})
                    for (std::int64_t pp = 1; pp <= 96; ++pp) {
                        if (setting.accelerators % (tp * pp) != 0 || (tp == 1 && sequenceParallel))
                            continue;
                        const auto dp = setting.accelerators / (tp * pp);
                        if (setting.globalBatch % (dp * microbatch) != 0)
                            continue;
                        for (std::int64_t virtualStages = 1; virtualStages * pp <= 96; ++virtualStages)
                            for (int zeroStage = 0; zeroStage <= 3; ++zeroStage) {
                                const Layout layout{.tp = tp,
                                    .pp = pp,
                                    .virtualStages = virtualStages,
                                    .dp = dp,
                                    .expertTp = tp,
                                    .microbatch = microbatch,
                                    .zeroStage = zeroStage,
                                    .sequenceParallel = sequenceParallel,
                                    .recompute = recompute};
                                if (pricer.isLegal(layout))
                                    all.push_back(layout);
                            }
                    }
    return all;
}

} // namespace detailedspace
