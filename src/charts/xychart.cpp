// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/xychart.h"

#include "charts/linechart.h"
#include "charts/pointsitem.h"
#include "text/localized.h"
#include "units/format.h"

#include <QCategoryAxis>
#include <QChart>
#include <QFontMetricsF>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr double faintPixels = 5, frontPixels = 9;

/// Of one axis, in the chart's coordinates.
struct Span {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    void include(double value)
    {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    /// With room beside the outermost points; a span around a single value where there is one only.
    [[nodiscard]] Span roomy() const
    {
        constexpr double share = 0.05, leastShare = 0.02;
        if (!(low <= high))
            return {0, 1};
        const double room = std::max(
            {share * (high - low), high == low ? leastShare * std::max(std::abs(high), 1.0) : 0.0});
        return {low - room, high + room};
    }
};

struct Place {
    double x = 0, y = 0;
};

bool drawable(const XyAxis &axis, double value) { return std::isfinite(value) && (!axis.logarithmic || value > 0); }

std::optional<Place> coordinatesOf(const XyChartData &data, double x, double y)
{
    if (!drawable(data.x, x) || !drawable(data.y, y))
        return std::nullopt;
    return Place{coordinate(data.x, x), coordinate(data.y, y)};
}

std::size_t shapeOf(const XySeries &series) { return series.shape.value_or(series.look); }

/// Limits that lie within the span; it reaches to one beyond by no more than its own length.
void reachMarks(const XyAxis &axis, Span &span)
{
    if (!(span.low <= span.high))
        return;
    const double length = span.high - span.low;
    const Span points = span;
    for (const auto &mark : axis.marks) {
        if (!drawable(axis, mark.value))
            continue;
        const double at = coordinate(axis, mark.value);
        if (at >= points.low - length && at <= points.high + length)
            span.include(at);
    }
}

struct Spans {
    Span x, y;
    bool anyPoint = false;
};

/// Those that the chart has room for.
std::vector<MarkLine> drawnMarks(const XyAxis &axis, const Span &span)
{
    auto marks = axis.marks;
    std::erase_if(marks, [&](const MarkLine &mark) {
        return !drawable(axis, mark.value) || coordinate(axis, mark.value) < span.low
            || coordinate(axis, mark.value) > span.high;
    });
    return marks;
}

Spans spansOf(const XyChartData &data)
{
    Spans spans;
    const auto include = [&](double x, double y) {
        if (const auto place = coordinatesOf(data, x, y)) {
            spans.x.include(place->x);
            spans.y.include(place->y);
            spans.anyPoint = true;
        }
    };
    for (const auto &series : data.series)
        for (const auto &point : series.points)
            include(point.x, point.y);
    if (data.front)
        for (const auto &point : data.front->points)
            include(point.x(), point.y());
    reachMarks(data.x, spans.x);
    reachMarks(data.y, spans.y);
    spans.x = spans.x.roomy();
    spans.y = spans.y.roomy();
    return spans;
}

class XyPoints : public PointsItem {
public:
    XyPoints(QChart *chart, std::shared_ptr<const XyChartData> data, bool anyPoint, const Theme &theme)
        : PointsItem(chart, data->picked, theme), m_data(std::move(data)), m_anyPoint(anyPoint)
    {
    }

    void paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) override
    {
        const QRectF plot = chart()->plotArea();
        painter->save();
        painter->setClipRect(plot.adjusted(-1, -1, 1, 1));
        const double scale = theme().printed ? 1 : theme().fontPixels / 12.0; // paper shows no names on hovering
        paintMarks(*painter, plot);
        for (const auto &series : m_data->series)
            if (!series.emphasised)
                paintSeries(*painter, series, scale);
        paintFront(*painter);
        for (const auto &series : m_data->series)
            if (series.emphasised)
                paintSeries(*painter, series, scale);
        if (const auto place = m_data->selected ? drawn(m_data->selected->x(), m_data->selected->y()) : std::nullopt)
            paintRing(*painter, *place);
        painter->restore();
        if (!m_anyPoint)
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
        return drawn(point.x, point.y);
    }
    [[nodiscard]] QString toolTipOf(ScatterIndex index) const override
    {
        return m_data->series[index.series].points[index.point].toolTip;
    }
    [[nodiscard]] Tie tie() const override { return Tie::Last; } // of equals the one above

private:
    [[nodiscard]] std::optional<QPointF> drawn(double x, double y) const
    {
        const auto place = coordinatesOf(*m_data, x, y);
        return place ? std::optional(position(place->x, place->y)) : std::nullopt;
    }
    void paintSeries(QPainter &painter, const XySeries &series, double scale) const
    {
        const auto look = seriesColour(series.look);
        const auto fill = series.faint ? theme().faint(look) : theme().ink(look);
        const double size = scale * (series.emphasised ? frontPixels : series.faint ? faintPixels : markerPixels);
        for (const auto &point : series.points)
            if (const auto place = drawn(point.x, point.y))
                paintMarker(painter, seriesMarker(shapeOf(series)), *place, size, fill,
                    series.emphasised ? theme().text : theme().background);
    }

