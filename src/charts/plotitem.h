// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartdecoration.h"

#include <QStringList>

class QAbstractAxis;
class QValueAxis;

namespace fleetwright::charts {

/// Something that we draw ourselves inside the plot of a chart, with a text for what is under the pointer. A child of
/// the chart.
class PlotItem : public QGraphicsObject {
    Q_OBJECT
public:
    PlotItem(QChart *chart, const Theme &theme);
    [[nodiscard]] QRectF boundingRect() const override;
    [[nodiscard]] QPainterPath shape() const override; ///< the plot alone while it is zoomed

protected:
    [[nodiscard]] virtual QString textAt(const QPointF &position) const = 0;
    /// The axes' coordinates as a position in the chart.
    [[nodiscard]] QPointF position(double x, double y) const;
    [[nodiscard]] QChart *chart() const { return m_chart; }
    [[nodiscard]] const Theme &theme() const { return m_theme; }

    void hoverMoveEvent(QGraphicsSceneHoverEvent *event) override;
    void hoverLeaveEvent(QGraphicsSceneHoverEvent *event) override;

private:
    QChart *m_chart;
    Theme m_theme;
    QString m_shown;
};

/// Every how many-th name of a category axis is written, so that those written can be read.
[[nodiscard]] qsizetype nameStep(const QStringList &names, bool oneBelowTheOther);
/// Adds an axis with one name at 0, 1, 2..., each in the middle of its room; leaves names out where there are too many
/// to read.
void addNames(QChart *chart, const QStringList &names, const QString &title, Qt::Alignment side, const Theme &theme);
/// An axis with ticks at round values, not yet dressed and without an owner. Its texts are never cut; a chart of
/// emptyChart() leaves marks out where there is no room for them.
[[nodiscard]] QValueAxis *valueAxis(double low, double high);
/// A logarithmic axis of whole powers of the base from below `low` to above `high`, not yet dressed and without an
/// owner.
[[nodiscard]] QAbstractAxis *logAxis(double low, double high, double base);
/// Positive figures that span more than two decades: on a linear axis the small ones cannot be told from nothing.
[[nodiscard]] bool spansDecades(std::span<const double> values);
/// The title of such an axis says so.
[[nodiscard]] QString logarithmicTitle(const QString &title);
/// An invisible series that ties the chart's axes together, so that coordinates can be mapped.
void tieAxes(QChart *chart);

/// The pattern over bars and cells that do not count.
[[nodiscard]] QBrush hatch(const QColor &over);

} // namespace fleetwright::charts
