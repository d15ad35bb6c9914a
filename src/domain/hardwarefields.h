// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogrecord.h"

namespace fleetwright {

inline constexpr std::nullopt_t any = std::nullopt; ///< a bound that a field of a catalog does not have

/// Those of fields() that are about machines: accelerators, nodes, fabrics and clusters; else nothing.
[[nodiscard]] std::span<const FieldDescriptor> hardwareFields(CatalogKind kind);

} // namespace fleetwright
