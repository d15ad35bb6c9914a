// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/layoutsearchdocument.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;

class SearchSpaceTest : public QObject {
    Q_OBJECT
private slots:
    void values_data();
    void values();
    void badValues_data();
    void badValues();
    void checksSpaces();
    void checksDocuments();
    void namesRoundTrip();
    void layoutsInWords();
    void adopts();
};

void SearchSpaceTest::values_data()
{
    QTest::addColumn<int>("option");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QList<int>>("expected");
    QTest::addColumn<QByteArray>("written");
    const auto row = [](LayoutSearchOption option, const char *text, const QList<int> &expected, const char *written) {
        QTest::newRow(text) << int(option) << QByteArray(text) << expected << QByteArray(written);
    };
    row(LayoutSearchOption::Tp, "", {}, "any");
    row(LayoutSearchOption::Tp, " any ", {}, "any");
    row(LayoutSearchOption::Tp, "8", {8}, "8");
    row(LayoutSearchOption::Pp, "4, 1, 2", {1, 2, 4}, "1, 2, 4");
    row(LayoutSearchOption::Dp, "1..64:x2", {1, 2, 4, 8, 16, 32, 64}, "1..64:x2");
    row(LayoutSearchOption::MicrobatchSize, "1..5, 12", {1, 2, 3, 4, 5, 12}, "1, 2, 3, 4, 5, 12");
    row(LayoutSearchOption::ZeroStage, "0, 3", {0, 3}, "0, 3");
    row(LayoutSearchOption::Recompute, "full, none", {0, 2}, "none, full");
    row(LayoutSearchOption::SequenceParallel, "yes", {1}, "yes");
    row(LayoutSearchOption::SequenceParallel, "yes, no", {0, 1}, "no, yes");
}

void SearchSpaceTest::values()
{
    QFETCH(const int, option);
    QFETCH(const QByteArray, text);
    QFETCH(const QList<int>, expected);
    QFETCH(const QByteArray, written);
    const auto key = static_cast<LayoutSearchOption>(option);
    const auto parsed = parseLayoutSearchValues(key, text.toStdString());
    QVERIFY2(parsed.has_value(), parsed ? "" : parsed.error().message.c_str());
    QCOMPARE(QList<int>(parsed->begin(), parsed->end()), expected);
    QCOMPARE(QByteArray::fromStdString(searchValuesToText(key, *parsed)), written);
    QVERIFY(parseLayoutSearchValues(key, written.toStdString()).value() == *parsed);
}

void SearchSpaceTest::badValues_data()
{
    QTest::addColumn<int>("option");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("word") << int(LayoutSearchOption::Tp) << QByteArray("eight");
    QTest::newRow("zero ranks") << int(LayoutSearchOption::Cp) << QByteArray("0");
    QTest::newRow("fraction") << int(LayoutSearchOption::Pp) << QByteArray("1.5");
    QTest::newRow("ZeRO 4") << int(LayoutSearchOption::ZeroStage) << QByteArray("4");
    QTest::newRow("no such recomputation") << int(LayoutSearchOption::Recompute) << QByteArray("some");
    QTest::newRow("twice") << int(LayoutSearchOption::Pp) << QByteArray("4, 1, 4");
    QTest::newRow("backwards") << int(LayoutSearchOption::Ep) << QByteArray("8..1");
    QTest::newRow("huge") << int(LayoutSearchOption::Dp) << QByteArray("10000000");
}

void SearchSpaceTest::badValues()
{
    QFETCH(const int, option);
    QFETCH(const QByteArray, text);
    const auto key = static_cast<LayoutSearchOption>(option);
    const auto parsed = parseLayoutSearchValues(key, text.toStdString());
    QVERIFY(!parsed);
    QCOMPARE(parsed.error().field, "space." + std::string(toString(key)));
    QVERIFY(!parsed.error().message.empty());
}

