// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chartdecoration.h"
#include "charts/chartview.h"
#include "charts/linechart.h"
#include "testing/registry.h"

#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsScene>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QPainter>
#include <QScatterSeries>
#include <QTest>
#include <QToolTip>
#include <QValueAxis>

#include <limits>

using namespace Qt::StringLiterals;
using namespace fleetwright::charts;

class LineChartTest : public QObject {
    Q_OBJECT

    static LineChartData sample()
    {
        return {.name = u"MFU"_s,
            .description = u"MFU against accelerators."_s,
            .xTitle = u"Accelerators"_s,
            .yTitle = u"MFU (%)"_s,
            .xScale = AxisScale::PowersOfTwo,
            .series = {{.name = u"Model"_s, .points = {{8, 52}, {64, 38}, {512, 19}}},
                {.name = u"Reported"_s, .points = {{8, 50}, {512, 20}}, .pen = Qt::NoPen}},
            .marks = {{u"Floor"_s, 40}},
            .bands = {{0, 25, Qt::red}},
            .current = QPointF(64, 38)};
    }
    static QCategoryAxis *namesBelow(const QChart &chart)
    {
        return qobject_cast<QCategoryAxis *>(chart.axes(Qt::Horizontal).constFirst());
    }
    template <class T> static int count(const QChart &chart)
    {
        int found = 0;
        for (auto *series : chart.series())
            found += qobject_cast<T *>(series) ? 1 : 0;
        return found;
    }

private slots:
    /// Short names that have no room beside each other stand upright, whole; few stay as they are.
    void manyShortNamesStandUpright()
    {
        LineChartData data{.name = u"n"_s, .xTitle = u"TP x PP"_s, .yTitle = u"y"_s, .series = {{.name = u"s"_s}}};
        for (int tp = 1; tp <= 8; tp *= 2)
            for (int pp = 1; pp <= 64; pp *= 2) {
                data.series.front().points.emplace_back(double(data.xCategories.size()), 1);
                data.xCategories << u"%1 x %2"_s.arg(tp).arg(pp);
            }
        const auto chart = lineChart(data).draw(Theme::light());
        auto *axis = namesBelow(*chart);
        QVERIFY(axis && !axis->truncateLabels());
        QCOMPARE(axis->labelsAngle(), -90);
        QCOMPARE(axis->categoriesLabels().size(), 14);
        data.xCategories.resize(3);
        const auto few = lineChart(data).draw(Theme::light());
        QCOMPARE(namesBelow(*few)->labelsAngle(), 0);
        QCOMPARE(namesBelow(*few)->categoriesLabels().size(), 3);
    }
    void drawsEverySeriesAndNamesIt()
    {
        const auto chart = lineChart(sample()).draw(Theme::light());
        QCOMPARE(count<QLineSeries>(*chart), 2); // the curve and the mark
        QCOMPARE(count<QScatterSeries>(*chart), 2); // the reported points and the current one
        QStringList legend;
        for (auto *child : chart->childItems())
            if (auto *own = dynamic_cast<ChartLegend *>(child))
                legend = own->entries();
        QCOMPARE(legend, (QStringList{u"Model"_s, u"Reported"_s, u"Floor"_s, u"Where you stand"_s}));
    }

    void axesCoverTheData()
    {
        const auto chart = lineChart(sample()).draw(Theme::dark());
        const auto *x = qobject_cast<QLogValueAxis *>(chart->axes(Qt::Horizontal).first());
        QVERIFY(x);
        QCOMPARE(x->base(), 2.0);
        // A little beyond the markers at both ends, which would be cut there.
        QVERIFY2(x->min() < 0.96 * 8 && x->min() > 0.8 * 8, qPrintable(QString::number(x->min())));
        QVERIFY2(x->max() > 1.04 * 512 && x->max() < 1.25 * 512, qPrintable(QString::number(x->max())));
        const auto *y = qobject_cast<QValueAxis *>(chart->axes(Qt::Vertical).first());
        QCOMPARE(y->min(), 0.0);
        QVERIFY(y->max() >= 52);
        QCOMPARE(y->titleText(), u"MFU (%)"_s);
    }

    void markersAtTheEndsAreNotCut_data()
    {
        QTest::addColumn<AxisScale>("scale");
        QTest::addColumn<bool>("markers");
        QTest::newRow("linear") << AxisScale::Linear << true;
        QTest::newRow("powers of two") << AxisScale::PowersOfTwo << true;
        QTest::newRow("powers of ten") << AxisScale::PowersOfTen << true;
        QTest::newRow("curves alone") << AxisScale::Linear << false; // reach from end to end
    }
    void markersAtTheEndsAreNotCut()
    {
        QFETCH(AxisScale, scale);
        QFETCH(bool, markers);
        constexpr int width = 400, height = 300;
        const LineChartData data{.name = u"Ends"_s,
            .description = u"Ends."_s,
            .xTitle = u"x"_s,
            .yTitle = u"y"_s,
            .xScale = scale,
            .series = {{.name = u"A"_s, .points = {{1, 3}, {4, 2}, {100, 3}}, .markers = markers}}};
        QGraphicsScene scene; // owns what is in it
        auto *chart = lineChart(data).draw(Theme::light()).release();
        scene.addItem(chart);
        chart->resize(width, height);
        for (const auto &point : data.series.front().points) {
            const double x = chart->mapToPosition(point, chart->series().constFirst()).x();
            const auto plot = chart->plotArea();
            const double away = std::min(x - plot.left(), plot.right() - x);
            QVERIFY2(!markers || away > 3.5, qPrintable(u"%1 is %2 pixels from the edge"_s.arg(point.x()).arg(away)));
            QVERIFY2(markers || point.x() < 100 || away < 1, qPrintable(QString::number(away)));
        }
    }

