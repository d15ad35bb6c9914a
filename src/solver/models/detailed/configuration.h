// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/training.h"
#include "solver/models/detailed/constants.h"
#include "units/quantity.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// What the cost model `detailed` is asked about, in its own terms. Symbols in brackets are those of
/// resources/handbook/models/detailed.md.
namespace fleetwright::detailed {

/// One accelerator and how it reaches the others.
struct Machine {
    Family family = Family::A100;
    FlopRate peak16{}, peak8{},
        peak4{}; ///< [P16, P8, P4] dense; peak8 equals peak16 where the hardware has no 8 bits, peak4 then peak8
    Bandwidth memoryBandwidth{}; ///< [B]
    Bytes capacity{}; ///< [cap]
    Bandwidth scaleUp{}; ///< [U] per accelerator, one direction
    std::int64_t domain = 1; ///< [D] accelerators of one scale-up domain
    Bandwidth scaleOut{}; ///< [W] per accelerator, one direction
    bool operator==(const Machine &) const = default;
};

/// The transformer.
struct Architecture {
    std::int64_t layers = 1, hidden = 1, heads = 1, kvHeads = 1, headDim = 1; ///< [L h a k d]
    std::int64_t ffn = 1; ///< [f]
    bool gated = false; ///< two matrices enter the activation [g = 2], else one
    std::int64_t vocabulary = 1; ///< [V]
    bool latentAttention = false; ///< MLA as in DeepSeek-V2 and V3: ranks 1536 and 512, head sizes 192 and 128
    bool tiedEmbeddings = false;
    std::int64_t experts = 0, expertsPerToken = 0, expertFfn = 0, sharedExperts = 0,
                 expertLayers = 0; ///< [E q f_e s_e L_e]; dense layers come first
    double workScale = 1; ///< on all layer work: published over computed parameters of a hybrid model
    bool operator==(const Architecture &) const = default;
};

/// Which generation of training software runs it. Research: eager code in which nothing overlaps.
enum class Software : std::uint8_t { MegatronV2, MegatronDeepSpeed, MegatronCore, Fsdp, FsdpCompiled, Xla, Research };
inline constexpr std::size_t softwareCount = 7;
[[nodiscard]] std::string_view toString(
    Software software); ///< "megatron_v2", "megatron_ds", "megatron_core", "fsdp", "fsdp_compile", "xla", "research"
[[nodiscard]] std::string_view inWords(Software software); ///< "Megatron-Core", for people
[[nodiscard]] Expected<Software> parseSoftware(std::string_view text, std::string_view field = "stack");

/// What a software generation does unless the run says otherwise.
struct Stack {
    Software software = Software::MegatronCore;
    bool dpOverlap = true, tpOverlap = true, ppOverlap = true;
    int gradientBytes = 2; ///< [w_g]
    bool dropout = false;
    bool epOverlap = false; ///< expert exchange runs beside other work of its layer
    bool graphs = false; ///< the step is captured in CUDA graphs: the host launches nothing
    bool compiledLoss = false; ///< of FSDP stacks: one kernel makes the loss, without 32-bit copies of the logits
    bool operator==(const Stack &) const = default;
};
[[nodiscard]] Stack defaultsOf(Software software);

/// Everything that does not depend on how the job is split.
struct Setting {
    Machine machine;
    /// Where no run was measured on the machine: the families whose geometric mean stands in for the constants that
    /// differ between families. One or none: machine.family.
    FamilyMatch families{};
    Architecture architecture;
    Stack stack;
    Constants constants;
    std::int64_t accelerators = 1; ///< [n]
    std::int64_t sequenceLength = 1; ///< [s]
    std::int64_t globalBatch = 1; ///< [G]
    int precisionBits = 16; ///< of the weight products: 16, 8 or 4
    int attentionKernel = 3; ///< generation of the fused kernel, 0 not fused
    bool lora = false;
    double loraBaseBytes = 0; ///< of a frozen weight that is stored in fewer bits than it computes with (0.6 for 4
                              ///< bits); 0: as the precision
    bool causal = true;
    double bubbleShare = 1; ///< [β_s] 1 for 1F1B, 1/3 and 0 for the zero-bubble schedules
    double straggler = 1;
    double imbalance = 1; ///< load of the busiest expert over the mean
    bool operator==(const Setting &) const = default;
};

/// How the job is split. n = tp pp cp dp; EP lives inside tp cp dp.
struct Layout {
    std::int64_t tp = 1, pp = 1, virtualStages = 1, cp = 1, dp = 1; ///< [t p v c r]
    std::int64_t ep = 1, expertTp = 1; ///< [e t_e]
    std::int64_t microbatch = 1; ///< [b] sequences per rank
    int zeroStage = 0; ///< [z]
    std::int64_t shardGroup = 0; ///< [S] of hybrid sharding; 0: all of DP and CP
    bool sequenceParallel = false;
    Recompute recompute = Recompute::None;
    /// Share of the layers' forward work that is computed again, 0 to 1, for policies between the usual ones; nothing:
    /// what `recompute` means. Without effect where `recompute` is None; Full keeps the rest of the activations.
    std::optional<double> recomputeShare{};
    bool operator==(const Layout &) const = default;
};

/// Expert tensor parallelism as stated, or what frameworks do: none beside EP, else that of the other layers. `stated`
/// 0: not stated.
[[nodiscard]] constexpr std::int64_t expertTpOf(std::int64_t stated, std::int64_t tp, std::int64_t ep)
{
    return stated > 0 ? stated : ep > 1 ? 1 : tp;
}

} // namespace fleetwright::detailed
