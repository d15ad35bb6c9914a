// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/scoremodel.h"
#include "itemmodels/tabletext.h"
#include "itemmodels/validationcells.h"
#include "itemmodels/validationmodel.h"
#include "solver/samplevalidation.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace fleetwright::validation;
using namespace Qt::StringLiterals;

namespace {

void showScoredRuns(ScoredRunModel &model, ScoredRunFilter &filter)
{
    const auto file = samplescores::scoredFile();
    filter.setSourceModel(&model);
    model.setRows(scoredRunRows(file, *file.scoreOf("detailed")));
}

QString idIn(const QAbstractItemModel &runs, int row)
{
    return runs.index(row, ScoredRunModel::Run).data(fileRole).toString();
}

} // namespace

class ValidationModelsTest : public QObject {
    Q_OBJECT
private slots:
    void modelsKeepTheirPromises();
    void scoresStandSideBySide();
    void errorsNeedNoExponent();
    void everyStatisticIsExplained();
    void everyColumnSaysWhatItIs();
    void groupsNameTheirSources();
    void runsAndSourcesHaveNames();
    void groupsHaveTheErrorOfSourcesLeftOut();
    void runsAreSortedBySizeOfError();
    void filterFindsEveryWord();
    void skippedRunsAreCountedByReason();
    void rankedRunsShowBothOrders();
    void filesHoldPlainNumbers();
    void rangesStandBesideTheRuns();
    void leftOutErrorsAreThoseOfModelsThatHaveThem();
};

void ValidationModelsTest::modelsKeepTheirPromises()
{
    const auto file = samplescores::scoredFile();
    const auto &of = *file.scoreOf("detailed");
    ScoreModel scores;
    ErrorGroupModel groups;
    ScoredRunModel runs;
    SkippedModel skipped;
    RankGroupModel rankGroups;
    RankedModel ranked;
    ScoredRunFilter filter;
    filter.setSourceModel(&runs);
    std::vector<std::unique_ptr<QAbstractItemModelTester>> testers;
    for (QAbstractItemModel *model :
        std::initializer_list<QAbstractItemModel *>{&scores, &groups, &runs, &skipped, &rankGroups, &ranked, &filter})
        testers.push_back(
            std::make_unique<QAbstractItemModelTester>(model, QAbstractItemModelTester::FailureReportingMode::QtTest));
    scores.setRows(scoreRows(file));
    groups.setRows(errorGroupRows(breakdown(of, file.places, Grouping::Source), Grouping::Source, file.file));
    runs.setRows(scoredRunRows(file, of));
    skipped.setRows(skippedRows(file, of));
    rankGroups.setRows(rankGroupRows(of));
    ranked.setRows(rankedRows(file, of, 0));
    QCOMPARE(scores.rowCount(), 3);
    QCOMPARE(groups.rowCount(), 2);
    QCOMPARE(runs.rowCount(), 6);
    QCOMPARE(skipped.rowCount(), 1);
    QCOMPARE(rankGroups.rowCount(), 1);
    QCOMPARE(ranked.rowCount(), 5);
    QVERIFY(rankedRows(file, of, 7).empty());
    runs.setRows({});
    QCOMPARE(filter.rowCount(), 0);
}

