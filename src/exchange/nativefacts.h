// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/nativereader.h"
#include "solver/models/firstorder/firstorder.h"

/// Workloads, accelerators and fleets as the native inputs of the building blocks spell them, in base units.
namespace fleetwright::exchange {

inline constexpr int mostCount = 1'000'000'000; ///< of any count that the domain keeps as int

[[nodiscard]] WorkloadFacts readWorkload(NativeReader in);

struct NativeAccelerator {
    AcceleratorFacts facts; ///< with the purchase price, where one is stated
    std::optional<Bandwidth> flashBandwidth;
    std::optional<Bandwidth> storageBandwidth; ///< local storage that checkpoints are written to
    std::optional<Seconds> scaleUpLatency;
};
[[nodiscard]] NativeAccelerator readAccelerator(NativeReader in);

struct NativeFabric {
    Bandwidth bandwidth{};
    std::optional<Seconds> latency;
    double oversubscription = 1;
};
[[nodiscard]] NativeFabric readFabric(NativeReader in);

struct NativeFleet {
    NativeAccelerator accelerator;
    NativeFabric fabric;
    int nodes = 1;
    int acceleratorsPerNode = 1;
    Bandwidth scaleUpBandwidth{};
    std::optional<int> nicsPerNode, psusPerNode;
    std::optional<double> pue;
    [[nodiscard]] std::int64_t accelerators() const { return std::int64_t(nodes) * acceleratorsPerNode; }
};
[[nodiscard]] NativeFleet readFleet(NativeReader in);
void applyFleet(const NativeFleet &fleet, firstorder::Inputs &inputs);

/// Takes the value, or remembers the refusal.
template <class T> T take(NativeReader &in, Expected<T> value, T otherwise = {})
{
    if (value)
        return std::move(*value);
    in.fail(value.error().code, value.error().field, std::move(value.error().message));
    return otherwise;
}

} // namespace fleetwright::exchange
