// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/quantity.h"

#include <optional>

/// Failures of a fleet and what checkpoints make of them (Young 1974; Daly 2006). Parts fail independently at constant
/// rates; any failure stops the job.
namespace fleetwright {

/// The published planning values.
struct ReliabilityConstants {
    Seconds acceleratorMttf = 50'000.0 * hour;
    Seconds nicMttf = 150'000.0 * hour;
    Seconds psuMttf = 100'000.0 * hour;
    double psusPerNode = 2; ///< where the node states none
    double nicsPerNode = 8; ///< where the node states none (a DGX)
    Seconds checkpointWrite = 60.0 * second;
    Seconds recovery = 300.0 * second;
};

struct ReliabilityInputs {
    double nodes = 1;
    double acceleratorsPerNode = 1, nicsPerNode = 0, psusPerNode = 0;
    Seconds duration{}; ///< T, of the job
    Seconds checkpointWrite{}; ///< delta
    Seconds recovery{};
};

struct Reliability {
    Seconds nodeMtbf{}; ///< 1 / (accelerators/MTTF + NICs/MTTF + PSUs/MTTF)
    Seconds fleetMtbf{}; ///< M = node MTBF / nodes
    Seconds checkpointInterval{}; ///< tau = sqrt(2 delta M): Young 1974
    double failureProbability = 0; ///< of at least one in the job: 1 - exp(-T/M)
    double expectedFailures = 0; ///< T/M
    /// max(0, 1 - delta/tau - recovery/M). The half interval that each failure throws away is not in it, as published.
    double goodput = 0;
};

/// OutOfRange "nodes", "accelerators_per_node" (< 1), "nics_per_node", "psus_per_node", "job_hours", "checkpoint_s",
/// "recovery_s" (negative), "mttf" (not positive).
[[nodiscard]] Expected<Reliability> reliability(
    const ReliabilityInputs &inputs, const ReliabilityConstants &constants = {});

struct CheckpointConstants {
    Bytes adamState = 14.0 * byte; ///< per parameter: 2 weights, 12 Adam
    Bytes sgdState = 4.0 * byte;
    Bandwidth storage = 1.0 * gigabytePerSecond; ///< of one writer, where it states none
    Bandwidth ceiling = 500.0 * gigabytePerSecond; ///< of the shared storage behind all writers
    Seconds slow = 60.0 * second; ///< writes above it are flagged
};

struct Checkpoint {
    Bytes size{}; ///< bytes per parameter times parameters
    Bandwidth bandwidth{}; ///< min(storage * writers, ceiling)
    Seconds write{}; ///< size / bandwidth
    bool slow = false;
};

/// `storage`: write bandwidth of one writer. OutOfRange "parameters" (not positive), "writers" (< 1), "storage_bw" (not
/// positive).
[[nodiscard]] Expected<Checkpoint> checkpoint(double parameters, Bytes statePerParameter, double writers,
    std::optional<Bandwidth> storage, const CheckpointConstants &constants = {});

} // namespace fleetwright
