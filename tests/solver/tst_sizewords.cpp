// SPDX-License-Identifier: GPL-3.0-or-later
// What people read about the answer to a decision.
#include "solver/sizesample.h"
#include "testing/registry.h"

#include "solver/answer/binding.h"
#include "solver/answer/constrainttitle.h"
#include "solver/answer/limits.h"
#include "solver/size/decisionrisk.h"
#include "solver/size/sizewords.h"
#include "text/utf8.h"

#include <QTest>

using namespace fleetwright;
using namespace fleetwright::size;
using namespace Qt::StringLiterals;

class TestSizeWords : public QObject {
    Q_OBJECT

private slots:
    void fleets();
    void misses_data();
    void misses();
    void remedies();
    void neededDaysReadAsThoseOfTheFleet();
    void daysBesideTheLimit();
    void winnerRivalAndBaseCase();
    void whatSpeaksAgainstTheWinner();
    void nothingMeetsTheLimits();
    void oneLimitThatBinds();
    void nothingToChooseFrom();
    void statedLimitsAreThoseOfTheDocument();
    void everyLimitHasATitle();
    void calendarOfAFleet();
    void capitalBeyondTheBudget();
    void littleIsLeft();
    void tightestLimits();
    void tightestIsThatOfPlans();
    void whatBindsAlwaysSaysSomething();
    void whatIsAskedFirstAboutHowSure();
    void whatIsSignedFor();
    void boughtAndRentedOfEachNode();
};

void TestSizeWords::fleets()
{
    const auto result = sizesample::feasible();
    QCOMPARE(utf8(fleetInWords(result, *result.best())), u"512 × DGX B200, owned, InfiniBand XDR"_s);
    auto lot = result.lots.front();
    lot.label = "Offer B";
    lot.paying = {Paying::Rent, RentTerm::Reserved3y};
    lot.site = "Sweden";
    QCOMPARE(utf8(fleetInWords(lot, 500)),
        u"Offer B: 500 × DGX B200, rented, reserved for 3 years, InfiniBand XDR, Sweden"_s);
    lot = result.lots.front();
    lot.ownedNodes = 64;
    QCOMPARE(utf8(fleetInWords(lot, 64)), u"64 × DGX B200, owned, InfiniBand XDR"_s);
    QCOMPARE(utf8(fleetInWords(lot, 65)), u"65 × DGX B200 (1 new one), owned, InfiniBand XDR"_s);
}

void TestSizeWords::misses_data()
{
    QTest::addColumn<int>("limit");
    QTest::addColumn<double>("needed");
    QTest::addColumn<double>("allowed");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *title, SizeLimit limit, double needed, double allowed, const char *words) {
        QTest::newRow(title) << int(limit) << needed << allowed << QString::fromUtf8(words);
    };
    constexpr double never = std::numeric_limits<double>::infinity();
    row("days", SizeLimit::Deadline, 31.37, 30, "31.4 days, 1.4 over");
    row("by a hair", SizeLimit::Deadline, 30.01, 30, "30.01 days, 0.01 over");
    row("never", SizeLimit::Deadline, never, 30, "Deadline: never ends");
    row("hardly", SizeLimit::Deadline, 26.0482, 26, "26.05 days, 0.05 over");
    row("barely", SizeLimit::Deadline, 26.00042, 26, "26.0004 days, 0.0004 over");
    row("money", SizeLimit::RunCost, 21.5e6, 20e6, "21.5 MUSD for the run, 1.5 over");
    row("capital", SizeLimit::Capital, 262e6, 200e6, "262 MUSD of capital, 62 over");
    row("power", SizeLimit::Power, 11.2e6, 10e6, "11.2 MW, 1.2 over");
    row("carbon", SizeLimit::Carbon, 2.1e6, 2e6, "2100 tCO2e, 100 over");
    row("goodput", SizeLimit::Goodput, 0.881, 0.9, "88.1 % goodput, 1.9 points short");
    row("chance", SizeLimit::Chance, 0.14, 0.9, "a chance of 14.0 %, 76.0 points short");
    row("as it reads", SizeLimit::Chance, 0.8315, 0.9, "a chance of 83.2 %, 6.8 points short");
    row("reads as enough", SizeLimit::Chance, 0.8997, 0.9, "a chance of 90.0 %, 0.03 points short");
    row("delivery", SizeLimit::Delivery, 240, 210, "first run after 240 days, 30 too late");
    row("memory", SizeLimit::Layout, 96e9, 72e9, "96.0 GB of an accelerator’s memory, 24.0 over");
    row("unknown", SizeLimit::Carbon, unknownFigure, 2e6, "Carbon of the run: not known");
}

