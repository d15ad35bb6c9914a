// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/costmodel.h"
#include "solver/models/firstorder/firstorder.h"

/// What the first-order model tells people about itself: assumptions, details and limitations.
namespace fleetwright::firstorder {

/// Order of Estimate::details.
enum class Detail : std::size_t {
    ReplicaMfu,
    NodeLatency,
    RooflineCompute,
    MemoryTime,
    Intensity,
    EffectiveMemoryBandwidth,
    Spill,
    NodeEnergy,
    LocalBatch,
    Microbatches,
    DpMessage,
    DpLink,
    TpMessage,
    TpLink,
    HiddenComm,
    PublishedThroughput
};

[[nodiscard]] std::span<const DetailDescriptor> detailDescriptors();
[[nodiscard]] std::span<const Limitation> limitationTexts();
[[nodiscard]] std::span<const AssumptionDescriptor> assumptionDescriptors();

/// Inputs with every assumption, edited or default, once they are checked against their descriptors; the rest are left.
[[nodiscard]] Expected<Inputs> inputsOf(const Assumptions &assumptions);

} // namespace fleetwright::firstorder
