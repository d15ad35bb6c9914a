// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/charts.h"

#include "charts/chartdata.h"
#include "charts/plotitem.h"
#include "text/localized.h"
#include "units/format.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QFontMetricsF>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QHorizontalStackedBarSeries>
#include <QLineSeries>
#include <QPainter>
#include <QSet>
#include <QValueAxis>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

static double roomBesideBars(const Theme &theme) { return 20.0 * theme.fontPixels; }

BarChartData withWholeNames(BarChartData data, const Theme &theme)
{
    const QFontMetricsF metrics(chartFont(theme));
    data.namesAbove = data.namesAbove || std::ranges::any_of(data.labels, [&](const QString &name) {
        return metrics.horizontalAdvance(name) > roomBesideBars(theme);
    });
    return data;
}

QStringList axisNames(const QStringList &labels, const Theme &theme)
{
    const QFontMetricsF metrics(chartFont(theme));
    const double room = roomBesideBars(theme);
    QSet<QString> used;
    QStringList names;
    for (const auto &full : labels) {
        const QString base = metrics.elidedText(full.simplified(), Qt::ElideMiddle, room);
        QString name = base;
        for (int copy = 2; used.contains(name); ++copy)
            name = u"%1 (%2)"_s.arg(base).arg(copy);
        used.insert(name);
        names << name;
    }
    return names;
}

namespace {

/// One polyline for each run of plans that have the limit; the first carries the name.
void addLimit(QChart &chart, const LimitLine &limit, const BarChartData &data, const Theme &theme, QValueAxis *values,
    QBarCategoryAxis *names)
{
    const int count = int(limit.values.size());
    QLineSeries *run = nullptr;
    for (int row = 0; row < count; ++row) {
        const auto &value = limit.values[std::size_t(count - 1 - row)];
        if (!value) {
            run = nullptr;
            continue;
        }
        if (!run) {
            run = new QLineSeries(&chart);
            run->setName(chartText(limit.name));
            run->setPen(QPen(limitColour(theme), 1.6, limit.dashed ? Qt::DashLine : Qt::SolidLine));
            chart.addSeries(run);
            run->attachAxis(values);
            run->attachAxis(names);
            const QString text = u"%1: %2"_s.arg(limit.name, localized(units::format(*value, data.unit.dimension)));
            QObject::connect(run, &QLineSeries::hovered, &chart,
                [text](const QPointF &, bool entered) { showHovered(text, entered); });
        }
        const double position = *value / data.unit.factor;
        if (run->count() > 0 && run->points().last().x() == position)
            run->replace(run->count() - 1, position, row + 0.5); // straight on: no joint
        else
            *run << QPointF(position, row - 0.5) << QPointF(position, row + 0.5);
    }
}

} // namespace

std::unique_ptr<QChart> draw(const BarChartData &data, const Theme &theme)
{
    auto chart = emptyChart(theme);
    const qsizetype count = qsizetype(data.totals.size());
    auto *series = new QHorizontalStackedBarSeries(chart.get());
    series->setBarWidth(data.barShare());
    for (const auto &part : data.parts) {
        auto *set = new QBarSet(chartText(label(part.quantity, data.group)), series);
        set->setColor(theme.ink(colour(part.quantity)));
        set->setPen(QPen(theme.background, 0.5));
        for (qsizetype row = 0; row < count; ++row)
            set->append(part.values[std::size_t(count - 1 - row)] / data.unit.factor);
        series->append(set);
        QObject::connect(set, &QBarSet::hovered, chart.get(), [part, data, count](bool entered, int row) {
            const qsizetype plan = count - 1 - row;
            if (plan < 0 || plan >= count)
                return;
            const QString amount = localized(units::format(part.values[std::size_t(plan)], data.unit.dimension));
            const QString name = data.labels[plan];
            showHovered(name.isEmpty() ? u"%1: %2"_s.arg(label(part.quantity, data.group), amount)
                                       : u"%1\n%2: %3"_s.arg(name, label(part.quantity, data.group), amount),
                entered);
        });
    }
    chart->addSeries(series);

    auto *values = valueAxis(0, data.axisMaximum);
    values->setTickInterval(data.tickInterval);
    values->setTitleText(chartText(data.axisTitle));
    dress(values, theme);
    chart->addAxis(values, Qt::AlignBottom);
    series->attachAxis(values);

    QStringList names = axisNames(data.labels, theme);
    auto *plans = new QBarCategoryAxis(chart.get());
    plans->append(chartTexts({names.rbegin(), names.rend()}));
    dress(plans, theme);
    plans->setGridLineVisible(false);
    plans->setLabelsVisible(!data.namesAbove && !(count == 1 && data.labels.first().isEmpty()));
    plans->setTruncateLabels(false);
    chart->addAxis(plans, Qt::AlignLeft);
    series->attachAxis(plans);

    for (const auto &limit : data.lines)
        addLimit(*chart, limit, data, theme, values, plans);
    new BarLabels(chart.get(), series, data, theme);
    new ChartLegend(chart.get(), legendEntries(data, theme), theme, data.legendAbove);
    return chart;
}

int naturalHeight(const BarChartData &data, const Theme &theme, int width)
{
    const double line = QFontMetricsF(chartFont(theme)).height();
    const double axis = 60 + 1.5 * line; // ticks, numbers and title with the spacing that Qt Charts leaves around them
    const double bars = line
        * std::max(4.0,
            (data.namesAbove ? 3.2 : 2.0) * double(data.totals.size())); // with less, Qt Charts cuts the axis labels
    return int(bars + axis + legendHeight(legendEntries(data, theme), theme, width));
}

ChartContent barChart(BarChartData data, const QString &name, const QString &description)
{
    const auto shared = std::make_shared<const BarChartData>(std::move(data));
    return {name, description, [shared](const Theme &theme) { return draw(*shared, theme); },
        [shared](const Theme &theme, int width) { return naturalHeight(*shared, theme, width); },
        [shared] { return tableOf(*shared); }};
}

void paint(QChart &chart, QPainter &painter, const QRectF &target)
{
    QGraphicsScene scene;
    painter.setLayoutDirection(Qt::LeftToRight); // whatever that of the window is
    scene.addItem(&chart);
    chart.resize(target.size());
    for (int pass = 0; pass < 3; ++pass) // the marks of the axes follow the room, and take some
        chart.layout()->activate();
    scene.setSceneRect(chart.rect());
    scene.render(&painter, target, chart.rect(), Qt::KeepAspectRatio);
    scene.removeItem(&chart);
}

} // namespace fleetwright::charts
