// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/groupedbars.h"
#include "charts/rangechart.h"
#include "testing/registry.h"

#include <QBarSet>
#include <QChart>
#include <QFile>
#include <QHorizontalBarSeries>
#include <QTemporaryDir>
#include <QTest>
#include <QValueAxis>

using namespace fleetwright;
using namespace fleetwright::charts;
using namespace Qt::StringLiterals;

namespace {

std::vector<LabelledBreakdown> steps(std::size_t count)
{
    std::vector<LabelledBreakdown> plans;
    for (std::size_t i = 0; i < count; ++i)
        plans.push_back({u"A plan with a rather long name, number %1"_s.arg(i),
            {.compute = double(i + 1) * second, .dp = 0.25 * second}});
    return plans;
}

RangeChartData ranges()
{
    return {.name = u"Spread"_s,
        .description = u"What the models say."_s,
        .axisTitle = u"Step time [s]"_s,
        .sources = {u"First-order"_s, u"Searcher"_s},
        .rows = {{u"One"_s, {{0, 2, u"2 s"_s}, {1, 5, u"5 s"_s}}}, {u"Two"_s, {{1, 3, u"3 s"_s}}}, {u"Three"_s, {}}}};
}

} // namespace

class ComparisonChartsTest : public QObject {
    Q_OBJECT
private slots:
    void groupsHaveOneBarPerPart();
    void colourIsThatOfTheQuantity();
    void heightGrowsWithTheBars();
    void rangesNameTheirEnds();
    void picturesAreWritten();
    void nothingIsStillAChart();
};

void ComparisonChartsTest::groupsHaveOneBarPerPart()
{
    const auto data = groupedSteps(steps(3));
    QCOMPARE(data.groups.size(), 3);
    QCOMPARE(data.bars.size(), 2UZ); // compute and DP; the rest is zero everywhere
    QCOMPARE(*data.bars[0].values[2], 3.0);
    QCOMPARE(*data.bars[1].values[0], 0.25);
    QVERIFY(data.axisTitle.contains(u"[s]"_s));
    const auto chart = groupedBars(data).draw(Theme::light());
    const auto *series = qobject_cast<QHorizontalBarSeries *>(chart->series().constFirst());
    QVERIFY(series);
    QCOMPARE(series->count(), 2);
    QCOMPARE(series->barSets().constLast()->at(2), 1.0); // the first group is on top
    const auto *axis = qobject_cast<QValueAxis *>(chart->axes(Qt::Horizontal).constFirst());
    QVERIFY(axis->max() > 3.0);
}

void ComparisonChartsTest::colourIsThatOfTheQuantity()
{
    const auto data = groupedSteps(steps(1));
    QCOMPARE(data.bars[0].colour, colour(Quantity::Compute));
    QCOMPARE(data.bars[1].colour, colour(Quantity::DataParallel));
}

void ComparisonChartsTest::heightGrowsWithTheBars()
{
    const auto theme = Theme::light();
    QVERIFY(groupedBars(groupedSteps(steps(8))).naturalHeight(theme, 600)
        > groupedBars(groupedSteps(steps(2))).naturalHeight(theme, 600));
    auto more = ranges();
    more.rows.push_back(more.rows.front());
    QVERIFY(rangeChart(more).naturalHeight(theme, 600) > rangeChart(ranges()).naturalHeight(theme, 600));
}

void ComparisonChartsTest::rangesNameTheirEnds()
{
    auto data = ranges();
    QCOMPARE(rangeText(data, data.rows[0]), u"First-order 2 s to Searcher 5 s, \u00d7\u00a02.50"_s);
    QCOMPARE(rangeText(data, data.rows[1]), u"Searcher 3 s alone"_s);
    QVERIFY(rangeText(data, data.rows[2]).isEmpty());
    data.rows[1].points[0].ends = {2.5, 8, u"2.5 s to 8 s"_s};
    QCOMPARE(rangeText(data, data.rows[1]), u"Searcher 3 s, 2.5 s to 8 s"_s);
    const auto chart = rangeChart(data).draw(Theme::light());
    const auto axis = qobject_cast<const QValueAxis *>(chart->axes(Qt::Horizontal).constFirst());
    QVERIFY(axis && axis->max() >= 8);
    QCOMPARE(axis->alignment(), Qt::AlignTop); // in sight however many rows follow
    data.rows[0].points[1].value = 2;
    QVERIFY(rangeText(data, data.rows[0]).contains(u"no other differs"_s));
}

void ComparisonChartsTest::picturesAreWritten()
{
    QTemporaryDir folder;
    for (const auto &content : {groupedBars(groupedSteps(steps(8))), rangeChart(ranges())})
        for (const auto &theme : {Theme::light(), Theme::dark()}) {
            const QSize size(420, content.naturalHeight(theme, 420));
            const QString svg = folder.filePath(u"chart.svg"_s), png = folder.filePath(u"chart.png"_s);
            QVERIFY(writeSvg(content, theme, size, svg));
            QVERIFY(writePng(content, theme, size, png));
            QFile file(svg);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY(file.readAll().contains("<svg"));
            QVERIFY(!QImage(png).isNull());
        }
}

void ComparisonChartsTest::nothingIsStillAChart()
{
    QVERIFY(groupedBars(groupedSteps({})).draw(Theme::light()));
    QVERIFY(rangeChart({}).draw(Theme::light()));
    QVERIFY(!picture(groupedBars(groupedSteps({})), Theme::light(), {200, 100}).isNull());
}

FLEETWRIGHT_TEST(ComparisonChartsTest)
#include "tst_comparisoncharts.moc"
