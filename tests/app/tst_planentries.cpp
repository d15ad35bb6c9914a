// SPDX-License-Identifier: GPL-3.0-or-later
// What is typed and chosen in the form of the Plan page: taken, refused in place, undone, and saved with its answer.
#include "planpagetesting.h"
#include "testing/registry.h"

#include "exchange/plandocuments.h"

#include <QAccessible>
#include <QCheckBox>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTableView>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestPlanEntries : public QObject, private PlanPageFixture {
    Q_OBJECT
private slots:
    void init() { openSample(); }
    void cleanup() { close(); }
    void closingWithTextInAField();
    void nodesByKeys();
    void fabricFromTheList();
    void searchingForAnItem();
    void steppingIsOneUndoStep();
    void undoAndRedoRefreshTheForm();
    void softwareClassFromTheList();
    void badEntries_data();
    void badEntries();
    void splitThatDoesNotDivide();
    void undoBeginsWithWhatWasRefused();
    void aRefusalMovesNothing();
    void groupsFoldToALine();
    void lateAnswersDimTheOldOnes();
    void escapeShowsTheSavedValue();
    void leavingWithinASlowSolve();
    void anEntryAndItsAnswerAreOneEdit();
    void whatWasLeftUnsolvedSaysSo();

private:
    /// The page over a solver that answers `passes` times; it waits for every other pass.
    void openSlowly(QSemaphore &pass);
    bool isDimmed() { return part<QWidget>(*m_page, u"veil"_s)->isVisible(); }
    FoldHeader *header(const QString &name) { return part<FoldHeader>(*m_page, name); }
};

void TestPlanEntries::openSlowly(QSemaphore &pass)
{
    m_page.reset();
    m_page = std::make_unique<PlanPage>(
        *m_workspace, *m_prompts,
        [&pass](const Plan &plan) {
            pass.acquire();
            return solve(plan);
        },
        nullptr);
    m_page->show();
    m_page->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
}

void TestPlanEntries::nodesByKeys()
{
    const QString before = figure("tokens_per_s");
    type(*m_page, u"nodesEdit"_s, u"64"_s);
    QTRY_COMPARE(saved().fleet.nodes, 64);
    QTRY_VERIFY(figure("tokens_per_s") != before);
    QCOMPARE(sentence(*m_page, u"nodesEdit"_s), QString());
    QVERIFY(part<QLabel>(*m_page, u"dpLabel"_s)->text().contains(u"16"_s)); // 64 x 8 / (8 x 4)
}

/// The form goes while a field holds text that nobody accepted.
void TestPlanEntries::closingWithTextInAField()
{
    auto *edit = part<QLineEdit>(*m_page, u"nodesEditText"_s);
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, u"64"_s);
    m_page.reset();
    QVERIFY(m_workspace->isOpen());
}

void TestPlanEntries::fabricFromTheList()
{
    const QString before = figure("step_time_s");
    choose(part<QComboBox>(*m_page, u"fabricPickerCombo"_s), u"eth_100g_tcp"_s);
    QTRY_COMPARE(std::get<std::string>(saved().fleet.fabric), std::string("eth_100g_tcp"));
    QTRY_VERIFY(figure("step_time_s") != before);
    for (const auto &record : m_workspace->catalog()->records(CatalogKind::Fabric))
        if (record.text("scope") != "scale_out")
            QVERIFY(part<QComboBox>(*m_page, u"fabricPickerCombo"_s)->findData(QString::fromStdString(record.id)) < 0);
}

