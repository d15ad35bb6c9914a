// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "itemmodels/planinputsmodel.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;

namespace {

std::vector<PlanInputsColumn> columns(const std::vector<PlanDocument> &plans)
{
    const auto items = std::make_shared<const Catalog>(samples::catalog());
    std::vector<PlanInputsColumn> made;
    for (const auto &plan : plans)
        made.push_back({qint64(made.size()) + 1, QString::fromStdString(plan.name), PlanInputs(plan, items)});
    return made;
}

PlanDocument plan(const char *name, int nodes)
{
    auto made = samples::plan();
    made.name = name;
    made.fleet.nodes = nodes;
    return made;
}

} // namespace

class TestPlanInputsModel : public QObject {
    Q_OBJECT
private slots:
    void showsEveryPlanAndWhatDiffers();
    void editsChangeCellsInPlace();
    void anotherPlanResets();
    void typingIsAnnounced();
    void filters();
};

void TestPlanInputsModel::showsEveryPlanAndWhatDiffers()
{
    PlanInputsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setPlans(columns({plan("A", 4), plan("B", 8)}));
    QCOMPARE(model.columnCount(), 3);
    QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), QStringLiteral("A"));
    const int nodes = model.rowOf("fleet.nodes");
    QCOMPARE(model.index(nodes, 0).data().toString(), QStringLiteral("Fleet: Nodes"));
    QCOMPARE(model.index(nodes, 2).data().toString(), QStringLiteral("8"));
    for (int row = 0; row < model.rowCount(); ++row)
        QCOMPARE(model.isDifferent(row), row == nodes);
    model.setShown({true, false});
    QVERIFY(!model.isDifferent(nodes));
    const int budget = model.rowOf("training.token_budget");
    QCOMPARE(model.index(budget, 1).data(PlanInputsModel::statedRole).toBool(), false);
    QVERIFY(model.index(budget, 1).data(Qt::FontRole).value<QFont>().italic());
    QVERIFY(model.headerData(nodes, Qt::Vertical, Qt::ToolTipRole).toString().contains(QStringLiteral("fleet.nodes")));
}

void TestPlanInputsModel::editsChangeCellsInPlace()
{
    PlanInputsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setPlans(columns({plan("A", 4), plan("B", 8)}));
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset), changed(&model, &QAbstractItemModel::dataChanged);
    model.setPlans(columns({plan("A", 4), plan("B", 16)}));
    QVERIFY(reset.isEmpty());
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.front().front().toModelIndex().row(), model.rowOf("fleet.nodes"));
    model.setPlans(columns({plan("A", 4), plan("B", 16)}));
    QCOMPARE(changed.size(), 1);
}

void TestPlanInputsModel::anotherPlanResets()
{
    PlanInputsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setPlans(columns({plan("A", 4)}));
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.setPlans(columns({plan("A", 4), plan("B", 4)}));
    QCOMPARE(reset.size(), 1);
    model.setPlans({});
    QCOMPARE(model.columnCount(), 1);
}

void TestPlanInputsModel::typingIsAnnounced()
{
    PlanInputsModel model;
    model.setPlans(columns({plan("A", 4)}));
    QSignalSpy typed(&model, &PlanInputsModel::typed);
    const auto nodes = model.index(model.rowOf("fleet.nodes"), 1);
    QVERIFY(nodes.flags() & Qt::ItemIsEditable);
    QVERIFY(!(nodes.siblingAtColumn(0).flags() & Qt::ItemIsEditable));
    QVERIFY(model.setData(nodes, QStringLiteral("12")));
    QCOMPARE(typed.size(), 1);
    QCOMPARE(nodes.data().toString(), QStringLiteral("4")); // the owner decides
    model.setEditable(false);
    QVERIFY(!(nodes.flags() & Qt::ItemIsEditable));
    QVERIFY(!model.setData(nodes, QStringLiteral("12")));
    const auto flag = model.index(model.rowOf("training.lora"), 1).data(PlanInputsModel::choicesRole).toList();
    QCOMPARE(flag.size(), 2);
}

void TestPlanInputsModel::filters()
{
    PlanInputsModel model;
    PlanInputsFilter filter(model);
    const QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setPlans(columns({plan("A", 4), plan("B", 8)}));
    const int all = filter.rowCount();
    filter.setRows(PlanInputsFilter::Rows::Different);
    QCOMPARE(filter.rowCount(), 1);
    filter.setRows(PlanInputsFilter::Rows::Equal);
    QCOMPARE(filter.rowCount(), all - 1);
    filter.setRows(PlanInputsFilter::Rows::All);
    filter.setWords(QStringLiteral("deadline"));
    QCOMPARE(filter.rowCount(), 1);
    filter.setWords(QStringLiteral("TEST_FABRIC"));
    QCOMPARE(filter.rowCount(), 1);
    filter.setWords({});
    filter.setRows(PlanInputsFilter::Rows::Different);
    model.setPlans(columns({plan("A", 8), plan("B", 8)})); // an edit takes its row out
    QCOMPARE(filter.rowCount(), 0);
}

FLEETWRIGHT_TEST(TestPlanInputsModel)
#include "tst_planinputsmodel.moc"
