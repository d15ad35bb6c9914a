// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/planpage.h"
#include "testing/registry.h"

#include "app/pages/plan/assumptionsdialog.h"
#include "app/pages/plan/planresults.h"
#include "app/widgets/countedit.h"
#include "exchange/plandocuments.h"
#include "pagetesting.h"
#include "solver/blocks/serving.h"
#include "text/figuretext.h"
#include "units/format.h"

#include <QAbstractItemModelTester>
#include <QAbstractScrollArea>
#include <QCheckBox>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestPlanPage : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void openingSolvesAndKeepsTheAnswer();
    void nodesByKeys();
    void fabricFromTheList();
    void searchingForAnItem();
    void steppingIsOneUndoStep();
    void undoAndRedoRefreshTheForm();
    void badEntries_data();
    void badEntries();
    void splitThatDoesNotDivide();
    void escapeShowsTheSavedValue();
    void tooLargeForMemoryIsAnAnswer();
    void constraintsDecide();
    void assumptionsInTheDialog_data();
    void assumptionsInTheDialog();
    void anotherModelKeepsWhatItUnderstands();
    void newDuplicateRenameDelete();
    void copiesResults();
    void storedAnswersAreMarkedStale();
    void emptyProject();
    void readOnlyProject();
    void fitsTheSmallestWindow();
    void worthIsExplained();
    void figuresAreThoseOfTheTable();
    void verdicts();
    void operationsAreAssumptions();
    void serving();
    void leavingWithinASlowSolve();
    void anEntryAndItsAnswerAreOneEdit();
    void whatWasLeftUnsolvedSaysSo();

private:
    /// The page over a solver that answers `passes` times; it waits for every other pass.
    void openSlowly(QSemaphore &pass);

    const PlanDocument &saved() const { return m_workspace->plan(m_page->currentPlan())->document; }
    QString figure(const char *key) { return part<QLabel>(*m_page, QString::fromLatin1(key))->text(); }
    void solved()
    {
        QTRY_VERIFY(part<QToolButton>(*m_page, u"copyButton"_s)->isEnabled());
    } // stored figures cannot be copied
    void open(const QString &path);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<ScriptedPrompts> m_prompts;
    std::unique_ptr<PlanPage> m_page;
};

void TestPlanPage::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_workspace = std::make_unique<Workspace>();
    m_prompts = std::make_unique<ScriptedPrompts>();
    const auto made = m_workspace->createSample(m_folder->filePath(u"sample.fleetwright"_s));
    QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
    m_page = std::make_unique<PlanPage>(*m_workspace, *m_prompts);
    m_page->resize(1100, 740);
    m_page->show();
    m_page->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
    for (const auto &plan : m_workspace->plans())
        if (plan.document.parallelism.tp == 8 && plan.document.parallelism.pp == 4) {
            m_page->showPlan(plan.id);
            break;
        }
    QCOMPARE(saved().parallelism.tp, 8);
    solved();
}

void TestPlanPage::cleanup()
{
    m_page.reset();
    m_workspace.reset();
    m_folder.reset();
}

void TestPlanPage::openingSolvesAndKeepsTheAnswer()
{
    QSignalSpy status(m_page.get(), &Page::statusMessage);
    const auto second = m_workspace->plans().back().id;
    m_page->showPlan(second);
    QTRY_VERIFY(m_workspace->result(second).has_value());
    QVERIFY(status.last().first().toString().contains(u"solved in"_s));
    QCOMPARE(m_workspace->result(second)->inputHash.size(), 64);
    QCOMPARE(m_workspace->undoStack()->count(), 0); // looking is no edit
    QVERIFY(!part<QLabel>(*m_page, u"provenanceLabel"_s)->text().isEmpty());
}