void TestPlanEntries::searchingForAnItem()
{
    type(*m_page, u"nodePicker"_s, u"no such node"_s);
    auto *edit = part<QLineEdit>(*m_page, u"nodePickerText"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QVERIFY(sentence(*m_page, u"nodePicker"_s).contains(u"no such node"_s));
    QCOMPARE(std::get<std::string>(saved().fleet.node), std::string("nvidia_dgx_h100"));
    QVERIFY(isDimmed()); // the answers are not of what the field shows
    QTest::keyClick(edit, Qt::Key_Escape);
    QCOMPARE(sentence(*m_page, u"nodePicker"_s), QString());
    QVERIFY(!isDimmed());
    const auto ids = m_workspace->catalog()->records(CatalogKind::Node);
    const auto other = std::ranges::find_if(
        ids, [](const CatalogRecord &r) { return r.id != "nvidia_dgx_h100" && r.text("accelerator_id"); });
    type(*m_page, u"nodePicker"_s, QString::fromStdString(other->name));
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE(std::get<std::string>(saved().fleet.node), other->id);
}

void TestPlanEntries::steppingIsOneUndoStep()
{
    auto *edit = part<QLineEdit>(*m_page, u"nodesEditText"_s);
    edit->setFocus();
    QTest::keyClick(edit, Qt::Key_Up, Qt::ControlModifier);
    QTRY_COMPARE(saved().fleet.nodes, 64);
    QTest::keyClick(edit, Qt::Key_Up, Qt::ControlModifier);
    QTRY_COMPARE(saved().fleet.nodes, 128);
    QTest::keyClick(edit, Qt::Key_Down, Qt::ControlModifier);
    for (int i = 0; i < 4; ++i)
        QTest::keyClick(edit, Qt::Key_Up); // 65 to 67 nodes do not divide by TP x PP and are passed over
    QTRY_COMPARE(saved().fleet.nodes, 68);
    QCOMPARE(m_workspace->undoStack()->count(), 1);
    m_workspace->undo();
    QCOMPARE(saved().fleet.nodes, 32);
    QTRY_COMPARE(edit->text(), u"32"_s);
}

void TestPlanEntries::undoAndRedoRefreshTheForm()
{
    const QString before = figure("step_time_s");
    type(*m_page, u"ppEdit"_s, u"2"_s);
    QTRY_COMPARE(saved().parallelism.pp, 2);
    QTest::mouseClick(part<QCheckBox>(*m_page, u"sequenceParallelCheck"_s), Qt::LeftButton, {}, QPoint(8, 8));
    QTRY_VERIFY(saved().parallelism.sequenceParallel);
    QCOMPARE(m_workspace->undoStack()->count(), 2);
    m_workspace->undo();
    m_workspace->undo();
    QVERIFY(!part<QCheckBox>(*m_page, u"sequenceParallelCheck"_s)->isChecked());
    QCOMPARE(part<QLineEdit>(*m_page, u"ppEditText"_s)->text(), u"4"_s);
    QTRY_COMPARE(figure("step_time_s"), before);
    m_workspace->redo();
    QCOMPARE(part<QLineEdit>(*m_page, u"ppEditText"_s)->text(), u"2"_s);
    QTRY_VERIFY(figure("step_time_s") != before);
    QCOMPARE(m_workspace->undoStack()->count(), 2); // showing is no edit: no feedback
}

void TestPlanEntries::softwareClassFromTheList()
{
    const auto *model = part<QComboBox>(*m_page, u"costModelCombo"_s);
    auto *combo = part<QComboBox>(*m_page, u"softwareClassCombo"_s);
    QVERIFY(!combo->isVisible()); // first-order knows no classes
    QVERIFY(!part<QLabel>(*m_page, u"tuning_worth"_s)->isVisible());
    choose(part<QComboBox>(*m_page, u"costModelCombo"_s), u"detailed"_s);
    QTRY_VERIFY(combo->isVisible());
    QCOMPARE(model->currentData().toString(), u"detailed"_s);
    QTRY_COMPARE(saved().costModelId, std::string("detailed"));
    QCOMPARE(combo->currentData().toString(), u"auto"_s);
    solved();
    const QString before = figure("step_time_s"), worth = figure("tuning_worth");
    QVERIFY2(worth.endsWith(u'%'), qPrintable(worth));
    QVERIFY(part<QLabel>(*m_page, u"tuning_worth"_s)->isVisible());

    choose(combo, u"tuned"_s);
    QTRY_COMPARE(saved().assumptions.edited, (decltype(Assumptions::edited){{"software_class", std::string("tuned")}}));
    QTRY_VERIFY(figure("step_time_s") != before);
    QCOMPARE(figure("tuning_worth"), worth);
    m_workspace->undo();
    QTRY_COMPARE(combo->currentData().toString(), u"auto"_s);
    QVERIFY(saved().assumptions.edited.empty());
    QTRY_COMPARE(figure("step_time_s"), before);

    const auto tip = [combo](const char *value) {
        return combo->itemData(combo->findData(QString::fromLatin1(value)), Qt::ToolTipRole).toString();
    };
    QVERIFY2(
        tip("tuned").contains(u"Megatron-Core"_s) && tip("tuned").contains(u"runs of"_s), qPrintable(tip("tuned")));
    QVERIFY2(tip("framework").contains(u"torchtitan"_s), qPrintable(tip("framework")));
    QVERIFY(tip("auto").contains(u"framework"_s));
}

void TestPlanEntries::badEntries_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("typed");
    QTest::newRow("negative nodes") << u"nodesEdit"_s << u"-3"_s;
    QTest::newRow("no nodes") << u"nodesEdit"_s << u"0"_s;
    QTest::newRow("half a node") << u"nodesEdit"_s << u"2.5"_s;
    QTest::newRow("word") << u"nodesEdit"_s << u"abc"_s;
    QTest::newRow("empty") << u"nodesEdit"_s << QString();
    QTest::newRow("NaN") << u"accumulationEdit"_s << u"NaN"_s;
    QTest::newRow("infinite") << u"globalBatchEdit"_s << u"inf"_s;
    QTest::newRow("too many") << u"nodesEdit"_s << u"9e9"_s;
    QTest::newRow("share above one") << u"memoryShareEdit"_s << u"x150 %"_s;
    QTest::newRow("wrong unit") << u"deadlineEdit"_s << u"y GB"_s;
    QTest::newRow("oversubscription below one") << u"oversubscriptionEdit"_s << u"0.5"_s;
    QTest::newRow("huge paste") << u"nodesEdit"_s << QString(1000000, u'8');
    QTest::newRow("huge paste of words") << u"tokenBudgetEdit"_s << QString(1000000, u'x');
}

