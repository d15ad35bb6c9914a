// SPDX-License-Identifier: GPL-3.0-or-later
// Axes have numbers in every language, at the sizes of the smallest window: with the decimal mark of the language.
#include "charts/chartdata.h"
#include "charts/charts.h"
#include "charts/columnchart.h"
#include "charts/linechart.h"
#include "charts/rangechart.h"
#include "charts/scatterchart.h"
#include "charts/xychart.h"
#include "charttesting.h"
#include "testing/registry.h"
#include "text/localized.h"

#include <QGraphicsLayout>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::charts;

class TestAxisNumbers : public QObject {
    Q_OBJECT

    static QStringList numbersOf(const ChartContent &content, QSize size)
    {
        const auto chart = content.draw(Theme::light());
        QImage image(size, QImage::Format_RGB32);
        QPainter painter(&image);
        paint(*chart, painter, QRectF(QPointF(), size));
        return axisNumbersOf(*chart);
    }

    static ChartContent contentCalled(const QString &kind)
    {
        if (kind == u"bars"_s) {
            BarChartData bars;
            bars.axisTitle = u"Step time [s]"_s;
            bars.labels = {u"one"_s, u"other"_s};
            bars.parts = {{Quantity::Compute, {0.4, 0.7}}};
            bars.totals = {0.4, 0.7};
            bars.axisMaximum = 0.8;
            bars.tickInterval = 0.2;
            return barChart(bars, kind, kind);
        }
        if (kind == u"columns"_s) {
            ColumnChartData columns;
            columns.yTitle = u"Cost [MUSD]"_s;
            columns.categories = {u"one"_s, u"other"_s};
            columns.series = {{u"cost"_s, {{1.25, {}, {}}, {2.5, {}, {}}}}};
            return columnChart(columns);
        }
        if (kind == u"points"_s) {
            XyChartData points;
            points.x = {.title = u"Days"_s};
            points.y = {.title = u"Cost [MUSD]"_s};
            points.series = {{u"fleets"_s, {{20.5, 1.5, {}}, {21, 2.5, {}}}}};
            return xyChart(points);
        }
        if (kind == u"logarithmic points"_s) {
            XyChartData points;
            points.x = {.title = u"Days"_s, .logarithmic = true};
            points.y = {.title = u"Cost [MUSD]"_s, .logarithmic = true};
            points.series = {{u"fleets"_s, {{0.05, 0.15, {}}, {21, 2.5, {}}}}};
            return xyChart(points);
        }
        if (kind == u"predicted and measured"_s) {
            ScatterChartData runs;
            runs.measuredTitle = u"Measured [s]"_s;
            runs.predictedTitle = u"Predicted [s]"_s;
            runs.series.resize(1);
            runs.series[0].points = {{.measured = 0.02, .predicted = 0.03}, {.measured = 40, .predicted = 35}};
            return scatterChart(runs);
        }
        LineChartData lines;
        lines.xTitle = u"Month"_s;
        lines.yTitle = u"Cost [MUSD]"_s;
        lines.series.resize(1);
        lines.series[0].points = {{0, 0.25}, {0.5, 0.75}, {1.5, 1.25}};
        return lineChart(lines);
    }

private slots:
    void cleanup() { useLanguage(Language::English); }

    void inBothLanguages_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QSize>("size");
        for (const auto *kind : {"bars", "columns", "points", "logarithmic points", "predicted and measured", "lines"})
            for (const auto size : {QSize(460, 260), QSize(900, 400)}) // beside a form, and across a page
                QTest::addRow("%s, %d wide", kind, size.width()) << QString::fromLatin1(kind) << size;
    }
    void inBothLanguages()
    {
        QFETCH(QString, kind);
        QFETCH(QSize, size);
        const auto english = numbersOf(contentCalled(kind), size);
        useLanguage(Language::German);
        auto german = numbersOf(contentCalled(kind), size);
        QVERIFY2(english.size() >= 2, qPrintable(english.join(u' ')));
        QVERIFY(english.join(u' ').contains(u'.'));
        QVERIFY2(!german.join(u' ').contains(u'.'), qPrintable(german.join(u' ')));
        QCOMPARE(german.replaceInStrings(u","_s, u"."_s), english);
    }
};

FLEETWRIGHT_TEST(TestAxisNumbers)
#include "tst_axisnumbers.moc"
