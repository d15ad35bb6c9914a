// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/constants.h"
#include "solver/search/layoutsearchwords.h"

#include "solver/models/detailed/pricer.h"
#include "solver/search/verdict.h"
#include "solver/searchsample.h"
#include "testing/registry.h"
#include "units/format.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace fleetwright;
using layoutsearch::Exclusion;

namespace {

bool contains(const std::vector<std::string> &lines, std::string_view words)
{
    return std::ranges::any_of(
        lines, [words](const std::string &line) { return line.find(words) != std::string::npos; });
}

QByteArray shown(const std::vector<std::string> &lines)
{
    std::string all;
    for (const auto &line : lines)
        all += line + '\n';
    return QByteArray::fromStdString(all);
}

} // namespace

class SearchWordsTest : public QObject {
    Q_OBJECT
private slots:
    void recommendsWithNumbers();
    void saysWhyNothingIsFeasible();
    void namesAnAssumedPue();
    void comparesCases();
    void countsInWords();
    void countsInOneLine();
    void whyASplitHasNothingFeasible();
    void whyAFasterSplitIsNotTaken();
    void judgesLikeTheSearch();
    void everyRuleHasItsNumbers_data();
    void everyRuleHasItsNumbers();
    void whyNotAFeasibleOne();
    void whyNotTooLarge();
    void whyNotOutsideTheSpace();
    void changesOneSetting();
    void everyExclusionHasItsOwnTexts();
};

void SearchWordsTest::recommendsWithNumbers()
{
    const auto request = searchsample::requestOf(searchsample::gpt175(64));
    const auto result = layoutsearch::run(request).value();
    const auto lines = layoutsearch::recommendation(request, result);
    const auto &best = *result.recommended();
    QVERIFY2(lines[1].contains(inWords(result.best()->layout) + " has the shortest step of the "), shown(lines));
    QVERIFY2(lines.front().starts_with(
                 "Take " + inWords(best.layout) + ": " + units::format(best.stepSeconds * second) + " per step"),
        shown(lines));
    QVERIFY2(contains(lines, "detailed " + std::string(detailed::modelVersion)), shown(lines));
    const auto next = layoutsearch::rivalOf(request, result, best);
    QVERIFY(next && splitOf(next->layout) != splitOf(best.layout));
    QVERIFY2(contains(lines,
                 "The best with another split that leaves 8.00\u00a0% of the memory free is " + inWords(next->layout)),
        shown(lines));
    QVERIFY2(contains(lines, "Changing one setting"), shown(lines));
    QVERIFY2(
        contains(lines, units::format(Bytes::from_value(best.memoryBytes)) + " of the 80.0\u00a0GB"), shown(lines));
    for (const auto &line : lines)
        QVERIFY2(line.find("nan") == std::string::npos && line.ends_with('.'), line.c_str());
}

void SearchWordsTest::saysWhyNothingIsFeasible()
{
    auto plan = searchsample::gpt175(1);
    const auto request = searchsample::requestOf(plan);
    const auto result = layoutsearch::run(request).value();
    QVERIFY(!result.best());
    const auto lines = layoutsearch::recommendation(request, result);
    QVERIFY2(lines.front().starts_with("No layout is feasible"), shown(lines));
    QVERIFY2(contains(lines, "Closest is "), shown(lines));

    auto narrow = searchsample::requestOf(searchsample::gpt13());
    narrow.space[LayoutSearchOption::Tp] = {16};
    QVERIFY2(layoutsearch::recommendation(narrow, layoutsearch::run(narrow).value())
                 .front()
                 .starts_with("No layout can run"),
        "16 in domains of 8");
    narrow.space[LayoutSearchOption::Tp] = {3};
    QVERIFY2(layoutsearch::recommendation(narrow, layoutsearch::run(narrow).value())
                 .front()
                 .starts_with("There is nothing to search"),
        "3 of 64");
}

