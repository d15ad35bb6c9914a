// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/charttesting.h"
#include "charts/decisioncharts.h"
#include "solver/sampleplan.h"
#include "solver/sizesample.h"
#include "testing/registry.h"

#include <QCategoryAxis>
#include <QChart>
#include <QLineSeries>
#include <QScatterSeries>
#include <QTest>
#include <QValueAxis>

#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::charts;

namespace {

uncertainty::RiskAnswer drawn()
{
    uncertainty::RiskAnswer risk{.draws = 1000, .seed = 1};
    risk.inputs.push_back({.entry = "node_usd", .label = "Price of a node", .low = 1, .likely = 2, .high = 4});
    risk.inputs.push_back({.entry = "usd_per_kwh", .label = "Tariff", .low = 1, .likely = 2, .high = 4});
    uncertainty::FleetRisk fleet{.label = "512 B200"};
    uncertainty::RiskSpread spread{.likely = 10e6};
    spread.quantiles = {.p10 = 9e6, .p50 = 10e6, .p90 = 12e6};
    spread.histogram.from = 8e6;
    spread.histogram.to = 14e6;
    spread.histogram.counts[10] = 600;
    spread.histogram.counts[11] = 400;
    fleet.spreads[std::size_t(uncertainty::RiskFigure::RunCost)] = spread;
    fleet.missing[std::size_t(uncertainty::RiskFigure::Capital)] = "No price of a node is known.";
    fleet.tornados[std::size_t(uncertainty::RiskFigure::RunCost)] = {
        {.input = 0, .atLow = 9e6, .atHigh = 13e6}, {.input = 1, .atLow = 9.8e6, .atHigh = 10.1e6}};
    risk.fleets.push_back(std::move(fleet));
    return risk;
}

CostSheet boughtOrRented(double nodeUsd, double rentUsd)
{
    auto facts = sampleplan::fleet();
    facts.costs.figures.clear();
    for (const auto &[entry, value] :
        {std::pair("node_usd", nodeUsd), {"usd_per_kwh", 0.08}, {"life_years", 4.0}, {"rent_usd_per_hour", rentUsd}})
        facts.costs.figures.push_back({.entry = entry, .likely = value, .source = "a quotation"});
    return fleetCost(Fleet::create(facts).value()).value();
}

} // namespace

class DecisionChartsTest : public QObject {
    Q_OBJECT
private slots:
    void frontShowsWinnersAndLosers();
    void theLineHasItsFleets();
    void frontOfOtherAxesHasNoLine();
    void frontShowsLimitsAndWhatIsRented();
    void frontEndsWhereTheFleetsDo();
    void histogramHasRoundTicksAndTheLimit();
    void emptyFront();
    void crossingIsMarked();
    void crossingNamesBothFleets();
    void theRunIsMarked();
    void theFirstIsSeenBelowTheOthers();
    void withoutACrossing();
    void oneRentIsOneLine();
    void histogram();
    void tornado();
};

void DecisionChartsTest::frontShowsWinnersAndLosers()
{
    const auto content = decisionFrontChart(sizesample::feasible(), {});
    const auto legend = legendOf(content);
    for (const auto &entry :
        {u"keeps all limits"_s, u"misses a limit"_s, u"base case"_s, u"winner"_s, u"none beats these in both"_s})
        QVERIFY2(legend.contains(entry), qPrintable(legend.join(u'|')));
    QVERIFY(!painted(content).isNull());
}

/// What the line joins and is no candidate is drawn, too, and is not picked.
void DecisionChartsTest::theLineHasItsFleets()
{
    auto result = sizesample::feasible();
    QVERIFY(!legendOf(decisionFrontChart(result, {})).contains(u"other numbers of nodes"_s));
    auto other = result.answers[0].answer;
    other.nodes /= 2;
    other.figures.days *= 1.5;
    other.figures.runCostUsd *= 0.9;
    result.front.push_back(other);
    const auto content = decisionFrontChart(result, {});
    QVERIFY2(legendOf(content).contains(u"other numbers of nodes"_s), qPrintable(legendOf(content).join(u'|')));
    const auto rows = content.table().rows;
    QVERIFY(std::ranges::any_of(rows, [](const auto &row) { return row.front() == u"other numbers of nodes"_s; }));
}

void DecisionChartsTest::frontOfOtherAxesHasNoLine()
{
    const auto content = decisionFrontChart(
        sizesample::feasible(), {.axes = {DecisionObjective::Carbon, DecisionObjective::Capital}});
    QVERIFY(!legendOf(content).contains(u"none beats these in both"_s)); // it was not computed for these
}

