// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/catalogusage.h"

#include "domain/networkparts.h"
#include "domain/plannedcosts.h"
#include "domain/planningdefaults.h"

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
        return std::ranges::any_of(
            fleet.costs.entries, [&](const auto &entry) { return priceNamedFor(entry.first, entry.second) == id; });
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

namespace {

/// Whether figures of a fleet are made from an item that a record behind it names. The accelerator on which a workload
/// was trained, the node in the rack of a facility and the usual fabric of a node are facts about something else.
bool leadsOn(const CatalogRecord &record, const ItemId &named)
{
    switch (record.kind) {
    case CatalogKind::Workload: return false;
    case CatalogKind::Price: return named.kind == CatalogKind::Currency;
    case CatalogKind::Node: return named.kind != CatalogKind::Fabric || record.text("scale_up_fabric_id") == named.id;
    default: return named.kind != CatalogKind::Node;
    }
}

/// Those of the items that it names.
std::vector<ItemId> ledToBy(const CatalogRecord &record)
{
    auto named = referencesOf(record);
    std::erase_if(named, [&](const ItemId &item) { return !leadsOn(record, item); });
    return named;
}

/// The items, and those that they lead to.
std::set<ItemId> withThoseNamed(std::vector<ItemId> open, const Catalog &catalog)
{
    std::set<ItemId> all(open.begin(), open.end());
    while (!open.empty()) {
        const auto item = std::move(open.back());
        open.pop_back();
        const auto *record = catalog.find(item.kind, item.id);
        for (auto &named : record ? ledToBy(*record) : std::vector<ItemId>())
            if (all.insert(named).second)
                open.push_back(std::move(named));
    }
    return all;
}

/// Items of `kind` that name one of these: the gear of a fabric, the prices of gear.
std::vector<ItemId> naming(const std::set<ItemId> &items, CatalogKind kind, const Catalog &catalog)
{
    std::vector<ItemId> found;
    for (const auto &record : catalog.records(kind)) {
        const auto named = referencesOf(record);
        if (std::ranges::any_of(
                named, [&](const ItemId &item) { return item.kind != CatalogKind::Currency && items.contains(item); }))
            found.push_back({kind, record.id});
    }
    return found;
}

} // namespace

std::set<ItemId> itemsBehind(const FleetDocument &fleet, const Catalog &catalog)
{
    std::vector<ItemId> start;
    const auto add = [&](CatalogKind kind, const ItemReference &reference) {
        if (const auto *inlined = std::get_if<CatalogRecord>(&reference)) {
            const auto named = ledToBy(*inlined);
            start.insert(start.end(), named.begin(), named.end());
        } else if (const auto &id = std::get<std::string>(reference); !id.empty()) {
            start.push_back({kind, id});
        }
    };
    add(CatalogKind::Node, fleet.node);
    add(CatalogKind::Fabric, fleet.fabric);
    add(CatalogKind::Facility, fleet.facility);
    add(CatalogKind::Grid, fleet.grid);
    for (const auto &[entry, cost] : fleet.costs.entries)
        if (const auto price = priceNamedFor(entry, cost))
            start.push_back({CatalogKind::Price, std::string(*price)});
    for (const auto &price : catalog.records(CatalogKind::Price)) // storage, support, staff...: of no item
        if (!price.find("item_ref") && !costEntryOf(price).empty())
            start.push_back({CatalogKind::Price, price.id});
    for (const auto id : rackPriceIds)
        if (catalog.find(CatalogKind::Price, id))
            start.push_back({CatalogKind::Price, std::string(id)});
    const auto recordOf = [&](CatalogKind kind, const ItemReference &reference) {
        const auto *inlined = std::get_if<CatalogRecord>(&reference);
        return inlined ? inlined : catalog.find(kind, std::get<std::string>(reference));
    };
    const auto *node = recordOf(CatalogKind::Node, fleet.node);
    if (node)
        for (auto &id : plannedCostItems(*node, catalog))
            start.push_back({CatalogKind::PlanningDefault, std::move(id)});
    if (const auto *fabric = recordOf(CatalogKind::Fabric, fleet.fabric)) {
        const auto parts = networkPartsOf(*fabric, catalog, dayOfPrices(catalog));
        for (const auto *part :
            {&parts.switchPart, &parts.managementSwitch, &parts.switchTransceiver, &parts.nodeTransceiver})
            if (*part)
                start.push_back({CatalogKind::NetworkGear, (*part)->id});
    }
    auto items = withThoseNamed(std::move(start), catalog);
    items.merge(withThoseNamed(naming(items, CatalogKind::NetworkGear, catalog), catalog));
    items.merge(withThoseNamed(naming(items, CatalogKind::Price, catalog), catalog));
    return items;
}

std::set<ItemId> itemsBehind(const PlanDocument &plan, const Catalog &catalog)
{
    auto items = itemsBehind(plan.fleet, catalog);
    if (const auto *workload = std::get_if<std::string>(&plan.workload))
        items.insert({CatalogKind::Workload, *workload});
    for (const auto &read : planningDefaults())
        items.insert({CatalogKind::PlanningDefault, std::string(read.id)});
    return items;
}

void CatalogUsers::add(const PlanDocument &plan, const Catalog &catalog)
{
    m_users.push_back({"plan \u2018" + plan.name + "\u2019", itemsBehind(plan, catalog)});
}

void CatalogUsers::add(const FleetDocument &fleet, const Catalog &catalog)
{
    m_users.push_back({"fleet \u2018" + fleet.name + "\u2019", itemsBehind(fleet, catalog)});
}

std::vector<std::string> CatalogUsers::of(const ItemId &item) const
{
    std::vector<std::string> words;
    for (const auto &user : m_users)
        if (user.items.contains(item))
            words.push_back(user.words);
    return words;
}

} // namespace fleetwright