void TestSizeWords::misses()
{
    QFETCH(int, limit);
    QFETCH(double, needed);
    QFETCH(double, allowed);
    auto words = utf8(missInWords({static_cast<SizeLimit>(limit), needed, allowed}));
    QTEST(words.replace(u'\u00a0', u' '), "words");
}

void TestSizeWords::remedies()
{
    const auto result = sizesample::feasible();
    QCOMPARE(utf8(remediesInWords(result.answers.back())).replace(u'\u00a0', u' '),
        u"570 nodes need 44.6 days and keep the rest; 832 nodes need 14.6 MW and keep the rest"_s);
    QVERIFY(remediesInWords(result.answers.front()).empty());
    auto hopeless = result.answers.back();
    hopeless.remedies.clear();
    QCOMPARE(utf8(remediesInWords(hopeless)), u"no limit moved alone lets it in"_s);
}

/// What lets a fleet in reads as its own days do, and lets it in. A chance has a digit more where it would read lower.
void TestSizeWords::neededDaysReadAsThoseOfTheFleet()
{
    for (const auto &[needed, said] : {std::pair(0.8315, u"a chance of 83.15 %"_s), {0.881, u"a chance of 88.1 %"_s}})
        QCOMPARE(utf8(neededInWords(SizeLimit::Chance, needed)).replace(u'\u00a0', u' '), said);
    for (const auto &[needed, said] : {std::pair(26.532, "26.54 days"), {26.542, "26.55 days"}, {26.5, "26.5 days"},
             {26.58, "26.6 days"}, {9.961, "9.961 days"}, {9.9604, "9.961 days"}, {100.4, "100.4 days"}}) {
        QCOMPARE(utf8(neededInWords(SizeLimit::Deadline, needed)), QString::fromUtf8(said));
        QVERIFY(neededToDigits(SizeLimit::Deadline, needed) >= needed * (1 - 1e-9));
    }
    QCOMPARE(utf8(neededInWords(SizeLimit::Power, 13.62e6)).replace(u'\u00a0', u' '), u"13.7 MW"_s);
}

void TestSizeWords::daysBesideTheLimit()
{
    QCOMPARE(daysBeside(26.046, 26), std::string("26.05"));
    QCOMPARE(daysBeside(25.98, 26), std::string("26.0")); // is kept, and reads so
    QCOMPARE(daysBeside(26.004, 26), std::string("26.004"));
}

void TestSizeWords::winnerRivalAndBaseCase()
{
    const auto said = recommendation(sizesample::question(), sizesample::feasible());
    QCOMPARE(said.size(), std::size_t(4));
    const auto shown = [&](std::size_t i) { return utf8(said[i]).replace(u'\u00a0', u' '); };
    QCOMPARE(shown(0),
        u"The least cost of the run, 9.90 MUSD, has 512 × DGX B200, owned, InfiniBand XDR: 26.1 days, 262 MUSD of "
        "capital and 9.40 MW."_s);
    QCOMPARE(shown(1), u"No lead time is known: how long it takes until the first run is not among the days."_s);
    QCOMPARE(shown(2), u"Next among other nodes is 768 × DGX H200, owned, InfiniBand NDR: 10.6 MUSD, 7.07 % more."_s);
    QCOMPARE(shown(3),
        u"The base case, 128 × DGX H100, owned, InfiniBand NDR: 12.5 MUSD, 26.3 % more; it misses a limit: 191 days, "
        "161 over."_s);
}

