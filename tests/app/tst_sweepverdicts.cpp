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
    void cellsAgreeWithTheirPlans();
    void saysThatRunsAreNotCounted();
};

/// What is only likely by a plan's own page is likely in its cell, and why.
void TestSweepVerdicts::cellsAgreeWithTheirPlans()
{
    showPage({1080, 720}); // with the program's own solver
    show(0);
    auto asked = saved();
    asked.plan.costModelId = "detailed";
    asked.plan.training.tokenBudget = 1e12;
    asked.plan.training.microbatchCount.reset();
    asked.plan.training.microbatchSize = 1;
    asked.plan.fleet.nodes = 32;
    asked.costModels.clear();
    asked.axes = {axisOf("fleet.nodes", {16.0, 32.0, 64.0, 128.0})};
    const auto catalog = m_workspace->catalog();
    const auto solutionOf = [&](const PlanDocument &plan) {
        return exchange::solveWithRange(resolve(plan, *catalog).value()).value();
    };
    asked.plan.constraints = {};
    asked.plan.constraints.deadline = 1.02 * second * *figureOf(solutionOf(asked.plan), "run_time_s");
    QVERIFY(m_workspace->editSweep(m_page->currentSweep(), asked).has_value());
    awaitAnswer();
    auto *table = part<QTableView>(*m_page, u"cellTable"_s);
    const auto *cells = qobject_cast<const itemmodels::SweepCellModel *>(
        qobject_cast<const QAbstractProxyModel *>(table->model())->sourceModel());
    const auto text = [&](int row) { return cells->index(row, cells->verdictColumn()).data().toString(); };
    QStringList verdicts;
    for (int row = 0; row < cells->rowCount(); ++row) {
        const auto &result = cells->result();
        const auto plan = planOfCell(cells->document(), result, result.cells.at(std::size_t(row)), *catalog).value();
        const auto solution = solutionOf(plan);
        const auto verdict = utf8(verdictInWords(solution));
        verdicts << verdict;
        QVERIFY2(text(row).section(u':', 0, 0) == verdict, qPrintable(text(row) + u' ' + verdict));
        QCOMPARE(*result.figure(result.cells.at(std::size_t(row)), "run_time_s"), *figureOf(solution, "run_time_s"));
        const auto tip = cells->index(row, 0).data(Qt::ToolTipRole).toString();
        QCOMPARE(tip.contains(u"it holds at the likely value only."_s), verdict == u"likely"_s);
    }
    QVERIFY2(verdicts.contains(u"likely"_s) && verdicts.contains(u"yes"_s) && verdicts.contains(u"no"_s),
        qPrintable(verdicts.join(u'|')));
    QVERIFY2(label(u"verdictLabel"_s).contains(u" of them at the likely values only"_s),
        qPrintable(label(u"verdictLabel"_s)));
    const auto *proxy = qobject_cast<const QAbstractProxyModel *>(table->model());
    table->selectRow(proxy->mapFromSource(cells->index(int(verdicts.indexOf(u"likely"_s)), 0)).row());
    const auto full = part<QTextBrowser>(*m_page, u"cellText"_s)->toPlainText();
    QVERIFY2(full.contains(u"Feasible: likely"_s) && full.contains(u"it holds at the likely value only."_s),
        qPrintable(full));
    // Kept in the project, too.
    const auto id = m_page->currentSweep();
    m_page.reset();
    m_workspace = std::make_unique<Workspace>();
    QVERIFY(m_workspace->open(m_folder->filePath(u"sample.fleetwright"_s)).has_value());
    makePage();
    m_page->showSweep(id);
    QVERIFY(label(u"verdictLabel"_s).contains(u" of them at the likely values only"_s));
}

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
