// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/groupedbars.h"

#include "charts/plotitem.h"
#include "text/localized.h"
#include "units/format.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QHorizontalBarSeries>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr double nameLines = 1.3; // above the bars of a group, and the same below

/// Of the room for one group that its bars fill.
double groupShare(const GroupedBarData &data)
{
    return double(data.bars.size()) / (double(data.bars.size()) + 2 * nameLines);
}

double largest(const GroupedBarData &data)
{
    double most = 0;
    for (const auto &bar : data.bars)
        for (const auto &value : bar.values)
            most = std::max(most, value.value_or(0));
    return most;
}

/// What is drawn of the data at the moment.
struct ShownBars {
    std::vector<bool> hidden; ///< bars, by the legend
    double low = 0; ///< where bars begin; above 0 on a logarithmic axis
};

/// Where bars begin on a logarithmic axis; 0 where a linear one serves. Decided by the longest bar of each group: short
/// parts of one plan are no reason, a plan beside which all others vanish is.
double logarithmicFrom(const GroupedBarData &data)
{
    std::vector<double> longest(std::size_t(data.groups.size()), 0.0);
    double least = largest(data);
    for (const auto &bar : data.bars)
        for (std::size_t group = 0; group < longest.size(); ++group)
            if (const double value = bar.values[group].value_or(0); value > 0) {
                longest[group] = std::max(longest[group], value);
                least = std::min(least, value);
            }
    if (!spansDecades(longest))
        return 0;
    constexpr double mostDecades = 1e6; // below the longest bar; less than that is nothing
    return std::pow(10, std::floor(std::log10(std::max(least, largest(data) / mostDecades))));
}

/// Writes each bar's amount behind it.
class Amounts : public PlotTexts {
public:
    Amounts(QChart *chart, QAbstractSeries *series, std::shared_ptr<const GroupedBarData> data,
        std::shared_ptr<const ShownBars> shown, const Theme &theme)
        : PlotTexts(chart, series, theme), m_data(std::move(data)), m_shown(std::move(shown))
    {
    }
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) override
    {
        const QFont font = chartFont(theme());
        const QFontMetricsF metrics(font);
        useChartFont(*painter, font);
        painter->setPen(theme().text);
        const double share = groupShare(*m_data);
        const double height = share / double(m_data->bars.size());
        const QRectF plot = plotArea();
        const qsizetype groups = m_data->groups.size();
        for (std::size_t bar = 0; bar < m_data->bars.size(); ++bar)
            for (qsizetype group = 0; group < groups; ++group) {
                const auto &value = m_data->bars[bar].values[std::size_t(group)];
                if (!value || m_shown->hidden[bar])
                    continue;
                const double middle = double(groups - 1 - group) + share / 2
                    - (double(bar) + 0.5) * height; // the first bar is on top
                const QPointF end = position(std::max(*value, m_shown->low), middle);
                painter->drawText(
                    QPointF(end.x() + 4, end.y() + metrics.ascent() / 2 - 1), localized(units::threeDigits(*value)));
            }
        QFont bold = font;
        bold.setBold(true);
        useChartFont(*painter, bold);
        for (qsizetype group = 0; group < groups; ++group) {
            const double top = position(m_shown->low, double(groups - 1 - group) + share / 2).y();
            painter->drawText(QRectF(plot.left() + 4, top - 1.1 * metrics.height(), plot.width() - 8, metrics.height()),
                Qt::AlignLeft | Qt::AlignVCenter,
                QFontMetricsF(bold).elidedText(m_data->groups[group], Qt::ElideMiddle, plot.width() - 8));
        }
    }

private:
    std::shared_ptr<const GroupedBarData> m_data;
    std::shared_ptr<const ShownBars> m_shown;
};

std::vector<LegendEntry> legend(const GroupedBarData &data)
{
    std::vector<LegendEntry> entries;
    for (const auto &bar : data.bars)
        entries.push_back({.text = bar.name, .colour = bar.colour});
    return entries;
}

