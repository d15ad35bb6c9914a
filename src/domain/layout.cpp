// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/layout.h"

namespace fleetwright {

namespace {

void append(std::string &list, const std::string &item) { list += (list.empty() ? "" : ", ") + item; }

std::string count(int number, const char *one, const char *several)
{
    return std::to_string(number) + ' ' + (number == 1 ? one : several);
}

} // namespace

Parallelism parallelismOf(const Layout &layout)
{
    return {.tp = layout.tp,
        .pp = layout.pp,
        .cp = layout.cp,
        .ep = layout.ep,
        .virtualStages = layout.virtualStages,
        .zeroStage = layout.zeroStage,
        .sequenceParallel = layout.sequenceParallel};
}

Training trainingOf(const Layout &layout, Training training)
{
    training.microbatchCount = std::nullopt;
    training.microbatchSize = layout.microbatchSize;
    training.recompute = layout.recompute;
    return training;
}

void adopt(const Layout &layout, PlanDocument &document)
{
    document.bestLayout = std::nullopt;
    document.parallelism = parallelismOf(layout);
    document.training = trainingOf(layout, document.training);
}

std::string inWords(const Split &split)
{
    std::string words = "TP " + std::to_string(split.tp);
    if (split.cp > 1)
        append(words, "CP " + std::to_string(split.cp));
    append(words, "PP " + std::to_string(split.pp));
    if (split.ep > 1)
        append(words, "EP " + std::to_string(split.ep));
    append(words, "DP " + std::to_string(split.dp));
    return words;
}

std::string settingsInWords(const Layout &layout)
{
    std::string words;
    if (layout.virtualStages > 1)
        append(words, count(layout.virtualStages, "virtual stage", "virtual stages"));
    append(words, "microbatch " + std::to_string(layout.microbatchSize));
    append(words,
        layout.recompute == Recompute::None ? "no recomputation"
                                            : std::string(toString(layout.recompute)) + " recomputation");
    append(words, layout.zeroStage == 0 ? "no ZeRO" : "ZeRO " + std::to_string(layout.zeroStage));
    if (layout.sequenceParallel)
        append(words, "sequence parallel");
    return words;
}

std::string inWords(const Layout &layout) { return inWords(splitOf(layout)) + "; " + settingsInWords(layout); }

} // namespace fleetwright
