// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/charttable.h"

#include "charts/chartdata.h"
#include "charts/columnchart.h"
#include "charts/countchart.h"
#include "charts/coveragechart.h"
#include "charts/groupedbars.h"
#include "charts/heatmap.h"
#include "charts/linechart.h"
#include "charts/rangechart.h"
#include "charts/scatterchart.h"
#include "charts/spreadchart.h"
#include "charts/wording.h"
#include "charts/xychart.h"
#include "text/figuretext.h"
#include "text/formulaguard.h"
#include "text/utf8.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

QString titled(const char *text) { return QCoreApplication::translate("charts", text); }

QString numberCell(double value)
{
    return std::isfinite(value) ? QString::number(value, 'g', QLocale::FloatingPointShortest) : QString();
}

QString numberCell(const std::optional<double> &value) { return value ? numberCell(*value) : QString(); }

/// "Compute, Time [s]"
QString withAxis(const QString &name, const QString &axis)
{
    return name.isEmpty() ? axis : axis.isEmpty() ? name : name + u", "_s + axis;
}

QString tabbedCell(QString text)
{
    for (const QChar breaking : {QChar(u'\t'), QChar(u'\n'), QChar(u'\r'), QChar(0x2028), QChar(0x2029)})
        text.replace(breaking, u' ');
    bool isNumber = false;
    text.toDouble(&isNumber); // "-3" is no formula
    return isNumber ? text : utf8(guardedCell(text.toStdString()));
}

} // namespace

ChartTable tableOf(const BarChartData &data)
{
    ChartTable table{{titled("Name")}, {}};
    for (const auto &part : data.parts)
        table.titles << withAxis(label(part.quantity, data.group), data.axisTitle);
    table.titles << withAxis(titled("Total"), data.axisTitle);
    for (const auto &line : data.lines)
        table.titles << withAxis(line.name, data.axisTitle);
    for (std::size_t i = 0; i < std::size_t(data.labels.size()); ++i) {
        QStringList row{data.labels[qsizetype(i)]};
        for (const auto &part : data.parts)
            row << numberCell(part.values[i] / data.unit.factor);
        row << numberCell(data.totals[i] / data.unit.factor);
        for (const auto &line : data.lines)
            row << (line.values[i] ? numberCell(*line.values[i] / data.unit.factor) : QString());
        table.rows.push_back(std::move(row));
    }
    return table;
}

ChartTable tableOf(const LineChartData &data)
{
    ChartTable table{{titled("Series"), data.xTitle, data.yTitle}, {}};
    for (const auto &series : data.series)
        for (const auto &point : series.points) {
            const bool named = point.x() >= 0 && point.x() < double(data.xCategories.size());
            table.rows.push_back({series.name, named ? data.xCategories[qsizetype(point.x())] : numberCell(point.x()),
                numberCell(point.y())});
        }
    for (const auto &mark : data.marks)
        table.rows.push_back({mark.name, QString(), numberCell(mark.value)});
    return table;
}

ChartTable tableOf(const ScatterChartData &data)
{
    ChartTable table{{titled("Series"), data.measuredTitle, data.predictedTitle}, {}};
    for (const auto &series : data.series)
        for (const auto &point : series.points)
            table.rows.push_back({series.name, numberCell(point.measured), numberCell(point.predicted)});
    return table;
}

ChartTable tableOf(const XyChartData &data)
{
    ChartTable table{{titled("Series"), data.x.title, data.y.title}, {}};
    for (const auto &series : data.series)
        for (const auto &point : series.points)
            table.rows.push_back({series.name, numberCell(point.x), numberCell(point.y)});
    if (data.front)
        for (const auto &point : data.front->points)
            table.rows.push_back({data.front->name, numberCell(point.x()), numberCell(point.y())});
    return table;
}

