// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/elidedlabel.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

namespace fleetwright::app {

namespace {
constexpr int leastCharacters = 12;
} // namespace

ElidedLabel::ElidedLabel(QWidget *parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setAlignment(Qt::AlignLeading | Qt::AlignTop);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setLines(1);
}

void ElidedLabel::setLines(int lines)
{
    m_lines = lines;
    setFixedHeight(lines * fontMetrics().lineSpacing());
    update();
}

int ElidedLabel::linesNeeded() const
{
    const QRect room(0, 0, contentsRect().width(), QWIDGETSIZE_MAX);
    const int height = fontMetrics().boundingRect(room, Qt::TextWordWrap, text()).height();
    return std::max(1, height / fontMetrics().lineSpacing());
}

QSize ElidedLabel::minimumSizeHint() const { return {leastCharacters * fontMetrics().averageCharWidth(), height()}; }

bool ElidedLabel::event(QEvent *event)
{
    if (event->type() == QEvent::FontChange) // titles are larger
        setLines(m_lines);
    if (event->type() != QEvent::ToolTip || isWhole())
        return QLabel::event(event);
    QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), text(), this);
    return true;
}

void ElidedLabel::paintEvent(QPaintEvent *event)
{
    if (isWhole())
        return QLabel::paintEvent(event);
    constexpr double filled = 0.9; // of each line: what is wrapped leaves some of it empty
    const auto room = contentsRect();
    const auto shown = fontMetrics().elidedText(text(), Qt::ElideRight, int(m_lines * filled * room.width()));
    QPainter painter(this);
    style()->drawItemText(&painter, room, int(alignment()) | (m_lines > 1 ? int(Qt::TextWordWrap) : 0), palette(),
        isEnabled(), m_lines > 1 ? shown : fontMetrics().elidedText(text(), Qt::ElideRight, room.width()),
        foregroundRole());
}

} // namespace fleetwright::app
