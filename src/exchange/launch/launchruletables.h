// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/launch/launchrules.h"

#include <algorithm>

/// The tables that launchRules() is made of, and what they share.
///
/// A rule says where it stands: the framework's file, the function and the commit that was read. The files as of the
/// snapshots themselves could not be read; these are the nearest ones that could.
namespace fleetwright::exchange::launchruletables {

[[nodiscard]] std::span<const LaunchRule> ofSeveral();
[[nodiscard]] std::span<const LaunchRule> ofMegatrons();
[[nodiscard]] std::span<const LaunchRule> ofDeepSpeed();
[[nodiscard]] std::span<const LaunchRule> ofTorchtitan();
[[nodiscard]] std::span<const LaunchRule> ofMaxText();

inline std::string ruled(std::int64_t number) { return std::to_string(number); }

inline bool isOneOf(Precision precision, std::initializer_list<Precision> known)
{
    return std::ranges::find(known, precision) != known.end();
}

/// A count that the workload may not state.
inline bool divides(std::int64_t divisor, const std::optional<int> &count) { return !count || *count % divisor == 0; }

inline std::string precisionHere(const Launch &launch, std::string_view known)
{
    return "The plan says " + std::string(toString(launch.precision)) + "; choose " + std::string(known) + ".";
}

inline std::string microbatchesHere(const Launch &launch)
{
    return "The plan has " + ruled(launch.microbatches) + " and PP " + ruled(launch.pp)
        + "; change the microbatch size, the global batch or PP.";
}

} // namespace fleetwright::exchange::launchruletables