void ValidationModelsTest::scoresStandSideBySide()
{
    ScoreModel model;
    model.setRows(scoreRows(samplescores::scoredFile()));
    const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(text(0, ScoreModel::MacroMedian), u"55.0"_s);
    QCOMPARE(text(0, ScoreModel::Bias), u"+19.2"_s);
    QCOMPARE(text(0, ScoreModel::TauSeveral), u"0.80"_s);
    QCOMPARE(text(0, ScoreModel::TauOne), u"\u2013"_s);
    QCOMPARE(text(0, ScoreModel::RegretSeveral), u"12.5"_s);
    QCOMPARE(text(0, ScoreModel::Memory), u"20.0"_s);
    QCOMPARE(text(0, ScoreModel::Verdicts), u"1 of 1"_s);
    QCOMPARE(text(0, ScoreModel::Priced), u"6"_s);
    QCOMPARE(text(0, ScoreModel::Skipped), u"1"_s);
    // A model that scores nothing has no figures, not zeros.
    for (int column = ScoreModel::MacroMedian; column <= ScoreModel::Verdicts; ++column)
        QCOMPARE(text(1, column), u"\u2013"_s);
    QVERIFY(model.index(1, 0).data(Qt::ToolTipRole).toString().contains(u"none of these runs"_s));
    QCOMPARE(model.index(2, 0).data(Qt::ToolTipRole).toString(), u"There is no such model."_s);
    QVERIFY(model.index(1, ScoreModel::MacroMedian).data(sortRole).toDouble() > 1e300); // comes last in rising order
}

void ValidationModelsTest::everyStatisticIsExplained()
{
    ScoreModel model;
    for (int column = 0; column < model.columnCount(); ++column) {
        QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
        QVERIFY(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().size() > 20);
    }
}

void ValidationModelsTest::groupsNameTheirSources()
{
    const auto file = samplescores::scoredFile();
    const auto &of = *file.scoreOf("detailed");
    ErrorGroupModel model;
    model.setRows(errorGroupRows(breakdown(of, file.places, Grouping::Source), Grouping::Source, file.file));
    QCOMPARE(model.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), u"Source"_s);
    QCOMPARE(model.index(0, 0).data().toString(), u"Title of beta-2024, 2025-05-15"_s);
    QCOMPARE(model.index(0, 0).data(fileRole).toString(), u"beta-2024"_s);
    QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains(u"Title of beta-2024"_s));
    QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains(u"https://example.org/beta-2024"_s));
    model.setGrouping(Grouping::Family);
    model.setRows(errorGroupRows(breakdown(of, file.places, Grouping::Family), Grouping::Family, file.file));
    QCOMPARE(model.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), u"Accelerator family"_s);
    QCOMPARE(model.index(1, ErrorGroupModel::Group).data().toString(), u"Hopper"_s);
    QCOMPARE(model.index(1, ErrorGroupModel::Bias).data().toString(), u"+3.00"_s);
}

/// Percent or seconds are said in the heading or in its tooltip.
void ValidationModelsTest::everyColumnSaysWhatItIs()
{
    ErrorGroupModel groups;
    ScoredRunModel runs;
    SkippedModel skipped;
    RankGroupModel rankGroups;
    RankedModel ranked;
    const auto text = [](const QAbstractItemModel &model, int column, int role) {
        return model.headerData(column, Qt::Horizontal, role).toString();
    };
    for (const QAbstractItemModel *model :
        std::initializer_list<const QAbstractItemModel *>{&groups, &runs, &skipped, &rankGroups, &ranked})
        for (int column = 0; column < model->columnCount(); ++column) {
            const auto title = text(*model, column, Qt::DisplayRole), help = text(*model, column, Qt::ToolTipRole);
            QVERIFY2(!help.isEmpty() && help != title, qPrintable(title));
        }
    for (const int column : {ErrorGroupModel::LeftOut, ErrorGroupModel::Median, ErrorGroupModel::Mean,
             ErrorGroupModel::P90, ErrorGroupModel::Bias})
        QVERIFY2(text(groups, column, Qt::ToolTipRole).contains(u"percent"_s),
            qPrintable(text(groups, column, Qt::DisplayRole)));
    for (const int column : {ScoredRunModel::Error, ScoredRunModel::LeftOut, ScoredRunModel::Memory})
        QVERIFY2(text(runs, column, Qt::ToolTipRole).contains(u"percent"_s),
            qPrintable(text(runs, column, Qt::DisplayRole)));
    for (const int column :
        {ScoredRunModel::Predicted, ScoredRunModel::Measured, ScoredRunModel::Low, ScoredRunModel::High})
        QVERIFY2(text(runs, column, Qt::ToolTipRole).contains(u"seconds"_s),
            qPrintable(text(runs, column, Qt::DisplayRole)));
}

