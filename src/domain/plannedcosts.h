// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/fleetcosts.h"

#include <array>

/// Entries of a fleet's costs that planning defaults of the catalog state where the fleet does not. Each is marked as
/// assumed; nothing where the catalog lacks the default or states it in another unit. An item of the user that takes a
/// default's place goes first.
namespace fleetwright {

/// "usd_per_kwh" of a site without tariff.
[[nodiscard]] std::optional<CostFigure> plannedTariff(const Catalog &catalog);

/// "rate_per_node_day" of published fleets (Llama 3; RSC-1 and RSC-2, Kokolis 2025), in proportion to the accelerators
/// of the node.
[[nodiscard]] std::optional<CostFigure> plannedFailures(const CatalogRecord &node, const Catalog &catalog);

/// "node_delivery_weeks": the lead time whose context names the node, else its accelerator; of other nodes of 8
/// accelerators that of servers of this kind, with a notice.
[[nodiscard]] std::optional<CostFigure> plannedDelivery(const CatalogRecord &node, const Catalog &catalog);

/// The planning defaults that these three read for a node, as ids of shipped items or of the user's in their place.
[[nodiscard]] std::vector<std::string> plannedCostItems(const CatalogRecord &node, const Catalog &catalog);

/// Shipped prices of power distribution and heat exchange in racks, in USD/kW; the last for nodes cooled by liquid.
inline constexpr std::string_view heatExchange = "plant_cdu_1350kw";
inline constexpr std::array<std::string_view, 2> rackPriceIds{"plant_busway_800a", heatExchange};

} // namespace fleetwright
