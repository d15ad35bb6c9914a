// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/plotitem.h"
#include "charts/scatterchart.h"

namespace fleetwright::charts {

inline constexpr double markerPixels = 7; ///< of a point, at 12 pixels of text

/// Points by series that can be pointed at and picked.
class PointsItem : public PlotItem {
    Q_OBJECT
public:
    /// `picked` as in ScatterChartData.
    PointsItem(QChart *chart, std::function<void(ScatterIndex)> picked, const Theme &theme);

protected:
    enum class Tie { First, Last };

    [[nodiscard]] virtual std::size_t seriesCount() const = 0;
    [[nodiscard]] virtual std::size_t pointCount(std::size_t series) const = 0;
    /// In the chart; nothing where the point is not drawn.
    [[nodiscard]] virtual std::optional<QPointF> placeOf(ScatterIndex index) const = 0;
    [[nodiscard]] virtual QString toolTipOf(ScatterIndex index) const = 0;
    /// Which of two equally near points is meant.
    [[nodiscard]] virtual Tie tie() const = 0;
    /// Square pixels that are added to the distance of a series, so that others win over it at the same place.
    [[nodiscard]] virtual double handicap(std::size_t) const { return 0; }

    [[nodiscard]] QString textAt(const QPointF &where) const override;
    void mousePressEvent(QGraphicsSceneMouseEvent *event) override;
    void mouseReleaseEvent(QGraphicsSceneMouseEvent *event) override;

    /// Around the selected point.
    void paintRing(QPainter &painter, const QPointF &centre) const;
    /// The sentence that stands where there is no point.
    void paintEmptyText(QPainter &painter, const QString &text) const;

private:
    [[nodiscard]] std::optional<ScatterIndex> nearest(const QPointF &where) const;

    std::function<void(ScatterIndex)> m_picked;
};

} // namespace fleetwright::charts
