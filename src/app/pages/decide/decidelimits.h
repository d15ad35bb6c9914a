// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/widgets/limitentry.h"
#include "domain/decisiondocument.h"

#include <QString>

#include <optional>
#include <vector>

namespace Ui {
class DecideForm;
}

namespace fleetwright::app {

class QuantityEdit;

/// A limit of a decision that is a number.
struct DecideLimit {
    const char *field; ///< dotted path as in decision documents
    std::optional<double> (*read)(const DecisionLimits &); ///< in the base unit
    void (*assign)(DecisionLimits &, std::optional<double>);
    LimitEntry entry;
    QuantityEdit *edit = nullptr; ///< of the form
};

/// The limit of this field, to be entered elsewhere, too; the field is one of the form's.
[[nodiscard]] DecideLimit decideLimit(const char *field);

/// Names, explains and bounds the limits of the form; empty means that there is no limit.
[[nodiscard]] std::vector<DecideLimit> setUpDecideLimits(const Ui::DecideForm &form);

} // namespace fleetwright::app