    void paintMarks(QPainter &painter, const QRectF &plot) const
    {
        if (m_data->x.marks.empty() && m_data->y.marks.empty())
            return;
        const auto spans = spansOf(*m_data);
        painter.setPen(QPen(limitColour(theme()), 1.4, Qt::DashLine));
        for (const auto &mark : drawnMarks(m_data->x, spans.x)) {
            const double x = position(coordinate(m_data->x, mark.value), spans.y.low).x();
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        }
        for (const auto &mark : drawnMarks(m_data->y, spans.y)) {
            const double y = position(spans.x.low, coordinate(m_data->y, mark.value)).y();
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        }
    }

    void paintFront(QPainter &painter) const
    {
        if (!m_data->front)
            return;
        QPolygonF line;
        for (const auto &point : m_data->front->points)
            if (const auto next = drawn(point.x(), point.y())) {
                if (!line.isEmpty())
                    line << QPointF(next->x(), line.last().y());
                line << *next;
            }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme().text, 1.6));
        painter.drawPolyline(line);
    }

    std::shared_ptr<const XyChartData> m_data;
    bool m_anyPoint;
};

std::vector<LegendEntry> legend(const XyChartData &data, const Theme &theme)
{
    std::vector<LegendEntry> entries;
    for (const auto &series : data.series)
        if (!series.name.isEmpty() && !series.points.empty())
            entries.push_back({.text = series.name,
                .colour = seriesColour(series.look),
                .point = true,
                .marker = seriesMarker(shapeOf(series))});
    if (data.front && !data.front->points.empty())
        entries.push_back({.text = data.front->name, .colour = theme.text, .line = Qt::SolidLine});
    const auto spans = spansOf(data);
    for (const auto &[axis, span] : {std::pair(&data.x, &spans.x), std::pair(&data.y, &spans.y)})
        for (const auto &mark : drawnMarks(*axis, *span))
            entries.push_back({.text = mark.name, .colour = limitColour(theme), .line = Qt::DashLine});
    if (data.selected)
        entries.push_back({.text = data.selectedName, .colour = theme.text, .point = true});
    return entries;
}

QAbstractAxis *logarithmicAxis(const Span &span)
{
    constexpr double fewDecades = 2.2, eps = 1e-9;
    auto *axis = new QCategoryAxis;
    axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    const bool between = span.high - span.low <= fewDecades;
    for (int decade = int(std::floor(span.low)); decade <= int(std::ceil(span.high)); ++decade)
        for (const int step : {1, 2, 5}) {
            const double value = step * std::pow(10, decade), at = std::log10(value);
            if ((step == 1 || between) && at >= span.low - eps && at <= span.high + eps) {
                const auto shown = value < 1000 ? QString::number(value) : localized(units::threeDigits(value));
                axis->append(chartText(localizedNumber(shown)), at);
            }
        }
    axis->setRange(span.low, span.high);
    return axis;
}

QAbstractAxis *linearAxis(const XyAxis &description, const Span &span)
{
    auto *axis = valueAxis(span.low, span.high);
    if (description.whole)
        axis->setTickInterval(std::max(1.0, axis->tickInterval()));
    axis->setLabelFormat(description.whole ? u"%.0f"_s : u"%.6g"_s);
    return axis;
}

std::unique_ptr<QChart> draw(const std::shared_ptr<const XyChartData> &data, const Theme &theme)
{
    auto chart = emptyChart(theme);
    const auto spans = spansOf(*data);
    for (const bool horizontal : {true, false}) {
        const auto &description = horizontal ? data->x : data->y;
        const auto &span = horizontal ? spans.x : spans.y;
        auto *axis = description.logarithmic && spans.anyPoint ? logarithmicAxis(span) : linearAxis(description, span);
        axis->setTitleText(chartText(description.title));
        dress(axis, theme);
        axis->setVisible(spans.anyPoint); // the sentence alone, else
        chart->addAxis(axis, horizontal ? Qt::AlignBottom : Qt::AlignLeft);
    }
    tieAxes(chart.get());
    new XyPoints(chart.get(), data, spans.anyPoint, theme);
    new ChartLegend(chart.get(), legend(*data, theme), theme);
    return chart;
}

} // namespace

double coordinate(const XyAxis &axis, double value) { return axis.logarithmic ? std::log10(value) : value; }

ChartContent xyChart(XyChartData data)
{
    const auto shared = std::make_shared<const XyChartData>(std::move(data));
    return {shared->name, shared->description, [shared](const Theme &theme) { return draw(shared, theme); },
        [shared](const Theme &theme, int width) {
            const double line = QFontMetricsF(chartFont(theme)).height();
            return int(15 * line + legendHeight(legend(*shared, theme), theme, width));
        },
        [shared] { return tableOf(*shared); }};
}

} // namespace fleetwright::charts
