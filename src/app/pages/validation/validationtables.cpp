// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/validationtables.h"

#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "app/widgets/tableroom.h"
#include "itemmodels/costmodels.h"
#include "itemmodels/scoremodel.h"
#include "itemmodels/validationmodel.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QStyle>
#include <QTableView>

#include <algorithm>

namespace fleetwright::app {

using namespace itemmodels;

namespace {

/// Behind a proxy that sorts by numbers.
void setSorted(QTableView *table, QAbstractItemModel *model, int stretched)
{
    auto *proxy = new QSortFilterProxyModel(table);
    proxy->setSourceModel(model);
    proxy->setSortRole(itemmodels::sortRole);
    table->setModel(proxy);
    setUpTable(table, stretched);
    table->setSortingEnabled(true);
}

/// Columns just wide enough for so many letters.
void setWidths(QTableView *table, std::initializer_list<std::pair<int, int>> letters)
{
    for (const auto &[column, width] : letters)
        TableColumns::of(*table).giveWidth(column, width * table->fontMetrics().averageCharWidth());
}

} // namespace

void setUpScoreTable(QTableView *table, QAbstractItemModel *scores)
{
    setSorted(table, scores, ScoreModel::Model);
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    table->sortByColumn(ScoreModel::MacroMedian, Qt::AscendingOrder);
    // Many columns in the smallest window: no room for the arrow, which the rising figures make up for, and the names
    // of the models need that of the mean over all runs, which the one over the sources stands for.
    table->horizontalHeader()->setSortIndicatorShown(false);
    constexpr int usual = 9, wide = 11;
    for (int column = ScoreModel::LeftOutMedian; column <= ScoreModel::Skipped; ++column)
        setWidths(table, {{column, usual}});
    for (const int column : {ScoreModel::MacroMedian, ScoreModel::MacroMean, ScoreModel::TauOne,
             ScoreModel::RegretSeveral, ScoreModel::RegretOne})
        setWidths(table, {{column, wide}});
    table->setColumnHidden(ScoreModel::Mean, true);
}

void setUpGroupTable(QTableView *table, QAbstractItemModel *groups)
{
    setSorted(table, groups, ErrorGroupModel::Group);
    table->sortByColumn(ErrorGroupModel::Median, Qt::DescendingOrder);
    setWidths(table,
        {{ErrorGroupModel::Count, 7}, {ErrorGroupModel::LeftOut, 14}, {ErrorGroupModel::Median, 15},
            {ErrorGroupModel::Mean, 10}, {ErrorGroupModel::P90, 9}, {ErrorGroupModel::Bias, 9}});
    table->setTextElideMode(Qt::ElideMiddle); // the date stands at the end
    table->horizontalHeader()->moveSection(ErrorGroupModel::LeftOut, ErrorGroupModel::Median); // what counts first
    // The median says how far, the bias which way; the names need the room more.
    for (const int more : {ErrorGroupModel::Mean, ErrorGroupModel::P90})
        table->setColumnHidden(more, true);
}

void setUpRankGroupTable(QTableView *table, QAbstractItemModel *groups)
{
    setSorted(table, groups, RankGroupModel::Group);
    table->sortByColumn(RankGroupModel::Tau, Qt::AscendingOrder);
    table->setTextElideMode(Qt::ElideMiddle);
    setWidths(table,
        {{RankGroupModel::Nodes, 9}, {RankGroupModel::Count, 8}, {RankGroupModel::Tau, 8},
            {RankGroupModel::Regret, 13}});
}

void setUpRankedTable(QTableView *table, QAbstractItemModel *ranked)
{
    setSorted(table, ranked, RankedModel::Layout);
    setWidths(table,
        {{RankedModel::MeasuredPlace, 14}, {RankedModel::PredictedPlace, 13}, {RankedModel::Measured, 15},
            {RankedModel::Predicted, 15}});
    table->sortByColumn(RankedModel::MeasuredPlace, Qt::AscendingOrder);
}

void setUpSkippedTable(QTableView *table, QAbstractItemModel *skipped)
{
    setSorted(table, skipped, SkippedModel::Runs);
    table->sortByColumn(SkippedModel::Count, Qt::DescendingOrder);
}

void setUpEvidenceTable(QTableView *table, QAbstractItemModel *rows, int stretched, int sorted)
{
    setSorted(table, rows, stretched);
    table->sortByColumn(sorted, Qt::AscendingOrder);
    table->setTextElideMode(Qt::ElideMiddle);
}

void setUpCostSummaryTable(QTableView *table, QAbstractItemModel *summaries)
{
    setSorted(table, summaries, CostSummaryModel::Target);
    table->sortByColumn(CostSummaryModel::Kind, Qt::AscendingOrder);
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    table->horizontalHeader()->setSortIndicatorShown(false);
    auto &columns = TableColumns::of(*table);
    columns.wrapTexts(); // a target is read whole
    QObject::connect(&columns, &TableColumns::rowsFitted, table, [table] { fitHeight(table); });
}

void setUpUnscoredCostTable(QTableView *table, QAbstractItemModel *unscored)
{
    setSorted(table, unscored, UnscoredCostModel::Reason);
    table->sortByColumn(UnscoredCostModel::Figure, Qt::AscendingOrder);
    table->setTextElideMode(Qt::ElideRight);
    setWidths(table, {{UnscoredCostModel::Figure, 30}, {UnscoredCostModel::Source, 18}});
}

void setUpCostTable(QTableView *table, QSortFilterProxyModel *filter)
{
    table->setModel(filter);
    setUpTable(table, CostScoreModel::Figure);
    table->setSortingEnabled(true);
    table->sortByColumn(CostScoreModel::Error, Qt::DescendingOrder);
    table->setTextElideMode(Qt::ElideRight);
    auto &columns = TableColumns::of(*table);
    columns.shareAmong({CostScoreModel::Figure, CostScoreModel::Source});
    columns.wrapTexts();
    // The explanation of a figure says its date; the others are for files.
    for (const int hidden : {CostScoreModel::Date, CostScoreModel::Kind, CostScoreModel::Unit})
        table->setColumnHidden(hidden, true);
}

void setUpRunTable(QTableView *table, QAbstractItemModel *filter)
{
    table->setModel(filter);
    setUpTable(table, ScoredRunModel::Run);
    table->setSortingEnabled(true);
    table->sortByColumn(ScoredRunModel::Error, Qt::DescendingOrder);
    table->setTextElideMode(Qt::ElideMiddle); // layouts and dates stand at the end
    // A thousand rows: their width is not measured.
    setWidths(table,
        {{ScoredRunModel::Run, 62}, {ScoredRunModel::Source, 40}, {ScoredRunModel::Accelerator, 18},
            {ScoredRunModel::Accelerators, 16}, {ScoredRunModel::Workload, 20}, {ScoredRunModel::Layout, 34},
            {ScoredRunModel::Predicted, 16}, {ScoredRunModel::Measured, 16}, {ScoredRunModel::Error, 13},
            {ScoredRunModel::LeftOut, 15}, {ScoredRunModel::Low, 14}, {ScoredRunModel::High, 10},
            {ScoredRunModel::Inside, 7}, {ScoredRunModel::Memory, 12}});
    TableColumns::of(*table).shareAmong({ScoredRunModel::Source, ScoredRunModel::Run}); // titles take what is left
    // The name says what most of these do, the last column what the range is for; a few sources publish memory.
    for (const int more : {ScoredRunModel::Accelerator, ScoredRunModel::Accelerators, ScoredRunModel::Workload,
             ScoredRunModel::Layout, ScoredRunModel::Low, ScoredRunModel::High, ScoredRunModel::Memory})
        table->setColumnHidden(more, true);
}

} // namespace fleetwright::app
