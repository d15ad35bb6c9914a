// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/band.h"
#include "units/error.h"
#include "units/quantity.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// The data-parallel wall: one instrument of the interactive lab "The Parallelism Paradox". Every accelerator holds the
/// whole model, works on its own microbatch and then takes part in one all-reduce of all gradients.
///
///     gradient    = 2 P                                              [B]
///     T_allreduce = gradient 2 (N-1)/N / bandwidth                   [s]   ring, without latency
///     T_compute   = 6 P b / (peak MFU_ref)                           [s]
///     ratio       = T_allreduce / T_compute
///     MFU         = MFU_ref T_compute / (T_compute + exposed)              exposed = T_allreduce as published
///
/// Corrected: the dense peak, tokens = b s in place of samples, bandwidths as accelerators really have them, and an
/// overlap of all-reduce and backward pass: hidden = min(overlap T_allreduce, 2/3 T_compute), because gradients can
/// only hide behind the backward pass, which is two thirds of the work.
namespace fleetwright::dpwall {

enum class Variant { Published, Corrected };
/// "published" or "corrected", else UnsupportedValue with the field.
[[nodiscard]] Expected<Variant> parseVariant(std::string_view text, std::string_view field = "variant");

/// What the user chose the gradients to travel over.
enum class Fabric { ScaleUp, ScaleOut };

/// What the instrument holds fixed. The defaults are the lab's own.
struct Setting {
    FlopRate peak = 1979.0 * teraflopPerSecond; ///< H100 SXM, 16 bit, the vendor's figure WITH structured sparsity
    Bandwidth scaleUp = 900.0 * gigabytePerSecond; ///< NVLink 4, both directions together
    Bandwidth scaleOut = 400.0
        * gigabytePerSecond; ///< unit slip of the lab: the product sold as "200 Gb/s" moves 25 GB/s per port
    std::int64_t domainSize = 8; ///< accelerators that share the scale-up fabric
    double referenceMfu = 0.52; ///< without communication; the lab's figure for 8 accelerators
    Bytes gradientElement = 2.0 * byte; ///< per parameter
    double tokensPerSample = 1; ///< 1: b counts samples and no sequence length enters, as published
    double overlap = 0; ///< share of the all-reduce that buckets send early enough to hide; 0 as published
    bool operator==(const Setting &) const = default;
};

/// The lab's setting.
[[nodiscard]] inline Setting published() { return {}; }

/// The same machine counted soundly: H100 dense 16-bit peak (data sheet, 989 TFLOP/s), NVLink 4 one direction 450 GB/s,
/// one 400 Gb/s port per accelerator (NDR InfiniBand, 50 GB/s), `tokensPerSample` tokens in a sample, and 70 % overlap
/// (the lab: 60 to 80 % is typical).
[[nodiscard]] Setting corrected(double tokensPerSample = 2048);

struct Inputs {
    double parameters = 70e9; ///< P
    std::optional<double> activeParameters; ///< those that compute, of mixtures of experts; all where absent
    std::int64_t accelerators = 8; ///< N
    double batchPerAccelerator = 8; ///< b, samples
    Fabric fabric = Fabric::ScaleOut;
    Setting setting;
    bool operator==(const Inputs &) const = default;
};

struct Figures {
    Bytes gradient{};
    Bandwidth bandwidth{}; ///< that the all-reduce runs at
    bool forcedScaleOut = false; ///< scale-up was chosen, but the accelerators do not fit its domain
    Seconds allReduceTime{}; ///< before overlap
    Seconds hiddenTime{};
    Seconds exposedTime{}; ///< what the step waits for
    Seconds computeTime{};
    double ratio = 0; ///< allReduceTime / computeTime
    double exposedRatio = 0; ///< exposedTime / computeTime; equals ratio without overlap
    double mfu = 0; ///< over setting.peak
    bool operator==(const Figures &) const = default;
};

/// OutOfRange for "params_b", "gpus", "batch_per_gpu" and the fields of the setting ("peak_flops", "scale_up_bw",
/// "scale_out_bw", "domain_size", "reference_mfu", "gradient_bytes_per_parameter", "tokens_per_sample", "overlap").
[[nodiscard]] Expected<void> check(const Inputs &inputs);
/// Refuses as check() does.
[[nodiscard]] Expected<Figures> price(const Inputs &inputs);

/// Thresholds of the instrument.
inline constexpr double greenMfu = 0.45, amberMfu = 0.25; ///< at least
inline constexpr double greenRatio = 0.3, amberRatio = 0.8; ///< at most
inline constexpr double practicalFloor = 0.40; ///< MFU below which the lab calls a run impractical
[[nodiscard]] Band mfuBand(double mfu);
[[nodiscard]] Band ratioBand(double ratio);

/// A default gradient bucket of data-parallel frameworks, and how much of the all-reduce buckets typically hide (the
/// lab's note).
inline const Bytes bucketSize = Bytes::from_value(25e6);
inline constexpr double typicalOverlapLow = 0.6, typicalOverlapHigh = 0.8;

struct CurvePoint {
    std::int64_t accelerators = 0;
    double mfu = 0;
    bool operator==(const CurvePoint &) const = default;
};

/// The MFU that the lab reports as observed at 8, 64 and 512 accelerators.
[[nodiscard]] std::span<const CurvePoint> observations();

/// The MFU at 8, 16, 32 ... 1024 accelerators with everything else as in `inputs`. Refuses as price() does.
[[nodiscard]] Expected<std::vector<CurvePoint>> mfuCurve(Inputs inputs);

} // namespace fleetwright::dpwall
