// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/coveragechart.h"

#include "charts/linechart.h"
#include "charts/plotitem.h"

#include <QChart>
#include <QFontMetricsF>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr double barOfRoom = 0.8;
constexpr double fullShare = 100, coverageLine = 1.6;
constexpr auto meanPen = Qt::DotLine, promisedPen = Qt::DashLine, worstPen = Qt::SolidLine;

QColor coverageColour(bool worst) { return seriesColour(worst ? 1 : 0); }

std::vector<LegendEntry> legend(const CoverageChartData &data, const Theme &theme)
{
    return {{data.promisedName, limitColour(theme), promisedPen}, {data.meanName, theme.text, meanPen},
        {data.worstName, coverageColour(true)}};
}

class CoverageBars : public PlotItem {
public:
    CoverageBars(QChart *chart, std::shared_ptr<const CoverageChartData> data, const Theme &theme)
        : PlotItem(chart, theme), m_data(std::move(data))
    {
    }

    void paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) override
    {
        for (std::size_t i = 0; i < m_data->bars.size(); ++i)
            painter->fillRect(bar(i), theme().ink(coverageColour(i < m_data->worst)));
        if (m_data->selected && *m_data->selected < m_data->bars.size()) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(theme().text, 2));
            painter->drawRect(bar(*m_data->selected).adjusted(-1, -1, 1, 1));
        }
        const double right = double(m_data->bars.size()) - 0.5;
        line(*painter, m_data->promised, right, QPen(limitColour(theme()), coverageLine, promisedPen));
        line(*painter, m_data->mean, right, QPen(theme().text, coverageLine, meanPen));
        if (m_data->worst > 0)
            line(*painter, m_data->worstMean, double(m_data->worst) - 0.5, QPen(theme().text, coverageLine, worstPen));
    }

protected:
    [[nodiscard]] QString textAt(const QPointF &where) const override
    {
        for (std::size_t i = 0; i < m_data->bars.size(); ++i) {
            const QRectF room(position(double(i) - 0.5, fullShare), position(double(i) + 0.5, 0));
            if (room.normalized().contains(where)) // one that holds nothing has no height
                return m_data->bars[i].toolTip;
        }
        return {};
    }

private:
    [[nodiscard]] QRectF bar(std::size_t i) const
    {
        const double middle = double(i);
        return QRectF(position(middle - barOfRoom / 2, m_data->bars[i].covered), position(middle + barOfRoom / 2, 0))
            .normalized();
    }
    void line(QPainter &painter, double value, double right, const QPen &pen) const
    {
        painter.setPen(pen);
        painter.drawLine(position(-0.5, value), position(right, value));
    }

    std::shared_ptr<const CoverageChartData> m_data;
};

std::unique_ptr<QChart> draw(const std::shared_ptr<const CoverageChartData> &data, const Theme &theme)
{
    auto chart = emptyChart(theme);
    auto *sources = new QValueAxis; // without names, which are longer than the bars are wide: those are tool tips
    sources->setRange(-0.5, std::max(0.5, double(data->bars.size()) - 0.5));
    sources->setTickCount(2);
    sources->setTitleText(chartText(data->xTitle));
    sources->setLabelFormat(u" "_s); // Qt Charts shortens the title of an axis whose labels are not visible
    dress(sources, theme);
    sources->setGridLineVisible(false);
    chart->addAxis(sources, Qt::AlignBottom);
    auto *shares = valueAxis(0, fullShare);
    shares->setTitleText(chartText(data->yTitle));
    dress(shares, theme);
    chart->addAxis(shares, Qt::AlignLeft);
    tieAxes(chart.get());
    new CoverageBars(chart.get(), data, theme);
    new ChartLegend(chart.get(), legend(*data, theme), theme);
    return chart;
}

} // namespace

ChartContent coverageChart(CoverageChartData data)
{
    const auto shared = std::make_shared<const CoverageChartData>(std::move(data));
    return {shared->name, shared->description, [shared](const Theme &theme) { return draw(shared, theme); },
        [shared](const Theme &theme, int width) {
            constexpr double lines = 12;
            return int(
                lines * QFontMetricsF(chartFont(theme)).height() + legendHeight(legend(*shared, theme), theme, width));
        },
        [shared] { return tableOf(*shared); }};
}

} // namespace fleetwright::charts
