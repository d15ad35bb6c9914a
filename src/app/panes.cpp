// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panes.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>

#include <algorithm>

namespace fleetwright::app {

namespace {

bool isStop(const QWidget &widget)
{
    const bool isFrameOnly = qobject_cast<const QScrollArea *>(&widget) != nullptr; // which shows no focus
    return (widget.focusPolicy() & Qt::TabFocus) != 0 && !widget.focusProxy() && widget.isVisible()
        && widget.isEnabled() && !isFrameOnly;
}

/// In the order of Tab.
std::vector<QWidget *> stopsIn(QWidget *part)
{
    std::vector<QWidget *> stops;
    if (!part || !part->isVisible())
        return stops;
    auto *widget = part;
    do {
        if ((widget == part || part->isAncestorOf(widget)) && isStop(*widget))
            stops.push_back(widget);
        widget = widget->nextInFocusChain();
    } while (widget != part);
    return stops;
}

/// What of the page a widget belongs to: a part of a splitter, tabs, or else the page.
const QWidget *partOf(const QWidget *widget, const QWidget *page)
{
    for (; widget != page; widget = widget->parentWidget())
        if (qobject_cast<const QTabWidget *>(widget) || qobject_cast<const QSplitter *>(widget->parentWidget()))
            return widget;
    return page;
}

bool isField(const QWidget *widget)
{
    const auto *line = qobject_cast<const QLineEdit *>(widget);
    return (line && !line->isReadOnly()) || qobject_cast<const QComboBox *>(widget);
}

/// The first table, or else the first field, or else whatever is first.
void enter(const std::vector<QWidget *> &stops, Qt::FocusReason reason)
{
    const auto isTable = [](const QWidget *widget) {
        return qobject_cast<const QAbstractItemView *>(widget) != nullptr;
    };
    auto found = std::ranges::find_if(stops, isTable);
    if (found == stops.end())
        found = std::ranges::find_if(stops, isField);
    if (found == stops.end())
        found = stops.begin();
    if (found != stops.end())
        (*found)->setFocus(reason);
}

} // namespace

Panes::Panes(QWidget *navigation, QStackedWidget *pages, QWidget *notices)
    : m_navigation(navigation), m_pages(pages), m_notices(notices)
{
}

std::vector<Panes::Pane> Panes::panes() const
{
    std::vector<Pane> all{stopsIn(m_navigation)};
    auto *page = m_pages->currentWidget();
    std::vector<const QWidget *> parts;
    for (auto *stop : stopsIn(page)) {
        const auto *part = partOf(stop, page);
        const auto known = std::ranges::find(parts, part);
        if (known == parts.end()) {
            parts.push_back(part);
            all.push_back({stop});
        } else {
            all[1 + std::size_t(known - parts.begin())].push_back(stop);
        }
    }
    all.push_back(stopsIn(m_notices));
    std::erase_if(all, [](const Pane &pane) { return pane.empty(); });
    return all;
}

void Panes::step(int by)
{
    const auto all = panes();
    const auto *focus = QApplication::focusWidget();
    const auto count = int(all.size());
    int now = by > 0 ? 0 : 1; // from nowhere into the page, or to the navigation
    for (int i = 0; i < count; ++i)
        if (std::ranges::find(all[std::size_t(i)], focus) != all[std::size_t(i)].end())
            now = i;
    if (count > 0)
        enter(all[std::size_t((now + by + count) % count)], by > 0 ? Qt::TabFocusReason : Qt::BacktabFocusReason);
}

void Panes::next() { step(1); }
void Panes::previous() { step(-1); }
void Panes::enterPage() { enter(stopsIn(m_pages->currentWidget()), Qt::ShortcutFocusReason); }

bool Panes::isInPage() const
{
    const auto *page = m_pages->currentWidget();
    const auto *focus = QApplication::focusWidget();
    return page && focus && page->isAncestorOf(focus);
}

} // namespace fleetwright::app