void TestPlanEntries::badEntries()
{
    QFETCH(QString, field);
    QFETCH(QString, typed);
    const PlanDocument before = saved();
    if (typed.size() > 1000)
        paste(*m_page, field, typed);
    else
        type(*m_page, field, typed);
    QVERIFY2(sentence(*m_page, field).size() > 10, qPrintable(sentence(*m_page, field)));
    QVERIFY(sentence(*m_page, field).size() < 600);
    const auto *below = part<QLabel>(*m_page, u"refusalLabel"_s); // in its own place, so that no field moves
    QVERIFY(below->isVisible() && below->text().contains(sentence(*m_page, field)));
    QTest::keyClick(part<QLineEdit>(*m_page, field + u"Text"_s), Qt::Key_Return);
    QCoreApplication::processEvents();
    QVERIFY(saved() == before);
    QCOMPARE(m_workspace->undoStack()->count(), 0);
    // Another edit does not take the sentence away, and is saved without the bad entry.
    QTest::mouseClick(part<QCheckBox>(*m_page, u"sequenceParallelCheck"_s), Qt::LeftButton, {}, QPoint(8, 8));
    QTRY_VERIFY(saved().parallelism.sequenceParallel);
    QVERIFY(!sentence(*m_page, field).isEmpty());
}

void TestPlanEntries::splitThatDoesNotDivide()
{
    const QString step = figure("step_time_s");
    type(*m_page, u"tpEdit"_s, u"3"_s);
    QTRY_VERIFY(!sentence(*m_page, u"parallelism"_s).isEmpty());
    QCOMPARE(saved().parallelism.tp, 8);
    QCOMPARE(figure("step_time_s"), step); // the last valid result stays...
    QVERIFY(part<QLabel>(*m_page, u"stateLabel"_s)->text().contains(u"last valid"_s)); // ...and says that it is one
    QVERIFY(isDimmed());
    type(*m_page, u"tpEdit"_s, u"4"_s);
    QTRY_COMPARE(saved().parallelism.tp, 4);
    QTRY_COMPARE(sentence(*m_page, u"parallelism"_s), QString());
    QVERIFY(!part<QLabel>(*m_page, u"stateLabel"_s)->isVisible());
    QVERIFY(!isDimmed());
}

