// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/quantity.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// Failures of a fleet and what checkpoints make of them (Young 1974; Daly 2006; Kokolis 2025). Parts fail
/// independently at constant rates; any failure stops the job. reliability() is the published planning block;
/// goodput() counts the lost work too.
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

/// sqrt(2 w M): the interval that loses least when writing a checkpoint blocks the job for w, small against the mean
/// time between failures M (Young 1974).
[[nodiscard]] Seconds youngInterval(Seconds checkpointWrite, Seconds mtbf);

/// The same where w is not small: sqrt(2wM)(1 + sqrt(w/2M)/3 + (w/2M)/9) - w for w < 2M, else M (Daly 2006, eq. 37).
[[nodiscard]] Seconds dalyInterval(Seconds checkpointWrite, Seconds mtbf);

enum class IntervalRule { Young, Daly };
/// "young", "daly"; UnsupportedValue "interval_rule".
[[nodiscard]] Expected<IntervalRule> parseIntervalRule(std::string_view text);

struct GoodputInputs {
    std::int64_t nodes = 1;
    Frequency failuresPerNode{}; ///< a fleet's stated rate, or the sum over the parts of a node
    Seconds checkpointWrite{}; ///< w: how long a checkpoint blocks training
    Seconds restart{}; ///< u0: detection, replacement, load and warm-up
    std::optional<Seconds> interval; ///< D; by `rule` where absent
    IntervalRule rule = IntervalRule::Young;
    /// Fault-tolerant replicas: a failure stops one of them, which takes the state of another, so that nothing is
    /// redone.
    std::int64_t replicas = 1;
    std::int64_t acceleratorsPerNode = 8;
    DollarRate acceleratorPrice{};
};

/// Where the time goes; the four shares add up to 1. Without failures there is no mean time and no best interval.
struct Goodput {
    Frequency failures{}; ///< of the fleet
    std::optional<Seconds> mtbf, youngInterval, dalyInterval;
    std::optional<Seconds> interval; ///< D as used; absent: no checkpoints
    /// E = (1 - (u0/replicas + D/2)/M) / (1 + w/D), not below 0; D/2 with one replica only (Kokolis 2025, arXiv
    /// 2410.21680).
    double goodput = 1;
    double checkpointShare = 0; ///< E w/D
    double redoneShare = 0; ///< D/(2M); both scaled to 1 where E is 0
    double restartShare = 0; ///< u0/(replicas M)
    double lostAccelerators = 0; ///< (1 - E) of the fleet's
    DollarRate lostMoney{}; ///< price of the lost accelerators
};

/// OutOfRange "nodes" (outside 1 to 1e6), "rate_per_node_day" (outside 0 to 1000 a day), "checkpoint_s", "restart_s",
/// "usd_per_accelerator_hour" (negative), "interval_s" (not positive), "replicas" (outside 1 to 1e6),
/// "accelerators_per_node" (outside 1 to 1e4). MissingField "interval_s" where no rule gives one: checkpoints that cost
/// nothing, or replicas that write them.
[[nodiscard]] Expected<Goodput> goodput(const GoodputInputs &inputs);

struct SparesInputs {
    std::int64_t nodes = 1;
    Frequency failuresPerNode{}; ///< of hardware that must be repaired
    Seconds repair{}; ///< until the node is back
    double shortage = 0.01; ///< accepted probability that more units are down than there are spares
    std::int64_t nodesPerFailure = 1; ///< that one failure takes: the nodes of a rack-scale system
};

struct Spares {
    double meanDown = 0; ///< failures in repair at a time: nodes * rate * repair
    std::int64_t units = 0; ///< the smallest s with P(X > s) <= shortage, X Poisson with that mean
    std::int64_t nodes = 0; ///< units * nodesPerFailure
    double shortage = 0; ///< P(X > units)
};

/// OutOfRange "nodes" (outside 1 to 1e6), "rate_per_node_day" (outside 0 to 1000 a day), "repair_days" (outside 0 to
/// 3650), "shortage" (outside 1e-9 to 0.5), "nodes_per_failure" (outside 1 to the nodes).
[[nodiscard]] Expected<Spares> spares(const SparesInputs &inputs);

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
