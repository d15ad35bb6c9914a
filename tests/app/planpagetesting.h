// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/plan/planpage.h"
#include "app/widgets/foldheader.h"
#include "pagetesting.h"
#include "testing/waiting.h"

#include <QToolButton>

#include <algorithm>

namespace fleetwright::app {

/// The Plan page over the sample project, on its plan with TP 8 and PP 4.
class PlanPageFixture : protected PageFixture<PlanPage> {
protected:
    void openSample()
    {
        makeSample();
        showThePlan();
    }
    void showThePlan()
    {
        showPage({1100, 740});
        for (auto *header : m_page->findChildren<FoldHeader *>()) // what is typed into is in sight
            header->setChecked(true);
        m_page->showPlan(thePlan().id);
        QCOMPARE(saved().parallelism.tp, 8);
        solved();
    }

    const storage::SavedPlan &thePlan() const
    {
        return *std::ranges::find_if(m_workspace->plans(), [](const storage::SavedPlan &plan) {
            return plan.document.parallelism.tp == 8 && plan.document.parallelism.pp == 4;
        });
    }

    const PlanDocument &saved() const { return m_workspace->plan(m_page->currentPlan())->document; }
    QString figure(const char *key) { return part<QLabel>(*m_page, QString::fromLatin1(key))->text(); }
    /// Waits for the answer: stored figures cannot be copied.
    void solved() { QTRY_VERIFY(part<QToolButton>(*m_page, QStringLiteral("copyButton"))->isEnabled()); }
};

} // namespace fleetwright::app
