// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/windowprompts.h"
#include "app/pages/decide/decidepage.h"
#include "exchange/sizeresults.h"
#include "itemmodels/sizemodel.h"
#include "solver/samplerun.h"
#include "solver/validation/validation.h"
#include "testing/registry.h"

#include "decidepagetesting.h"

#include <QCheckBox>
#include <QFile>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestDecidePage : public QObject, private DecideFixture {
    Q_OBJECT
private slots:
    void cleanup() { close(); }
    void saysWhatToDoWithoutADecision();
    void newDecisionIsValidAndAnswered();
    void everyEntryIsAnUndoStep();
    void refusesInPlace();
    void answerIsKeptAndShownAtOnce();
    void refusalsOfSeveralFieldsStand();
    void openFormIsWhole();
    void limitsAlwaysBind();
    void frontIsCopiedAndSaved();
    void sureSaysWordsFirst();
    void staleUntilAnswered();
    void refusalOfTheQuestion();
    void cancelKeepsWhatStands();
    void rowBecomesAPlan();
    void rowBecomesTheBaseCase();
    void rowIsRecorded();
    void returnApproves();
    void approvesAndTakesActuals();
    void offersTakePart();
    void deletesAndBringsBack();
    void readsTheRealEngine();
};

void TestDecidePage::saysWhatToDoWithoutADecision()
{
    open({}, false);
    QVERIFY(part<QLabel>(*m_page, u"emptyText"_s)->isVisible());
    QVERIFY(part<QPushButton>(*m_page, u"emptyNewButton"_s)->isVisible());
}

void TestDecidePage::newDecisionIsValidAndAnswered()
{
    open({}, false);
    press(u"emptyNewButton"_s);
    QVERIFY(m_page->currentDecision() != 0);
    QVERIFY(check(saved()).has_value());
    QVERIFY(!saved().baseCase && !saved().candidates.nodes.empty()); // what one has nobody knows
    waitForAnswer();
    QVERIFY(state().contains(u"512 × DGX B200"_s));
    QCOMPARE(part<QTableView>(*m_page, u"fleetsTable"_s)->model()->rowCount(), 4);
}

void TestDecidePage::everyEntryIsAnUndoStep()
{
    open();
    waitForAnswer();
    QTest::mouseClick(part<QToolButton>(*m_page, u"changeButton"_s), Qt::LeftButton);
    enter(*m_page, u"deadlineEdit"_s, u"45"_s);
    QCOMPARE(saved().limits.plan.deadline->value(), 45 * 86400.0);
    enter(*m_page, u"capitalEdit"_s, u"300"_s);
    QCOMPARE(saved().limits.plan.capital->value(), 300e6);
    choose(part<QComboBox>(*m_page, u"objectiveCombo"_s), int(DecisionObjective::Carbon));
    QVERIFY(saved().objective == DecisionObjective::Carbon);
    m_workspace->undo();
    QTRY_VERIFY(saved().objective == DecisionObjective::RunCost || saved().objective != DecisionObjective::Carbon);
    while (m_workspace->undoStack()->canUndo() && saved().limits.plan.capital)
        m_workspace->undo();
    QVERIFY(!saved().limits.plan.capital);
    QCOMPARE(part<QLineEdit>(*m_page, u"capitalEditText"_s)->text(), QString());
    m_workspace->undo();
    QCOMPARE(saved().limits.plan.deadline->value(), 30 * 86400.0);
    QVERIFY(part<QLineEdit>(*m_page, u"deadlineEditText"_s)->text().startsWith(u"30"_s));
}

