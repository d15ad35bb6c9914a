// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/cube/cube.h"

#include "domain/named.h"
#include "domain/rules.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fleetwright::cube {

Expected<Variant> parseVariant(std::string_view text, std::string_view field)
{
    return parseNamed(text, field, "variant",
        std::to_array<NamedValue<Variant>>({{"published", Variant::Published}, {"corrected", Variant::Corrected}}));
}

Expected<void> check(const Inputs &inputs)
{
    const auto &setting = inputs.setting;
    rules::Checker rule("");
    const auto positive = [&rule](std::string_view field, std::string_view label, double value) {
        if (!(std::isfinite(value) && value > 0))
            rule.fail(ErrorCode::OutOfRange, field, std::string(label) + " must be a finite number greater than zero.");
    };
    rule.atLeast("tp", "Tensor parallelism (TP)", double(inputs.tp), 1);
    rule.atLeast("pp", "Pipeline parallelism (PP)", double(inputs.pp), 1);
    rule.atLeast("m", "The number of microbatches", double(inputs.microbatches), 1);
    positive("parameters", "The number of parameters", setting.parameters);
    rule.atLeast("gpus", "The number of accelerators", double(setting.accelerators), 1);
    positive("gpu_memory", "The memory of an accelerator", setting.capacity.value());
    rule.atLeast("gpus_per_node", "The number of accelerators per node", double(setting.nodeSize), 1);
    positive("scale_up_bw", "The scale-up bandwidth", setting.scaleUp.value());
    positive("scale_out_bw", "The scale-out bandwidth", setting.scaleOut.value());
    positive("weight_bytes", "The weight bytes per parameter", setting.weightElement.value());
    positive("optimizer_bytes", "The optimizer bytes per parameter", setting.optimizerElement.value());
    rule.notNegative("activation_base", "The activation memory at TP 1", setting.activationBase);
    rule.within("reference_mfu", "The reference MFU", setting.referenceMfu, 1e-9, 1);
    rule.within("tp_loss", "The loss per doubling of TP", setting.tpLoss, 0, 1);
    rule.within("dp_loss", "The loss per doubling of DP", setting.dpLoss, 0, 1);
    return rule.result();
}

Expected<Figures> price(const Inputs &inputs)
{
    if (auto ok = check(inputs); !ok)
        return std::unexpected(ok.error());
    const auto &setting = inputs.setting;
    const double tp = double(inputs.tp);
    const double pp = double(inputs.pp);
    const double shards = tp * pp; // as doubles: the product may not fit an integer
    Figures figures;
    if (shards <= double(setting.accelerators)) {
        figures.dp = setting.accelerators / (inputs.tp * inputs.pp);
        figures.valid = setting.accelerators % (inputs.tp * inputs.pp) == 0;
    }
    figures.weights = setting.parameters / shards * setting.weightElement;
    figures.optimizer = setting.parameters / shards * setting.optimizerElement;
    figures.activations = setting.variant == Variant::Published ? setting.activationBase * tp
                                                                : setting.activationBase / tp;
    figures.total = figures.weights + figures.optimizer + figures.activations;
    figures.outOfMemory = figures.total > setting.capacity;
    figures.bubble = bubble(pp, double(inputs.microbatches));
    figures.bubbleOverCeiling = figures.bubble > bubbleCeiling;
    figures.tpCrossesNode = inputs.tp > setting.nodeSize;
    figures.tpPenalty = figures.tpCrossesNode ? double(setting.scaleUp / setting.scaleOut) : 1.0;
    figures.tpFactor = 1.0 - setting.tpLoss * std::log2(tp) * figures.tpPenalty;
    figures.bubbleFactor = 1.0 - figures.bubble;
    figures.dpFactor = 1.0 - setting.dpLoss * std::log2(double(std::max<std::int64_t>(figures.dp, 1)));
    // Each loss alone may exceed everything; two negative factors must not make a positive MFU.
    const double product = std::max(figures.tpFactor, 0.0) * figures.bubbleFactor * std::max(figures.dpFactor, 0.0);
    figures.mfu = std::clamp(setting.referenceMfu * product, 0.0, setting.referenceMfu);
    return figures;
}

Band memoryBand(Bytes total, Bytes capacity)
{
    return total > capacity ? Band::Red : total > amberMemoryShare * capacity ? Band::Amber : Band::Green;
}

Band bubbleBand(double bubble)
{
    return bubble > bubbleCeiling ? Band::Red : bubble > amberBubble ? Band::Amber : Band::Green;
}
Band mfuBand(double mfu) { return mfu >= greenMfu ? Band::Green : mfu >= amberMfu ? Band::Amber : Band::Red; }

std::span<const std::int64_t> curveMicrobatches()
{
    static constexpr auto counts = std::to_array<std::int64_t>({1, 4, 8, 16});
    return counts;
}

Expected<std::vector<CurvePoint>> bubbleCurve(std::int64_t microbatches, std::int64_t mostStages)
{
    if (microbatches < 1)
        return refuse(ErrorCode::OutOfRange, "m", "The number of microbatches must be at least 1.");
    std::vector<CurvePoint> curve;
    for (std::int64_t stages = 1; stages <= mostStages; ++stages)
        curve.push_back({stages, bubble(double(stages), double(microbatches))});
    return curve;
}

} // namespace fleetwright::cube