ChartTable tableOf(const ColumnChartData &data)
{
    ChartTable table;
    if (data.scale)
        table.titles = {withAxis(titled("From"), data.xTitle), withAxis(titled("To"), data.xTitle)};
    else
        table.titles = {data.xTitle.isEmpty() ? titled("Name") : data.xTitle};
    std::size_t columns = std::size_t(data.categories.size());
    for (const auto &series : data.series) {
        table.titles << withAxis(series.name, data.yTitle);
        columns = std::max(columns, series.values.size());
    }
    for (std::size_t i = 0; i < columns; ++i) {
        QStringList row;
        if (data.scale) {
            const double width = (data.scale->to - data.scale->from) / double(columns);
            row << numberCell(data.scale->from + double(i) * width)
                << numberCell(data.scale->from + double(i + 1) * width);
        } else {
            row << data.categories.value(qsizetype(i));
        }
        for (const auto &series : data.series)
            row << (i < series.values.size() ? numberCell(series.values[i].value) : QString());
        table.rows.push_back(std::move(row));
    }
    return table;
}

ChartTable tableOf(const GroupedBarData &data)
{
    ChartTable table{{titled("Name")}, {}};
    for (const auto &bar : data.bars)
        table.titles << withAxis(bar.name, data.axisTitle);
    for (std::size_t i = 0; i < std::size_t(data.groups.size()); ++i) {
        QStringList row{data.groups[qsizetype(i)]};
        for (const auto &bar : data.bars)
            row << numberCell(bar.values[i]);
        table.rows.push_back(std::move(row));
    }
    return table;
}

ChartTable tableOf(const HeatMapData &data)
{
    ChartTable table{{data.xTitle, data.yTitle, data.name}, {}};
    for (std::size_t i = 0; i < data.cells.size(); ++i) {
        const auto columns = std::size_t(data.columns.size());
        table.rows.push_back(
            {data.columns[qsizetype(i % columns)], data.rows[qsizetype(i / columns)], numberCell(data.cells[i].value)});
    }
    return table;
}

ChartTable tableOf(const RangeChartData &data)
{
    ChartTable table{{titled("Name"), titled("Source"), data.axisTitle}, {}};
    const bool hasEnds = std::ranges::any_of(data.rows, [](const RangeRow &row) {
        return std::ranges::any_of(row.points, [](const RangeRow::Point &point) { return point.ends.has_value(); });
    });
    if (hasEnds)
        table.titles << titled("Low") << titled("High");
    for (const auto &row : data.rows)
        for (const auto &point : row.points) {
            table.rows.push_back({row.label, data.sources[qsizetype(point.source)], numberCell(point.value)});
            if (hasEnds)
                table.rows.back() << (point.ends ? numberCell(point.ends->low) : QString())
                                  << (point.ends ? numberCell(point.ends->high) : QString());
        }
    return table;
}

ChartTable tableOf(const CountChartData &data)
{
    ChartTable table{{titled("Name"), data.axisTitle}, {}};
    for (const auto &row : data.rows)
        table.rows.push_back({row.label, QString::number(row.count)});
    return table;
}

ChartTable tableOf(const CoverageChartData &data)
{
    ChartTable table{{data.xTitle, data.yTitle}, {}};
    for (std::size_t i = 0; i < data.bars.size(); ++i)
        table.rows.push_back({QString::number(i + 1), numberCell(data.bars[i].covered)});
    return table;
}

ChartTable tableOf(const SpreadChartData &data)
{
    ChartTable table{
        {titled("Name"), withAxis(titled("From"), data.axisTitle), withAxis(data.middleName, data.axisTitle),
            withAxis(titled("To"), data.axisTitle), titled("Count")},
        {}};
    for (const auto &row : data.rows)
        table.rows.push_back({row.label, numberCell(row.low), numberCell(row.middle), numberCell(row.high), row.count});
    return table;
}

QString toTabSeparated(const ChartTable &table)
{
    const auto line = [](const QStringList &cells) {
        QStringList written;
        for (const auto &cell : cells)
            written << tabbedCell(cell);
        return written.join(u'\t') + u'\n';
    };
    auto text = line(table.titles);
    for (const auto &row : table.rows)
        text += line(row);
    return text;
}

} // namespace fleetwright::charts
