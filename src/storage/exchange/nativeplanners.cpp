// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/exchange/nativeplanners.h"

#include "solver/models/cube.h"
#include "solver/models/dpwall.h"

namespace fleetwright::exchange {

namespace {

constexpr int mostCount = 1'000'000'000;

double inGigabytes(Bytes amount) { return amount / gigabyte; }

} // namespace

Expected<Json> evaluateDpWall(NativeReader &in)
{
    dpwall::Inputs inputs;
    inputs.parameters = in.number("params_b") * 1e9;
    inputs.accelerators = in.requiredSmallCount("gpus", 1, mostCount);
    inputs.batchPerAccelerator = in.number("batch_per_gpu");
    const auto fabric = in.text("fabric");
    if (fabric == "nvlink")
        inputs.fabric = dpwall::Fabric::ScaleUp;
    else if (fabric != "ib")
        in.fail(ErrorCode::UnsupportedValue, "fabric", "The fabric must be nvlink or ib.");
    const auto variant = dpwall::parseVariant(in.optionalText("variant").value_or("published"));
    if (!variant)
        in.fail(variant.error().code, variant.error().field, variant.error().message);
    else if (*variant == dpwall::Variant::Corrected)
        inputs.setting = dpwall::corrected(in.optionalNumber("seq_len").value_or(dpwall::corrected().tokensPerSample));
    if (in.error())
        return std::unexpected(*in.error());
    auto figures = dpwall::price(inputs);
    if (!figures) {
        if (figures.error().field == "tokens_per_sample")
            figures.error().field = "seq_len";
        return std::unexpected(figures.error());
    }
    return Json{{"gradient_bytes", figures->gradient.value()},
        {"bandwidth", figures->bandwidth.value()},
        {"forced_scale_out", figures->forcedScaleOut},
        {"allreduce_s", figures->allReduceTime.value()},
        {"exposed_s", figures->exposedTime.value()},
        {"compute_s", figures->computeTime.value()},
        {"ratio", figures->ratio},
        {"mfu", figures->mfu}};
}

Expected<Json> evaluateCube(NativeReader &in)
{
    cube::Inputs inputs;
    inputs.tp = in.requiredSmallCount("tp", 1, cube::largestControl);
    inputs.pp = in.requiredSmallCount("pp", 1, cube::largestControl);
    inputs.microbatches = in.requiredSmallCount("m", 1, cube::largestControl);
    const auto variant = cube::parseVariant(in.optionalText("variant").value_or("published"));
    if (variant)
        inputs.setting.variant = *variant;
    else
        in.fail(variant.error().code, variant.error().field, variant.error().message);
    if (in.error())
        return std::unexpected(*in.error());
    const auto figures = cube::price(inputs);
    if (!figures)
        return std::unexpected(figures.error());
    return Json{{"valid", figures->valid},
        {"dp", figures->dp},
        {"weights_gb", inGigabytes(figures->weights)},
        {"optimizer_gb", inGigabytes(figures->optimizer)},
        {"activation_gb", inGigabytes(figures->activations)},
        {"total_gb", inGigabytes(figures->total)},
        {"oom", figures->outOfMemory},
        {"bubble", figures->bubble},
        {"bubble_over_ceiling", figures->bubbleOverCeiling},
        {"tp_crosses_node", figures->tpCrossesNode},
        {"mfu", figures->mfu}};
}

} // namespace fleetwright::exchange
