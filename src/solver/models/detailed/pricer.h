// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/configuration.h"
#include "solver/models/detailed/layerprice.h"
#include "solver/models/detailed/prepared.h"
#include "units/error.h"

/// The engine of the cost model `detailed`: closed-form time and memory of one training step. Formulas, sources and
/// constants: resources/handbook/models/detailed.md.
namespace fleetwright::detailed {

/// What limits a part of the step.
enum class Bound : std::uint8_t { Compute, MemoryBandwidth, ScaleUp, ScaleOut, Latency, Host, Dependency };
[[nodiscard]] std::string_view toString(
    Bound bound); ///< "compute", "memory bandwidth", "scale-up", "scale-out", "latency", "host", "dependency"

/// Memory of the fullest accelerator. The parts add up to `allocated`.
struct MemoryFigures {
    Bytes weights{}, gradients{}, optimizer{}, activations{},
        other{}; ///< other: working space of sharded parameters and recomputation, logits
    Bytes allocated{}; ///< what the framework allocates at its peak
    Bytes device{}; ///< what the device reports: allocated and the reserve for fragmentation, context and communicators
    int fullestStage = 0; ///< 0 first, 1 second, 2 last
    bool operator==(const MemoryFigures &) const = default;
};

/// Collective communication of one kind, in one step of the busiest rank.
struct CommunicationTime {
    Seconds total{}, exposed{};
    bool operator==(const CommunicationTime &) const = default;
};

/// The answer for one layout. The parts (compute, bubble, exposed communication, optimizer, overhead) times nothing but
/// the straggler factor add up to the step: step = straggler (compute + bubble + tp + cp + ep + pp + dp exposed +
/// optimizer) + overhead.
struct Figures {
    Seconds stepTime{}, computeTime{}, bubbleTime{}, optimizerTime{}, overheadTime{};
    CommunicationTime tp, cp, ep, pp, dp;
    Seconds forwardLayer{},
        backwardLayer{}; ///< [φ ψ] mean over the layers, one microbatch, with exposed communication and recomputation
    Seconds logits{}, embedding{}; ///< of one microbatch
    double microbatches = 1; ///< [m]
    Flops modelFlops{}; ///< of all ranks, without recomputation
    double mfu = 0; ///< against the peak of the precision
    double hfu = 0; ///< with full recomputation counted
    double mfu16 = 0; ///< against the 16-bit peak
    double tokensPerSecond = 0;
    MemoryFigures memory;
    bool fits = false; ///< device total within capacity
    bool operator==(const Figures &) const = default;
};

/// Prices layouts of one setting. Immutable: any number of threads may call it at once. Evaluation allocates nothing
/// unless it refuses.
class Pricer {
public:
    /// OutOfRange or UnsupportedValue with the native name of the field ("acc.peak16", "model.layers", "batch"...).
    [[nodiscard]] static Expected<Pricer> make(const Setting &setting);

    /// Whether the layout can exist at all: products, divisibility of heads, layers, experts, batch and sequence.
    /// InfeasibleParallelism or OutOfRange with the native field ("tp", "pp", "vs", "cp", "ep", "mb", "zero"...).
    [[nodiscard]] Expected<void> check(const Layout &layout) const;
    /// check() without the sentence, for searches.
    [[nodiscard]] bool isLegal(const Layout &layout) const;

    /// Counts must be positive; legality beyond that is check()'s business.
    [[nodiscard]] Figures price(const Layout &layout) const;

    [[nodiscard]] const Setting &setting() const { return m_setting; }
    [[nodiscard]] const Prepared &prepared() const { return m_prepared; }
    [[nodiscard]] double parameters() const; ///< of the architecture, all experts
    [[nodiscard]] Flops modelFlops() const { return Flops::from_value(m_prepared.modelFlops); }

private:
    explicit Pricer(const Setting &setting);
    Setting m_setting;
    Prepared m_prepared;
};

} // namespace fleetwright::detailed
