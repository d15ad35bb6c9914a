// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/networkparts.h"

#include <algorithm>
#include <charconv>

namespace fleetwright {

namespace {

std::optional<CostFigure> pieceOf(const CatalogRecord &gear, const Catalog &catalog, std::chrono::sys_days pricesOf)
{
    std::optional<CostFigure> best;
    const CatalogRecord *of = nullptr;
    for (const auto &price : catalog.records(CatalogKind::Price)) {
        const auto *item = price.find("item_ref");
        const auto *id = item ? std::get_if<std::string>(item) : nullptr;
        if (!id || *id != gear.id)
            continue;
        const auto unit = price.text("unit").value_or("");
        if (!(unit.ends_with("_per_switch") || unit.ends_with("_per_unit"))
            || (of && !goesBefore(price, *of, pricesOf)))
            continue;
        if (auto figure = figureOf("network_usd", price, catalog, pricesOf)) {
            best = std::move(figure);
            of = &price;
        }
    }
    return best;
}

NetworkPart partOf(
    const CatalogRecord &gear, std::string_view powerKey, const Catalog &catalog, std::chrono::sys_days pricesOf)
{
    auto power = gear.number(powerKey);
    // Less than the maximum, but nearer to it than nothing.
    const bool isTypical = !power && gear.number("power_typical_w");
    if (isTypical)
        power = gear.number("power_typical_w");
    return {.id = gear.id,
        .name = gear.name,
        .power = power.value_or(0),
        .powerKnown = power.has_value(),
        .powerIsTypical = isTypical,
        .powerSource = isTypical ? gear.name + ", typical power; its maximum is not in the catalog" : gear.name,
        .price = pieceOf(gear, catalog, pricesOf),
        .leadTimeWeeks = gear.number("lead_time_weeks"),
        .cablePricePerMetre = gear.number("price_usd_per_m")};
}

/// "32 x OSFP twin-port": 32 cages.
std::optional<double> cagesOf(const CatalogRecord &gear)
{
    const auto text = gear.text("cages").value_or("");
    int count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    return error == std::errc() && count > 0 ? std::optional<double>(count) : std::nullopt;
}

std::optional<NetworkPart> transceiver(double gigabits, const Catalog &catalog, std::chrono::sys_days pricesOf)
{
    std::optional<NetworkPart> found;
    double reach = 0;
    constexpr double farthest = 500; // metres: what halls need; longer reaches cost more
    for (const auto &gear : catalog.records(CatalogKind::NetworkGear)) {
        const auto rate = gear.number("rate_gbit_per_s"), metres = gear.number("reach_m");
        if (gear.text("kind") != "transceiver" || rate != gigabits || !metres || *metres > farthest)
            continue;
        auto part = partOf(gear, "power_w_per_end", catalog, pricesOf);
        if (part.price && *metres > reach) {
            found = std::move(part);
            reach = *metres;
        }
    }
    return found;
}

} // namespace

NetworkParts networkPartsOf(const CatalogRecord &fabric, const Catalog &catalog, std::chrono::sys_days pricesOf)
{
    NetworkParts parts;
    const auto rate = fabric.number("port_rate_gbit_per_s");
    if (!rate)
        return parts;
    const auto key = "ports_by_rate_gbit." + std::to_string(static_cast<long long>(*rate));
    const auto score = [](const NetworkPart &part) {
        return 4 * int(part.price.has_value()) + 2 * int(part.powerKnown) - int(part.powerIsTypical);
    };
    for (const auto &gear : catalog.records(CatalogKind::NetworkGear)) {
        const auto *const serves = gear.find("fabric_ids");
        const auto *const ids = serves ? std::get_if<std::vector<std::string>>(serves) : nullptr;
        if (gear.text("kind") != "switch" || !ids || std::ranges::find(*ids, fabric.id) == ids->end()
            || !findField(CatalogKind::NetworkGear, key))
            continue;
        const auto ports = gear.number(key);
        auto part = partOf(gear, "power_max_w", catalog, pricesOf);
        if (!ports || (parts.switchPart && score(part) <= score(*parts.switchPart)))
            continue;
        parts.switchPart = std::move(part);
        parts.switchPorts = static_cast<std::int64_t>(*ports);
        const auto cages = cagesOf(gear);
        parts.portsPerCage = cages && *ports >= *cages ? std::max<std::int64_t>(1, std::int64_t(*ports / *cages)) : 1;
    }
    for (const auto &gear : catalog.records(CatalogKind::NetworkGear))
        if (gear.text("kind") == "switch" && gear.number("ports_by_rate_gbit.1"))
            if (auto part = partOf(gear, "power_max_w", catalog, pricesOf);
                !parts.managementSwitch || score(part) > score(*parts.managementSwitch))
                parts.managementSwitch = std::move(part);
    parts.nodeTransceiver = transceiver(*rate, catalog, pricesOf);
    parts.switchTransceiver = transceiver(*rate * double(parts.portsPerCage), catalog, pricesOf);
    // Maxima are with modules unless they say otherwise.
    if (const auto *device = parts.switchPart ? catalog.find(CatalogKind::NetworkGear, parts.switchPart->id) : nullptr;
        device && parts.switchPart->powerKnown && parts.switchTransceiver && device->number("power_max_w")
        && !device->text("power_basis").value_or("").contains("without optics")) {
        parts.switchTransceiver->power = 0;
        parts.switchTransceiver->powerKnown = true;
        parts.switchTransceiver->powerSource = device->name + ", whose maximum includes its modules";
    }
    return parts;
}

bool isPriced(const NetworkParts &parts)
{
    const auto has = [](const std::optional<NetworkPart> &part) { return part && part->price; };
    return has(parts.switchPart) && has(parts.switchTransceiver) && has(parts.nodeTransceiver)
        && parts.nodeTransceiver->cablePricePerMetre.has_value();
}

} // namespace fleetwright
