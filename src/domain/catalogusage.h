// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sweepdocument.h"

#include <set>

/// Whether a document names a catalog item, so that the item cannot be removed without breaking it. Items that stand
/// inline name nothing.
namespace fleetwright {

[[nodiscard]] bool uses(const FleetDocument &fleet, CatalogKind kind, std::string_view id);
[[nodiscard]] bool uses(const PlanDocument &plan, CatalogKind kind, std::string_view id);
/// The base plan's items and those that the axes try.
[[nodiscard]] bool uses(const SweepDocument &sweep, CatalogKind kind, std::string_view id);

/// Every item that the figures of the fleet can come from: those that it names, those that these name (the accelerator
/// of the node, the grid of the facility), network gear for its fabric, the prices of all of them, those of no item
/// that a fleet pays (storage, support), and their currencies.
[[nodiscard]] std::set<ItemId> itemsBehind(const FleetDocument &fleet, const Catalog &catalog);
/// The same with the workload and the planning defaults, which every plan reads.
[[nodiscard]] std::set<ItemId> itemsBehind(const PlanDocument &plan, const Catalog &catalog);

/// Which plans and fleets have each item behind them: "plan ‘70B’", "fleet ‘Lab’", in the order given.
class CatalogUsers {
public:
    /// `catalog` as it will be, so that items that the project does not have yet are known too.
    void add(const PlanDocument &plan, const Catalog &catalog);
    void add(const FleetDocument &fleet, const Catalog &catalog);
    [[nodiscard]] std::vector<std::string> of(const ItemId &item) const;

private:
    struct User {
        std::string words;
        std::set<ItemId> items;
    };
    std::vector<User> m_users;
};

} // namespace fleetwright
