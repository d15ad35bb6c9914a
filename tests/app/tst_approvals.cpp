// SPDX-License-Identifier: GPL-3.0-or-later
// What an approval takes, freezes and says later.
#include "app/dialogs/windowprompts.h"
#include "app/pages/decide/decidecard.h"
#include "app/pages/ledger/ledgerpage.h"
#include "app/theme.h"
#include "app/widgets/quantityedit.h"
#include "exchange/decisiondocuments.h"
#include "exchange/sizeresults.h"
#include "itemmodels/ledgermodel.h"
#include "solver/samplerun.h"
#include "solver/size/sizewords.h"
#include "solver/size/usedvalues.h"
#include "solver/validation/validation.h"
#include "testing/registry.h"
#include "text/utf8.h"

#include "decidepagetesting.h"

#include <QComboBox>
#include <QGroupBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QTimer>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestApprovals : public QObject, private DecideFixture {
    Q_OBJECT
private slots:
    void cleanup() { close(); }
    void nobodySignsWithoutAName();
    void whoSignedIsFrozen();
    void measuredRunsAreFrozen();
    void fieldsHaveTheirRoom_data();
    void fieldsHaveTheirRoom();
    void anotherQuestionIsSaid();
    void aMadeNameFollows();
    void anotherAnswerIsSaid();
    void noOlderAnswerIsHeldAgainstIt();
    void theBestSoFarIsHeldAgainstNothing();
    void whereNothingKeepsTheLimitsNothingIsApproved();
    void changesAreInWords();
    void whatChangedIsReadAtOnce();

private:
    /// What the table of the approval has in a row: as approved, and today; nothing: no such row.
    std::pair<QString, QString> today(const QString &what)
    {
        const auto *rows = part<QTableView>(*m_page, u"answersTable"_s)->model();
        const auto cell = [&](int row, int column) { return rows->index(row, column).data().toString(); };
        for (int row = 0; row < rows->rowCount(); ++row)
            if (cell(row, 0) == what)
                return {cell(row, 1), cell(row, 2)};
        return {};
    }
    QString words() { return part<QLabel>(*m_page, u"wordsLabel"_s)->text(); }
    void approve()
    {
        QTRY_VERIFY(part<QPushButton>(*m_page, u"approveButton"_s)->isEnabled());
        press(u"approveButton"_s);
    }
    QString next() { return part<QLabel>(*m_page, u"nextLabel"_s)->text(); }
    void addRun()
    {
        auto run = samplerun::run("mine", 12);
        run.measured.stepTime = 3.0 * validation::validate(std::vector{run}, "detailed").value().runs.at(0).predicted;
        QVERIFY(m_workspace->addMeasuredRuns({run}).has_value());
    }
};

void TestApprovals::nobodySignsWithoutAName()
{
    makeWorkspace();
    WindowPrompts prompts;
    QTimer::singleShot(0, [] {
        auto *dialog = QApplication::activeModalWidget();
        auto *accept = dialog->findChild<QPushButton *>(u"acceptApproval"_s);
        const auto *missing = dialog->findChild<QLabel *>(u"approverMissing"_s);
        const auto *title = dialog->findChild<QLabel *>(u"approvedName"_s);
        QCOMPARE(title->text().count(u'?'), 1);
        for (const auto &name : {u""_s, u"  "_s}) {
            QTest::keyClicks(dialog->focusWidget(), name);
            QVERIFY(!accept->isEnabled() && missing->text().contains(u"Say who approves"_s));
            QTest::keyClick(dialog->focusWidget(), Qt::Key_Return);
            QTest::mouseClick(accept, Qt::LeftButton);
            QVERIFY(dialog->isVisible());
        }
        const int y = accept->y();
        QTest::keyClicks(dialog->focusWidget(), u"Ann"_s);
        QVERIFY(accept->isEnabled() && missing->text().isEmpty());
        QCoreApplication::processEvents();
        QCOMPARE(accept->y(), y); // nothing moves under the pointer
        QTest::keyClick(dialog->focusWidget(), Qt::Key_Return);
    });
    const auto approver = prompts.approver(nullptr, {u"Which fleet, bought or rented?"_s, {u"The best is X."_s}, {}});
    QVERIFY(approver);
    QCOMPARE(approver->name, u"Ann"_s);
}

