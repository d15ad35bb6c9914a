// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/handbookhelp.h"

#include "app/dialogs/quicksearch.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMainWindow>
#include <QMenu>
#include <QWindow>

#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

HandbookHelp::HandbookHelp(Settings &settings, std::function<QString(const QWidget *focus)> topic, QMainWindow *window)
    : QObject(window), m_settings(settings), m_topic(std::move(topic)), m_window(window)
{
    qApp->installEventFilter(this);
}

void HandbookHelp::showHere()
{
    const auto *focus = QApplication::focusWidget();
    open(placeOf(m_topic(focus ? focus : QApplication::activeWindow())));
}

void HandbookHelp::open(const HandbookPlace &place)
{
    if (!m_handbook) {
        m_handbook = std::make_unique<HandbookWindow>(m_settings);
        m_handbook->setWindowIcon(m_window->windowIcon());
    }
    m_handbook->open(place);
    // A dialog that waits for an answer blocks every other window but those that belong to it, so for that time the
    // handbook does. Whether a window is blocked is decided when it is shown.
    auto *dialog = QApplication::activeModalWidget();
    m_handbook->winId();
    auto *handle = m_handbook->windowHandle();
    auto *owner = dialog ? dialog->windowHandle() : nullptr;
    if (handle->transientParent() != owner) {
        m_handbook->hide();
        handle->setTransientParent(owner);
    }
    if (m_handbook->isMinimized())
        m_handbook->showNormal();
    m_handbook->QWidget::show();
    m_handbook->raise();
    m_handbook->activateWindow();
    m_handbook->focusSearch();
}

void HandbookHelp::addEntries(std::vector<SearchEntry> &entries)
{
    for (const auto &page : handbookPages())
        for (std::size_t i = 0; i < page.sections.size(); ++i) {
            const HandbookHit hit{&page, i, {}};
            entries.push_back({hit.title(), tr("handbook"), [this, place = hit.place()] { open(place); }});
        }
}

/// The main window has a menu entry with this key; dialogs, which are windows of their own, have none.
bool HandbookHelp::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return false;
    const auto *key = static_cast<const QKeyEvent *>(event);
    const auto *widget = qobject_cast<const QWidget *>(watched);
    if (key->key() != Qt::Key_F1 || key->modifiers() != Qt::NoModifier || !widget || qobject_cast<const QMenu *>(widget)
        || (m_handbook && widget->window() == m_handbook.get()))
        return false;
    open(placeOf(m_topic(widget)));
    return true;
}

} // namespace fleetwright::app
