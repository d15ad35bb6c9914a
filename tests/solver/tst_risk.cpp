// SPDX-License-Identifier: GPL-3.0-or-later
#include "risksample.h"
#include "sampleplan.h"
#include "solver/uncertainty/riskmodel.h"
#include "testing/registry.h"

#include <QtTest>

#include <cmath>
#include <thread>

using namespace fleetwright;
using namespace fleetwright::uncertainty;
using fleetwright::testing::answerOf;
using fleetwright::testing::EntryRange;
using fleetwright::testing::nodePrice;
using fleetwright::testing::riskFleetOf;
using fleetwright::testing::runEntries;
using fleetwright::testing::stepTime;

namespace {

double normalShare(double value) { return std::erfc(-value / std::sqrt(2.0)) / 2; }

std::size_t inputOf(const RiskAnswer &answer, std::string_view entry)
{
    const auto found = std::ranges::find(answer.inputs, entry, &RiskInput::entry);
    if (found == answer.inputs.end())
        throw std::runtime_error("no such input");
    return std::size_t(found - answer.inputs.begin());
}

} // namespace

class RiskTest : public QObject {
    Q_OBJECT
private slots:
    /// The capital is a sum of prices that are drawn independently: its mean is the capital of their means.
    void meansOfSumsAgreeWithTheClosedForm()
    {
        const std::vector<EntryRange> ranges{nodePrice("a"), {"storage_usd_per_tb", 200, 300, 700, "b"},
            {"management_node_usd", 5e3, 20e3, 80e3, "c"}, {"racks_power_usd", 1e5, 9e5, 1e6, "d"},
            {"freight_usd", 0, 1e5, 4e6, "e"}};
        auto entries = runEntries(), means = runEntries();
        for (const auto &range : ranges) {
            testing::enterRange(entries, range);
            QVERIFY(means.enter(range.entry, (range.low + range.likely + range.high) / 3).has_value());
        }
        const double expected = *testing::evaluated(means).value("capital_usd");
        const auto answer = answerOf({.fleets = {riskFleetOf("one", entries)}, .objective = RiskFigure::Capital});
        const auto &capital = answer.fleets[0].spread(RiskFigure::Capital)->quantiles;
        QVERIFY2(capital.meanError > 0 && std::abs(capital.mean - expected) <= 3 * capital.meanError,
            qPrintable(
                QStringLiteral("%1 against %2, error %3").arg(capital.mean).arg(expected).arg(capital.meanError)));
        QCOMPARE(
            answer.fleets[0].spread(RiskFigure::Capital)->likely, *testing::evaluated(entries).value("capital_usd"));
    }

    void quantilesStandInOrderAndHistogramsHoldAllDraws()
    {
        const auto answer = answerOf({.fleets = testing::riskFleets(4), .draws = 2000});
        for (const auto &fleet : answer.fleets)
            for (const auto figure : allRiskFigures) {
                const auto &spread = *fleet.spread(figure);
                QVERIFY(spread.quantiles.p10 < spread.quantiles.p50 && spread.quantiles.p50 < spread.quantiles.p90);
                QVERIFY(spread.quantiles.p10Error > 0 && spread.quantiles.p90Error > 0);
                QVERIFY(spread.quantiles.p10 < spread.likely && spread.likely < spread.quantiles.p90);
                std::size_t all = spread.histogram.never;
                for (const auto count : spread.histogram.counts)
                    all += count;
                QCOMPARE(all, answer.draws);
                QVERIFY(spread.histogram.from < spread.quantiles.p10 && spread.quantiles.p90 < spread.histogram.to);
                QVERIFY(fleet.missing[std::size_t(figure)].empty());
            }
    }

    /// What a fleet's figures spread over is its own, whatever it is compared with; and of runs one after the other the
    /// days add up draw by draw.
    void aSpreadIsTheFleetsOwn()
    {
        const auto fleets = testing::riskFleets(3);
        const auto together = answerOf({.fleets = fleets, .draws = 2000});
        for (std::size_t i = 0; i < fleets.size(); ++i) {
            const auto alone = answerOf({.fleets = {fleets[i]}, .draws = 2000});
            for (const auto figure : allRiskFigures)
                QVERIFY(*alone.fleets[0].spread(figure) == *together.fleets[i].spread(figure));
        }
        auto twice = fleets[0];
        twice.runs.push_back(twice.runs.front());
        const auto two = answerOf({.fleets = {twice}, .draws = 2000});
        const auto &days = two.fleets[0].spread(RiskFigure::Days)->quantiles,
                   &once = together.fleets[0].spread(RiskFigure::Days)->quantiles;
        QVERIFY(std::abs(days.p10 - 2 * once.p10) < 1e-9 * days.p10);
        QVERIFY(std::abs(days.p90 - 2 * once.p90) < 1e-9 * days.p90);
        QVERIFY(two.fleets[0].spread(RiskFigure::Capital)->quantiles
            == together.fleets[0].spread(RiskFigure::Capital)->quantiles);
    }