void TestDecidePage::refusesInPlace()
{
    open();
    waitForAnswer();
    QTest::mouseClick(part<QToolButton>(*m_page, u"changeButton"_s), Qt::LeftButton);
    const auto before = saved();
    enter(*m_page, u"leastNodesEdit"_s, u"5000"_s); // more than the most
    QVERIFY(saved() == before);
    QVERIFY(part<QLabel>(*m_page, u"formSentence"_s)->text().contains(u"smaller one first"_s));
    enter(*m_page, u"leastNodesEdit"_s, u"8"_s);
    QCOMPARE(saved().candidates.leastNodes, 8);
    QVERIFY(part<QLabel>(*m_page, u"formSentence"_s)->text().isEmpty());
    auto *delivery = part<QLineEdit>(*m_page, u"deliveryEdit"_s);
    delivery->setText(u"tomorrow"_s);
    emit delivery->editingFinished();
    QVERIFY(part<QLabel>(*m_page, u"formSentence"_s)->text().contains(u"2026-12-01"_s));
}

void TestDecidePage::answerIsKeptAndShownAtOnce()
{
    open();
    waitForAnswer();
    const auto kept = m_workspace->decisionResult(m_page->currentDecision());
    QVERIFY(exchange::sizeResultFromStored(kept->resultJson.toStdString()).has_value());
    Sizer blocked;
    blocked.let->acquire(1'000'000);
    showPage({1060, 700}, blocked.function()); // as a project that is opened again
    QCOMPARE(part<QTableView>(*m_page, u"fleetsTable"_s)->model()->rowCount(), 4);
    QVERIFY(!m_page->isStale());
    blocked.let->release(10);
}

void TestDecidePage::refusalsOfSeveralFieldsStand()
{
    open();
    waitForAnswer();
    QTest::mouseClick(part<QToolButton>(*m_page, u"changeButton"_s), Qt::LeftButton);
    type(*m_page, u"deadlineEdit"_s, u"soon"_s);
    const auto *said = part<QLabel>(*m_page, u"formSentence"_s);
    QVERIFY(said->text().contains(u"soon"_s));
    enter(*m_page, u"powerEdit"_s, u"8"_s); // another entry is taken meanwhile
    QVERIFY(saved().limits.plan.facilityPower);
    QVERIFY2(said->text().contains(u"soon"_s), qPrintable(said->text()));
    QVERIFY(m_page->isStale());
    enter(*m_page, u"deadlineEdit"_s, u"40"_s);
    QVERIFY(said->text().isEmpty());
}

void TestDecidePage::openFormIsWhole()
{
    open();
    m_page->resize(1096, 750); // of a window of 1280 by 800
    waitForAnswer();
    QTest::mouseClick(part<QToolButton>(*m_page, u"changeButton"_s), Qt::LeftButton);
    QCoreApplication::processEvents();
    const auto *form = part<QWidget>(*m_page, u"form"_s);
    QVERIFY2(form->visibleRegion().boundingRect().height() >= form->sizeHint().height(),
        qPrintable(u"%1 of %2"_s.arg(form->visibleRegion().boundingRect().height()).arg(form->sizeHint().height())));
    const auto *box = part<QWidget>(*m_page, u"reserved3Box"_s);
    QCOMPARE(box->visibleRegion().boundingRect().size(), box->size());
    QVERIFY(m_page->height() == 750);
    m_page->resize(1096, 750 - 40); // a notice stands below the page
    QCoreApplication::processEvents();
    QVERIFY2(form->visibleRegion().boundingRect().height() >= form->sizeHint().height(),
        qPrintable(u"%1 of %2"_s.arg(form->visibleRegion().boundingRect().height()).arg(form->sizeHint().height())));
    QCOMPARE(m_page->height(), 750 - 40);
    m_page->resize(1096, 750);
    const auto *lists = part<QWidget>(*m_page, u"nodesPicker"_s)->findChild<QListWidget *>();
    lists->item(5)->setCheckState(Qt::Checked);
    const auto ticked = lists->item(5)->text();
    QTest::mouseClick(part<QToolButton>(*m_page, u"changeButton"_s), Qt::LeftButton);
    QTest::mouseClick(part<QToolButton>(*m_page, u"changeButton"_s), Qt::LeftButton);
    QCOMPARE(lists->item(0)->text(), ticked); // in front when the form is opened again
}

