// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/search/layoutsearch.h"

#include <span>
#include <string_view>

namespace fleetwright::layoutsearch {

/// A figure of a row of a search; label, unit and definition are those of `key` in solver/answer/figures.h.
struct RowFigure {
    std::string_view key;
    double (*value)(const Row &row, const CaseFacts &facts) = nullptr; ///< base units; NaN: not known
};
/// In the order of tables and files.
[[nodiscard]] std::span<const RowFigure> rowFigures();

} // namespace fleetwright::layoutsearch
