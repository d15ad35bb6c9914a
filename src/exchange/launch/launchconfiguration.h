// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/launch/launch.h"
#include "exchange/launch/launchframework.h"

namespace fleetwright::exchange {

/// The text for a framework and, in sentences, what of the plan it does not hold. These stand in the text, too, with
/// the snapshot that it was written for.
struct LaunchConfiguration {
    std::string text;
    std::vector<std::string> withoutFlag;
    bool operator==(const LaunchConfiguration &) const = default;
};

/// Deterministic. Names from the plan stand in comments (in JSON in texts) that they cannot leave. Refused as
/// checkLaunch(), and MissingField "workload" where a framework that is told the model's shapes needs one that is
/// unknown.
[[nodiscard]] Expected<LaunchConfiguration> launchConfiguration(const Launch &launch, LaunchFramework framework);

/// launchOf() and this.
[[nodiscard]] Expected<LaunchConfiguration> launchConfiguration(
    const Plan &plan, const ItemReference &workload, const Catalog &catalog, LaunchFramework framework);

/// "launch-NAME.sh": a file name for it without a folder, in letters that every system takes.
[[nodiscard]] std::string launchFileName(std::string_view planName, LaunchFramework framework);

} // namespace fleetwright::exchange