void TestSizeWords::whatSpeaksAgainstTheWinner()
{
    auto result = sizesample::feasible();
    auto document = sizesample::question();
    const auto second = [&](const HowSure *sure = nullptr) {
        return utf8(recommendation(document, result, sure).at(1)).replace(u'\u00a0', u' ');
    };
    // A reservation is paid for longer than the jobs take.
    result.lots.front().paying = {Paying::Rent, RentTerm::Reserved3y};
    result.answers.front().answer.figures.yearlyUsd = 104e6;
    QCOMPARE(second(),
        u"The reservation is paid for 3 years, 312 MUSD in all, whether the fleet works or not: these jobs use 3.17 % "
        "of it."_s);
    // Another fleet is the best in more draws.
    HowSure sure{.fleets = {0, 1}, .risk = {}, .priceChanges = {}, .turningPoints = {}, .buyOrRent = {}};
    sure.risk.fleets.resize(2);
    sure.risk.fleets[0].best.share = 0.17;
    sure.risk.fleets[1].best.share = 0.55;
    sure.risk.fleets[1].label = "64 GB200 NVL72";
    sure.risk.rank.emplace().winner = 1;
    QCOMPARE(second(&sure),
        u"That is by likely values; in the draws it is the best in 17.0 % only, 64 GB200 NVL72 in 55.0 %."_s);
    *sure.risk.rank = {.winner = 0, .runnerUp = 1};
    sure.risk.fleets[0].best.share = 0.57;
    QCOMPARE(second(&sure), u"It is a close call: in the draws it is the best in 57.0 %, 64 GB200 NVL72 in 55.0 %."_s);
    sure.risk.fleets[0].best.share = 0.66;
    QVERIFY(!second(&sure).contains(u"draws"_s));
    // The deadline is half a chance, and nobody said that it may be.
    sure.risk.fleets[0].deadline.emplace().share = 0.506;
    QCOMPARE(second(&sure),
        u"The deadline is missed in 49.4 % of the draws: state the chance that it has to be kept with."_s);
    sure.risk.fleets[0].deadline->share = 0.8;
    QVERIFY(!second(&sure).contains(u"missed"_s));
    // Nobody said on which day an offer that ends is accepted.
    OfferDocument offer{.name = "Spring", .vendor = "A"};
    offer.validUntil = std::chrono::sys_days(std::chrono::year(2026) / 10 / 31);
    document.candidates.offers.emplace_back(offer);
    result.lots.front().label = labelOf(offer);
    result.lots.front().paying = {};
    result.answers.front().answer.figures.readyDays = 100; // else that would be said
    QVERIFY(second().contains(u"stands until 2026-10-31"_s));
    document.order = *offer.validUntil;
    QVERIFY(!second().contains(u"stands until"_s));
    result.refused.push_back({labelOf(offer), {ErrorCode::OutOfRange, "valid_until", "It has ended."}});
    result.refused.push_back({"another node", {ErrorCode::OutOfRange, "nodes", "It is no offer."}});
    QCOMPARE(second(), u"Left out: Spring (A). It has ended."_s);
    QVERIFY(!utf8(recommendation(document, result).at(2)).contains(u"no offer"_s));
    // What an offer does to the prices of the others is said.
    QVERIFY(!second().contains(u"licences"_s));
    std::get<OfferDocument>(document.candidates.offers.front()).scope = {OfferPart::Licences};
    QVERIFY(second().contains(u"whatever is bought has them"_s));
}

void TestSizeWords::nothingMeetsTheLimits()
{
    const auto said = recommendation(sizesample::question(), sizesample::infeasible());
    QCOMPARE(utf8(said.front()).replace(u'\u00a0', u' '),
        u"Nothing meets 30 days and 10 MW: the nearest is 33.6 days and 10 MW, or 30 days and 11.2 MW."_s);
    QVERIFY(utf8(said[1]).contains(u"96 × DGX B200"_s) && utf8(said[2]).contains(u"112 × DGX B200"_s));
    QVERIFY(utf8(said.back()).contains(u"38.9 days, 8.9 over"_s));
}

void TestSizeWords::oneLimitThatBinds()
{
    auto document = sizesample::question();
    document.limits.plan.capital = Dollars::from_value(1e9); // in nobody's way
    auto result = sizesample::infeasible();
    result.remedies = {{SizeLimit::Deadline, 33.6, 0, 96}};
    result.answers.front().answer.misses = {{SizeLimit::Deadline, 38.9, 30}};
    QCOMPARE(utf8(recommendation(document, result).front()), u"Nothing meets 30 days: the nearest is 33.6 days."_s);
    result.remedies.clear();
    QCOMPARE(utf8(recommendation(document, result).front()),
        u"Nothing meets 30 days, and no limit moved alone lets a fleet in."_s);
}

