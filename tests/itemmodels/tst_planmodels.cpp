// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/assumptionsmodel.h"
#include "itemmodels/fleetmodel.h"
#include "itemmodels/tracemodel.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

namespace {

FleetRow fleet(qint64 id, const QString &name, int nodes)
{
    FleetRow row;
    row.id = id;
    row.name = name;
    row.nodes = nodes;
    return row;
}

const std::vector<AssumptionDescriptor> &descriptors()
{
    static const std::vector<AssumptionDescriptor> list{
        {"efficiency", "Efficiency", "Share of the peak", 0.5, units::Dimension::Fraction, "", 1e-9, 1.0, false, {},
            "convention", "Compute"},
        {"overlap_comm", "Overlap", "Hide communication", false, units::Dimension::Number, "", 0, 0, false, {},
            "convention", "Network"},
        {"topology", "Collective", "Algorithm", std::string("auto"), units::Dimension::Number, "", 0, 0, false,
            {"auto", "ring", "tree"}, "paper", "Network"},
        {"layer_tax", "Layer tax", "Per layer", 0.01, units::Dimension::Time, "ms", 0, 1000, false, {}, "measurement",
            "Compute"},
    };
    return list;
}

int rowOf(const AssumptionsModel &model, const QString &label)
{
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.index(row, AssumptionsModel::Label).data().toString() == label)
            return row;
    return -1;
}

} // namespace

class TestPlanModels : public QObject {
    Q_OBJECT
private slots:
    void rowsAnnounceExactly();
    void sortsByNumbers();
    void fleetRows();
    void traceShowsVerdicts();
    void assumptionsAreGrouped();
    void assumptionIsEditedInAnyUnit();
    void badAssumptions_data();
    void badAssumptions();
    void assumptionsReset();
};

void TestPlanModels::rowsAnnounceExactly()
{
    FleetModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSortFilterProxyModel proxy;
    proxy.setSourceModel(&model);
    QAbstractItemModelTester proxyTester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.insert(0, fleet(7, u"a"_s, 1));
    model.insert(1, fleet(9, u"b"_s, 3));
    model.insert(0, fleet(3, u"c"_s, 2));
    QCOMPARE(inserted.count(), 3);
    QCOMPARE(model.indexOf(9), 2);
    QCOMPARE(model.indexOf(4), -1);
    model.change(1, fleet(7, u"a"_s, 1));
    QCOMPARE(changed.count(), 0); // nothing changed, nothing said
    model.change(1, fleet(7, u"a"_s, 5));
    QCOMPARE(changed.count(), 1);
    model.remove(0);
    QCOMPARE(removed.count(), 1);
    QCOMPARE(model.index(0, 0).data(idRole).toLongLong(), 7);
    model.setRows({fleet(1, u"x"_s, 3)});
    QCOMPARE(reset.count(), 1);
    QCOMPARE(model.rowCount(), 1);
}

void TestPlanModels::sortsByNumbers()
{
    FleetModel model;
    QSortFilterProxyModel proxy;
    proxy.setSourceModel(&model);
    proxy.setSortRole(sortRole);
    model.setRows(
        {fleet(1, u"many"_s, 1000), fleet(2, u"few"_s, 8), fleet(3, u"some"_s, 32)}); // as texts: 1,000, 32, 8
    proxy.sort(FleetModel::Nodes);
    QCOMPARE(proxy.index(0, 0).data().toString(), u"few"_s);
    QCOMPARE(proxy.index(1, 0).data().toString(), u"some"_s);
    QCOMPARE(proxy.index(2, 0).data().toString(), u"many"_s);
}

void TestPlanModels::fleetRows()
{
    FleetModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRows(
        {{1, u"Ours"_s, u"DGX H100"_s, 32, 256, u"NDR"_s, {}}, {2, u"Broken"_s, u"gone"_s, 4, 0, u"NDR"_s, u"why"_s}});
    QCOMPARE(model.index(0, FleetModel::Accelerators).data().toString(), u"256"_s);
    QCOMPARE(model.index(1, FleetModel::Accelerators).data().toString(), QString());
    QCOMPARE(model.index(1, FleetModel::Name).data(Qt::ToolTipRole).toString(), u"why"_s);
    QCOMPARE(model.headerData(FleetModel::Nodes, Qt::Horizontal, Qt::DisplayRole).toString(), u"Nodes"_s);
}

void TestPlanModels::traceShowsVerdicts()
{
    TraceModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setTrace({{"memory_capacity", ErrorCode::OutOfMemory, false, false, true, units::Dimension::Information,
                        140e9, 80e9, "Needs 140 GB of 80 GB."},
        {"deadline_days", ErrorCode::ConstraintViolated, true, false, true, units::Dimension::Time, 864000, 2592000,
            "10 of 30 days."},
        {"run_cost_usd", ErrorCode::ConstraintViolated, true, false, false, units::Dimension::Money, 0, 1e6,
            "The price is unknown."},
        {"capital_usd", ErrorCode::ConstraintViolated, true, true, true, units::Dimension::Money, 1e6, 2e6,
            "It holds at the likely value only."}});
    QCOMPARE(model.index(0, TraceModel::Verdict).data().toString(), u"FAILS"_s);
    QCOMPARE(model.index(1, TraceModel::Verdict).data().toString(), u"holds"_s);
    QCOMPARE(model.index(2, TraceModel::Verdict).data().toString(), u"unknown"_s);
    QCOMPARE(model.index(3, TraceModel::Verdict).data().toString(), u"likely only"_s);
    QCOMPARE(model.index(0, TraceModel::Constraint).data().toString(), u"Memory capacity"_s);
    QCOMPARE(model.index(0, TraceModel::Needed).data().toString(), u"140\u00a0GB"_s);
    QCOMPARE(model.index(2, TraceModel::Needed).data().toString(), QString()); // unknown is not zero
    QCOMPARE(model.index(0, TraceModel::Used).data().toString(), u"175\u00a0%"_s); // as the list of plans says it
    QCOMPARE(model.index(2, TraceModel::Used).data().toString(), QString());
    QCOMPARE(model.index(0, TraceModel::Constraint).data(Qt::ToolTipRole).toString(), u"Needs 140 GB of 80 GB."_s);
    QCOMPARE(constraintTitle("something_new"), u"something_new"_s);
}

