// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/columnlist.h"

#include "app/theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QScrollBar>
#include <QVBoxLayout>
#include <QWidgetAction>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

ColumnList::ColumnList(QMenu &menu) : QWidget(&menu), m_find(new QLineEdit(this)), m_list(new QListWidget(this))
{
    m_find->setObjectName(u"findColumn"_s);
    m_find->setPlaceholderText(tr("Find a column"));
    m_find->setAccessibleName(tr("Find a column"));
    m_find->setClearButtonEnabled(true);
    m_find->installEventFilter(this);
    m_list->setObjectName(u"columnList"_s);
    m_list->setAccessibleName(tr("Columns"));
    m_list->setUniformItemSizes(true);
    m_list->installEventFilter(this);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(gridUnit / 2, gridUnit / 2, gridUnit / 2, gridUnit / 2);
    layout->setSpacing(gridUnit / 2);
    layout->addWidget(m_find);
    layout->addWidget(m_list);
    connect(m_find, &QLineEdit::textChanged, this, &ColumnList::narrow);
    connect(m_list, &QListWidget::itemClicked, this, &ColumnList::tick);
    auto *action = new QWidgetAction(&menu);
    action->setDefaultWidget(this);
    menu.addAction(action);
}

void ColumnList::setColumns(const std::vector<Entry> &columns)
{
    constexpr int rows = 14;
    m_find->clear();
    m_list->clear();
    for (const auto &column : columns) {
        auto *item = new QListWidgetItem(column.title, m_list);
        item->setData(Qt::UserRole, column.key);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable); // a click anywhere on it ticks, not on its box alone
        item->setCheckState(column.shown ? Qt::Checked : Qt::Unchecked);
    }
    const int frame = 2 * m_list->frameWidth();
    m_list->setFixedSize(m_list->sizeHintForColumn(0) + m_list->verticalScrollBar()->sizeHint().width() + frame,
        std::clamp(m_list->count(), 1, rows) * m_list->sizeHintForRow(0) + frame);
}

void ColumnList::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_find->setFocus(Qt::PopupFocusReason);
}

bool ColumnList::eventFilter(QObject *watched, QEvent *event)
{
    const auto *key = event->type() == QEvent::KeyPress ? static_cast<QKeyEvent *>(event) : nullptr;
    if (key && watched == m_find && key->key() == Qt::Key_Down) {
        int first = 0;
        while (first < m_list->count() && m_list->item(first)->isHidden())
            ++first;
        m_list->setCurrentRow(first);
        m_list->setFocus();
        return true;
    }
    if (key && watched == m_list && key->key() == Qt::Key_Space && m_list->currentItem()) {
        tick(m_list->currentItem());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void ColumnList::narrow(const QString &text)
{
    for (int row = 0; row < m_list->count(); ++row)
        m_list->item(row)->setHidden(!m_list->item(row)->text().contains(text.trimmed(), Qt::CaseInsensitive));
}

void ColumnList::tick(QListWidgetItem *item)
{
    const bool shown = item->checkState() != Qt::Checked;
    item->setCheckState(shown ? Qt::Checked : Qt::Unchecked);
    emit ticked(item->data(Qt::UserRole).toString(), shown);
}

} // namespace fleetwright::app