void TestSizeWords::nothingToChooseFrom()
{
    Result result;
    QVERIFY(utf8(recommendation(sizesample::question(), result).front()).contains(u"widen"_s));
    result.refused.push_back({"DGX H100", {ErrorCode::UnsupportedValue, "candidates", "It has no power."}});
    QVERIFY(utf8(recommendation(sizesample::question(), result).front()).contains(u"DGX H100: It has no power."_s));
}

void TestSizeWords::statedLimitsAreThoseOfTheDocument()
{
    auto document = sizesample::question();
    document.order = std::chrono::sys_days(std::chrono::year(2026) / 12 / 1);
    document.limits.deliveryBy = std::chrono::sys_days(std::chrono::year(2027) / 3 / 1);
    document.limits.deadlineChance = 0.9;
    const std::vector<StatedLimit> expected{
        {SizeLimit::Deadline, 30}, {SizeLimit::Power, 10e6}, {SizeLimit::Delivery, 90}, {SizeLimit::Chance, 0.9}};
    QVERIFY(statedLimits(document) == expected);
}

void TestSizeWords::everyLimitHasATitle()
{
    for (std::size_t i = 0; i < sizeLimitCount; ++i)
        QVERIFY(!titleOf(static_cast<SizeLimit>(i)).empty());
}

void TestSizeWords::calendarOfAFleet()
{
    auto document = sizesample::question();
    auto answer = sizesample::answer(0, 512, 26.1, 9.9e6, 9.4e6);
    QVERIFY(calendarInWords(document, answer).empty()); // the delivery is not known
    answer.figures.readyDays = 160;
    QCOMPARE(utf8(calendarInWords(document, answer)),
        u"from the order: first run after 160 days, jobs done after 186 days"_s);
    document.order = std::chrono::sys_days(std::chrono::year(2026) / 12 / 1);
    QCOMPARE(utf8(calendarInWords(document, answer)),
        u"ordered on 2026-12-01, first run after 160 days on 2027-05-10, jobs done on 2027-06-06"_s);
    answer.figures.readyDays = unknownFigure;
    QCOMPARE(utf8(calendarInWords(document, answer)),
        u"ordered on 2026-12-01, first run not known: no lead time is stated"_s);
}

void TestSizeWords::capitalBeyondTheBudget()
{
    auto document = sizesample::question();
    const auto result = sizesample::feasible();
    QVERIFY(capitalInWords(document, *result.best()).empty());
    document.limits.plan.runCost = Dollars::from_value(25e6);
    const auto said = utf8(capitalInWords(document, *result.best())).replace(u'\u00a0', u' ');
    QVERIFY2(said.startsWith(u"Buying it takes 262 MUSD of capital, 10.5 times the 25 MUSD for the run"_s),
        qPrintable(said));
    QCOMPARE(recommendation(document, result).at(1), capitalInWords(document, *result.best()));
    document.limits.plan.capital = Dollars::from_value(300e6); // which is kept
    QVERIFY(capitalInWords(document, *result.best()).empty());
}

void TestSizeWords::littleIsLeft()
{
    const Tightest tightest{.limit = SizeLimit::RunCost, .value = 9'993'798, .allowed = 10e6};
    QCOMPARE(utf8(slackInWords(tightest)).replace(u'\u00a0', u' '), u"6200 USD left"_s);
    const Tightest exact{.limit = SizeLimit::Deadline, .value = 29.998, .allowed = 30};
    QCOMPARE(utf8(slackInWords(exact)), u"0.002 days left"_s);
    const Tightest fewDays{.limit = SizeLimit::Deadline, .value = 7.12, .allowed = 20};
    QCOMPARE(utf8(slackInWords(fewDays)), u"12.9 days left"_s); // one decimal, as of a fleet of more days
}

