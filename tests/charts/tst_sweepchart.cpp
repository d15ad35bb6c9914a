// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/columnchart.h"
#include "charts/heatmap.h"
#include "charts/plotitem.h"
#include "charts/sweepchart.h"
#include "charttesting.h"
#include "domain/samples.h"
#include "testing/registry.h"

#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsScene>
#include <QGraphicsSceneHoverEvent>
#include <QTest>
#include <QToolTip>
#include <QWidget>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::charts;

namespace {

/// PP 1 fits, PP 1024 is refused; TP 1 with a batch of one microbatch does not matter here.
SweepDocument document(SweepView view)
{
    SweepDocument made;
    made.name = "PP and microbatches";
    made.plan = samples::plan();
    made.plan.constraints.maxStepTime = 1e6 * second;
    made.axes = {axisOf("parallelism.pp", {1.0, 2.0, 1024.0}), axisOf("training.microbatch_count", {1.0, 16.0})};
    made.figure = "step_time_s";
    made.view = view;
    made.mark = 0.5;
    return made;
}

} // namespace

class TestSweepChart : public QObject {
    Q_OBJECT
private slots:
    void scaleRisesInLightness();
    void heatMapShowsEveryCell();
    void columnsAreAsHighAsTheirValues();
    void namesOfFewBarsTakeShortLines();
    void everyViewSaysWhatItShows_data();
    void everyViewSaysWhatItShows();
    void saysWhatIsOnlyLikely();
    void manyNamesAreThinned();
};

void TestSweepChart::scaleRisesInLightness()
{
    double last = -1;
    for (int i = 0; i <= 20; ++i) {
        const auto colour = heatColour(i / 20.0);
        const double luminance = 0.2126 * colour.redF() + 0.7152 * colour.greenF() + 0.0722 * colour.blueF();
        QVERIFY(luminance > last);
        last = luminance;
    }
    QCOMPARE(heatColour(-1), heatColour(0));
    QCOMPARE(heatColour(2), heatColour(1));
}

void TestSweepChart::heatMapShowsEveryCell()
{
    HeatMapData data{.name = u"n"_s,
        .description = u"d"_s,
        .xTitle = u"x"_s,
        .yTitle = u"y"_s,
        .columns = {u"a"_s, u"b"_s},
        .rows = {u"1"_s, u"2"_s}};
    data.cells = {{1.0, {}, {}}, {2.0, {}, {}, true}, {std::nullopt, {}, {}, false, true}, {3.0, {}, {}}};
    data.format = [](double value) { return QString::number(value); };
    data.hatchedName = u"hatched"_s;
    data.refusedName = u"crossed"_s;
    data.best = 0;
    data.bestName = u"best"_s;
    const auto content = heatMap(data);
    QCOMPARE(legendOf(content),
        (QStringList{u"1"_s, u"1.5"_s, u"2"_s, u"2.5"_s, u"3"_s, u"hatched"_s, u"crossed"_s, u"best"_s}));
    const auto image = painted(content);
    const int lowest = pixelsOf(image, heatColour(0)), middle = pixelsOf(image, heatColour(0.5)),
              highest = pixelsOf(image, heatColour(1));
    QVERIFY(lowest > 5000 && highest > 5000);
    QVERIFY2(middle > 2000 && middle < highest, "hatching takes some of the colour away");
    QVERIFY(content.naturalHeight(Theme::light(), 600) > 60);
}

void TestSweepChart::columnsAreAsHighAsTheirValues()
{
    ColumnChartData data{
        .name = u"n"_s, .description = u"d"_s, .xTitle = u"x"_s, .yTitle = u"y"_s, .categories = {u"a"_s, u"b"_s}};
    data.series = {
        {u"one"_s, {{4.0, {}, {}}, {std::nullopt, {}, {}}}}, {u"two"_s, {{2.0, {}, {}}, {std::nullopt, {}, {}}}}};
    data.marks = {{u"limit"_s, 3}};
    const auto image = painted(columnChart(data));
    const auto colours = seriesColours();
    const int one = pixelsOf(image, colours[0]), two = pixelsOf(image, colours[1]);
    QVERIFY(two > 1000);
    QVERIFY2(std::abs(double(one) / two - 2) < 0.15, qPrintable(u"%1 %2"_s.arg(one).arg(two)));
    QCOMPARE(legendOf(columnChart(data)), (QStringList{u"one"_s, u"two"_s, u"limit"_s}));
}