/// Name, role and condition are read beside the answer and in the ledger; no key changes them, and a note is another
/// thing.
void TestApprovals::whoSignedIsFrozen()
{
    open();
    waitForAnswer();
    m_prompts->approvedBy = {u"Ann Roe"_s, u"CFO"_s, u"if the quote holds"_s};
    approve();
    const auto kept = [this] { return m_workspace->approvals().front().document; };
    const Signature signature{.by = "Ann Roe", .role = "CFO", .condition = "if the quote holds"};
    QVERIFY(kept().signature == signature);
    const auto *said = part<QLabel>(*m_page, u"signedLabel"_s);
    QVERIFY2(
        said->isVisible() && said->text().contains(u"by Ann Roe, CFO.\nWhy, on what condition: if the quote holds"_s),
        qPrintable(said->text()));
    auto *note = part<QLineEdit>(*m_page, u"noteEdit"_s);
    QVERIFY(!note->hasFocus() && note->text().isEmpty());
    // What is typed blindly after approving changes nothing.
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), u"someone else"_s);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QVERIFY(kept().signature == signature && kept().note.empty());
    // A note is of later, and does not stand in the place of a signature.
    note->setFocus();
    QTest::keyClicks(note, u"Quote came on Monday"_s);
    QCOMPARE(kept().note, std::string("Quote came on Monday"));
    QVERIFY(kept().signature == signature);
    QVERIFY(said->text().contains(u"Ann Roe"_s) && !said->text().contains(u"Monday"_s));
    LedgerPage ledger(*m_workspace, *m_prompts);
    const auto cell = [&](int column) {
        return part<QTableView>(ledger, u"approvalsTable"_s)->model()->index(0, column).data().toString();
    };
    QCOMPARE(cell(itemmodels::ApprovalModel::SignedBy), u"Ann Roe, CFO: if the quote holds"_s);
    QCOMPARE(cell(itemmodels::ApprovalModel::Became), u"Quote came on Monday"_s);
    // Nor does anything else of the program change it.
    auto forged = kept();
    forged.signature.by = "Ben";
    const auto refused = m_workspace->editApproval(m_workspace->approvals().front().id, forged);
    QVERIFY(!refused && refused.error().message.contains("frozen"));
    QVERIFY(kept().signature == signature);
}

/// How many runs of the site there were, and how long their steps took, is kept with the prices.
void TestApprovals::measuredRunsAreFrozen()
{
    const auto frozen = size::usedRuns({Seconds::from_value(2.0), std::nullopt, Seconds::from_value(4.0)});
    QCOMPARE(frozen.size(), 2UZ);
    QCOMPARE(frozen[0].value, 3.0);
    QCOMPARE(frozen[1].value, 3.0); // the mean of those that state a time
    QCOMPARE(size::usedRuns({}).front().value, 0.0); // none is known to be none
    QCOMPARE(size::usedRuns({std::nullopt}).size(), 1UZ);
    open();
    addRun();
    waitForAnswer();
    approve();
    const auto kept = m_workspace->approvals().front().document.values;
    const auto ofRuns = std::ranges::find(kept, std::string("Measured runs"), &UsedValue::key);
    QVERIFY(ofRuns != kept.end());
    QCOMPARE(ofRuns->value, 1.0);
    QVERIFY(words().contains(u"No price, no constant and no measured run"_s));
    m_workspace->undo(); // the approval
    m_workspace->undo(); // the run
    QVERIFY(m_workspace->measuredRuns().empty());
    waitForAnswer();
    approve();
    QVERIFY(words().contains(u"No price, no constant and no measured run"_s));
    addRun();
    const auto *changes = part<QTableView>(*m_page, u"changesTable"_s);
    QVERIFY(changes->isVisible());
    QStringList values;
    for (int row = 0; row < changes->model()->rowCount(); ++row)
        values << changes->model()->index(row, 1).data().toString();
    QCOMPARE(values, QStringList{u"Measured runs"_s}); // one run is one change, whatever its mean
    LedgerPage ledger(*m_workspace, *m_prompts);
    const auto since = part<QTableView>(ledger, u"approvalsTable"_s)
                           ->model()
                           ->index(0, itemmodels::ApprovalModel::Since)
                           .data()
                           .toString();
    QVERIFY2(since.contains(u"1 input changed: measured runs"_s), qPrintable(since));
}

void TestApprovals::fieldsHaveTheirRoom_data()
{
    QTest::addColumn<int>("approvals");
    QTest::addColumn<bool>("runs");
    QTest::newRow("one") << 1 << false;
    QTest::newRow("three") << 3 << false;
    QTest::newRow("one, after a calibration") << 1 << true;
    QTest::newRow("three, after a calibration") << 3 << true;
}

