// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/sheettranslator.h"
#include "reports/workbook.h"

#include <array>
#include <span>

namespace fleetwright::reports {

/// Sheets of rows with one cell for each fleet.
enum class WorkbookBlock : std::uint8_t { Network, Power, Capital, Running, Finance, Rent, Goodput, Calendar, RunCost };
inline constexpr std::array allWorkbookBlocks{WorkbookBlock::Network, WorkbookBlock::Power, WorkbookBlock::Capital,
    WorkbookBlock::Running, WorkbookBlock::Finance, WorkbookBlock::Rent, WorkbookBlock::Goodput,
    WorkbookBlock::Calendar, WorkbookBlock::RunCost};
[[nodiscard]] std::string_view titleOf(WorkbookBlock block); ///< the sheet's name
/// The block of a worksheet's row, by the list that holds it; switches, optics and cables are the network's.
[[nodiscard]] WorkbookBlock blockOf(std::string_view key);

/// The entries that a program of this kind computes: step time, counts of the network. A workbook cannot follow them.
[[nodiscard]] bool isSolversEntry(std::string_view key);

/// "A", "Z", "AA"...
[[nodiscard]] std::string columnName(std::size_t column);

/// Which cell holds what. Lines count from 1, as spreadsheets write them; columns from 0.
class WorkbookLayout {
public:
    /// OutOfRange without a sheet; UnsupportedValue where they are of different worksheets. The sheets must outlive it.
    [[nodiscard]] static Expected<WorkbookLayout> of(std::span<const WorkbookSheet> sheets);

    /// Values of the first fleet; those of the others stand to the right.
    static constexpr std::size_t firstValue = 3;
    /// The start; the years or months stand to the right. The column before it is empty, for what is before the start.
    static constexpr std::size_t firstColumn = 4;
    static constexpr unsigned headerLine = 4;
    /// Of sheets with years or months.
    static constexpr unsigned numberLine = 5, paymentLine = 6, lifeLine = 7, yearLine = 8;

    struct Constant {
        double number;
        std::string unit;
        std::size_t firstRow; ///< that uses it
    };
    /// A row that no worksheet has: what a sum, a search or a rate of return goes over.
    struct Helper {
        enum class Kind { Term, Guarded, Sign, Change };
        Kind kind;
        SheetFormula formula; ///< of Guarded that of first(); of Sign and Change the flows
        SheetShape shape;
        std::size_t user; ///< the row that needs it first
        unsigned line = 0;
    };

    [[nodiscard]] const Worksheet &sheet() const { return *m_sheet; }
    [[nodiscard]] std::span<const WorkbookSheet> fleets() const { return m_fleets; }
    [[nodiscard]] std::span<const Constant> constants() const { return m_constants; }
    [[nodiscard]] std::span<const Helper> helpers() const { return m_helpers; }
    [[nodiscard]] unsigned line(std::size_t row) const { return m_lines[row]; }
    [[nodiscard]] unsigned inputLine(std::size_t row) const { return m_inputLines[row]; } ///< 0: no entry
    [[nodiscard]] unsigned factLine() const { return m_factLine; } ///< of the first fact below the inputs: the fabric
    [[nodiscard]] int horizon() const { return m_horizon; } ///< years
    [[nodiscard]] std::size_t columns(SheetShape shape) const;
    /// Rows of the block, or of the years or months, in order.
    [[nodiscard]] std::vector<std::size_t> rowsOf(WorkbookBlock block) const;
    [[nodiscard]] std::vector<std::size_t> rowsOf(SheetShape shape) const;
    /// "CashFlow", "CashFlow B" of several.
    [[nodiscard]] std::string sheetName(SheetShape shape, std::size_t fleet) const;