void TestPlanPage::nodesByKeys()
{
    const QString before = figure("tokens_per_s");
    type(*m_page, u"nodesEdit"_s, u"64"_s);
    QTRY_COMPARE(saved().fleet.nodes, 64);
    QTRY_VERIFY(figure("tokens_per_s") != before);
    QCOMPARE(sentence(*m_page, u"nodesEdit"_s), QString());
    QVERIFY(part<QLabel>(*m_page, u"dpLabel"_s)->text().contains(u"16"_s)); // 64 x 8 / (8 x 4)
    const auto index = part<QTableView>(*m_page, u"planTable"_s)->currentIndex();
    QVERIFY(index.siblingAtColumn(1).data().toString().startsWith(u"64"_s)); // the list follows
}

void TestPlanPage::fabricFromTheList()
{
    const QString before = figure("step_time_s");
    choose(part<QComboBox>(*m_page, u"fabricPickerCombo"_s), u"eth_100g_tcp"_s);
    QTRY_COMPARE(std::get<std::string>(saved().fleet.fabric), std::string("eth_100g_tcp"));
    QTRY_VERIFY(figure("step_time_s") != before);
    for (const auto &record : m_workspace->catalog()->records(CatalogKind::Fabric))
        if (record.text("scope") != "scale_out")
            QVERIFY(part<QComboBox>(*m_page, u"fabricPickerCombo"_s)->findData(QString::fromStdString(record.id)) < 0);
}

void TestPlanPage::searchingForAnItem()
{
    type(*m_page, u"nodePicker"_s, u"no such node"_s);
    auto *edit = part<QLineEdit>(*m_page, u"nodePickerText"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QVERIFY(sentence(*m_page, u"nodePicker"_s).contains(u"no such node"_s));
    QCOMPARE(std::get<std::string>(saved().fleet.node), std::string("nvidia_dgx_h100"));
    QTest::keyClick(edit, Qt::Key_Escape);
    QCOMPARE(sentence(*m_page, u"nodePicker"_s), QString());
    const auto ids = m_workspace->catalog()->records(CatalogKind::Node);
    const auto other = std::ranges::find_if(
        ids, [](const CatalogRecord &r) { return r.id != "nvidia_dgx_h100" && r.text("accelerator_id"); });
    type(*m_page, u"nodePicker"_s, QString::fromStdString(other->name));
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE(std::get<std::string>(saved().fleet.node), other->id);
}

void TestPlanPage::steppingIsOneUndoStep()
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

void TestPlanPage::undoAndRedoRefreshTheForm()
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

void TestPlanPage::badEntries_data()
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

void TestPlanPage::badEntries()
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
    QVERIFY(part<QLabel>(*m_page, field + u"Sentence"_s)->isVisible());
    QTest::keyClick(part<QLineEdit>(*m_page, field + u"Text"_s), Qt::Key_Return);
    QCoreApplication::processEvents();
    QVERIFY(saved() == before);
    QCOMPARE(m_workspace->undoStack()->count(), 0);
    // Another edit does not take the sentence away, and is saved without the bad entry.
    QTest::mouseClick(part<QCheckBox>(*m_page, u"sequenceParallelCheck"_s), Qt::LeftButton, {}, QPoint(8, 8));
    QTRY_VERIFY(saved().parallelism.sequenceParallel);
    QVERIFY(!sentence(*m_page, field).isEmpty());
}

void TestPlanPage::splitThatDoesNotDivide()
{
    const QString step = figure("step_time_s");
    type(*m_page, u"tpEdit"_s, u"3"_s);
    QTRY_VERIFY(!sentence(*m_page, u"parallelism"_s).isEmpty());
    QCOMPARE(saved().parallelism.tp, 8);
    QCOMPARE(figure("step_time_s"), step); // the last valid result stays...
    QVERIFY(part<QLabel>(*m_page, u"stateLabel"_s)->text().contains(u"last valid"_s)); // ...and says that it is one
    type(*m_page, u"tpEdit"_s, u"4"_s);
    QTRY_COMPARE(saved().parallelism.tp, 4);
    QTRY_COMPARE(sentence(*m_page, u"parallelism"_s), QString());
    QVERIFY(!part<QLabel>(*m_page, u"stateLabel"_s)->isVisible());
}

