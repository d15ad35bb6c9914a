// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of sweeps beside the pages of their plans: the same verdict, and what both go by.
#include "sweepspagetesting.h"

#include "app/pages/sweeps/sweepcells.h"
#include "exchange/rangedsolution.h"
#include "itemmodels/sweepmodel.h"
#include "solver/samplerun.h"
#include "testing/registry.h"
#include "text/utf8.h"

#include <QAbstractProxyModel>
#include <QTextBrowser>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestSweepVerdicts : public QObject, private SweepsPageFixture {
    Q_OBJECT
private slots:
    void init() { openSample(); }
    void cleanup() { close(); }
    void saysThatRunsAreNotCounted();
};

/// As runs come and go, of a cost model that they move.
void TestSweepVerdicts::saysThatRunsAreNotCounted()
{
    show(0);
    const auto isSaid = [this] {
        return part<QLabel>(*m_page, u"verdictLabel"_s)->text().contains(utf8(validation::formulaAlone));
    };
    auto asked = saved();
    asked.costModels = {"detailed"};
    QVERIFY(m_workspace->editSweep(m_page->currentSweep(), asked).has_value());
    awaitAnswer();
    QVERIFY(!isSaid());
    QVERIFY(m_workspace->addMeasuredRuns({samplerun::run("a", 12)}).has_value());
    QVERIFY(isSaid());
    m_workspace->undo();
    QVERIFY(m_workspace->measuredRuns().empty() && !isSaid());
    m_workspace->redo();
    QVERIFY(isSaid());
    auto unusable = m_workspace->measuredRuns().front();
    unusable.document.measured.stepTime.reset();
    QVERIFY(m_workspace->editMeasuredRun(unusable.id, unusable.document).has_value());
    QVERIFY(!isSaid());
    m_workspace->undo();
    QVERIFY(isSaid());
    asked.costModels = {"first-order"};
    QVERIFY(m_workspace->editSweep(m_page->currentSweep(), asked).has_value());
    awaitAnswer();
    QVERIFY(!isSaid());
}

FLEETWRIGHT_TEST(TestSweepVerdicts)
#include "tst_sweepverdicts.moc"