void SearchSpaceTest::checksSpaces()
{
    LayoutSearchSpace space;
    QVERIFY(check(space));
    space[LayoutSearchOption::Tp] = {1, 2, 2};
    QCOMPARE(check(space).error().field, std::string("space.tp"));
    space[LayoutSearchOption::Tp] = {};
    space[LayoutSearchOption::ZeroStage] = {0, 1, 2, 3, 4};
    QCOMPARE(check(space).error().field, std::string("space.zero_stage"));
    space[LayoutSearchOption::ZeroStage] = {};
    for (int i = 1; i <= int(mostLayoutSearchValues) + 1; ++i)
        space[LayoutSearchOption::Dp].push_back(i);
    QCOMPARE(check(space).error().field, std::string("space.dp"));
}

void SearchSpaceTest::checksDocuments()
{
    LayoutSearchDocument document;
    QVERIFY(check(document));
    document.rows = 0;
    QCOMPARE(check(document).error().field, std::string("rows"));
    document.rows = mostLayoutSearchRows + 1;
    QCOMPARE(check(document).error().field, std::string("rows"));
    document.rows = 1;
    document.pareto = {ParetoAxis::Memory, ParetoAxis::Memory};
    QCOMPARE(check(document).error().field, std::string("pareto"));
    document.pareto = {ParetoAxis::Memory, ParetoAxis::CostPerToken};
    document.cases.emplace();
    QCOMPARE(check(document).error().field, std::string("cases"));
    document.cases->points.resize(1);
    QCOMPARE(check(document).error().field, std::string("cases.points[0]"));
    document.cases = axisOf("fleet.nodes", {4.0, 8.0});
    QVERIFY(check(document));
    document.cases->points[1].settings[0].value = -1.0;
    QCOMPARE(check(document).error().field, std::string("cases.points[1].fleet.nodes"));
}

void SearchSpaceTest::namesRoundTrip()
{
    for (const auto option : allLayoutSearchOptions)
        QVERIFY(parseLayoutSearchOption(toString(option)).value() == option);
    for (const auto objective : allLayoutSearchObjectives)
        QVERIFY(parseLayoutSearchObjective(toString(objective)).value() == objective);
    for (const auto axis : allParetoAxes)
        QVERIFY(parseParetoAxis(toString(axis)).value() == axis);
    QCOMPARE(parseLayoutSearchOption("batch").error().field, std::string("space"));
    QCOMPARE(parseLayoutSearchObjective("speed").error().field, std::string("objective"));
    QCOMPARE(parseParetoAxis("speed").error().field, std::string("pareto"));
}

void SearchSpaceTest::layoutsInWords()
{
    QCOMPARE(inWords(Layout{}), std::string("TP 1, PP 1, DP 1; microbatch 1, no recomputation, no ZeRO"));
    QCOMPARE(inWords(Layout{.tp = 8,
                 .cp = 2,
                 .pp = 4,
                 .ep = 16,
                 .dp = 3,
                 .virtualStages = 5,
                 .microbatchSize = 6,
                 .recompute = Recompute::Full,
                 .zeroStage = 1,
                 .sequenceParallel = true}),
        std::string("TP 8, CP 2, PP 4, EP 16, DP 3; 5 virtual stages, microbatch 6, full recomputation, ZeRO 1, "
                    "sequence parallel"));
}

void SearchSpaceTest::adopts()
{
    PlanDocument plan;
    plan.training.microbatchCount = 16;
    plan.training.globalBatch = 96;
    const Layout layout{.tp = 8,
        .cp = 2,
        .pp = 4,
        .ep = 2,
        .dp = 3,
        .virtualStages = 5,
        .microbatchSize = 6,
        .recompute = Recompute::Full,
        .zeroStage = 1,
        .sequenceParallel = true};
    adopt(layout, plan);
    QVERIFY((plan.parallelism
        == Parallelism{
            .tp = 8, .pp = 4, .cp = 2, .ep = 2, .virtualStages = 5, .zeroStage = 1, .sequenceParallel = true}));
    QVERIFY(!plan.training.microbatchCount);
    QCOMPARE(plan.training.microbatchSize, std::optional(6));
    QVERIFY(plan.training.recompute == Recompute::Full);
    QCOMPARE(plan.training.globalBatch, 96);
}

FLEETWRIGHT_TEST(SearchSpaceTest)
#include "tst_layoutsearchspace.moc"
