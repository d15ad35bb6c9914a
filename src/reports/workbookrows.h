// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/spreadsheetwriter.h"
#include "reports/workbooklayout.h"

namespace fleetwright::reports {

/// A plain number that is not whole is shown with four decimals where its value is known.
[[nodiscard]] CellFormat formatOfUnit(std::string_view unit, double value = 0);

/// The formulas of a workbook's cells, without "=". Texts are those of the worksheet's rows alone.
class WorkbookRows {
public:
    explicit WorkbookRows(const WorkbookLayout &layout) : m_layout(layout) { }

    /// Of a row with one cell, in its block's sheet.
    [[nodiscard]] std::string single(std::size_t row, std::size_t fleet, WorkbookBlock block) const;
    /// Of a row with years or months. 0 after the life.
    [[nodiscard]] std::string inColumn(std::size_t row, std::size_t fleet, std::size_t column) const;
    [[nodiscard]] std::string helper(const WorkbookLayout::Helper &helper, std::size_t fleet, std::size_t column) const;
    /// The number of the column and whether it is within the life; empty: a number of its own.
    [[nodiscard]] std::string frame(SheetShape shape, std::size_t fleet, std::size_t column, unsigned line) const;
    /// TRUE, FALSE, or "n/a" where a row has no value.
    [[nodiscard]] std::string check(const SheetFormula &condition, std::size_t fleet) const;

private:
    /// Without a value where a row that the formula needs has none.
    [[nodiscard]] std::string guarded(
        std::string text, std::size_t row, std::size_t fleet, const CellPlaces &places, SheetShape home) const;
    [[nodiscard]] std::string probe(
        std::size_t row, std::size_t fleet, const CellPlaces &places, SheetShape home) const;

    const WorkbookLayout &m_layout;
};

} // namespace fleetwright::reports
