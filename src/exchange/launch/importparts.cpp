// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/importparts.h"

#include "exchange/launch/launch.h"
#include "exchange/launch/launchrules.h"
#include "exchange/launch/megatronarguments.h"
#include "exchange/textreader.h"
#include "units/words.h"

#include <nlohmann/json.hpp>

namespace fleetwright::exchange {

namespace {

Expected<std::int64_t> perNodeOf(const ItemReference &node, const Catalog &catalog)
{
    const auto *record = std::get_if<CatalogRecord>(&node);
    if (!record) {
        const auto found = catalog.require(CatalogKind::Node, std::get<std::string>(node), "fleet.node");
        if (!found)
            return std::unexpected(found.error());
        record = *found;
    }
    const auto count = record->number("accelerators_per_node");
    if (!count || *count < 1 || *count > 1e6)
        return refuse(ErrorCode::MissingField, "fleet.node",
            "The node " + inQuotes(record->name) + " does not state its accelerators.");
    return std::int64_t(*count);
}

} // namespace

Expected<int> planCount(std::int64_t value, std::string_view name)
{
    constexpr std::int64_t most = 1'000'000'000;
    if (value < 0 || value > most)
        return refuse(ErrorCode::OutOfRange, std::string(name),
            "The value of " + std::string(name) + " is larger than any plan's; it must be at most 1,000,000,000.");
    return int(value);
}

Expected<FleetDocument> fleetFrom(const StatedMachines &stated, const LaunchImport &import, const Catalog &catalog)
{
    auto fleet = import.fleet.value_or(FleetDocument{});
    if (!import.node.empty())
        fleet.node = import.node;
    if (!import.fabric.empty())
        fleet.fabric = import.fabric;
    const auto isEmpty = [](const ItemReference &item) {
        const auto *id = std::get_if<std::string>(&item);
        return id && id->empty();
    };
    if (isEmpty(fleet.node))
        return refuse(ErrorCode::MissingField, "fleet.node",
            "A launch configuration does not say on which machines it runs; name a node of the catalog and a "
            "fabric.");
    if (isEmpty(fleet.fabric))
        return refuse(ErrorCode::MissingField, "fleet.fabric",
            "A launch configuration does not say what connects its machines; name a fabric of the catalog.");
    const auto perNode = perNodeOf(fleet.node, catalog);
    if (!perNode)
        return std::unexpected(perNode.error());
    if (stated.perNode && stated.perNode->value != *perNode)
        return refuse(ErrorCode::UnsupportedValue, stated.perNode->name,
            stated.perNode->name + " is " + std::to_string(stated.perNode->value) + ", and the node has "
                + std::to_string(*perNode) + " accelerators; name the node that it runs on.");
    std::optional<StatedMachines::Count> nodes = stated.nodes;
    if (!nodes && stated.world) {
        if (stated.world->value % *perNode != 0)
            return refuse(ErrorCode::UnsupportedValue, stated.world->name,
                stated.world->name + " is " + std::to_string(stated.world->value)
                    + ", which is no whole number of nodes "
                      "with "
                    + std::to_string(*perNode) + " accelerators.");
        nodes = StatedMachines::Count{stated.world->value / *perNode, stated.world->name};
    }
    const auto asked = import.nodes ? import.nodes : import.fleet ? std::optional(import.fleet->nodes) : std::nullopt;
    if (!nodes && !asked)
        return refuse(
            ErrorCode::MissingField, "fleet.nodes", "The configuration does not say how many nodes it runs on.");
    if (nodes && asked && nodes->value != *asked)
        return refuse(ErrorCode::UnsupportedValue, "fleet.nodes",
            nodes->name + " gives " + std::to_string(nodes->value) + " nodes, and you state " + std::to_string(*asked)
                + "; leave one of them out.");
    const auto count = planCount(asked ? *asked : nodes->value, "fleet.nodes");
    if (!count)
        return std::unexpected(count.error());
    fleet.nodes = *count;
    return fleet;
}

Expected<std::int64_t> acceleratorsOf(const FleetDocument &fleet, const Catalog &catalog)
{
    const auto perNode = perNodeOf(fleet.node, catalog);
    return perNode ? Expected<std::int64_t>(*perNode * fleet.nodes) : perNode;
}

Expected<ImportedPlan> checkedImport(ImportedPlan imported, LaunchFramework framework, const Catalog &catalog)
{
    const auto plan = resolve(imported.plan, catalog);
    if (!plan)
        return std::unexpected(plan.error());
    const auto launch = launchOf(*plan, imported.plan.workload, catalog);
    if (!launch)
        return std::unexpected(launch.error());
    if (const auto kept = checkLaunch(*launch, framework); !kept)
        return std::unexpected(kept.error());
    return imported;
}

std::string listed(const std::vector<std::string> &names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

std::optional<LaunchFramework> launchFrameworkOf(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && text[first] == '{') {
        const auto json = readJson(text);
        const bool isDeepSpeed = json && json->is_object()
            && (json->contains("zero_optimization") || json->contains("train_micro_batch_size_per_gpu")
                || json->contains("gradient_accumulation_steps"));
        return isDeepSpeed ? std::optional(LaunchFramework::DeepSpeed) : std::nullopt;
    }
    return looksLikeMegatron(text) ? std::optional(LaunchFramework::MegatronLm) : std::nullopt;
}

Expected<ImportedPlan> planFromLaunch(std::string_view text, const LaunchImport &import, const Catalog &catalog)
{
    const auto framework = launchFrameworkOf(text);
    if (framework == LaunchFramework::MegatronLm)
        return planFromMegatron(text, import, catalog);
    if (framework == LaunchFramework::DeepSpeed)
        return planFromDeepSpeed(text, import, catalog);
    return refuse(ErrorCode::UnsupportedValue, "",
        "This is neither a script or list of Megatron-LM arguments (--tensor-model-parallel-size 8 ...) nor a JSON "
        "configuration of DeepSpeed (zero_optimization ...).");
}

} // namespace fleetwright::exchange
