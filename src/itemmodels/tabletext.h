// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QModelIndexList>
#include <QString>

class QAbstractItemModel;

/// Tables as text, for the clipboard and for files: what the columns show, headers first, in the model's own order of
/// rows.
namespace fleetwright::itemmodels {

/// Tab separated lines, as spreadsheets paste them. Tabs and line ends inside a cell become blanks.
[[nodiscard]] QString toTabSeparated(const QAbstractItemModel &model);
/// Only the selected cells' rows and columns; empty when nothing is selected.
[[nodiscard]] QString toTabSeparated(const QAbstractItemModel &model, const QModelIndexList &selected);

/// Role of what a file shall hold where the display is meant for people: of a cell the plain number, of a header its
/// text with the unit of those numbers ("step_time_s"). Without it the display text is written.
inline constexpr int fileRole = Qt::UserRole + 2;

/// RFC 4180: commas, CRLF, quotes where a cell needs them; numbers in full precision. A text that a spreadsheet would
/// run as a formula (first character = + - @) is preceded by an apostrophe.
[[nodiscard]] QString toCsv(const QAbstractItemModel &model);

} // namespace fleetwright::itemmodels