void SearchWordsTest::namesAnAssumedPue()
{
    auto plan = searchsample::gpt13();
    plan.constraints.facilityPower = 1000.0 * kilowatt;
    const auto loose = searchsample::requestOf(plan);
    const auto found = layoutsearch::run(loose).value();
    auto lines = layoutsearch::recommendation(loose, found);
    QVERIFY2(contains(lines, "within the 1.00\u00a0MW allowed. A PUE of 1.25 is assumed"), shown(lines));

    plan.constraints.facilityPower = 90.0 * kilowatt; // above the IT power of 8 nodes of 10.2 kW, below the facility's
    const auto tight = searchsample::requestOf(plan);
    const auto none = layoutsearch::run(tight).value();
    QVERIFY(!none.best());
    lines = layoutsearch::recommendation(tight, none);
    QVERIFY2(contains(lines, "is 107\u00a0kW, more than the 90.0\u00a0kW allowed. A PUE of 1.25"), shown(lines));
    const auto why = layoutsearch::whyNot(tight, found.best()->layout, 0, *found.best());
    QVERIFY(why && why->front() == "It is the best: " + inWords(found.best()->layout) + ".");
    const auto itself = layoutsearch::whyNot(
        tight, found.best()->layout, 0, *found.best(), layoutsearch::Against::Recommended);
    QVERIFY(itself && itself->front() == "It is the recommended one: " + inWords(found.best()->layout) + ".");
    auto other = found.best()->layout;
    other.microbatchSize = other.microbatchSize == 2 ? 1 : 2;
    QVERIFY2(contains(layoutsearch::whyNot(tight, other, 0, *found.best()).value(), "107\u00a0kW"),
        shown(layoutsearch::whyNot(tight, other, 0, *found.best()).value()));

    const auto site = [&plan] {
        auto fleet = *plan.fleet;
        fleet.site.pue = 1.01;
        return Fleet::create(fleet).value();
    };
    plan.fleet = site();
    const auto stated = searchsample::requestOf(plan);
    lines = layoutsearch::recommendation(stated, layoutsearch::run(stated).value());
    QVERIFY2(lines.front().starts_with("Take ") && !contains(lines, "PUE"), shown(lines));
}

void SearchWordsTest::comparesCases()
{
    auto request = searchsample::requestOf(searchsample::gpt13());
    request.cases.front().label = "8 nodes";
    auto larger = searchsample::gpt13();
    larger.fleet = Fleet::create(sampleplan::fleet(searchsample::a100Node(), sampleplan::fabric(), 16)).value();
    request.cases.push_back({.label = "16 nodes", .plan = Plan::create(larger).value()});
    const auto lines = layoutsearch::recommendation(request, layoutsearch::run(request).value());
    QVERIFY2(contains(lines, "(16 nodes)"), shown(lines));
    QVERIFY2(contains(lines, "Best of each case: 8 nodes: "), shown(lines));
}

void SearchWordsTest::countsInWords()
{
    layoutsearch::Counts counts;
    counts.feasible = 1'234'567;
    counts.excluded[std::size_t(Exclusion::Memory)] = 1000;
    counts.excluded[std::size_t(Exclusion::Heads)] = 12;
    counts.excluded[std::size_t(Exclusion::NoEffect)] = 3;
    QCOMPARE(layoutsearch::inWords(counts),
        std::string("1\u202f235\u202f582 layouts, 1\u202f234\u202f567 of them feasible. 1000 infeasible (Needs more "
                    "memory: 1000). 12 "
                    "illegal (TP does not divide the heads: 12). 3 repeat another."));
}

void SearchWordsTest::countsInOneLine()
{
    layoutsearch::Counts counts;
    counts.feasible = 1'234'567;
    QCOMPARE(layoutsearch::gistOf(counts),
        std::string("1\u202f234\u202f567 layouts looked at: 1\u202f234\u202f567 feasible."));
    counts.excluded[std::size_t(Exclusion::Memory)] = 1000;
    counts.excluded[std::size_t(Exclusion::Heads)] = 12;
    counts.excluded[std::size_t(Exclusion::NoEffect)] = 3;
    QVERIFY(layoutsearch::gistOf(counts).ends_with(" feasible, 1000 break a limit, 12 cannot run, 3 repeat another."));
}

