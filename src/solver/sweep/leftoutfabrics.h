// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "domain/sweepdocument.h"

namespace fleetwright {

/// Why a decision looks at the fabric of a cell for its node only where it is named (whyNotLookedAt()); empty: it
/// looks.
[[nodiscard]] std::string describeLeftOutFabric(
    const SweepDocument &document, std::size_t row, std::size_t column, const Catalog &catalog);

/// The same of every fabric on the axes, each once: "InfiniBand HDR (HDR200) is left out of decisions unless it is
/// named: its ports run at..." Empty where no axis has fabrics or nodes, and where all are looked at.
[[nodiscard]] std::string describeLeftOutFabrics(const SweepDocument &document, const Catalog &catalog);

} // namespace fleetwright
