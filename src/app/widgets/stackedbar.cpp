// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/stackedbar.h"

#include "charts/drawing.h"

#include <QAction>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::app {

StackedBar::StackedBar(QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const auto add = [this](const QString &name, const QString &text, void (*copy)(const charts::Drawing &),
                         const QString &told) {
        auto *action = new QAction(text, this);
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, [this, copy, told] {
            copy({accessibleName(), accessibleDescription(), size(), palette().color(QPalette::Window),
                [this](QPainter &painter) {
                    painter.setFont(font());
                    draw(painter);
                }});
            emit copied(told);
        });
        addAction(action);
    };
    add(u"copyChartAction"_s, tr("&Copy as picture"), &charts::copyPicture, tr("Chart copied as a picture"));
    add(u"copyChartSvgAction"_s, tr("Copy as S&VG"), &charts::copySvg, tr("Chart copied as SVG"));
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

void StackedBar::setParts(std::vector<Part> parts, double limit, const QString &description)
{
    m_parts = std::move(parts);
    m_limit = limit;
    setAccessibleName(tr("Memory"));
    setAccessibleDescription(description);
    update();
}

double StackedBar::pixelsPerShare() const
{
    double sum = 0;
    for (const auto &part : m_parts)
        sum += part.share;
    // Far more than the capacity is drawn as "more than twice": the figure beside the bar says how much.
    return (width() - 2) / std::clamp(sum, 1.0, 2.0);
}

void StackedBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    draw(painter);
}

void StackedBar::draw(QPainter &painter) const
{
    const double scale = pixelsPerShare();
    painter.setLayoutDirection(Qt::LeftToRight); // the bar runs from the left, and so do its words
    const QRectF capacity(1, 3, scale, height() - 6);
    painter.fillRect(capacity, palette().color(QPalette::Base));
    double x = 1;
    for (const auto &part : m_parts) {
        const double length = part.share * scale;
        painter.fillRect(QRectF(x, capacity.top(), length, capacity.height()), part.colour);
        if (length > 40) {
            painter.setPen(part.colour.lightness() > 110 ? Qt::black : Qt::white);
            painter.drawText(QRectF(x + 4, capacity.top(), length - 6, capacity.height()),
                Qt::AlignVCenter | Qt::AlignLeft,
                painter.fontMetrics().elidedText(part.text, Qt::ElideRight, int(length) - 6));
        }
        x += length;
    }
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1));
    painter.drawRect(capacity);
    painter.setPen(QPen(palette().color(QPalette::WindowText), 2));
    painter.drawLine(QPointF(capacity.right(), 0), QPointF(capacity.right(), height()));
    if (m_limit > 0 && m_limit < 1) {
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DashLine));
        painter.drawLine(QPointF(1 + m_limit * scale, 0), QPointF(1 + m_limit * scale, height()));
    }
}

bool StackedBar::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const double scale = pixelsPerShare();
        double x = 1;
        QString text = accessibleDescription();
        for (const auto &part : m_parts) {
            if (help->pos().x() >= x && help->pos().x() < x + part.share * scale)
                text = part.text;
            x += part.share * scale;
        }
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace fleetwright::app
