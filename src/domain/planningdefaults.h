// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

/// The planning defaults of the catalog that figures are computed with. The catalog holds more, for reference; those
/// are not here. A shipped item states the value; an item of the user that names it under "replaces" takes its place in
/// every plan of the project.
namespace fleetwright {

struct PlanningDefault {
    std::string_view id; ///< of the shipped item
    std::string_view stated; ///< the unit as items of the catalog state it: "hours"
    units::Dimension dimension = units::Dimension::Number;
    std::string_view unit; ///< the same unit as a symbol: "h"; empty for plain numbers
    double minimum = 0, maximum = 0; ///< in `unit`, inclusive
};
[[nodiscard]] std::span<const PlanningDefault> planningDefaults();
[[nodiscard]] const PlanningDefault *findPlanningDefault(std::string_view id); ///< nullptr for those kept for reference

/// The default that the item states or takes the place of; nullptr where no figure is computed with the item.
[[nodiscard]] const PlanningDefault *planningDefaultOf(const CatalogRecord &record);
/// The user's item that takes the place of the shipped one; nullptr where none does.
[[nodiscard]] const CatalogRecord *standInFor(const Catalog &catalog, std::string_view id);

/// What Catalog::check asks of the user's own planning defaults beyond the rules of their fields: MissingField or
/// UnsupportedValue "replaces" unless it names a default that figures are computed with, ConstraintViolated "replaces"
/// where another item takes its place already, UnsupportedValue "unit" for another unit than the shipped item's,
/// OutOfRange "value".
[[nodiscard]] Expected<void> checkPlanningDefault(const CatalogRecord &record, const Catalog &catalog);

/// Values by the id of the shipped item, in PlanningDefault::unit.
using PlanningValues = std::map<std::string, double, std::less<>>;
/// The user's value, else the shipped one, of every default that figures are computed with. A default that the catalog
/// lacks is absent. An item of the user that takes no place is passed over; others are refused as
/// checkPlanningDefault() does, shipped ones for their value and unit, with
/// "economics_reliability_defaults/<id>.<field>".
[[nodiscard]] Expected<PlanningValues> planningValues(const Catalog &catalog);

} // namespace fleetwright