void TestSizeWords::tightestLimits()
{
    auto document = sizesample::question();
    const auto result = sizesample::feasible();
    const auto words = [&](const Answer &answer) { return utf8(tightestInWords(*tightestLimit(document, answer))); };
    QCOMPARE(words(*result.best()), u"Facility power: 0.60 MW left"_s); // 94 % of it, and 87 % of the days
    QCOMPARE(words(result.answers[1].answer), u"Facility power: 0.10 MW left"_s);
    QCOMPARE(words(result.answers[2].answer), u"Deadline: 8.9 days over"_s); // the first of two
    document.limits.minGoodput = 0.88;
    QCOMPARE(words(*result.best()), u"Goodput: 2.0 points left"_s);
    auto unknown = *result.best();
    unknown.figures.goodput = unknownFigure;
    QCOMPARE(words(unknown), u"Facility power: 0.60 MW left"_s); // what is not known is passed over
    document.limits = {};
    const auto memory = tightestLimit(document, *result.best());
    QVERIFY(memory && memory->limit == SizeLimit::Layout && memory->holds);
    QCOMPARE(utf8(tightestInWords(*memory)), u"Memory: 13.0 points left"_s);
    auto nothing = *result.best();
    nothing.jobs.clear();
    QVERIFY(!tightestLimit(document, nothing));
}

void TestSizeWords::tightestIsThatOfPlans()
{
    // bindingOf() takes the largest share that is used, of a floor the share that it needs: so does this.
    const auto document = sizesample::question();
    for (const auto &[days, watts] : {std::pair(29.9, 9.0e6), std::pair(12.0, 9.9e6)}) {
        const auto answer = sizesample::answer(0, 512, days, 9.9e6, watts);
        std::array<TraceEntry, 2> trace;
        trace[0].constraint = keyOf(SizeLimit::Deadline);
        trace[0].needed = days;
        trace[0].allowed = 30;
        trace[1].constraint = keyOf(SizeLimit::Power);
        trace[1].needed = watts;
        trace[1].allowed = 10e6;
        const auto words = bindingOf(trace)->words;
        const auto tightest = tightestLimit(document, answer);
        QVERIFY2(words.starts_with(constraintTitle(keyOf(tightest->limit))), words.c_str());
    }
}

void TestSizeWords::whatBindsAlwaysSaysSomething()
{
    auto document = sizesample::question();
    auto result = sizesample::feasible();
    auto said = bindingInWords(document, result);
    QCOMPARE(
        utf8(said.at(0)), u"512 × DGX B200, owned keeps every limit; nearest is the facility power, 0.60 MW left."_s);
    QCOMPARE(said.size(), std::size_t(2)); // what limits keep out is not known yet
    QCOMPARE(utf8(said.at(1)),
        u"312 numbers of nodes are left out: no layout shares a batch of 2048 evenly among them, or no network "
        "reaches them."_s);
    result.counts.useless = 0;
    result.keptOut = {{.limit = SizeLimit::Deadline, .allowed = 30}, {.limit = SizeLimit::Power, .allowed = 10e6}};
    said = bindingInWords(document, result);
    QCOMPARE(utf8(said.at(1)).replace(u'\u00a0', u' '),
        u"Nothing with less cost of the run is kept out by 30 days and 10 MW, each alone."_s);
    document.limits.plan.maxMemoryShare = 0.35; // is no limit of the answer, so nothing may be denied of it
    QVERIFY(
        utf8(bindingInWords(document, result).at(1)).endsWith(u"the memory share keeps out were not looked for."_s));
    document.limits.plan.maxMemoryShare.reset();
    result.keptOut[1].nearest = LetIn{11.23e6, sizesample::answer(2, 704, 24.0, 7.92e6, 11.23e6)};
    result.keptOut[1].best = result.keptOut[1].nearest;
    said = bindingInWords(document, result);
    QCOMPARE(utf8(said.at(1)).replace(u'\u00a0', u' '),
        u"With 11.3 MW instead of 10 MW it would be 704 × DGX H100, owned: 7.92 MUSD, 1.98 MUSD or "
        "20.0 % less, with 24.0 days and 262 MUSD of capital."_s);
    QCOMPARE(utf8(said.at(2)), u"Nothing with less cost of the run is kept out by 30 days alone."_s);
    result.keptOut[1].best = LetIn{14e6, sizesample::answer(2, 832, 20.0, 6e6, 14e6)};
    said = bindingInWords(document, result);
    QVERIFY2(
        utf8(said.at(2))
            .replace(u'\u00a0', u' ')
            .startsWith(
                u"Without the limit of 10 MW the best is 832 × DGX H100, owned, InfiniBand NDR, at 14.0 MW: 6.00"_s),
        said.at(2).c_str());
    // Days of work are not days from the order.
    result.keptOut[1].nearest->answer.figures.readyDays = 329;
    QVERIFY(utf8(keptOutInWords(document, result).at(0))
                .endsWith(u"capital; from the order to the end of the work 353 days."_s));
    result.keptOut[1].nearest->answer.figures.readyDays = unknownFigure;
    // Beside the cards a line each, after the winner and the next fleet.
    const auto lines = briefly(document, result);
    QCOMPARE(lines.size(), std::size_t(3));
    QVERIFY(lines[1].starts_with("No lead time is known"));
    QVERIFY(utf8(lines[0]).startsWith(u"The least cost of the run"_s) && lines[0].contains("Next among other nodes"));
    QCOMPARE(utf8(lines[2]).replace(u'\u00a0', u' '),
        u"With 11.3 MW instead of 10 MW: 704 × DGX H100, owned, 20.0 % less cost of the run."_s);
    QCOMPARE(briefly(document, sizesample::infeasible()).size(), std::size_t(1));
    auto noise = result; // less than a thousandth: nobody moves a limit for that
    noise.keptOut[1].nearest->answer.figures.runCostUsd = 0.9995 * result.best()->figures.runCostUsd;
    noise.keptOut[1].best = noise.keptOut[1].nearest;
    QVERIFY(keptOutInWords(document, noise).empty());
    QCOMPARE(briefly(document, noise).size(), std::size_t(2)); // the winner, and that no lead time is known
    // The card, the report and the command line say the same.
    const auto advice = recommendation(document, result);
    QVERIFY(std::ranges::find(advice, said.at(1)) != advice.end());
    QVERIFY(bindingInWords(document, sizesample::infeasible()).at(0).starts_with("Nothing meets"));
    document.limits = {};
    QVERIFY(bindingInWords(document, sizesample::feasible()).at(0).starts_with("No limit is stated"));
}

