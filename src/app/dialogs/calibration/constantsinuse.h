// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/constantrecords.h"

#include <QString>

#include <vector>

/// Which calibration constants apply, in words.
namespace fleetwright::app {

/// "In use: 3 of the program's constants replaced by your own: 2 fitted to 3 runs on 2026-01-02, 1 set by hand in the
/// catalog." Those of fits and those set by hand apply alike.
[[nodiscard]] QString constantsInUse(const std::vector<detailed::AppliedCalibration> &fits, std::size_t byHand);
/// After the constants of fits were removed.
[[nodiscard]] QString fitsRemoved(std::size_t byHand);

} // namespace fleetwright::app
