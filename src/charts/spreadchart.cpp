// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/spreadchart.h"

#include "charts/chartdata.h"
#include "charts/rowsitem.h"

#include <QChart>
#include <QFontMetricsF>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr double spreadLines = 1.5;
constexpr double spreadShare = 0.5; // of a row

QColor barColour() { return colour(Quantity::Compute); }

std::vector<LegendEntry> legend(const SpreadChartData &data, const Theme &theme)
{
    return {{.text = data.barName, .colour = barColour()},
        {.text = data.middleName, .colour = theme.text, .point = true, .marker = Marker::Diamond}};
}

QStringList namesOf(const SpreadChartData &data)
{
    QStringList names;
    for (const auto &row : data.rows)
        names << row.label;
    return names;
}

class SpreadBars : public RowsItem {
public:
    SpreadBars(QChart *chart, std::shared_ptr<const SpreadChartData> data, const Theme &theme)
        : RowsItem(chart, data->rows.size(), spreadShare, 1, theme), m_data(std::move(data))
    {
    }

    void paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) override
    {
        const QRectF plot = chart()->plotArea();
        const QFontMetricsF metrics(chartFont(theme()));
        painter->save();
        painter->setClipRect(plot);
        useChartFont(*painter, chartFont(theme()));
        const double zero = position(0, 0).x();
        painter->setPen(QPen(theme().text, 1));
        painter->drawLine(QPointF(zero, plot.top()), QPointF(zero, plot.bottom()));
        for (std::size_t i = 0; i < m_data->rows.size(); ++i) {
            const auto &row = m_data->rows[i];
            const auto bar = area(i);
            painter->fillRect(bar, theme().ink(barColour()));
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
        useChartFont(*painter, chartFont(theme()));
        painter->setPen(theme().text);
        for (std::size_t i = 0; i < m_data->rows.size(); ++i)
            paintName(*painter, m_data->rows[i].label, area(i).center().y());
    }

protected:
    [[nodiscard]] QString toolTipOf(std::size_t row) const override { return m_data->rows[row].toolTip; }
    [[nodiscard]] QString textAt(const QPointF &where) const override
    {
        return chart()->plotArea().contains(where) ? RowsItem::textAt(where) : QString();
    }

private:
    [[nodiscard]] QRectF area(std::size_t row) const
    {
        QRectF bar = this->bar(row, m_data->rows[row].low, m_data->rows[row].high);
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
    auto *x = valueAxis(low - room, high + room);
    x->setTitleText(chartText(data->axisTitle));
    dress(x, theme);
    chart->addAxis(x, Qt::AlignBottom);
    addRowsAxis(chart.get(), data->rows.size());
    new SpreadBars(chart.get(), data, theme);
    new ChartLegend(chart.get(), legend(*data, theme), theme);
    makeRoomForNames(chart.get(), namesOf(*data), theme);
    return chart;
}

} // namespace

ChartContent spreadChart(SpreadChartData data)
{
    const auto shared = std::make_shared<const SpreadChartData>(std::move(data));
    return {shared->name, shared->description, [shared](const Theme &theme) { return draw(shared, theme); },
        [shared](const Theme &theme, int width) {
            const double lines = 0.4 + nameLines(namesOf(*shared), theme, roomForNames(theme, width));
            const double title = theme.printed ? 3 * QFontMetricsF(chartFont(theme)).height() : 0; // in lines
            return heightOfRows(shared->rows.size(), std::max(spreadLines, lines), legend(*shared, theme), theme, width)
                + int(title);
        },
        [shared] { return tableOf(*shared); }};
}

} // namespace fleetwright::charts
