// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QModelIndexList>
#include <QString>

#include <string>
#include <utility>
#include <vector>

class QAbstractItemModel;

/// Tables as text, for the clipboard and for files: what the columns show, headers first. A text that a spreadsheet
/// would run as a formula is preceded by an apostrophe (text/formulaguard.h), except in Markdown.
namespace fleetwright::itemmodels {

/// Rows and columns to write, in this order.
struct TablePart {
    QModelIndexList rows; ///< an index of each; in a tree the titles of a row's ancestors stand before its own
    std::vector<int> columns;
};
/// Every row and column in the model's own order; the children of a row follow it.
[[nodiscard]] TablePart wholeTable(const QAbstractItemModel &model);

/// Tab separated lines, as spreadsheets paste them. Tabs and line ends inside a cell become blanks.
[[nodiscard]] QString toTabSeparated(const QAbstractItemModel &model, const TablePart &part);
[[nodiscard]] QString toTabSeparated(const QAbstractItemModel &model);

/// A table as Markdown has them (GitHub's): columns whose cells are aligned to the right stay so; what would mean
/// something else in Markdown or HTML is escaped.
[[nodiscard]] QString toMarkdown(const QAbstractItemModel &model, const TablePart &part);

/// Of each row the titles of its columns and what they show. Columns of one title are told apart by a number ("Price
/// 2"), those without a title by their number alone. UTF-8, as documents take them.
[[nodiscard]] std::vector<std::vector<std::pair<std::string, std::string>>> shownTexts(
    const QAbstractItemModel &model, const TablePart &part);

/// Whether the cells of a column stand at the right, as numbers do: those of the first row say it.
[[nodiscard]] bool isRightAligned(const TablePart &part, int column);

/// Role of what a file shall hold where the display is meant for people: of a cell the plain number, of a header its
/// text with the unit of those numbers ("step_time_s"). Without it the display text is written.
inline constexpr int fileRole = Qt::UserRole + 2;

/// Role of what is copied where the display leaves out what the reader of a copy cannot ask for: "Llama 2 70B on 512
/// H100 (its id)". Without it the display text is copied.
inline constexpr int copyRole = Qt::UserRole + 41;

/// RFC 4180: commas, CRLF, quotes where a cell needs them; numbers in full precision.
[[nodiscard]] QString toCsv(const QAbstractItemModel &model);

} // namespace fleetwright::itemmodels