void ValidationModelsTest::runsAndSourcesHaveNames()
{
    const auto file = samplescores::scoredFile();
    ScoredRunModel model;
    model.setRows(scoredRunRows(file, *file.scoreOf("detailed")));
    const auto run = model.index(5, ScoredRunModel::Run), source = model.index(5, ScoredRunModel::Source);
    QCOMPARE(run.data().toString(), u"GPT-3 <175B> on 64 A100, TP 8, PP 4"_s);
    QCOMPARE(source.data().toString(), u"Title of beta-2024, 2025-05-15"_s);
    const auto tip = run.data(Qt::ToolTipRole).toString();
    for (const auto &part : {u"run-6"_s, u"Title of beta-2024"_s, u"table 2"_s, u"https://example.org/beta-2024"_s})
        QVERIFY2(tip.contains(part), qPrintable(tip));
    // The id goes where nobody can point at a name.
    const auto copied = toTabSeparated(model, {{model.index(5, 0)}, {ScoredRunModel::Run, ScoredRunModel::Source}});
    QVERIFY2(copied.contains(u"GPT-3 <175B> on 64 A100, TP 8, PP 4 (run-6)\tTitle of beta-2024"_s), qPrintable(copied));
    ScoredRunFilter filter;
    filter.setSourceModel(&model);
    for (const auto &words : {u"run-6"_s, u"beta-2024"_s, u"64 A100"_s}) {
        filter.setText(words);
        QCOMPARE(filter.rowCount(), 1);
    }
    const auto skipped = skippedRows(file, *file.scoreOf("detailed"));
    QCOMPARE(skipped[0].names, u"GPT-3 <175B> on 64 A100, TP 8, PP 4"_s);
    QVERIFY(skipped[0].toolTip.contains(u"run-7"_s));
}

void ValidationModelsTest::groupsHaveTheErrorOfSourcesLeftOut()
{
    const auto file = samplescores::scoredFile();
    const auto &of = *file.scoreOf("detailed");
    ErrorGroupModel model;
    const auto show = [&](Grouping grouping, const NewSite *site) {
        model.setRows(errorGroupRows(breakdown(of, file.places, grouping, site), grouping, file.file));
    };
    show(Grouping::Source, file.newSiteOf("detailed"));
    QCOMPARE(model.index(0, ErrorGroupModel::LeftOut).data().toString(), u"120"_s); // 1.1 times 20 s, of 10 s
    QCOMPARE(model.index(0, ErrorGroupModel::Median).data().toString(), u"100"_s);
    show(Grouping::Kind, file.newSiteOf("detailed"));
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.index(0, ErrorGroupModel::Group).data().toString(), u"tuned software and dense models"_s);
    QVERIFY(model.index(0, ErrorGroupModel::LeftOut).data().toString() != u"\u2013"_s);
    show(Grouping::Source, nullptr);
    QCOMPARE(model.index(0, ErrorGroupModel::LeftOut).data().toString(), u"\u2013"_s);
}

