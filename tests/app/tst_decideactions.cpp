// SPDX-License-Identifier: GPL-3.0-or-later
// What is done with an answer on Decide: the menu of a fleet, a batch or a chance that is taken, an approval that is
// signed, and what Undo says of edits.
#include "app/dialogs/windowprompts.h"
#include "app/pages/decide/decidecard.h"
#include "app/pages/decide/decidepage.h"
#include "app/pages/decide/startingdecision.h"
#include "app/widgets/countedit.h"
#include "testing/registry.h"

#include "decidepagetesting.h"

#include <QAction>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QUndoStack>

#include <algorithm>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestDecideActions : public QObject, private DecideFixture {
    Q_OBJECT
private slots:
    void cleanup() { close(); }
    void rowHasAMenu();
    void betterBatchIsAllowed();
    void chanceIsDemanded();
    void approvalSaysWhoAndWhy();
    void chartsAreSavedAsTables();
    void whoApprovedIsRemembered();
    void editsSayFromWhatToWhat();
    void heightsStay();
    void jobsComeAndGo();
    void undoTakesTheBatchRangeBack();
};

void TestDecideActions::rowHasAMenu()
{
    open();
    waitForAnswer();
    auto *table = part<QTableView>(*m_page, u"fleetsTable"_s);
    const auto action = [&](const QString &name) {
        const auto actions = table->actions();
        const auto found = std::ranges::find(actions, name, &QObject::objectName);
        return found == actions.end() ? nullptr : *found;
    };
    QCOMPARE(table->contextMenuPolicy(), Qt::ActionsContextMenu);
    for (const auto &name :
        {u"planAction"_s, u"explainAction"_s, u"compareAction"_s, u"recordAction"_s, u"baseAction"_s})
        QVERIFY2(action(name) && action(name)->isEnabled(), qPrintable(name));
    table->selectRow(1);
    QSignalSpy compared(m_page.get(), &Page::compareRequested), explained(m_page.get(), &Page::explanationRequested);
    action(u"compareAction"_s)->trigger();
    QCOMPARE(m_workspace->plans().size(), std::size_t(1));
    QCOMPARE(compared.front().front().toLongLong(), m_workspace->plans().front().id);
    QCOMPARE(m_workspace->plans().front().document.fleet.nodes, 768);
    action(u"explainAction"_s)->trigger();
    QCOMPARE(explained.front().front().toLongLong(), m_workspace->plans().back().id);
    action(u"recordAction"_s)->trigger();
    QCOMPARE(m_workspace->ledger().size(), std::size_t(1));
    action(u"baseAction"_s)->trigger();
    QCOMPARE(saved().baseCase->nodes, 768);
    for (const auto &button : {u"planButton"_s, u"recordButton"_s, u"baseButton"_s})
        QVERIFY(part<QPushButton>(*m_page, button)->toolTip().size() > 30);
}

/// Numbers of nodes that the batch keeps out are no matter of the status bar alone: What binds lets them in.
void TestDecideActions::betterBatchIsAllowed()
{
    Sizer sizer;
    sizer.answer->otherBatch = size::OtherBatch{sizesample::answer(1, 320, 26.0, 5.74e6, 8e6)};
    sizer.answer->otherBatch->best->jobs.front().globalBatch = 2560;
    open(sizer);
    waitForAnswer();
    QVERIFY2(state().contains(u"With a batch of 2560 instead of 2048 it would be 320"_s), qPrintable(state()));
    part<QTabWidget>(*m_page, u"answer"_s)->setCurrentWidget(part<QWidget>(*m_page, u"bindsTab"_s));
    const auto words = part<QLabel>(*m_page, u"bindingDetails"_s)->text();
    QVERIFY2(words.contains(u"With a batch of 2560"_s) && words.contains(u"312 numbers of nodes are left out"_s),
        qPrintable(words));
    const auto *steps = part<QTableView>(*m_page, u"stepsTable"_s);
    const auto cell = [&](int column) { return steps->model()->index(0, column).data().toString(); };
    QVERIFY(steps->isVisible());
    QCOMPARE(cell(0), u"Batch: 2560 instead of 2048"_s);
    QVERIFY2(cell(1).startsWith(u"320 × "_s), qPrintable(cell(1)));
    QCOMPARE(cell(3).replace(QChar(0xa0), u' '), u"42.0 %"_s);
    auto *button = part<QPushButton>(*m_page, u"batchButton"_s);
    QVERIFY(button->isVisible());
    QCOMPARE(button->text(), u"Allow batches of 2048 to 2560"_s);
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(saved().jobs.front().leastBatch, std::optional(2048));
    QCOMPARE(saved().jobs.front().mostBatch, std::optional(2560));
    QTRY_VERIFY(!button->isVisible()); // it is stated now
    m_workspace->undo();
    QVERIFY(!saved().jobs.front().leastBatch);
    QTRY_VERIFY(button->isVisible());
}

