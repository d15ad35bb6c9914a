// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/countchart.h"

#include "charts/plotitem.h"
#include "units/format.h"

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

constexpr double linesPerRow = 1.6, barShare = 0.62; // of a row
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

class Bars : public PlotItem {
public:
    Bars(QChart *chart, std::shared_ptr<const CountChartData> data, const Theme &theme)
        : PlotItem(chart, theme), m_data(std::move(data))
    {
    }

    void paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) override
    {
        const QRectF plot = chart()->plotArea();
        const QFontMetricsF metrics(chartFont(theme()));
        painter->setFont(chartFont(theme()));
        painter->setPen(theme().text);
        if (m_data->rows.empty())
            painter->drawText(plot.adjusted(16, 0, -16, 0), int(Qt::AlignCenter | Qt::TextWordWrap), m_data->emptyText);
        for (std::size_t i = 0; i < m_data->rows.size(); ++i) {
            const auto &row = m_data->rows[i];
            const auto bar = area(i);
            if (row.count > 0 && row.kind < m_data->kinds.size())
                painter->fillRect(bar, m_data->kinds[row.kind].colour);
            const double width = metrics.horizontalAdvance(row.text);
            const QRectF behind(bar.right() + 5, bar.center().y() - metrics.height() / 2, width + 2, metrics.height());
            painter->fillRect(behind, theme().background); // the grid would run through the digits
            painter->setPen(theme().text);
            painter->drawText(behind, Qt::AlignLeft | Qt::AlignVCenter, row.text);
            const QRectF name(4, behind.top(), plot.left() - 12, behind.height());
            painter->drawText(
                name, Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(row.label, Qt::ElideMiddle, name.width()));
        }
    }

protected:
    [[nodiscard]] QString textAt(const QPointF &where) const override
    {
        const QRectF plot = chart()->plotArea();
        if (where.y() < plot.top() || where.y() >= plot.bottom() || m_data->rows.empty())
            return {};
        const auto row = std::size_t((where.y() - plot.top()) / plot.height() * double(m_data->rows.size()));
        return m_data->rows[std::min(row, m_data->rows.size() - 1)].toolTip;
    }

private:
    [[nodiscard]] QRectF area(std::size_t row) const
    {
        const double middle = double(m_data->rows.size() - 1 - row);
        const double end = m_data->rows[row].count > 0 ? std::log10(double(m_data->rows[row].count)) : leftEnd;
        QRectF bar(position(leftEnd, middle + barShare / 2), position(end, middle - barShare / 2));
        if (const double most = 1.4 * QFontMetricsF(chartFont(theme())).height();
            bar.height() > most) // few rows in a high chart
            bar = QRectF(bar.left(), bar.center().y() - most / 2, bar.width(), most);
        return bar;
    }

    std::shared_ptr<const CountChartData> m_data;
};

std::unique_ptr<QChart> draw(const std::shared_ptr<const CountChartData> &data, const Theme &theme)
{
    auto chart = emptyChart(theme);
    const int decades = decadesOf(*data);
    auto *x = new QCategoryAxis;
    x->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    for (int decade = 0; decade <= decades; ++decade)
        x->append(QString::fromStdString(units::format(std::pow(10, decade), units::Dimension::Number)), decade);
    x->setRange(leftEnd, 1.18 * decades); // room for the number behind the longest bar
    x->setTitleText(data->axisTitle);
    dress(x, theme);
    chart->addAxis(x, Qt::AlignBottom);
    auto *y = new QValueAxis;
    y->setRange(-0.5, std::max(1.0, double(data->rows.size())) - 0.5);
    y->setVisible(false);
    chart->addAxis(y, Qt::AlignLeft);
    tieAxes(chart.get());
    new Bars(chart.get(), data, theme);
    new ChartLegend(chart.get(), legend(*data), theme);
    const QFontMetricsF metrics(chartFont(theme));
    double names = 0;
    for (const auto &row : data->rows)
        names = std::max(names, metrics.horizontalAdvance(row.label));
    // Room for the names, which Qt's own axis would shorten to nothing; after the legend, which sets the margins.
    const auto makeRoom = [chart = chart.get(), names] {
        auto margins = chart->margins();
        margins.setLeft(int(std::min(names, 0.45 * chart->size().width())) + 16);
        chart->setMargins(margins);
    };
    QObject::connect(chart.get(), &QGraphicsWidget::geometryChanged, chart.get(), makeRoom);
    makeRoom();
    return chart;
}

} // namespace

ChartContent countChart(CountChartData data)
{
    const auto shared = std::make_shared<const CountChartData>(std::move(data));
    return {shared->name, shared->description, [shared](const Theme &theme) { return draw(shared, theme); },
        [shared](const Theme &theme, int width) {
            const double line = QFontMetricsF(chartFont(theme)).height();
            return int(line * linesPerRow * std::max(2.0, double(shared->rows.size())) + 4 * line
                + legendHeight(legend(*shared), theme, width));
        }};
}

} // namespace fleetwright::charts
