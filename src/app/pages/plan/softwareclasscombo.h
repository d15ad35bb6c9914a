// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/assumptions.h"

class QComboBox;

namespace fleetwright {
class CostModel;
}

/// The software class of a plan as an entry of its form: one of the assumptions of the cost model `detailed`, beside
/// which stand the measured runs behind each choice.
namespace fleetwright::app {

[[nodiscard]] const AssumptionDescriptor &softwareClassAssumption();

/// Fills the list; an item's data is the assumption's value. Tool tips are read from the measured runs when they are
/// first asked for.
void setUpSoftwareClasses(QComboBox *combo);

/// Selects the value of the assumptions. Hidden where the cost model knows no software classes.
void showSoftwareClass(QComboBox *combo, const CostModel &model, const Assumptions &assumptions);

} // namespace fleetwright::app
