// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QByteArray>
#include <QHash>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <array>
#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <optional>
#include <vector>

struct lxw_workbook;
struct lxw_worksheet;
struct lxw_format;

namespace fleetwright::reports {

/// How a column shows its numbers.
enum class CellFormat { Text, Count, Decimal, Percent, Money, General, Cents };
/// What a cell is to its reader.
enum class CellStyle {
    Plain,
    Input, ///< to be changed: blue on yellow
    Solver, ///< a value of the program that no formula of the workbook follows: grey
    Total, ///< bold
    Heading, ///< bold, wrapped, above a line
    Title, ///< large
    Muted, ///< grey letters: keys, sources
    Remark ///< the same, beyond its cell
};

struct SheetColumn {
    QString title; ///< with its unit
    CellFormat format = CellFormat::Text;
    double width = 12; ///< characters
};

/// A chart of a workbook: its series are ranges of cells ("=Results!$D$5:$D$9").
struct SheetChart {
    enum class Kind { Bars, Columns, Lines };
    struct Series {
        QString name, categories, values;
    };
    Kind kind = Kind::Columns;
    QString title, axis; ///< of the values, with the unit
    std::vector<Series> series; ///< at most six: told apart by lightness, so that they print in grey
};

/// Facts of the file.
struct SpreadsheetFacts {
    QString title, author, company;
    std::time_t created = 315'532'800; ///< 1980-01-01, which the files inside carry, too
    bool inMemory = false; ///< whole sheets, so that charts know the texts of their categories
};

/// A workbook that is written row by row, so that a million rows need little memory; a thin layer over libxlsxwriter.
class SpreadsheetWriter {
public:
    /// Rows below the header that a sheet can hold.
    static constexpr std::size_t mostRows = 1'048'575;

    explicit SpreadsheetWriter(const SpreadsheetFacts &facts = {});
    ~SpreadsheetWriter();
    SpreadsheetWriter(const SpreadsheetWriter &) = delete;
    SpreadsheetWriter &operator=(const SpreadsheetWriter &) = delete;

    /// What sheets are called in the file, and what words of formulas are there; formulas and charts say those of
    /// before. Before the first sheet.
    void nameInFile(QHash<QString, QString> sheets, QHash<QString, QString> words)
    {
        m_sheetNames = std::move(sheets);
        m_words = std::move(words);
    }
    /// Starts a sheet of free text: column widths in characters, no header.
    void startPage(const QString &name, const std::vector<double> &widths);
    /// Starts a table: header row in bold, frozen, with a filter over the `rows` that follow.
    void startTable(const QString &name, const std::vector<SheetColumn> &columns, std::size_t rows);

    /// Starts a sheet of formulas and figures: column widths in characters, rows and columns that stay in view. Printed
    /// landscape with the frozen rows on each page: on one page's width where that can be read, else on several with
    /// the first column on each. A page then begins at one of the columns `starts`, or at any that is not frozen. Rows
    /// are as high as their texts need.
    void startBlock(const QString &name, const std::vector<double> &widths, unsigned frozenRows, unsigned frozenColumns,
        std::vector<unsigned> starts = {});

    /// Always text, whatever it looks like: "=1+1" is no formula.
    void text(const QString &words, bool bold = false, bool wrapped = false);
    void text(const QString &words, CellStyle style);
    /// Not finite: an empty cell.
    void number(double value);
    void number(double value, CellFormat format, CellStyle style = CellStyle::Plain);
    /// A formula ("=A1+1") with the value that viewers show who do not compute.
    void formula(const QString &formula, double value, CellFormat format, CellStyle style = CellStyle::Plain);
    void formula(const QString &formula, const QString &value, CellStyle style = CellStyle::Plain);
    /// An empty cell of that style.
    void blank(CellStyle style);
    void skip(unsigned cells = 1) { m_column = std::uint16_t(m_column + cells); }
    void nextRow();
    /// What may be typed into the cell that was written last: one of the words, or a number.
    void allowWords(const QStringList &words);
    void allowNumbers(double least, double most, bool whole);
    /// With its upper left corner in the row and column, counted from 0.
    void chart(const SheetChart &chart, unsigned row, unsigned column);
    /// The last column of the block that is printed, from 0; otherwise that of its last cell.
    void printTo(unsigned column) { m_lastPrinted = column; }
    [[nodiscard]] unsigned row() const { return m_row; } ///< from 0

    /// The whole file. IoError when the temporary file could not be written to its end. Nothing may be added
    /// afterwards.
    [[nodiscard]] Expected<QByteArray> finish();

private:
    void start(const QString &name);
    [[nodiscard]] QString withNames(const QString &formula) const;
    void endBlock();
    void layOutPages();
    void written();
    void needLines(const QString &words, CellStyle style);
    [[nodiscard]] lxw_format *formatOf(CellFormat format, CellStyle style = CellStyle::Plain);

    std::shared_ptr<void> m_silent; ///< while this lives, the library prints nothing
    QTemporaryDir m_folder;
    lxw_workbook *m_workbook = nullptr;
    lxw_worksheet *m_sheet = nullptr;
    std::map<std::pair<CellFormat, CellStyle>, lxw_format *> m_formats;
    lxw_format *m_bold = nullptr, *m_wrapped = nullptr, *m_header = nullptr;
    std::vector<SheetColumn> m_columns; ///< of the table that is being written
    QHash<QString, QString> m_sheetNames, m_words;
    std::optional<Error> m_error; ///< the first thing that went wrong
    bool m_isBlock = false;
    std::vector<double> m_widths; ///< of the block that is being written
    std::vector<unsigned> m_starts;
    unsigned m_row = 0, m_frozenRows = 0, m_lastRow = 0;
    std::uint16_t m_column = 0, m_lastColumn = 0;
    std::optional<unsigned> m_lastPrinted;
    int m_lines = 1; ///< of text that the row needs
};

} // namespace fleetwright::reports
