// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/scatterchart.h"

#include "charts/linechart.h"
#include "charts/pointsitem.h"

#include <QChart>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLogValueAxis>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

struct Guide {
    double deviation; ///< predicted over measured, minus 1
    Qt::PenStyle pen;
    double width;
};
constexpr std::array<Guide, 5> guides{{{0, Qt::SolidLine, 1.4}, {0.10, Qt::DashLine, 1}, {-0.10, Qt::DashLine, 1},
    {0.25, Qt::DotLine, 1}, {-0.25, Qt::DotLine, 1}}};

bool onPlot(const ScatterPoint &point)
{
    return std::isfinite(point.measured) && std::isfinite(point.predicted) && point.measured > 0 && point.predicted > 0;
}

bool anyPoint(const ScatterChartData &data)
{
    return std::ranges::any_of(
        data.series, [](const ScatterSeries &series) { return std::ranges::any_of(series.points, onPlot); });
}

/// Both axes: whole decades where the points span many, else 1, 2 and 5 times a power of ten, so that few points do not
/// crowd one corner.
std::pair<double, double> rangeOf(const ScatterChartData &data)
{
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (const auto &series : data.series)
        for (const auto &point : series.points)
            if (onPlot(point)) {
                low = std::min({low, point.measured, point.predicted});
                high = std::max({high, point.measured, point.predicted});
            }
    if (!(low <= high))
        return {0.1, 10};
    low /= 1.05;
    high *= 1.05;
    const auto round = [](double value, bool up) {
        const double decade = std::pow(10, std::floor(std::log10(value)));
        const double step = value / decade;
        if (up)
            return decade * (step <= 1 ? 1 : step <= 2 ? 2 : step <= 5 ? 5 : 10);
        return decade * (step >= 5 ? 5 : step >= 2 ? 2 : 1);
    };
    return {round(low, false), round(high, true)};
}

class ScatterPoints : public PointsItem {
public:
    ScatterPoints(QChart *chart, std::shared_ptr<const ScatterChartData> data, std::pair<double, double> range,
        const Theme &theme)
        : PointsItem(chart, data->picked, theme), m_data(std::move(data)), m_range(range)
    {
    }

    void paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) override
    {
        const QRectF plot = chart()->plotArea();
        painter->save();
        painter->setClipRect(plot);
        for (const auto &guide : guides) {
            painter->setPen(QPen(theme().text, guide.width, guide.pen));
            const double factor = 1 + guide.deviation;
            painter->drawLine(
                position(m_range.first, m_range.first * factor), position(m_range.second, m_range.second * factor));
        }
        const double size = markerPixels * theme().fontPixels / 12.0;
        for (const bool faint : {true, false})
            for (std::size_t s = 0; s < m_data->series.size(); ++s)
                if (m_data->series[s].faint == faint)
                    for (const auto &point : m_data->series[s].points)
                        if (onPlot(point))
                            paintMarker(*painter, seriesMarker(s), position(point.measured, point.predicted), size,
                                faint ? theme().grid : theme().ink(seriesColour(s)), theme().background);
        paintSelected(*painter, size);
        painter->restore();
        if (!anyPoint(*m_data))
            paintEmptyText(*painter, m_data->emptyText);
    }

protected:
    [[nodiscard]] std::size_t seriesCount() const override { return m_data->series.size(); }
    [[nodiscard]] std::size_t pointCount(std::size_t series) const override
    {
        return m_data->series[series].points.size();
    }
    [[nodiscard]] std::optional<QPointF> placeOf(ScatterIndex index) const override
    {
        const auto &point = m_data->series[index.series].points[index.point];
        return onPlot(point) ? std::optional(position(point.measured, point.predicted)) : std::nullopt;
    }
    [[nodiscard]] QString toolTipOf(ScatterIndex index) const override
    {
        const auto &own = m_data->series[index.series].points[index.point].toolTip;
        return own.isEmpty() && m_data->toolTip ? m_data->toolTip(index) : own;
    }
    [[nodiscard]] Tie tie() const override { return Tie::First; }
    /// A point of the group that is looked at wins over a faint one at the same place.
    [[nodiscard]] double handicap(std::size_t series) const override
    {
        return m_data->series[series].faint ? 1.0 : 0.0;
    }

private:
    void paintSelected(QPainter &painter, double size) const
    {
        if (!m_data->selected || m_data->selected->series >= m_data->series.size())
            return;
        if (m_data->selected->point >= pointCount(m_data->selected->series))
            return;
        const auto centre = placeOf(*m_data->selected);
        if (!centre)
            return;
        paintRing(painter, *centre);
        paintMarker(painter, seriesMarker(m_data->selected->series), *centre, size * 1.2,
            theme().ink(seriesColour(m_data->selected->series)), theme().background);
    }

    std::shared_ptr<const ScatterChartData> m_data;
    std::pair<double, double> m_range;
};

std::vector<LegendEntry> legend(const ScatterChartData &data, const Theme &theme)
{
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < data.series.size(); ++i)
        entries.push_back({.text = data.series[i].name,
            .colour = data.series[i].faint ? theme.grid : seriesColour(i),
            .point = true,
            .marker = seriesMarker(i)});
    const auto translated = [](const char *text) { return QCoreApplication::translate("charts", text); };
    entries.push_back(
        {.text = data.equalTitle.isEmpty() ? translated(QT_TRANSLATE_NOOP("charts", "as measured")) : data.equalTitle,
            .colour = theme.text,
            .line = Qt::SolidLine});
    entries.push_back(
        {.text = translated(QT_TRANSLATE_NOOP("charts", "10 % off")), .colour = theme.text, .line = Qt::DashLine});
    entries.push_back(
        {.text = translated(QT_TRANSLATE_NOOP("charts", "25 % off")), .colour = theme.text, .line = Qt::DotLine});
    return entries;
}

std::unique_ptr<QChart> draw(const std::shared_ptr<const ScatterChartData> &data, const Theme &theme)
{
    auto chart = emptyChart(theme);
    const auto range = rangeOf(*data);
    for (const bool horizontal : {true, false}) {
        auto *axis = new QLogValueAxis;
        axis->setBase(10);
        axis->setRange(range.first, range.second);
        axis->setLabelFormat(u"%.6g"_s);
        axis->setMinorTickCount(8); // 2 to 9
        axis->setTitleText(chartText(horizontal ? data->measuredTitle : data->predictedTitle));
        dress(axis, theme);
        axis->setMinorGridLinePen(QPen(faded(theme.grid, 0.45, theme), 1));
        chart->addAxis(axis, horizontal ? Qt::AlignBottom : Qt::AlignLeft);
    }
    tieAxes(chart.get());
    new ScatterPoints(chart.get(), data, range, theme);
    new ChartLegend(chart.get(), legend(*data, theme), theme);
    return chart;
}

} // namespace

ChartContent scatterChart(ScatterChartData data)
{
    const auto shared = std::make_shared<const ScatterChartData>(std::move(data));
    return {shared->name, shared->description, [shared](const Theme &theme) { return draw(shared, theme); },
        [shared](const Theme &theme, int width) {
            const double line = QFontMetricsF(chartFont(theme)).height();
            return int(14 * line + legendHeight(legend(*shared, theme), theme, width));
        },
        [shared] { return tableOf(*shared); }};
}

} // namespace fleetwright::charts
