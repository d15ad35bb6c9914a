// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/fleet.h"
#include "domain/parallelism.h"
#include "domain/training.h"
#include "domain/workload.h"
#include "solver/blocks/singleaccelerator.h"
#include "solver/explain/explanation.h"
#include "solver/models/estimate.h"

/// What the published planners read alike from a plan. Refusals name fields of plans.
namespace fleetwright::planners {

/// An input of a published planner, as it was derived from a plan.
struct NativeInput {
    std::string name; ///< as the planner calls it: "layer_tflops"
    double value = 0; ///< in `unit`
    std::string unit; ///< the planner's own; empty for counts and ratios
    ExplainedFigure figure; ///< the same value in base units with its derivation
    bool operator==(const NativeInput &) const = default;
};

class Facts {
public:
    /// MissingField or UnsupportedValue for "workload", "training.precision" or "fleet.node" when the plan lacks what
    /// every planner needs.
    [[nodiscard]] static Expected<Facts> create(const Workload &workload, const Fleet &fleet, const Training &training);

    Workload workload;
    Fleet fleet;
    Training training;
    PeakChoice peak; ///< dense, of one accelerator, for the plan's precision
    Notices notices; ///< assumptions made on the way

    [[nodiscard]] int accelerators() const { return fleet->accelerators(); }
    /// The scale-up domain of the node, no more than the fleet: what the planners call a node.
    [[nodiscard]] int domainSize() const;
    /// Units of work in one sample of the global batch: tokens of a sequence, or 1 for workloads counted in images and
    /// the like.
    [[nodiscard]] double tokensPerSample() const { return countsTokens() ? double(training.sequenceLength) : 1.0; }
    [[nodiscard]] bool countsTokens() const { return fleetwright::countsTokens(*workload); }
    [[nodiscard]] Bytes element() const { return bytesPerElement(training.precision); }
    /// Forward and backward work of one step: 6 P_a per token (Kaplan 2020), P_a the active parameters.
    [[nodiscard]] Flops work() const
    {
        return 6.0 * workload->activeParameters * double(training.globalBatch) * tokensPerSample() * flop;
    }
    /// Microbatches of a replica: as stated, or ceil(max(1, floor(B / dp)) / microbatch size).
    [[nodiscard]] std::int64_t microbatches(std::int64_t dp) const;
    /// Of the accelerator, one direction: the node's scale-up link, or the host link where the node states none (with a
    /// notice).
    [[nodiscard]] Bandwidth scaleUp() const { return m_scaleUp; }
    /// Of one accelerator, one direction, oversubscription applied.
    [[nodiscard]] Bandwidth scaleOut() const { return fleet->scaleOutBandwidth() / fleet->fabric->oversubscription; }

    /// Fills samples and tokens per second and model FLOP per accelerator from the step time, and the MFU, work / (N
    /// peak step), unless the model has its own.
    void fillRates(Estimate &estimate) const;

    // The same values explained; keys "accelerators", "domain_size", "peak_flops_per_s", "scale_up_bytes_per_s",
    // "scale_out_bytes_per_s", "memory.capacity_bytes", "model_flops", "microbatches".
    void explainAccelerators(Explanation &out) const;
    void explainDomain(Explanation &out) const;
    void explainPeak(Explanation &out) const;
    void explainScaleUp(Explanation &out) const;
    void explainScaleOut(Explanation &out) const;
    void explainCapacity(Explanation &out) const;
    void explainWork(Explanation &out) const;
    void explainMicrobatches(Explanation &out, std::int64_t dp) const;
    /// DP = N / (TP PP), key "parallelism.dp"; needs "accelerators".
    void explainDp(Explanation &out, const Parallelism &split, int dp) const;
    /// What fillRates() filled, the MFU unless it is explained already; needs "step_time_s", "accelerators",
    /// "peak_flops_per_s" and "model_flops".
    void explainRates(Explanation &out, const Estimate &estimate) const;
    [[nodiscard]] FormulaInput batch() const;
    [[nodiscard]] FormulaInput sequence() const;
    [[nodiscard]] FormulaInput width() const;
    [[nodiscard]] FormulaInput parameters() const;
    [[nodiscard]] FormulaInput layers() const;
    [[nodiscard]] FormulaInput hidden() const;

private:
    Facts(const Workload &itsWorkload, const Fleet &itsFleet, const Training &itsTraining)
        : workload(itsWorkload), fleet(itsFleet), training(itsTraining)
    {
    }
    Bandwidth m_scaleUp{};
};

/// The architecture's count, or MissingField with field "workload": what is missing ("number of layers") and where to
/// fill it in.
[[nodiscard]] Expected<int> required(const std::optional<int> &count, std::string_view what, const Workload &workload);

/// OutOfRange for a rank count below 1 ("parallelism.tp"...), UnsupportedValue for CP above 1.
[[nodiscard]] Expected<void> checkRanks(const Parallelism &split, std::string_view modelTitle);
/// The same, and InfeasibleParallelism with field "parallelism" when TP x PP exceeds or does not divide the
/// accelerators. Returns DP.
[[nodiscard]] Expected<int> dataParallel(const Parallelism &split, int accelerators, std::string_view modelTitle);

/// What the plan asks for and these planners do not know: EP above 1, and virtual stages, ZeRO, recomputation, LoRA or
/// accumulation.
[[nodiscard]] Notices ignoredSettings(const Parallelism &split, const Training &training);

[[nodiscard]] FormulaInput tpInput(const Parallelism &split);
[[nodiscard]] FormulaInput ppInput(const Parallelism &split);

} // namespace fleetwright::planners
