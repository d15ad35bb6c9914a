// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "itemmodels/comparisonmodel.h"
#include "itemmodels/tabletext.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

namespace {

std::shared_ptr<const Comparison> compared(const std::vector<int> &tensorParallel, int batch = 64)
{
    ComparisonRequest request{.modelIds = {"first-order"}};
    for (const int tp : tensorParallel) {
        auto plan = samples::plan();
        plan.name = "TP " + std::to_string(tp);
        plan.parallelism.tp = tp;
        plan.training.globalBatch = batch;
        request.plans.push_back(plan);
    }
    return std::make_shared<const Comparison>(compare(request, samples::catalog()).value());
}

} // namespace

class ComparisonModelTest : public QObject {
    Q_OBJECT
private slots:
    void survivesTheModelTester();
    void showsFiguresUnderHeadings();
    void marksBestAndDifferences();
    void refusedAndMissingCellsSayWhy();
    void keepsItsShape();
    void goesOutAsText();
};

void ComparisonModelTest::survivesTheModelTester()
{
    ComparisonModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    model.setComparison(compared({8}));
    model.setComparison(compared({8, 4, 3}));
    model.setReference(1);
    model.setComparison(compared({8, 4, 3}, 128));
    model.setComparison({});
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.columnCount(), 0);
}

void ComparisonModelTest::showsFiguresUnderHeadings()
{
    ComparisonModel model;
    model.setComparison(compared({8, 4}));
    QCOMPARE(model.columnCount(), 3);
    QVERIFY(model.isHeading(0));
    QCOMPARE(model.headerData(0, Qt::Vertical).toString(), u"Feasibility"_s);
    QVERIFY(!model.cell(model.index(0, 1)));
    QVERIFY(!model.flags(model.index(0, 1)).testFlag(Qt::ItemIsSelectable));
    const auto step = model.indexOf(u"step_time_s"_s, 1);
    QVERIFY(step.isValid());
    QVERIFY(model.headerData(step.row(), Qt::Vertical).toString().startsWith(u"Step time ["_s));
    QCOMPARE(model.index(step.row(), 0).data().toString(), model.headerData(step.row(), Qt::Vertical).toString());
    QCOMPARE(model.cell(step)->column, 1UZ);
    QVERIFY(step.data(Qt::ToolTipRole).toString().contains(u"g_s \u00b7"_s));
    QCOMPARE(Qt::Alignment(step.data(Qt::TextAlignmentRole).toInt()), Qt::AlignRight | Qt::AlignVCenter);
    QVERIFY(!model.indexOf(u"nothing"_s, 0).isValid());
}

void ComparisonModelTest::marksBestAndDifferences()
{
    ComparisonModel model;
    model.setComparison(compared({8, 4}));
    const auto step = model.indexOf(u"step_time_s"_s, 0);
    const auto other = step.siblingAtColumn(2);
    QVERIFY(step.data(ComparisonModel::BestRole).toBool() != other.data(ComparisonModel::BestRole).toBool());
    QVERIFY(step.data(ComparisonModel::DifferenceRole).toString().isEmpty());
    QVERIFY(other.data(ComparisonModel::DifferenceRole).toString().contains(u'%'));
    QVERIFY(model.headerData(1, Qt::Horizontal).toString().contains(u"(reference)"_s));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setReference(1);
    QCOMPARE(changed.size(), 1);
    QVERIFY(other.data(ComparisonModel::DifferenceRole).toString().isEmpty());
    QVERIFY(step.data(ComparisonModel::DifferenceRole).toString().contains(u'%'));
    QVERIFY(model.headerData(2, Qt::Horizontal).toString().contains(u"(reference)"_s));
    const auto best = step.data(ComparisonModel::BestRole).toBool() ? step : other;
    QVERIFY(best.data(Qt::AccessibleTextRole).toString().contains(u"best"_s));
}

void ComparisonModelTest::refusedAndMissingCellsSayWhy()
{
    ComparisonModel model;
    model.setComparison(compared({8, 3}));
    const auto refused = model.indexOf(u"mfu"_s, 1);
    QCOMPARE(refused.data().toString(), u"refused"_s);
    QVERIFY(refused.data(Qt::ToolTipRole).toString().contains(u"does not divide"_s));
    QVERIFY(model.headerData(2, Qt::Horizontal, Qt::ToolTipRole).toString().contains(u"Refused"_s));
}

void ComparisonModelTest::keepsItsShape()
{
    ComparisonModel model;
    model.setComparison(compared({8, 4}));
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset), changed(&model, &QAbstractItemModel::dataChanged);
    const QPersistentModelIndex step = model.indexOf(u"step_time_s"_s, 0);
    const auto before = step.data(fileRole).toDouble();
    model.setComparison(compared({8, 4}, 128));
    QCOMPARE(reset.size(), 0);
    QCOMPARE(changed.size(), 1);
    QVERIFY(step.data(fileRole).toDouble() > before);
    model.setComparison(compared({8}));
    QCOMPARE(reset.size(), 1);
}

void ComparisonModelTest::goesOutAsText()
{
    ComparisonModel model;
    const auto comparison = compared({8, 3});
    model.setComparison(comparison);
    const auto lines = toTabSeparated(model).split(u'\n');
    QCOMPARE(lines.front(), u"Figure\tTP 8 (reference)\tTP 3"_s);
    QCOMPARE(lines.size(), model.rowCount() + 2);
    const QString csv = toCsv(model);
    const double step = *comparison->row("step_time_s")->cells[0].value;
    QVERIFY(csv.contains(u"step_time_s,%1,refused"_s.arg(QString::number(step, 'g', 17)))
        || csv.contains(u"step_time_s,%1,refused"_s.arg(QString::number(step, 'g', QLocale::FloatingPointShortest))));
}

FLEETWRIGHT_TEST(ComparisonModelTest)
#include "tst_comparisonmodel.moc"
