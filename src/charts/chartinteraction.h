// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPoint>
#include <QSet>

class QAction;
class QChart;
class QChartView;
class QRubberBand;
class QToolButton;

namespace fleetwright::charts {

/// What the user may do to any chart on screen. Dragging a rectangle, Ctrl and the wheel or + and - zoom; the arrow
/// keys move what is zoomed; a double click, Esc or the button in the corner show the whole again. A click on a legend
/// entry, or its number as a key, hides its series and shows it again.
class ChartInteraction : public QObject {
    Q_OBJECT
public:
    explicit ChartInteraction(QChartView *view);

    /// The view shows another chart. Series of the same names stay hidden.
    void takeChart();
    [[nodiscard]] const QSet<QString> &hidden() const { return m_hidden; } ///< legend texts
    static void hide(QChart &chart, const QSet<QString> &hidden);

    [[nodiscard]] bool isZoomed() const;
    void zoom(double factor); ///< about the middle of the plot
    void resetZoom();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool keyPressed(int key);
    bool mouseMoved(const QPoint &to);
    bool mouseReleased();
    void zoomAt(const QPointF &centre, double factor);
    void zoomed();

    QChartView *m_view;
    QAction *m_resetAction;
    QToolButton *m_reset;
    QRubberBand *m_band;
    QPoint m_origin;
    bool m_pressed = false; ///< in the plot: a drag would begin
    QSet<QString> m_hidden;
};

} // namespace fleetwright::charts
