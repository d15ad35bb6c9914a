// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/columnchart.h"

#include "charts/chartdata.h"
#include "charts/plotitem.h"
#include "text/localized.h"

#include <QCategoryAxis>
#include <QChart>
#include <QFontMetricsF>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr double categoryShare = 0.8; // of a category's room

double highest(const ColumnChartData &data)
{
    double high = 0;
    for (const auto &series : data.series)
        for (const auto &value : series.values)
            if (value.value && std::isfinite(*value.value))
                high = std::max(high, *value.value);
    for (const auto &mark : data.marks)
        high = std::max(high, mark.value);
    return high > 0 ? high : 1;
}

/// Where a value of the scale stands on an axis of which each bin takes 1, the first around 0.
double placeOn(const ColumnChartData &data, double value)
{
    const auto bins = double(data.series.front().values.size());
    return (value - data.scale->from) / (data.scale->to - data.scale->from) * bins - 0.5;
}

void addScale(QChart *chart, const ColumnChartData &data, const Theme &theme)
{
    auto *axis = new QCategoryAxis;
    axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    const auto &scale = *data.scale;
    const double step = niceInterval(scale.to - scale.from);
    for (auto i = std::int64_t(std::ceil(scale.from / step)); double(i) * step <= scale.to; ++i)
        axis->append(chartText(localizedNumber(QString::number(double(i) * step))), placeOn(data, double(i) * step));
    axis->setRange(-0.5, double(data.series.front().values.size()) - 0.5);
    axis->setTitleText(chartText(data.xTitle));
    dress(axis, theme);
    axis->setGridLineVisible(false);
    chart->addAxis(axis, Qt::AlignBottom);
}

bool hasScale(const ColumnChartData &data)
{
    return data.scale && data.scale->to > data.scale->from && !data.series.empty()
        && !data.series.front().values.empty();
}

std::vector<LegendEntry> legend(const ColumnChartData &data, const Theme &theme)
{
    std::vector<LegendEntry> entries;
    bool hatched = false;
    for (std::size_t i = 0; i < data.series.size(); ++i) {
        if (!data.series[i].name.isEmpty())
            entries.push_back({data.series[i].name, seriesColour(i)});
        hatched = hatched || std::ranges::any_of(data.series[i].values, &ColumnValue::hatched);
    }
    for (const auto &mark : data.marks)
        entries.push_back({mark.name, limitColour(theme), Qt::DashLine});
    if (data.scale)
        for (const auto &mark : data.scale->marks)
            entries.push_back({mark.name, limitColour(theme), Qt::DashLine});
    if (hatched)
        entries.push_back({data.hatchedName, theme.grid});
    if (data.best)
        entries.push_back({data.bestName, theme.text, Qt::SolidLine});
    return entries;
}

class Columns : public PlotItem {
public:
    Columns(QChart *chart, const ColumnChartData &data, const Theme &theme) : PlotItem(chart, theme), m_data(data) { }

    void paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) override
    {
        useChartFont(*painter, chartFont(theme()));
        const QFontMetricsF metrics(chartFont(theme()));
        for (std::size_t series = 0; series < m_data.series.size(); ++series)
            for (std::size_t category = 0; category < m_data.series[series].values.size(); ++category)
                paintBar(*painter, metrics, series, category);
        if (m_data.best) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(theme().text, 3));
            painter->drawRect(bar(m_data.best->first, m_data.best->second));
        }
        const auto plot = chart()->plotArea();
        painter->setPen(QPen(limitColour(theme()), 1.4, Qt::DashLine));
        for (const auto &mark : m_data.marks) {
            const double y = position(0, mark.value).y();
            painter->drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        }
        if (hasScale(m_data))
            for (const auto &mark : m_data.scale->marks) {
                const double x = position(placeOn(m_data, mark.value), 0).x();
                painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
            }
    }

protected:
    [[nodiscard]] QString textAt(const QPointF &where) const override
    {
        for (std::size_t series = 0; series < m_data.series.size(); ++series)
            for (std::size_t category = 0; category < m_data.series[series].values.size(); ++category)
                if (auto area = bar(series, category); hoverArea(area).contains(where))
                    return m_data.series[series].values[category].toolTip;
        return {};
    }

private:
    /// A bin of few draws is as low as a line: its whole column answers.
    [[nodiscard]] QRectF hoverArea(const QRectF &area) const
    {
        if (!m_data.scale)
            return area.adjusted(0, -4, 0, 4);
        const double between = area.width() * (1 / categoryShare - 1) / 2;
        return {
            area.left() - between, chart()->plotArea().top(), area.width() + 2 * between, chart()->plotArea().height()};
    }

    [[nodiscard]] QRectF bar(std::size_t series, std::size_t category) const
    {
        const double width = categoryShare / double(m_data.series.size());
        const double left = double(category) - categoryShare / 2 + double(series) * width;
        const double value = m_data.series[series].values[category].value.value_or(0);
        return QRectF(position(left, value), position(left + width, 0)).normalized();
    }

    void paintBar(QPainter &painter, const QFontMetricsF &metrics, std::size_t series, std::size_t category)
    {
        const auto &value = m_data.series[series].values[category];
        const auto area = bar(series, category);
        const auto shown = area.adjusted(area.width() > 4 ? 0.5 : 0, 0, area.width() > 4 ? -0.5 : 0, 0);
        if (value.value) {
            const auto colour = theme().ink(seriesColour(series));
            painter.fillRect(shown, colour);
            if (value.hatched)
                painter.fillRect(shown, hatch(colour));
        }
        const QString text = value.value ? value.text : u"\u2013"_s;
        if (metrics.horizontalAdvance(text) > area.width() + 4)
            return;
        painter.setPen(theme().text);
        painter.drawText(QRectF(area.left() - 4, area.top() - metrics.height() - 2, area.width() + 8, metrics.height()),
            Qt::AlignCenter, text);
    }

    ColumnChartData m_data;
};

std::unique_ptr<QChart> draw(const ColumnChartData &data, const Theme &theme)
{
    auto chart = emptyChart(theme);
    if (hasScale(data))
        addScale(chart.get(), data, theme);
    else
        addNames(chart.get(), data.categories, data.xTitle, Qt::AlignBottom, theme);
    auto *values = valueAxis(0, highest(data) * 1.08); // room for the value above the highest bar
    values->setTitleText(chartText(data.yTitle));
    dress(values, theme);
    chart->addAxis(values, Qt::AlignLeft);
    tieAxes(chart.get());
    new Columns(chart.get(), data, theme);
    new ChartLegend(chart.get(), legend(data, theme), theme);
    return chart;
}

} // namespace

ChartContent columnChart(ColumnChartData data)
{
    const auto shared = std::make_shared<const ColumnChartData>(std::move(data));
    return {shared->name, shared->description, [shared](const Theme &theme) { return draw(*shared, theme); },
        [shared](const Theme &theme, int width) {
            const double line = QFontMetricsF(chartFont(theme)).height();
            return int(14 * line + legendHeight(legend(*shared, theme), theme, width));
        },
        [shared] { return tableOf(*shared); }};
}

} // namespace fleetwright::charts