void TestPlanModels::assumptionsAreGrouped()
{
    AssumptionsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setDescriptors(descriptors());
    QStringList groups;
    for (int row = 0; row < model.rowCount(); ++row)
        groups << model.index(row, AssumptionsModel::Group).data().toString();
    QCOMPARE(groups, QStringList({u"Compute"_s, u"Compute"_s, u"Network"_s, u"Network"_s}));
    QVERIFY(model.flags(model.index(0, AssumptionsModel::Value)).testFlag(Qt::ItemIsEditable));
    QVERIFY(!model.flags(model.index(0, AssumptionsModel::Default)).testFlag(Qt::ItemIsEditable));
    model.setEditable(false);
    QVERIFY(!model.flags(model.index(0, AssumptionsModel::Value)).testFlag(Qt::ItemIsEditable));
    QVERIFY(!model.setData(model.index(0, AssumptionsModel::Value), u"0.4"_s));
}

void TestPlanModels::assumptionIsEditedInAnyUnit()
{
    AssumptionsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setDescriptors(descriptors());
    QSignalSpy edited(&model, &AssumptionsModel::edited);
    QVERIFY(model.setData(model.index(rowOf(model, u"Layer tax"_s), AssumptionsModel::Value), u"20 us"_s));
    QCOMPARE(edited.count(), 1);
    QCOMPARE(edited.first().first().toString(), u"layer_tax"_s);
    QVERIFY(qFuzzyCompare(
        std::get<double>(model.assumptions().edited.at("layer_tax")), 0.02)); // in the descriptor's unit, ms
    QVERIFY(model.setData(model.index(rowOf(model, u"Efficiency"_s), AssumptionsModel::Value), u"40 %"_s));
    QCOMPARE(std::get<double>(model.assumptions().edited.at("efficiency")), 0.4);
    QVERIFY(model.setData(model.index(rowOf(model, u"Overlap"_s), AssumptionsModel::Value), u"yes"_s));
    QVERIFY(model.setData(model.index(rowOf(model, u"Overlap"_s), AssumptionsModel::Value), u"yes"_s));
    QCOMPARE(edited.count(), 3); // the same value again is no edit
    QVERIFY(model.isEdited(rowOf(model, u"Overlap"_s)));
    QVERIFY(!model.isEdited(rowOf(model, u"Collective"_s)));
}

void TestPlanModels::badAssumptions_data()
{
    QTest::addColumn<QString>("label");
    QTest::addColumn<QString>("typed");
    QTest::newRow("efficiency 0") << u"Efficiency"_s << u"0"_s;
    QTest::newRow("efficiency 1.5") << u"Efficiency"_s << u"1.5"_s;
    QTest::newRow("word") << u"Efficiency"_s << u"abc"_s;
    QTest::newRow("NaN") << u"Efficiency"_s << u"nan"_s;
    QTest::newRow("infinite") << u"Efficiency"_s << u"1e999"_s;
    QTest::newRow("empty") << u"Efficiency"_s << QString();
    QTest::newRow("wrong unit") << u"Layer tax"_s << u"3 GB"_s;
    QTest::newRow("no choice") << u"Collective"_s << u"star"_s;
    QTest::newRow("not a switch") << u"Overlap"_s << u"maybe"_s;
    QTest::newRow("huge text") << u"Efficiency"_s << QString(1000000, u'8');
}

void TestPlanModels::badAssumptions()
{
    QFETCH(QString, label);
    QFETCH(QString, typed);
    AssumptionsModel model;
    model.setDescriptors(descriptors());
    QSignalSpy edited(&model, &AssumptionsModel::edited);
    QSignalSpy refused(&model, &AssumptionsModel::refused);
    QVERIFY(!model.setData(model.index(rowOf(model, label), AssumptionsModel::Value), typed));
    QCOMPARE(edited.count(), 0);
    QCOMPARE(refused.count(), 1);
    QVERIFY(refused.first().first().toString().size() > 10);
    QVERIFY(refused.first().first().toString().size() < 500);
    QVERIFY(model.assumptions().edited.empty());
}

void TestPlanModels::assumptionsReset()
{
    AssumptionsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setDescriptors(descriptors());
    QSignalSpy edited(&model, &AssumptionsModel::edited);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setAssumptions({{{"efficiency", 0.3}, {"topology", std::string("ring")}}});
    QCOMPARE(edited.count(), 0); // only users edit
    QCOMPARE(changed.count(), 2);
    const int row = rowOf(model, u"Efficiency"_s);
    QCOMPARE(model.index(row, AssumptionsModel::Value).data().toString(), u"0.3"_s);
    model.reset(row);
    QVERIFY(!model.isEdited(row));
    QCOMPARE(edited.count(), 1);
    model.resetAll();
    QVERIFY(model.assumptions().edited.empty());
    QCOMPARE(edited.count(), 2);
}

FLEETWRIGHT_TEST(TestPlanModels)
#include "tst_planmodels.moc"