void SearchWordsTest::whyASplitHasNothingFeasible()
{
    layoutsearch::Result result;
    result.cases.emplace_back().limitBytes = 80e9;
    auto &counts = result.counts.emplace_back();
    counts.excluded[std::size_t(Exclusion::Memory)] = 7;
    layoutsearch::Group group{.infeasible = 7, .leastMemoryBytes = 85e9};
    QCOMPARE(layoutsearch::whyNoneIsFeasible(result, group), std::string("Memory: 5.00\u00a0GB over"));
    group.leastMemoryBytes = 70e9;
    counts.excluded[std::size_t(Exclusion::Deadline)] = 2;
    QCOMPARE(layoutsearch::whyNoneIsFeasible(result, group), std::string(titleOf(Exclusion::Deadline)));
    counts.excluded[std::size_t(Exclusion::Mfu)] = 1;
    QCOMPARE(layoutsearch::whyNoneIsFeasible(result, group),
        std::string(titleOf(Exclusion::Mfu)) + " or " + std::string(titleOf(Exclusion::Deadline)));
    group.best.emplace();
    QCOMPARE(layoutsearch::whyNoneIsFeasible(result, group), std::string());
}

/// Of each split that is faster than what is recommended, and of no other.
void SearchWordsTest::whyAFasterSplitIsNotTaken()
{
    auto result = layoutsearch::run(searchsample::requestOf(searchsample::gpt175(64))).value();
    const auto taken = *result.recommended();
    layoutsearch::Group group{.best = taken};
    QCOMPARE(layoutsearch::whyNotTaken(result, group), std::string());
    group.best->stepSeconds *= 1.1;
    QCOMPARE(layoutsearch::whyNotTaken(result, group), std::string());
    group.best->stepSeconds = 0.99 * taken.stepSeconds;
    QCOMPARE(layoutsearch::whyNotTaken(result, group), std::string("too little better to tell"));
    group.best->memoryBytes = 0.97 * result.factsOf(taken).capacityBytes;
    QCOMPARE(layoutsearch::whyNotTaken(result, group), std::string("Memory: only 3.00\u00a0% free"));
}

/// Every kept row is feasible with its own figures when it is asked about alone.
void SearchWordsTest::judgesLikeTheSearch()
{
    auto request = searchsample::requestOf(searchsample::experts());
    request.rows = 40'000;
    const auto result = layoutsearch::run(request).value();
    for (std::size_t i = 0; i < result.rows.size(); i += 997) {
        const auto &row = result.rows[i];
        auto asked = row.layout;
        asked.dp = 7; // derived anew
        const auto verdict = layoutsearch::judge(request, asked, 0).value();
        QVERIFY(!verdict.excluded);
        QVERIFY(verdict.layout == row.layout);
        QCOMPARE(verdict.figures.stepSeconds, row.stepSeconds);
        QCOMPARE(verdict.figures.memoryBytes, row.memoryBytes);
    }
}

void SearchWordsTest::everyRuleHasItsNumbers_data()
{
    QTest::addColumn<Layout>("layout");
    QTest::addColumn<int>("excluded");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char *name, Layout layout, Exclusion excluded, const char *words) {
        QTest::newRow(name) << layout << int(excluded) << QByteArray(words);
    };
    row("ranks", {.tp = 5}, Exclusion::Ranks, "does not divide the 64 accelerators");
    row("placement", {.tp = 16}, Exclusion::Placement, "scale-up domains of 8");
    row("sequence", {.cp = 32, .microbatchSize = 1}, Exclusion::Memory, "does not fit");
    row("experts", {.ep = 2}, Exclusion::Experts, "no experts");
    row("layers", {.pp = 64}, Exclusion::Layers, "40 layers");
    row("batch", {.pp = 4, .microbatchSize = 3}, Exclusion::Batch, "global batch of 128");
    row("stages", {.virtualStages = 2}, Exclusion::Stages, "PP is 1");
    row("chunks", {.pp = 2, .virtualStages = 11}, Exclusion::Chunks, "uneven chunks");
    row("interleaving", {.tp = 8, .pp = 8, .virtualStages = 5, .microbatchSize = 128}, Exclusion::Interleaving, "PP 8");
    row("memory", {.tp = 1}, Exclusion::Memory, "80.0\u00a0GB may be used");
}

