// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/dpwall/dpwall.h"

#include "domain/named.h"
#include "domain/rules.h"

#include <algorithm>
#include <array>

namespace fleetwright::dpwall {

namespace {
constexpr double flopPerParameterAndToken = 6; // two forward, four backward
constexpr double backwardShare = 2.0 / 3.0;
constexpr std::int64_t curveFirst = 8;
constexpr std::int64_t curveLast = 1024;
} // namespace

Expected<Variant> parseVariant(std::string_view text, std::string_view field)
{
    return parseNamed(text, field, "variant",
        std::to_array<NamedValue<Variant>>({{"published", Variant::Published}, {"corrected", Variant::Corrected}}));
}

Setting corrected(double tokensPerSample)
{
    return {.peak = 989.0 * teraflopPerSecond,
        .scaleUp = 450.0 * gigabytePerSecond,
        .scaleOut = 50.0 * gigabytePerSecond,
        .tokensPerSample = tokensPerSample,
        .overlap = 0.7};
}

Expected<void> check(const Inputs &inputs)
{
    const auto &setting = inputs.setting;
    rules::Checker rule("");
    const auto positive = [&rule](std::string_view field, std::string_view label, double value) {
        if (!(std::isfinite(value) && value > 0))
            rule.fail(ErrorCode::OutOfRange, field, std::string(label) + " must be a finite number greater than zero.");
    };
    positive("params_b", "The number of parameters", inputs.parameters);
    if (inputs.activeParameters)
        positive("params_b", "The number of active parameters", *inputs.activeParameters);
    rule.atLeast("gpus", "The number of accelerators", double(inputs.accelerators), 1);
    positive("batch_per_gpu", "The batch of one accelerator", inputs.batchPerAccelerator);
    positive("peak_flops", "The peak", setting.peak.value());
    positive("scale_up_bw", "The scale-up bandwidth", setting.scaleUp.value());
    positive("scale_out_bw", "The scale-out bandwidth", setting.scaleOut.value());
    rule.atLeast("domain_size", "The size of the scale-up domain", double(setting.domainSize), 1);
    rule.within("reference_mfu", "The reference MFU", setting.referenceMfu, 1e-9, 1);
    positive("gradient_bytes_per_parameter", "The bytes per gradient", setting.gradientElement.value());
    positive("tokens_per_sample", "The number of tokens per sample", setting.tokensPerSample);
    rule.within("overlap", "The overlap", setting.overlap, 0, 1);
    return rule.result();
}

Expected<Figures> price(const Inputs &inputs)
{
    if (auto ok = check(inputs); !ok)
        return std::unexpected(ok.error());
    const auto &setting = inputs.setting;
    const double count = double(inputs.accelerators);
    const double samples = inputs.batchPerAccelerator * setting.tokensPerSample;
    Figures figures;
    figures.gradient = inputs.parameters * setting.gradientElement;
    const bool fitsDomain = inputs.accelerators <= setting.domainSize;
    const bool scaleUp = inputs.fabric == Fabric::ScaleUp && fitsDomain;
    figures.forcedScaleOut = inputs.fabric == Fabric::ScaleUp && !fitsDomain;
    figures.bandwidth = scaleUp ? setting.scaleUp : setting.scaleOut;
    figures.allReduceTime = figures.gradient * (2.0 * (count - 1.0) / count) / figures.bandwidth;
    figures.computeTime = flopPerParameterAndToken * inputs.activeParameters.value_or(inputs.parameters) * samples
        * flop / (setting.peak * setting.referenceMfu);
    figures.hiddenTime = std::min(setting.overlap * figures.allReduceTime, backwardShare * figures.computeTime);
    figures.exposedTime = figures.allReduceTime - figures.hiddenTime;
    figures.ratio = figures.allReduceTime / figures.computeTime;
    figures.exposedRatio = figures.exposedTime / figures.computeTime;
    figures.mfu = setting.referenceMfu * double(figures.computeTime / (figures.computeTime + figures.exposedTime));
    return figures;
}

Band mfuBand(double mfu) { return mfu >= greenMfu ? Band::Green : mfu >= amberMfu ? Band::Amber : Band::Red; }
Band ratioBand(double ratio)
{
    return ratio <= greenRatio ? Band::Green : ratio <= amberRatio ? Band::Amber : Band::Red;
}

std::span<const CurvePoint> observations()
{
    static constexpr auto points = std::to_array<CurvePoint>({{8, 0.52}, {64, 0.38}, {512, 0.19}});
    return points;
}

Expected<std::vector<CurvePoint>> mfuCurve(Inputs inputs)
{
    std::vector<CurvePoint> curve;
    for (auto count = curveFirst; count <= curveLast; count *= 2) {
        inputs.accelerators = count;
        const auto figures = price(inputs);
        if (!figures)
            return std::unexpected(figures.error());
        curve.push_back({count, figures->mfu});
    }
    return curve;
}

} // namespace fleetwright::dpwall
