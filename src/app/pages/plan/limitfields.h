// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"

#include <QString>

#include <optional>
#include <vector>

namespace Ui {
class PlanForm;
}

namespace fleetwright::app {

class QuantityEdit;

/// A limit of a plan and the field of the form that shows it.
struct LimitField {
    QuantityEdit *edit;
    const char *field; ///< dotted path as in plan documents
    std::optional<double> (*read)(const Constraints &); ///< in the base unit
    void (*assign)(PlanDocument &, std::optional<double>);
};

/// Names, explains and bounds the limits of the form; empty means that there is no limit.
[[nodiscard]] std::vector<LimitField> setUpLimits(const Ui::PlanForm &form);

} // namespace fleetwright::app
