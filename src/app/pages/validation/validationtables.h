// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractItemModel;
class QSortFilterProxyModel;
class QTableView;

/// How the tables of the Validation page look: columns, widths, first order.
namespace fleetwright::app {

void setUpScoreTable(QTableView *table, QAbstractItemModel *scores);
void setUpGroupTable(QTableView *table, QAbstractItemModel *groups);
void setUpRankGroupTable(QTableView *table, QAbstractItemModel *groups);
void setUpRankedTable(QTableView *table, QAbstractItemModel *ranked);
void setUpSkippedTable(QTableView *table, QAbstractItemModel *skipped);
/// A table of an EvidencePanel; in the model's own order for a negative `sorted`. Columns are as wide as what stands in
/// them and above them; the stretched one takes the rest.
void setUpEvidenceTable(QTableView *table, QAbstractItemModel *rows, int stretched, int sorted);
/// Of CostSummaryModel, in its own order.
void setUpCostSummaryTable(QTableView *table, QAbstractItemModel *summaries);
void setUpUnscoredCostTable(QTableView *table, QAbstractItemModel *unscored);
/// `filter` is the proxy that sorts and filters.
void setUpCostTable(QTableView *table, QSortFilterProxyModel *filter);
/// `filter` is the proxy that sorts and filters.
void setUpRunTable(QTableView *table, QAbstractItemModel *filter);

} // namespace fleetwright::app