    /// The range of the step time is that of the days, where nothing else moves them.
    void daysHaveTheRangeOfTheStepTime()
    {
        const auto answer = answerOf(
            {.fleets = {riskFleetOf("one", runEntries({stepTime(14, 0.2)}, {{"rate_per_node_day", 0}}))}});
        const auto &days = answer.fleets[0].spread(RiskFigure::Days);
        QVERIFY(std::abs(std::log(days->quantiles.p10 / days->likely) + 0.2) < 0.004);
        QVERIFY(std::abs(std::log(days->quantiles.p90 / days->likely) - 0.2) < 0.004);
        const auto &input = answer.inputs[inputOf(answer, "step_time_s")];
        QVERIFY(input.kind == RiskInput::Kind::FleetStepTime && std::abs(std::log(input.high) - 0.2) < 1e-12);
    }

    void theChanceOfTheDeadlineFallsWhenTheDeadlineDoes()
    {
        RiskQuestion question{.fleets = testing::riskFleets(2), .draws = 2000};
        double last = 2, lastFromOrder = 2;
        for (double days = 400; days > 50; days -= 5) {
            question.deadline = days * day;
            question.deadlineFrom = DeadlineFrom::Start;
            const auto now = *answerOf(question).fleets[0].deadline;
            question.deadlineFrom = DeadlineFrom::Order;
            const auto fromOrder = *answerOf(question).fleets[0].deadline;
            QVERIFY(now.share <= last && fromOrder.share <= lastFromOrder && fromOrder.share <= now.share);
            QVERIFY(now.error >= 0 && now.error < 0.05);
            last = now.share;
            lastFromOrder = fromOrder.share;
        }
        QCOMPARE(lastFromOrder, 0.0);
    }

    /// Both limits hold at most as often as either, at least as often as they must.
    void limitsHoldTogether()
    {
        RiskQuestion question{.fleets = testing::riskFleets(3), .deadline = 155.0 * day, .budget = 8e6 * dollar};
        question.budget = answerOf(question).fleets[0].spread(RiskFigure::RunCost)->quantiles.p50 * dollar;
        const auto answer = answerOf(question);
        double best = answer.none->share;
        for (const auto &fleet : answer.fleets) {
            QVERIFY(fleet.both->share <= std::min(fleet.deadline->share, fleet.budget->share));
            QVERIFY(fleet.both->share >= fleet.deadline->share + fleet.budget->share - 1 - 1e-12);
            QVERIFY(fleet.best.share <= fleet.both->share);
            best += fleet.best.share;
        }
        QVERIFY(std::abs(best - 1) < 1e-9);
        QVERIFY(std::abs(answer.fleets[0].budget->share - 0.5) < 0.01);
    }

    void theSameOnAnyNumberOfThreads()
    {
        RiskQuestion question{.fleets = testing::riskFleets(6), .deadline = 150.0 * day, .draws = 3000, .seed = 1};
        question.threads = 1;
        const auto one = answerOf(question);
        for (const int threads : {2, 4, 0}) {
            question.threads = threads;
            QVERIFY(answerOf(question) == one);
        }
        question.seed = 2;
        QVERIFY(!(answerOf(question) == one));
    }

    /// A fleet of two nodes more is dearer in every draw where the price of a node is one input, not where it is two.
    void commonInputsMoveFleetsTogether()
    {
        const auto larger = [](const char *source, const char *vendor) {
            return answerOf({.fleets = {riskFleetOf("small", runEntries({nodePrice("quotation", "V")})),
                                 riskFleetOf("large", runEntries({nodePrice(source, vendor)}, {{"nodes", 130}}))},
                .objective = RiskFigure::Capital});
        };
        const auto common = larger("quotation", "V"), correlated = larger("other", "V"), apart = larger("other", "W");
        QCOMPARE(common.inputs.size(), std::size_t(1));
        QCOMPARE(common.inputs[0].fleets, (std::vector<std::size_t>{0, 1}));
        QCOMPARE(common.rank->ahead.share, 1.0);
        QCOMPARE(common.fleets[0].best.share, 1.0);
        QCOMPARE(apart.inputs.size(), std::size_t(2));
        QVERIFY(apart.rank->ahead.share < 0.6);
        QVERIFY(apart.rank->ahead.share + 0.02 < correlated.rank->ahead.share && correlated.rank->ahead.share < 0.7);
    }

