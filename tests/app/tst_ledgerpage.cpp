// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/ledger/ledgerpage.h"
#include "testing/registry.h"

#include "app/pages/plan/planpage.h"
#include "exchange/sizeresults.h"
#include "pagetesting.h"
#include "solver/size/usedvalues.h"
#include "solver/sizesample.h"
#include "wholetexts.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
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
    void approvalsStandBesideEntries();
    void entriesLeadToTheirPlans();
    void theNameItselfThenTheLongestLeads();
    void whatIsNotShownIsLeftAlone();
    void hiddenPageReadsAnotherProjectWhenShown();

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
    qint64 approve()
    {
        const auto result = sizesample::feasible();
        return m_workspace
            ->addApproval({.name = sizesample::question().name,
                .when = "2026-03-01T09:30:00Z",
                .decision = sizesample::question(),
                .answer = exchange::storedSizeResult(result),
                .inputHash = "0",
                .values = size::usedValues(sizesample::question(), result, *m_workspace->catalog())})
            .value_or(0);
    }
    /// Below the last row, which chooses none.
    void clickBelowRows(QTableView *view)
    {
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, {20, view->viewport()->height() - 2});
        QVERIFY(view->hasFocus());
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
    QCOMPARE(part<QLabel>(*dialog, u"sentence"_s)->text(),
        u"\u201cDecision\u201d is empty; say what was decided about."_s); // as the form calls it
    part<QLineEdit>(*dialog, u"titleEdit"_s)->setText(u"x"_s);
    QVERIFY(part<QLabel>(*dialog, u"sentence"_s)->text().isEmpty());
    type(*dialog, u"mfuEdit"_s, u"140"_s);
    save(dialog);
    QVERIFY(dialog->isVisible());
    QVERIFY(m_workspace->ledger().empty());
    type(*dialog, u"mfuEdit"_s, u""_s);
    part<QComboBox>(*dialog, u"heldCombo"_s)->setCurrentIndex(1);
    save(dialog);
    QVERIFY(part<QLabel>(*dialog, u"sentence"_s)->text().startsWith(u"Whether the prediction held is stated"_s));
    part<QLineEdit>(*dialog, u"titleEdit"_s)->setFocus();
    QTest::keyClicks(part<QLineEdit>(*dialog, u"titleEdit"_s), u"y"_s);
    QTest::keyClick(dialog, Qt::Key_Escape); // what was typed is not lost by one key
    QVERIFY(dialog->isVisible());
    QVERIFY(part<QLabel>(*dialog, u"sentence"_s)->text().startsWith(u"Nothing is recorded yet"_s));
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(!dialog->isVisible());
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
    QCOMPARE(part<QLineEdit>(*dialog, u"mfuEditText"_s)->text(), u"34.1\u00a0%"_s); // read in few digits...
    save(dialog);
    QTRY_COMPARE(m_workspace->ledger().size(), 1UZ);
    const auto &entry = m_workspace->ledger().front().document;
    QCOMPARE(int(entry.context), int(LedgerContext::FromPlan));
    QCOMPARE(*entry.tp, plan.parallelism.tp);
    QCOMPARE(*entry.pp, plan.parallelism.pp);
    QCOMPARE(*entry.accelerators, 256);
    QCOMPARE(*entry.tp * *entry.pp * *entry.dp, 256);
    QVERIFY(*entry.memoryFeasible);
    QVERIFY(*entry.mfu > 0.3 && *entry.mfu < 0.4 && *entry.mfu != 0.341); // ...and recorded in all
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

