// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/elidedlabel.h"

#include <QFontInfo>
#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

namespace fleetwright::app {

namespace {
constexpr int leastCharacters = 12;
constexpr double leastSize = 0.8; // of the font: smaller is not read as the same kind of line
} // namespace

QSize ElidedLabel::minimumSizeHint() const
{
    auto size = QLabel::minimumSizeHint();
    size.setWidth(std::min(size.width(), fontMetrics().averageCharWidth() * leastCharacters));
    return size;
}

bool ElidedLabel::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip || isWhole())
        return QLabel::event(event);
    QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), text(), this);
    return true;
}

void ElidedLabel::paintEvent(QPaintEvent *event)
{
    if (fits())
        return QLabel::paintEvent(event);
    QPainter painter(this);
    const auto narrower = narrowerFont();
    painter.setFont(narrower);
    style()->drawItemText(&painter, contentsRect(), int(alignment()), palette(), isEnabled(),
        QFontMetrics(narrower).elidedText(text(), Qt::ElideRight, contentsRect().width()), foregroundRole());
}

bool ElidedLabel::isWhole() const
{
    return fits() || QFontMetrics(narrowerFont()).horizontalAdvance(text()) <= contentsRect().width();
}

/// As small as the text needs, and no smaller than still reads.
QFont ElidedLabel::narrowerFont() const
{
    constexpr double step = 0.05;
    auto narrower = font();
    const double whole = QFontInfo(font()).pixelSize();
    for (double share = 1 - step; share > leastSize - step / 2; share -= step) {
        narrower.setPixelSize(int(share * whole));
        if (QFontMetrics(narrower).horizontalAdvance(text()) <= contentsRect().width())
            break;
    }
    return narrower;
}

} // namespace fleetwright::app
