// SPDX-License-Identifier: GPL-3.0-or-later
// What charts draw, as numbers to copy.
#include "charts/chartdata.h"
#include "charts/charttable.h"
#include "charts/columnchart.h"
#include "charts/countchart.h"
#include "charts/coveragechart.h"
#include "charts/groupedbars.h"
#include "charts/heatmap.h"
#include "charts/linechart.h"
#include "charts/rangechart.h"
#include "charts/scatterchart.h"
#include "charts/schedulechart.h"
#include "charts/spreadchart.h"
#include "charts/xychart.h"
#include "testing/registry.h"

#include <QTest>

#include <limits>

using namespace Qt::StringLiterals;
using namespace fleetwright::charts;

class ChartTableTest : public QObject {
    Q_OBJECT

    static QStringList lines(const ChartContent &content)
    {
        return content.table ? toTabSeparated(content.table()).split(u'\n', Qt::SkipEmptyParts) : QStringList();
    }

private slots:
    void lineCharts()
    {
        const double none = std::numeric_limits<double>::quiet_NaN();
        const LineChartData data{.name = u"MFU"_s,
            .description = {},
            .xTitle = u"Accelerators"_s,
            .yTitle = u"MFU [%]"_s,
            .series = {{.name = u"Model"_s, .points = {{8, 52.125}, {64, none}, {512, -1e-7}}}},
            .marks = {{u"Floor"_s, 40}}};
        QCOMPARE(lines(lineChart(data)),
            (QStringList{u"Series\tAccelerators\tMFU [%]"_s, u"Model\t8\t52.125"_s, u"Model\t64\t"_s,
                u"Model\t512\t-1e-07"_s, u"Floor\t\t40"_s}));
        auto named = data;
        named.xCategories = {u"H100"_s, u"B200"_s};
        named.series = {{.name = u"Model"_s, .points = {{0, 1}, {1, 2}}}};
        named.marks.clear();
        QCOMPARE(lines(lineChart(named)).sliced(1), (QStringList{u"Model\tH100\t1"_s, u"Model\tB200\t2"_s}));
    }

    void columns()
    {
        ColumnChartData data{.name = {},
            .description = {},
            .xTitle = u"Nodes"_s,
            .yTitle = u"Days"_s,
            .categories = {u"8"_s, u"16"_s},
            .series = {{u"A"_s, {{.value = 3.5}, {}}}, {u"B"_s, {{.value = 1}, {.value = 2}}}}};
        QCOMPARE(lines(columnChart(data)), (QStringList{u"Nodes\tA, Days\tB, Days"_s, u"8\t3.5\t1"_s, u"16\t\t2"_s}));
        data.scale = ColumnScale{.from = 10, .to = 30};
        QCOMPARE(lines(columnChart(data)),
            (QStringList{u"From, Nodes\tTo, Nodes\tA, Days\tB, Days"_s, u"10\t20\t3.5\t1"_s, u"20\t30\t\t2"_s}));
    }

    void bars()
    {
        BarChartData data;
        data.axisTitle = u"Time [ms]"_s;
        data.unit = *fleetwright::units::findUnit("ms", fleetwright::units::Dimension::Time);
        data.labels = {u"Small"_s, u"Large"_s};
        data.parts = {{Quantity::Compute, {0.25, 0.5}}};
        data.totals = {0.5, 0.75};
        data.lines = {{u"Limit"_s, {std::nullopt, 1.0}}};
        const auto all = lines(barChart(data, {}, {}));
        QCOMPARE(all.size(), 3);
        QVERIFY2(all[0].endsWith(u"Total, Time [ms]\tLimit, Time [ms]"_s), qPrintable(all[0]));
        QCOMPARE(all.sliced(1), (QStringList{u"Small\t250\t500\t"_s, u"Large\t500\t750\t1000"_s}));
        const GroupedBarData grouped{.name = {},
            .description = {},
            .axisTitle = u"Time [s]"_s,
            .groups = {u"Small"_s},
            .bars = {{u"Compute"_s, Qt::red, {1.5}}, {u"Wait"_s, Qt::blue, {std::nullopt}}}};
        QCOMPARE(lines(groupedBars(grouped)),
            (QStringList{u"Name\tCompute, Time [s]\tWait, Time [s]"_s, u"Small\t1.5\t"_s}));
    }