std::unique_ptr<QChart> draw(const std::shared_ptr<const GroupedBarData> &data, const Theme &theme)
{
    auto chart = emptyChart(theme);
    const qsizetype groups = data->groups.size();
    auto *series = new QHorizontalBarSeries(chart.get());
    series->setBarWidth(groupShare(*data));
    auto shown = std::make_shared<ShownBars>(std::vector<bool>(data->bars.size()), logarithmicFrom(*data));
    std::vector<QBarSet *> sets(data->bars.size());
    // Qt Charts draws the last set on top; ours reads downwards.
    for (auto bar = data->bars.rbegin(); bar != data->bars.rend(); ++bar) {
        auto *set = new QBarSet(chartText(bar->name), series);
        set->setColor(theme.ink(bar->colour));
        set->setPen(Qt::NoPen);
        for (qsizetype row = groups - 1; row >= 0; --row)
            set->append(std::max(bar->values[std::size_t(row)].value_or(0), shown->low));
        sets[std::size_t(data->bars.rend() - bar) - 1] = set;
        series->append(set);
        QObject::connect(set, &QBarSet::hovered, chart.get(),
            [data, groups, name = bar->name, values = bar->values](bool entered, int row) {
                const qsizetype group = groups - 1 - row;
                if (group >= 0 && group < groups && values[std::size_t(group)])
                    showHovered(u"%1\n%2: %3"_s.arg(data->groups[group], name,
                                    localized(units::threeDigits(*values[std::size_t(group)]))),
                        entered);
            });
    }
    chart->addSeries(series);
    QAbstractAxis *values = shown->low > 0
        ? logAxis(shown->low, 2 * largest(*data), 10)
        : valueAxis(0, largest(*data) > 0 ? 1.15 * largest(*data) : 1.0); // room for the amounts
    values->setTitleText(chartText(shown->low > 0 ? logarithmicTitle(data->axisTitle) : data->axisTitle));
    dress(values, theme);
    chart->addAxis(values, Qt::AlignBottom);
    series->attachAxis(values);
    const QStringList names = axisNames(data->groups, theme);
    auto *categories = new QBarCategoryAxis(chart.get());
    categories->append(chartTexts({names.rbegin(), names.rend()}));
    dress(categories, theme);
    categories->setGridLineVisible(false);
    categories->setLabelsVisible(false); // the names stand above their bars
    chart->addAxis(categories, Qt::AlignLeft);
    series->attachAxis(categories);
    auto *amounts = new Amounts(chart.get(), series, data, shown, theme);
    auto entries = legend(*data);
    for (std::size_t i = 0; i < entries.size(); ++i)
        entries[i].show = [=](bool visible) {
            shown->hidden[i] = !visible;
            sets[i]->setColor(visible ? theme.ink(data->bars[i].colour) : QColor(Qt::transparent));
            amounts->update();
        };
    new ChartLegend(chart.get(), std::move(entries), theme, data->legendAbove);
    return chart;
}

int naturalHeight(const GroupedBarData &data, const Theme &theme, int width)
{
    const double line = QFontMetricsF(chartFont(theme)).height();
    const double bars = line * std::max(4.0, double(data.groups.size()) * (double(data.bars.size()) + 2 * nameLines));
    return int(bars + 60 + 1.5 * line + legendHeight(legend(data), theme, width));
}

} // namespace

ChartContent groupedBars(GroupedBarData data)
{
    const auto shared = std::make_shared<const GroupedBarData>(std::move(data));
    return {shared->name, shared->description, [shared](const Theme &theme) { return draw(shared, theme); },
        [shared](const Theme &theme, int width) { return naturalHeight(*shared, theme, width); },
        [shared] { return tableOf(*shared); }};
}

GroupedBarData groupedSteps(const std::vector<LabelledBreakdown> &plans)
{
    const auto stacked = stepBars(plans);
    GroupedBarData data{.name = QCoreApplication::translate("charts", "Step time by part"),
        .description = describeStepBreakdown(plans),
        .axisTitle = stacked.axisTitle,
        .groups = stacked.labels,
        .bars = {}};
    for (const auto &part : stacked.parts) {
        GroupedBar bar{label(part.quantity, stacked.group), colour(part.quantity), {}};
        for (const double value : part.values)
            bar.values.emplace_back(value / stacked.unit.factor);
        data.bars.push_back(std::move(bar));
    }
    return data;
}

} // namespace fleetwright::charts