/// Approvals are read where they stand; each says what has become of its inputs and leads to its decision.
void TestLedgerPage::approvalsStandBesideEntries()
{
    auto *approvals = part<QTableView>(*m_page, u"approvalsTable"_s);
    QSignalSpy asked(m_page.get(), &LedgerPage::decisionRequested);
    click(*m_page, u"emptyDecideButton"_s);
    QCOMPARE(asked.takeFirst(), (QVariantList{0LL, 0LL}));
    const auto decision = m_workspace->addDecision(sizesample::question());
    QVERIFY(decision.has_value());
    const auto result = sizesample::feasible();
    ApprovedDecision approved{.name = sizesample::question().name,
        .when = "2026-03-01T09:30:00Z",
        .decision = sizesample::question(),
        .answer = exchange::storedSizeResult(result),
        .inputHash = "0",
        .values = size::usedValues(sizesample::question(), result, *m_workspace->catalog()),
        .signature = {.by = "Ann", .role = "CFO", .condition = "if the price holds"},
        .note = {}};
    const auto id = m_workspace->addApproval(approved);
    QVERIFY(id.has_value());
    QVERIFY(approvals->isVisible());
    QVERIFY(!part<QTableView>(*m_page, u"table"_s)->isVisible()); // no entry yet, which is said
    QVERIFY(part<QLabel>(*m_page, u"noEntriesLabel"_s)->isVisible());
    const auto cell = [&](int column) { return approvals->model()->index(0, column).data().toString(); };
    QCOMPARE(cell(itemmodels::ApprovalModel::When), u"2026-03-01 09:30"_s);
    QVERIFY2(cell(itemmodels::ApprovalModel::Fleet).contains(u"B200"_s), qPrintable(cell(2)));
    QVERIFY(cell(itemmodels::ApprovalModel::Predicted).contains(u"days"_s));
    QCOMPARE(cell(itemmodels::ApprovalModel::Became), u"not known yet"_s);
    QCOMPARE(cell(itemmodels::ApprovalModel::Since), u"unchanged"_s);
    QCOMPARE(cell(itemmodels::ApprovalModel::SignedBy), u"Ann, CFO: if the price holds"_s);
    QCOMPARE(part<QLabel>(*m_page, u"countLabel"_s)->text(), u"1 approved, 0 recorded"_s);
    // At 1280 by 800 every word of it is there, in several lines where it must be.
    m_page->resize(1048, 690);
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();
    QTRY_VERIFY2(cutTexts(*approvals).isEmpty(), qPrintable(cutTexts(*approvals).join(u'\n')));
    QCOMPARE(approvals->horizontalScrollBar()->maximum(), 0);
    QVERIFY(approvals->visualRect(approvals->model()->index(0, 0)).bottom() < approvals->viewport()->height());
    // To its decision, with the mouse and with a key.
    auto *show = part<QPushButton>(*m_page, u"showButton"_s);
    QCOMPARE(show->text(), u"Show decision"_s);
    QTest::mouseClick(show, Qt::LeftButton);
    QCOMPARE(asked.takeFirst(), (QVariantList{*decision, *id}));
    approvals->setFocus();
    QTest::keyClick(approvals, Qt::Key_Return);
    QCOMPARE(asked.takeFirst(), (QVariantList{*decision, *id}));
    // What it rests on changes: a price, the question, the decision itself.
    auto dearer = *m_workspace->catalog()->find(CatalogKind::Price, "price_dgx_h100_2026");
    dearer.shipped = false;
    dearer.id = "mine";
    dearer.values["typical"] = 1e6;
    dearer.values.erase("low");
    dearer.values.erase("high");
    QVERIFY(m_workspace->saveRecord(dearer).has_value());
    QVERIFY2(cell(itemmodels::ApprovalModel::Since).contains(u"changed"_s), qPrintable(cell(5)));
    m_workspace->undo();
    QCOMPARE(cell(itemmodels::ApprovalModel::Since), u"unchanged"_s);
    auto other = sizesample::question();
    other.candidates.mostNodes = 7;
    QVERIFY(m_workspace->editDecision(*decision, other).has_value());
    QCOMPARE(cell(itemmodels::ApprovalModel::Since), u"question changed"_s);
    QVERIFY(m_workspace->removeDecision(*decision).has_value());
    QCOMPARE(cell(itemmodels::ApprovalModel::Since), u"decision deleted or renamed"_s);
    auto known = m_workspace->approval(*id)->document;
    known.actuals.days = 31;
    QVERIFY(m_workspace->editApproval(*id, known).has_value());
    QVERIFY(cell(itemmodels::ApprovalModel::Became).contains(u"31"_s));
    // Beside entries: one row of both is chosen, and filters hold for both.
    add("Alpha", LedgerContext::FromPlan, 0.4);
    QVERIFY(table()->isVisible() && approvals->isVisible());
    table()->selectRow(0);
    QVERIFY(!approvals->selectionModel()->hasSelection());
    approvals->selectRow(0);
    QVERIFY(!table()->selectionModel()->hasSelection());
    auto *filter = part<QLineEdit>(*m_page, u"filterEdit"_s);
    QTest::keyClicks(filter, u"ann"_s);
    QCOMPARE(part<QLabel>(*m_page, u"countLabel"_s)->text(), u"1 of 2"_s);
    filter->clear();
    auto *context = part<QComboBox>(*m_page, u"contextCombo"_s);
    choose(context, int(LedgerContext::FromPlan));
    QVERIFY(!approvals->isVisible() && table()->isVisible());
    choose(context, -1); // approved
    QVERIFY(approvals->isVisible() && !table()->isVisible());
    context->setCurrentIndex(0);
    // It is exported as what is chosen.
    approvals->selectRow(0);
    auto *exported = part<QPushButton>(*m_page, u"exportButton"_s);
    QVERIFY(exported->isEnabled() && exported->toolTip().contains(u"approved"_s));
    // It is withdrawn for a reason and stays: never deleted.
    const auto withdrawn = [&] { return m_workspace->approvals().front().document.withdrawn; };
    approvals->setFocus();
    m_prompts->typed.clear();
    QTest::keyClick(approvals, Qt::Key_Delete);
    QVERIFY(!withdrawn());
    m_prompts->typed = u"The vendor took the price back"_s;
    QTest::keyClick(approvals, Qt::Key_Delete);
    QVERIFY(withdrawn() && withdrawn()->reason == "The vendor took the price back");
    QVERIFY2(cell(itemmodels::ApprovalModel::Since).startsWith(u"withdrawn 2"_s)
            && cell(itemmodels::ApprovalModel::Since).contains(u"took the price back"_s),
        qPrintable(cell(itemmodels::ApprovalModel::Since)));
    QVERIFY(!part<QPushButton>(*m_page, u"deleteButton"_s)->isEnabled());
    // It looks withdrawn, is counted apart, and its reason is read whole.
    const auto isStruck = [&] {
        return approvals->model()
            ->index(0, itemmodels::ApprovalModel::Fleet)
            .data(Qt::FontRole)
            .value<QFont>()
            .strikeOut();
    };
    const auto *reason = part<QLabel>(*m_page, u"withdrawnLabel"_s);
    QVERIFY(isStruck());
    QVERIFY(reason->isVisible() && reason->text().endsWith(u"The vendor took the price back"_s));
    QVERIFY(reason->height() >= reason->heightForWidth(reason->width()));
    QCOMPARE(part<QLabel>(*m_page, u"countLabel"_s)->text(), u"0 approved, 1 withdrawn, 1 recorded"_s);
    m_workspace->undo();
    QVERIFY(!withdrawn() && !isStruck() && !reason->isVisible());
    QCOMPARE(part<QLabel>(*m_page, u"countLabel"_s)->text(), u"1 approved, 1 recorded"_s);
}

