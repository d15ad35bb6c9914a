// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/sheettablemodel.h"
#include "solver/worksheet/fleettables.h"

/// The tables of the Fleets page, ready for a SheetTableModel.
namespace fleetwright::itemmodels {

/// To order, item, count, unit price, date, amount, source.
[[nodiscard]] SheetTable billTable(const Fleet &fleet, const CostSheet &sheet);
/// The sections one below the other, each under its title: figure, likely, low, high, unit, share, source.
/// Numbers for files are in the row's own unit.
[[nodiscard]] SheetTable figuresTable(std::initializer_list<FleetSection> sections, const CostSheet &sheet);
/// A row for each kind of payment, the years across.
[[nodiscard]] SheetTable yearsTable(const CostSheet &sheet);

/// Columns of entriesTable().
enum EntryColumn { EntryLabel, EntryValue, EntryLow, EntryHigh, EntryUnit, EntrySource, EntryDate, EntryKey };
/// The entries of the sheet: bold those that the fleet states, italic those that nobody stated. What would be edited
/// is in its Qt::EditRole.
[[nodiscard]] SheetTable entriesTable(const std::vector<FleetEntryLine> &entries);

/// How a cell came about, for tool tips: value, range, formula with the values of its inputs, source and date; or why
/// there is no value.
[[nodiscard]] QString explanationTip(const CostSheet &sheet, std::string_view key, std::size_t column = 0);

} // namespace fleetwright::itemmodels