void TestDecideActions::chanceIsDemanded()
{
    open();
    waitForAnswer();
    auto *card = part<DecideCard>(*m_page, u"winnerCard"_s);
    card->setDemand(u"demand 90 %"_s); // as where the winner keeps the deadline with less
    auto *link = card->findChild<QLabel *>(u"demandChanceLink"_s);
    QVERIFY(link->isVisible() && link->textFormat() == Qt::RichText);
    emit link->linkActivated(u"demand"_s);
    QCOMPARE(saved().limits.deadlineChance, std::optional(0.9));
    QTRY_VERIFY(!link->isVisible());
    m_workspace->undo();
    QVERIFY(!saved().limits.deadlineChance);
}

void TestDecideActions::approvalSaysWhoAndWhy()
{
    open();
    waitForAnswer();
    QTRY_VERIFY(part<QPushButton>(*m_page, u"approveButton"_s)->isEnabled());
    m_prompts->approvedBy = {u"Ann"_s, u"CFO"_s, u"if the price holds"_s};
    press(u"approveButton"_s);
    const auto &approved = m_workspace->approvals().front().document;
    QVERIFY(approved.signature == (Signature{.by = "Ann", .role = "CFO", .condition = "if the price holds"}));
    QVERIFY(approved.note.empty());
    const auto risks = m_prompts->approved.risks.join(u'\n');
    QVERIFY2(risks.contains(u"No lead time is known"_s), qPrintable(risks));
    QVERIFY2(risks.contains(u"deadline"_s), qPrintable(risks));
    QVERIFY(m_prompts->approved.sentences.front().contains(u"512 × DGX B200"_s));
    // Whoever approved in this project is proposed there, and only there.
    QVERIFY(m_prompts->approved.proposed.name.isEmpty() && m_prompts->approved.proposed.role.isEmpty());
    QTRY_VERIFY(part<QPushButton>(*m_page, u"approveButton"_s)->isEnabled());
    press(u"approveButton"_s);
    QCOMPARE(m_prompts->approved.proposed.name, u"Ann"_s);
    QCOMPARE(m_prompts->approved.proposed.role, u"CFO"_s);
    QVERIFY(m_prompts->approved.proposed.reason.isEmpty());
}

