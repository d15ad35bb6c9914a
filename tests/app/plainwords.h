// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "testing/documentkeys.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QTabWidget>
#include <QTableView>
#include <QTextEdit>

/// Keys of documents in the window.
namespace fleetwright::app {

using testing::keysIn;

inline QStringList keysOfItems(const QAbstractItemView &view)
{
    constexpr int mostRows = 60;
    QStringList found;
    const auto *model = view.model();
    const auto place = view.objectName();
    for (int column = 0; model && column < model->columnCount(); ++column) {
        const auto *grid = qobject_cast<const QTableView *>(&view);
        const auto *table = grid ? grid->horizontalHeader() : nullptr;
        if (table && table->orientation() == Qt::Horizontal && column < table->count()
            && table->isSectionHidden(column))
            continue;
        found << keysIn(model->headerData(column, Qt::Horizontal).toString(), place);
        for (int row = 0; row < std::min(mostRows, model->rowCount()); ++row)
            found << keysIn(model->index(row, column).data().toString(), place);
    }
    return found;
}

/// Of everything in the window that is in sight, with the tooltips of widgets. Those of cells quote fields and notes of
/// sources as these name them.
inline QStringList documentKeysIn(const QWidget &window)
{
    QStringList found;
    for (const auto *widget : window.findChildren<QWidget *>()) {
        if (!widget->isVisible())
            continue;
        const auto place = widget->objectName();
        found << keysIn(widget->toolTip(), place);
        if (const auto *label = qobject_cast<const QLabel *>(widget))
            found << keysIn(label->text(), place);
        else if (const auto *button = qobject_cast<const QAbstractButton *>(widget))
            found << keysIn(button->text(), place);
        else if (const auto *group = qobject_cast<const QGroupBox *>(widget))
            found << keysIn(group->title(), place);
        else if (const auto *text = qobject_cast<const QTextEdit *>(widget))
            found << keysIn(text->toPlainText(), place);
        else if (const auto *view = qobject_cast<const QAbstractItemView *>(widget);
                 view && !qobject_cast<const QHeaderView *>(view))
            found << keysOfItems(*view);
        else if (const auto *combo = qobject_cast<const QComboBox *>(widget))
            for (int i = 0; i < combo->count(); ++i)
                found << keysIn(combo->itemText(i), place);
        else if (const auto *tabs = qobject_cast<const QTabWidget *>(widget))
            for (int i = 0; i < tabs->count(); ++i)
                found << keysIn(tabs->tabText(i), place) << keysIn(tabs->tabToolTip(i), place);
    }
    found.removeDuplicates();
    return found;
}

} // namespace fleetwright::app
