// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/accelerator.h"
#include "domain/workload.h"
#include "solver/blocks/collectives.h"
#include "solver/blocks/singleaccelerator.h"
#include "solver/blocks/trainingmemory.h"
#include "solver/models/estimate.h"

/// The first-order model of distributed training: roofline compute (Williams 2009), alpha-beta collectives (Patarasuk,
/// Yuan 2009; Thakur 2005), tensor parallelism after Shoeybi 2019, pipeline bubble after Narayanan 2019/2021, expert
/// all-to-all after Fedus 2022, memory after Rajbhandari 2020 and Korthikanti 2022, stragglers after Dean, Barroso
/// 2013. This file is the model on its own inputs, with native field names in refusals; firstordermodel.h makes it a
/// CostModel.
namespace fleetwright::firstorder {

/// Replica: compute, memory and gradients are divided by TP x PP x EP. Unsharded: as first published, one accelerator
/// computes and holds the whole replica.
enum class Variant { Replica, Unsharded };
[[nodiscard]] Expected<Variant> parseVariant(std::string_view text, std::string_view field = "variant");

/// How data parallelism reduces gradients. Auto: hierarchical over nodes, ring inside one. Ring and Tree: one flat
/// collective over all replicas on the link of its slowest hop.
enum class ReduceTopology { Auto, Ring, Tree };
[[nodiscard]] Expected<ReduceTopology> parseReduceTopology(std::string_view text, std::string_view field = "topology");

/// Everything that does not depend on the parallelism.
struct Inputs {
    Variant variant = Variant::Replica;
    WorkloadFacts workload;
    AcceleratorFacts accelerator;
    std::optional<Bandwidth> flashBandwidth;

    std::int64_t accelerators = 1; ///< N
    std::int64_t domainSize = 1; ///< g: accelerators that share the scale-up link
    Bandwidth scaleUpBandwidth{};
    std::optional<Seconds> scaleUpLatency;
    Bandwidth fabricBandwidth{}; ///< of one accelerator, before oversubscription
    std::optional<Seconds> fabricLatency;
    double oversubscription = 1;

    std::int64_t globalBatch = 1;
    std::int64_t accumulationSteps = 1;
    std::int64_t sequenceLength = 1;
    Expected<Precision> precision = Precision::Fp16; ///< an error is reported where the model's order of checks has it
    bool lora = false;
    bool recompute = false;

    double efficiency = 0.5;
    bool overlap = false;
    double overlapEfficiency = 0.85;
    double congestion = 1; ///< the published model takes any positive factor; below 1 it speeds communication up
    double straggler = 1; ///< factors below 1 count as 1, as published
    double imbalance = 1;
    ReduceTopology topology = ReduceTopology::Auto;
    FirstOrderConstants constants;
};

struct Split {
    std::int64_t tp = 1, pp = 1, ep = 1;
    std::int64_t virtualStages = 1;
    std::int64_t zeroStage = 0;
    std::int64_t microbatches = 1;
    std::int64_t microbatchSize = 0; ///< when above 0, microbatches is ceil(local batch / size) instead
};

struct Figures {
    std::int64_t dp = 1;
    double localBatch = 1;
    double microbatches = 1;
    Seconds computeTime{}, memoryTime{}, overhead{}, nodeLatency{}; ///< T_c, T_m, tax, T_node
    Seconds dpTime{}, tpTime{}, epTime{}; ///< before overlap
    Seconds exposedDpTime{}, bubbleTime{}, stepTime{};
    double bubbleFraction = 0;
    double scalingEfficiency = 0;
    double samplesPerSecond = 0;
    double publishedThroughput = 0; ///< N (b / T_node) * scaling: counts every accelerator as a replica
    double replicaMfu = 0, replicaHfu = 0;
    bool memoryBound = false;
    Flops work{}; ///< of one replica, per step
    Bytes traffic{};
    TrainingMemory memory;
    Bytes footprint{}, spill{};
    bool fits = false;
    Bandwidth effectiveBandwidth{};
    Bytes dpMessage{}, tpMessage{};
    Link dpLink{}, tpLink{}; ///< of the slowest hop; zero when there is no such traffic
    Notices notices;
};

/// Prices splits of one set of inputs. Immutable after construction; price() allocates only to refuse.
class Pricer {
public:
    explicit Pricer(const Inputs &inputs);

    /// The first refusal that no split could avoid: settings, precision, workload, accelerator. Native fields.
    [[nodiscard]] Expected<void> check() const;

    /// Refusals in the published order, with native fields: OutOfRange "tp_size", "pp_size", "ep_size", "batch_size",
    /// "gradient_accumulation_steps", "efficiency", "overlap_efficiency", "moe_routing_imbalance_factor", then
    /// "congestion_factor", "straggler_factor", "seq_len" and facts that are not finite or not positive;
    /// InfeasibleParallelism "parallelism" when t p e exceeds or does not divide the accelerators; then for Unsharded
    /// precision, heads, links ("bandwidth", "intra_node_bw", when used), pipeline
    /// ("microbatch_count", "v_stages"); for Replica precision, pipeline, memory ("zero_stage"), links. Last,
    /// OutOfRange "fleet" when the step time overflows.
    [[nodiscard]] Expected<Figures> price(const Split &split) const;

    [[nodiscard]] const Inputs &inputs() const { return m_inputs; }
    [[nodiscard]] double hiddenOverlap() const { return m_hiddenOverlap; }
    [[nodiscard]] double straggler() const { return m_straggler; }
    /// Notices that hold for every split.
    [[nodiscard]] Notices notices() const { return m_notices; }

private:
    [[nodiscard]] TrainingMemory unshardedMemory(double localBatch, int zeroStage, double replicas) const;
    [[nodiscard]] TrainingMemory replicaMemory(
        const Split &split, double shards, double stageLayers, const Figures &figures) const;
    void priceDataParallel(double shards, Figures &figures) const;
    /// `sharing`: accelerators over which a replica is divided, 1 in the unsharded variant.
    void priceMemory(const Split &split, double shards, double sharing, double stageLayers, Figures &figures) const;
    [[nodiscard]] std::optional<Error> brokenLink(const Split &split, double shards, std::int64_t replicas) const;

    Inputs m_inputs;
    std::optional<Error> m_settingsError;
    std::optional<Error> m_precisionError;
    std::optional<Error> m_headsError;
    Notices m_notices;

    bool m_transformer = true;
    double m_layers = 1, m_hidden = 1, m_heads = 0;
    double m_hiddenOverlap = 0, m_straggler = 1;
    double m_loraShare = 1;
    Bytes m_width{};
    Bytes m_weights{}; ///< of the whole model
    FlopRate m_peak{};
    Flops m_workPerSample{};
    Bytes m_sampleMessage{}; ///< s h w of one sequence
    double m_expertFactor = 1; ///< k i
    Seconds m_overhead{};
    MemoryRates m_rates;
    Link m_scaleUp, m_fabric, m_hierarchyInner, m_slowestHop;
};

} // namespace fleetwright::firstorder