    /// The likely value; nothing: none. 0 after the life.
    [[nodiscard]] std::optional<double> value(std::size_t fleet, std::size_t row, std::size_t column = 0) const;
    /// Of a condition or value over rows, as a check has it.
    [[nodiscard]] double termValue(std::size_t fleet, const SheetFormula &formula) const;
    [[nodiscard]] double helperValue(std::size_t fleet, const Helper &helper, std::size_t column) const;
    [[nodiscard]] const SheetFigure *figure(std::size_t fleet, std::size_t row) const;
    /// Some fleet has no value there.
    [[nodiscard]] bool lacksValue(std::size_t row) const { return m_lacks[row]; }
    /// Some fleet has no figure for it, and no formula stands in: its row asks the entry.
    [[nodiscard]] bool isAbsent(std::size_t row) const { return m_absent[row]; }
    /// Texts instead of numbers.
    [[nodiscard]] bool isWords(std::size_t row) const { return !m_sheet->row(row).entry.words.empty(); }
    /// An entry whose default is a number: it stands among the inputs.
    [[nodiscard]] bool hasConstantDefault(std::size_t row) const;
    /// "Power!D7", seen from any sheet.
    [[nodiscard]] std::string singleCell(std::size_t row, std::size_t fleet) const;
    [[nodiscard]] std::string inputCell(std::size_t row, std::size_t fleet) const;
    [[nodiscard]] std::string constantCell(double number, const std::string &unit) const;
    [[nodiscard]] const Helper *helper(Helper::Kind kind, const SheetFormula &formula) const;
    [[nodiscard]] SheetShape shapeOf(const SheetFormula &formula) const;
    /// Finds the rows and words of a formula that is no row's, such as a check, and notes its constants and helpers.
    void adopt(SheetFormula &formula, std::size_t user);

private:
    WorkbookLayout() = default;
    void place();
    void note(const SheetFormula &formula, std::size_t user);
    void noteConstant(double number, const std::string &unit, std::size_t user);
    void noteHelper(Helper::Kind kind, const SheetFormula &formula, std::size_t user);

    const Worksheet *m_sheet = nullptr;
    std::span<const WorkbookSheet> m_fleets;
    std::vector<unsigned> m_lines, m_inputLines;
    std::vector<bool> m_lacks, m_absent;
    std::vector<Constant> m_constants;
    std::vector<Helper> m_helpers;
    unsigned m_nextYears = 0, m_nextMonths = 0, m_factLine = 0;
    int m_horizon = 0;
};

/// A cell of a fleet as its formula sees the others.
class CellPlaces final : public FormulaPlaces {
public:
    /// In the block's sheet, or elsewhere.
    CellPlaces(const WorkbookLayout &layout, std::size_t fleet, std::optional<WorkbookBlock> home = {})
        : m_layout(layout), m_fleet(fleet), m_block(home)
    {
    }
    /// In a column of the fleet's years or months.
    CellPlaces(const WorkbookLayout &layout, std::size_t fleet, SheetShape shape, std::size_t column)
        : m_layout(layout), m_fleet(fleet), m_shape(shape), m_column(column)
    {
    }

    [[nodiscard]] std::string cell(std::size_t row, bool previous) const override;
    [[nodiscard]] std::string constant(double number, const std::string &unit) const override;
    [[nodiscard]] std::string columnNumber(bool month) const override;
    [[nodiscard]] std::string range(const SheetFormula &term) const override;
    [[nodiscard]] std::string guardedRange(const SheetFormula &first) const override;
    [[nodiscard]] std::string signChanges(const SheetFormula &flows) const override;
    [[nodiscard]] std::string lastColumn(const SheetFormula &term) const override;
    [[nodiscard]] std::string yearOfMonth() const override;
    [[nodiscard]] bool mayBeNone(std::size_t row) const override;

    /// A line of this column: the number of the year, whether it is within the life.
    [[nodiscard]] std::string here(unsigned line, int back = 0) const;
    [[nodiscard]] std::string lineRange(SheetShape shape, unsigned line) const;

private:
    const WorkbookLayout &m_layout;
    std::size_t m_fleet;
    std::optional<WorkbookBlock> m_block;
    SheetShape m_shape = SheetShape::Single;
    std::size_t m_column = 0;
};

} // namespace fleetwright::reports
