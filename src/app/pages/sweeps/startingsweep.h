// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sweepdocument.h"

namespace fleetwright::app {

class Workspace;

/// A first question for a new sweep. Of: the plan that keeps its limits at the least cost of the run, as far as plans
/// have answers, else the first. What varies: its fabric among those of the same family, where limits would refuse most
/// other sizes of the fleet; else the number of nodes; microbatches where the layout is given. Shown: the cost of the
/// run where the answer has one.
[[nodiscard]] SweepDocument startingSweep(const Workspace &workspace);

} // namespace fleetwright::app
