// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QByteArray>
#include <QString>
#include <QTemporaryDir>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

struct lxw_workbook;
struct lxw_worksheet;
struct lxw_format;

namespace fleetwright::reports {

/// How a column shows its numbers.
enum class CellFormat { Text, Count, Decimal, Percent, Money };

struct SheetColumn {
    QString title; ///< with its unit
    CellFormat format = CellFormat::Text;
    double width = 12; ///< characters
};

/// A workbook that is written row by row, so that a million rows need little memory; a thin layer over libxlsxwriter.
class SpreadsheetWriter {
public:
    /// Rows below the header that a sheet can hold.
    static constexpr std::size_t mostRows = 1'048'575;

    SpreadsheetWriter();
    ~SpreadsheetWriter();
    SpreadsheetWriter(const SpreadsheetWriter &) = delete;
    SpreadsheetWriter &operator=(const SpreadsheetWriter &) = delete;

    /// Starts a sheet of free text: column widths in characters, no header.
    void startPage(const QString &name, const std::vector<double> &widths);
    /// Starts a table: header row in bold, frozen, with a filter over the `rows` that follow.
    void startTable(const QString &name, const std::vector<SheetColumn> &columns, std::size_t rows);

    void text(const QString &words, bool bold = false, bool wrapped = false);
    /// Not finite: an empty cell.
    void number(double value);
    void number(double value, CellFormat format);
    void skip() { ++m_column; }
    void nextRow();

    /// The whole file. IoError when the temporary file could not be written to its end. Nothing may be added
    /// afterwards.
    [[nodiscard]] Expected<QByteArray> finish();

private:
    void start(const QString &name);
    [[nodiscard]] lxw_format *formatOf(CellFormat format) const { return m_formats[std::size_t(format)]; }

    QTemporaryDir m_folder;
    lxw_workbook *m_workbook = nullptr;
    lxw_worksheet *m_sheet = nullptr;
    std::array<lxw_format *, 5> m_formats{};
    lxw_format *m_bold = nullptr, *m_wrapped = nullptr, *m_header = nullptr;
    std::vector<SheetColumn> m_columns; ///< of the table that is being written
    std::optional<Error> m_error; ///< the first thing that went wrong
    unsigned m_row = 0;
    std::uint16_t m_column = 0;
};

} // namespace fleetwright::reports
