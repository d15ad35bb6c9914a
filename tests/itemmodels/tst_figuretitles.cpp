// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/layoutsearchchangemodel.h"
#include "itemmodels/layoutsearchtablemodel.h"
#include "itemmodels/plannersearchmodel.h"
#include "itemmodels/planoverviewmodel.h"
#include "itemmodels/sweepmodel.h"
#include "itemmodels/tabletext.h"
#include "testing/registry.h"
#include "text/figuretext.h"

#include <QRegularExpression>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

namespace {

QString titleOf(const QAbstractItemModel &model, int column)
{
    return model.headerData(column, Qt::Horizontal, Qt::DisplayRole)
        .toString()
        .remove(QRegularExpression(u" \\[[^\\]]*\\]$"_s));
}

/// How many columns show a figure of the table; each is checked.
int checkedColumns(const QAbstractItemModel &model)
{
    int checked = 0;
    for (int column = 0; column < model.columnCount(); ++column) {
        const auto key = model.headerData(column, Qt::Horizontal, fileRole).toString().toStdString();
        const auto *figure = findFigure(key);
        if (!figure)
            continue;
        if (titleOf(model, column) != shortLabelOf(*figure)) {
            qWarning() << titleOf(model, column) << "is not" << shortLabelOf(*figure);
            return -1;
        }
        ++checked;
    }
    return checked;
}

} // namespace

/// What a column that shows a figure is called stands in solver/answer/figures.cpp only.
class TestFigureTitles : public QObject {
    Q_OBJECT
private slots:
    void overview()
    {
        PlanOverviewModel model;
        for (const auto &[column, key] : {std::pair(int(PlanOverviewModel::StepTime), "step_time_s"),
                 {int(PlanOverviewModel::Mfu), "mfu"}, {int(PlanOverviewModel::Feasible), "feasible"}}) {
            QCOMPARE(titleOf(model, column), shortLabelOf(figureNamed(key)));
            QCOMPARE(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString(), helpOf(figureNamed(key)));
        }
    }
    void layouts()
    {
        QCOMPARE(checkedColumns(LayoutSearchTableModel(LayoutSearchTableModel::Content::Layouts)), 6);
        QCOMPARE(checkedColumns(LayoutSearchChangeModel()), 2);
    }
    void planners()
    {
        const auto search = std::make_shared<PlannerSearch>();
        PlannerSearchRow row;
        row.stepTime = row.computeTime = row.dpTime = row.tpTime = row.ppTime = 0.25 * second;
        row.mfu = row.bubble = 0.4;
        row.memory = row.volume = row.tpVolume = row.ppVolume = row.dpVolume = Bytes::from_value(3e10);
        search->rows = {row};
        PlannerSearchModel model;
        model.setSearch(search);
        QCOMPARE(checkedColumns(model), 8);
        for (int column = 0; column < model.columnCount(); ++column)
            if (model.headerData(column, Qt::Horizontal, fileRole).toString() == u"step_time_s"_s) {
                QCOMPARE(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), u"Step time [ms]"_s);
                QCOMPARE(model.index(0, column).data(Qt::DisplayRole).toString(), u"250"_s);
            }
    }
    /// One unit for the column, and a unit of its own for a value that is unreadable in it.
    void unitsFollowTheValues()
    {
        const auto result = std::make_shared<layoutsearch::Result>();
        result->cases = {{.accelerators = 64, .globalBatch = 64, .limitBytes = 8e10}};
        for (const double seconds : {0.25, 0.5}) {
            const layoutsearch::Row row{.layout = {.tp = 1, .dp = 64}, .stepSeconds = seconds, .memoryBytes = 4e10};
            result->rows.push_back(row);
            result->groups.push_back({.split = splitOf(row.layout), .best = row});
        }
        LayoutSearchTableModel model(LayoutSearchTableModel::Content::Layouts);
        model.setResult(result);
        const int step = int(LayoutSearchColumn::StepTime), memory = int(LayoutSearchColumn::Memory);
        QCOMPARE(model.headerData(step, Qt::Horizontal).toString(), u"Step time [ms]"_s);
        QCOMPARE(model.index(0, step).data().toString(), u"250"_s);
        QCOMPARE(model.headerData(memory, Qt::Horizontal).toString(), u"Memory [GB]"_s);
        QCOMPARE(model.index(0, memory).data().toString(), u"40.0"_s);
        QCOMPARE(model.headerData(step, Qt::Horizontal, fileRole).toString(), u"step_time_s"_s);
        QCOMPARE(model.headerData(memory, Qt::Horizontal, fileRole).toString(), u"memory.total_bytes"_s);
    }
};

FLEETWRIGHT_TEST(TestFigureTitles)
#include "tst_figuretitles.moc"
