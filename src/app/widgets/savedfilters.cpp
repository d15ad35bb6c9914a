// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/savedfilters.h"

#include "app/settings.h"
#include "app/theme.h"

#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

SavedFilters::SavedFilters(QLineEdit &edit, Settings &settings, const QString &name)
    : QObject(&edit), m_edit(edit), m_settings(settings), m_name(name), m_menu(new QMenu(&edit)),
      m_action(edit.addAction(QIcon(), QLineEdit::TrailingPosition))
{
    setObjectName(u"savedFilters"_s);
    m_menu->setObjectName(u"savedFiltersMenu"_s);
    m_action->setObjectName(u"savedFiltersAction"_s);
    m_action->setText(tr("Saved filters"));
    m_action->setToolTip(tr("Saved filters (the Down key)"));
    connect(m_action, &QAction::triggered, this, &SavedFilters::popUp);
    edit.installEventFilter(this);
    updateIcon();
}

void SavedFilters::updateIcon() { m_action->setIcon(icon(u"filter"_s, m_edit.palette())); }

void SavedFilters::fill()
{
    m_menu->clear();
    const auto kept = m_settings.filters(m_name);
    const auto now = m_edit.text().trimmed();
    for (const auto &filter : kept) {
        auto *action = m_menu->addAction(QString(filter).replace(u'&', u"&&"_s));
        action->setCheckable(true);
        action->setChecked(filter == now);
        connect(action, &QAction::triggered, &m_edit, [this, filter] { m_edit.setText(filter); });
    }
    if (kept.isEmpty())
        m_menu->addAction(tr("No filter is saved yet"))->setEnabled(false);
    m_menu->addSeparator();
    if (kept.contains(now)) {
        connect(m_menu->addAction(tr("&Forget “%1”").arg(now)), &QAction::triggered, this,
            [this, now] { m_settings.removeFilter(m_name, now); });
    } else {
        auto *save = m_menu->addAction(now.isEmpty() ? tr("&Save this filter") : tr("&Save “%1”").arg(now));
        save->setEnabled(!now.isEmpty());
        connect(save, &QAction::triggered, this, [this, now] { m_settings.addFilter(m_name, now); });
    }
}

void SavedFilters::popUp()
{
    fill();
    m_menu->popup(m_edit.mapToGlobal(QPoint(0, m_edit.height())));
    for (auto *action : m_menu->actions())
        if (action->isEnabled() && !action->isSeparator())
            return m_menu->setActiveAction(action); // the keys go on from there
}

bool SavedFilters::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        updateIcon();
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Down) {
        popUp();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

FilterMemory::FilterMemory(Settings &settings, QObject *parent) : QObject(parent), m_settings(settings)
{
    qApp->installEventFilter(this);
}

bool FilterMemory::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::Polish)
        return false;
    auto *edit = qobject_cast<QLineEdit *>(watched);
    const auto name = edit ? edit->property("filters").toString() : QString();
    if (!name.isEmpty() && !edit->findChild<SavedFilters *>(QString(), Qt::FindDirectChildrenOnly))
        new SavedFilters(*edit, m_settings, name);
    return false;
}

} // namespace fleetwright::app
