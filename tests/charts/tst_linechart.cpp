// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chartdecoration.h"
#include "charts/chartview.h"
#include "charts/linechart.h"
#include "testing/registry.h"

#include <QCategoryAxis>
#include <QChart>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QScatterSeries>
#include <QTest>
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
    template <class T> static int count(const QChart &chart)
    {
        int found = 0;
        for (auto *series : chart.series())
            found += qobject_cast<T *>(series) ? 1 : 0;
        return found;
    }

private slots:
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
        QCOMPARE(x->min(), 8.0);
        QCOMPARE(x->max(), 512.0);
        const auto *y = qobject_cast<QValueAxis *>(chart->axes(Qt::Vertical).first());
        QCOMPARE(y->min(), 0.0);
        QVERIFY(y->max() >= 52);
        QCOMPARE(y->titleText(), u"MFU (%)"_s);
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