/// At 1280 by 800 what became of it can be read and typed, and what has the keyboard is in sight.
void TestApprovals::fieldsHaveTheirRoom()
{
    QFETCH(int, approvals);
    QFETCH(bool, runs);
    open();
    m_page->resize(1096, 690);
    waitForAnswer();
    for (int i = 0; i < approvals; ++i)
        approve();
    QCoreApplication::processEvents();
    const auto isWhole = [](const QWidget *widget) {
        return widget->visibleRegion().boundingRect().size() == widget->size();
    };
    QVERIFY(part<QComboBox>(*m_page, u"approvalCombo"_s)->hasFocus());
    if (runs)
        addRun();
    QCoreApplication::processEvents();
    auto *area = part<QScrollArea>(*m_page, u"contentArea"_s); // the limits of the question have fields of these names
    const std::array<QWidget *, 5> fields{part<QuantityEdit>(*area, u"daysEdit"_s),
        part<QuantityEdit>(*area, u"runCostEdit"_s), part<QuantityEdit>(*area, u"capitalEdit"_s),
        part<QuantityEdit>(*area, u"powerEdit"_s), part<QLineEdit>(*area, u"noteEdit"_s)};
    for (auto *field : fields) {
        QVERIFY2(field->height() >= field->sizeHint().height(), qPrintable(field->objectName()));
        QVERIFY(field->width() >= field->minimumSizeHint().width());
    }
    part<QPushButton>(*m_page, u"withdrawButton"_s)->setFocus();
    for (auto *field : fields) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QVERIFY2(field->isAncestorOf(QApplication::focusWidget()) || field == QApplication::focusWidget(),
            qPrintable(field->objectName()));
        QVERIFY2(isWhole(QApplication::focusWidget()), qPrintable(field->objectName()));
    }
    QCOMPARE(area->horizontalScrollBar()->maximum(), 0);
    enter(*m_page, u"daysEdit"_s, u"27.5"_s);
    QVERIFY(part<QLabel>(*m_page, u"daysEditPredicted"_s)->text().contains(u"more"_s));
    enter(*area, u"runCostEdit"_s, u"42"_s);
    QCoreApplication::processEvents();
    QCOMPARE(area->horizontalScrollBar()->maximum(), 0);
    QVERIFY(2 * part<QGroupBox>(*m_page, u"actualsGroup"_s)->width() < area->viewport()->width()); // it wraps
    QVERIFY2(!next().contains(u"enter beside this"_s), qPrintable(next()));
}

void TestApprovals::anotherQuestionIsSaid()
{
    open();
    waitForAnswer();
    approve();
    QVERIFY2(!words().contains(u"question"_s), qPrintable(words()));
    enter(*m_page, u"deadlineEdit"_s, u"45"_s);
    QVERIFY2(words().contains(u"The question has changed since"_s), qPrintable(words()));
    QVERIFY2(words().contains(u"Deadline: 30 days then, 45 days now"_s), qPrintable(words()));
    const auto *answer = part<QTabWidget>(*m_page, u"answer"_s);
    const int tab = answer->indexOf(part<QWidget>(*m_page, u"approvedTab"_s));
    auto *card = part<DecideCard>(*m_page, u"winnerCard"_s);
    QVERIFY(!answer->tabIcon(tab).isNull());
    QVERIFY2(answer->tabToolTip(tab).contains(u"30 days then, 45 days now"_s), qPrintable(answer->tabToolTip(tab)));
    QTRY_VERIFY2(card->text().contains(u"not as approved"_s), qPrintable(card->text())); // answered
    const auto *fleet = part<QLabel>(*card, u"cardFleet"_s); // whose name the mark leaves the room
    QVERIFY2(fleet->fontMetrics().horizontalAdvance(fleet->text()) <= fleet->width(), qPrintable(fleet->text()));
    QVERIFY(part<QLabel>(*card, u"cardTitle"_s)->toolTip().contains(u"30 days then, 45 days now"_s));
    QVERIFY2(!words().contains(u"another one now"_s), qPrintable(words())); // the sample's answer is the same
    m_workspace->undo();
    QVERIFY2(!words().contains(u"question"_s), qPrintable(words()));
    QVERIFY(answer->tabIcon(tab).isNull() && answer->tabToolTip(tab).isEmpty());
    QTRY_VERIFY(!card->text().contains(u"not as approved"_s) && !card->text().contains(u"question before"_s));
    QVERIFY(m_workspace->removeDecision(m_page->currentDecision()).has_value());
    QVERIFY2(words().contains(u"deleted or renamed"_s), qPrintable(words()));
}