void TestDecidePage::limitsAlwaysBind()
{
    open();
    waitForAnswer();
    const auto *fleets = part<QTableView>(*m_page, u"fleetsTable"_s)->model();
    const auto cell = [&](int row, int column) { return fleets->index(row, column).data().toString(); };
    QCOMPARE(cell(0, itemmodels::SizedModel::Fleet), u"512 × DGX B200"_s);
    QCOMPARE(cell(0, itemmodels::SizedModel::Paying), u"owned"_s);
    QCOMPARE(cell(0, itemmodels::SizedModel::Binds), u"0.60 MW left: facility power"_s);
    QCOMPARE(part<QTableView>(*m_page, u"bindingTable"_s)->model()->rowCount(), 4);
    QVERIFY(part<QLabel>(*m_page, u"bindingWords"_s)->text().startsWith(u"512 × DGX B200, owned keeps every limit"_s));
}

void TestDecidePage::frontIsCopiedAndSaved()
{
    open();
    waitForAnswer();
    auto *tabs = part<QTabWidget>(*m_page, u"answer"_s);
    tabs->setCurrentWidget(part<QWidget>(*m_page, u"frontTab"_s));
    auto *copy = part<QToolButton>(*m_page, u"copyTableButton"_s);
    QVERIFY(copy->isEnabled());
    QGuiApplication::clipboard()->clear();
    QTest::mouseClick(copy, Qt::LeftButton);
    QVERIFY(!QGuiApplication::clipboard()->image().isNull());
    m_prompts->fileName = m_folder->filePath(u"front.csv"_s);
    QTest::mouseClick(part<QToolButton>(*m_page, u"saveTableButton"_s), Qt::LeftButton);
    QFile written(m_prompts->fileName);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(written.readAll().count("DGX"), 4); // the base case, too
    tabs->setCurrentWidget(part<QWidget>(*m_page, u"approvedTab"_s));
    QVERIFY(!copy->isEnabled());
}

void TestDecidePage::sureSaysWordsFirst()
{
    open();
    waitForAnswer();
    part<QTabWidget>(*m_page, u"answer"_s)->setCurrentWidget(part<QWidget>(*m_page, u"sureTab"_s));
    auto *words = part<QLabel>(*m_page, u"sureWords"_s);
    auto *details = part<QLabel>(*m_page, u"sureDetails"_s);
    auto *chart = part<QWidget>(*m_page, u"histogramChart"_s);
    QVERIFY(!words->text().isEmpty() && !words->text().contains(u"\u2022"_s) && !details->isVisible());
    if (!chart->isVisible())
        QSKIP("Nothing was drawn.");
    QVERIFY(words->y() < chart->y());
    for (const auto &jargon : {u"draw"_s, u"correlation"_s, u"seed"_s, u"give or take"_s})
        QVERIFY2(!words->text().contains(jargon), qPrintable(words->text()));
    QTest::mouseClick(part<QAbstractButton>(*m_page, u"sureHeader"_s), Qt::LeftButton);
    QVERIFY(details->isVisible());
    auto bullets = details->text().split(u'\n');
    QVERIFY(bullets.size() > 1);
    QCOMPARE(bullets.removeDuplicates(), qsizetype(0));
}

void TestDecidePage::staleUntilAnswered()
{
    Sizer sizer;
    open(sizer);
    waitForAnswer();
    sizer.let->acquire(sizer.let->available());
    QTest::mouseClick(part<QToolButton>(*m_page, u"changeButton"_s), Qt::LeftButton);
    enter(*m_page, u"powerEdit"_s, u"8"_s);
    QVERIFY(m_page->isStale());
    QVERIFY(!part<QPushButton>(*m_page, u"approveButton"_s)->isEnabled());
    sizer.let->release(10);
    QTRY_VERIFY(!m_page->isStale());
    QTRY_VERIFY(part<QPushButton>(*m_page, u"approveButton"_s)->isEnabled());
}

