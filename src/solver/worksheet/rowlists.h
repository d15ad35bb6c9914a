// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/worksheet/worksheet.h"

/// Lists of rows from which sheets are put together.
namespace fleetwright::rowlists {

/// Of "node_delivery_weeks", which other texts name as what to enter.
inline constexpr std::string_view nodeDeliveryLabel = "From order to delivery: nodes";

[[nodiscard]] std::span<const SheetRow> power();
[[nodiscard]] std::span<const SheetRow> powerContract();
[[nodiscard]] std::span<const SheetRow> capital();
[[nodiscard]] std::span<const SheetRow> running();
[[nodiscard]] std::span<const SheetRow> rent();
[[nodiscard]] std::span<const SheetRow> goodput(); ///< of a fleet in training
[[nodiscard]] std::span<const SheetRow> calendar(); ///< from the order to the first run
[[nodiscard]] std::span<const SheetRow> run(); ///< of a fleet: needs all its rows
[[nodiscard]] std::span<const SheetRow> discounting(); ///< needs life_years
[[nodiscard]] std::span<const SheetRow> levelised(); ///< needs capital, expenses, residual, quantities and
                                                     ///< discounting()
[[nodiscard]] std::span<const SheetRow> finance(); ///< the same, with values
[[nodiscard]] std::span<const SheetRule> financeRules();
[[nodiscard]] std::span<const SheetRule> fleetRules(); ///< with those of finance()

} // namespace fleetwright::rowlists
