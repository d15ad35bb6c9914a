// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chartview.h"
#include "charts/linechart.h"
#include "charts/scatterchart.h"
#include "charts/spreadchart.h"
#include "charts/validationcharts.h"
#include "charttesting.h"
#include "solver/samplevalidation.h"
#include "solver/validation/runname.h"
#include "testing/registry.h"

#include <QChart>
#include <QImage>
#include <QLogValueAxis>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::charts;

namespace {

ScatterChartData scatter()
{
    ScatterChartData data{.name = u"n"_s,
        .description = u"d"_s,
        .measuredTitle = u"Measured (s)"_s,
        .predictedTitle = u"Predicted (s)"_s};
    data.series = {{u"Hopper"_s, {{1, 1.1, u"one"_s}, {10, 9, u"two"_s}}},
        {u"A100"_s, {{3, 3.5, u"three"_s}, {-1, 2, u"never"_s}}}};
    data.emptyText = u"nothing"_s;
    return data;
}

} // namespace

class TestScatterChart : public QObject {
    Q_OBJECT
private slots:
    void everySeriesHasItsColourAndShape();
    void bothAxesShowTheSameRange_data();
    void bothAxesShowTheSameRange();
    void aClickPicksTheNearestPoint();
    void textsOfRunsAreMadeWhenAsked();
    void theSelectedPointIsRinged();
    void faintSeriesLoseTheirColour();
    void withoutPointsItSaysSo();
    void spreadBarsReachFromLowToHigh();
    void spreadHeightGrowsWithTheRows();
    void picturesAreWritten();
};

void TestScatterChart::everySeriesHasItsColourAndShape()
{
    const auto content = scatterChart(scatter());
    QCOMPARE(legendOf(content), (QStringList{u"Hopper"_s, u"A100"_s, u"as measured"_s, u"10 % off"_s, u"25 % off"_s}));
    const auto image = painted(content);
    const auto colours = seriesColours();
    QVERIFY(pixelsOf(image, colours[0]) > 2 * pixelsOf(image, QColor(1, 2, 3)));
    QVERIFY(pixelsOf(image, colours[1]) > 20);
    // Seven shapes, all different.
    QList<QImage> shapes;
    for (std::size_t i = 0; i < markerCount; ++i) {
        QImage one(24, 24, QImage::Format_ARGB32);
        one.fill(Qt::white);
        QPainter painter(&one);
        paintMarker(painter, Marker(i), {12, 12}, 14, Qt::black, Qt::white);
        painter.end();
        QVERIFY(pixelsOf(one, Qt::black) > 20);
        QVERIFY(!shapes.contains(one));
        shapes << one;
    }
}

void TestScatterChart::bothAxesShowTheSameRange_data()
{
    QTest::addColumn<double>("least");
    QTest::addColumn<double>("most");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("decades") << 0.12 << 380.0 << 0.1 << 500.0;
    QTest::newRow("close") << 2.5 << 3.0 << 2.0 << 5.0;
    QTest::newRow("one value") << 7.0 << 7.0 << 5.0 << 10.0;
    QTest::newRow("on a tick") << 1.0 << 100.0 << 0.5 << 200.0;
}

void TestScatterChart::bothAxesShowTheSameRange()
{
    QFETCH(double, least);
    QFETCH(double, most);
    QFETCH(double, low);
    QFETCH(double, high);
    auto data = scatter();
    data.series = {{u"a"_s, {{least, most, {}}}}};
    const auto chart = scatterChart(data).draw(Theme::light());
    for (const auto side : {Qt::Horizontal, Qt::Vertical}) {
        const auto *axis = qobject_cast<QLogValueAxis *>(chart->axes(side).constFirst());
        QVERIFY(axis);
        QVERIFY2(std::abs(axis->min() / low - 1) < 1e-9, qPrintable(QString::number(axis->min())));
        QVERIFY2(std::abs(axis->max() / high - 1) < 1e-9, qPrintable(QString::number(axis->max())));
    }
}

void TestScatterChart::aClickPicksTheNearestPoint()
{
    std::vector<ScatterIndex> picked;
    auto data = scatter();
    data.picked = [&](ScatterIndex index) { picked.push_back(index); };
    ChartView view;
    view.resize(600, 400);
    view.show(scatterChart(data), Theme::light());
    static_cast<QWidget &>(view).show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, placeOf(view, 10, 9) + QPoint(2, -2));
    QCOMPARE(picked.size(), 1UZ);
    QVERIFY((picked[0] == ScatterIndex{0, 1}));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, placeOf(view, 3, 3.5));
    QCOMPARE(picked.size(), 2UZ);
    QVERIFY((picked[1] == ScatterIndex{1, 0}));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, placeOf(view, 10, 1));
    QCOMPARE(picked.size(), 2UZ);
}

