// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/models/costmodel.h"

namespace fleetwright {

/// Where an input of a formula is from, in words.
struct FigureOrigin {
    std::string place; ///< "Accelerators: NVIDIA H100, Memory bandwidth", "Plan: training.global_batch", "Assumption:
                       ///< Compute efficiency"
    std::string source; ///< of the catalog's value or the assumption's default; empty when there is none to name
    std::optional<CatalogKind> kind; ///< of the catalog item that the value is from
    std::string recordId;
};

/// Reads FormulaInput::origin. Keys of other figures are the caller's to recognise; what is unknown is returned as it
/// stands.
[[nodiscard]] FigureOrigin describeOrigin(
    std::string_view origin, const PlanDocument &plan, const Catalog &catalog, const CostModel &model);

} // namespace fleetwright
