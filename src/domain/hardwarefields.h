// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogrecord.h"

namespace fleetwright {

/// Those of fields() that are about machines: accelerators, nodes, fabrics and clusters; else nothing.
[[nodiscard]] std::span<const FieldDescriptor> hardwareFields(CatalogKind kind);

} // namespace fleetwright
