// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/spreadchart.h"

#include "charts/chartdata.h"
#include "charts/plotitem.h"

#include <QChart>
#include <QFontMetricsF>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr double linesPerRow = 1.5;
constexpr double barShare = 0.5; // of a row

QColor barColour() { return colour(Quantity::Compute); }

std::vector<LegendEntry> legend(const SpreadChartData &data, const Theme &theme)
{
    return {{.text = data.barName, .colour = barColour()},
        {.text = data.middleName, .colour = theme.text, .point = true, .marker = Marker::Diamond}};
}

double namesWidth(const SpreadChartData &data, const Theme &theme)
{
    const QFontMetricsF metrics(chartFont(theme));
    double widest = 0;
    for (const auto &row : data.rows)
        widest = std::max(widest, metrics.horizontalAdvance(row.label));
    return widest;
}

class Bars : public PlotItem {
public:
    Bars(QChart *chart, std::shared_ptr<const SpreadChartData> data, const Theme &theme)
        : PlotItem(chart, theme), m_data(std::move(data))
    {
    }

    void paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) override
    {
        const QRectF plot = chart()->plotArea();
        const QFontMetricsF metrics(chartFont(theme()));
        painter->save();
        painter->setClipRect(plot);
        painter->setFont(chartFont(theme()));
        const double zero = position(0, 0).x();
        painter->setPen(QPen(theme().text, 1));
        painter->drawLine(QPointF(zero, plot.top()), QPointF(zero, plot.bottom()));
        for (std::size_t i = 0; i < m_data->rows.size(); ++i) {
            const auto &row = m_data->rows[i];
            const auto bar = area(i);
            painter->fillRect(bar, barColour());
            if (row.emphasised) {
                painter->setBrush(Qt::NoBrush);
                painter->setPen(QPen(theme().text, 1.5));
                painter->drawRect(bar);
            }
            paintMarker(*painter, Marker::Diamond, {position(row.middle, 0).x(), bar.center().y()}, 0.8 * bar.height(),
                theme().text, theme().background);
            const double width = metrics.horizontalAdvance(row.count);
            const double right = bar.right() + 8;
            painter->setPen(theme().text);
            painter->drawText(QPointF(right + width < plot.right() ? right : bar.left() - 8 - width,
                                  bar.center().y() + metrics.ascent() / 2 - 1),
                row.count);
        }
        painter->restore();
        const double room = plot.left() - 12;
        painter->setFont(chartFont(theme()));
        painter->setPen(theme().text);
        for (std::size_t i = 0; i < m_data->rows.size(); ++i)
            painter->drawText(QRectF(4, area(i).center().y() - metrics.height() / 2, room, metrics.height()),
                Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(m_data->rows[i].label, Qt::ElideMiddle, room));
    }

protected:
    [[nodiscard]] QString textAt(const QPointF &where) const override
    {
        const QRectF plot = chart()->plotArea();
        if (!plot.contains(where) || m_data->rows.empty())
            return {};
        const auto row = std::size_t((where.y() - plot.top()) / plot.height() * double(m_data->rows.size()));
        return m_data->rows[std::min(row, m_data->rows.size() - 1)].toolTip;
    }

private:
    [[nodiscard]] QRectF area(std::size_t row) const
    {
        const double middle = double(m_data->rows.size() - 1 - row);
        QRectF bar(position(m_data->rows[row].low, middle + barShare / 2),
            position(m_data->rows[row].high, middle - barShare / 2));
        if (const double most = QFontMetricsF(chartFont(theme())).height();
            bar.height() > most) // few rows in a high chart
            bar = QRectF(bar.left(), bar.center().y() - most / 2, bar.width(), most);
        if (bar.width() < 2) // one run: still to be seen
            bar.adjust(-1, 0, 1, 0);
        return bar;
    }

    std::shared_ptr<const SpreadChartData> m_data;
};

std::unique_ptr<QChart> draw(const std::shared_ptr<const SpreadChartData> &data, const Theme &theme)
{
    auto chart = emptyChart(theme);
    double low = -data->leastReach, high = data->leastReach;
    for (const auto &row : data->rows) {
        low = std::min(low, row.low);
        high = std::max(high, row.high);
    }
    const double room = high > low ? 0.06 * (high - low) : 1;
    auto *x = new QValueAxis;
    x->setRange(low - room, high + room);
    x->setTickType(QValueAxis::TicksDynamic);
    x->setTickAnchor(0);
    x->setTickInterval(niceInterval(high - low + 2 * room));
    x->setLabelFormat(u"%g"_s);
    x->setTitleText(data->axisTitle);
    dress(x, theme);
    chart->addAxis(x, Qt::AlignBottom);
    auto *y = new QValueAxis;
    y->setRange(-0.5, std::max(1.0, double(data->rows.size())) - 0.5);
    y->setVisible(false);
    chart->addAxis(y, Qt::AlignLeft);
    tieAxes(chart.get());
    new Bars(chart.get(), data, theme);
    new ChartLegend(chart.get(), legend(*data, theme), theme);
    // Room for the names, which Qt's own axis would shorten to nothing; after the legend, which sets the margins.
    const auto makeRoom = [chart = chart.get(), names = namesWidth(*data, theme)] {
        auto margins = chart->margins();
        margins.setLeft(int(std::min(names, 0.45 * chart->size().width())) + 16);
        chart->setMargins(margins);
    };
    QObject::connect(chart.get(), &QGraphicsWidget::geometryChanged, chart.get(), makeRoom);
    makeRoom();
    return chart;
}

} // namespace

ChartContent spreadChart(SpreadChartData data)
{
    const auto shared = std::make_shared<const SpreadChartData>(std::move(data));
    return {shared->name, shared->description, [shared](const Theme &theme) { return draw(shared, theme); },
        [shared](const Theme &theme, int width) {
            const double line = QFontMetricsF(chartFont(theme)).height();
            return int(line * linesPerRow * std::max(2.0, double(shared->rows.size())) + 4 * line
                + legendHeight(legend(*shared, theme), theme, width));
        }};
}

} // namespace fleetwright::charts