void TestPlanPage::escapeShowsTheSavedValue()
{
    type(*m_page, u"tpEdit"_s, u"3"_s);
    QTRY_VERIFY(!sentence(*m_page, u"parallelism"_s).isEmpty());
    auto *edit = part<QLineEdit>(*m_page, u"tpEditText"_s);
    QTest::keyClick(edit, Qt::Key_Escape);
    QTRY_COMPARE(edit->text(), u"8"_s);
    QTRY_COMPARE(sentence(*m_page, u"parallelism"_s), QString());
    QTRY_VERIFY(!part<QLabel>(*m_page, u"stateLabel"_s)->isVisible());
}

void TestPlanPage::tooLargeForMemoryIsAnAnswer()
{
    type(*m_page, u"tpEdit"_s, u"1"_s);
    type(*m_page, u"ppEdit"_s, u"1"_s); // leaving TP accepts it
    QTRY_COMPARE(part<QLabel>(*m_page, u"feasibleAnswer"_s)->text(), u"no"_s);
    QVERIFY(!part<QLabel>(*m_page, u"reasonLabel"_s)->text().isEmpty());
    QTRY_COMPARE(saved().parallelism.pp, 1); // saved: infeasible is an answer, not an error
}

void TestPlanPage::constraintsDecide()
{
    type(*m_page, u"deadlineEdit"_s, u"36 h"_s);
    QTRY_VERIFY(saved().constraints.deadline.has_value());
    QCOMPARE(saved().constraints.deadline->value(), 129600.0);
    QTRY_COMPARE(part<QLabel>(*m_page, u"feasibleAnswer"_s)->text(), u"no"_s);
    auto *trace = part<QTableView>(*m_page, u"traceTable"_s);
    bool found = false;
    for (int row = 0; row < trace->model()->rowCount(); ++row)
        found = found
            || (trace->model()->index(row, 0).data() == u"Deadline"_s
                && trace->model()->index(row, 1).data() == u"FAILS"_s);
    QVERIFY(found);
    auto *edit = part<QLineEdit>(*m_page, u"deadlineEditText"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(edit->text(), u"1.5\u00a0days"_s); // in the field's own unit
    type(*m_page, u"deadlineEdit"_s, {});
    QTRY_VERIFY(!saved().constraints.deadline.has_value());
}

void TestPlanPage::assumptionsInTheDialog_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<bool>("accepted");
    QTest::newRow("good") << u"0.4"_s << true;
    QTest::newRow("percent") << u"40 %"_s << true;
    QTest::newRow("zero") << u"0"_s << false;
    QTest::newRow("above one") << u"1.5"_s << false;
    QTest::newRow("word") << u"abc"_s << false;
    QTest::newRow("NaN") << u"NaN"_s << false;
}

void TestPlanPage::assumptionsInTheDialog()
{
    QFETCH(QString, typed);
    QFETCH(bool, accepted);
    const PlanDocument before = saved();
    const QString step = figure("step_time_s");
    QTest::mouseClick(part<QPushButton>(*m_page, u"assumptionsButton"_s), Qt::LeftButton);
    auto *dialog = m_page->findChild<AssumptionsDialog *>();
    QVERIFY(dialog);
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    auto *table = part<QTableView>(*dialog, u"table"_s);
    QModelIndex value;
    for (int row = 0; row < table->model()->rowCount(); ++row)
        if (table->model()->index(row, 0).data(Qt::ToolTipRole).toString().endsWith(u"\nefficiency"_s))
            value = table->model()->index(row, 2);
    QVERIFY(value.isValid());
    table->setFocus();
    table->setCurrentIndex(value);
    QTest::keyClick(table, Qt::Key_F2);
    auto *editor = table->viewport()->findChild<QLineEdit *>();
    QVERIFY(editor);
    editor->selectAll();
    QTest::keyClicks(editor, typed);
    QTest::keyClick(editor, Qt::Key_Return);
    if (accepted) {
        QTRY_COMPARE(saved().assumptions.edited.size(), 1U);
        QCOMPARE(std::get<double>(saved().assumptions.edited.at("efficiency")), 0.4);
        QTRY_VERIFY(figure("step_time_s") != step);
        QVERIFY(part<QLabel>(*m_page, u"assumptionsLabel"_s)->text().contains(u"1 edited"_s));
        m_workspace->undo();
        QCOMPARE(value.data().toString(), u"0.5"_s); // the dialog follows
    } else {
        QTRY_VERIFY(part<QLabel>(*dialog, u"sentence"_s)->text().size() > 10);
        QVERIFY(saved() == before);
        QCOMPARE(m_workspace->undoStack()->count(), 0);
    }
}

