// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/costmodel.h"
#include "solver/models/detailed/softwarechoice.h"

/// What the detailed model tells people about itself: assumptions, details and limitations.
namespace fleetwright::detailed {

/// Order of Estimate::details.
enum class Detail : std::size_t {
    ExposedTp,
    ExposedCp,
    ExposedEp,
    ExposedPp,
    ExposedDp,
    ForwardLayer,
    BackwardLayer,
    Logits,
    Embedding,
    Microbatches,
    Microbatch,
    Mfu16,
    ModelFlops,
    Allocated,
    FullestStage,
    Parameters
};

[[nodiscard]] std::span<const DetailDescriptor> detailDescriptors();
[[nodiscard]] std::span<const Limitation> limitationTexts();
[[nodiscard]] std::span<const AssumptionDescriptor> assumptionDescriptors();

/// Choices that are not "auto" and numbers that are not zero; what is left out follows the software class, the stack,
/// the family or the layout.
struct Choices {
    std::optional<SoftwareClass> softwareClass;
    std::optional<Software> software;
    std::optional<int> attentionKernel, gradientBytes;
    std::optional<bool> dpOverlap, tpOverlap, ppOverlap, epOverlap, dropout, compiledLoss;
    bool graphs = false, fourBitBase = false;
    double bubbleShare = 1, straggler = 1, imbalance = 1;
    bool causal = true;
    std::int64_t expertTp = 0, shardGroup = 0;
    std::optional<double> recomputeShare;
    Constants constants;
};
/// Checks the assumptions against their descriptors and reads every value, edited, calibrated or default.
[[nodiscard]] Expected<Choices> choicesFrom(const Assumptions &assumptions);
/// Puts what is chosen in place of what the setting's stack does by itself. Software class, stack and constants, and
/// what belongs to a layout, are the caller's.
void takeChoices(const Choices &choices, Setting &setting);

} // namespace fleetwright::detailed
