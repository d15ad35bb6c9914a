// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogrecord.h"

#include <QString>

namespace fleetwright::app {

/// "70.6 B parameters, 80 layers, hidden 8192...": what the cost models read from the workload.
[[nodiscard]] QString describeWorkload(const CatalogRecord &record);

} // namespace fleetwright::app