void TestPlanPage::anotherModelKeepsWhatItUnderstands()
{
    auto document = saved();
    document.assumptions.edited["efficiency"] = 0.4;
    QVERIFY(m_workspace->editPlan(m_page->currentPlan(), document));
    for (const auto *model : {"searcher", "strategy-calculator", "dp-wall", "cube", "first-order"}) {
        choose(part<QComboBox>(*m_page, u"costModelCombo"_s), QString::fromLatin1(model));
        QTRY_COMPARE(QString::fromStdString(saved().costModelId), QString::fromLatin1(model));
        QVERIFY(saved().assumptions.edited.empty()); // the efficiency is an assumption of first-order only
        solved();
    }
    while (m_workspace->undoStack()->canUndo() && saved().assumptions.edited.empty())
        m_workspace->undo();
    QCOMPARE(saved().assumptions.edited.size(), 1U); // nothing is lost
}

void TestPlanPage::newDuplicateRenameDelete()
{
    auto *table = part<QTableView>(*m_page, u"planTable"_s);
    QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto count = m_workspace->plans().size();
    const auto original = m_page->currentPlan();
    QTest::mouseClick(part<QPushButton>(*m_page, u"duplicateButton"_s), Qt::LeftButton);
    QCOMPARE(m_workspace->plans().size(), count + 1);
    const auto copy = m_page->currentPlan();
    QVERIFY(copy != original);
    QVERIFY(saved().name != m_workspace->plan(original)->document.name);
    QCOMPARE(table->currentIndex().data().toString(), QString::fromStdString(saved().name));
    m_prompts->typed = u"Another name"_s;
    QTest::keyClick(table, Qt::Key_F2);
    QCOMPARE(saved().name, std::string("Another name"));
    QTest::mouseClick(part<QPushButton>(*m_page, u"newButton"_s), Qt::LeftButton);
    QCOMPARE(m_workspace->plans().size(), count + 2);
    QTRY_VERIFY(m_workspace->result(m_page->currentPlan()).has_value()); // a new plan can be solved as it is
    m_page->showPlan(copy);
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Delete);
    QVERIFY(!m_workspace->plan(copy));
    QVERIFY(m_page->currentPlan() != copy && m_page->currentPlan() != 0);
    m_workspace->undo();
    QVERIFY(m_workspace->plan(copy));
    QVERIFY(m_prompts->errors.empty());
}

void TestPlanPage::copiesResults()
{
    auto *results = m_page->findChild<PlanResults *>();
    results->copyAsTable();
    const QString table = QGuiApplication::clipboard()->text();
    QVERIFY(table.contains(u"Step time\t"_s + figure("step_time_s")));
    QVERIFY(table.contains(u"MFU\t"_s));
    results->copyAsText();
    QVERIFY(QGuiApplication::clipboard()->text().contains(u"Step time: "_s));
    auto *tabs = part<QTabWidget>(*m_page, u"tabs"_s);
    QVERIFY(tabs->tabText(tabs->count() - 1).startsWith(u"Limitations ("_s));
}

