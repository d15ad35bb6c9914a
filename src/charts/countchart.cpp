// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/countchart.h"

#include "charts/rowsitem.h"
#include "text/localized.h"
#include "units/format.h"

#include <QCategoryAxis>
#include <QChart>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr double countLines = 1.35, countShare = 0.62; // of a row
constexpr double leftEnd = -0.3; // of the axis, as a logarithm to base ten: a single one has a bar, too

std::vector<LegendEntry> legend(const CountChartData &data)
{
    std::vector<LegendEntry> entries;
    for (std::size_t kind = 0; kind < data.kinds.size(); ++kind)
        if (std::ranges::any_of(data.rows, [kind](const CountRow &row) { return row.kind == kind; }))
            entries.push_back({data.kinds[kind].name, data.kinds[kind].colour});
    return entries;
}

/// The first power of ten at or above every count, and at least ten.
int decadesOf(const CountChartData &data)
{
    std::uint64_t most = 10;
    for (const auto &row : data.rows)
        most = std::max(most, row.count);
    return int(std::ceil(std::log10(double(most)) - 1e-9));
}

class CountBars : public RowsItem {
public:
    CountBars(QChart *chart, std::shared_ptr<const CountChartData> data, const Theme &theme)
        : RowsItem(chart, data->rows.size(), countShare, 1.4, theme), m_data(std::move(data))
    {
    }

    void paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) override
    {
        const QRectF plot = chart()->plotArea();
        const QFontMetricsF metrics(chartFont(theme()));
        useChartFont(*painter, chartFont(theme()));
        painter->setPen(theme().text);
        if (m_data->rows.empty())
            painter->drawText(plot.adjusted(16, 0, -16, 0), int(Qt::AlignCenter | Qt::TextWordWrap), m_data->emptyText);
        for (std::size_t i = 0; i < m_data->rows.size(); ++i) {
            const auto &row = m_data->rows[i];
            const auto bar = this->bar(i, leftEnd, row.count > 0 ? std::log10(double(row.count)) : leftEnd);
            if (row.count > 0 && row.kind < m_data->kinds.size())
                painter->fillRect(bar, theme().ink(m_data->kinds[row.kind].colour));
            const double width = metrics.horizontalAdvance(row.text);
            const QRectF behind(bar.right() + 5, bar.center().y() - metrics.height() / 2, width + 2, metrics.height());
            painter->fillRect(behind, theme().background); // the grid would run through the digits
            painter->setPen(theme().text);
            painter->drawText(behind, Qt::AlignLeft | Qt::AlignVCenter, row.text);
            paintName(*painter, row.label, bar.center().y());
        }
    }

protected:
    [[nodiscard]] QString toolTipOf(std::size_t row) const override { return m_data->rows[row].toolTip; }

private:
    std::shared_ptr<const CountChartData> m_data;
};

std::unique_ptr<QChart> draw(const std::shared_ptr<const CountChartData> &data, const Theme &theme)
{
    auto chart = emptyChart(theme);
    const int decades = decadesOf(*data);
    auto *x = new QCategoryAxis;
    x->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    for (int decade = 0; decade <= decades; ++decade)
        x->append(localized(units::format(std::pow(10, decade), units::Dimension::Number)), decade);
    x->setRange(leftEnd, 1.18 * decades); // room for the number behind the longest bar
    x->setTitleText(chartText(data->axisTitle));
    dress(x, theme);
    chart->addAxis(x, Qt::AlignBottom);
    addRowsAxis(chart.get(), data->rows.size());
    new CountBars(chart.get(), data, theme);
    new ChartLegend(chart.get(), legend(*data), theme);
    QStringList names;
    for (const auto &row : data->rows)
        names << row.label;
    makeRoomForNames(chart.get(), names, theme);
    return chart;
}

} // namespace

ChartContent countChart(CountChartData data)
{
    const auto shared = std::make_shared<const CountChartData>(std::move(data));
    return {shared->name, shared->description, [shared](const Theme &theme) { return draw(shared, theme); },
        [shared](const Theme &theme, int width) {
            return heightOfRows(shared->rows.size(), countLines, legend(*shared), theme, width);
        },
        [shared] { return tableOf(*shared); }};
}

} // namespace fleetwright::charts
