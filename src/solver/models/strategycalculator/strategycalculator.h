// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/quantity.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Memory, communication volume and feasibility per (tp, pp), with a recommendation. Source: the tutorial script
/// parallel_strategy_calculator.py; kept as published. Volumes are bytes per optimizer step, not times.
///
///     count        = V h + L (4 h^2 + 2 h floor(r h) E),  E = 1 for dense models
///     weights      = gradients = count d;   optimizer = 8 count
///     k            = floor(B / floor(B / pp))                                   sequences held
///     activations  = floor(10 k s h / tp) floor(L / pp) d
///     memory       = (weights + gradients) / (tp pp) + optimizer / (tp pp dp) + activations,  dp = floor(G / (tp pp))
///     fits         = memory < 0.9 M
///     tp volume    = 4 B s h d (tp-1)/tp L / pp
///     pp volume    = 2 B s h d
///     dp volume    = 2 (P / pp) d (dp-1)/dp
namespace fleetwright::strategycalculator {

/// As published.
struct Constants {
    Bytes element = 2.0 * byte; ///< d, per weight, gradient and activation
    Bytes optimizerElement = 8.0 * byte; ///< per parameter
    double activationFactor = 10; ///< activations of a layer, in units of k s h elements
    double memoryShare = 0.9; ///< of the capacity that a row may use
    double countTolerance = 0.03; ///< stated and counted parameters may differ by this share of the stated ones
    std::int64_t expertRanks = 8; ///< EP that the advice for mixtures of experts assumes
    double expertsPreferred = 4; ///< EP is preferred when there are at least this many experts per TP rank; the
                                 ///< script's words are "far outnumber"
    bool operator==(const Constants &) const = default;
};

struct Inputs {
    double parameters = 70e9; ///< P as stated; enters the DP volume only
    std::int64_t hidden = 8192, layers = 80, vocabulary = 128000;
    double ffnRatio = 4; ///< r
    bool mixtureOfExperts = false;
    std::int64_t experts = 1; ///< counts only with mixtureOfExperts
    std::int64_t accelerators = 64; ///< G
    Bytes capacity = 80.0 * gigabyte; ///< M
    std::int64_t acceleratorsPerNode = 8; ///< g
    std::int64_t batch = 512; ///< B
    std::int64_t sequenceLength = 4096;
    std::int64_t microbatches = 8; ///< m, for the bubble beside pipelined rows
    std::int64_t microbatchSize = 0; ///< above 0: m is ceil(max(1, floor(B / dp)) / size) of the row instead
    Constants constants;
    bool operator==(const Inputs &) const = default;
};

struct ModelSize {
    double count = 0; ///< parameters, counted from the architecture
    Bytes weights{}, gradients{}, optimizer{}, total{};
    bool operator==(const ModelSize &) const = default;
};

struct Row {
    std::int64_t tp = 1, pp = 1, dp = 1;
    double sequencesHeld = 1; ///< k
    Bytes weights{}, gradients{}, optimizer{}, activations{}; ///< of one accelerator
    Bytes memory{};
    bool fits = false;
    Bytes tpVolume{}, ppVolume{}, dpVolume{}, volume{};
    bool tpInsideNode = true;
    std::int64_t idleAccelerators = 0; ///< G - tp pp dp: the published floor leaves them out
    std::int64_t microbatches = 1; ///< m
    std::optional<double> bubble; ///< (pp-1)/(pp-1+m) of the pipelined interval; absent for one stage
    bool operator==(const Row &) const = default;
};

struct Table {
    ModelSize model;
    std::vector<Row> rows; ///< tp 1, 2, 4, 8 up to a node, then pp 1, 2, 4, 8, 16
    std::optional<std::size_t> recommended; ///< a row; nothing when none fits
    std::vector<std::string> reasons; ///< why that row; without one: that no row fits and what to try
    std::vector<std::string> expertAdvice; ///< for mixtures of experts
    std::optional<std::string> countWarning; ///< stated and counted parameters differ
    bool operator==(const Table &) const = default;
};

/// OutOfRange for "params_billions", "hidden", "layers", "vocab", "ffn_ratio", "experts", "gpus", "gpu_memory_gb",
/// "gpus_per_node", "batch", "seq", "microbatches" and the constants ("bytes_per_element", "optimizer_bytes",
/// "activation_factor", "memory_share", "count_tolerance").
[[nodiscard]] Expected<void> check(const Inputs &inputs);

/// The inputs must have passed check().
[[nodiscard]] ModelSize modelSize(const Inputs &inputs);
/// Stated against counted parameters: |P - count| / P.
[[nodiscard]] double countDifference(const Inputs &inputs);

/// One row, also outside the published table. The inputs must have passed check(). OutOfRange with field "tp" or "pp"
/// below 1, with field "batch" when it is smaller than pp; InfeasibleParallelism with field "tp" when tp pp exceeds the
/// accelerators.
[[nodiscard]] Expected<Row> price(const Inputs &inputs, std::int64_t tp, std::int64_t pp);

/// The whole table with its recommendation: among rows that fit, those with TP inside a node first, then the smallest
/// volume; of equal ones the first. Refuses as check() does; OutOfRange with field "batch" when it is smaller than the
/// pp of a row.
[[nodiscard]] Expected<Table> calculate(const Inputs &inputs);

} // namespace fleetwright::strategycalculator
