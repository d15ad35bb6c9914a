// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/newsitemodels.h"
#include "itemmodels/tabletext.h"
#include "solver/samplevalidation.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace fleetwright::validation;
using namespace Qt::StringLiterals;

class NewSiteModelsTest : public QObject {
    Q_OBJECT

    static QString cell(const QAbstractItemModel &model, int row, int column)
    {
        return model.index(row, column).data().toString();
    }

private slots:
    void modelsKeepTheirPromises()
    {
        const auto file = samplescores::scoredFile();
        const auto &site = *file.newSiteOf("detailed");
        CoverageModel coverage;
        LevelModel levels;
        FewShotModel fewShot;
        ProductionModel production;
        std::vector<std::unique_ptr<QAbstractItemModelTester>> testers;
        for (QAbstractItemModel *model :
            std::initializer_list<QAbstractItemModel *>{&coverage, &levels, &fewShot, &production}) {
            testers.push_back(std::make_unique<QAbstractItemModelTester>(
                model, QAbstractItemModelTester::FailureReportingMode::QtTest));
            for (int column = 0; column < model->columnCount(); ++column)
                QVERIFY(!model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
        }
        coverage.setRows(coverageRows(site.score.coverage, file.file));
        levels.setRows(levelRows(*site.levels));
        fewShot.setRows(fewShotRows({{0, {.median = 0.1, .sources = 2}}, {5, {}}}));
        production.setRows(productionRows(file, *file.scoreOf("detailed"), site));
        QCOMPARE(coverage.rowCount(), 2);
        QCOMPARE(levels.rowCount(), 5);
        QCOMPARE(fewShot.rowCount(), 2);
        QCOMPARE(production.rowCount(), 0); // 64 accelerators at most
        coverage.setRows({});
    }

    void theLeastCoveredSourceComesFirst()
    {
        const auto file = samplescores::scoredFile();
        CoverageModel model;
        model.setRows(coverageRows(file.newSiteOf("detailed")->score.coverage, file.file));
        QCOMPARE(cell(model, 0, CoverageModel::Source), u"Title of beta-2024, 2025-05-15"_s);
        QCOMPARE(cell(model, 0, CoverageModel::Covered), u"0"_s);
        QCOMPARE(cell(model, 1, CoverageModel::Covered), u"100"_s);
        QCOMPARE(cell(model, 1, CoverageModel::HalfWidth), u"25.0"_s);
        const auto tip = model.index(0, 0).data(Qt::ToolTipRole).toString();
        for (const auto &part : {u"Title of beta-2024"_s, u"beta-2024\n"_s, u"https://"_s, u"\n0 of 1 runs"_s})
            QVERIFY2(tip.contains(part), qPrintable(tip));
        QVERIFY(toCsv(model).startsWith(u"source,n,covered,half_width\r\nbeta-2024,1,0,0.25"_s));
    }

    void levelsAreInPercent()
    {
        LevelModel model;
        model.setRows(levelRows({.family = 0, .group = 0.02, .source = std::log(1.5), .run = 0.1, .runRms = 0.2}));
        QCOMPARE(cell(model, 2, LevelModel::Level), u"Source"_s);
        QCOMPARE(cell(model, 2, LevelModel::Deviation), u"50.0"_s);
        QCOMPARE(cell(model, 0, LevelModel::Deviation), u"0"_s);
    }

    void fewShotFiguresWithoutSourcesAreAbsent()
    {
        FewShotModel model;
        model.setRows(fewShotRows({{10, {}},
            {1, {.median = 0.09, .mean = 0.12, .covered = 0.75, .halfWidth = std::log(1.2), .sources = 3}}}));
        QCOMPARE(cell(model, 0, FewShotModel::Known), u"1"_s);
        QCOMPARE(cell(model, 0, FewShotModel::Median), u"9.00"_s);
        QCOMPARE(cell(model, 0, FewShotModel::HalfWidth), u"20.0"_s);
        QCOMPARE(cell(model, 1, FewShotModel::Median), u"\u2013"_s);
        QVERIFY(toCsv(model).endsWith(u"10,,,,,0\r\n"_s));
    }

    void productionRunsAreTheLargestFirst()
    {
        auto file = samplescores::scoredFile();
        file.file.runs[0].accelerators = 8192;
        file.file.runs[5].accelerators = 16384;
        file.file.runs[6].accelerators = 9000; // not scored
        const auto site = samplescores::newSite(file.file);
        QCOMPARE(site.production.inFile, 3);
        ProductionModel model;
        model.setRows(productionRows(file, *file.scoreOf("detailed"), site));
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(cell(model, 0, ProductionModel::Run), u"GPT-3 <175B> on 16384 A100, TP 8, PP 4"_s);
        QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains(u"(run-6)"_s));
        QCOMPARE(cell(model, 0, ProductionModel::Error), u"+120"_s);
        QCOMPARE(cell(model, 0, ProductionModel::Inside), u"no"_s);
        QCOMPARE(cell(model, 1, ProductionModel::Accelerators), u"8192"_s);
        QCOMPARE(cell(model, 1, ProductionModel::Inside), u"yes"_s);
        QCOMPARE(model.index(0, 0).data(itemmodels::idRole).toInt(), 5);
        QVERIFY(
            toCsv(model).startsWith(u"id,n_accelerators,measured_s,predicted_s,error,in_range\r\nrun-6,16384,10,22"_s));
    }
};

FLEETWRIGHT_TEST(NewSiteModelsTest)
#include "tst_newsitemodels.moc"
