// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/pagelayout.h"
#include "reports/wording.h"

#include <QChart>
#include <QPainter>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

constexpr int tallestPicture = 560; // points, of a page of either size
constexpr double lowestPicture = 0.265; // of a page: lower ones cannot be read off, and cut the titles of their axes
constexpr std::size_t mostBarsPerChart = 28; // what fits on a page of either size
constexpr std::size_t mostBarsWithNames = 17; // that stand above them

/// `corner` in dots, `size` in points: charts are drawn in points.
void paintChart(QPainter &painter, QChart &chart, QPointF corner, QSizeF size)
{
    painter.save();
    painter.translate(corner);
    painter.scale(points(1), points(1));
    charts::paint(chart, painter, QRectF(QPointF(), size));
    painter.restore();
}

} // namespace

QString PagedReport::Layout::figureCaption(const QString &caption)
{
    const QString number = tr("Figure %1").arg(++m_figures);
    return caption.isEmpty() ? number : number + u": "_s + caption;
}

void PagedReport::Layout::add(const StepChart &chart)
{
    addChart(chart.caption, charts::withWholeNames(charts::stepBars(chart.plans), charts::Theme::paper()));
}

void PagedReport::Layout::add(const MemoryChart &chart)
{
    addChart(chart.caption, charts::withWholeNames(charts::memoryBars(chart.plans), charts::Theme::paper()));
}

void PagedReport::Layout::add(const ChartPicture &picture)
{
    const auto theme = charts::Theme::paper();
    const double width = m_width / points(1);
    const int lowest = int(lowestPicture * m_height / points(1));
    const int height = std::clamp(picture.content.naturalHeight(theme, int(width)), lowest, tallestPicture);
    m_spare = picture.isSpare ? ++m_spares : 0;
    addText(figureCaption(picture.caption), fontOf(bodySize), quietInk, points(12), true);
    push({points(double(height)), points(3), false, false, 0},
        [this, draw = picture.content.draw, theme, size = QSizeF(width, height)](QPainter &painter, double y) {
            paintChart(painter, *draw(theme), {m_left, y}, size);
        });
    m_spare = 0;
}

void PagedReport::Layout::addChart(const QString &caption, const charts::BarChartData &data)
{
    const std::size_t total = data.totals.size();
    const auto theme = charts::Theme::paper();
    const double width = m_width / points(1);
    if (total == 0)
        return;
    const QString numbered = figureCaption(caption);
    const std::size_t most = data.namesAbove ? mostBarsWithNames : mostBarsPerChart;
    const std::size_t parts = (total + most - 1) / most;
    const std::size_t barsPerChart = (total + parts - 1) / parts;
    for (std::size_t first = 0; first < total; first += barsPerChart) {
        const auto part = charts::slice(data, first, barsPerChart);
        const std::size_t last = first + part.totals.size();
        addText(
            parts > 1 ? tr("%1 (plans %2 to %3 of %4)").arg(numbered).arg(first + 1).arg(last).arg(total) : numbered,
            fontOf(bodySize), quietInk, points(12), true);
        const double height = charts::naturalHeight(part, theme, int(width));
        push({points(height), points(3), false, false, 0},
            [this, part, theme, size = QSizeF(width, height)](QPainter &painter, double y) {
                paintChart(painter, *charts::draw(part, theme), {m_left, y}, size);
            });
    }
}

} // namespace fleetwright::reports
