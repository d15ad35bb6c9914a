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
    void theReferenceIsAPlan();
    void goesOutAsText();
    void inputsThatDifferFollowWhatDecides();
    void headingsFold();
    void differencesOnly();
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
    QCOMPARE(model.headerData(0, Qt::Vertical).toString(), u"What decides"_s);
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

/// In another comparison the column of the same plan is the reference, wherever that stands.
void ComparisonModelTest::theReferenceIsAPlan()
{
    ComparisonModel model;
    model.setComparison(compared({8, 4, 2}));
    model.setReference(1);
    model.setComparison(compared({2, 8, 4}));
    QCOMPARE(model.reference(), 2UZ);
    QCOMPARE(model.headerData(3, Qt::Horizontal).toString(), u"TP 4\n(reference)"_s);
    model.setComparison(compared({8, 2}));
    QCOMPARE(model.reference(), 0UZ); // it is not there
    model.setComparison(compared({2, 4}));
    QCOMPARE(model.reference(), 1UZ);
    const auto comparison = compared({2, 8, 4});
    QCOMPARE(columnOfKey(*comparison, columnKey(*compared({4}), 0)), 2UZ);
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

/// Known from the plans themselves, and gone where the plans agree or nobody knows the catalog. Before them stands only
/// what decides.
void ComparisonModelTest::inputsThatDifferFollowWhatDecides()
{
    const auto catalog = std::make_shared<const Catalog>(samples::catalog());
    ComparisonModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto comparison = compared({8, 4});
    model.setComparison(comparison, catalog);
    QVERIFY(model.isHeading(0));
    QCOMPARE(model.headerData(0, Qt::Vertical).toString(), u"What decides"_s);
    const auto tp = model.indexOf(u"input/parallelism.tp"_s, 0);
    QVERIFY(tp.isValid());
    QCOMPARE(model.headerData(model.headingOf(tp.row()), Qt::Vertical).toString(), u"Inputs that differ"_s);
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.isHeading(row))
            QCOMPARE(row < tp.row() && row != model.headingOf(tp.row()),
                isComparedFirst(model.headerData(row, Qt::Vertical).toString().toStdString()));
    QCOMPARE(tp.data().toString(), u"8"_s);
    QCOMPARE(tp.siblingAtColumn(2).data().toString(), u"4"_s);
    QVERIFY(tp.data(ComparisonModel::InputRole).toBool());
    QVERIFY(!model.cell(tp)); // no figure
    QVERIFY(tp.data(Qt::ToolTipRole).toString().contains(u"parallelism.tp"_s));
    QVERIFY(!model.indexOf(u"input/parallelism.pp"_s, 0).isValid()); // the same in both
    QVERIFY(toCsv(model).contains(u"parallelism.tp,8,4"_s));
    model.setComparison(compared({8}), catalog);
    const auto hasInputs = [&] {
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.headerData(row, Qt::Vertical).toString() == u"Inputs that differ"_s)
                return true;
        return false;
    };
    QVERIFY(!hasInputs());
    model.setComparison(comparison);
    QVERIFY(!hasInputs());
}

/// What is folded away stays in the model, for copies and files.
void ComparisonModelTest::headingsFold()
{
    ComparisonModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setComparison(compared({8, 4}));
    const int all = model.rowCount();
    const int step = model.indexOf(u"step_time_s"_s, 0).row(), heading = model.headingOf(step);
    QCOMPARE(model.headerData(heading, Qt::Vertical, ComparisonModel::FoldedRole), QVariant(false));
    QVERIFY(!model.headerData(step, Qt::Vertical, ComparisonModel::FoldedRole).isValid());
    QSignalSpy folded(&model, &ComparisonModel::foldedChanged);
    model.setFolded({u"Step time and its parts"_s});
    QCOMPARE(folded.size(), 1);
    QVERIFY(model.isFoldedAway(step) && !model.isFoldedAway(heading));
    QVERIFY(!model.isFoldedAway(model.indexOf(u"feasible"_s, 0).row()));
    QCOMPARE(model.headerData(heading, Qt::Vertical, ComparisonModel::FoldedRole), QVariant(true));
    QCOMPARE(model.headerData(heading, Qt::Vertical, Qt::AccessibleTextRole).toString(),
        u"Step time and its parts, folded"_s);
    QCOMPARE(model.rowCount(), all);
    QVERIFY(toCsv(model).contains(u"step_time_s,"_s));
}

void ComparisonModelTest::differencesOnly()
{
    ComparisonModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setComparison(compared({8, 4}));
    const int all = model.rowCount();
    QVERIFY(model.indexOf(u"memory.capacity_bytes"_s, 0).isValid());
    model.setDifferencesOnly(true);
    QVERIFY(model.rowCount() < all);
    QVERIFY(!model.indexOf(u"memory.capacity_bytes"_s, 0).isValid()); // of one accelerator
    QVERIFY(model.indexOf(u"step_time_s"_s, 0).isValid());
    for (int row = 0; row < model.rowCount(); ++row) {
        if (model.isHeading(row))
            QVERIFY(row + 1 < model.rowCount() && !model.isHeading(row + 1)); // none without a figure
        else
            QVERIFY(model.index(row, 1).data() != model.index(row, 2).data());
    }
    model.setComparison(compared({8})); // of one column nothing differs, so all of it is shown
    QVERIFY(model.indexOf(u"memory.capacity_bytes"_s, 0).isValid());
    model.setComparison(compared({8, 4}));
    model.setDifferencesOnly(false);
    QCOMPARE(model.rowCount(), all);
}

FLEETWRIGHT_TEST(ComparisonModelTest)
#include "tst_comparisonmodel.moc"