void TestDecidePage::refusalOfTheQuestion()
{
    Sizer sizer;
    sizer.answer = refuse(ErrorCode::OutOfMemory, "jobs[0].workload", "No candidate can hold this job.");
    open(sizer);
    QTRY_VERIFY(state().contains(u"No candidate can hold this job."_s));
    QVERIFY(part<QLabel>(*m_page, u"formSentence"_s)->text().contains(u"No candidate"_s));
    QCOMPARE(part<QTableView>(*m_page, u"fleetsTable"_s)->model()->rowCount(), 0);
}

void TestDecidePage::cancelKeepsWhatStands()
{
    Sizer sizer;
    open(sizer);
    waitForAnswer();
    sizer.let->acquire(sizer.let->available());
    QTest::mouseClick(part<QToolButton>(*m_page, u"changeButton"_s), Qt::LeftButton);
    enter(*m_page, u"powerEdit"_s, u"8"_s);
    QTRY_VERIFY(part<QPushButton>(*m_page, u"cancelButton"_s)->isVisible());
    press(u"cancelButton"_s);
    QCOMPARE(part<QTableView>(*m_page, u"fleetsTable"_s)->model()->rowCount(), 4);
    QVERIFY(m_page->isStale());
    // The same button asks after all.
    QVERIFY(part<QPushButton>(*m_page, u"cancelButton"_s)->text().contains(u"Answer"_s));
    sizer.let->release(100);
    press(u"cancelButton"_s);
    QTRY_VERIFY(!part<QPushButton>(*m_page, u"cancelButton"_s)->isVisible());
    QVERIFY(!m_page->isStale());
}

void TestDecidePage::rowBecomesAPlan()
{
    open();
    waitForAnswer();
    QSignalSpy requested(m_page.get(), &Page::planRequested);
    part<QTableView>(*m_page, u"fleetsTable"_s)->selectRow(1);
    press(u"planButton"_s);
    QCOMPARE(requested.count(), 1);
    QCOMPARE(m_workspace->plans().size(), std::size_t(1));
    QCOMPARE(m_workspace->plans().front().document.fleet.nodes, 768);
    QCOMPARE(requested.front().front().toLongLong(), m_workspace->plans().front().id);
}

void TestDecidePage::rowBecomesTheBaseCase()
{
    open();
    waitForAnswer();
    part<QTableView>(*m_page, u"fleetsTable"_s)->selectRow(1);
    press(u"baseButton"_s);
    QCOMPARE(saved().baseCase->nodes, 768);
    m_workspace->undo();
    QCOMPARE(saved().baseCase->nodes, 128);
}

void TestDecidePage::rowIsRecorded()
{
    open();
    waitForAnswer();
    part<QTableView>(*m_page, u"fleetsTable"_s)->selectRow(2);
    press(u"recordButton"_s);
    QCOMPARE(m_workspace->ledger().size(), std::size_t(1));
    const auto &entry = m_workspace->ledger().front().document;
    QVERIFY(entry.title.find("DGX H100") != std::string::npos && !entry.constraintHit.empty());
}

void TestDecidePage::returnApproves()
{
    WindowPrompts prompts;
    const auto confirmedBy = [&](Qt::Key key, Prompts::Default byReturn) {
        QTimer::singleShot(0, [key] { QTest::keyClick(QApplication::activeModalWidget(), key); });
        return prompts.confirm(nullptr, u"Approve"_s, u"Approve it?"_s, u"Approve"_s, byReturn);
    };
    QVERIFY(confirmedBy(Qt::Key_Return, Prompts::Default::Action));
    QVERIFY(!confirmedBy(Qt::Key_Escape, Prompts::Default::Action));
    QVERIFY(!confirmedBy(Qt::Key_Return, Prompts::Default::Cancel)); // of what takes something away
}

