// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/decisiondocument.h"

#include <QString>

#include <optional>
#include <vector>

namespace Ui {
class DecideForm;
}

namespace fleetwright::app {

class QuantityEdit;

/// A limit of a decision and the field of the form that shows it.
struct DecideLimit {
    QuantityEdit *edit;
    const char *field; ///< dotted path as in decision documents
    std::optional<double> (*read)(const DecisionLimits &); ///< in the base unit
    void (*assign)(DecisionLimits &, std::optional<double>);
};

/// Names, explains and bounds the limits of the form; empty means that there is no limit.
[[nodiscard]] std::vector<DecideLimit> setUpDecideLimits(const Ui::DecideForm &form);

} // namespace fleetwright::app
