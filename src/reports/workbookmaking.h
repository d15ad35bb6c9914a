// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/spreadsheetwriter.h"
#include "reports/workbookchecks.h"
#include "reports/workbookrows.h"

namespace fleetwright::reports {

/// Writes the sheets of a workbook, one after the other.
class WorkbookMaking {
public:
    /// The subject must outlive it.
    WorkbookMaking(const WorkbookSubject &subject, WorkbookLayout layout);
    /// Cancelled where `stop` asks for it between two sheets.
    [[nodiscard]] Expected<QByteArray> write(const std::stop_token &stop);

private:
    [[nodiscard]] std::size_t fleets() const { return m_layout.fleets().size(); }
    [[nodiscard]] QHash<QString, QString> namesOfSheets() const;
    [[nodiscard]] QHash<QString, QString> wordsOfFormulas() const;
    [[nodiscard]] const WorkbookSheet &fleet(std::size_t index) const { return m_layout.fleets()[index]; }
    [[nodiscard]] const Worksheet::Row &row(std::size_t index) const { return m_layout.sheet().row(index); }
    /// Title, remark and the fleet that it is about, then the header's line.
    void top(const QString &title, const QString &remark, const QString &fleet = {});
    void names();
    void line(const QString &label, const QString &value);
    void cover();
    [[nodiscard]] QString kindOf(std::size_t index, std::size_t of) const;
    void inputs();
    void input(std::size_t index);
    void inputValue(std::size_t index, std::size_t of);
    /// Fabric and node first: checks compare them. Facts by label, as the fleets have them.
    void facts();
    void constants();
    void calculations(WorkbookBlock block, const std::vector<std::size_t> &rows);
    /// A formula with its value as number, word or "none".
    void cell(
        const std::string &formula, std::optional<double> value, std::size_t index, CellStyle style = CellStyle::Plain);
    void columns(SheetShape shape, std::size_t of);
    void label(const QString &label, const QString &key, const QString &unit);
    /// In characters, for the largest of the values.
    [[nodiscard]] double columnWidth(SheetShape shape, std::size_t of) const;
    /// Years or months of the fleet's life.
    [[nodiscard]] std::size_t lifeColumns(SheetShape shape, std::size_t of) const;
    [[nodiscard]] CellFormat formatOf(std::size_t index, double value) const;
    void frame(SheetShape shape, std::size_t of);
    void helper(const WorkbookLayout::Helper &helper, std::size_t of);
    /// Below the rows; over the life as it was written.
    void chart(SheetShape shape, std::size_t of, const QString &sheet);
    [[nodiscard]] bool anyHas(std::size_t index) const;
    void results();
    /// Label and the fleets' values; stays in the line.
    void values(std::size_t index, CellStyle style);
    void live(std::size_t index, CellStyle style);
    void result(std::size_t index);
    /// Where printed pages may begin: at the values of each fleet and at each fleet's further columns.
    [[nodiscard]] std::vector<unsigned> startsOfFleets(unsigned columns) const;
    /// The recommended fleet stands first: the others by their differences from it.
    void compare();
    void compared(std::size_t index);
    /// Nothing: the rows that it is about have no value.
    [[nodiscard]] std::optional<bool> holds(const WorkbookCheck &check, std::size_t of) const;
    [[nodiscard]] bool allHold() const;
    void checks();
    void checkLines(const std::vector<std::size_t> &solved);

    /// Of columns, in characters.
    static constexpr double labelWidth = 48, keyWidth = 26, unitWidth = 18, valueWidth = 20, wordsWidth = 60;

    const WorkbookSubject &m_subject;
    WorkbookLayout m_layout;
    std::vector<WorkbookCheck> m_checks;
    unsigned m_lastResult = WorkbookLayout::headerLine; ///< line of the last figure with a range on Results
    WorkbookRows m_rows;
    SpreadsheetWriter m_writer;
};

} // namespace fleetwright::reports