void TestPlanPage::storedAnswersAreMarkedStale()
{
    const auto id = m_page->currentPlan();
    QTRY_VERIFY(m_workspace->result(id).has_value());
    auto kept = *m_workspace->result(id);
    kept.inputHash = QString(64, u'0');
    QVERIFY(m_workspace->saveResult(id, kept).has_value());
    const QString path = m_workspace->path();
    m_page.reset();
    m_workspace->close();
    QVERIFY(m_workspace->open(path).has_value());
    m_page = std::make_unique<PlanPage>(*m_workspace, *m_prompts);
    auto *model = part<QTableView>(*m_page, u"planTable"_s)->model();
    int stale = 0;
    for (int row = 0; row < model->rowCount(); ++row)
        stale += model->index(row, 3).data().toString().endsWith(u'*');
    QCOMPARE(stale, 1);
    m_page->showPlan(id); // solved again: no longer stale
    QTRY_VERIFY(m_workspace->result(id)->inputHash != kept.inputHash);
}

void TestPlanPage::emptyProject()
{
    m_page.reset();
    QVERIFY(m_workspace->createProject(m_folder->filePath(u"empty.fleetwright"_s)).has_value());
    m_page = std::make_unique<PlanPage>(*m_workspace, *m_prompts);
    m_page->show();
    auto *button = part<QPushButton>(*m_page, u"emptyNewButton"_s);
    QVERIFY(button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(m_workspace->plans().size(), 1U);
    solved();
    QVERIFY(!button->isVisible());
    m_workspace->undo();
    QVERIFY(button->isVisible());
}

void TestPlanPage::readOnlyProject()
{
    QTRY_VERIFY(m_workspace->result(m_page->currentPlan()).has_value());
    Workspace second;
    QVERIFY(second.open(m_workspace->path()).has_value());
    QVERIFY(second.isReadOnly());
    PlanPage page(second, *m_prompts);
    page.show();
    QVERIFY(!part<QLineEdit>(page, u"nodesEditText"_s)->isEnabled());
    QVERIFY(part<QLineEdit>(page, u"nodesEditText"_s)->toolTip().contains(second.readOnlyReason()));
    QVERIFY(!part<QPushButton>(page, u"newButton"_s)->isEnabled());
    QTRY_VERIFY(part<QLabel>(page, u"step_time_s"_s)->text() != u"–"_s);
    QVERIFY(m_prompts->errors.empty());
}

void TestPlanPage::fitsTheSmallestWindow()
{
    m_page->resize(1090, 730); // a window of 1280 x 800 less navigation, title, menu and status bar
    QCoreApplication::processEvents();
    for (const auto *area : m_page->findChildren<QAbstractScrollArea *>())
        if (area->isVisible())
            QVERIFY2(!area->horizontalScrollBar()->isVisible(), qPrintable(area->objectName()));
    for (const auto *area :
        m_page->findChildren<QScrollArea *>()) // their sideways scroll bars are switched off: nothing may stick out
        QVERIFY2(
            !area->isVisible() || area->widget()->width() <= area->viewport()->width(), qPrintable(area->objectName()));
    const auto *results = part<QScrollArea>(*m_page, u"resultsScroll"_s); // the answers are always in view
    QTRY_VERIFY2(results->widget()->height() <= results->viewport()->height(),
        qPrintable(u"%1 of %2 pixels"_s.arg(results->widget()->height()).arg(results->viewport()->height())));
    const auto inside = [](const QWidget *widget) { return widget->sizeHint().width() <= widget->width() + 1; };
    for (const auto *label : m_page->findChildren<QLabel *>())
        if (label->isVisible() && !label->wordWrap() && !label->text().isEmpty())
            QVERIFY2(inside(label), qPrintable(label->objectName() + u": "_s + label->text()));
}

void TestPlanPage::figuresAreThoseOfTheTable()
{
    int checked = 0;
    for (const auto level : {ScoreLevel::Performance, ScoreLevel::Macro})
        for (const auto *shown : shownFigures(level)) {
            const auto *value = part<QLabel>(*m_page, utf8(shown->key));
            QCOMPARE(value->accessibleName(), utf8(shown->label));
            QVERIFY2(value->toolTip().contains(utf8(shown->help)), qPrintable(value->toolTip()));
            const auto named = value->parentWidget()->findChildren<QLabel *>();
            QVERIFY2(std::ranges::any_of(
                         named, [&](const QLabel *label) { return label->text() == utf8(narrowLabel(*shown)); }),
                std::string(shown->label).c_str());
            ++checked;
        }
    QCOMPARE(checked, 30);
    // The published fraction and the share of the step are two figures, each with its own definition.
    QVERIFY(part<QLabel>(*m_page, u"bubble_share_of_step"_s)->toolTip().contains(u"over the step time"_s));
    QVERIFY(part<QLabel>(*m_page, u"bubble_fraction"_s)->toolTip().contains(u"(p-1)/(vm+p-1)"_s));
    QVERIFY(!part<QLabel>(*m_page, u"bubble_share_of_step"_s)->toolTip().contains(u"pipelined interval"_s));
}

void TestPlanPage::worthIsExplained()
{
    for (const auto *key : {"duration_with_failures_s", "tco_usd", "tco_usd_per_million_tokens",
             "cost_usd_per_million_tokens", "energy_j", "embodied_carbon_kg", "water_l", "fleet_mtbf_s",
             "expected_failures", "checkpoint_interval_s", "checkpoint_time_s", "goodput", "compute_optimal_tokens"}) {
        QVERIFY2(figure(key) != u"–"_s, key);
        const QString tip = part<QLabel>(*m_page, QString::fromLatin1(key))->toolTip();
        QVERIFY2(tip.contains(u"= "_s) && tip.contains(u"Source: "_s), key);
    }
    QVERIFY(figure("energy_j").endsWith(u"Wh"_s));
    // The sample names no grid: the carbon of running is a dash that says so, and comes with a grid.
    QCOMPARE(figure("operational_carbon_kg"), u"–"_s);
    QVERIFY(part<QLabel>(*m_page, u"operational_carbon_kg"_s)->toolTip().contains(u"choose a grid"_s));
    choose(part<QComboBox>(*m_page, u"gridPickerCombo"_s), u"ref_france"_s);
    QTRY_VERIFY(figure("operational_carbon_kg") != u"–"_s);
    QVERIFY(
        part<QLabel>(*m_page, u"operational_carbon_kg"_s)->toolTip().contains(u"fleet.grid.carbon_g_co2e_per_kwh"_s));
}

void TestPlanPage::verdicts()
{
    const auto verdict = [this](const char *name) { return part<QLabel>(*m_page, QString::fromLatin1(name))->text(); };
    QVERIFY(verdict("feasibleVerdict").contains(u"pass"_s));
    QVERIFY(verdict("fastVerdict").contains(u"no limits set"_s));
    QVERIFY(part<QLabel>(*m_page, u"fastVerdict"_s)->toolTip().contains(u"Constraints"_s));
    type(*m_page, u"deadlineEdit"_s, u"1"_s);
    QTRY_VERIFY(verdict("worthVerdict").contains(u"fail"_s));
    QVERIFY(part<QLabel>(*m_page, u"worthVerdict"_s)->toolTip().contains(u"training time"_s));
    QVERIFY(verdict("feasibleVerdict").contains(u"pass"_s));
    QCOMPARE(part<QLabel>(*m_page, u"feasibleAnswer"_s)->text(), u"no"_s);
}

void TestPlanPage::operationsAreAssumptions()
{
    const QString before = figure("tco_usd");
    part<QPushButton>(*m_page, u"assumptionsButton"_s)->click();
    auto *dialog = part<AssumptionsDialog>(*m_page, u"AssumptionsDialog"_s);
    auto *model = part<QTableView>(*dialog, u"table"_s)->model();
    int row = 0;
    while (
        row < model->rowCount() && !model->index(row, 1).data().toString().startsWith(u"Infrastructure multiplier"_s))
        ++row;
    QVERIFY(row < model->rowCount());
    QVERIFY(model->setData(model->index(row, 2), u"2"_s));
    QTRY_VERIFY(figure("tco_usd") != before);
    QCOMPARE(std::get<double>(saved().assumptions.edited.at("operations.infrastructure_multiplier")), 2.0);
    QVERIFY(part<QLabel>(*m_page, u"assumptionsLabel"_s)->text().endsWith(u"1 edited"_s));
    dialog->close();
}

void TestPlanPage::serving()
{
    auto *button = part<QToolButton>(*m_page, u"servingButton"_s);
    QVERIFY(button->isEnabled());
    QTest::mouseClick(button, Qt::LeftButton);
    auto *dialog = part<QDialog>(*m_page, u"ServingDialog"_s);
    QVERIFY(dialog->isVisible());
    const auto shown = [dialog](const char *key) { return part<QLabel>(*dialog, QString::fromLatin1(key))->text(); };

    // As the solver has it for the plan.
    auto inputs = servingInputs(resolve(saved(), *m_workspace->catalog()).value());
    const auto figures = fleetwright::serving(inputs).value();
    QCOMPARE(shown("ttft_s"), QString::fromStdString(units::format(figures.timeToFirstToken)));
    QCOMPARE(shown("itl_s"), QString::fromStdString(units::format(figures.interTokenLatency)));
    QVERIFY(!figures.fits); // 141 GB of weights
    QVERIFY(shown("adviceLabel").contains(u"does not fit"_s));
    QCOMPARE(shown("decode_stall_s"), u"–"_s);

    choose(part<QComboBox>(*dialog, u"precisionCombo"_s), int(Precision::Fp8));
    type(*dialog, u"batchEdit"_s, u"4"_s);
    QTest::keyClick(part<QLineEdit>(*dialog, u"batchEditText"_s), Qt::Key_Return);
    type(*dialog, u"chunkEdit"_s, u"512"_s);
    QTest::keyClick(part<QLineEdit>(*dialog, u"chunkEditText"_s), Qt::Key_Return);
    inputs.precision = Precision::Fp8;
    inputs.batch = 4;
    inputs.chunkTokens = 512;
    const auto chunked = fleetwright::serving(inputs).value();
    QVERIFY(chunked.fits);
    const double chunkSeconds = chunked.chunkTime ? chunked.chunkTime->value() : 0.0;
    QVERIFY(chunkSeconds > 0);
    QTRY_COMPARE(shown("decode_stall_s"), QString::fromStdString(units::format(chunkSeconds, units::Dimension::Time)));
    QCOMPARE(shown("ttft_s"), QString::fromStdString(units::format(chunked.timeToFirstToken)));
    QCOMPARE(shown("tokens_per_s"), QString::fromStdString(units::threeDigits(chunked.tokensPerSecond)));
    QVERIFY(shown("usd_per_million_output_tokens").endsWith(u"USD"_s));
    QVERIFY(shown("adviceLabel").startsWith(u"It fits"_s));

    // What cannot be is refused at its field, and comes right again.
    type(*dialog, u"cachedEdit"_s, u"5000"_s);
    QTest::keyClick(part<QLineEdit>(*dialog, u"cachedEditText"_s), Qt::Key_Return);
    QTRY_COMPARE(shown("ttft_s"), u"–"_s);
    QVERIFY(sentence(*dialog, u"cachedEdit"_s).contains(u"cached prefix"_s));
    type(*dialog, u"cachedEdit"_s, u"1024"_s);
    QTest::keyClick(part<QLineEdit>(*dialog, u"cachedEditText"_s), Qt::Key_Return);
    QTRY_VERIFY(shown("ttft_s") != u"–"_s);
    QCOMPARE(sentence(*dialog, u"cachedEdit"_s), QString());

    QCOMPARE(m_workspace->undoStack()->count(), 0); // looking is no edit
    dialog->close();
}

void TestPlanPage::openSlowly(QSemaphore &pass)
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

void TestPlanPage::leavingWithinASlowSolve()
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

void TestPlanPage::anEntryAndItsAnswerAreOneEdit()
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

void TestPlanPage::whatWasLeftUnsolvedSaysSo()
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

FLEETWRIGHT_TEST(TestPlanPage)
#include "tst_planpage.moc"