void TestScatterChart::textsOfRunsAreMadeWhenAsked()
{
    auto file = std::make_shared<const validation::ScoredFile>(samplescores::scoredFile());
    const auto *of = file->scoreOf("detailed");
    QVERIFY(of);
    const auto made = validationScatter(file, *of, validation::Grouping::Source);
    const std::weak_ptr kept = file;
    file.reset();
    QVERIFY(!kept.expired()); // the chart outlives the page's answer
    for (std::size_t s = 0; s < made.rows.size(); ++s)
        for (std::size_t p = 0; p < made.rows[s].size(); ++p) {
            QVERIFY(made.data.series[s].points[p].toolTip.isEmpty());
            const auto &run = kept.lock()->file.runs[of->runs[made.rows[s][p]].run];
            const auto text = made.data.toolTip({s, p});
            QVERIFY2(text.startsWith(QString::fromStdString(validation::runName(run)) + u"\n"_s)
                    && text.contains(u"predicted"_s),
                qPrintable(text));
        }
}

void TestScatterChart::theSelectedPointIsRinged()
{
    auto data = scatter();
    const auto before = painted(scatterChart(data));
    data.selected = ScatterIndex{0, 1};
    QVERIFY(pixelsOf(painted(scatterChart(data)), Theme::light().text) > pixelsOf(before, Theme::light().text));
    for (const auto wrong : {ScatterIndex{7, 0}, ScatterIndex{0, 7}, ScatterIndex{1, 1}}) {
        data.selected = wrong;
        QCOMPARE(painted(scatterChart(data)), before);
    }
}

void TestScatterChart::faintSeriesLoseTheirColour()
{
    auto data = scatter();
    data.series[0].faint = true;
    const auto image = painted(scatterChart(data));
    QCOMPARE(pixelsOf(image, seriesColours()[0]), 0);
    QVERIFY(pixelsOf(image, seriesColours()[1]) > 20);
}

void TestScatterChart::withoutPointsItSaysSo()
{
    auto data = scatter();
    data.series.clear();
    data.emptyText.clear();
    const auto silent = painted(scatterChart(data));
    data.emptyText = u"No run was scored."_s;
    QVERIFY(painted(scatterChart(data)) != silent);
    (void)painted(scatterChart(scatter()), Theme::light(), {40, 30}); // no room
}

void TestScatterChart::spreadBarsReachFromLowToHigh()
{
    SpreadChartData data{.name = u"n"_s,
        .description = u"d"_s,
        .axisTitle = u"Error (%)"_s,
        .barName = u"p10 to p90"_s,
        .middleName = u"median"_s,
        .leastReach = 10};
    data.rows = {{.label = u"wide"_s, .low = -40, .middle = 0, .high = 40},
        {.label = u"narrow"_s, .low = -10, .middle = 0, .high = 10}};
    const auto image = painted(spreadChart(data));
    const QColor bar = colour(Quantity::Compute);
    // Row by row: the upper bar is four times as long as the lower one.
    int upper = 0, lower = 0;
    for (int y = 0; y < image.height(); ++y) {
        int length = 0;
        for (int x = 0; x < image.width(); ++x)
            length += image.pixelColor(x, y) == bar;
        (y < 190 ? upper : lower) = std::max(y < 190 ? upper : lower, length);
    }
    QVERIFY2(lower > 40 && std::abs(double(upper) / lower - 4) < 0.4, qPrintable(u"%1 %2"_s.arg(upper).arg(lower)));
    QCOMPARE(legendOf(spreadChart(data)), (QStringList{u"p10 to p90"_s, u"median"_s}));
}

void TestScatterChart::spreadHeightGrowsWithTheRows()
{
    SpreadChartData data{.name = u"n"_s};
    data.rows.resize(5);
    const int few = spreadChart(data).naturalHeight(Theme::light(), 400);
    data.rows.resize(25);
    QVERIFY(spreadChart(data).naturalHeight(Theme::light(), 400) > 2 * few);
    data.rows.clear();
    (void)painted(spreadChart(data));
}

void TestScatterChart::picturesAreWritten()
{
    QTemporaryDir folder;
    const auto content = scatterChart(scatter());
    QVERIFY(writePng(content, Theme::dark(), {400, 300}, folder.filePath(u"a.png"_s)));
    QVERIFY(writeSvg(content, Theme::paper(), {400, 300}, folder.filePath(u"a.svg"_s)));
    QVERIFY(!QImage(folder.filePath(u"a.png"_s)).isNull());
}

FLEETWRIGHT_TEST(TestScatterChart)
#include "tst_scatterchart.moc"
