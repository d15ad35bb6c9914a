// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/decide/decidepage.h"
#include "jobs/sizejob.h"
#include "solver/sizesample.h"
#include "testing/waiting.h"

#include "pagetesting.h"

#include <QLabel>
#include <QPushButton>
#include <QSemaphore>
#include <QTableView>

#include <atomic>
#include <memory>

namespace fleetwright::app {

/// Answers with what a test holds ready, when it lets it.
struct Sizer {
    std::shared_ptr<std::atomic<int>> asked = std::make_shared<std::atomic<int>>(0);
    std::shared_ptr<QSemaphore> let = std::make_shared<QSemaphore>(1'000'000);
    Expected<size::Result> answer = sizesample::feasible();
    std::optional<size::Result> partial{}; ///< shown before the answer

    jobs::SizeJob::Sizer function() const
    {
        return [asked = asked, let = let, answer = answer, partial = partial](const DecisionDocument &, const Catalog &,
                   const size::RangeOf &, const size::Control &control) -> Expected<size::Result> {
            ++*asked;
            if (partial && control.progress)
                control.progress({.share = 0.5, .partial = std::make_shared<const size::Result>(*partial)});
            while (!let->tryAcquire(1, 5))
                if (control.stop.stop_requested())
                    return refuse(ErrorCode::Cancelled, {}, "The answer was cancelled.");
            return answer;
        };
    }
};

/// The page with a question of its own, answered by a Sizer.
class DecideFixture : protected PageFixture<DecidePage> {
protected:
    void open(const Sizer &sizer = {}, bool withDecision = true)
    {
        makeWorkspace();
        QVERIFY(m_workspace->createProject(m_folder->filePath(QStringLiteral("empty.fleetwright"))).has_value());
        if (withDecision)
            QVERIFY(m_workspace->addDecision(sizesample::question()).has_value());
        showPage({1060, 700}, sizer.function());
    }
    const DecisionDocument &saved() const { return m_workspace->decision(m_page->currentDecision())->document; }
    void waitForAnswer()
    {
        QTRY_VERIFY(part<QTableView>(*m_page, QStringLiteral("fleetsTable"))->model()->rowCount() > 0);
        QTRY_VERIFY(m_workspace->decisionResult(m_page->currentDecision()).has_value());
        QTRY_VERIFY(!part<QWidget>(*m_page, QStringLiteral("progressBar"))->isVisible());
    }
    QString state() { return part<QLabel>(*m_page, QStringLiteral("stateLabel"))->text(); }
    void press(const QString &button) { QTest::mouseClick(part<QPushButton>(*m_page, button), Qt::LeftButton); }
};

} // namespace fleetwright::app
