// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chartinteraction.h"

#include "charts/chartdecoration.h"
#include "charts/plotitem.h"

#include <QAction>
#include <QApplication>
#include <QChart>
#include <QChartView>
#include <QKeyEvent>
#include <QRubberBand>
#include <QToolButton>
#include <QWheelEvent>

#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr double zoomStep = 1.5;
constexpr int moveStep = 40; // pixels
constexpr int margin = 6;

ChartLegend *legendOf(const QChart &chart)
{
    for (auto *item : chart.childItems())
        if (auto *legend = qobject_cast<ChartLegend *>(item->toGraphicsObject()))
            return legend;
    return nullptr;
}

} // namespace

ChartInteraction::ChartInteraction(QChartView *view)
    : QObject(view), m_view(view), m_resetAction(new QAction(tr("&Whole chart\tEsc"), view)),
      m_reset(new QToolButton(view)), m_band(new QRubberBand(QRubberBand::Rectangle, view->viewport()))
{
    m_resetAction->setObjectName(u"wholeChartAction"_s);
    m_resetAction->setEnabled(false);
    view->addAction(m_resetAction);
    m_reset->setObjectName(u"wholeChartButton"_s);
    m_reset->setText(tr("Whole chart"));
    m_reset->setToolTip(tr("Leaves the zoom; a double click and Esc do the same"));
    m_reset->setFocusPolicy(Qt::NoFocus); // Esc does it for the keyboard
    m_reset->hide();
    connect(m_resetAction, &QAction::triggered, this, &ChartInteraction::resetZoom);
    connect(m_reset, &QToolButton::clicked, this, &ChartInteraction::resetZoom);
    view->installEventFilter(this);
    view->viewport()->installEventFilter(this);
}

void ChartInteraction::takeChart()
{
    m_pressed = false;
    m_band->hide();
    if (auto *legend = legendOf(*m_view->chart()))
        connect(legend, &ChartLegend::toggled, this, [this](const QString &text, bool shown) {
            if (shown)
                m_hidden.remove(text);
            else
                m_hidden.insert(text);
        });
    hide(*m_view->chart(), m_hidden);
    zoomed();
}

void ChartInteraction::hide(QChart &chart, const QSet<QString> &hidden)
{
    if (auto *legend = legendOf(chart))
        for (const auto &text : hidden)
            legend->setShown(text, false);
}

bool ChartInteraction::isZoomed() const { return m_view->chart()->isZoomed(); }

void ChartInteraction::zoom(double factor) { zoomAt(m_view->chart()->plotArea().center(), factor); }

void ChartInteraction::zoomAt(const QPointF &centre, double factor)
{
    auto *chart = m_view->chart();
    const QRectF plot = chart->plotArea();
    if (!plot.contains(centre))
        return;
    if (factor > 1) { // what is under the pointer stays there
        const QRectF part(centre - (centre - plot.topLeft()) / factor, plot.size() / factor);
        chart->zoomIn(part);
    } else if (chart->isZoomed()) {
        chart->zoom(factor);
    }
    zoomed();
}

void ChartInteraction::resetZoom()
{
    m_view->chart()->zoomReset();
    zoomed();
}

void ChartInteraction::zoomed()
{
    auto *chart = m_view->chart();
    for (auto *item : chart->childItems()) // what we draw ourselves would leave the plot
        if (auto *object = item->toGraphicsObject();
            qobject_cast<PlotItem *>(object) || qobject_cast<PlotTexts *>(object))
            item->setFlag(QGraphicsItem::ItemClipsToShape, isZoomed());
    m_resetAction->setEnabled(isZoomed());
    m_reset->setVisible(isZoomed());
    m_reset->adjustSize();
    m_reset->move(m_view->width() - m_reset->width() - margin, margin);
    emit chart->plotAreaChanged(chart->plotArea()); // its scale did: marks and our own items follow
}

bool ChartInteraction::keyPressed(int key)
{
    auto *chart = m_view->chart();
    const bool zoomed = isZoomed();
    const auto scroll = [&](double x, double y) {
        chart->scroll(x, y);
        this->zoomed();
        return true;
    };
    switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(zoomStep); return true;
    case Qt::Key_Minus: zoom(1 / zoomStep); return zoomed;
    case Qt::Key_Escape: resetZoom(); return zoomed; // otherwise it closes what the chart stands in
    case Qt::Key_Left: return zoomed && scroll(-moveStep, 0);
    case Qt::Key_Right: return zoomed && scroll(moveStep, 0);
    case Qt::Key_Up: return zoomed && scroll(0, moveStep);
    case Qt::Key_Down: return zoomed && scroll(0, -moveStep);
    default: break;
    }
    auto *legend = legendOf(*chart);
    return key >= Qt::Key_1 && key <= Qt::Key_9 && legend && legend->toggle(std::size_t(key - Qt::Key_1));
}

bool ChartInteraction::mouseMoved(const QPoint &to)
{
    if (!m_pressed || (!m_band->isVisible() && (to - m_origin).manhattanLength() < QApplication::startDragDistance()))
        return false;
    m_band->setGeometry(QRect(m_origin, to).normalized().intersected(m_view->chart()->plotArea().toAlignedRect()));
    m_band->show();
    return true;
}

bool ChartInteraction::mouseReleased()
{
    const bool dragged = m_pressed && m_band->isVisible();
    m_pressed = false;
    m_band->hide();
    if (dragged && m_band->width() > 4 && m_band->height() > 4) {
        m_view->chart()->zoomIn(QRectF(m_band->geometry()));
        zoomed();
    }
    return false; // the item that took the press is waiting for it
}

bool ChartInteraction::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_view) {
        if (event->type() == QEvent::KeyPress) {
            const auto *keys = static_cast<QKeyEvent *>(event);
            if (!(keys->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)))
                return keyPressed(keys->key());
        } else if (event->type() == QEvent::Resize && m_reset->isVisible()) {
            m_reset->move(m_view->width() - m_reset->width() - margin, margin);
        }
        return false;
    }
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        m_origin = mouse->position().toPoint();
        m_pressed = mouse->button() == Qt::LeftButton && m_view->chart()->plotArea().contains(mouse->position());
        return false;
    }
    case QEvent::ToolTip: return true; // the scene would take away what a resting pointer is told by showHovered()
    case QEvent::MouseMove: return mouseMoved(static_cast<QMouseEvent *>(event)->position().toPoint());
    case QEvent::MouseButtonRelease: return mouseReleased();
    case QEvent::MouseButtonDblClick:
        if (!isZoomed())
            return false;
        resetZoom();
        return true;
    case QEvent::Wheel: {
        const auto *wheel = static_cast<QWheelEvent *>(event);
        if (!(wheel->modifiers() & Qt::ControlModifier) || wheel->angleDelta().y() == 0)
            return false; // the page scrolls
        zoomAt(wheel->position(), std::pow(zoomStep, wheel->angleDelta().y() / 120.0));
        return true;
    }
    default: return false;
    }
}

} // namespace fleetwright::charts
