// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/fleetsheet.h"

namespace fleetwright {

namespace {

/// Enters what is known, and remembers the first refusal.
class FleetEntering {
public:
    explicit FleetEntering(const Worksheet &sheet) : m_entries(sheet) { }

    void count(std::string_view key, int value, const std::string &source)
    {
        SheetFigure figure(value);
        figure.source = source;
        this->figure(key, std::move(figure));
    }
    void figure(std::string_view key, SheetFigure figure) { remember(m_entries.enter(key, std::move(figure))); }
    template <class Q> void quantity(std::string_view key, const std::optional<Q> &value, const std::string &source)
    {
        if (value && m_entries.sheet().find(key))
            remember(m_entries.enter(key, *value, source));
    }
    /// With the range that is assumed of a price of one value.
    void tariff(const SiteFacts &site)
    {
        constexpr std::string_view key = "usd_per_kwh";
        quantity(key, site.energyPrice, site.gridName);
        const auto row = m_entries.sheet().find(key);
        if (!row || !m_entries.figure(*row))
            return;
        auto entered = *m_entries.figure(*row);
        entered.date = site.energyPricePeriod;
        figure(key, withAssumedRange(std::move(entered), site.energyPriceIsOld));
    }
    [[nodiscard]] Expected<SheetEntries> take()
    {
        if (!m_result)
            return std::unexpected(m_result.error());
        return std::move(m_entries);
    }

private:
    void remember(Expected<void> entered)
    {
        if (m_result)
            m_result = std::move(entered);
    }
    SheetEntries m_entries;
    Expected<void> m_result;
};

} // namespace

Expected<SheetEntries> enterFleet(const Worksheet &sheet, const Fleet &fleet)
{
    const auto &node = fleet->node;
    const auto &accelerator = node->accelerator;
    const auto &site = fleet->site;
    FleetEntering entering(sheet);
    entering.count("nodes", fleet->nodeCount, fleet->name);
    entering.count("accelerators_per_node", node->acceleratorsPerNode, node->name);
    entering.quantity("node_peak_w", node->maxPower, node->name);
    entering.quantity("tdp_w", accelerator->tdp, accelerator->name);
    entering.tariff(site);
    entering.quantity("grid_kg_per_kwh", site.carbonIntensity, site.gridName);
    entering.quantity("litres_per_kwh", site.wue, site.facilityName.empty() ? site.gridName : site.facilityName);
    if (node->rackUnits && *node->rackUnits > 0 && sheet.find("rack_units"))
        entering.count("rack_units", *node->rackUnits, node->name);
    if (site.pue) {
        SheetFigure pue(*site.pue);
        pue.source = site.facilityName.empty() ? site.gridName : site.facilityName;
        entering.figure("pue", std::move(pue));
    }
    return entering.take();
}

} // namespace fleetwright
