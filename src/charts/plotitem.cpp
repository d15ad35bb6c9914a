// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/plotitem.h"

#include <QCategoryAxis>
#include <QChart>
#include <QCoreApplication>
#include <QGraphicsSceneHoverEvent>
#include <QLogValueAxis>
#include <QScatterSeries>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr qsizetype lettersBelow = 34; // a plot: what a narrow chart has room for

/// Letters of a line of one of so few names.
qsizetype mostInLine(qsizetype below)
{
    constexpr qsizetype fewest = 7;
    return std::max(fewest, lettersBelow / below);
}

/// A long name in lines, as Qt Charts shortens what is wider than its place, and then names that begin alike look the
/// same. `below`: of so few bars below a plot, each in as many lines as its share of a narrow chart takes, up to four;
/// 0: in two, cut at the blank nearest its middle.
QString inLines(const QString &name, qsizetype below)
{
    if (below > 0) {
        constexpr qsizetype mostLines = 4;
        const auto most = mostInLine(below);
        QStringList lines;
        for (const auto &word : name.split(u' '))
            if (!lines.isEmpty() && (lines.back().size() + 1 + word.size() <= most || lines.size() == mostLines))
                lines.back() += u' ' + word;
            else
                lines << word;
        return chartText(lines.join(u'\n'));
    }
    constexpr qsizetype oneLine = 10;
    qsizetype cut = -1;
    for (qsizetype i = 1; i + 1 < name.size(); ++i)
        if (name[i] == u' ' && (cut < 0 || std::abs(2 * i - name.size()) < std::abs(2 * cut - name.size())))
            cut = i;
    return name.size() <= oneLine || cut < 0 ? chartText(name)
                                             : chartText(name.left(cut)) + u"<br>"_s + chartText(name.mid(cut + 1));
}

} // namespace

PlotItem::PlotItem(QChart *chart, const Theme &theme) : QGraphicsObject(chart), m_chart(chart), m_theme(theme)
{
    setZValue(50);
    setAcceptedMouseButtons(Qt::NoButton);
    setAcceptHoverEvents(true);
    connect(chart, &QChart::plotAreaChanged, this, [this] { update(); });
    connect(chart, &QGraphicsWidget::geometryChanged, this, [this] { prepareGeometryChange(); });
}

QRectF PlotItem::boundingRect() const { return m_chart->rect(); }

QPainterPath PlotItem::shape() const
{
    QPainterPath path;
    path.addRect(m_chart->isZoomed() ? m_chart->plotArea() : boundingRect());
    return path;
}

QPointF PlotItem::position(double x, double y) const
{
    return m_chart->mapToPosition({x, y}, m_chart->series().constFirst());
}

void PlotItem::hoverMoveEvent(QGraphicsSceneHoverEvent *event)
{
    const QString text = textAt(event->pos());
    const bool isHidden = !text.isEmpty() && !QToolTip::isVisible(); // it goes when the mouse leaves its place
    if (text != m_shown || isHidden)
        showHovered(text, !text.isEmpty());
    m_shown = text;
}

void PlotItem::hoverLeaveEvent(QGraphicsSceneHoverEvent *)
{
    if (!m_shown.isEmpty())
        showHovered({}, false);
    m_shown.clear();
}

qsizetype nameStep(const QStringList &names, bool oneBelowTheOther)
{
    constexpr qsizetype rows = 24, letters = 60, few = 6; // that find room along an axis
    qsizetype needed = 0;
    for (const auto &name : names)
        needed += oneBelowTheOther ? 1 : name.size() + 2;
    const auto room = oneBelowTheOther ? rows : letters;
    return names.size() > few ? (needed + room - 1) / room : 1;
}

void addNames(QChart *chart, const QStringList &names, const QString &title, Qt::Alignment side, const Theme &theme)
{
    const auto step = nameStep(names, side == Qt::AlignLeft);
    auto *axis = new QCategoryAxis;
    axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    constexpr qsizetype few = 8, longName = 16; // beside the plot, which two lines leave more of its width
    const auto isWrapped = [&](const QString &name) {
        return side == Qt::AlignBottom || (names.size() <= few && name.size() > longName);
    };
    const qsizetype below = side == Qt::AlignBottom && names.size() <= few ? names.size() : 0;
    for (qsizetype i = 0; i < names.size(); i += step)
        axis->append(isWrapped(names[i]) ? inLines(names[i], below) : chartText(names[i]), double(i));
    // Qt Charts shortens those as well that just fill their place.
    axis->setTruncateLabels(below == 0 || !std::ranges::all_of(names, [below](const QString &name) {
        return std::ranges::all_of(
            name.split(u' '), [below](const QString &word) { return word.size() <= mostInLine(below); });
    }));
    axis->setRange(-0.5, double(names.size()) - 0.5);
    axis->setTitleText(chartText(title));
    dress(axis, theme);
    axis->setGridLineVisible(false);
    chart->addAxis(axis, side);
}

QValueAxis *valueAxis(double low, double high)
{
    auto *axis = new QValueAxis;
    axis->setRange(low, high);
    axis->setTickType(QValueAxis::TicksDynamic);
    axis->setTickAnchor(0);
    axis->setTickInterval(niceInterval(high - low));
    axis->setLabelFormat(u"%.6g"_s);
    axis->setTruncateLabels(false);
    return axis;
}

QAbstractAxis *logAxis(double low, double high, double base)
{
    auto *axis = new QLogValueAxis;
    axis->setBase(base);
    axis->setLabelFormat(u"%.6g"_s);
    axis->setTruncateLabels(false);
    // Whole powers at both ends: the ticks are there.
    const double first = std::floor(std::log(low) / std::log(base) + 1e-9),
                 last = std::ceil(std::log(high) / std::log(base) - 1e-9);
    axis->setRange(std::pow(base, first), std::pow(base, std::max(last, first + 1)));
    return axis;
}

bool spansDecades(std::span<const double> values)
{
    if (values.empty() || std::ranges::min(values) <= 0)
        return false;
    return std::ranges::max(values) / std::ranges::min(values) > 100;
}

QString logarithmicTitle(const QString &title)
{
    return QCoreApplication::translate("charts", "%1, logarithmic").arg(title);
}

void tieAxes(QChart *chart)
{
    auto *series = new QScatterSeries;
    series->setMarkerSize(0.1);
    series->setColor(Qt::transparent);
    series->setBorderColor(Qt::transparent);
    chart->addSeries(series);
    const auto axes = chart->axes();
    for (auto *axis : axes)
        series->attachAxis(axis);
}

QBrush hatch(const QColor &over) { return QBrush(mixed(readableOn(over), over, 0.55), Qt::BDiagPattern); }

} // namespace fleetwright::charts
