// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "exchange/launch/launchframework.h"

namespace fleetwright::exchange {

/// What a launch configuration does not say and whoever imports it does.
struct LaunchImport {
    std::string name; ///< of the plan; empty: after the framework
    std::optional<FleetDocument> fleet; ///< instead of node and fabric
    std::string node, fabric; ///< ids of the catalog
    std::optional<int> nodes; ///< where the configuration does not say how many
    std::string workload; ///< id of the catalog; empty: the one with the sizes that are stated
    std::optional<int> sequenceLength; ///< of DeepSpeed, whose JSON does not say
};

struct ImportedPlan {
    PlanDocument plan;
    std::vector<std::string> told; ///< sentences on what was read how, and on what has no place in a plan
};

/// A plan from arguments of Megatron-LM at the snapshot: a shell script, a command or a list of arguments.
///
/// Nothing is half imported. Refused with the argument's name: those of other versions, contradictions, values that the
/// text does not set, and what breaks Megatron-LM's rules (launchrules.h). MissingField "fleet.node", "fleet.fabric",
/// "fleet.nodes" or the argument's name for what neither the text nor `import` says. The plan can be solved at once.
[[nodiscard]] Expected<ImportedPlan> planFromMegatron(
    std::string_view text, const LaunchImport &import, const Catalog &catalog);

/// The same from a JSON configuration of DeepSpeed. It names no model: the workload and the sequence length must be
/// stated. Values "auto" are whoever's program fills them, and refused.
[[nodiscard]] Expected<ImportedPlan> planFromDeepSpeed(
    std::string_view text, const LaunchImport &import, const Catalog &catalog);

/// Which of the two a text is, by its content; nothing for others.
[[nodiscard]] std::optional<LaunchFramework> launchFrameworkOf(std::string_view text);
/// Whichever it is. UnsupportedValue for others.
[[nodiscard]] Expected<ImportedPlan> planFromLaunch(
    std::string_view text, const LaunchImport &import, const Catalog &catalog);

} // namespace fleetwright::exchange