    void pricesOfOneVendorAreDrawnTogether()
    {
        const RiskQuestion question{
            .fleets = {riskFleetOf("a", runEntries({nodePrice("1", "V")})),
                riskFleetOf("b", runEntries({nodePrice("2", "V")})), riskFleetOf("c", runEntries({nodePrice("3", "")})),
                riskFleetOf("d", runEntries({nodePrice("4", "")}))}};
        const auto model = RiskModel::create(question);
        QVERIFY(model.has_value());
        const auto request = model->request(question);
        QCOMPARE(request.correlations.size(), std::size_t(1));
        QCOMPARE(request.correlations[0].rank, 0.7);
        const auto sample = draw(request);
        QVERIFY(std::abs(rankCorrelation(sample->of(0), sample->of(1)) - 0.7) < 0.02);
        QVERIFY(std::abs(rankCorrelation(sample->of(0), sample->of(2))) < 0.02);
    }

    /// Of two fleets of a family the shared half of the error cancels: 5 % of lead against the other halves.
    void halfOfTheStepErrorIsTheFamilys()
    {
        const double sigma = 0.2 / normalQuantile(0.9), lead = std::log(1.05);
        const auto ahead = [](const char *first, const char *second) {
            return answerOf({.fleets = {riskFleetOf("fast", runEntries({stepTime(14, 0.2)}), first),
                                 riskFleetOf("slow", runEntries({stepTime(14 * 1.05, 0.2)}), second)},
                                .objective = RiskFigure::Days})
                .rank->ahead;
        };
        const auto together = ahead("Hopper", "Hopper"), apart = ahead("Hopper", "CDNA");
        QVERIFY(std::abs(together.share - normalShare(lead / sigma)) <= 4 * together.error + 1e-3);
        QVERIFY(std::abs(apart.share - normalShare(lead / sigma / std::sqrt(2.0))) <= 4 * apart.error + 1e-3);
        QVERIFY(together.share > apart.share + 0.03);
    }

    void aFleetBesideItself()
    {
        const auto twin = [](const char *label) {
            return riskFleetOf(label, runEntries({nodePrice("q"), stepTime(14, 0.2)}), "Hopper");
        };
        RiskQuestion question{.fleets = {twin("one"), twin("two"), twin("three")}};
        const auto byCost = answerOf(question);
        for (const auto &fleet : byCost.fleets) {
            QVERIFY2(std::abs(fleet.best.share - 1.0 / 3) <= 4 * fleet.best.error + 1e-9,
                qPrintable(QString::number(fleet.best.share)));
            QCOMPARE(fleet.best, fleet.least);
        }
        question.objective = RiskFigure::Capital; // here nothing tells them apart
        for (const auto &fleet : answerOf(question).fleets) {
            QVERIFY(std::abs(fleet.best.share - 1.0 / 3) < 1e-9);
            QVERIFY(fleet.best.error < 1e-9);
        }
    }

    /// Where measured runs put step times, everything is swung around that: no bar ascribes the runs to an input.
    void theTornadoStandsWhereRunsPutIt()
    {
        auto fleets = testing::riskFleets(2);
        for (auto &fleet : fleets) {
            auto &entries = fleet.runs.front();
            auto figure = *entries.figure(*entries.sheet().find("step_time_s"));
            const double likely = figure.likely.front();
            figure.low = likely;
            figure.high = 5 * likely;
            figure.measured = SheetFigure::Measured{3 * likely, 3.5 * likely, 4 * likely};
            QVERIFY(entries.enter("step_time_s", std::move(figure)).has_value());
        }
        const auto answer = answerOf({.fleets = fleets, .draws = 2000});
        for (const auto &fleet : answer.fleets)
            for (const auto figure : {RiskFigure::Days, RiskFigure::RunCost}) {
                const auto &spread = *fleet.spread(figure);
                QVERIFY(spread.likely > 3 * spread.byFormula);
                QVERIFY(!fleet.tornado(figure).empty());
                for (const auto &swing : fleet.tornado(figure)) {
                    const auto &label = answer.inputs[swing.input].label;
                    QVERIFY2(std::min(swing.atLow, swing.atHigh) <= spread.likely
                            && spread.likely <= std::max(swing.atLow, swing.atHigh),
                        label.c_str());
                }
            }
        for (const auto &driver : answer.rank->drivers)
            QVERIFY(std::min(driver.atLow, driver.atHigh) <= answer.rank->expectedLead
                && answer.rank->expectedLead <= std::max(driver.atLow, driver.atHigh));
    }