void TestSizeWords::whatIsAskedFirstAboutHowSure()
{
    const auto result = sizesample::feasible();
    auto document = sizesample::question();
    HowSure sure{.fleets = {}, .risk = {}, .priceChanges = {}, .turningPoints = {}, .buyOrRent = {}};
    QVERIFY(sureHeadlines(sure).empty() && lateInWords(nullptr).empty());
    sure.fleets = {0};
    auto &winner = sure.risk.fleets.emplace_back();
    sure.risk.inputs.push_back({.label = "Step times of all Blackwell fleets together"});
    winner.spreads[std::size_t(uncertainty::RiskFigure::Days)] = uncertainty::RiskSpread{
        .likely = 32.9, .quantiles = {.p10 = 27.2, .p50 = 32.9, .p90 = 39.8}, .histogram = {}};
    winner.tornados[std::size_t(uncertainty::RiskFigure::Days)] = {{.input = 0, .atLow = 28, .atHigh = 38}};
    sure.priceChanges = {{.entry = "node_usd", .changes = false}};
    sure.risk.rank.emplace();
    auto rows = sureHeadlines(sure);
    QCOMPARE(rows.size(), std::size_t(3));
    QVERIFY2(rows[0].sentence.ends_with("the winner stays."), rows[0].sentence.c_str());
    QCOMPARE(utf8(rows[1].sentence),
        u"The days from 28.0 days to 38.0 days: Step times of all Blackwell fleets together."_s);
    QVERIFY(rows[2].sentence.starts_with("No single quote or measurement"));
    sure.priceChanges.push_back({.entry = "node_usd", .changes = true, .sentence = "Then B wins."});
    sure.risk.rank->settling.push_back({.sentence = "A measured step would settle it."});
    rows = sureHeadlines(sure);
    QCOMPARE(rows[0].sentence, std::string("Then B wins."));
    QCOMPARE(rows[2].sentence, std::string("A measured step would settle it."));
    // Several that let one fleet win are one sentence.
    winner.label = "8 \u00d7 A, owned";
    const auto wins = [](const char *label, double factor, std::optional<std::string> of) {
        return PriceChange{.entry = label,
            .label = label,
            .factor = factor,
            .of = std::move(of),
            .winner = FleetOfAnswer{},
            .winnerInWords = "9 \u00d7 B, rented",
            .changes = true,
            .sentence = "With it 9 \u00d7 B, rented wins."};
    };
    sure.priceChanges = {wins("Rent", 0.8, std::nullopt), wins("Node", 1.2, "A, owned"), wins("Rent", 0.8, "B, rented"),
        wins("Node", 1.2, "C, owned")};
    QCOMPARE(utf8(sureHeadlines(sure)[0].sentence).replace(u'\u00a0', u' '),
        u"9 × B, rented wins with “Rent” 20.0 % lower for all or for it alone, or with “Node” 20.0 % higher for the "
        "present choice alone or for C, owned alone."_s);
    QCOMPARE(utf8(lateInWords(&winner)), u"One run in ten takes longer than 39.8 days."_s);
    winner.deadline.emplace().share = 0.68;
    QCOMPARE(chanceToDemand(document, result, &winner), std::optional(0.9));
    winner.deadline->share = 0.95;
    QVERIFY(!chanceToDemand(document, result, &winner));
    winner.deadline->share = 0.5;
    document.limits.deadlineChance = 0.4; // somebody said so
    QVERIFY(!chanceToDemand(document, result, &winner));
    QVERIFY(!chanceToDemand(sizesample::question(), sizesample::infeasible(), &winner));
}

