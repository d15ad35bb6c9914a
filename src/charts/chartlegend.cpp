// SPDX-License-Identifier: GPL-3.0-or-later
// What stands for what in a chart.
#include "charts/chartdecoration.h"

#include "charts/drawing.h"

#include <QChart>
#include <QFontMetricsF>
#include <QGraphicsSceneMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace fleetwright::charts {

namespace {

constexpr double gap = 16.0; // between entries
constexpr double beside = 5.0; // a swatch

double rowHeight(const QFontMetricsF &metrics) { return metrics.height() * 1.35; }

/// A text as one line, or where that is too wide broken between words.
QStringList linesOf(const QString &text, const QFontMetricsF &metrics, double most)
{
    if (metrics.horizontalAdvance(text) <= most)
        return {text};
    QStringList lines;
    for (const auto &word : text.split(u' '))
        if (!lines.isEmpty() && metrics.horizontalAdvance(lines.back() + u' ' + word) <= most)
            lines.back() += u' ' + word;
        else
            lines << word;
    return lines;
}

double widthOf(const LegendEntry &entry, const QFontMetricsF &metrics)
{
    double widest = 0;
    for (const auto &line : entry.lines)
        widest = std::max(widest, metrics.horizontalAdvance(line));
    return metrics.height() + beside + widest;
}

/// Places the entries in rows and returns the height they take.
double arrangeEntries(std::vector<LegendEntry> &entries, const Theme &theme, double width)
{
    const QFontMetricsF metrics(chartFont(theme));
    const double left = 8;
    double x = left, y = 0;
    qsizetype lines = 0; // of the row
    for (auto &entry : entries) {
        entry.lines = linesOf(entry.text, metrics, width - 2 * left - metrics.height() - beside);
        const double needed = widthOf(entry, metrics);
        if (x > left && x + needed > width - left) {
            x = left;
            y += double(std::exchange(lines, 0)) * rowHeight(metrics);
        }
        entry.position = {x, y};
        lines = std::max(lines, entry.lines.size());
        x += needed + gap;
    }
    return y + double(lines) * rowHeight(metrics);
}

} // namespace

std::vector<LegendEntry> legendEntries(const BarChartData &data, const Theme &theme)
{
    std::vector<LegendEntry> entries;
    for (const auto &part : data.parts)
        entries.push_back({.text = label(part.quantity, data.group),
            .colour = colour(part.quantity),
            .pattern = theme.printed ? paperPattern(part.quantity) : Qt::SolidPattern});
    for (const auto &line : data.lines)
        entries.push_back({line.name, limitColour(theme), line.dashed ? Qt::DashLine : Qt::SolidLine});
    return entries;
}

double legendHeight(std::vector<LegendEntry> entries, const Theme &theme, double width)
{
    return arrangeEntries(entries, theme, width);
}

ChartLegend::ChartLegend(QChart *chart, std::vector<LegendEntry> entries, const Theme &theme, bool above)
    : QGraphicsObject(chart), m_chart(chart), m_theme(theme), m_entries(std::move(entries)), m_above(above)
{
    const bool clickable = std::ranges::any_of(m_entries, [](const LegendEntry &entry) { return bool(entry.show); });
    setAcceptedMouseButtons(clickable ? Qt::LeftButton : Qt::NoButton);
    connect(chart, &QGraphicsWidget::geometryChanged, this, &ChartLegend::arrange);
    arrange();
}

QStringList ChartLegend::entries() const
{
    QStringList texts;
    for (const auto &entry : m_entries)
        texts << entry.text;
    return texts;
}

bool ChartLegend::toggle(std::size_t entry)
{
    if (entry >= m_entries.size() || !m_entries[entry].show)
        return false;
    setShown(m_entries[entry].text, m_entries[entry].hidden);
    return true;
}

void ChartLegend::setShown(const QString &text, bool shown)
{
    const auto entry = std::ranges::find_if(
        m_entries, [&](const LegendEntry &each) { return each.show && each.text == text; });
    if (entry == m_entries.end() || entry->hidden == !shown)
        return;
    const auto left = std::ranges::count_if(
        m_entries, [](const LegendEntry &each) { return each.show && !each.hidden; });
    if (!shown && left == 1)
        return; // an empty chart would say nothing
    entry->hidden = !shown;
    entry->show(shown);
    update();
    emit toggled(text, shown);
}

QRectF ChartLegend::areaOf(const LegendEntry &entry) const
{
    const QFontMetricsF metrics(chartFont(m_theme));
    return {entry.position.x(), m_top + entry.position.y(), widthOf(entry, metrics),
        metrics.height() + double(entry.lines.size() - 1) * rowHeight(metrics)};
}

void ChartLegend::mousePressEvent(QGraphicsSceneMouseEvent *event)
{
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (areaOf(m_entries[i]).contains(event->pos())) {
            event->setAccepted(toggle(i));
            return;
        }
    event->ignore();
}

void ChartLegend::arrange()
{
    prepareGeometryChange();
    m_height = arrangeEntries(m_entries, m_theme, m_chart->size().width());
    m_top = m_above ? 2 : m_chart->size().height() - m_height - 4;
    const int room = int(m_height) + 6;
    m_chart->setMargins(QMargins(4, m_above ? room : 4, 4, m_above ? 4 : room));
}

QRectF ChartLegend::boundingRect() const { return {0, m_top, m_chart->size().width(), m_height}; }

void ChartLegend::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *)
{
    const QFont font = chartFont(m_theme);
    const QFontMetricsF metrics(font);
    const double swatch = metrics.height();
    useChartFont(*painter, font);
    for (const auto &entry : m_entries) {
        const QRectF box(entry.position.x(), m_top + entry.position.y(), swatch, metrics.height());
        const auto colour = m_theme.ink(entry.colour);
        painter->setOpacity(entry.hidden ? 0.55 : 1.0);
        QFont shown = font;
        shown.setStrikeOut(entry.hidden); // not by its colour alone
        useChartFont(*painter, shown);
        if (entry.point) {
            paintMarker(*painter, entry.marker, box.center(), swatch * 2 / 3, colour, m_theme.background);
        } else if (entry.line == Qt::NoPen) {
            const bool lines = entry.pattern != Qt::SolidPattern
                && entry.pattern > Qt::Dense7Pattern; // lines lie on the colour, dots are the colour
            painter->fillRect(box.adjusted(1, 2, -1, -2), lines ? QBrush(colour) : QBrush(colour, entry.pattern));
            if (lines)
                painter->fillRect(box.adjusted(1, 2, -1, -2), QBrush(readableOn(colour), entry.pattern));
        } else {
            painter->setPen(QPen(colour, 1.6, entry.line));
            painter->drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()));
        }
        painter->setPen(m_theme.text);
        QPointF at(box.right() + beside, box.top() + metrics.ascent());
        for (const auto &line : entry.lines) {
            painter->drawText(at, line);
            at.ry() += rowHeight(metrics);
        }
    }
    painter->setOpacity(1);
}

} // namespace fleetwright::charts
