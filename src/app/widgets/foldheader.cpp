// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/foldheader.h"

#include "app/theme.h"

#include <QAccessibleWidget>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QStyleOption>
#include <QToolTip>

namespace fleetwright::app {

namespace {

constexpr int foldArrow = 12;
constexpr int foldGap = 6;

QFont foldTitleFont(QFont font)
{
    font.setBold(true);
    font.setCapitalization(QFont::AllUppercase);
    return font;
}

/// A screen reader hears "expanded" and "collapsed", not a pressed button.
class AccessibleFoldHeader : public QAccessibleWidget {
public:
    explicit AccessibleFoldHeader(FoldHeader *header) : QAccessibleWidget(header, QAccessible::Button) { }

    [[nodiscard]] QAccessible::State state() const override
    {
        auto state = QAccessibleWidget::state();
        const bool unfolded = static_cast<const FoldHeader *>(widget())->isChecked();
        state.expandable = true;
        state.expanded = unfolded;
        state.collapsed = !unfolded;
        return state;
    }
    [[nodiscard]] QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString &action) override
    {
        if (action == pressAction())
            static_cast<FoldHeader *>(widget())->click();
    }
};

QAccessibleInterface *foldHeaderInterface(const QString &, QObject *object)
{
    auto *header = qobject_cast<FoldHeader *>(object);
    return header ? new AccessibleFoldHeader(header) : nullptr;
}

} // namespace

FoldHeader::FoldHeader(QWidget *parent) : QAbstractButton(parent)
{
    [[maybe_unused]] static const bool installed = (QAccessible::installFactory(foldHeaderInterface), true);
    setCheckable(true);
    setChecked(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QAbstractButton::toggled, this, &FoldHeader::refresh);
}

void FoldHeader::setContent(QWidget *content, const QString &title)
{
    m_content = content;
    setText(title);
    refresh();
}

void FoldHeader::setSummary(const QString &summary)
{
    m_summary = summary;
    refresh();
}

void FoldHeader::setRefusal(const QString &sentence)
{
    m_refusal = sentence;
    refresh();
}

void FoldHeader::refresh()
{
    if (m_content)
        m_content->setVisible(isChecked());
    setAccessibleName(text());
    setAccessibleDescription(m_refusal.isEmpty() ? m_summary : m_refusal);
    update();
}

QString FoldHeader::line() const
{
    return m_refusal.isEmpty() && isChecked() ? QString() : m_refusal + (m_refusal.isEmpty() ? m_summary : QString());
}

/// Of a refusal that has no room what comes before its semicolon, whole: what to do about it is said elsewhere, too.
QString FoldHeader::fittingIn(int width) const
{
    const auto whole = line();
    const auto gist = whole.section(u';', 0, 0);
    const bool fits = fontMetrics().horizontalAdvance(whole) <= width;
    return fits || m_refusal.isEmpty() || fontMetrics().horizontalAdvance(gist) > width
        ? fontMetrics().elidedText(whole, Qt::ElideRight, width)
        : gist;
}

QSize FoldHeader::sizeHint() const
{
    const QFontMetrics title(foldTitleFont(font()));
    return {title.horizontalAdvance(text().toUpper()) + 2 * (foldArrow + foldGap)
            + fontMetrics().horizontalAdvance(m_summary),
        title.height() + gridUnit};
}

QSize FoldHeader::minimumSizeHint() const
{
    return {QFontMetrics(foldTitleFont(font())).horizontalAdvance(text().toUpper()) + 2 * (foldArrow + foldGap),
        sizeHint().height()};
}

QRect FoldHeader::mirrored(const QRect &place) const { return QStyle::visualRect(layoutDirection(), rect(), place); }

QRect FoldHeader::lineRect() const
{
    const int title = QFontMetrics(foldTitleFont(font())).horizontalAdvance(text().toUpper());
    return mirrored(rect().adjusted(foldArrow + title + 3 * foldGap, 0, -foldGap, 0));
}

bool FoldHeader::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractButton::event(event);
    QToolTip::showText(
        static_cast<QHelpEvent *>(event)->globalPos(), m_refusal.isEmpty() ? m_summary : m_refusal, this);
    return true;
}

void FoldHeader::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

void FoldHeader::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    QStyleOption option;
    option.initFrom(this);
    painter.fillRect(rect(), palette().color(underMouse() ? QPalette::Midlight : QPalette::AlternateBase));
    option.rect = mirrored(QRect(foldGap / 2, (height() - foldArrow) / 2, foldArrow, foldArrow));
    const auto closed = isRightToLeft() ? QStyle::PE_IndicatorArrowLeft : QStyle::PE_IndicatorArrowRight;
    style()->drawPrimitive(isChecked() ? QStyle::PE_IndicatorArrowDown : closed, &option, &painter, this);
    painter.setFont(foldTitleFont(font()));
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(mirrored(rect().adjusted(foldArrow + foldGap, 0, 0, 0)),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextShowMnemonic, text());
    painter.setFont(font());
    auto place = lineRect();
    if (!m_refusal.isEmpty()) { // colour alone says nothing to some
        const int size = foldArrow + 2;
        style()
            ->standardIcon(QStyle::SP_MessageBoxWarning)
            .paint(&painter,
                QRect(isRightToLeft() ? place.right() - size : place.left(), (height() - size) / 2, size, size));
        if (isRightToLeft())
            place.setRight(place.right() - size - foldGap);
        else
            place.setLeft(place.left() + size + foldGap);
        painter.setPen(errorColour(palette()));
    }
    style()->drawItemText(&painter, place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, palette(), true,
        fittingIn(place.width()));
    if (hasFocus()) {
        QStyleOptionFocusRect focus;
        focus.initFrom(this);
        focus.backgroundColor = palette().color(QPalette::Window);
        style()->drawPrimitive(QStyle::PE_FrameFocusRect, &focus, &painter, this);
    }
}

} // namespace fleetwright::app
