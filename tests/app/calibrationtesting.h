// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/dialogs/calibration/calibrationdialog.h"
#include "pagetesting.h"
#include "workspacetesting.h"

#include <QDialogButtonBox>
#include <QPushButton>

#include <memory>

namespace fleetwright::app {

/// The dialog over an empty project of its own.
class CalibrationFixture {
protected:
    void open()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace = std::make_unique<Workspace>();
        m_prompts = std::make_unique<ScriptedPrompts>();
        QVERIFY(m_workspace->createProject(m_folder->filePath(QStringLiteral("mine.fleetwright"))).has_value());
        m_dialog = std::make_unique<CalibrationDialog>(*m_workspace, *m_prompts);
        m_dialog->QWidget::show();
        m_dialog->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
    }
    void close()
    {
        m_dialog.reset();
        m_workspace.reset();
    }
    void click(QWidget &where, const QString &button)
    {
        QTest::mouseClick(part<QPushButton>(where, button), Qt::LeftButton);
    }
    QDialog *form() { return m_dialog->findChild<QDialog *>(QStringLiteral("MeasuredRunDialog")); }
    void save(QWidget &dialog)
    {
        auto *buttons = part<QDialogButtonBox>(dialog, QStringLiteral("buttons"));
        QTest::mouseClick(buttons->button(QDialogButtonBox::Save), Qt::LeftButton);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<ScriptedPrompts> m_prompts;
    std::unique_ptr<CalibrationDialog> m_dialog;
};

} // namespace fleetwright::app