/// What was refused is in no step: it is taken back before one is.
void TestPlanEntries::undoBeginsWithWhatWasRefused()
{
    QVERIFY(!m_page->takeBackRefused());
    type(*m_page, u"tpEdit"_s, u"3"_s);
    QTRY_VERIFY(!sentence(*m_page, u"parallelism"_s).isEmpty());
    QVERIFY(m_page->takeBackRefused());
    QCOMPARE(part<QLineEdit>(*m_page, u"tpEditText"_s)->text(), u"8"_s);
    QTRY_COMPARE(sentence(*m_page, u"parallelism"_s), QString());
    QTRY_VERIFY(!isDimmed());
    QVERIFY(!m_page->takeBackRefused());
    QCOMPARE(m_workspace->undoStack()->count(), 0);
}

void TestPlanEntries::aRefusalMovesNothing()
{
    const auto places = [this] {
        QList<int> all;
        const auto *form = part<QWidget>(*m_page, u"form"_s); // which scrolls to the field with the focus
        for (const auto *edit : form->findChildren<QLineEdit *>())
            all << edit->mapTo(form, QPoint()).y();
        return all;
    };
    QCoreApplication::processEvents(); // the groups were unfolded just now
    const auto before = places();
    type(*m_page, u"nodesEdit"_s, u"many"_s);
    auto *edit = part<QLineEdit>(*m_page, u"tpEditText"_s); // in another group, refused by the solver
    type(*m_page, u"tpEdit"_s, u"3"_s);
    QTRY_VERIFY(!sentence(*m_page, u"parallelism"_s).isEmpty());
    QCoreApplication::processEvents();
    QCOMPARE(places(), before);
    QCOMPARE(header(u"fleetHeader"_s)->refusal(), sentence(*m_page, u"nodesEdit"_s));
    QVERIFY(!header(u"parallelismHeader"_s)->refusal().isEmpty());
    const auto below = part<QLabel>(*m_page, u"refusalLabel"_s)->text();
    QVERIFY(below.contains(header(u"fleetHeader"_s)->refusal()));
    QVERIFY(below.contains(header(u"parallelismHeader"_s)->refusal()));
    header(u"fleetHeader"_s)->setChecked(false); // folded, it still says what is wrong
    QCOMPARE(header(u"fleetHeader"_s)->accessibleDescription(), sentence(*m_page, u"nodesEdit"_s));
    QTest::keyClick(edit, Qt::Key_Escape);
    QTRY_COMPARE(header(u"parallelismHeader"_s)->refusal(), QString());
}

void TestPlanEntries::groupsFoldToALine()
{
    QSignalSpy told(m_page.get(), &PlanPage::groupsFolded);
    auto *fleet = header(u"fleetHeader"_s);
    const auto *group = part<QWidget>(*m_page, u"fleetGroup"_s);
    fleet->setFocus();
    QTest::keyClick(fleet, Qt::Key_Space);
    QVERIFY(!group->isVisible());
    QCOMPARE(told.count(), 1);
    QCOMPARE(told.first().first().toStringList(), QStringList{u"fleetHeader"_s});
    QCOMPARE(fleet->summary(), u"32 \u00d7 NVIDIA DGX H100, InfiniBand NDR"_s);
    QCOMPARE(fleet->accessibleDescription(), fleet->summary());
    const auto *spoken = QAccessible::queryAccessibleInterface(fleet);
    QVERIFY(spoken->state().collapsed && !spoken->state().expanded);
    QVERIFY(header(u"parallelismHeader"_s)->summary().startsWith(u"TP 8, PP 4"_s));
    QTest::keyClick(fleet, Qt::Key_Return);
    QVERIFY(group->isVisible() && spoken->state().expanded);
    m_page->setFoldedGroups({u"modelHeader"_s});
    QVERIFY(!part<QWidget>(*m_page, u"modelGroup"_s)->isVisible() && group->isVisible());
    QCOMPARE(told.count(), 2); // by the user only
    enter(*m_page, u"nodesEdit"_s, u"64"_s);
    QVERIFY(fleet->summary().startsWith(u"64 "_s));
}

