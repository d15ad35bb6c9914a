// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/dialogs/catalogitemdialog.h"
#include "app/pages/catalog/catalogpage.h"
#include "app/settings.h"
#include "app/workspace/workspace.h"
#include "scriptedprompts.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace fleetwright::app {

/// A page of a catalog in a new project, and hands for it and its form.
class CatalogPageFixture {
protected:
    QTemporaryDir m_folder;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<Settings> m_settings;
    ScriptedPrompts m_prompts;
    std::unique_ptr<CatalogPage> m_page;
    int m_files = 0;

    template <class T> T *child(const QString &name) const { return m_page->findChild<T *>(name); }
    QTableView *table() const { return child<QTableView>(QStringLiteral("table")); }
    QDialog *dialog() const { return m_page->findChild<CatalogItemDialog *>(); }
    void click(const QString &button) const { QTest::mouseClick(child<QPushButton>(button), Qt::LeftButton); }
    void press(QDialogButtonBox::StandardButton button) const
    {
        QTest::mouseClick(dialog()->findChild<QDialogButtonBox *>()->button(button), Qt::LeftButton);
    }
    void type(const QString &field, const QString &text) const
    {
        auto *edit = dialog()->findChild<QLineEdit *>(field);
        QVERIFY2(edit, qPrintable(field));
        edit->selectAll();
        QTest::keyClicks(edit, text);
    }
    void show(CatalogKind kind)
    {
        m_page = std::make_unique<CatalogPage>(kind, *m_workspace, m_prompts, *m_settings);
        m_page->resize(1100, 700);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    void openProject()
    {
        m_prompts = {};
        m_settings = std::make_unique<Settings>(m_folder.filePath(QStringLiteral("settings %1.ini").arg(++m_files)));
        m_workspace = std::make_unique<Workspace>();
        const auto created = m_workspace->createProject(
            m_folder.filePath(QStringLiteral("project %1.fleetwright").arg(m_files)));
        QVERIFY2(created, created ? "" : created.error().message.c_str());
    }
    void closeProject()
    {
        m_page.reset();
        m_workspace.reset();
    }
};

} // namespace fleetwright::app
