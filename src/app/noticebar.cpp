// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/noticebar.h"

#include "app/theme.h"
#include "app/widgets/htmllabel.h"

#include <QAccessible>
#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QTime>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int doneMilliseconds = 10000; // long enough to read it and to reach its button
constexpr qsizetype longestList = 500;
constexpr int signSide = 16;

} // namespace

NoticeBar::NoticeBar(QWidget *parent)
    : QFrame(parent), m_sign(new QLabel(this)), m_text(new QLabel(this)), m_more(new QLabel(this)),
      m_actButton(new QPushButton(this)), m_closeButton(new QToolButton(this))
{
    setObjectName(u"notices"_s);
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_text->setObjectName(u"noticeLabel"_s);
    m_text->setForegroundRole(QPalette::Text);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_more->setObjectName(u"moreNoticesLabel"_s);
    m_more->setForegroundRole(QPalette::Text);
    m_actButton->setObjectName(u"noticeActionButton"_s);
    m_actButton->setAutoDefault(false);
    m_closeButton->setObjectName(u"closeNoticeButton"_s);
    m_closeButton->setAutoRaise(true);
    m_closeButton->setFocusPolicy(Qt::StrongFocus);
    m_closeButton->setText(tr("Close"));
    m_closeButton->setToolTip(tr("Close this notice; View > Messages keeps it"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * gridUnit, gridUnit / 2, gridUnit, gridUnit / 2);
    layout->setSpacing(gridUnit);
    layout->addWidget(m_sign);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_more);
    layout->addWidget(m_actButton);
    layout->addWidget(m_closeButton);
    m_leaving.setSingleShot(true);
    m_leaving.setInterval(doneMilliseconds);
    connect(&m_leaving, &QTimer::timeout, this, &NoticeBar::close);
    connect(m_closeButton, &QToolButton::clicked, this, &NoticeBar::close);
    connect(m_actButton, &QPushButton::clicked, this, &NoticeBar::act);
    hide();
}

NoticeBar *NoticeBar::of(const QWidget *widget)
{
    return widget ? widget->window()->findChild<NoticeBar *>() : nullptr;
}

void NoticeBar::tell(Notice notice)
{
    note(notice.text.isEmpty() ? notice.title : tr("%1. %2").arg(notice.title, notice.text));
    if (!notice.key.isEmpty())
        std::erase_if(m_open, [&](const Notice &open) { return open.key == notice.key; });
    m_open.push_back(std::move(notice));
    refresh();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void NoticeBar::note(const QString &text)
{
    m_said.prepend(tr("%1  %2").arg(QTime::currentTime().toString(u"hh:mm:ss"_s), text));
    if (m_said.size() > longestList)
        m_said.removeLast();
    emit noted();
}

void NoticeBar::dismiss(const QString &key)
{
    if (std::erase_if(m_open, [&](const Notice &open) { return open.key == key; }) > 0)
        refresh();
}

QStringList NoticeBar::said() const { return m_said; }

void NoticeBar::close()
{
    if (!m_open.empty())
        m_open.pop_back();
    refresh();
}

void NoticeBar::act()
{
    const auto act = m_open.empty() ? std::function<void()>() : m_open.back().act;
    close();
    if (act)
        act();
}

void NoticeBar::refresh()
{
    m_leaving.stop();
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    if (m_open.empty()) {
        if (hadFocus)
            focusNextPrevChild(false);
        hide();
        return;
    }
    const auto &notice = m_open.back();
    const bool warns = notice.kind == Notice::Kind::Warning;
    m_sign->setVisible(warns);
    m_sign->setPixmap(icon(u"warning"_s, palette()).pixmap(signSide, signSide));
    showHtml(m_text,
        u"<b>%1</b> %2"_s.arg(notice.title.toHtmlEscaped(), notice.text.toHtmlEscaped().replace(u'\n', u"<br>"_s)));
    setAccessibleName(notice.title);
    setAccessibleDescription(notice.text);
    m_more->setVisible(m_open.size() > 1);
    m_more->setText(tr("and %n more", nullptr, int(m_open.size()) - 1));
    m_actButton->setVisible(!notice.action.isEmpty());
    m_actButton->setText(notice.action);
    show();
    if (!warns && !underMouse())
        m_leaving.start();
}

void NoticeBar::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_open.empty())
        m_sign->setPixmap(icon(u"warning"_s, palette()).pixmap(signSide, signSide));
}

void NoticeBar::enterEvent(QEnterEvent *event)
{
    m_leaving.stop(); // it is being read
    QFrame::enterEvent(event);
}

void NoticeBar::leaveEvent(QEvent *event)
{
    if (!m_open.empty() && m_open.back().kind == Notice::Kind::Done)
        m_leaving.start();
    QFrame::leaveEvent(event);
}

} // namespace fleetwright::app
