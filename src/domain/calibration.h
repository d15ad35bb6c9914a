// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

/// The user's own values of calibration constants: catalog records that take the place of the shipped ones.
namespace fleetwright {

/// The shipped record of a constant, which knows its unit and bounds; nullptr when the program has no such constant.
[[nodiscard]] const CatalogRecord *shippedConstant(const Catalog &catalog, std::string_view constant);

/// What Catalog::check asks of a user's constant beyond the rules of its fields: UnknownReference "constant" when the
/// program has no such constant, UnsupportedValue "unit" when the unit is another than the shipped one, OutOfRange
/// "value" beyond the shipped bounds.
[[nodiscard]] Expected<void> checkConstant(const CatalogRecord &record, const Catalog &catalog);

using CalibratedValues = std::map<std::string, double, std::less<>>;
/// The user's values by the key of the constant, in its unit. ConstraintViolated "calibration_constants" when two
/// records set the same constant; else refusals as checkConstant() with "calibration_constants/<id>.<field>".
[[nodiscard]] Expected<CalibratedValues> calibratedConstants(const Catalog &catalog);

} // namespace fleetwright
