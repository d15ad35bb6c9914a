// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace fleetwright::app {

/// Dresses a table over a LayoutSearchTableModel, which is set already: sorted by rank, columns fitted when the table's
/// size or order changes and not with every answer.
void setUpLayoutSearchTable(QTableView *table);
/// Hides the columns that tell nothing, and where there is not room for all, those that are told elsewhere, too; fits
/// the others to what is shown, so that the table never scrolls sideways unless the names of cases are long.
void fitLayoutSearchTable(QTableView *table);

} // namespace fleetwright::app
