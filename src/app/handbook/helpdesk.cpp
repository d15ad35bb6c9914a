// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/helpdesk.h"

#include "app/handbook/handbookwindow.h"
#include "app/handbook/helptopics.h"

#include <QApplication>
#include <QDialog>
#include <QKeyEvent>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

HelpDesk::HelpDesk(Settings &settings, QWidget *owner, std::function<QString()> topic)
    : QObject(owner), m_settings(settings), m_owner(owner), m_topic(std::move(topic))
{
    qApp->installEventFilter(this);
}

HelpDesk::~HelpDesk() { delete m_window; }

void HelpDesk::help() { show(m_topic()); }

void HelpDesk::show(const QString &target)
{
    // A dialog that everything waits for lets only its own windows be used.
    auto *modal = QApplication::activeModalWidget();
    if (modal && modal->windowModality() != Qt::ApplicationModal)
        modal = nullptr;
    if (!m_window)
        m_window = new HandbookWindow(Handbook::shipped(), m_settings, modal);
    else if (m_window->parentWidget() != modal)
        m_window->setParent(modal, Qt::Window);
    if (auto *dialog = qobject_cast<QDialog *>(modal))
        connect(dialog, &QDialog::finished, m_window, [window = m_window.data(), dialog] {
            if (window->parentWidget() != dialog)
                return;
            const bool shown = window->isVisible(); // it is read on
            window->setParent(nullptr, Qt::Window);
            window->setVisible(shown);
        });
    m_window->open(HandbookPlace::of(target));
}

QString HelpDesk::topicOf(const QWidget *window) const
{
    if (window == m_window)
        return helpFor(window->objectName(), window);
    QString found;
    for (; window && window != m_owner; window = window->parentWidget() ? window->parentWidget()->window() : nullptr)
        if (found.isEmpty())
            found = helpFor(window->objectName(), window);
    if (window != m_owner)
        return {};
    return found.isEmpty() ? m_topic() : found;
}

bool HelpDesk::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_owner && event->type() == QEvent::Hide && !event->spontaneous() && m_window)
        m_window->close();
    if (event->type() != QEvent::KeyPress)
        return false;
    const auto *key = static_cast<const QKeyEvent *>(event);
    const auto *widget = qobject_cast<const QWidget *>(watched);
    // The owner's menu has the key itself.
    if (!widget || key->key() != Qt::Key_F1 || key->modifiers() != Qt::NoModifier || widget->window() == m_owner)
        return false;
    const auto target = topicOf(widget->window());
    if (target.isEmpty())
        return false;
    show(target);
    return true;
}

} // namespace fleetwright::app