/// Qt Charts cuts what is wider than its bar, and then names that begin alike read the same.
void TestSweepChart::namesOfFewBarsTakeShortLines()
{
    ColumnChartData data{.name = u"n"_s, .description = u"d"_s, .xTitle = u"x"_s, .yTitle = u"y"_s};
    data.categories = {u"DP only"_s, u"DP + TP2"_s, u"DP + PP4, M16"_s, u"DP + TP2 + PP4, M16"_s, u"DP + TP8"_s};
    data.series = {{u"one"_s, {{1.0, {}, {}}, {2.0, {}, {}}, {3.0, {}, {}}, {4.0, {}, {}}, {5.0, {}, {}}}}};
    const auto chart = columnChart(data).draw(Theme::light());
    auto *axis = qobject_cast<QCategoryAxis *>(chart->axes(Qt::Horizontal).constFirst());
    QVERIFY(axis);
    QCOMPARE(axis->categoriesLabels().at(3), u"DP +<br>TP2 +<br>PP4,<br>M16"_s);
    QCOMPARE(axis->categoriesLabels().at(0), u"DP only"_s);
    QVERIFY(!axis->truncateLabels()); // which fills its place
    data.categories[0] = u"Everything-in-one"_s; // more than its place
    const auto longer = columnChart(data).draw(Theme::light());
    QVERIFY(qobject_cast<QCategoryAxis *>(longer->axes(Qt::Horizontal).constFirst())->truncateLabels());
}

void TestSweepChart::everyViewSaysWhatItShows_data()
{
    QTest::addColumn<int>("view");
    QTest::newRow("lines") << int(SweepView::Lines);
    QTest::newRow("bars") << int(SweepView::Bars);
    QTest::newRow("heat map") << int(SweepView::HeatMap);
}

void TestSweepChart::everyViewSaysWhatItShows()
{
    QFETCH(int, view);
    const auto asked = document(SweepView(view));
    const auto result = runSweep(asked, samples::catalog());
    QVERIFY(result.has_value());
    const auto content = sweepChart(asked, *result, samples::catalog());
    QCOMPARE(content.name, u"PP and microbatches"_s);
    QVERIFY2(content.description.contains(u"Step time"_s), qPrintable(content.description));
    const auto names = legendOf(content);
    if (bestCell(*result, *chooseFigure(asked.figure), 0))
        QVERIFY2(names.contains(u"best"_s), qPrintable(names.join(u'|')));
    if (SweepView(view) == SweepView::HeatMap)
        QVERIFY(names.contains(u"crossed: refused"_s));
    else
        QVERIFY2(names.filter(u"mark at"_s).size() == 1, qPrintable(names.join(u'|')));
    const auto image = painted(content);
    QVERIFY(pixelsOf(image, Theme::light().background) < image.width() * image.height());
    auto alone = asked;
    alone.axes.pop_back();
    alone.axes[0].points.resize(1);
    const auto single = runSweep(alone, samples::catalog());
    (void)painted(sweepChart(alone, *single, samples::catalog()), Theme::light(), {40, 30}); // one cell, no room
}

/// In the word of plans.
void TestSweepChart::saysWhatIsOnlyLikely()
{
    QWidget window;
    window.show();
    for (const auto view : {SweepView::Bars, SweepView::HeatMap}) {
        const auto asked = document(view);
        auto result = runSweep(asked, samples::catalog()).value();
        const auto feasible = std::ranges::find_if(
            result.cells, [](const SweepCell &cell) { return cell.feasibility() == true; });
        QVERIFY(feasible != result.cells.end());
        const auto tips = [&] {
            const auto content = sweepChart(asked, result, samples::catalog());
            QGraphicsScene scene;
            auto *chart = content.draw(Theme::light()).release();
            scene.addItem(chart);
            chart->resize(600, 400);
            QImage image(600, 400, QImage::Format_RGB32);
            QPainter painter(&image);
            scene.render(&painter);
            QStringList shown;
            const auto plot = chart->plotArea();
            constexpr int steps = 40;
            for (auto *child : chart->childItems()) {
                auto *item = dynamic_cast<PlotItem *>(child);
                for (int i = 0; item && i < steps * steps; ++i) {
                    QGraphicsSceneHoverEvent hover(QEvent::GraphicsSceneHoverMove);
                    hover.setWidget(&window);
                    hover.setPos({plot.left() + plot.width() * (i % steps + 0.5) / steps,
                        plot.bottom() - plot.height() * (double(i / steps) + 0.5) / steps});
                    scene.sendEvent(item, &hover);
                    if (const auto text = QToolTip::text(); !text.isEmpty() && !shown.contains(text))
                        shown << text;
                }
            }
            return shown;
        };
        const auto before = tips();
        QVERIFY2(before.size() > 2, qPrintable(before.join(u'|')));
        QVERIFY(before.filter(u"feasible: likely"_s).isEmpty());
        feasible->onlyLikely = true;
        QCOMPARE(tips().filter(u"\nfeasible: likely"_s).size(), 1);
    }
}

void TestSweepChart::manyNamesAreThinned()
{
    HeatMapData data{.name = u"n"_s, .xTitle = u"x"_s, .yTitle = u"y"_s};
    for (int i = 0; i < 100; ++i) {
        data.columns << QString::number(i);
        data.rows << QString::number(i);
    }
    data.cells.resize(10000, {1.0, u"1"_s, {}});
    QVERIFY(!painted(heatMap(data)).isNull());
}

FLEETWRIGHT_TEST(TestSweepChart)
#include "tst_sweepchart.moc"
