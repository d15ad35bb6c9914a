// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/schedulechart.h"

#include "charts/chartdata.h"
#include "charts/plotitem.h"
#include "charts/wording.h"
#include "solver/models/detailed/tablecolumns.h"
#include "text/figuretext.h"
#include "units/format.h"

#include <QChart>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <QValueAxis>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

using detailed::Schedule;
using detailed::ScheduleBox;

constexpr double rowShare = 0.86; // of a stage's room

QString shown(Seconds time) { return localized(units::format(time)); }

QColor colourOf(bool backward, int chunk)
{
    const auto base = colour(Quantity::Compute);
    return backward ? base.darker(135 + 8 * chunk) : base.lighter(125 + 12 * chunk);
}

std::vector<LegendEntry> legend()
{
    return {{.text = tr("forward pass of a microbatch"), .colour = colourOf(false, 0)},
        {.text = tr("backward pass"), .colour = colourOf(true, 0), .pattern = Qt::BDiagPattern},
        {.text = tr("waiting"), .colour = colour(Quantity::Bubble), .pattern = Qt::Dense6Pattern}};
}

/// What one stage does, in order of time.
struct Row {
    std::vector<ScheduleBox> boxes;
};

class Boxes : public PlotItem {
public:
    Boxes(QChart *chart, const Schedule &schedule, std::int64_t virtualStages, double factor, const Theme &theme)
        : PlotItem(chart, theme), m_rows(std::size_t(schedule.stages)), m_length(schedule.length),
          m_virtualStages(virtualStages), m_factor(factor)
    {
        setFlag(ItemUsesExtendedStyleOption); // a wide picture paints only what is seen of it
        for (const auto &box : schedule.boxes)
            m_rows[std::size_t(box.stage)].boxes.push_back(box);
    }

    void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *) override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing, false);
        useChartFont(*painter, chartFont(theme()));
        const QFontMetricsF metrics(chartFont(theme()));
        const QRectF seen = option->exposedRect;
        for (std::size_t stage = 0; stage < m_rows.size(); ++stage) {
            Seconds since{};
            for (const auto &box : m_rows[stage].boxes) {
                if (box.start > since)
                    paintWaiting(*painter, area(stage, since, box.start), seen);
                const auto place = area(stage, box.start, box.end);
                if (place.intersects(seen))
                    paintBox(*painter, metrics, box, place);
                since = box.end;
            }
            if (m_length > since)
                paintWaiting(*painter, area(stage, since, m_length), seen);
        }
        painter->restore();
    }

protected:
    [[nodiscard]] QString textAt(const QPointF &where) const override
    {
        for (std::size_t stage = 0; stage < m_rows.size(); ++stage) {
            const auto whole = area(stage, Seconds{}, m_length);
            if (!whole.contains(where))
                continue;
            Seconds since{};
            for (const auto &box : m_rows[stage].boxes) {
                if (area(stage, box.start, box.end).contains(where))
                    return said(box);
                if (box.start > since && area(stage, since, box.start).contains(where))
                    return tr("Stage %1 waits %2, from %3 to %4")
                        .arg(stage)
                        .arg(shown(box.start - since), shown(since), shown(box.start));
                since = box.end;
            }
            return tr("Stage %1 waits %2, from %3 to %4")
                .arg(stage)
                .arg(shown(m_length - since), shown(since), shown(m_length));
        }
        return {};
    }

private:
    [[nodiscard]] QString said(const ScheduleBox &box) const
    {
        const QString pass = box.backward ? tr("backward") : tr("forward");
        QString text = tr("Stage %1, microbatch %2, %3").arg(box.stage).arg(box.microbatch).arg(pass);
        if (m_virtualStages > 1)
            text += tr(", virtual stage %1").arg(box.chunk);
        return text + u'\n' + tr("%1, from %2 to %3").arg(shown(box.end - box.start), shown(box.start), shown(box.end));
    }
    [[nodiscard]] QRectF area(std::size_t stage, Seconds from, Seconds to) const
    {
        const double middle = double(m_rows.size() - 1 - stage);
        return QRectF(position(from.value() / m_factor, middle + rowShare / 2),
            position(to.value() / m_factor, middle - rowShare / 2))
            .normalized();
    }
    void paintWaiting(QPainter &painter, const QRectF &place, const QRectF &seen) const
    {
        const auto visible = place.intersected(seen);
        if (visible.width() > 0.5)
            painter.fillRect(visible, QBrush(colour(Quantity::Bubble), Qt::Dense6Pattern));
    }
    void paintBox(QPainter &painter, const QFontMetricsF &metrics, const ScheduleBox &box, const QRectF &place) const
    {
        const auto fill = theme().ink(colourOf(box.backward, box.chunk));
        const QRectF inner = place.width() > 4 ? place.adjusted(0.5, 0, -0.5, 0) : place;
        painter.fillRect(inner, fill);
        if (box.backward)
            painter.fillRect(inner, hatch(fill));
        const QString number = QString::number(box.microbatch);
        const double width = metrics.horizontalAdvance(number) + 4;
        if (inner.width() < width || inner.height() < metrics.height())
            return;
        if (box.backward) // a plate under the number, which the pattern would make hard to read
            painter.fillRect(QRectF(inner.center().x() - width / 2, inner.center().y() - metrics.height() / 2, width,
                                 metrics.height()),
                fill);
        painter.setPen(readableOn(fill));
        painter.drawText(inner, Qt::AlignCenter, number);
    }

    std::vector<Row> m_rows;
    Seconds m_length;
    std::int64_t m_virtualStages;
    double m_factor;
};

std::unique_ptr<QChart> draw(const Schedule &schedule, std::int64_t virtualStages, const Theme &theme)
{
    auto chart = emptyChart(theme);
    const auto unit = unitFor(FigureGroup::Step, units::Dimension::Time, schedule.length.value());
    const double factor = unit.factor;
    const double span = schedule.length.value() > 0 ? schedule.length.value() / factor : 1;
    auto *x = valueAxis(0, span);
    x->setTitleText(chartText(titleWithUnit(tr("Time since the step began"), unit)));
    dress(x, theme);
    x->setGridLineVisible(false);
    chart->addAxis(x, Qt::AlignBottom);
    QStringList stages;
    for (int stage = schedule.stages - 1; stage >= 0; --stage)
        stages << QString::number(stage);
    addNames(chart.get(), stages, tr("Pipeline stage"), Qt::AlignLeft, theme);
    tieAxes(chart.get());
    new Boxes(chart.get(), schedule, virtualStages, factor, theme);
    new ChartLegend(chart.get(), legend(), theme);
    return chart;
}

} // namespace

ChartContent scheduleChart(Schedule schedule, std::int64_t virtualStages)
{
    const auto shared = std::make_shared<const Schedule>(std::move(schedule));
    return {tr("Pipeline schedule"),
        tr("Pipeline schedule: %1").arg(localized(detailed::inWords(*shared, virtualStages))),
        [shared, virtualStages](const Theme &theme) { return draw(*shared, virtualStages, theme); },
        [shared](const Theme &theme, int width) {
            const double line = QFontMetricsF(chartFont(theme)).height();
            const int roomy = std::min(
                shared->stages, 16); // with room for the number of every stage; of more, some are left out
            return int(
                line * (2.2 * roomy + 1.3 * (shared->stages - roomy) + 5) + legendHeight(legend(), theme, width));
        }};
}

} // namespace fleetwright::charts
