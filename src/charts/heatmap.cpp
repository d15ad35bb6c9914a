// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/heatmap.h"

#include "charts/plotitem.h"

#include <QChart>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QGraphicsSceneMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr int scaleSteps = 5; // of the legend

struct ColourRange {
    double low = 0;
    double high = 0;
    bool known = false;
    bool logarithmic = false;
    [[nodiscard]] double share(double value) const
    {
        if (!(high > low))
            return 0.5;
        return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    }
    [[nodiscard]] double at(double share) const
    {
        return logarithmic ? low * std::pow(high / low, share) : low + share * (high - low);
    }
};

ColourRange rangeOf(const HeatMapData &data)
{
    ColourRange range;
    for (const auto &cell : data.cells)
        if (cell.value && std::isfinite(*cell.value)) {
            range.low = range.known ? std::min(range.low, *cell.value) : *cell.value;
            range.high = range.known ? std::max(range.high, *cell.value) : *cell.value;
            range.known = true;
        }
    range.logarithmic = data.logarithmic && range.low > 0;
    return range;
}

std::vector<LegendEntry> legend(const HeatMapData &data, const Theme &theme)
{
    std::vector<LegendEntry> entries;
    const auto range = rangeOf(data);
    if (range.known && data.format)
        for (int i = 0; i < scaleSteps && (i == 0 || range.high > range.low); ++i) {
            const double share = range.high > range.low ? double(i) / (scaleSteps - 1) : 0.5;
            entries.push_back({data.format(range.at(share)), heatColour(share)});
        }
    const auto any = [&](auto member) { return std::ranges::any_of(data.cells, member); };
    if (any(&HeatCell::hatched))
        entries.push_back({.text = data.hatchedName, .colour = theme.grid, .pattern = Qt::BDiagPattern});
    if (any(&HeatCell::refused))
        entries.push_back({data.refusedName, theme.text, Qt::DotLine});
    if (data.best)
        entries.push_back({data.bestName, theme.text, Qt::SolidLine});
    if (data.selected)
        entries.push_back({data.selectedName, theme.text, Qt::DashLine});
    return entries;
}

class Cells : public PlotItem {
public:
    Cells(QChart *chart, const HeatMapData &data, const Theme &theme)
        : PlotItem(chart, theme), m_data(data), m_range(rangeOf(data))
    {
        if (m_data.picked)
            setAcceptedMouseButtons(Qt::LeftButton);
    }

    void paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) override
    {
        useChartFont(*painter, chartFont(theme()));
        const QFontMetricsF metrics(chartFont(theme()));
        for (std::size_t i = 0; i < m_data.cells.size(); ++i)
            paintCell(*painter, metrics, i);
        constexpr double edge = 1.5, inside = 6.5; // the one may be the other
        if (m_data.best)
            outline(*painter, area(*m_data.best).adjusted(edge, edge, -edge, -edge), Qt::SolidLine);
        if (m_data.selected)
            outline(*painter, area(*m_data.selected).adjusted(inside, inside, -inside, -inside), Qt::DashLine);
    }

protected:
    [[nodiscard]] QString textAt(const QPointF &where) const override
    {
        const auto found = cellAt(where);
        return found ? m_data.cells[*found].toolTip : QString();
    }

    void mousePressEvent(QGraphicsSceneMouseEvent *event) override
    {
        event->setAccepted(cellAt(event->pos()).has_value());
    }
    void mouseReleaseEvent(QGraphicsSceneMouseEvent *event) override
    {
        if (const auto found = cellAt(event->pos())) {
            const auto width = std::size_t(m_data.columns.size());
            m_data.picked(*found % width, *found / width);
        }
    }