    void gapsAndImpossiblePointsAreLeftOut()
    {
        auto data = sample();
        const double nan = std::numeric_limits<double>::quiet_NaN();
        data.series = {{.name = u"Broken"_s, .points = {{8, 1}, {16, 2}, {32, nan}, {64, 3}, {128, 4}, {-1, 5}}}};
        data.marks.clear();
        data.bands.clear();
        data.current.reset();
        const auto chart = lineChart(data).draw(Theme::light());
        QCOMPARE(count<QLineSeries>(*chart), 2);
        for (auto *series : chart->series())
            QCOMPARE(qobject_cast<QLineSeries *>(series)->count(), 2);
    }

    void categoriesNameTheAxis()
    {
        auto data = sample();
        data.xScale = AxisScale::Linear;
        data.xCategories = {u"100GbE"_s, u"HDR"_s};
        data.series = {{.name = u"Efficiency"_s, .points = {{0, 10}, {1, 20}}, .markers = true}};
        data.current.reset();
        const auto chart = lineChart(data).draw(Theme::light());
        auto *x = qobject_cast<QCategoryAxis *>(chart->axes(Qt::Horizontal).first());
        QVERIFY(x);
        QCOMPARE(x->categoriesLabels(), data.xCategories);
    }

    void tipsReadTheLines()
    {
        QWidget window;
        window.show();
        QGraphicsScene scene; // owns what is in it
        auto *chart = lineChart(
            {.name = u"Money"_s,
                .xTitle = u"Month"_s,
                .yTitle = u"Cost"_s,
                .series = {{.name = u"buying"_s, .points = {{0, 0.3}, {58, 0.45}, {59, 0.46}, {60, 0.47}}},
                    {.name = u"renting"_s, .points = {{0, 0}, {58, 0.52}, {59, 0.522}, {60, 0.524}}},
                    {.name = u"until month 58"_s, .points = {{0, 0.1}, {58, 0.2}}},
                    {.name = u"month 58: they cross"_s, .points = {{58, 0.52}}, .pen = Qt::NoPen}},
                .marks = {{u"limit"_s, 0.5}}})
                          .draw(Theme::light())
                          .release();
        scene.addItem(chart);
        chart->resize(600, 400);
        QImage image(600, 400, QImage::Format_RGB32);
        QPainter painter(&image);
        scene.render(&painter);
        const auto tipOf = [&](qsizetype series, QPointF pointer) {
            emit qobject_cast<QXYSeries *>(chart->series().at(series))->hovered(pointer, true);
            return QToolTip::text();
        };
        QCOMPARE(tipOf(1, {59.79, 0.5298}), u"renting\nMonth: 60\nCost: 0.524\nbuying: 0.47"_s);
        QCOMPARE(tipOf(1, {57.9, 0.521}), u"renting\nMonth: 58\nCost: 0.52\nbuying: 0.45\nuntil month 58: 0.2"_s);
        chart->series().at(2)->setVisible(false); // by its entry in the legend
        QCOMPARE(tipOf(1, {57.9, 0.521}), u"renting\nMonth: 58\nCost: 0.52\nbuying: 0.45"_s);
        QCOMPARE(tipOf(3, {58.2, 0.53}), u"month 58: they cross\nMonth: 58\nCost: 0.52"_s);
        QCOMPARE(tipOf(4, {31.7, 0.501}), u"limit\nCost: 0.5"_s);
    }

    void nothingToShowStillHasAxes()
    {
        const auto chart = lineChart({.name = u"Empty"_s, .xTitle = u"x"_s, .yTitle = u"y"_s}).draw(Theme::light());
        QCOMPARE(chart->axes().size(), 2);
    }

    void viewShowsAndDescribes()
    {
        ChartView view;
        view.resize(500, 300);
        view.show(lineChart(sample()), Theme::light());
        QCOMPARE(view.accessibleName(), u"MFU"_s);
        QCOMPARE(view.accessibleDescription(), u"MFU against accelerators."_s);
        QVERIFY(view.minimumHeight() > 100);
        view.copyImage();
    }
};

FLEETWRIGHT_TEST(LineChartTest)
#include "tst_linechart.moc"