void TestLedgerPage::entriesLeadToTheirPlans()
{
    const auto &plan = m_workspace->plans().front();
    add(plan.document.name.c_str(), LedgerContext::FromPlan, 0.4);
    QSignalSpy asked(m_page.get(), &Page::planRequested);
    auto *show = part<QPushButton>(*m_page, u"showButton"_s);
    QCOMPARE(show->text(), u"Show plan"_s);
    QTest::mouseClick(show, Qt::LeftButton);
    QCOMPARE(asked.takeFirst().front().toLongLong(), plan.id);
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_Return);
    QCOMPARE(asked.size(), 1);
    QVERIFY(m_workspace->removePlan(plan.id).has_value());
    QVERIFY(!show->isEnabled());
    QVERIFY(show->toolTip().contains(u"No plan of the project"_s));
}

void TestLedgerPage::theNameItselfThenTheLongestLeads()
{
    auto plan = m_workspace->plans().front().document;
    qint64 ids[3] = {};
    const char *names[] = {"70B", "70B (reserved)", "70B (reserved) (late)"};
    for (int i = 0; i < 3; ++i) {
        plan.name = names[i];
        ids[i] = m_workspace->addPlan(plan).value();
    }
    auto decision = sizesample::question();
    decision.name = "Which";
    QVERIFY(m_workspace->addDecision(decision).has_value());
    decision.name = "Which: of two";
    const auto longer = m_workspace->addDecision(decision).value();
    QSignalSpy plans(m_page.get(), &Page::planRequested);
    QSignalSpy decisions(m_page.get(), &LedgerPage::decisionRequested);
    const auto shownOf = [&](const char *title, LedgerContext context) {
        add(title, context, 0.4);
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            if (table()->model()->index(row, itemmodels::LedgerModel::Title).data().toString()
                == QString::fromUtf8(title))
                table()->selectRow(row);
        click(*m_page, u"showButton"_s);
    };
    shownOf("70B (reserved)", LedgerContext::FromPlan);
    QCOMPARE(plans.takeFirst().front().toLongLong(), ids[1]);
    shownOf("70B (reserved) (TP 8)", LedgerContext::FromSearch);
    QCOMPARE(plans.takeFirst().front().toLongLong(), ids[1]);
    shownOf("70B (TP 8)", LedgerContext::FromSearch);
    QCOMPARE(plans.takeFirst().front().toLongLong(), ids[0]);
    shownOf("Which: of two: 512 nodes", LedgerContext::FromDecision);
    QCOMPARE(decisions.takeFirst().front().toLongLong(), longer);
}