private:
    void outline(QPainter &painter, const QRectF &inner, Qt::PenStyle style) const
    {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme().background, 5)); // seen on any colour
        painter.drawRect(inner);
        painter.setPen(QPen(theme().text, 3, style, Qt::FlatCap));
        painter.drawRect(inner);
    }

    [[nodiscard]] std::optional<std::size_t> cellAt(const QPointF &where) const
    {
        for (std::size_t i = 0; i < m_data.cells.size(); ++i)
            if (area(i).contains(where))
                return i;
        return std::nullopt;
    }

    [[nodiscard]] QRectF area(std::size_t index) const
    {
        const auto width = std::size_t(m_data.columns.size());
        const double x = double(index % width), y = double(index / width);
        return QRectF(position(x - 0.5, y + 0.5), position(x + 0.5, y - 0.5)).normalized();
    }

    void paintCell(QPainter &painter, const QFontMetricsF &metrics, std::size_t index)
    {
        const auto &cell = m_data.cells[index];
        const auto whole = area(index);
        const bool roomy = whole.width() > 6 && whole.height() > 6;
        const auto inner = roomy ? whole.adjusted(0.5, 0.5, -0.5, -0.5) : whole;
        if (!cell.value || !std::isfinite(*cell.value)) {
            painter.setPen(QPen(theme().text, 1, Qt::DotLine));
            if (cell.refused && roomy) {
                painter.drawLine(inner.topLeft(), inner.bottomRight());
                painter.drawLine(inner.bottomLeft(), inner.topRight());
            }
            painter.setPen(QPen(theme().grid, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(inner);
            return;
        }
        const auto colour = heatColour(m_range.share(*cell.value));
        painter.fillRect(inner, colour);
        if (cell.hatched)
            painter.fillRect(inner, hatch(colour));
        const auto width = metrics.horizontalAdvance(cell.text) + 8;
        if (inner.width() < width || inner.height() < metrics.height())
            return;
        if (cell.hatched) { // a plate under the text, which the pattern would make hard to read
            const QRectF plate(
                inner.center().x() - width / 2, inner.center().y() - metrics.height() / 2, width, metrics.height());
            painter.fillRect(plate, colour);
        }
        painter.setPen(readableOn(colour));
        painter.drawText(inner, Qt::AlignCenter, cell.text);
    }

    HeatMapData m_data;
    ColourRange m_range;
};

std::unique_ptr<QChart> draw(const HeatMapData &data, const Theme &theme)
{
    auto chart = emptyChart(theme);
    addNames(chart.get(), data.columns, data.xTitle, Qt::AlignBottom, theme);
    addNames(chart.get(), data.rows, data.yTitle, Qt::AlignLeft, theme);
    tieAxes(chart.get());
    new Cells(chart.get(), data, theme);
    new ChartLegend(chart.get(), legend(data, theme), theme, !theme.printed); // seen where the map scrolls, too
    return chart;
}

} // namespace

QColor heatColour(double share)
{
    static const std::array anchors{QColor(0x00, 0x20, 0x4d), QColor(0x31, 0x44, 0x6b), QColor(0x66, 0x69, 0x70),
        QColor(0x95, 0x8f, 0x78), QColor(0xcb, 0xba, 0x69), QColor(0xff, 0xea, 0x46)};
    const double place = std::clamp(share, 0.0, 1.0) * double(anchors.size() - 1);
    const auto below = std::min(std::size_t(place), anchors.size() - 2);
    const double part = place - double(below);
    const auto mix = [part](int a, int b) { return int(std::lround(a + part * (b - a))); };
    const auto &a = anchors[below], &b = anchors[below + 1];
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

ChartContent heatMap(HeatMapData data)
{
    const auto shared = std::make_shared<const HeatMapData>(std::move(data));
    return {shared->name, shared->description, [shared](const Theme &theme) { return draw(*shared, theme); },
        [shared](const Theme &theme, int width) {
            const double line = QFontMetricsF(chartFont(theme)).height();
            const double rows = std::clamp<double>(double(shared->rows.size()), 4, 12);
            constexpr double roomOfRow = 1.2, roomOfAxis = 4; // lines
            return int(line * (roomOfRow * rows + roomOfAxis) + legendHeight(legend(*shared, theme), theme, width));
        },
        [shared] { return tableOf(*shared); }};
}

} // namespace fleetwright::charts
