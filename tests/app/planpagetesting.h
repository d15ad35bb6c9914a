// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/plan/planpage.h"
#include "pagetesting.h"

#include <QToolButton>

namespace fleetwright::app {

/// The Plan page over the sample project, on its plan with TP 8 and PP 4.
class PlanPageFixture {
protected:
    void openSample()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace = std::make_unique<Workspace>();
        m_prompts = std::make_unique<ScriptedPrompts>();
        const auto made = m_workspace->createSample(m_folder->filePath(QStringLiteral("sample.fleetwright")));
        QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
        m_page = std::make_unique<PlanPage>(*m_workspace, *m_prompts);
        m_page->resize(1100, 740);
        m_page->show();
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        for (const auto &plan : m_workspace->plans())
            if (plan.document.parallelism.tp == 8 && plan.document.parallelism.pp == 4) {
                m_page->showPlan(plan.id);
                break;
            }
        QCOMPARE(saved().parallelism.tp, 8);
        solved();
    }

    void close()
    {
        m_page.reset();
        m_workspace.reset();
        m_folder.reset();
    }

    const PlanDocument &saved() const { return m_workspace->plan(m_page->currentPlan())->document; }
    QString figure(const char *key) { return part<QLabel>(*m_page, QString::fromLatin1(key))->text(); }
    /// Waits for the answer: stored figures cannot be copied.
    void solved() { QTRY_VERIFY(part<QToolButton>(*m_page, QStringLiteral("copyButton"))->isEnabled()); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<ScriptedPrompts> m_prompts;
    std::unique_ptr<PlanPage> m_page;
};

} // namespace fleetwright::app