void ValidationModelsTest::runsAreSortedBySizeOfError()
{
    ScoredRunModel model;
    ScoredRunFilter filter;
    showScoredRuns(model, filter);
    filter.sort(ScoredRunModel::Error, Qt::DescendingOrder);
    QCOMPARE(idIn(filter, 0), u"run-6"_s);
    QCOMPARE(filter.index(0, ScoredRunModel::Error).data().toString(), u"+100"_s);
    QCOMPARE(filter.index(0, ScoredRunModel::Memory).data().toString(), u"+20.0 %"_s);
    QCOMPARE(idIn(filter, 5), u"run-5"_s);
    QCOMPARE(model.index(2, ScoredRunModel::Error).data().toString(), u"-10.0"_s);
    QCOMPARE(model.headerData(ScoredRunModel::Measured, Qt::Horizontal, Qt::DisplayRole).toString(), u"Measured [s]"_s);
    const auto file = samplescores::scoredFile();
    auto rows = scoredRunRows(file, *file.scoreOf("detailed"));
    rows[2].measured = 2.29e-5;
    rows[2].error = 250.0; // times
    model.setRows(std::move(rows));
    QCOMPARE(model.index(2, ScoredRunModel::Measured).data().toString(), u"22.9\u00a0\u00b5s"_s);
    QCOMPARE(model.index(2, ScoredRunModel::Error).data().toString(), u"+25\u202f000"_s);
    model.setRows(scoredRunRows(file, *file.scoreOf("detailed")));
    QCOMPARE(model.index(2, ScoredRunModel::Layout).data().toString(), u"TP 4, PP 4, DP 4, recompute full"_s);
}

void ValidationModelsTest::filterFindsEveryWord()
{
    ScoredRunModel model;
    ScoredRunFilter filter;
    showScoredRuns(model, filter);
    filter.setText(u" hopper  tp"_s);
    QCOMPARE(filter.rowCount(), 5);
    filter.setText(u"hopper beta"_s);
    QCOMPARE(filter.rowCount(), 0);
    filter.setText(u"title of BETA"_s);
    QCOMPARE(filter.rowCount(), 1);
    filter.setText({});
    QCOMPARE(filter.rowCount(), 6);
}

void ValidationModelsTest::skippedRunsAreCountedByReason()
{
    const auto file = samplescores::scoredFile();
    const auto rows = skippedRows(file, *file.scoreOf("detailed"));
    QCOMPARE(rows.size(), 1UZ);
    QCOMPARE(rows[0].reason, u"no batch"_s);
    QCOMPARE(rows[0].count, 1);
    QCOMPARE(rows[0].runs, u"run-7"_s);
    QCOMPARE(skippedRows(file, *file.scoreOf("searcher"))[0].runs, QString()); // a reason of the model, not of the runs
}

void ValidationModelsTest::rankedRunsShowBothOrders()
{
    const auto file = samplescores::scoredFile();
    RankedModel model;
    model.setRows(rankedRows(file, *file.scoreOf("detailed"), 0));
    QCOMPARE(model.index(3, RankedModel::MeasuredPlace).data().toString(), u"4"_s);
    QCOMPARE(model.index(3, RankedModel::Predicted).data().toString(), u"4.40"_s);
    RankGroupModel groups;
    groups.setRows(rankGroupRows(*file.scoreOf("detailed")));
    QCOMPARE(groups.index(0, RankGroupModel::Nodes).data().toString(), u"several"_s);
    QCOMPARE(groups.index(0, RankGroupModel::Regret).data().toString(), u"12.5"_s);
}

void ValidationModelsTest::filesHoldPlainNumbers()
{
    const auto file = samplescores::scoredFile();
    ScoreModel scores;
    scores.setRows(scoreRows(file));
    const auto lines = toCsv(scores).split(u"\r\n"_s);
    QVERIFY(lines[0].startsWith(u"cost_model,left_out_macro_median_ape,left_out_macro_mape,macro_median_ape,"_s));
    QVERIFY2(lines[1].startsWith(u"detailed,0.6775,0.66625,0.55,0.5375,0.1,"_s), qPrintable(lines[1]));
    QVERIFY2(lines[2].startsWith(u"searcher,,,,"_s), qPrintable(lines[2]));
    ScoredRunModel runs;
    runs.setRows(scoredRunRows(file, *file.scoreOf("detailed")));
    const auto runLines = toCsv(runs).split(u"\r\n"_s);
    QVERIFY(runLines[0].startsWith(u"id,source,accelerator,n_accelerators,"_s));
    QVERIFY2(runLines[6].startsWith(u"run-6,beta-2024,A100-SXM-80GB,64,GPT-3 <175B>,"_s), qPrintable(runLines[6]));
    QVERIFY2(runLines[6].endsWith(u",20,10,1,,,,,0.2"_s) || runLines[6].contains(u",20,10,1,,,,,0.19999"_s),
        qPrintable(runLines[6]));
}

