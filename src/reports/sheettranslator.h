// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/worksheet/sheetformula.h"

#include <array>
#include <string>

namespace fleetwright::reports {

/// Where the parts of a worksheet's formula stand in a workbook, seen from the cell that is being written.
class FormulaPlaces {
public:
    virtual ~FormulaPlaces() = default;
    /// The cell of a row, or of the column before.
    [[nodiscard]] virtual std::string cell(std::size_t row, bool previous) const = 0;
    /// The cell that holds a constant. 0 and 1 never ask for one.
    [[nodiscard]] virtual std::string constant(double number, const std::string &unit) const = 0;
    /// The cell with the number of the year or month.
    [[nodiscard]] virtual std::string columnNumber(bool month) const = 0;
    /// All cells of a formula with columns, from the start on; 0 after the life.
    [[nodiscard]] virtual std::string range(const SheetFormula &term) const = 0;
    /// The same of a value that counts only where the condition of first() holds.
    [[nodiscard]] virtual std::string guardedRange(const SheetFormula &first) const = 0;
    /// How often a range of flows changes its sign, zeros skipped.
    [[nodiscard]] virtual std::string signChanges(const SheetFormula &flows) const = 0;
    /// The cell with the last column's number: the life in years, in a sheet of months in months.
    [[nodiscard]] virtual std::string lastColumn(const SheetFormula &term) const = 0;
    /// The cell with the year of a month.
    [[nodiscard]] virtual std::string yearOfMonth() const = 0;
    /// Whether the row may hold a text instead of a number: then comparisons with it are false.
    [[nodiscard]] virtual bool mayBeNone(std::size_t row) const = 0;
};

/// What stands in a cell without a value.
inline constexpr std::string_view noValue = "none";
/// What ceil() of a worksheet leaves of a quotient.
inline constexpr double roundingShare = 1e-9;
/// Where further searches for an internal rate of return start: spreadsheets take Newton's steps, which find a rate far
/// below 0 from its left side only.
inline constexpr std::array lowRateGuesses{-0.5, -0.9};

/// The formula in the language of spreadsheets (English names, commas), without "=".
[[nodiscard]] std::string spreadsheetFormula(const SheetFormula &formula, const FormulaPlaces &places);
/// The same as a condition: TRUE or FALSE.
[[nodiscard]] std::string spreadsheetCondition(const SheetFormula &formula, const FormulaPlaces &places);

} // namespace fleetwright::reports