void TestDecidePage::approvesAndTakesActuals()
{
    open();
    waitForAnswer();
    QTRY_VERIFY(part<QPushButton>(*m_page, u"approveButton"_s)->isEnabled());
    m_prompts->confirmation = false;
    const auto *approve = part<QPushButton>(*m_page, u"approveButton"_s);
    QVERIFY(approve->isDefault());
    for (const auto &other : {u"newButton"_s, u"duplicateButton"_s, u"exportButton"_s, u"removeButton"_s})
        QVERIFY(part<QPushButton>(*m_page, other)->x() < approve->x());
    QVERIFY(part<QPushButton>(*m_page, u"removeButton"_s)->x() < part<QPushButton>(*m_page, u"exportButton"_s)->x());
    QSignalSpy told(m_page.get(), &Page::statusMessage);
    press(u"approveButton"_s);
    QVERIFY(m_workspace->approvals().empty());
    QVERIFY(told.back().front().toString().contains(u"Not approved"_s));
    QVERIFY(m_prompts->returned == Prompts::Default::Action);
    m_prompts->confirmation = true;
    press(u"approveButton"_s);
    QCOMPARE(m_workspace->approvals().size(), std::size_t(1));
    const auto approved = m_workspace->approvals().front();
    QVERIFY(approved.document.decision == saved());
    QVERIFY(!approved.document.inputHash.empty());
    QVERIFY(part<QLabel>(*m_page, u"daysEditPredicted"_s)->text().contains(u"26.1 days"_s));
    auto *days = part<QLineEdit>(*m_page, u"daysEditText"_s);
    QVERIFY(days->fontMetrics().horizontalAdvance(days->placeholderText()) < days->width() - 8); // said whole
    QVERIFY(!part<QTableView>(*m_page, u"changesTable"_s)->isVisible());
    QVERIFY(part<QLabel>(*m_page, u"noChangesLabel"_s)->isVisible());
    enter(*m_page, u"daysEdit"_s, u"27.5"_s);
    QCOMPARE(m_workspace->approvals().front().document.actuals.days, std::optional(27.5));
    m_workspace->undo();
    QVERIFY(!m_workspace->approvals().front().document.actuals.days);
    auto *note = part<QLineEdit>(*m_page, u"noteEdit"_s);
    QTest::keyClicks(note, u"By the board, with conditions"_s); // spaces between the words stay
    QCOMPARE(m_workspace->approvals().front().document.note, std::string("By the board, with conditions"));
    // A measured run says what is likely, and its range, which is among what has changed.
    const auto figures = part<QWidget>(*m_page, u"winnerCard"_s)->findChildren<QLabel *>();
    const auto shownDays = [&] {
        for (const auto *label : figures)
            if (label->text().contains(u" days ("_s) && label->text().endsWith(u')'))
                return label->text();
        return QString();
    };
    const auto before = shownDays();
    const auto likely = before.section(u'(', 0, 0);
    QVERIFY2(likely.endsWith(u" days "_s), qPrintable(before));
    auto run = samplerun::run("mine", 12);
    run.measured.stepTime = 3.0 * validation::validate(std::vector{run}, "detailed").value().runs.at(0).predicted;
    QVERIFY(m_workspace->addMeasuredRuns({run}).has_value());
    QVERIFY(part<QTableView>(*m_page, u"changesTable"_s)->isVisible());
    QVERIFY(part<QLabel>(*m_page, u"wordsLabel"_s)->text().contains(u"measured runs behind it changed since"_s));
    QTRY_VERIFY(shownDays() != before);
    waitForAnswer();
    const auto moved = shownDays(); // "58.8 days (48.7–71.2)"
    const auto low = moved.section(u'(', 1).section(u'\u2013', 0, 0).toDouble();
    const auto high = moved.section(u'\u2013', 1).chopped(1).toDouble();
    const auto shown = moved.section(u' ', 0, 0).toDouble();
    QVERIFY2(!moved.startsWith(likely) && low < shown && shown < high, qPrintable(moved));
    m_workspace->undo();
    QVERIFY(!part<QTableView>(*m_page, u"changesTable"_s)->isVisible());
    QVERIFY(m_workspace->removeDecision(m_page->currentDecision()).has_value());
    QCOMPARE(m_workspace->approvals().size(), std::size_t(1)); // frozen
}

