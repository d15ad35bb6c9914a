// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/plannedcosts.h"

#include "domain/planningdefaults.h"

#include <algorithm>

namespace fleetwright {

namespace {

constexpr std::string_view tariffDefault = "electricity_default", serverLeadTime = "lead_oem_enterprise_2026";
constexpr std::array<std::string_view, 3> failureDefaults{"fail_h100_llama3", "fail_rsc2", "fail_rsc1"};

const CatalogRecord *planningItem(std::string_view id, const Catalog &catalog)
{
    const auto *own = standInFor(catalog, id);
    return own ? own : catalog.find(CatalogKind::PlanningDefault, id);
}

std::optional<double> ratePerThousand(std::string_view id, const Catalog &catalog)
{
    const auto *item = planningItem(id, catalog);
    return item && item->text("unit") == "per_1000_node_days" ? item->number("value") : std::nullopt;
}

/// Own ones first. Their context names items in JSON, in which ids stand in quotes.
const CatalogRecord *leadTimeOf(std::string_view id, const Catalog &catalog)
{
    const CatalogRecord *found = nullptr;
    const auto quoted = '"' + std::string(id) + '"';
    for (const auto &item : catalog.records(CatalogKind::PlanningDefault))
        if (item.text("category") == "lead_time" && item.text("context").value_or("").contains(quoted)
            && (!found || (found->shipped && !item.shipped)))
            found = &item;
    return found;
}

std::optional<CostFigure> deliveryBy(const CatalogRecord &leadTime)
{
    const auto weeks = leadTime.number("value");
    if (!weeks || leadTime.text("unit") != "weeks")
        return std::nullopt;
    CostFigure figure{.entry = "node_delivery_weeks", .likely = *weeks, .source = leadTime.name, .assumed = true};
    const auto low = leadTime.number("low"), high = leadTime.number("high");
    if (low && high && *low <= *weeks && *weeks <= *high) {
        figure.low = low;
        figure.high = high;
    }
    if (const auto *attribution = leadTime.attribution("value"))
        figure.confidence = attribution->confidence;
    return figure;
}

} // namespace

std::optional<CostFigure> plannedTariff(const Catalog &catalog)
{
    const auto *item = planningItem(tariffDefault, catalog);
    const auto value = item ? item->number("value") : std::nullopt;
    if (!value)
        return std::nullopt;
    return CostFigure{.entry = "usd_per_kwh",
        .likely = *value,
        .isPrice = true,
        .olderThanAYear = isOlderThanAYear("", item->shipped, {}),
        .source = item->name,
        .confidence = Confidence::Estimate,
        .notice = "Neither grid nor fleet states a tariff: " + item->name
            + " of the planning defaults is taken. Choose a grid with a tariff, or enter the contract\u2019s price.",
        .assumed = true};
}

std::optional<CostFigure> plannedFailures(const CatalogRecord &node, const Catalog &catalog)
{
    constexpr double thousand = 1000, publishedNode = 8; // accelerators in a node of the published fleets
    const auto likely = ratePerThousand(failureDefaults[0], catalog),
               low = ratePerThousand(failureDefaults[1], catalog), high = ratePerThousand(failureDefaults[2], catalog);
    const auto count = node.number("accelerators_per_node");
    if (!likely || !count)
        return std::nullopt;
    const double scale = *count / publishedNode / thousand;
    CostFigure figure{.entry = "rate_per_node_day",
        .likely = *likely * scale,
        .source = "Llama 3 on 16,384 H100; low RSC-2, high RSC-1 (Kokolis 2025)",
        .confidence = Confidence::Paper,
        .assumed = true};
    if (*count != publishedNode)
        figure.source += "; of nodes of 8 accelerators, scaled by their number";
    if (low && high && *low <= *likely && *likely <= *high) {
        figure.low = *low * scale;
        figure.high = *high * scale;
    }
    return figure;
}

std::optional<CostFigure> plannedDelivery(const CatalogRecord &node, const Catalog &catalog)
{
    for (const auto &id : {node.id, node.text("accelerator_id").value_or("")})
        if (const auto *leadTime = leadTimeOf(id, catalog))
            if (auto figure = deliveryBy(*leadTime))
                return figure;
    constexpr double serverSize = 8;
    const auto *servers = planningItem(serverLeadTime, catalog);
    if (!servers || node.number("accelerators_per_node") != serverSize)
        return std::nullopt;
    auto figure = deliveryBy(*servers);
    if (figure)
        figure->notice = "No lead time of \u201c" + node.name + "\u201d is in the catalog: " + servers->name
            + " is taken. Enter what the vendor states in writing (node_delivery_weeks).";
    return figure;
}

std::vector<std::string> plannedCostItems(const CatalogRecord &node, const Catalog &catalog)
{
    std::vector<std::string> ids;
    const auto add = [&](std::string_view id) {
        ids.emplace_back(id);
        if (const auto *own = standInFor(catalog, id))
            ids.push_back(own->id);
    };
    add(tariffDefault);
    add(serverLeadTime);
    std::ranges::for_each(failureDefaults, add);
    for (const auto &id : {node.id, node.text("accelerator_id").value_or("")})
        if (const auto *leadTime = leadTimeOf(id, catalog))
            ids.push_back(leadTime->id);
    return ids;
}

} // namespace fleetwright
