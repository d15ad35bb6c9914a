// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/sizemodel.h"
#include "solver/sizesample.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

class TestSizeModel : public QObject {
    Q_OBJECT
private slots:
    void fleetsWithTheirFigures();
    void unknownSortsLast();
    void whatBinds();
};

void TestSizeModel::fleetsWithTheirFigures()
{
    SizedModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setResult(sizesample::question(), sizesample::feasible(), SizedRows::EveryKind);
    QCOMPARE(model.rowCount(), 3);
    const auto cell = [&](int row, int column, int role = Qt::DisplayRole) {
        return model.index(row, column).data(role);
    };
    QCOMPARE(cell(0, SizedModel::Fleet).toString(), u"512 × DGX B200"_s);
    QCOMPARE(cell(0, SizedModel::Paying).toString(), u"owned"_s);
    QCOMPARE(cell(0, SizedModel::Fabric).toString(), u"InfiniBand XDR"_s);
    QVERIFY(cell(0, SizedModel::Fleet, Qt::ToolTipRole).toString().contains(u"owned, InfiniBand XDR"_s));
    QVERIFY(model.differIn(SizedModel::Fabric) && !model.differIn(SizedModel::Site));
    QCOMPARE(cell(0, SizedModel::Days).toString(), u"26.1"_s);
    QCOMPARE(cell(0, SizedModel::RunCost).toString(), u"9.90"_s);
    QCOMPARE(cell(0, SizedModel::Capital).toString(), u"262"_s);
    QCOMPARE(cell(0, SizedModel::Power).toString(), u"9.40"_s);
    QCOMPARE(cell(0, SizedModel::Chance).toString(), u"\u2013"_s);
    QCOMPARE(cell(0, SizedModel::Binds).toString(), u"Facility power: 0.60 MW left"_s);
    QVERIFY(cell(0, SizedModel::Binds, keepsRole).toBool() && !cell(2, SizedModel::Binds, keepsRole).toBool());
    QCOMPARE(cell(2, SizedModel::Binds).toString(), u"Deadline, Facility power"_s);
    QVERIFY(cell(2, SizedModel::Binds, Qt::ToolTipRole).toString().contains(u"8.9 over"_s));
    QVERIFY(cell(2, SizedModel::Frees).toString().contains(u"570 nodes"_s));
    QCOMPARE(cell(0, SizedModel::RunCost, fileRole).toDouble(), 9.9e6);
    QCOMPARE(cell(0, SizedModel::Power, fileRole).toDouble(), 9.4);
    QCOMPARE(cell(0, SizedModel::Days, Qt::TextAlignmentRole).toInt(), int(Qt::AlignRight | Qt::AlignVCenter));
    QCOMPARE(cell(2, SizedModel::Fleet, idRole).toInt(), 2);
    QVERIFY(cell(0, SizedModel::Fleet, Qt::ToolTipRole).toString().contains(u"4096 accelerators"_s));
    QVERIFY(model.headerData(SizedModel::Power, Qt::Horizontal, Qt::DisplayRole).toString().contains(u"[MW]"_s));
    model.setResult(sizesample::question(), sizesample::infeasible(), SizedRows::BestOfNodes);
    QCOMPARE(model.rowCount(), 1);
}

void TestSizeModel::unknownSortsLast()
{
    auto result = sizesample::feasible();
    result.answers[0].answer.figures.carbonKg = size::unknownFigure;
    SizedModel model;
    model.setResult(sizesample::question(), result, SizedRows::EveryKind);
    QSortFilterProxyModel proxy;
    proxy.setSourceModel(&model);
    proxy.setSortRole(sortRole);
    proxy.sort(SizedModel::Carbon, Qt::AscendingOrder);
    QCOMPARE(proxy.index(2, SizedModel::Carbon).data().toString(), u"\u2013"_s);
}

void TestSizeModel::whatBinds()
{
    BindingModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setResult(sizesample::question(), sizesample::feasible(), SizedRows::EveryKind);
    QCOMPARE(model.rowCount(), 4); // two that keep their limits with the tightest one, and what the third breaks
    QCOMPARE(model.index(0, BindingModel::Limit).data().toString(), u"Facility power"_s);
    QCOMPARE(model.index(0, BindingModel::Needed).data().toString(), u"0.60 MW left"_s);
    QCOMPARE(model.index(0, BindingModel::By).data().toString(), u"\u2013"_s);
    QVERIFY(model.index(0, BindingModel::By).data(sortRole).toDouble() < 0);
    QVERIFY(model.index(0, BindingModel::Needed).data(keepsRole).toBool());
    QCOMPARE(model.index(2, BindingModel::Limit).data().toString(), u"Deadline"_s);
    QCOMPARE(model.index(3, BindingModel::Limit).data().toString(), u"Facility power"_s);
    QVERIFY(model.index(3, BindingModel::Remedy).data().toString().contains(u"832 nodes"_s));
    QCOMPARE(model.index(3, BindingModel::By).data().toString(), u"12.0"_s);
    QVERIFY(!model.index(3, BindingModel::Needed).data(keepsRole).toBool());
}

FLEETWRIGHT_TEST(TestSizeModel)
#include "tst_sizemodel.moc"
