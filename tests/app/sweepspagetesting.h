// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/sweeps/sweepspage.h"
#include "pagetesting.h"
#include "testing/waiting.h"

#include <QAbstractButton>
#include <QSignalSpy>
#include <QTableView>

namespace fleetwright::app {

/// The Sweeps page over the sample project.
class SweepsPageFixture : protected PageFixture<SweepsPage> {
protected:
    void openSample()
    {
        makeSample();
        QCOMPARE(m_workspace->sweeps().size(), 5UZ);
        makePage();
        QVERIFY(m_page->currentSweep() != 0);
    }

    void makePage(jobs::SweepJob::Solver solver = [](const Plan &plan) { return solve(plan); })
    {
        showPage({1080, 720}, std::move(solver));
    }

    /// The answer comes by itself.
    void awaitAnswer()
    {
        const auto *table = part<QTableView>(*m_page, QStringLiteral("sweepTable"));
        QTRY_COMPARE(table->currentIndex().siblingAtColumn(1).data().toString(), QStringLiteral("current"));
    }

    void enter(const QString &name, const QString &text)
    {
        auto *edit = part<QLineEdit>(*m_page, name);
        edit->setFocus();
        QTest::keyClick(edit, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(edit, Qt::Key_Delete);
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    }

    const SweepDocument &saved() const { return m_workspace->sweep(m_page->currentSweep())->document; }
    void click(const QString &button) { QTest::mouseClick(part<QAbstractButton>(*m_page, button), Qt::LeftButton); }
    /// With plain blanks where units have no-break ones.
    QString label(const QString &name)
    {
        return part<QLabel>(*m_page, name)->text().replace(QChar(0x00a0), QLatin1Char(' '));
    }
    void show(int index) { m_page->showSweep(m_workspace->sweeps().at(std::size_t(index)).id); }
};

} // namespace fleetwright::app
