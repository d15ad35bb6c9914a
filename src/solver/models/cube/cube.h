// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/band.h"
#include "units/error.h"
#include "units/quantity.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// The 3D configurator: the second instrument of the interactive lab "The Parallelism Paradox". Splits one model over
/// TP x PP x DP.
///
///     valid       = tp pp <= G and G mod (tp pp) = 0;   dp = floor(G / (tp pp))
///     weights     = 2 P/(tp pp)   optimizer = 8 P/(tp pp)   activations = 8 GB tp          [B]
///     bubble      = (pp-1)/(pp m)                    the lab's own convention; 0 for one stage
///     penalty     = 1 while TP stays inside the node, scale-up over scale-out (900/400 = 2.25) when it crosses it
///     MFU         = clamp(0.52 (1 - 0.05 log2(tp) penalty)(1 - bubble)(1 - 0.02 log2(max(dp, 1))), 0, 0.52)
///
/// As published activations GROW with TP, so the lab's preferred answer (TP 8, PP 4, DP 32) is out of memory by its own
/// formula (118.7 of 80 GB). Corrected divides them by TP, as tensor parallelism with sequence parallelism does
/// (Korthikanti 2022). The MFU keeps the published formula in both variants.
///
/// Three conventions of the pipeline bubble are about: (p-1)/(p m) here, (p-1)/(m+p-1) of the whole interval and
/// (p-1)/(v m) of the ideal time (both in solver/pipelinebubble.h). Label each; never mix them in one chart.
namespace fleetwright::cube {

enum class Variant { Published, Corrected };
/// "published" or "corrected", else UnsupportedValue with the field.
[[nodiscard]] Expected<Variant> parseVariant(std::string_view text, std::string_view field = "variant");

/// The lab's controls run from 1 to this.
inline constexpr int largestControl = 64;

/// What the instrument holds fixed. The defaults are the lab's own.
struct Setting {
    Variant variant = Variant::Published;
    double parameters = 175e9; ///< P
    std::int64_t accelerators = 1024; ///< G
    Bytes capacity = 80.0 * gigabyte; ///< of one accelerator
    std::int64_t nodeSize = 8; ///< accelerators that share the scale-up fabric
    Bandwidth scaleUp = 900.0 * gigabytePerSecond; ///< NVLink 4, both directions together
    Bandwidth scaleOut = 400.0 * gigabytePerSecond; ///< the lab's unit slip, see dpwall::Setting
    Bytes weightElement = 2.0 * byte; ///< per parameter
    Bytes optimizerElement = 8.0 * byte; ///< per parameter
    Bytes activationBase = 8.0 * gigabyte; ///< at TP 1, whatever the batch, sequence or model
    double referenceMfu = 0.52; ///< of one accelerator on its own
    double tpLoss = 0.05; ///< MFU lost per doubling of TP, times the penalty
    double dpLoss = 0.02; ///< MFU lost per doubling of DP
    bool operator==(const Setting &) const = default;
};

struct Inputs {
    std::int64_t tp = 1;
    std::int64_t pp = 1;
    std::int64_t microbatches = 8; ///< m
    Setting setting;
    bool operator==(const Inputs &) const = default;
};

struct Figures {
    bool valid = false; ///< TP x PP divides the accelerators; the other figures exist all the same
    std::int64_t dp = 0; ///< 0 when TP x PP needs more accelerators than there are
    Bytes weights{}, optimizer{}, activations{}, total{};
    bool outOfMemory = false;
    double bubble = 0; ///< (pp-1)/(pp m)
    bool bubbleOverCeiling = false;
    bool tpCrossesNode = false;
    double tpPenalty = 1; ///< factor on the loss of TP
    double tpFactor = 1, bubbleFactor = 1, dpFactor = 1; ///< the MFU is the reference times these three, clamped
    double mfu = 0;
    bool operator==(const Figures &) const = default;
};

/// OutOfRange for "tp", "pp", "m" and the fields of the setting ("parameters", "gpus", "gpu_memory", "gpus_per_node",
/// "scale_up_bw", "scale_out_bw", "weight_bytes", "optimizer_bytes", "activation_base", "reference_mfu", "tp_loss",
/// "dp_loss").
[[nodiscard]] Expected<void> check(const Inputs &inputs);
/// Refuses as check() does. A product that does not divide the accelerators is not refused: see Figures::valid.
[[nodiscard]] Expected<Figures> price(const Inputs &inputs);

/// The lab's convention of the bubble, (pp-1)/(pp m); 0 for one stage. Both at least 1.
[[nodiscard]] inline double bubble(double stages, double microbatches)
{
    return (stages - 1.0) / (stages * microbatches);
}

/// Thresholds of the instrument.
inline constexpr double amberMemoryShare = 0.75; ///< 60 of 80 GB: amber above
inline constexpr double bubbleCeiling = 0.10, amberBubble = 0.05; ///< red above, amber above
inline constexpr double greenMfu = 0.40, amberMfu = 0.25; ///< at least
[[nodiscard]] Band memoryBand(Bytes total, Bytes capacity);
[[nodiscard]] Band bubbleBand(double bubble);
[[nodiscard]] Band mfuBand(double mfu);

struct CurvePoint {
    std::int64_t stages = 0;
    double bubble = 0;
    bool operator==(const CurvePoint &) const = default;
};

/// Microbatch counts of the lab's bubble chart, one line each.
[[nodiscard]] std::span<const std::int64_t> curveMicrobatches();

/// The bubble at 1 to `mostStages` stages. OutOfRange for "m" below 1.
[[nodiscard]] Expected<std::vector<CurvePoint>> bubbleCurve(std::int64_t microbatches, std::int64_t mostStages = 32);

} // namespace fleetwright::cube
