// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/models/costmodel.h"
#include "solver/worksheet/usedprices.h"

namespace fleetwright {

class CostSheet;

/// Where an input of a formula is from, in words.
struct FigureOrigin {
    std::string place; ///< "Accelerators: NVIDIA H100, Memory bandwidth", "Plan: Global batch", "Assumption:
                       ///< Compute efficiency"
    std::string source; ///< of the catalog's value or the assumption's default, or "your input"; never empty for what
                        ///< is known
    std::optional<CatalogKind> kind; ///< of the catalog item that the value is from
    std::string recordId;
    std::string field{}; ///< of the item
};

/// Reads FormulaInput::origin. Keys of figures of an answer are named; those of intermediate values are the caller's to
/// recognise.
[[nodiscard]] FigureOrigin describeOrigin(
    std::string_view origin, const PlanDocument &plan, const Catalog &catalog, const CostModel &model);

/// The same in a few words and without a catalog: "your input: Nodes", "catalog: Layers", "assumption: Straggler
/// factor".
[[nodiscard]] std::string originInWords(std::string_view origin, const CostModel *model);

/// An item of the catalog that a value is made from.
struct EntrySource {
    CatalogKind kind = CatalogKind::Price;
    std::string id, name;
    std::string asOf{}; ///< of a price, the period that it is of
    std::string title{}, publisher{}, published{}, address{}; ///< of who published the value; empty: not stated
    std::string confidence{}; ///< "market price, source not re-read"; "entered by you"
    std::string notes{}; ///< of the item: such as why its low and high are what they are
    bool shipped = false; ///< name and notes came with the program
    bool operator==(const EntrySource &) const = default;
};

/// Of the value of a field.
[[nodiscard]] EntrySource entrySourceOf(const CatalogRecord &record, std::string_view field, const Catalog &catalog);

/// Of an entry of a fleet's worksheet: the prices that it is made from (`prices` are those of the fleet), else the one
/// item that its source names. None of what somebody entered and of what follows from other rows.
[[nodiscard]] std::vector<EntrySource> entrySourcesOf(
    const CostSheet &costs, std::string_view row, const std::vector<UsedPrice> &prices, const Catalog &catalog);

/// Why the likely value of a row stands at an end of its range, by the entry that moves it most; empty: it does not.
[[nodiscard]] std::string endOfRangeInWords(const CostSheet &costs, std::string_view row, std::size_t column = 0);

} // namespace fleetwright
