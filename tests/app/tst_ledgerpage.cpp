// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/ledger/ledgerpage.h"
#include "testing/registry.h"

#include "app/pages/plan/planpage.h"
#include "pagetesting.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTableView>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestLedgerPage : public QObject, private PageFixture<LedgerPage> {
    Q_OBJECT
private slots:
    void init();
    void cleanup() { close(); }
    void emptyLedgerSaysWhatToDo();
    void addByHand();
    void dialogRefuses();
    void editNoteDeleteUndo();
    void filters();
    void copiesAndExports();
    void recordsAPlan();
    void persists();

private:
    void click(QWidget &where, const QString &button)
    {
        QTest::mouseClick(part<QPushButton>(where, button), Qt::LeftButton);
    }
    void save(QWidget *dialog)
    {
        QTest::mouseClick(
            part<QDialogButtonBox>(*dialog, u"buttons"_s)->button(QDialogButtonBox::Save), Qt::LeftButton);
    }
    void add(const char *title, LedgerContext context, std::optional<double> mfu)
    {
        LedgerEntry entry;
        entry.when = "2025-03-01T09:30:00Z";
        entry.title = title;
        entry.context = context;
        entry.mfu = mfu;
        QVERIFY(m_workspace->addLedgerEntry(entry).has_value());
    }
    QTableView *table() { return part<QTableView>(*m_page, u"table"_s); }
};

void TestLedgerPage::init()
{
    makeSample();
    showPage({1090, 700});
}

void TestLedgerPage::emptyLedgerSaysWhatToDo()
{
    QVERIFY(part<QLabel>(*m_page, u"emptyLabel"_s)->isVisible());
    QVERIFY(!part<QPushButton>(*m_page, u"exportButton"_s)->isEnabled());
    QVERIFY(!part<QPushButton>(*m_page, u"deleteButton"_s)->isEnabled());
}

void TestLedgerPage::addByHand()
{
    click(*m_page, u"emptyAddButton"_s);
    auto *dialog = m_page->findChild<QDialog *>();
    QVERIFY(dialog);
    dialog->activateWindow(); // fields take their text when they lose the focus
    QTRY_VERIFY(dialog->isActiveWindow());
    part<QLineEdit>(*dialog, u"titleEdit"_s)->setFocus();
    QTest::keyClicks(part<QLineEdit>(*dialog, u"titleEdit"_s), u"Buy NDR"_s);
    type(*dialog, u"tpEdit"_s, u"8"_s);
    type(*dialog, u"mfuEdit"_s, u"41.5"_s);
    save(dialog);
    QTRY_COMPARE(m_workspace->ledger().size(), 1UZ);
    const auto &entry = m_workspace->ledger().front().document;
    QCOMPARE(entry.title, std::string("Buy NDR"));
    QCOMPARE(*entry.tp, 8);
    QVERIFY(!entry.pp && !entry.memoryFeasible);
    QVERIFY(std::abs(*entry.mfu - 0.415) < 1e-12);
    QVERIFY(table()->isVisible());
    QCOMPARE(table()->model()->index(0, itemmodels::LedgerModel::Mfu).data().toString(), u"41.5\u00a0%"_s);
}

void TestLedgerPage::dialogRefuses()
{
    click(*m_page, u"addButton"_s);
    auto *dialog = m_page->findChild<QDialog *>();
    dialog->activateWindow(); // fields take their text when they lose the focus
    QTRY_VERIFY(dialog->isActiveWindow());
    save(dialog);
    QCOMPARE(part<QLabel>(*dialog, u"sentence"_s)->text(), u"The title is empty; say what was decided about."_s);
    part<QLineEdit>(*dialog, u"titleEdit"_s)->setText(u"x"_s);
    type(*dialog, u"mfuEdit"_s, u"140"_s);
    save(dialog);
    QVERIFY(dialog->isVisible());
    QVERIFY(m_workspace->ledger().empty());
    type(*dialog, u"mfuEdit"_s, u""_s);
    part<QComboBox>(*dialog, u"heldCombo"_s)->setCurrentIndex(1);
    save(dialog);
    QVERIFY(part<QLabel>(*dialog, u"sentence"_s)->text().startsWith(u"Whether the prediction held is stated"_s));
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(m_workspace->ledger().empty());
}

void TestLedgerPage::editNoteDeleteUndo()
{
    add("First", LedgerContext::FromPlan, 0.4);
    table()->selectRow(0);
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_F2);
    auto *dialog = m_page->findChild<QDialog *>();
    QVERIFY(dialog);
    QVERIFY(!part<QLineEdit>(*dialog, u"titleEdit"_s)->isEnabled());
    QTest::keyClicks(part<QPlainTextEdit>(*dialog, u"noteEdit"_s), u"Cheaper"_s);
    save(dialog);
    QTRY_COMPARE(m_workspace->ledger().front().document.note, std::string("Cheaper"));
    const auto unchanged = m_workspace->ledger().front().document;
    QVERIFY(unchanged.mfu == 0.4);
    QCOMPARE(unchanged.when, std::string("2025-03-01T09:30:00Z"));
    QCOMPARE(table()->model()->index(0, itemmodels::LedgerModel::Note).data().toString(), u"Cheaper"_s);
    m_workspace->undo();
    QCOMPARE(m_workspace->ledger().front().document.note, std::string());
    QSignalSpy removed(m_page.get(), &Page::removed); // asks nothing: undo brings it back
    QTest::keyClick(table(), Qt::Key_Delete);
    QVERIFY(m_prompts->questions.isEmpty()); // undo brings it back
    QVERIFY(m_workspace->ledger().empty());
    QCOMPARE(removed.size(), 1);
    QVERIFY(m_prompts->questions.isEmpty());
    QVERIFY(part<QLabel>(*m_page, u"emptyLabel"_s)->isVisible());
    m_workspace->undo();
    QCOMPARE(table()->model()->rowCount(), 1);
}