    /// A price that is likely at its highest: fewer than a tenth of the draws reach it.
    void rangesHoldTheirLikelyValue()
    {
        const auto answer = answerOf(
            {.fleets = {riskFleetOf("dear", runEntries({{"node_usd", 200e3, 300e3, 300e3, "a"}}))}});
        const auto &capital = *answer.fleets[0].spread(RiskFigure::Capital);
        QVERIFY(capital.quantiles.p90 < capital.likely);
        QCOMPARE(capital.range().p90, capital.likely);
        QCOMPARE(capital.range().p10, capital.quantiles.p10);
        auto moved = capital;
        moved.byFormula = moved.likely / 2; // by measured runs: what the formula says is not shown
        QCOMPARE(moved.range().p10, capital.quantiles.p10);
        QCOMPARE(moved.range().p90, capital.likely);
    }

    /// The tornado's ends are those of the sheet, wider than what comes after.
    void theTornadoIsThatOfTheSheet()
    {
        const auto question = RiskQuestion{.fleets = testing::riskFleets(1), .draws = 2000};
        const auto answer = answerOf(question);
        const auto &tornado = answer.fleets[0].tornado(answer.objective);
        QVERIFY(tornado.size() > 5);
        auto high = question.fleets[0].runs[0];
        const double price = *high.figure(*high.sheet().find("node_usd"))->high;
        QVERIFY(high.enter("node_usd", price).has_value());
        const auto swing = std::ranges::find(tornado, inputOf(answer, "node_usd"), &RiskSwing::input);
        QCOMPARE(swing->atHigh, *testing::evaluated(high).value("run_owned_usd"));
        QVERIFY(swing->atLow < swing->atHigh && swing->rankCorrelation > 0.2);
        for (std::size_t i = 1; i < tornado.size(); ++i)
            QVERIFY(std::abs(tornado[i].atHigh - tornado[i].atLow)
                <= std::abs(tornado[i - 1].atHigh - tornado[i - 1].atLow));
        const auto ranked = byRankCorrelation(tornado);
        for (std::size_t i = 1; i < ranked.size(); ++i)
            QVERIFY(std::abs(ranked[i].rankCorrelation) <= std::abs(ranked[i - 1].rankCorrelation));
        for (const auto &one : tornado)
            QVERIFY(answer.inputs[one.input].entry != "node_delivery_weeks"); // it moves no cost
    }

    /// At the high end of its failures the fleet never gets through.
    void aRunThatNeverEndsIsInfinite()
    {
        const auto answer = answerOf(
            {.fleets = {riskFleetOf(
                            "frail", runEntries({{"rate_per_node_day", 0.01, 0.4, 3, "f"}}, {{"restart_s", 1200}})),
                 riskFleetOf("sound", runEntries())},
                .deadline = 1000.0 * day});
        const auto &days = *answer.fleets[0].spread(RiskFigure::Days);
        QVERIFY(days.histogram.never > 0 && days.histogram.never < answer.draws);
        QVERIFY(
            std::isinf(days.quantiles.p90) && std::isinf(days.quantiles.mean) && std::isinf(days.quantiles.meanError));
        QVERIFY(std::isfinite(days.quantiles.p10) && !std::isnan(days.quantiles.p10Error));
        QVERIFY(std::isfinite(days.histogram.to) && !std::isnan(answer.fleets[0].deadline->error));
        QVERIFY(answer.fleets[0].best.share + double(days.histogram.never) / double(answer.draws) <= 1);
        for (const auto &swing : answer.fleets[0].tornado(answer.objective))
            QVERIFY(!std::isnan(swing.atHigh) && !std::isnan(swing.rankCorrelation));
        QVERIFY(!answer.rank->settling.empty() ? !answer.rank->settling[0].worth : true);
    }

    void runsOneAfterTheOther()
    {
        auto fleet = riskFleetOf("mix", runEntries({stepTime(14, 0.2)}));
        fleet.runs.push_back(runEntries({stepTime(7, 0.2)}));
        const auto both = answerOf({.fleets = {fleet}}),
                   one = answerOf({.fleets = {riskFleetOf("one", fleet.runs[0])}});
        for (const auto figure : {RiskFigure::Days, RiskFigure::RunCost})
            QVERIFY(
                std::abs(both.fleets[0].spread(figure)->likely / one.fleets[0].spread(figure)->likely - 1.5) < 1e-9);
        for (const auto figure : {RiskFigure::OwnershipCost, RiskFigure::Capital})
            QCOMPARE(both.fleets[0].spread(figure)->likely, one.fleets[0].spread(figure)->likely);
    }