void ValidationModelsTest::rangesStandBesideTheRuns()
{
    const auto file = samplescores::scoredFile();
    ScoredRunModel model;
    ScoredRunFilter filter;
    filter.setSourceModel(&model);
    const QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRows(scoredRunRows(file, *file.scoreOf("detailed"), file.newSiteOf("detailed")));
    const auto cell = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(cell(0, ScoredRunModel::LeftOut), u"+21.0"_s); // 1.1 s, a tenth longer, of 1 s
    QCOMPARE(cell(0, ScoredRunModel::Low), u"0.968"_s);
    QCOMPARE(cell(0, ScoredRunModel::High), u"1.51"_s);
    QCOMPARE(cell(0, ScoredRunModel::Inside), u"yes"_s);
    QCOMPARE(cell(5, ScoredRunModel::Inside), u"no"_s);
    // By how far the measured time is from the middle: 2.2 times is further away than anything else.
    filter.sort(ScoredRunModel::Inside, Qt::DescendingOrder);
    QCOMPARE(idIn(filter, 0), u"run-6"_s);
    filter.sort(ScoredRunModel::LeftOut, Qt::AscendingOrder);
    QCOMPARE(idIn(filter, 0), u"run-3"_s); // -1 %, by size
    const auto lines = toCsv(model).split(u"\r\n"_s);
    QVERIFY2(lines[0].endsWith(u",error,left_out_error,range_low_s,range_high_s,in_range,memory_error"_s),
        qPrintable(lines[0]));
    QVERIFY2(lines[6].contains(u",false,0."_s), qPrintable(lines[6]));
    // Without anything known of new sites there are dashes, which come first or last together.
    model.setRows(scoredRunRows(file, *file.scoreOf("detailed")));
    for (const int column :
        {ScoredRunModel::LeftOut, ScoredRunModel::Low, ScoredRunModel::High, ScoredRunModel::Inside})
        QCOMPARE(cell(0, column), u"\u2013"_s);
}

void ValidationModelsTest::leftOutErrorsAreThoseOfModelsThatHaveThem()
{
    auto file = samplescores::scoredFile();
    ScoreModel model;
    model.setRows(scoreRows(file));
    QCOMPARE(model.index(0, ScoreModel::LeftOutMedian).data().toString(), u"67.8"_s);
    QCOMPARE(model.index(0, ScoreModel::LeftOutMean).data().toString(), u"66.6"_s);
    QCOMPARE(model.index(1, ScoreModel::LeftOutMedian).data().toString(), u"\u2013"_s);
    // Runs of which no left-out error is known have none, although they have ranges.
    auto own = *file.newSiteOf("detailed");
    own.score.leftOut = 0;
    file.scores.front().newSite = std::make_shared<const NewSite>(own);
    model.setRows(scoreRows(file));
    QCOMPARE(model.index(0, ScoreModel::LeftOutMedian).data().toString(), u"\u2013"_s);
}

/// Which narrow columns would cut in the middle.
void ValidationModelsTest::errorsNeedNoExponent()
{
    QCOMPARE(cells::percent(0.0934), u"9.34"_s);
    QCOMPARE(cells::percent(58.7), u"5870"_s);
    for (const double share : {587.0, 2.76e4, 5.2e6, 5.87e9}) {
        const auto text = cells::percent(share);
        QVERIFY2(!text.contains(u'e') && text.size() <= 7, qPrintable(text));
        QCOMPARE(cells::signedShare(share), u'+' + text);
    }
    QVERIFY(cells::signedShare(-3e5).startsWith(u'-'));
}

FLEETWRIGHT_TEST(ValidationModelsTest)
#include "tst_validationmodels.moc"
