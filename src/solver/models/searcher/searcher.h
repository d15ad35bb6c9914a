// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/quantity.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

/// An empirical iteration time for (dp, tp, pp) on a homogeneous cluster, and the exhaustive search over it. Source: a
/// student project report on the automatic search of 3D parallelism; kept as published.
///
///     eff    = e0 / (1 + a (dp-1)) / (1 + c (tp-1)) / (1 + i |dp - tp|)
///     T_comp = 3 sum(layer work) / (peak dp tp) / eff;  divided by the overlap when pp > 1
///     T_dp   = 0 if dp = 1, else gradients 2 (dp-1)/dp / bw,  bw = scale-up if dp <= accelerators of a node, else
///     scale-out T_tp   = 0 if tp = 1, else (tp messages / tp) 2 (tp-1)/tp / scale-up T_pp   = 0 if pp = 1, else (pp-1)
///     2 max(layer activation) / scale-up T_iter = T_comp + T_dp + T_tp + T_pp
namespace fleetwright::searcher {

/// The model's GB is 1024 MB of 1e6 B; its bandwidths are in that GB per second.
inline const Bandwidth modelGigabytePerSecond = Bandwidth::from_value(1.024e9);
inline const Bytes modelMegabyte = Bytes::from_value(1e6);

/// As published; none is fitted to measurements.
struct Constants {
    double efficiency = 0.35; ///< e0, share of the peak at dp = tp = 1
    double dpPenalty = 0.20; ///< a, per added replica
    double tpPenalty = 0.25; ///< c, per added rank
    double imbalancePenalty = 0.1; ///< i, per unit of |dp - tp|
    double pipelineOverlap = 0.60; ///< divides the compute time when pp > 1
    double passes = 3; ///< forward and backward work over forward work
    bool operator==(const Constants &) const = default;
};

/// One iteration is one optimizer step over the global batch.
struct Inputs {
    std::int64_t accelerators = 8; ///< published as n_node times n_gpu_per_node
    std::int64_t domainSize = 8; ///< n_gpu_per_node: up to so many replicas exchange gradients over the scale-up link
    FlopRate peak{}; ///< of one accelerator
    Bandwidth scaleUp{}; ///< published as bw_gpu_to_gpu
    Bandwidth scaleOut{}; ///< published as bw_inter_node
    std::int64_t layers = 1;
    Flops work{}; ///< forward work of all layers for one iteration: the sum of layer_tflops
    Bytes largestActivation{}; ///< the largest entry of layer_activation_MB
    Bytes tpMessages{}; ///< tp_comm_sum_MB
    Bytes gradients{}; ///< dp_sum_gradient_MB
    Constants constants;
    bool operator==(const Inputs &) const = default;

    /// Takes what the model needs of the per-layer lists. OutOfRange with field "layer_tflops" or "layer_activation_MB"
    /// when a list does not have one finite value, zero or more, for each of `layers` layers.
    [[nodiscard]] Expected<void> setLayers(std::span<const Flops> layerWork, std::span<const Bytes> layerActivations);
};

struct Row {
    std::int64_t dp = 1, tp = 1, pp = 1;
    double efficiency = 0;
    Seconds compute{}, dpTime{}, tpTime{}, ppTime{};
    Seconds total{};
    bool operator==(const Row &) const = default;
};

/// The most accelerators that a cluster may have; with more, the search itself would not fit memory.
inline constexpr std::int64_t mostAccelerators = 1'000'000'000;

/// OutOfRange for "n_node", "n_gpu_per_node", "gpu_gflops", "bw_gpu_to_gpu", "bw_inter_node", "num_layers",
/// "layer_tflops", "layer_activation_MB", "tp_comm_sum_MB", "dp_sum_gradient_MB" and the constants ("base_efficiency",
/// "dp_penalty", "tp_penalty", "imbalance_penalty", "pipeline_overlap", "passes").
[[nodiscard]] Expected<void> check(const Inputs &inputs);

/// The time of one configuration. The inputs must have passed check(); dp, tp and pp are at least 1.
[[nodiscard]] Row price(const Inputs &inputs, std::int64_t dp, std::int64_t tp, std::int64_t pp);

struct Result {
    std::vector<Row> rows; ///< every configuration, in ascending (dp, tp, pp): the order of evaluation
    std::size_t best = 0; ///< the smallest total; of equal ones the first
    bool operator==(const Result &) const = default;
};

/// Share of the search that is done, 0 to 1; called now and then on the thread that called search().
using Progress = std::function<void(double)>;

/// Prices every (dp, tp, pp) with dp tp pp = all accelerators and pp <= layers, on `threads` threads (0: as many as the
/// machine has). The result is the same on any number of threads. Refuses as check() does; OutOfRange with field
/// "model" when a time is too long to represent; Cancelled soon after a stop was requested.
[[nodiscard]] Expected<Result> search(
    const Inputs &inputs, int threads = 0, const Progress &progress = {}, const std::stop_token &stop = {});

/// The published output file: one object whose keys are "dp, tp, pp" in the order of evaluation and whose values are
/// the iteration times in milliseconds with four decimals, `{"1, 1, 2": "15756.1460ms/iter", ...}`, on one line without
/// an end of line. The same bytes in every locale.
[[nodiscard]] std::string searcherJson(std::span<const Row> rows);

} // namespace fleetwright::searcher
