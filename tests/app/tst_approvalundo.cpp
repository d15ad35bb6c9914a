// SPDX-License-Identifier: GPL-3.0-or-later
// Nobody takes an approval back by the way: undo and history ask. How one is withdrawn instead is found.
#include "app/dialogs/quicksearch.h"
#include "exchange/sizeresults.h"
#include "mainwindowtesting.h"
#include "solver/sizesample.h"
#include "testing/registry.h"

#include <QDialog>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QStatusBar>
#include <QTableView>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestApprovalUndo : public QObject, private MainWindowFixture {
    Q_OBJECT
private slots:
    void init()
    {
        start();
        createProject();
        addFleet("before");
        QVERIFY(workspace()
                    .addApproval({.name = "70B",
                        .when = "2026-03-01T09:30:00Z",
                        .decision = sizesample::question(),
                        .answer = exchange::storedSizeResult(sizesample::feasible()),
                        .inputHash = "0"})
                    .has_value());
        m_prompts.questions.clear();
    }
    void undoAsks();
    void whatIsTypedIsUndoneFirst();
    void historyAsks();
    void statusSaysWhatWasUndone();
    void searchFindsWithdraw();

private:
    Workspace &workspace() { return m_window->workspace(); }
    void addFleet(const char *name)
    {
        FleetDocument fleet;
        fleet.name = name;
        fleet.node = std::string("nvidia_dgx_h100");
        fleet.fabric = std::string("ib_ndr");
        QVERIFY(workspace().addFleet(fleet));
    }
    std::size_t approvals() { return workspace().approvals().size(); }
};

void TestApprovalUndo::undoAsks()
{
    m_prompts.confirmation = false;
    action(u"actionUndo"_s)->trigger();
    QCOMPARE(m_prompts.questions.size(), 1);
    QVERIFY2(m_prompts.questions.front().contains(u"Approve"_s) && m_prompts.questions.front().contains(u"withdrawn"_s),
        qPrintable(m_prompts.questions.front()));
    QVERIFY(m_prompts.returned == Prompts::Default::Cancel);
    QCOMPARE(approvals(), 1UZ);
    addFleet("after");
    action(u"actionUndo"_s)->trigger(); // of the fleet: nothing is asked
    QCOMPARE(m_prompts.questions.size(), 1);
    QCOMPARE(workspace().fleets().size(), 1UZ);
    m_prompts.confirmation = true;
    action(u"actionUndo"_s)->trigger();
    QCOMPARE(m_prompts.questions.size(), 2);
    QCOMPARE(approvals(), 0UZ);
}

/// An entry that is still being typed is the step that goes, and is nobody's approval.
void TestApprovalUndo::whatIsTypedIsUndoneFirst()
{
    bool typed = true;
    connect(&workspace(), &Workspace::settleRequested, this, [&] {
        if (std::exchange(typed, false))
            addFleet("typed");
    });
    m_prompts.confirmation = false;
    action(u"actionUndo"_s)->trigger();
    QVERIFY(!typed);
    QVERIFY(m_prompts.questions.isEmpty());
    QCOMPARE(approvals(), 1UZ);
    QCOMPARE(workspace().fleets().size(), 1UZ);
}

void TestApprovalUndo::historyAsks()
{
    addFleet("after");
    action(u"actionHistory"_s)->trigger();
    auto *dialog = child<QDialog>(u"historyDialog"_s);
    QVERIFY(dialog);
    auto *steps = dialog->findChild<QListWidget *>();
    QCOMPARE(steps->count(), 4);
    m_prompts.confirmation = false;
    const auto click = [&](int row) {
        QTest::mouseClick(steps->viewport(), Qt::LeftButton, {}, steps->visualItemRect(steps->item(row)).center());
    };
    click(0);
    QCOMPARE(m_prompts.questions.size(), 1);
    QCOMPARE(approvals(), 1UZ);
    QCOMPARE(workspace().fleets().size(), 2UZ); // not a step was taken
    QCOMPARE(steps->currentRow(), 3);
    click(2); // the fleet alone
    QTRY_COMPARE(workspace().fleets().size(), 1UZ);
    QCOMPARE(m_prompts.questions.size(), 1);
    m_prompts.confirmation = true;
    click(0);
    QTRY_COMPARE(approvals(), 0UZ);
    QCOMPARE(m_prompts.questions.size(), 2);
    QTRY_COMPARE(steps->currentRow(), 0);
    QTest::keyClick(steps, Qt::Key_End); // forward nothing is asked
    QTRY_COMPARE(approvals(), 1UZ);
    QCOMPARE(m_prompts.questions.size(), 2);
}

void TestApprovalUndo::statusSaysWhatWasUndone()
{
    auto saved = workspace().approvals().front();
    saved.document.withdrawn = Withdrawal{"2026-03-02T09:30:00Z", "dearer"};
    QVERIFY(workspace().editApproval(saved.id, saved.document).has_value());
    action(u"actionUndo"_s)->trigger();
    QVERIFY(m_prompts.questions.isEmpty()); // the withdrawal goes, not the approval
    QVERIFY(!workspace().approvals().front().document.withdrawn);
    const auto said = [this] { return m_window->statusBar()->currentMessage(); };
    QVERIFY2(said().contains(u"Undone: Withdraw"_s), qPrintable(said()));
    action(u"actionRedo"_s)->trigger();
    QVERIFY(workspace().approvals().front().document.withdrawn);
    QVERIFY2(said().contains(u"Redone: Withdraw"_s), qPrintable(said()));
}

void TestApprovalUndo::searchFindsWithdraw()
{
    m_window->search();
    auto *dialog = m_window->findChild<QuickSearch *>();
    QVERIFY(dialog);
    auto *edit = dialog->findChild<QLineEdit *>();
    QTest::keyClicks(edit, u"withdraw"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE(m_window->currentPage(), u"ledger"_s);
    const auto *table = child<QTableView>(u"approvalsTable"_s);
    QVERIFY(table && table->currentIndex().isValid());
}

FLEETWRIGHT_TEST(TestApprovalUndo)
#include "tst_approvalundo.moc"
