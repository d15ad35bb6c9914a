// SPDX-License-Identifier: GPL-3.0-or-later
// The dialogs that the menus open.
#include "app/mainwindow.h"

#include "app/dialogs/aboutdialog.h"
#include "app/dialogs/calibration/calibrationdialog.h"
#include "app/dialogs/catalogupdatedialog.h"
#include "app/dialogs/historydialog.h"
#include "app/dialogs/messagesdialog.h"
#include "app/dialogs/versionsdialog.h"

#include <QAction>

#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

void MainWindow::calibrate()
{
    if (!m_workspace.isOpen())
        return;
    if (!m_calibration) {
        m_calibration = new CalibrationDialog(m_workspace, m_prompts, this);
        m_calibration->setAttribute(Qt::WA_DeleteOnClose);
    }
    m_calibration->show();
    m_calibration->raise();
    m_calibration->activateWindow();
}

void MainWindow::updateCatalogs()
{
    openCatalogUpdate(m_workspace, m_prompts, this, [this](const QString &text) { say(text); });
}

void MainWindow::showHistory()
{
    if (!m_history) {
        m_history = new HistoryDialog(m_workspace, m_prompts, this);
        m_history->setAttribute(Qt::WA_DeleteOnClose);
    }
    m_history->show();
    m_history->raise();
    m_history->activateWindow();
}

void MainWindow::showMessages()
{
    if (!m_messages) {
        m_messages = new MessagesDialog(*m_notices, this);
        m_messages->setAttribute(Qt::WA_DeleteOnClose);
    }
    m_messages->show();
    m_messages->raise();
    m_messages->activateWindow();
}

void MainWindow::showVersions()
{
    VersionsDialog dialog(m_workspace, m_prompts, this);
    tell(&dialog, &VersionsDialog::told);
    dialog.exec();
}

void MainWindow::showShortcuts()
{
    std::vector<std::pair<QString, QString>> shortcuts;
    for (const auto *action : findChildren<QAction *>())
        if (!action->shortcut().isEmpty() && !action->text().isEmpty())
            shortcuts.emplace_back(action->shortcut().toString(QKeySequence::NativeText),
                QString(action->text()).remove(u'&').remove(u'…'));
    showShortcutsDialog(shortcuts, this);
}

void MainWindow::showAbout() { showAboutDialog(this); }

} // namespace fleetwright::app
