// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/rangechart.h"

#include "charts/linechart.h"
#include "charts/plotitem.h"
#include "text/localized.h"
#include "units/format.h"

#include <QChart>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLineSeries>
#include <QPainter>
#include <QScatterSeries>
#include <QTextLayout>
#include <QValueAxis>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr double rangeLines = 4.2; // name, range, and two lines for its ends
constexpr double bandOpacity = 0.4;
constexpr double bandShare = 0.6; // of the height of letters

/// The name of each row above its range and its ends below, broken where the width needs it.
class RowTexts : public PlotTexts {
public:
    RowTexts(QChart *chart, QAbstractSeries *series, std::shared_ptr<const RangeChartData> data, const Theme &theme)
        : PlotTexts(chart, series, theme), m_data(std::move(data))
    {
    }
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) override
    {
        QFont bold = chartFont(theme());
        bold.setBold(true);
        const QFontMetricsF metrics(bold);
        const double line = metrics.height();
        const QRectF plot = plotArea();
        painter->setPen(theme().text);
        for (std::size_t i = 0; i < m_data->rows.size(); ++i) {
            const auto &row = m_data->rows[i];
            const double anywhere = row.points.empty() ? 1 : row.points.front().value; // 0 has no logarithm
            const double middle = position(anywhere, double(m_data->rows.size() - 1 - i)).y();
            useChartFont(*painter, bold);
            painter->drawText(QRectF(plot.left() + 4, middle - 1.5 * line, plot.width() - 8, line),
                Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(row.label, Qt::ElideMiddle, plot.width() - 8));
            useChartFont(*painter, chartFont(theme()));
            painter->drawText(QRectF(plot.left() + 4, middle + 0.5 * line, plot.width() - 8, 2 * line),
                int(Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap), rangeText(*m_data, row));
        }
    }

private:
    std::shared_ptr<const RangeChartData> m_data;
};

std::vector<LegendEntry> legend(const RangeChartData &data)
{
    std::vector<LegendEntry> entries;
    for (qsizetype i = 0; i < data.sources.size(); ++i)
        entries.push_back({.text = data.sources[i], .colour = seriesColour(std::size_t(i)), .point = true});
    return entries;
}

std::unique_ptr<QChart> draw(const std::shared_ptr<const RangeChartData> &data, const Theme &theme)
{
    auto chart = emptyChart(theme);
    std::vector<double> all;
    for (const auto &row : data->rows)
        for (const auto &point : row.points) {
            all.push_back(point.value);
            if (point.ends)
                all.insert(all.end(), {point.ends->low, point.ends->high});
        }
    const double most = all.empty() ? 0 : std::ranges::max(all);
    const bool logarithmic = spansDecades(all);
    auto *x = logarithmic ? logAxis(std::ranges::min(all), most, 10) : valueAxis(0, most > 0 ? 1.06 * most : 1.0);
    x->setTitleText(chartText(logarithmic ? logarithmicTitle(data->axisTitle) : data->axisTitle));
    dress(x, theme);
    auto *y = new QValueAxis(chart.get());
    y->setRange(-0.5, double(data->rows.size()) - 0.5);
    y->setVisible(false);
    chart->addAxis(x, Qt::AlignTop);
    chart->addAxis(y, Qt::AlignLeft);
    const auto attach = [&](QXYSeries *series) {
        chart->addSeries(series);
        series->attachAxis(x);
        series->attachAxis(y);
    };
    // Somewhere to measure positions even when nothing else is drawn.
    auto *first = new QLineSeries(chart.get());
    attach(first);
    for (std::size_t i = 0; i < data->rows.size(); ++i) {
        const auto &row = data->rows[i];
        const double height = double(data->rows.size() - 1 - i);
        if (row.points.size() > 1) {
            auto *line = new QLineSeries(chart.get());
            line->append(row.points.front().value, height);
            line->append(row.points.back().value, height);
            line->setPen(QPen(theme.text, 2));
            attach(line);
        }
        for (const auto &point : row.points) {
            if (point.ends) {
                auto *band = new QLineSeries(chart.get());
                band->append(point.ends->low, height);
                band->append(point.ends->high, height);
                QColor colour = seriesColour(point.source);
                colour.setAlphaF(bandOpacity);
                band->setPen(QPen(colour, bandShare * theme.fontPixels, Qt::SolidLine, Qt::FlatCap));
                attach(band);
            }
            auto *dot = new QScatterSeries(chart.get());
            dot->append(point.value, height);
            dot->setMarkerSize(11.0 * theme.fontPixels / 12.0);
            dot->setColor(theme.ink(seriesColour(point.source)));
            dot->setBorderColor(theme.background);
            attach(dot);
            QObject::connect(dot, &QXYSeries::hovered, chart.get(),
                [text = u"%1\n%2: %3"_s.arg(row.label, data->sources.value(qsizetype(point.source)),
                     point.ends ? point.text + u", "_s + point.ends->text : point.text)](
                    const QPointF &, bool entered) { showHovered(text, entered); });
        }
    }
    new RowTexts(chart.get(), first, data, theme);
    new ChartLegend(chart.get(), legend(*data), theme);
    return chart;
}

} // namespace

QString rangeText(const RangeChartData &data, const RangeRow &row)
{
    if (row.points.empty())
        return {};
    const auto said = [&](const RangeRow::Point &point) {
        return u"%1 %2"_s.arg(data.sources.value(qsizetype(point.source)), point.text);
    };
    const auto &low = row.points.front(), &high = row.points.back();
    if (row.points.size() == 1 && low.ends)
        return said(low) + u", "_s + low.ends->text;
    if (row.points.size() == 1)
        return QCoreApplication::translate("charts", "%1 alone").arg(said(low));
    if (low.value == high.value)
        return QCoreApplication::translate("charts", "%1, and no other differs").arg(said(low));
    const QString ends = QCoreApplication::translate("charts", "%1 to %2").arg(said(low), said(high));
    return low.value > 0 ? ends + u", \u00d7\u00a0%1"_s.arg(localized(units::threeDigits(high.value / low.value)))
                         : ends;
}

ChartContent rangeChart(RangeChartData data)
{
    const auto shared = std::make_shared<const RangeChartData>(std::move(data));
    return {shared->name, shared->description, [shared](const Theme &theme) { return draw(shared, theme); },
        [shared](const Theme &theme, int width) {
            const double line = QFontMetricsF(chartFont(theme)).height();
            return int(line * rangeLines * std::max(1.0, double(shared->rows.size())) + 60 + 1.5 * line
                + legendHeight(legend(*shared), theme, width));
        },
        [shared] { return tableOf(*shared); }};
}

} // namespace fleetwright::charts
