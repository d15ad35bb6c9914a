// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/launch/importedplan.h"

#include <cstdint>

/// What the readers of launch configurations share.
namespace fleetwright::exchange {

/// Machines that a configuration states, each with the name of what says so.
struct StatedMachines {
    struct Count {
        std::int64_t value = 0;
        std::string name; ///< "--nnodes"
    };
    std::optional<Count> nodes, perNode, world;
};

/// The fleet that `import` names with the nodes that either states. Refused where neither says, and where both do and
/// differ.
[[nodiscard]] Expected<FleetDocument> fleetFrom(
    const StatedMachines &stated, const LaunchImport &import, const Catalog &catalog);

/// Accelerators of the fleet.
[[nodiscard]] Expected<std::int64_t> acceleratorsOf(const FleetDocument &fleet, const Catalog &catalog);

/// A count of a configuration as plans hold it; OutOfRange with the name where none does.
[[nodiscard]] Expected<int> planCount(std::int64_t value, std::string_view name);

/// The document, if it resolves and keeps the rules of the framework that it came from; with what is told of it.
[[nodiscard]] Expected<ImportedPlan> checkedImport(
    ImportedPlan imported, LaunchFramework framework, const Catalog &catalog);

/// "a, b and c".
[[nodiscard]] std::string listed(const std::vector<std::string> &names);

} // namespace fleetwright::exchange