/// A name that the program made follows the deadline, and what was approved is still found.
void TestApprovals::aMadeNameFollows()
{
    open();
    auto named = saved();
    named.name = nameOf(named.jobs.front().workload, CatalogKind::Workload, *m_workspace->catalog()) + " in 30 days";
    const auto made = utf8(named.name);
    QVERIFY(m_workspace->editDecision(m_page->currentDecision(), named).has_value());
    waitForAnswer();
    approve();
    enter(*m_page, u"deadlineEdit"_s, u"28"_s);
    const auto *name = part<QLineEdit>(*m_page, u"nameEdit"_s);
    QCOMPARE(name->text(), QString(made).replace(u"30"_s, u"28"_s));
    QVERIFY2(words().contains(u"Deadline: 30 days then, 28 days now"_s), qPrintable(words()));
    QVERIFY2(!words().contains(u"renamed"_s), qPrintable(words()));
    m_workspace->undo(); // both in one step
    QCOMPARE(name->text(), made);
    QCOMPARE(saved().limits.plan.deadline->value(), 30 * 86400.0);
}

void TestApprovals::anotherAnswerIsSaid()
{
    open();
    waitForAnswer();
    approve();
    auto other = sizesample::feasible();
    std::swap(other.answers[0], other.answers[1]);
    const auto said = utf8(size::fleetInWords(other, *other.best()));
    const auto first = sizesample::feasible();
    const auto before = utf8(size::fleetInWords(first, *first.best()));
    QVERIFY(m_workspace
                ->saveDecisionResult(m_page->currentDecision(),
                    {utf8(exchange::decisionInputHash(saved(), *m_workspace->catalog())), u"2026-03-01T09:30:00Z"_s,
                        utf8(exchange::storedSizeResult(other))})
                .has_value());
    QVERIFY2(words().contains(u"The best fleet is another one now: %1 then, %2 now."_s.arg(before, said)),
        qPrintable(words()));
    QCOMPARE(today(u"Best fleet"_s),
        (std::pair(
            utf8(size::shortFleetInWords(first, *first.best())), utf8(size::shortFleetInWords(other, *other.best())))));
    const auto *answer = part<QTabWidget>(*m_page, u"answer"_s);
    const int tab = answer->indexOf(part<QWidget>(*m_page, u"approvedTab"_s));
    QVERIFY2(answer->tabToolTip(tab).contains(said), qPrintable(answer->tabToolTip(tab)));
}

/// While what is asked now is worked out, nothing that an earlier question was answered stands as today's.
void TestApprovals::noOlderAnswerIsHeldAgainstIt()
{
    Sizer sizer;
    open(sizer);
    waitForAnswer();
    approve();
    const auto fleet = today(u"Best fleet"_s).first;
    QVERIFY(!fleet.isEmpty());
    const auto notYet = std::pair(fleet, u"not answered yet"_s);
    sizer.let->acquire(sizer.let->available());
    enter(*m_page, u"deadlineEdit"_s, u"45"_s);
    QCOMPARE(today(u"Best fleet"_s), notYet);
    QCOMPARE(today(u"Days"_s).second, u"\u2013"_s);
    sizer.let->release(1'000'000);
    QTRY_COMPARE(today(u"Best fleet"_s), (std::pair(fleet, fleet)));
    // Nor while measured runs are asked about, which the question does not name.
    m_workspace->undo();
    QTRY_COMPARE(today(u"Best fleet"_s), (std::pair(fleet, fleet)));
    waitForAnswer();
    sizer.let->acquire(sizer.let->available());
    addRun();
    QTRY_COMPARE(today(u"Best fleet"_s), notYet);
    const auto *verdict = part<QLabel>(*m_page, u"verdictLabel"_s);
    QVERIFY2(verdict->text().startsWith(u"Whether it still fits is not answered yet."_s), qPrintable(verdict->text()));
    QVERIFY2(next().contains(u"once the fleet runs"_s), qPrintable(next()));
    sizer.let->release(1'000'000);
    QTRY_COMPARE(today(u"Best fleet"_s), (std::pair(fleet, fleet)));
}