void TestSizeWords::whatIsSignedFor()
{
    auto result = sizesample::feasible();
    PredictedRanges ranges;
    auto said = risksInWords(sizesample::question(), result, ranges);
    QCOMPARE(said.size(), std::size_t(3)); // chance and draws not known, no lead time
    QVERIFY(said.back().starts_with("No lead time is known"));
    ranges.deadlineChance = 0.68;
    ranges.bestShare = 0.63;
    ranges.capitalUsd = PredictedRange{240e6, 290e6};
    result.answers.front().answer.figures.readyDays = 300;
    said = risksInWords(sizesample::question(), result, ranges);
    const auto plain = [&](std::size_t i) { return utf8(said.at(i)).replace(u'\u00a0', u' '); };
    QCOMPARE(said.size(), std::size_t(3));
    QCOMPARE(plain(0), u"The deadline is kept with a chance of 68.0 %."_s);
    QCOMPARE(plain(1), u"Of the fleets that were drawn it is the best in 63.0 % of the draws."_s);
    QCOMPARE(plain(2), u"The capital is 262 MUSD (240 to 290), eight times in ten."_s);
    QVERIFY(risksInWords(sizesample::question(), sizesample::infeasible(), ranges).empty());
    auto demanding = sizesample::question();
    demanding.limits.deadlineChance = 0.9;
    said = risksInWords(demanding, result, ranges);
    QCOMPARE(plain(0), u"The deadline is kept with a chance of 68.0 %, 90.0 % is demanded."_s);
}

void TestSizeWords::boughtAndRentedOfEachNode()
{
    auto result = sizesample::feasible();
    auto rented = result.lots[0];
    rented.paying = {Paying::Rent, RentTerm::Reserved3y};
    auto hourly = rented;
    hourly.paying.rentTerm = RentTerm::OnDemand;
    result.lots.push_back(rented);
    result.lots.push_back(hourly);
    for (const std::size_t lot : {3, 4})
        result.answers.insert(result.answers.begin() + 2, {sizesample::answer(lot, 512, 26.1, 14e6, 9.4e6), {}});
    QCOMPARE(result.byNode().size(), std::size_t(3));
    const auto rows = result.byNodeAndPaying();
    QCOMPARE(rows.size(), std::size_t(4)); // one of the two rents, the better one
    QCOMPARE(rows[2]->answer.lot, std::size_t(4));
    QCOMPARE(utf8(nodesInWords(result, rows[2]->answer)), u"512 × DGX B200"_s);
    QCOMPARE(utf8(payingInWords(result, rows[2]->answer)), u"on demand"_s);
    QCOMPARE(utf8(payingInWords(result, rows[0]->answer)), u"owned"_s);
}

FLEETWRIGHT_TEST(TestSizeWords)
#include "tst_sizewords.moc"