void TestDecideActions::chartsAreSavedAsTables()
{
    open();
    waitForAnswer();
    auto *tabs = part<QTabWidget>(*m_page, u"answer"_s);
    const auto saved = [&](const QString &tab) {
        tabs->setCurrentWidget(part<QWidget>(*m_page, tab));
        m_prompts->fileName = m_folder->filePath(tab + u".csv"_s);
        QTest::mouseClick(part<QToolButton>(*m_page, u"saveTableButton"_s), Qt::LeftButton);
        QFile file(m_prompts->fileName);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const auto money = saved(u"moneyTab"_s);
    QVERIFY2(money.startsWith("Series,Month,Cost [") && money.contains("512 \u00d7 DGX B200,12,"), money.constData());
    tabs->setCurrentWidget(part<QWidget>(*m_page, u"sureTab"_s));
    QTRY_VERIFY(part<QWidget>(*m_page, u"tornadoChart"_s)->isVisible());
    const auto sure = saved(u"sureTab"_s);
    QVERIFY2(sure.startsWith("\"From, ") || sure.startsWith("From"), sure.constData());
    part<QWidget>(*m_page, u"tornadoChart"_s)->setFocus(); // the chart with the keyboard
    const auto inputs = saved(u"sureTab"_s);
    QVERIFY2(inputs.startsWith("Name,"), inputs.constData());
}

void TestDecideActions::whoApprovedIsRemembered()
{
    makeWorkspace();
    WindowPrompts prompts;
    ApprovalQuestion question{u"70B"_s, {u"The best is X."_s}, {u"No lead time is known."_s}};
    const auto typing = [](const QString &text) {
        QTimer::singleShot(0, [text] {
            auto *dialog = QApplication::activeModalWidget();
            QTest::keyClicks(dialog->focusWidget(), text);
            QTest::keyClick(dialog, Qt::Key_Return);
        });
    };
    typing(u"Ann"_s);
    const auto first = prompts.approver(nullptr, question);
    QVERIFY(first && first->name == u"Ann"_s && first->reason.isEmpty());
    question.proposed = *first;
    typing(u"if the price holds"_s); // the name stands there, and why is asked
    const auto second = prompts.approver(nullptr, question);
    QVERIFY(second);
    QCOMPARE(second->name, u"Ann"_s);
    QCOMPARE(second->reason, u"if the price holds"_s);
    QTimer::singleShot(0, [] {
        auto *dialog = QApplication::activeModalWidget();
        QVERIFY(dialog->findChild<QLabel *>(u"risksWords"_s)->text().contains(u"No lead time"_s));
        QTest::keyClick(dialog, Qt::Key_Escape);
    });
    QVERIFY(!prompts.approver(nullptr, question));
}

void TestDecideActions::editsSayFromWhatToWhat()
{
    open();
    waitForAnswer();
    const auto undoText = [this] { return m_workspace->undoStack()->undoText().replace(QChar(0xa0), u' '); };
    enter(*m_page, u"deadlineEdit"_s, u"45"_s);
    QCOMPARE(undoText(), u"Change deadline of ‘70B in 30 days’ from 30 days to 45 days"_s);
    enter(*m_page, u"capitalEdit"_s, u"300"_s);
    QVERIFY2(undoText().startsWith(u"Set capital of ‘70B in 30 days’ to 300 MUSD"_s), qPrintable(undoText()));
    enter(*m_page, u"powerEdit"_s, QString());
    QCOMPARE(undoText(), u"Remove facility power of ‘70B in 30 days’, which was 10 MW"_s);
    QTest::mouseClick(part<QToolButton>(*m_page, u"changeButton"_s), Qt::LeftButton);
    enter(*m_page, u"batchEdit"_s, u"1024"_s);
    QVERIFY2(undoText().startsWith(u"Change batch of ‘70B in 30 days’ from 2"_s), qPrintable(undoText()));
}

/// Another answer moves nothing below the cards.
void TestDecideActions::heightsStay()
{
    open();
    m_page->resize(1096, 900);
    waitForAnswer();
    QTRY_VERIFY(part<QPushButton>(*m_page, u"approveButton"_s)->isEnabled());
    auto *card = part<DecideCard>(*m_page, u"winnerCard"_s);
    const auto top = [this] { return part<QWidget>(*m_page, u"answer"_s)->y(); };
    QCoreApplication::processEvents();
    const auto *cards = part<QWidget>(*m_page, u"headArea"_s); // a card is as tall as its words, and scrolls there
    const int before = top(), height = cards->height();
    card->setNotes({}, {});
    part<DecideCard>(*m_page, u"baseCard"_s)->showNone(u"none"_s);
    part<QLabel>(*m_page, u"stateLabel"_s)->setText(u"short"_s);
    QCoreApplication::processEvents();
    QCOMPARE(cards->height(), height);
    QCOMPARE(top(), before);
    const auto *label = part<QLabel>(*m_page, u"stateLabel"_s);
    QVERIFY2(label->width() > m_page->width() - 40, qPrintable(QString::number(label->width()))); // the whole width
}

void TestDecideActions::jobsComeAndGo()
{
    open();
    waitForAnswer();
    QTest::mouseClick(part<QToolButton>(*m_page, u"changeButton"_s), Qt::LeftButton);
    QTest::mouseClick(part<QToolButton>(*m_page, u"addJobButton"_s), Qt::LeftButton);
    QCOMPARE(saved().jobs.size(), std::size_t(2));
    enter(*m_page, u"batchEdit"_s, u"512"_s); // of the new job
    QCOMPARE(saved().jobs[1].training.globalBatch, 512);
    QCOMPARE(saved().jobs[0].training.globalBatch, 2048);
    enter(*m_page, u"shareEdit"_s, u"40"_s); // shares stand for tokens, in every job
    QVERIFY(saved().jobs[0].share && !saved().jobs[0].tokens);
    QCOMPARE(*saved().jobs[0].share, 0.6); // what is left
    QTest::mouseClick(part<QToolButton>(*m_page, u"removeJobButton"_s), Qt::LeftButton);
    QCOMPARE(saved().jobs.size(), std::size_t(1));
    QVERIFY(!part<QToolButton>(*m_page, u"removeJobButton"_s)->isEnabled());
}

void TestDecideActions::undoTakesTheBatchRangeBack()
{
    open();
    waitForAnswer();
    QTest::mouseClick(part<QToolButton>(*m_page, u"changeButton"_s), Qt::LeftButton);
    enter(*m_page, u"mostBatchEdit"_s, u"2688"_s);
    QCOMPARE(saved().jobs[0].mostBatch, std::optional(2688));
    QCOMPARE(part<CountEdit>(*m_page, u"leastBatchEdit"_s)->value(), saved().jobs[0].leastBatch);
    QVERIFY(questionInWords(saved(), *m_workspace->catalog()).contains(u"batch 2048 to 2688"_s));
    m_workspace->undo();
    QVERIFY(!saved().jobs[0].mostBatch);
    QVERIFY(!part<CountEdit>(*m_page, u"leastBatchEdit"_s)->value());
    QVERIFY(!part<CountEdit>(*m_page, u"mostBatchEdit"_s)->value());
    enter(*m_page, u"mostBatchEdit"_s, u"2688"_s); // the same again is an edit again
    QCOMPARE(saved().jobs[0].mostBatch, std::optional(2688));
}

FLEETWRIGHT_TEST(TestDecideActions)
#include "tst_decideactions.moc"
