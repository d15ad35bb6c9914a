// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/worksheet/sheetentries.h"

/// The worksheets of the program. Their rows are the one place of every formula of power and money; the handbook
/// (models/worksheet.md) lists them.
namespace fleetwright::sheets {

/// Power of a fleet: what its nodes, switches and the rest draw at their peak, in training and idle, with the facility.
[[nodiscard]] const Worksheet &power();
/// A whole fleet: power, capital, running cost, levelised cost, cash flow, buy or rent.
[[nodiscard]] const Worksheet &fleet();
/// A fleet with a training run on it: days, cost owned and rented, energy, carbon, water.
[[nodiscard]] const Worksheet &run();
/// Capital, expenses and values of some years with loan, depreciation and taxes.
[[nodiscard]] const Worksheet &cashFlow();
/// Cost of one unit of a product over the life of what makes it.
[[nodiscard]] const Worksheet &levelisedCost();
/// The same from one year's numbers and a fixed charge rate.
[[nodiscard]] const Worksheet &fixedCharge();
/// What a published training run cost: hardware by its loss of value, network, energy.
[[nodiscard]] const Worksheet &trainingCost();

/// Shares of the basis that are depreciated in each year, for the row depreciation_share of a sheet of `years`: what is
/// beyond them is left out. OutOfRange (field depreciation_shares): a share below 0, or shares that do not add up to 1.
[[nodiscard]] Expected<SheetFigure> depreciationShares(std::span<const double> shares, int years);

} // namespace fleetwright::sheets
