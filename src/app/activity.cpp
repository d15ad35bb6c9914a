// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/activity.h"

#include "app/theme.h"

#include <QAbstractButton>
#include <QEvent>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QToolButton>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {
constexpr int patienceMilliseconds = 500, barWidth = 120;
}

Activity::Activity(QWidget *parent)
    : QWidget(parent), m_pageButton(new QToolButton(this)), m_bar(new QProgressBar(this)),
      m_cancelButton(new QToolButton(this))
{
    setObjectName(u"activity"_s);
    m_pageButton->setObjectName(u"activityPageButton"_s);
    m_pageButton->setAutoRaise(true);
    m_pageButton->setToolTip(tr("Go to the page"));
    m_bar->setObjectName(u"activityBar"_s);
    m_bar->setFixedWidth(barWidth);
    m_bar->setTextVisible(false);
    m_cancelButton->setObjectName(u"activityCancelButton"_s);
    m_cancelButton->setAutoRaise(true);
    m_cancelButton->setText(tr("Cancel"));
    for (auto *button : {m_pageButton, m_cancelButton})
        button->setFocusPolicy(Qt::TabFocus);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(gridUnit / 2);
    layout->addWidget(m_pageButton);
    layout->addWidget(m_bar);
    layout->addWidget(m_cancelButton);
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMilliseconds);
    connect(&m_patience, &QTimer::timeout, this, &Activity::refresh);
    connect(m_pageButton, &QToolButton::clicked, this, [this] {
        if (const auto all = running(); !all.empty())
            emit pageRequested(all.back()->id);
    });
    connect(m_cancelButton, &QToolButton::clicked, this, [this] {
        if (const auto all = running(); !all.empty())
            all.back()->work.cancel->click();
    });
    hide();
}

void Activity::add(Page *page, const QString &id, const QString &title)
{
    page->installEventFilter(this);
    for (const auto &work : page->work()) {
        m_entries.push_back({page, id, title, work});
        work.shown->installEventFilter(this);
        connect(work.bar, &QProgressBar::valueChanged, this, [this] {
            if (isVisible())
                refresh();
        });
    }
    connect(page, &QObject::destroyed, this,
        [this, page] { std::erase_if(m_entries, [page](const Entry &entry) { return entry.page == page; }); });
}

std::vector<const Activity::Entry *> Activity::running() const
{
    std::vector<const Entry *> found;
    for (const auto &entry : m_entries)
        if (!entry.page->isVisible() && !entry.work.shown->isHidden())
            found.push_back(&entry);
    return found;
}

void Activity::refresh()
{
    const auto all = running();
    setVisible(!all.empty());
    if (all.empty())
        return;
    const auto &entry = *all.back();
    m_pageButton->setText(all.size() > 1 ? tr("%1 and %2 more are working").arg(entry.title).arg(all.size() - 1)
                                         : tr("%1 is working").arg(entry.title));
    m_bar->setRange(entry.work.bar->minimum(), entry.work.bar->maximum());
    m_bar->setValue(entry.work.bar->value());
    m_bar->setAccessibleName(entry.work.bar->accessibleName());
    m_cancelButton->setToolTip(tr("Cancel: %1").arg(entry.work.bar->accessibleName()));
    m_cancelButton->setAccessibleName(m_cancelButton->toolTip());
}

bool Activity::eventFilter(QObject *watched, QEvent *event)
{
    // A bar on a hidden page is told of its own showing all the same.
    switch (event->type()) {
    case QEvent::Show:
    case QEvent::ShowToParent:
    case QEvent::Hide:
    case QEvent::HideToParent:
        if (running().empty())
            refresh();
        else
            m_patience.start();
        break;
    default: break;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace fleetwright::app
