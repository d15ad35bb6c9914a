// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/page.h"

#include <QApplication>
#include <QLineEdit>
#include <QShortcut>

namespace fleetwright::app {

Page::Page(QWidget *parent) : QWidget(parent)
{
    auto *find = new QShortcut(QKeySequence::Find, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, this, &Page::find);
}

/// Of several the one that stands next to the focus.
QLineEdit *Page::filter() const
{
    const auto *around = QApplication::focusWidget();
    if (!around || !isAncestorOf(around))
        around = this;
    for (;; around = around->parentWidget()) {
        for (auto *edit : around->findChildren<QLineEdit *>())
            if ((edit->property("filters").isValid() || edit->property("finds").toBool()) && edit->isVisible()
                && edit->isEnabled())
                return edit;
        if (around == this)
            return nullptr;
    }
}

void Page::find()
{
    if (auto *edit = filter()) {
        edit->setFocus(Qt::ShortcutFocusReason);
        edit->selectAll();
    } else {
        emit statusMessage(tr("Nothing on this page can be filtered."));
    }
}

} // namespace fleetwright::app