/// While better and better fleets of the new answer are shown, the one before is not today's.
void TestApprovals::theBestSoFarIsHeldAgainstNothing()
{
    Sizer sizer;
    sizer.partial = sizesample::feasible();
    open(sizer);
    waitForAnswer();
    approve();
    const auto fleet = today(u"Best fleet"_s).first;
    sizer.let->acquire(sizer.let->available());
    addRun();
    QTRY_VERIFY2(state().contains(u"best so far"_s), qPrintable(state()));
    QCOMPARE(today(u"Best fleet"_s), std::pair(fleet, u"not answered yet"_s));
    QCOMPARE(today(u"Days"_s).second, u"\u2013"_s);
    sizer.let->release(1'000'000);
    QTRY_COMPARE(today(u"Best fleet"_s), (std::pair(fleet, fleet)));
}

/// What cannot be approved is not what to do.
void TestApprovals::whereNothingKeepsTheLimitsNothingIsApproved()
{
    open();
    waitForAnswer();
    approve();
    QVERIFY(m_workspace
                ->saveDecisionResult(m_page->currentDecision(),
                    {utf8(exchange::decisionInputHash(saved(), *m_workspace->catalog())), u"2026-03-01T09:30:00Z"_s,
                        utf8(exchange::storedSizeResult(sizesample::infeasible()))})
                .has_value());
    QCOMPARE(today(u"Best fleet"_s).second, u"none that keeps all limits"_s);
    QVERIFY2(!next().contains(u"with Approve"_s) && next().contains(u"Move a limit with Change"_s), qPrintable(next()));
}

/// What changed is called as on the pages, never by the key of a document, and its digits are grouped.
void TestApprovals::changesAreInWords()
{
    const size::ValueChange constant{"detailed", "gemm_Hopper", std::nullopt, 0.68, {}};
    QCOMPARE(size::valueInWords(constant), std::string("16-bit products, Hopper"));
    QVERIFY(size::subjectInWords(constant) != "detailed");
    const size::ValueChange price{"DGX B200", "node_usd", 515000, 412000, {}};
    QVERIFY2(size::valueInWords(price).find('_') == std::string::npos, size::valueInWords(price).c_str());
    QCOMPARE(size::subjectInWords(price), std::string("DGX B200"));
    open();
    waitForAnswer();
    approve();
    auto approved = m_workspace->approvals().front().document;
    approved.values.front().value = 1234567;
    QVERIFY(m_workspace->addApproval(approved).has_value());
    const auto *changes = part<QTableView>(*m_page, u"changesTable"_s);
    QCOMPARE(changes->model()->rowCount(), 1);
    QCOMPARE(changes->model()->index(0, 2).data().toString(), u"1\u202f234\u202f567"_s);
}

/// Old value and new value in a table, what moved it and what to do in a sentence each; the rest is folded.
void TestApprovals::whatChangedIsReadAtOnce()
{
    open();
    m_page->resize(1096, 690);
    waitForAnswer();
    approve();
    const auto *verdict = part<QLabel>(*m_page, u"verdictLabel"_s), *next = part<QLabel>(*m_page, u"nextLabel"_s);
    const auto *table = part<QTableView>(*m_page, u"answersTable"_s);
    QVERIFY(table->isVisible() && verdict->isVisible() && next->isVisible());
    QVERIFY(!part<QLabel>(*m_page, u"wordsLabel"_s)->isVisible());
    QCOMPARE(verdict->text(), u"Still as approved: nothing has changed since."_s);
    const auto days = today(u"Days"_s);
    QVERIFY(!days.first.isEmpty() && days.first == days.second);
    QVERIFY(today(u"Question: deadline"_s).first.isEmpty());
    enter(*m_page, u"deadlineEdit"_s, u"45"_s);
    QCOMPARE(today(u"Question: deadline"_s), (std::pair(u"30 days"_s, u"45 days"_s)));
    QVERIFY2(verdict->text().endsWith(u"Changed since: the question."_s), qPrintable(verdict->text()));
    QCOMPARE(verdict->palette().color(QPalette::WindowText), warningColour(verdict->palette()));
    QTRY_VERIFY2(next->text().contains(u"withdraw this one"_s), qPrintable(next->text())); // once it is answered
    addRun();
    QTRY_VERIFY2(verdict->text().endsWith(u"the question, measured runs."_s), qPrintable(verdict->text()));
    const auto bold = [&](const QString &what) {
        for (int row = 0; row < table->model()->rowCount(); ++row)
            if (const auto index = table->model()->index(row, 0); index.data() == what)
                return index.data(Qt::FontRole).value<QFont>().bold();
        return false;
    };
    QVERIFY(bold(u"Question: deadline"_s) && !bold(u"Capital"_s));
}

FLEETWRIGHT_TEST(TestApprovals)
#include "tst_approvals.moc"