void TestLedgerPage::filters()
{
    add("Alpha", LedgerContext::FromPlan, 0.09);
    add("Beta", LedgerContext::ThreeDimensional, 0.4);
    add("Gamma", LedgerContext::FromPlan, 0.31);
    table()->sortByColumn(itemmodels::LedgerModel::Mfu, Qt::AscendingOrder);
    QCOMPARE(
        table()->model()->index(0, itemmodels::LedgerModel::Title).data().toString(), u"Alpha"_s); // 9 % before 31 %
    auto *combo = part<QComboBox>(*m_page, u"contextCombo"_s);
    choose(combo, int(LedgerContext::FromPlan));
    QCOMPARE(table()->model()->rowCount(), 2);
    QCOMPARE(part<QLabel>(*m_page, u"countLabel"_s)->text(), u"2 of 3"_s);
    QTest::keyClicks(part<QLineEdit>(*m_page, u"filterEdit"_s), u"gam"_s);
    QCOMPARE(table()->model()->rowCount(), 1);
    QTest::keyClicks(part<QLineEdit>(*m_page, u"filterEdit"_s), u"zzz"_s);
    QVERIFY(part<QLabel>(*m_page, u"nothingLabel"_s)->isVisible());
    click(*m_page, u"clearFiltersButton"_s);
    QCOMPARE(table()->model()->rowCount(), 3);
}

void TestLedgerPage::copiesAndExports()
{
    add("Alpha", LedgerContext::FromPlan, 0.0925);
    add("Beta, with comma", LedgerContext::ThreeDimensional, std::nullopt);
    table()->clearSelection();
    m_page->copy();
    const auto text = QGuiApplication::clipboard()->text();
    QVERIFY(text.startsWith(u"When (UTC)\tContext\tDecision"_s));
    QVERIFY(text.contains(u"9.25\u00a0%"_s));
    m_prompts->fileName = m_folder->filePath(u"ledger"_s);
    click(*m_page, u"exportButton"_s);
    QFile file(m_folder->filePath(u"ledger.csv"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto csv = QString::fromUtf8(file.readAll());
    QVERIFY2(csv.startsWith(u"when,context,title,tp,pp,dp,accelerators,mfu,memory_feasible"_s), qPrintable(csv));
    QVERIFY2(csv.contains(u"2025-03-01T09:30:00Z,plan,Alpha,,,,,0.0925,"_s), qPrintable(csv));
    QVERIFY2(csv.contains(u"\"Beta, with comma\""_s), qPrintable(csv));
}

void TestLedgerPage::recordsAPlan()
{
    PlanPage plans(*m_workspace, *m_prompts);
    plans.resize(1090, 700);
    plans.show();
    auto *button = part<QPushButton>(plans, u"recordButton"_s);
    QTRY_VERIFY(button->isEnabled());
    QTRY_VERIFY(m_workspace->result(plans.currentPlan()).has_value());
    QTest::mouseClick(button, Qt::LeftButton);
    auto *dialog = plans.findChild<QDialog *>();
    QVERIFY(dialog);
    const auto &plan = m_workspace->plan(plans.currentPlan())->document;
    QCOMPARE(part<QLineEdit>(*dialog, u"titleEdit"_s)->text(), QString::fromStdString(plan.name));
    QTest::keyClicks(part<QPlainTextEdit>(*dialog, u"noteEdit"_s), u"Chosen"_s);
    save(dialog);
    QTRY_COMPARE(m_workspace->ledger().size(), 1UZ);
    const auto &entry = m_workspace->ledger().front().document;
    QCOMPARE(int(entry.context), int(LedgerContext::FromPlan));
    QCOMPARE(*entry.tp, plan.parallelism.tp);
    QCOMPARE(*entry.pp, plan.parallelism.pp);
    QCOMPARE(*entry.accelerators, 256);
    QCOMPARE(*entry.tp * *entry.pp * *entry.dp, 256);
    QVERIFY(*entry.memoryFeasible);
    QVERIFY(*entry.mfu > 0.3 && *entry.mfu < 0.4);
    QCOMPARE(entry.note, std::string("Chosen"));
}

void TestLedgerPage::persists()
{
    add("Alpha", LedgerContext::FromPlan, 0.0925);
    const auto path = m_workspace->path();
    m_workspace->close();
    QVERIFY(part<QLabel>(*m_page, u"emptyLabel"_s)->isVisible());
    QVERIFY(m_workspace->open(path).has_value());
    QCOMPARE(table()->model()->rowCount(), 1);
}

FLEETWRIGHT_TEST(TestLedgerPage)
#include "tst_ledgerpage.moc"
