// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/fleetcharts.h"
#include "solver/sampleplan.h"
#include "testing/registry.h"

#include <QChart>
#include <QLineSeries>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::charts;

namespace {

CostSheet sheet(std::optional<double> rent)
{
    auto facts = sampleplan::fleet();
    facts.costs.figures.clear();
    const auto figure = [&](const char *entry, double value) {
        facts.costs.figures.push_back({.entry = entry, .likely = value, .source = "a quotation"});
    };
    figure("node_usd", 300000);
    figure("usd_per_kwh", 0.08);
    figure("life_years", 4);
    if (rent)
        figure("rent_usd_per_hour", *rent);
    return fleetCost(Fleet::create(facts).value()).value();
}

} // namespace

class FleetChartsTest : public QObject {
    Q_OBJECT
private slots:
    void ownAndRentCross();
    void withoutARent();
    void everyYearHasItsBar();
};

void FleetChartsTest::ownAndRentCross()
{
    const auto priced = sheet(3);
    const auto content = buyOrRentChart(priced);
    const auto month = priced.value("crossing_month");
    QVERIFY(month);
    QVERIFY2(content.description.contains(u"month %1"_s.arg(*month)), qPrintable(content.description));
    const auto chart = content.draw(Theme::light());
    int curves = 0;
    for (const auto *series : chart->series())
        if (const auto *line = qobject_cast<const QLineSeries *>(series); line && line->count() == 49)
            ++curves;
    QCOMPARE(curves, 2); // owning and renting, from the start to month 48
    QVERIFY(buyOrRentChart(sheet(0.5)).description.contains(u"dearer"_s));
}

void FleetChartsTest::withoutARent()
{
    const auto content = buyOrRentChart(sheet(std::nullopt));
    QVERIFY(content.description.contains(u"No rent"_s));
    QVERIFY(content.draw(Theme::dark()));
}

void FleetChartsTest::everyYearHasItsBar()
{
    const auto content = cashFlowChart(sheet(3));
    QVERIFY2(content.description.contains(u"4 years"_s), qPrintable(content.description));
    QVERIFY(content.draw(Theme::paper()));
}

FLEETWRIGHT_TEST(FleetChartsTest)
#include "tst_fleetcharts.moc"