void TestDecidePage::offersTakePart()
{
    open();
    waitForAnswer();
    auto *list = part<QListWidget>(*m_page, u"offersList"_s);
    QVERIFY(list->isHidden()); // the project has none
    OfferDocument offer;
    offer.name = "Offer B";
    offer.vendor = "A vendor";
    offer.fleet = *saved().baseCase;
    offer.lines.push_back({.item = "nodes", .part = {}, .quantity = double(offer.fleet.nodes), .unitPrice = 1e5});
    QVERIFY(m_workspace->addOffer(offer).has_value());
    QVERIFY(!list->isHidden());
    list->item(0)->setCheckState(Qt::Checked);
    QCOMPARE(saved().candidates.offers.size(), std::size_t(1));
    QVERIFY(std::get<OfferDocument>(saved().candidates.offers.front()) == offer);
    m_workspace->undo();
    QVERIFY(saved().candidates.offers.empty());
    QVERIFY(list->item(0)->checkState() == Qt::Unchecked);
}

void TestDecidePage::deletesAndBringsBack()
{
    open();
    waitForAnswer();
    press(u"removeButton"_s);
    QVERIFY(m_workspace->decisions().empty());
    QVERIFY(part<QLabel>(*m_page, u"emptyText"_s)->isVisible());
    m_workspace->undo();
    QCOMPARE(m_workspace->decisions().size(), std::size_t(1));
    QVERIFY(m_workspace->decisionResult(m_page->currentDecision()).has_value()); // with its answer
}

void TestDecidePage::readsTheRealEngine()
{
    makeWorkspace();
    QVERIFY(m_workspace->createProject(m_folder->filePath(u"empty.fleetwright"_s)).has_value());
    auto document = sizesample::question();
    document.candidates.nodes = {"nvidia_dgx_h100", "nvidia_dgx_b200"};
    document.candidates.mostNodes = 256;
    document.limits = {};
    document.baseCase->nodes = 64;
    QVERIFY(m_workspace->addDecision(document).has_value());
    showPage({1060, 700});
    part<QCheckBox>(*m_page, u"allBox"_s)->setChecked(true);
    const auto path = m_workspace->path();
    m_workspace->close();
    QVERIFY(m_workspace->open(path).has_value());
    QVERIFY(!part<QCheckBox>(*m_page, u"allBox"_s)->isChecked()); // it was asked for in the project before
    QTRY_VERIFY(m_workspace->decisionResult(m_page->currentDecision()).has_value());
    QVERIFY(state().contains(u"DGX"_s));
    QTRY_COMPARE(part<QTableView>(*m_page, u"fleetsTable"_s)->model()->rowCount(), 3);
    // How sure begins with what is asked first, and its details are seen when they are opened.
    QTRY_VERIFY(part<QPushButton>(*m_page, u"approveButton"_s)->isEnabled());
    part<QTabWidget>(*m_page, u"answer"_s)->setCurrentWidget(part<QWidget>(*m_page, u"sureTab"_s));
    const auto first = part<QLabel>(*m_page, u"sureHeadline"_s)->text();
    for (const auto &question : {u"Would other prices change the choice?"_s, u"What moves the winner most?"_s,
             u"What to measure or have quoted first?"_s})
        QVERIFY2(first.contains(question), qPrintable(first));
    QVERIFY(part<QLabel>(*m_page, u"sureWords"_s)->text().contains(u"One run in ten takes longer than"_s));
    QTest::mouseClick(part<QAbstractButton>(*m_page, u"sureHeader"_s), Qt::LeftButton);
    QTRY_VERIFY(part<QLabel>(*m_page, u"sureDetails"_s)->visibleRegion().boundingRect().height() > 30);
}

FLEETWRIGHT_TEST(TestDecidePage)
#include "tst_decidepage.moc"