    void maps()
    {
        const HeatMapData data{.name = u"Step time [s]"_s,
            .description = {},
            .xTitle = u"TP"_s,
            .yTitle = u"PP"_s,
            .columns = {u"1"_s, u"2"_s},
            .rows = {u"4"_s, u"8"_s},
            .cells = {{.value = 1}, {.value = 2}, {.refused = true}, {.value = 4}}};
        QCOMPARE(lines(heatMap(data)),
            (QStringList{u"TP\tPP\tStep time [s]"_s, u"1\t4\t1"_s, u"2\t4\t2"_s, u"1\t8\t"_s, u"2\t8\t4"_s}));
    }

    void points()
    {
        const ScatterChartData scatter{.name = {},
            .description = {},
            .measuredTitle = u"Measured [s]"_s,
            .predictedTitle = u"Predicted [s]"_s,
            .series = {{u"H100"_s, {{2, 3, {}}}, false}}};
        QCOMPARE(
            lines(scatterChart(scatter)), (QStringList{u"Series\tMeasured [s]\tPredicted [s]"_s, u"H100\t2\t3"_s}));
        const XyChartData xy{.name = {},
            .description = {},
            .x = {.title = u"Days"_s},
            .y = {.title = u"Cost"_s},
            .series = {{.name = u"Plans"_s, .points = {{1, 2, {}}}}},
            .front = XyFrontLine{u"Front"_s, {{1, 2}}}};
        QCOMPARE(lines(xyChart(xy)), (QStringList{u"Series\tDays\tCost"_s, u"Plans\t1\t2"_s, u"Front\t1\t2"_s}));
    }

    void rows()
    {
        const RangeChartData ranges{.name = {},
            .description = {},
            .axisTitle = u"Time [s]"_s,
            .sources = {u"A"_s, u"B"_s},
            .rows = {{u"Plan"_s, {{1, 2.5, {}}, {0, 9, {}}}}}};
        QCOMPARE(
            lines(rangeChart(ranges)), (QStringList{u"Name\tSource\tTime [s]"_s, u"Plan\tB\t2.5"_s, u"Plan\tA\t9"_s}));
        const CountChartData counts{.name = {},
            .description = {},
            .axisTitle = u"Layouts"_s,
            .kinds = {},
            .rows = {{.label = u"=1+1"_s, .count = 18'446'744'073'709'551'615ULL}},
            .emptyText = {}};
        // A name that a spreadsheet would run is text there.
        QCOMPARE(lines(countChart(counts)), (QStringList{u"Name\tLayouts"_s, u"'=1+1\t18446744073709551615"_s}));
        CoverageChartData coverage;
        coverage.xTitle = u"Source"_s;
        coverage.yTitle = u"Covered [%]"_s;
        coverage.bars = {{12.5, {}}, {80, {}}};
        QCOMPARE(lines(coverageChart(coverage)), (QStringList{u"Source\tCovered [%]"_s, u"1\t12.5"_s, u"2\t80"_s}));
        SpreadChartData spread;
        spread.axisTitle = u"Error [%]"_s;
        spread.middleName = u"median"_s;
        spread.rows = {{.label = u"A\tB"_s, .low = -3, .middle = 0, .high = 4, .count = u"n = 12"_s}};
        QCOMPARE(lines(spreadChart(spread)).sliced(1), QStringList{u"A B\t-3\t0\t4\tn = 12"_s});
    }

    /// A schedule is thousands of boxes, and Explain has what it says as a table.
    void schedulesHaveNone() { QVERIFY(!scheduleChart({}, 1).table); }
};

FLEETWRIGHT_TEST(ChartTableTest)
#include "tst_charttable.moc"
