// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/publishedchoicemodel.h"
#include "itemmodels/tabletext.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace fleetwright::validation;
using namespace Qt::StringLiterals;

namespace {

/// Of the first and the last choice, as if they had been searched.
std::vector<PublishedScore> handMade()
{
    const auto choices = publishedChoices({}).value();
    PublishedScore first{.choice = choices.front(), .published = {.layout = {.tp = 8, .dp = 32}, .stepSeconds = 9.45}};
    first.choice.measured = 9.4 * second;
    first.software.counts.feasible = 300;
    first.software.counts.excluded[std::size_t(layoutsearch::Exclusion::Memory)] = 700;
    first.software.rank = 25;
    first.software.splits = 10;
    first.software.splitRank = 3;
    first.software.best = layoutsearch::Row{.layout = {.tp = 2, .pp = 4, .dp = 32}, .stepSeconds = 6.3};
    first.everything = first.software;
    first.everything->rank = 100;
    PublishedScore last{
        .choice = choices.back(), .published = {.layout = {.pp = 16, .ep = 64, .dp = 128}, .stepSeconds = 20}};
    return {first, last};
}

} // namespace

class PublishedChoiceModelTest : public QObject {
    Q_OBJECT
private slots:
    void rowsHoldWhereAChoiceStands();
    void cellsAndFiles();
    void everyColumnIsExplained();
};

void PublishedChoiceModelTest::rowsHoldWhereAChoiceStands()
{
    const auto rows = publishedChoiceRows(handMade());
    QCOMPARE(rows.size(), 2UZ);
    QCOMPARE(rows[0].run, u"GPT 18.4B"_s);
    QCOMPARE(rows[0].layout, u"TP 8, PP 1, DP 32"_s);
    QCOMPARE(rows[0].best, u"TP 2, PP 4, DP 32"_s);
    QCOMPARE(rows[0].accelerators, 256);
    QCOMPARE(rows[0].legal, 1000ULL);
    QCOMPARE(rows[0].share, 0.025);
    QVERIFY(std::abs(rows[0].gain - 1.0 / 3) < 1e-9);
    QVERIFY(rows[0].toolTip.contains(u"Narayanan"_s));
    QVERIFY(!rows[1].measured);
    QCOMPARE(rows[1].gain, 0.0);
}

void PublishedChoiceModelTest::cellsAndFiles()
{
    PublishedChoiceModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRows(publishedChoiceRows(handMade()));
    const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(text(0, PublishedChoiceModel::Predicted), u"9.45"_s);
    QCOMPARE(text(0, PublishedChoiceModel::Measured), u"9.40"_s);
    QCOMPARE(text(1, PublishedChoiceModel::Measured), u"\u2013"_s);
    auto tiny = handMade();
    tiny[0].published.stepSeconds = 2.29e-5;
    PublishedChoiceModel fast;
    fast.setRows(publishedChoiceRows(tiny)); // unreadable in seconds, so it brings its unit
    QCOMPARE(fast.index(0, PublishedChoiceModel::Predicted).data().toString(), u"22.9\u00a0\u00b5s"_s);
    QCOMPARE(fast.headerData(PublishedChoiceModel::Predicted, Qt::Horizontal, Qt::DisplayRole).toString(),
        u"Predicted\n[s]"_s);
    QCOMPARE(text(0, PublishedChoiceModel::Share), u"2.50"_s);
    QCOMPARE(text(0, PublishedChoiceModel::Feasible), u"300"_s);
    QCOMPARE(
        model.index(0, PublishedChoiceModel::Gain).data(sortRole).toDouble(), publishedChoiceRows(handMade())[0].gain);
    const auto csv = toCsv(model);
    QVERIFY2(
        csv.startsWith(
            u"id,accelerators,layout,predicted_step_time_s,measured_step_time_s,feasible,rank,top_share,best_layout,gain"_s),
        qPrintable(csv));
    QVERIFY2(csv.contains(u"9.45,9.4,300,25,0.025,"_s), qPrintable(csv));
    model.setRows({});
    QCOMPARE(model.rowCount(), 0);
}

void PublishedChoiceModelTest::everyColumnIsExplained()
{
    const PublishedChoiceModel model;
    for (int column = 0; column < model.columnCount(); ++column) {
        QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
        QVERIFY(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().size() > 15);
    }
}

FLEETWRIGHT_TEST(PublishedChoiceModelTest)
#include "tst_publishedchoicemodel.moc"
