// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/models/costmodel.h"

namespace fleetwright {

/// Where an input of a formula is from, in words.
struct FigureOrigin {
    std::string place; ///< "Accelerators: NVIDIA H100, Memory bandwidth", "Plan: Global batch", "Assumption:
                       ///< Compute efficiency"
    std::string source; ///< of the catalog's value or the assumption's default, or "your input"; never empty for what
                        ///< is known
    std::optional<CatalogKind> kind; ///< of the catalog item that the value is from
    std::string recordId;
};

/// Reads FormulaInput::origin. Keys of figures of an answer are named; those of intermediate values are the caller's to
/// recognise.
[[nodiscard]] FigureOrigin describeOrigin(
    std::string_view origin, const PlanDocument &plan, const Catalog &catalog, const CostModel &model);

/// The same in a few words and without a catalog: "your input: Nodes", "catalog: Layers", "assumption: Straggler
/// factor".
[[nodiscard]] std::string originInWords(std::string_view origin, const CostModel *model);

} // namespace fleetwright