void TestPlanEntries::lateAnswersDimTheOldOnes()
{
    QSemaphore pass;
    openSlowly(pass);
    pass.release();
    solved();
    QVERIFY(!isDimmed());
    enter(*m_page, u"nodesEdit"_s, u"64"_s);
    QTRY_VERIFY(isDimmed()); // the solver is still at it
    QVERIFY(!part<QLabel>(*m_page, u"stateLabel"_s)->text().isEmpty());
    pass.release(100);
    QTRY_VERIFY(!isDimmed());
    QVERIFY(part<QLabel>(*m_page, u"stateLabel"_s)->text().isEmpty());
    m_page.reset(); // before what its solver refers to
}

void TestPlanEntries::escapeShowsTheSavedValue()
{
    type(*m_page, u"tpEdit"_s, u"3"_s);
    QTRY_VERIFY(!sentence(*m_page, u"parallelism"_s).isEmpty());
    auto *edit = part<QLineEdit>(*m_page, u"tpEditText"_s);
    QTest::keyClick(edit, Qt::Key_Escape);
    QTRY_COMPARE(edit->text(), u"8"_s);
    QTRY_COMPARE(sentence(*m_page, u"parallelism"_s), QString());
    QTRY_VERIFY(!part<QLabel>(*m_page, u"stateLabel"_s)->isVisible());
}

void TestPlanEntries::leavingWithinASlowSolve()
{
    QSemaphore pass;
    openSlowly(pass);
    const auto first = m_page->currentPlan(), second = m_workspace->plans()[1].id;
    QVERIFY(first != second);
    enter(*m_page, u"nodesEdit"_s, u"64"_s);
    QTest::qWait(250); // longer than any pause; the solver is still at it
    QVERIFY(saved().fleet.nodes != 64);
    m_page->showPlan(second);
    QCOMPARE(m_workspace->plan(first)->document.fleet.nodes, 64);
    QCOMPARE(m_workspace->undoStack()->count(), 1);
    pass.release(100);
    const auto hash = [&] {
        const auto plan = resolve(m_workspace->plan(first)->document, *m_workspace->catalog());
        return QString::fromStdString(exchange::inputHash(*plan));
    };
    const auto answered = [&] {
        const auto result = m_workspace->result(first);
        return result ? result->inputHash : QString();
    };
    QTRY_COMPARE(answered(), hash()); // its answer follows
    QCOMPARE(m_page->currentPlan(), second);
    QCOMPARE(m_workspace->undoStack()->count(), 1);
    m_page.reset(); // before what its solver refers to
}

void TestPlanEntries::anEntryAndItsAnswerAreOneEdit()
{
    const auto id = m_page->currentPlan();
    QSignalSpy changed(m_workspace.get(), &Workspace::planChanged);
    QSignalSpy answered(m_workspace.get(), &Workspace::resultSaved);
    QSignalSpy committed(m_workspace.get(), &Workspace::saved);
    enter(*m_page, u"nodesEdit"_s, u"64"_s);
    QTRY_COMPARE(saved().fleet.nodes, 64);
    QTest::qWait(50);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(answered.count(), 0);
    QCOMPARE(committed.count(), 1);
    const auto plan = resolve(m_workspace->plan(id)->document, *m_workspace->catalog());
    QCOMPARE(m_workspace->result(id)->inputHash, QString::fromStdString(exchange::inputHash(*plan)));
}

void TestPlanEntries::whatWasLeftUnsolvedSaysSo()
{
    const auto first = m_page->currentPlan();
    QSignalSpy status(m_page.get(), &Page::statusMessage);
    enter(*m_page, u"tpEdit"_s, u"3"_s); // accepted as a number; no one knows yet that it does not divide
    m_page->showPlan(m_workspace->plans()[1].id);
    QCOMPARE(m_workspace->plan(first)->document.parallelism.tp, 3);
    const auto said = [&] {
        return std::ranges::any_of(
            status, [](const auto &arguments) { return arguments.first().toString().contains(u"cannot be solved"_s); });
    };
    QTRY_VERIFY(said());
    m_page->showPlan(first);
    QTRY_VERIFY(!sentence(*m_page, u"parallelism"_s).isEmpty()); // refused where it stands
    m_workspace->undo();
    QCOMPARE(m_workspace->plan(first)->document.parallelism.tp, 8);
    QTRY_COMPARE(sentence(*m_page, u"parallelism"_s), QString());
}

FLEETWRIGHT_TEST(TestPlanEntries)
#include "tst_planentries.moc"
