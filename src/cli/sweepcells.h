// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/sweep/sweep.h"

#include <map>

namespace fleetwright::cli {

/// Cells by their place in SweepResult::cells.
using SweepCells = std::map<std::size_t, SweepCell>;

/// Every parts-th cell, as SweepOptions deals them.
[[nodiscard]] SweepCells cellsOf(const SweepResult &result, int part, int parts);
/// For another process of the same program; figures keep every bit. ParseError when the bytes are not those of
/// toBytes().
[[nodiscard]] std::string toBytes(const SweepCells &cells);
[[nodiscard]] Expected<SweepCells> cellsFromBytes(const std::string &bytes);

} // namespace fleetwright::cli
