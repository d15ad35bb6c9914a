// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/catalogusage.h"

#include <algorithm>

namespace fleetwright {

namespace {

bool names(const ItemReference &reference, std::string_view id)
{
    const auto *name = std::get_if<std::string>(&reference);
    return name && *name == id;
}

} // namespace

bool uses(const FleetDocument &fleet, CatalogKind kind, std::string_view id)
{
    switch (kind) {
    case CatalogKind::Node: return names(fleet.node, id);
    case CatalogKind::Fabric: return names(fleet.fabric, id);
    case CatalogKind::Facility: return fleet.facility == id;
    case CatalogKind::Grid: return fleet.grid == id;
    case CatalogKind::Price:
        return std::ranges::any_of(fleet.costs.entries, [&](const auto &entry) {
            const auto *price = std::get_if<std::string>(&entry.second.value);
            return price && *price == id;
        });
    default: return false;
    }
}

bool uses(const PlanDocument &plan, CatalogKind kind, std::string_view id)
{
    return kind == CatalogKind::Workload ? names(plan.workload, id) : uses(plan.fleet, kind, id);
}

bool uses(const SweepDocument &sweep, CatalogKind kind, std::string_view id)
{
    const auto sets = [&](const SweepSetting &setting) {
        const auto *key = findSweepKey(setting.key);
        const auto *value = std::get_if<std::string>(&setting.value);
        return key && key->reference == kind && value && *value == id;
    };
    const auto tries = [&](const SweepAxis &axis) {
        return std::ranges::any_of(
            axis.points, [&](const SweepPoint &point) { return std::ranges::any_of(point.settings, sets); });
    };
    return uses(sweep.plan, kind, id) || std::ranges::any_of(sweep.axes, tries);
}

} // namespace fleetwright
