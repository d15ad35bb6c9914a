// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/mainwindow.h"
#include "app/theme.h"
#include "scriptedprompts.h"
#include "testing/putfile.h"

#include <QAction>
#include <QTemporaryDir>
#include <QTest>

namespace fleetwright::app {

/// The window with settings of its own, and questions that are answered from a script.
class MainWindowFixture {
protected:
    void start()
    {
        m_prompts = {};
        m_settings = std::make_unique<Settings>(m_folder.filePath(QStringLiteral("settings %1.ini").arg(++m_files)));
        open();
    }
    QAction *action(const QString &name) const { return m_window->findChild<QAction *>(name); }
    template <class T> T *child(const QString &name) const { return m_window->findChild<T *>(name); }
    QString newFile() { return m_folder.filePath(QStringLiteral("project %1.fleetwright").arg(++m_files)); }
    QString createProject()
    {
        m_prompts.fileName = newFile();
        action(QStringLiteral("actionNewProject"))->trigger();
        return m_prompts.fileName;
    }
    static QByteArray planText(const QByteArray &name)
    {
        return "fleetwright: 1\nname: " + name
            + "\nworkload: llama3_1_70b\nfleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}\n"
              "parallelism: {tp: 8, pp: 4}\ntraining: {global_batch: 256, microbatch_count: 16, seq_len: 2048, "
              "precision: fp16}\n";
    }
    void importPlan(const QByteArray &name)
    {
        m_prompts.fileName = putFile(m_folder.filePath(QStringLiteral("plan.yaml")), planText(name));
        action(QStringLiteral("actionImport"))->trigger();
    }
    void open()
    {
        m_window = std::make_unique<MainWindow>(*m_settings, m_prompts);
        m_window->resize(1280, 760); // the screen of the tests is narrower
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    QTemporaryDir m_folder;
    std::unique_ptr<Settings> m_settings;
    ScriptedPrompts m_prompts;
    std::unique_ptr<MainWindow> m_window;
    int m_files = 0;
};

} // namespace fleetwright::app
