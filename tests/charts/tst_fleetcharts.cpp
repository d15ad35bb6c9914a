// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/fleetcharts.h"
#include "solver/sampleplan.h"
#include "testing/registry.h"

#include <QChart>
#include <QGraphicsTextItem>
#include <QLineSeries>
#include <QPainter>
#include <QTest>
#include <QValueAxis>

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
    void marksHaveRoom_data();
    void marksHaveRoom();
};

void FleetChartsTest::ownAndRentCross()
{
    const auto priced = sheet(3);
    const auto content = buyOrRentChart(priced, u"on demand"_s);
    const auto month = priced.value("crossing_month");
    QVERIFY(month);
    QVERIFY2(content.description.contains(u"month %1"_s.arg(*month)), qPrintable(content.description));
    QVERIFY2(content.description.endsWith(u"renting, on demand."_s), qPrintable(content.description)); // which rent
    const auto chart = content.draw(Theme::light());
    int curves = 0;
    for (const auto *series : chart->series())
        if (const auto *line = qobject_cast<const QLineSeries *>(series); line && line->count() == 49)
            ++curves;
    QCOMPARE(curves, 2); // owning and renting, from the start to month 48
    QVERIFY(buyOrRentChart(sheet(0.5), u"on demand"_s).description.contains(u"dearer"_s));
}

void FleetChartsTest::withoutARent()
{
    const auto content = buyOrRentChart(sheet(std::nullopt), u"on demand"_s);
    QVERIFY(content.description.contains(u"No rent"_s));
    QVERIFY(content.draw(Theme::dark()));
}

void FleetChartsTest::everyYearHasItsBar()
{
    const auto content = cashFlowChart(sheet(3));
    QVERIFY2(content.description.contains(u"4 years"_s), qPrintable(content.description));
    QVERIFY(content.draw(Theme::paper()));
}

void FleetChartsTest::marksHaveRoom_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("fewest");
    QTest::addColumn<int>("most");
    QTest::newRow("a tab of the smallest window") << QSize(748, 214) << 3 << 5;
    QTest::newRow("flat") << QSize(748, 130) << 1 << 2;
    QTest::newRow("narrow") << QSize(240, 400) << 5 << 10;
    QTest::newRow("a large window") << QSize(1400, 700) << 5 << 12;
}

void FleetChartsTest::marksHaveRoom()
{
    QFETCH(QSize, size);
    QFETCH(int, fewest);
    QFETCH(int, most);
    for (const auto &content : {buyOrRentChart(sheet(3), u"on demand"_s), cashFlowChart(sheet(3))}) {
        const auto chart = content.draw(Theme::light());
        QImage image(size, QImage::Format_ARGB32_Premultiplied);
        QPainter painter(&image);
        paint(*chart, painter, QRectF(QPointF(), size));
        const auto *axis = qobject_cast<const QValueAxis *>(chart->axes(Qt::Vertical).constFirst());
        QVERIFY(axis);
        QVERIFY2(axis->titleText().contains(u"[MUSD]"_s), qPrintable(axis->titleText()));
        const auto marks = int(
            std::floor(axis->max() / axis->tickInterval()) - std::ceil(axis->min() / axis->tickInterval()) + 1);
        QVERIFY2(marks >= fewest && marks <= most, qPrintable(u"%1: %2 marks"_s.arg(content.name).arg(marks)));
        int numbers = 0;
        QList<QGraphicsItem *> items = chart->childItems();
        for (qsizetype i = 0; i < items.size(); ++i) {
            items += items[i]->childItems();
            const auto *text = qgraphicsitem_cast<const QGraphicsTextItem *>(items[i]);
            if (!text || !text->isVisible())
                continue;
            QVERIFY2(text->toPlainText() != u"..."_s, qPrintable(content.name));
            bool isNumber = false;
            QLocale::c().toDouble(text->toPlainText(), &isNumber);
            numbers += isNumber;
        }
        QVERIFY2(numbers > marks, qPrintable(u"%1: %2 numbers"_s.arg(content.name).arg(numbers))); // and those of x
    }
}

FLEETWRIGHT_TEST(FleetChartsTest)
#include "tst_fleetcharts.moc"
