// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/unitsymbol.h"

#include <QString>

#include <optional>

namespace fleetwright::app {

class QuantityEdit;

/// How a limit is entered, in a plan and in a decision.
struct LimitEntry {
    QString label, explanation;
    units::Dimension dimension;
    QString unit;
    double minimum, maximum; ///< in the base unit
    double step; ///< in `unit`
};
/// Names, explains and bounds the field; empty means that there is no limit.
void setUpLimit(QuantityEdit &edit, const LimitEntry &entry);

/// Between quantities and the numbers of fields, which are in base units.
template <class Q> [[nodiscard]] std::optional<double> inBase(const std::optional<Q> &quantity)
{
    return quantity ? std::optional(quantity->value()) : std::nullopt;
}
template <class Q> void assignBase(std::optional<Q> &quantity, std::optional<double> value)
{
    quantity = value ? std::optional(Q::from_value(*value)) : std::nullopt;
}

} // namespace fleetwright::app
