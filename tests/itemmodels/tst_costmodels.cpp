// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/costmodels.h"
#include "itemmodels/tabletext.h"
#include "solver/samplecosts.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

class CostModelsTest : public QObject {
    Q_OBJECT

    static QString cell(const QAbstractItemModel &model, int row, int column)
    {
        return model.index(row, column).data().toString();
    }

private slots:
    void modelsKeepTheirPromises()
    {
        const auto validation = samplescores::costValidation();
        CostSummaryModel summaries;
        CostScoreModel figures;
        UnscoredCostModel unscored;
        std::vector<std::unique_ptr<QAbstractItemModelTester>> testers;
        for (QAbstractItemModel *model : std::initializer_list<QAbstractItemModel *>{&summaries, &figures, &unscored}) {
            testers.push_back(std::make_unique<QAbstractItemModelTester>(
                model, QAbstractItemModelTester::FailureReportingMode::QtTest));
            for (int column = 0; column < model->columnCount(); ++column)
                QVERIFY(!model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
        }
        summaries.setRows(costSummaryRows(validation));
        figures.setRows(costScoreRows(validation));
        unscored.setRows(unscoredCostRows(validation));
        QCOMPARE(summaries.rowCount(), 3); // purchases twice
        QCOMPARE(figures.rowCount(), 5);
        QCOMPARE(unscored.rowCount(), 1);
        figures.setRows({});
    }

    void theDiscountHasALineOfItsOwn()
    {
        CostSummaryModel model;
        model.setRows(costSummaryRows(samplescores::costValidation()));
        QCOMPARE(cell(model, 0, CostSummaryModel::Kind), u"All-in power per accelerator"_s);
        QCOMPARE(cell(model, 0, CostSummaryModel::Met), u"yes"_s);
        QCOMPARE(cell(model, 1, CostSummaryModel::Within), u"1"_s);
        QCOMPARE(cell(model, 1, CostSummaryModel::Median), u"30.0"_s);
        QCOMPARE(cell(model, 1, CostSummaryModel::Met), QString(u"–"_s));
        QVERIFY(cell(model, 2, CostSummaryModel::Kind).contains(u"discount of large buyers"_s));
        QCOMPARE(cell(model, 2, CostSummaryModel::Within), u"2"_s);
        QCOMPARE(cell(model, 2, CostSummaryModel::Met), u"no"_s);
        QCOMPARE(model.index(2, 0).data(costKindRole).toString(), u"purchase"_s);
    }

    void figuresShowBothErrors()
    {
        CostScoreModel model;
        model.setRows(costScoreRows(samplescores::costValidation()));
        QCOMPARE(cell(model, 0, CostScoreModel::Published), u"1.00\u00a0kW"_s);
        QCOMPARE(cell(model, 0, CostScoreModel::Error), u"+10.0"_s);
        QCOMPARE(cell(model, 1, CostScoreModel::Error), u"-5.00"_s);
        QCOMPARE(cell(model, 0, CostScoreModel::Discounted), QString(u"–"_s));
        QCOMPARE(cell(model, 0, CostScoreModel::Within), u"yes"_s);
        QCOMPARE(cell(model, 2, CostScoreModel::Within), u"no"_s);
        QCOMPARE(cell(model, 3, CostScoreModel::Computed), u"130\u00a0MUSD"_s);
        QCOMPARE(cell(model, 3, CostScoreModel::Discounted), u"+17.0"_s);
        QCOMPARE(cell(model, 3, CostScoreModel::Within), u"discounted"_s);
        QCOMPARE(cell(model, 3, CostScoreModel::Tolerance), u"20.0\u00a0%"_s);
        // By size, whatever the sign.
        QVERIFY(model.index(1, CostScoreModel::Error).data(itemmodels::sortRole).toDouble() > 0);
        QVERIFY(model.index(2, 0).data(Qt::ToolTipRole).toString().contains(u"servers with network"_s));
    }

    void filesHaveNumbersAndUnits()
    {
        CostScoreModel model;
        model.setRows(costScoreRows(samplescores::costValidation()));
        const auto lines = toCsv(model).split(u"\r\n"_s);
        QCOMPARE(lines[0], u"name,date,published,computed,error,error_discounted,tolerance,within,source,kind,unit"_s);
        QVERIFY2(lines[1].contains(u",1000,1100,0.1"_s) && lines[1].endsWith(u"All-in power per accelerator,W"_s),
            qPrintable(lines[1]));
        QVERIFY2(lines[4].contains(u",1.3e+08,"_s) && lines[4].endsWith(u",USD"_s), qPrintable(lines[4]));
    }
};

FLEETWRIGHT_TEST(CostModelsTest)
#include "tst_costmodels.moc"