void DecisionChartsTest::frontShowsLimitsAndWhatIsRented()
{
    auto result = sizesample::feasible();
    result.lots[1].paying = {Paying::Rent, RentTerm::OnDemand};
    const auto limits = size::statedLimits(sizesample::question());
    const auto legend = legendOf(decisionFrontChart(result, {.limits = limits}));
    QVERIFY2(legend.contains(u"limit: 30 days"_s), qPrintable(legend.join(u'|')));
    QVERIFY(legend.contains(u"bought, misses a limit"_s) && legend.contains(u"rented, keeps all limits"_s));
    QVERIFY(!legend.join(u' ').contains(u"MW"_s)); // no axis has it
    QVERIFY(!legendOf(decisionFrontChart(result, {})).contains(u"limit: 30 days"_s));
}

void DecisionChartsTest::frontEndsWhereTheFleetsDo()
{
    auto result = sizesample::feasible();
    result.front.push_back(sizesample::answer(0, 1, 33'000, 8e6, 2e4)); // one node, for a life
    const auto chart = decisionFrontChart(result, {}).draw(Theme::light());
    const auto axes = chart->axes(Qt::Horizontal);
    QVERIFY(!axes.isEmpty());
    QVERIFY2(qobject_cast<QValueAxis *>(axes.front()), "191 days of the base case are no decades");
    QVERIFY(qobject_cast<QValueAxis *>(axes.front())->max() < 300);
}

void DecisionChartsTest::histogramHasRoundTicksAndTheLimit()
{
    const auto risk = drawn();
    const auto figure = uncertainty::RiskFigure::RunCost;
    const auto within = riskHistogramChart(risk.fleets.front(), figure, 11e6);
    QVERIFY(legendOf(within).contains(u"limit: 11 MUSD"_s));
    const auto chart = within.draw(Theme::light());
    auto *axis = qobject_cast<QCategoryAxis *>(chart->axes(Qt::Horizontal).front());
    QVERIFY(axis);
    for (const auto &label : axis->categoriesLabels()) {
        bool isNumber = false;
        const double value = label.toDouble(&isNumber);
        QVERIFY2(isNumber && value == std::round(value) && value >= 8 && value <= 14, qPrintable(label));
    }
    QVERIFY(axis->categoriesLabels().size() >= 3);
    const auto beyond = riskHistogramChart(risk.fleets.front(), figure, 20e6);
    QVERIFY2(
        beyond.description.contains(u"Every draw lies below the limit: 20 MUSD"_s), qPrintable(beyond.description));
}

void DecisionChartsTest::emptyFront() { QVERIFY(!painted(decisionFrontChart({}, {})).isNull()); }

void DecisionChartsTest::crossingIsMarked()
{
    const auto content = moneyChart({{u"buying"_s, {100, 110, 120, 130}}, {u"renting"_s, {0, 60, 125, 190}}});
    QVERIFY2(content.description.contains(u"month 2"_s), qPrintable(content.description));
    QVERIFY(legendOf(content).contains(u"month 2: buying crosses renting"_s));
    // Two ways to pay for one fleet: which is cheaper, and until when.
    const QString fleet = u"8 \u00d7 X"_s;
    QCOMPARE(moneyChart({{u"buying"_s, {100, 110, 120, 130}, fleet},
                            {u"renting"_s, {0, 60, 125, 190}, fleet, {}, u"reserved for a year"_s}})
                 .description,
        u"Renting 8 \u00d7 X, reserved for a year, has cost less until month 2, buying it from then on."_s);
}

void DecisionChartsTest::crossingNamesBothFleets()
{
    auto curves = buyAndRentCurves(u"8 \u00d7 X"_s, boughtOrRented(300'000, 3), {});
    appendAsPaid(curves, buyAndRentCurves(u"9 \u00d7 Y"_s, boughtOrRented(400'000, 2), {}), Paying::Rent);
    QCOMPARE(curves.size(), 3UZ);
    curves.erase(curves.begin() + 1);
    curves.front().usdByMonth = {100, 110, 120};
    curves.back().usdByMonth = {0, 60, 125};
    auto content = moneyChart(curves);
    QVERIFY2(legendOf(content).contains(u"month 2: buying 8 \u00d7 X crosses renting 9 \u00d7 Y"_s),
        qPrintable(legendOf(content).join(u'|')));
    QCOMPARE(content.description, u"Renting 9 \u00d7 Y has cost less than buying 8 \u00d7 X until month 2."_s);
    curves.erase(curves.begin() + 1, curves.end());
    appendAsPaid(curves, buyAndRentCurves(u"9 \u00d7 Y"_s, boughtOrRented(400'000, 2), {}), Paying::Own);
    curves.back().usdByMonth = {150, 130, 110};
    QCOMPARE(
        moneyChart(curves).description, u"Buying 8 \u00d7 X has cost less than buying 9 \u00d7 Y until month 2."_s);
}

/// A line that lies wholly on the recommended one does not hide it, and each point has the colour of what it is on.
void DecisionChartsTest::theFirstIsSeenBelowTheOthers()
{
    const std::vector<MoneyCurve> curves{
        {u"buying"_s, {100, 110, 120, 130}}, {u"another"_s, {100, 110, 120, 130}}, {u"renting"_s, {0, 60, 125, 190}}};
    const auto content = moneyChart(curves, 45.6);
    const auto chart = content.draw(Theme::light());
    std::vector<const QLineSeries *> lines;
    std::vector<const QScatterSeries *> points;
    for (const auto *series : chart->series())
        if (const auto *line = qobject_cast<const QLineSeries *>(series))
            lines.push_back(line);
        else if (const auto *point = qobject_cast<const QScatterSeries *>(series))
            points.push_back(point);
    QCOMPARE(lines.size(), std::size_t(3));
    QVERIFY(lines[0]->points() == lines[1]->points()); // the first is drawn first, below
    QVERIFY(lines[0]->pen().widthF() > 2 * lines[1]->pen().widthF());
    QCOMPARE(points.size(), std::size_t(2));
    QCOMPARE(points[0]->color(), lines[2]->pen().color()); // where renting is crossed
    for (const auto *line : lines)
        QVERIFY(points[1]->color() != line->pen().color()); // where the jobs end
    QVERIFY(qobject_cast<const QScatterSeries *>(chart->series().constLast())); // points lie above lines
}

void DecisionChartsTest::theRunIsMarked()
{
    const std::vector<MoneyCurve> curves{{u"buying"_s, {100, 110, 120, 130}}};
    QVERIFY(legendOf(moneyChart(curves, 45.6)).contains(u"the jobs end: 45.6 days"_s));
    for (const auto &days : {std::optional<double>(), std::optional(4000.0),
             std::optional(std::numeric_limits<double>::infinity()), std::optional(std::nan(""))})
        QVERIFY(!legendOf(moneyChart(curves, days)).join(u' ').contains(u"the jobs end"_s));
}

void DecisionChartsTest::withoutACrossing()
{
    QVERIFY(moneyChart({{u"buying"_s, {100, 110}}, {u"renting"_s, {0, 60}}}).description.contains(u"No two"_s));
    QVERIFY(moneyChart({}).description.contains(u"No cost"_s));
}

void DecisionChartsTest::oneRentIsOneLine()
{
    const auto had = [](const QString &fleet, double price, double rent) {
        return buyAndRentCurves(fleet, boughtOrRented(price, rent), u"on demand"_s);
    };
    auto curves = had(u"8 \u00d7 X"_s, 300'000, 3);
    QCOMPARE(curves.size(), 2UZ);
    appendAsPaid(curves, had(u"an offer: 8 \u00d7 X"_s, 300'000, 3), Paying::Rent);
    QCOMPARE(curves.size(), 2UZ); // whatever it is called
    appendAsPaid(curves, had(u"8 \u00d7 X"_s, 300'000, 2), Paying::Rent);
    QCOMPARE(curves.size(), 3UZ);
    QCOMPARE(curves.back().name, u"renting, on demand: 8 \u00d7 X"_s);
    QVERIFY(curves.back().fleet.isEmpty()); // another fleet, though it has as many nodes
    appendAsPaid(curves, had(u"8 \u00d7 Y"_s, 400'000, 3), Paying::Own);
    QCOMPARE(curves.size(), 4UZ);
    QCOMPARE(curves.back().name, u"buying: 8 \u00d7 Y"_s);
}

void DecisionChartsTest::histogram()
{
    const auto risk = drawn();
    const auto content = riskHistogramChart(risk.fleets.front(), uncertainty::RiskFigure::RunCost);
    QVERIFY2(content.description.contains(u"9.00"_s) && content.description.contains(u"12.0 MUSD"_s),
        qPrintable(content.description));
    QVERIFY(!painted(content).isNull());
    QCOMPARE(riskHistogramChart(risk.fleets.front(), uncertainty::RiskFigure::Capital).description,
        u"No price of a node is known."_s);
}

void DecisionChartsTest::tornado()
{
    const auto risk = drawn();
    const auto content = tornadoChart(risk, risk.fleets.front(), uncertainty::RiskFigure::RunCost);
    QVERIFY(content.description.contains(u"Price of a node"_s));
    QVERIFY(!painted(content).isNull());
}

FLEETWRIGHT_TEST(DecisionChartsTest)
#include "tst_decisioncharts.moc"