    /// A fleet as documents make it: the vendor of the accelerator stands in for that of the price.
    void fleetsOfPlans()
    {
        auto accelerator = sampleplan::accelerator();
        accelerator.vendor = "NVIDIA";
        accelerator.architecture = "Hopper";
        auto facts = sampleplan::fleet(sampleplan::node(accelerator));
        facts.costs.figures[0].isPrice = true;
        const RunEntries run{.tokens = 15e12,
            .batchSequences = 2048,
            .sequenceTokens = 8192,
            .stepTime = 40.0 * second,
            .stepLow = 35.0 * second,
            .stepHigh = 47.0 * second,
            .checkpointTime = 30.0 * second};
        const auto fleet = riskFleet("H100", Fleet::create(facts).value(), std::vector{run});
        QVERIFY(fleet.has_value());
        QCOMPARE(fleet->family, std::string("Hopper"));
        auto answer = answerOf({.fleets = {*fleet}, .objective = RiskFigure::Days, .draws = 1000});
        const auto &price = answer.inputs[inputOf(answer, "node_usd")];
        QCOMPARE(price.vendor, std::string("NVIDIA"));
        QVERIFY(price.kind == RiskInput::Kind::Price);
        QVERIFY(answer.fleets[0].spread(RiskFigure::Days).has_value());
        // Without a price there is no cost, and the answer says what is missing.
        facts.costs.figures.erase(facts.costs.figures.begin());
        const auto unpriced = riskFleet("H100", Fleet::create(facts).value(), std::vector{run});
        QVERIFY(unpriced.has_value());
        answer = answerOf({.fleets = {*unpriced}, .objective = RiskFigure::Days, .draws = 1000});
        QVERIFY(!answer.fleets[0].spread(RiskFigure::RunCost));
        QVERIFY(!answer.fleets[0].missing[std::size_t(RiskFigure::RunCost)].empty());
        const auto refused = assessRisk({.fleets = {*unpriced}});
        QVERIFY(!refused && refused.error().field == "objective");
    }

    void cancelled()
    {
        const RiskQuestion question{.fleets = testing::riskFleets(20), .draws = 40'000};
        std::stop_source stop;
        std::jthread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            stop.request_stop();
        });
        const auto answer = assessRisk(question, stop.get_token());
        QVERIFY(!answer && answer.error().code == ErrorCode::Cancelled);
    }

    void refusals_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("remedy");
        QTest::newRow("no draws") << 0 << QByteArray("draws") << QByteArray("between 100 and");
        QTest::newRow("a billion draws") << 1 << QByteArray("draws") << QByteArray("between 100 and");
        QTest::newRow("draws not of ten") << 2 << QByteArray("draws") << QByteArray("multiple of 10");
        QTest::newRow("no fleet") << 3 << QByteArray("fleets") << QByteArray("between 1 and 200");
        QTest::newRow("nothing to run") << 4 << QByteArray("fleets") << QByteArray("what this fleet is to run");
        QTest::newRow("deadline yesterday") << 5 << QByteArray("deadline") << QByteArray("later");
        QTest::newRow("no money") << 6 << QByteArray("budget") << QByteArray("greater than 0");
        QTest::newRow("one vendor's prices as one") << 7 << QByteArray("correlation") << QByteArray("below 1");
        QTest::newRow("more than memory") << 8 << QByteArray("draws") << QByteArray("for 200 fleets");
    }

    void refusals()
    {
        QFETCH(int, which);
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, remedy);
        RiskQuestion question{.fleets = {riskFleetOf("one", runEntries({nodePrice("a")}))}};
        switch (which) {
        case 0: question.draws = 0; break;
        case 1: question.draws = 1'000'000'000; break;
        case 2: question.draws = 1001; break;
        case 3: question.fleets.clear(); break;
        case 4: question.fleets[0].runs.clear(); break;
        case 5: question.deadline = -1.0 * day; break;
        case 6: question.budget = 0.0 * dollar; break;
        case 7: question.vendorCorrelation = 1; break;
        default:
            question.fleets = testing::riskFleets(200);
            question.draws = 1'000'000;
            break;
        }
        const auto answer = assessRisk(question);
        QVERIFY(!answer);
        QVERIFY(QByteArray::fromStdString(answer.error().field).endsWith(field));
        QVERIFY2(answer.error().message.contains(remedy.toStdString()), answer.error().message.c_str());
        QVERIFY(answer.error().message.ends_with('.'));
    }
};

FLEETWRIGHT_TEST(RiskTest)
#include "tst_risk.moc"
