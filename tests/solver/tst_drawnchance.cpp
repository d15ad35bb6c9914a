// SPDX-License-Identifier: GPL-3.0-or-later
// The chance of the deadline by the range of the step time, and by draws.
#include "solver/sizesample.h"
#include "testing/registry.h"

#include "solver/size/decisionrisk.h"
#include "solver/size/drawnwords.h"
#include "solver/size/sizewords.h"
#include "text/utf8.h"

#include <QTest>

using namespace fleetwright;
using namespace fleetwright::size;
using namespace Qt::StringLiterals;

class TestDrawnChance : public QObject {
    Q_OBJECT

private slots:
    void theDrawsSayWhatIsKept();
    void twoChancesOfTheDeadline();
};

void TestDrawnChance::theDrawsSayWhatIsKept()
{
    auto result = sizesample::feasible();
    auto document = sizesample::question();
    document.limits.deadlineChance = 0.9;
    result.answers.front().answer.figures.deadlineChance = 0.905; // by the range of the step time
    HowSure sure{.fleets = {0}, .risk = {}, .priceChanges = {}, .turningPoints = {}, .buyOrRent = {}};
    auto &risk = sure.risk.fleets.emplace_back();
    risk.deadline.emplace().share = 0.9002;
    const auto &best = *result.best();
    QVERIFY(asDrawn(document, best, &risk).isFeasible());
    QCOMPARE(asDrawn(document, best, &risk).figures.deadlineChance, 0.9002);
    risk.deadline->share = 0.898;
    const auto drawn = asDrawn(document, best, &risk);
    QVERIFY(!drawn.isFeasible());
    const auto plain = [](const std::string &said) { return utf8(said).replace(u'\u00a0', u' '); };
    QCOMPARE(plain(missesInWords(drawn)), u"a chance of 89.8 %, 0.2 points short"_s);
    QCOMPARE(plain(remediesInWords(result.answers.front(), drawn)),
        u"kept by the range of the step time, missed in the draws: with a chance of 89.8 % demanded it is let in"_s);
    QVERIFY(remediesInWords(result.answers.front(), best).empty());
    QCOMPARE(
        remediesInWords(result.answers.back(), result.answers.back().answer), remediesInWords(result.answers.back()));
    const auto binding = plain(bindingInWords(document, result, &sure).front());
    QVERIFY2(
        binding.endsWith(u"in the draws it misses one: a chance of 89.8 %, 0.2 points short."_s), qPrintable(binding));
    QVERIFY(plain(recommendation(document, result, &sure).at(1))
                .contains(u"in the draws, with failures and measured runs: 89.8 %"_s));
    // One that is not chosen for its chance is none that keeps it; its draws say by how much it falls short.
    auto late = best;
    late.figures.deadlineChance = 0.32;
    late.misses = {{.limit = SizeLimit::Chance, .needed = 0.32, .allowed = 0.9}};
    risk.deadline->share = 0.318;
    QCOMPARE(plain(missesInWords(asDrawn(document, late, &risk))), u"a chance of 31.8 %, 58.2 points short"_s);
    risk.deadline->share = 0.95;
    QVERIFY(!asDrawn(document, late, &risk).isFeasible());
    QCOMPARE(asDrawn(document, late, &risk).figures.deadlineChance, 0.32);
    QCOMPARE(asDrawn(document, late, nullptr).figures.deadlineChance, 0.32);
}

/// One number by the range of the step time, one by draws: where only one of them is enough, both are said.
void TestDrawnChance::twoChancesOfTheDeadline()
{
    auto document = sizesample::question();
    auto result = sizesample::feasible();
    auto &best = result.answers.front().answer;
    best.figures.deadlineChance = 0.900475;
    uncertainty::FleetRisk risk;
    risk.deadline.emplace().share = 0.899;
    risk.deadline->error = 0.003;
    QVERIFY(twoChancesInWords(document, best, &risk).empty()); // nobody demands one
    document.limits.deadlineChance = 0.9;
    QVERIFY(twoChancesInWords(document, best, nullptr).empty());
    const auto plain = [&] { return utf8(twoChancesInWords(document, best, &risk)).replace(u'\u00a0', u' '); };
    QCOMPARE(plain(),
        u"Of the demanded chance of 90.0 %, by the range of the step time alone, which fleets are chosen by: 0.0475 "
        "points left; in the draws, with failures and measured runs: 89.9 %, give or take 0.300 %."_s);
    risk.deadline->share = 0.91;
    QVERIFY(plain().isEmpty());
    best.figures.deadlineChance = 0.89;
    QVERIFY2(plain().contains(u"1.0 points short; in the draws"_s), qPrintable(plain()));
}

FLEETWRIGHT_TEST(TestDrawnChance)
#include "tst_drawnchance.moc"
