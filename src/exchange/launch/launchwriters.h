// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/launch/launchconfiguration.h"

/// The writers of launchConfiguration(), one for each framework, for launches that keep its rules.
namespace fleetwright::exchange::launchwriters {

[[nodiscard]] Expected<LaunchConfiguration> megatronLm(const Launch &launch);
[[nodiscard]] LaunchConfiguration megatronBridge(const Launch &launch);
[[nodiscard]] LaunchConfiguration deepSpeed(const Launch &launch);
[[nodiscard]] LaunchConfiguration torchtitan(const Launch &launch);
[[nodiscard]] LaunchConfiguration maxText(const Launch &launch);

/// Words from outside on one line of a comment: line ends and hidden characters are shown instead.
[[nodiscard]] std::string inComment(std::string_view words);
/// The lines that begin a text with comments after '#': snapshot, use, plan, workload, what has no flag.
[[nodiscard]] std::string commentedHead(
    const Launch &launch, LaunchFramework framework, const std::vector<std::string> &withoutFlag);

/// "true" or "false".
[[nodiscard]] std::string flagText(bool on);

} // namespace fleetwright::exchange::launchwriters