void SearchWordsTest::everyRuleHasItsNumbers()
{
    QFETCH(const Layout, layout);
    QFETCH(const int, excluded);
    QFETCH(const QByteArray, words);
    const auto request = searchsample::requestOf(searchsample::gpt13());
    const auto verdict = layoutsearch::judge(request, layout, 0).value();
    QVERIFY(verdict.excluded);
    QCOMPARE(int(*verdict.excluded), excluded);
    const auto result = layoutsearch::run(request).value();
    const auto lines = layoutsearch::whyNot(request, layout, 0, *result.best()).value();
    QVERIFY2(contains(lines, words.toStdString()), shown(lines));
}

void SearchWordsTest::whyNotAFeasibleOne()
{
    const auto request = searchsample::requestOf(searchsample::gpt175(64));
    const auto result = layoutsearch::run(request).value();
    const auto &best = *result.best();
    const auto &other = *result.groups[5].best;
    const auto lines = layoutsearch::whyNot(request, other.layout, 0, best).value();
    QVERIFY2(contains(lines, units::formatPercent(other.stepSeconds / best.stepSeconds - 1) + " longer than the best"),
        shown(lines));
    QVERIFY2(contains(lines, "loses "), shown(lines));
    QCOMPARE(layoutsearch::whyNot(request, best.layout, 0, best).value().size(), 1U);
}

void SearchWordsTest::whyNotTooLarge()
{
    const auto request = searchsample::requestOf(searchsample::gpt175(64));
    const auto result = layoutsearch::run(request).value();
    const auto lines = layoutsearch::whyNot(request, {.tp = 8}, 0, *result.best()).value();
    QVERIFY2(contains(lines, "It does not fit") && contains(lines, "optimizer"), shown(lines));
}

void SearchWordsTest::whyNotOutsideTheSpace()
{
    auto request = searchsample::requestOf(searchsample::gpt175(64));
    const auto free = layoutsearch::run(request).value();
    request.space[LayoutSearchOption::Tp] = {8};
    const auto result = layoutsearch::run(request).value();
    const auto lines = layoutsearch::whyNot(request, free.best()->layout, 0, *result.best()).value();
    QVERIFY2(contains(lines, "limited to other values of TP"), shown(lines));
    QVERIFY2(contains(lines, "less than the best"), shown(lines));
}

void SearchWordsTest::changesOneSetting()
{
    const auto request = searchsample::requestOf(searchsample::gpt175(64));
    const auto result = layoutsearch::run(request).value();
    const auto &best = *result.best();
    const auto changes = layoutsearch::sensitivity(request, best.layout, 0).value();
    QVERIFY(changes.size() > 8);
    bool tooLarge = false;
    for (const auto &change : changes) {
        QVERIFY(change.row.has_value() != change.excluded.has_value());
        QVERIFY(splitOf(change.layout) == splitOf(best.layout));
        QVERIFY(change.layout != best.layout);
        if (change.row)
            QVERIFY(change.row->stepSeconds >= best.stepSeconds); // it is the best
        tooLarge = tooLarge || change.excluded == Exclusion::Memory;
        QVERIFY(std::isfinite(change.memoryBytes) && std::isfinite(change.stepSeconds));
    }
    QVERIFY(tooLarge);
}

void SearchWordsTest::everyExclusionHasItsOwnTexts()
{
    std::vector<std::string_view> keys, titles;
    for (std::size_t i = 0; i < layoutsearch::exclusionCount; ++i) {
        const auto exclusion = static_cast<Exclusion>(i);
        QVERIFY(std::ranges::find(keys, toString(exclusion)) == keys.end());
        QVERIFY(std::ranges::find(titles, titleOf(exclusion)) == titles.end());
        keys.push_back(toString(exclusion));
        titles.push_back(titleOf(exclusion));
        QVERIFY(sentence(exclusion).ends_with('.'));
    }
}

FLEETWRIGHT_TEST(SearchWordsTest)
#include "tst_layoutsearchwords.moc"