/// Delete, F2 and Return act on the row that is seen, never on one of the part that is not shown.
void TestLedgerPage::whatIsNotShownIsLeftAlone()
{
    const auto approval = approve();
    QVERIFY(approval != 0);
    add("Alpha", LedgerContext::FromPlan, 0.4);
    auto *approvals = part<QTableView>(*m_page, u"approvalsTable"_s);
    auto *context = part<QComboBox>(*m_page, u"contextCombo"_s);
    QSignalSpy decisions(m_page.get(), &LedgerPage::decisionRequested);
    QSignalSpy plans(m_page.get(), &Page::planRequested);
    const auto press = [&](QTableView *view) {
        for (const auto key : {Qt::Key_Return, Qt::Key_F2, Qt::Key_Delete})
            QTest::keyClick(view, key);
        QVERIFY(!m_page->findChild<QDialog *>());
        QCOMPARE(m_workspace->approvals().size(), 1UZ);
        QCOMPARE(m_workspace->ledger().size(), 1UZ);
        QCOMPARE(decisions.size() + plans.size(), 0);
    };
    approvals->selectRow(0);
    choose(context, int(LedgerContext::FromPlan));
    QVERIFY(!approvals->isVisible());
    clickBelowRows(table());
    QVERIFY(!table()->currentIndex().isValid() && approvals->currentIndex().isValid());
    press(table());
    QVERIFY(!part<QPushButton>(*m_page, u"deleteButton"_s)->isEnabled());
    context->setCurrentIndex(0);
    add(m_workspace->plans().front().document.name.c_str(), LedgerContext::FromPlan, 0.4); // one that leads somewhere
    QVERIFY(m_workspace->removeLedgerEntry(m_workspace->ledger().front().id).has_value());
    table()->selectRow(0);
    choose(context, -1); // approved
    QVERIFY(!table()->isVisible());
    QTRY_VERIFY(approvals->height() > 200); // the room of both parts
    clickBelowRows(approvals);
    QVERIFY(!approvals->currentIndex().isValid() && table()->currentIndex().isValid());
    press(approvals);
    // Back with everything, the row is chosen as before.
    context->setCurrentIndex(0);
    QVERIFY(part<QPushButton>(*m_page, u"deleteButton"_s)->isEnabled());
}

/// What another project approved is not held against its inputs before somebody looks.
void TestLedgerPage::hiddenPageReadsAnotherProjectWhenShown()
{
    QVERIFY(approve() != 0);
    add("Alpha", LedgerContext::FromPlan, 0.4);
    const auto path = m_workspace->path();
    m_page->hide();
    auto *approvals = part<QTableView>(*m_page, u"approvalsTable"_s);
    const QSignalSpy read(approvals->model(), &QAbstractItemModel::modelReset);
    QVERIFY(m_workspace->createProject(m_folder->filePath(u"other.fleetwright"_s)).has_value());
    add("Beta", LedgerContext::FromPlan, 0.4);
    add("Gamma", LedgerContext::FromPlan, 0.4);
    QVERIFY(m_workspace->removeLedgerEntry(m_workspace->ledger().front().id).has_value());
    QCOMPARE(read.size(), 0);
    m_page->show();
    QVERIFY(read.size() > 0);
    QCOMPARE(approvals->model()->rowCount(), 0);
    QCOMPARE(table()->model()->rowCount(), 1);
    QCOMPARE(table()->model()->index(0, itemmodels::LedgerModel::Title).data().toString(), u"Gamma"_s);
    m_page->hide();
    QVERIFY(m_workspace->open(path).has_value());
    m_page->show();
    QCOMPARE(approvals->model()->rowCount(), 1);
    QCOMPARE(part<QLabel>(*m_page, u"countLabel"_s)->text(), u"1 approved, 1 recorded"_s);
    add("Delta", LedgerContext::FromPlan, 0.4); // and follows as before
    QCOMPARE(table()->model()->rowCount(), 2);
}

FLEETWRIGHT_TEST(TestLedgerPage)
#include "tst_ledgerpage.moc"
