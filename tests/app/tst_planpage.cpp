// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/registry.h"

#include "app/pages/plan/assumptionsdialog.h"
#include "app/pages/plan/planresults.h"
#include "app/pages/plan/planrows.h"
#include "app/theme.h"
#include "planpagetesting.h"
#include "solver/blocks/serving.h"
#include "solver/size/sizewords.h"
#include "text/figuretext.h"
#include "units/format.h"

#include <QAbstractScrollArea>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestPlanPage : public QObject, private PlanPageFixture {
    Q_OBJECT
private slots:
    void init() { openSample(); }
    void cleanup() { close(); }
    void openingSolvesAndKeepsTheAnswer();
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
    void fitsTheSmallestWindow_data();
    void fitsTheSmallestWindow();
    void worthIsExplained();
    void figuresAreThoseOfTheTable();
    void verdicts();
    void theNameOfTheFleetFollowsIt();
    void operationsAreAssumptions();
    void serving();
};

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
    const auto title = [this] { return part<QLabel>(*m_page, u"pageTitle"_s)->text(); };
    const auto count = m_workspace->plans().size();
    const auto original = m_page->currentPlan();
    QTest::mouseClick(part<QPushButton>(*m_page, u"duplicateButton"_s), Qt::LeftButton);
    QCOMPARE(m_workspace->plans().size(), count + 1);
    const auto copy = m_page->currentPlan();
    QVERIFY(copy != original);
    QVERIFY(saved().name != m_workspace->plan(original)->document.name);
    QCOMPARE(title(), QString::fromStdString(saved().name));
    m_prompts->typed = u"Another name"_s;
    QTest::mouseClick(part<QPushButton>(*m_page, u"renameButton"_s), Qt::LeftButton);
    QCOMPARE(saved().name, std::string("Another name"));
    QCOMPARE(title(), u"Another name"_s);
    QTest::mouseClick(part<QPushButton>(*m_page, u"newButton"_s), Qt::LeftButton);
    QCOMPARE(m_workspace->plans().size(), count + 2);
    QTRY_VERIFY(m_workspace->result(m_page->currentPlan()).has_value()); // a new plan can be solved as it is
    m_page->showPlan(copy);
    QTest::mouseClick(part<QPushButton>(*m_page, u"removeButton"_s), Qt::LeftButton);
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
    int stale = 0;
    for (const auto &plan : m_workspace->plans())
        stale += planLine(plan, m_workspace->result(plan.id), *m_workspace->catalog()).stale;
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

void TestPlanPage::fitsTheSmallestWindow_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("memoryLimit");
    QTest::newRow("as it is") << QString() << QString();
    // A range and its badge, software and a reason of two lines need the most room.
    QTest::newRow("detailed, does not fit") << u"detailed"_s << u"20 %"_s;
}

void TestPlanPage::fitsTheSmallestWindow()
{
    QFETCH(QString, model);
    QFETCH(QString, memoryLimit);
    if (!model.isEmpty()) {
        choose(part<QComboBox>(*m_page, u"costModelCombo"_s), model);
        enter(*m_page, u"memoryShareEdit"_s, memoryLimit);
        QTRY_VERIFY(part<QToolButton>(*m_page, u"trustBadge"_s)->isVisible());
        QTRY_VERIFY(!part<QLabel>(*m_page, u"reasonLabel"_s)->text().isEmpty());
    }
    m_page->resize(1090, 730); // a window of 1280 x 800 less navigation, title, menu and status bar
    QCoreApplication::processEvents();
    for (const auto *area : m_page->findChildren<QAbstractScrollArea *>())
        if (area->isVisible())
            QVERIFY2(!area->horizontalScrollBar()->isVisible(), qPrintable(area->objectName()));
    for (const auto *area :
        m_page->findChildren<QScrollArea *>()) // their sideways scroll bars are switched off: nothing may stick out
        QVERIFY2(
            !area->isVisible() || area->widget()->width() <= area->viewport()->width(), qPrintable(area->objectName()));
    if (model.isEmpty()) { // folded as at first: nothing to scroll
        m_page->setFoldedGroups(
            {u"workloadHeader"_s, u"trainingHeader"_s, u"constraintsHeader"_s, u"costsHeader"_s, u"modelHeader"_s});
        const auto *form = part<QScrollArea>(*m_page, u"formScroll"_s);
        QTRY_VERIFY(form->widget()->height() <= form->viewport()->height());
    }
    const auto *results = part<QScrollArea>(*m_page, u"resultsScroll"_s); // the answers are always in view
    QTRY_VERIFY2(results->widget()->height() <= results->viewport()->height(),
        qPrintable(u"%1 of %2 pixels"_s.arg(results->widget()->height()).arg(results->viewport()->height())));
    const auto *tabs = part<QTabWidget>(*m_page, u"tabs"_s);
    QVERIFY2(tabs->height() >= 0.4 * m_page->height(), qPrintable(QString::number(tabs->height())));
    const auto *form = part<QScrollArea>(*m_page, u"formScroll"_s); // which ends where the page does
    QVERIFY(form->mapTo(m_page.get(), QPoint(0, form->height())).y() >= m_page->height() - 12);
    const auto inside = [](const QWidget *widget) { return widget->sizeHint().width() <= widget->width() + 1; };
    for (const int tab : {0, 2}) { // the third level continues in the third
        part<QTabWidget>(*m_page, u"tabs"_s)->setCurrentIndex(tab);
        QCoreApplication::processEvents();
        for (const auto *label : m_page->findChildren<QLabel *>())
            if (label->isVisible() && !label->wordWrap() && !label->text().isEmpty())
                QVERIFY2(inside(label), qPrintable(label->objectName() + u": "_s + label->text()));
    }
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
    QCOMPARE(checked, 34);
    // The published fraction and the share of the step are two figures, each with its own definition.
    QVERIFY(part<QLabel>(*m_page, u"bubble_share_of_step"_s)->toolTip().contains(u"over the step time"_s));
    QVERIFY(part<QLabel>(*m_page, u"bubble_fraction"_s)->toolTip().contains(u"(p-1)/(vm+p-1)"_s));
    QVERIFY(!part<QLabel>(*m_page, u"bubble_share_of_step"_s)->toolTip().contains(u"pipelined interval"_s));
}

void TestPlanPage::worthIsExplained()
{
    for (const auto *key : {"run_time_s", "run_owned_usd", "run_rented_usd", "run_owned_usd_per_million_tokens",
             "cost_usd_per_million_tokens", "levelised_usd_per_accelerator_hour", "fleet_capital_usd",
             "run_electricity_usd", "fleet_yearly_usd", "facility_power_w", "run_energy_j", "run_water_l",
             "productive_share", "run_failures", "interval_s", "checkpoint_time_s", "compute_optimal_tokens"}) {
        QVERIFY2(figure(key) != u"–"_s, key);
        const QString tip = part<QLabel>(*m_page, QString::fromLatin1(key))->toolTip();
        QVERIFY2(tip.contains(u"= "_s), qPrintable(tip));
    }
    const auto tip = [this](const char *key) { return part<QLabel>(*m_page, QString::fromLatin1(key))->toolTip(); };
    QVERIFY(figure("run_energy_j").contains(u"Wh ("_s)); // with its range
    // The range of the cost, and the prices that most of it is from.
    QVERIFY2(tip("run_owned_usd").contains(u"Range "_s) && tip("run_owned_usd").contains(u"Price of a node"_s),
        qPrintable(tip("run_owned_usd")));
    // The sample names no grid: the carbon of running is a dash that says so, and comes with a grid.
    QCOMPARE(figure("run_carbon_kg"), u"–"_s);
    QVERIFY2(tip("run_carbon_kg").contains(u"Carbon intensity of the grid"_s), qPrintable(tip("run_carbon_kg")));
    choose(part<QComboBox>(*m_page, u"gridPickerCombo"_s), u"ref_france"_s);
    QTRY_VERIFY(figure("run_carbon_kg") != u"–"_s);
    QVERIFY2(tip("run_carbon_kg").contains(u"Carbon intensity of the grid"_s), qPrintable(tip("run_carbon_kg")));
}

void TestPlanPage::verdicts()
{
    const auto verdict = [this](const char *name) { return part<QLabel>(*m_page, QString::fromLatin1(name))->text(); };
    QVERIFY(verdict("feasibleVerdict").contains(u"pass"_s));
    QCOMPARE(verdict("fastVerdict"), u"no limit on speed"_s); // others may be set
    QCOMPARE(verdict("worthVerdict"), u"no limit on time, money or power"_s);
    QVERIFY(part<QLabel>(*m_page, u"fastVerdict"_s)->toolTip().contains(u"Constraints"_s));
    type(*m_page, u"deadlineEdit"_s, u"1"_s);
    QTRY_VERIFY(verdict("worthVerdict").contains(u"fail"_s));
    QVERIFY(part<QLabel>(*m_page, u"worthVerdict"_s)->toolTip().contains(u"training time"_s));
    QVERIFY(verdict("feasibleVerdict").contains(u"pass"_s));
    QCOMPARE(part<QLabel>(*m_page, u"feasibleAnswer"_s)->text(), u"no"_s);
    // What passes beside that "no" is named, and the money of a run that is not to be is quiet.
    QVERIFY2(verdict("feasibleVerdict").startsWith(u"memory and layout: "_s), qPrintable(verdict("feasibleVerdict")));
    QVERIFY2(verdict("worthVerdict").startsWith(u"not feasible; time, money and power: "_s),
        qPrintable(verdict("worthVerdict")));
    const auto *days = part<QLabel>(*m_page, u"run_time_s"_s);
    QCOMPARE(days->palette().color(QPalette::WindowText), quietColour(m_page->palette()));
}

/// A plan that has the name of its fleet keeps having it, until somebody gives it another.
void TestPlanPage::theNameOfTheFleetFollowsIt()
{
    const auto saved = [this] { return m_workspace->plan(m_page->currentPlan())->document; };
    const auto named = [&] {
        const auto &fleet = saved().fleet;
        return size::fleetTitle(
            fleet.nodes, nameOf(fleet.node, CatalogKind::Node, *m_workspace->catalog()), fleet.costs);
    };
    auto plan = saved();
    plan.name = named();
    QVERIFY(m_workspace->editPlan(m_page->currentPlan(), plan));
    type(*m_page, u"nodesEdit"_s, u"16"_s);
    QTRY_COMPARE(saved().fleet.nodes, 16);
    QVERIFY2(saved().name.starts_with("16 \u00d7 "), saved().name.c_str());
    QCOMPARE(saved().name, named());
    QCOMPARE(part<QLabel>(*m_page, u"pageTitle"_s)->text(), QString::fromStdString(named()));
    plan = saved();
    plan.name = "Mine";
    QVERIFY(m_workspace->editPlan(m_page->currentPlan(), plan));
    type(*m_page, u"nodesEdit"_s, u"8"_s);
    QTRY_COMPARE(saved().fleet.nodes, 8);
    QCOMPARE(saved().name, std::string("Mine"));
}

void TestPlanPage::operationsAreAssumptions()
{
    const QString before = figure("checkpoint_time_s");
    part<QPushButton>(*m_page, u"assumptionsButton"_s)->click();
    auto *dialog = part<AssumptionsDialog>(*m_page, u"AssumptionsDialog"_s);
    auto *model = part<QTableView>(*dialog, u"table"_s)->model();
    int row = 0;
    while (
        row < model->rowCount() && !model->index(row, 1).data().toString().startsWith(u"Checkpoint storage per node"_s))
        ++row;
    QVERIFY(row < model->rowCount());
    QVERIFY(model->setData(model->index(row, 2), u"2"_s));
    QTRY_VERIFY(figure("checkpoint_time_s") != before);
    QCOMPARE(std::get<double>(saved().assumptions.edited.at("operations.checkpoint_writer")), 2.0);
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
    const auto ink = [dialog] { return part<QLabel>(*dialog, u"ttft_s"_s)->palette().color(QPalette::WindowText); };
    QCOMPARE(ink(), quietColour(dialog->palette())); // it does not run

    choose(part<QComboBox>(*dialog, u"precisionCombo"_s), int(Precision::Fp8));
    type(*dialog, u"batchEdit"_s, u"4"_s);
    QTest::keyClick(part<QLineEdit>(*dialog, u"batchEditText"_s), Qt::Key_Return);
    type(*dialog, u"chunkEdit"_s, u"512"_s);
    QTest::keyClick(part<QLineEdit>(*dialog, u"chunkEditText"_s), Qt::Key_Return);
    inputs.precision = Precision::Fp8;
    inputs.batch = 4;
    inputs.chunkTokens = 512;
    const auto chunked = fleetwright::serving(inputs).value();
    QCOMPARE(ink(), dialog->palette().color(QPalette::WindowText));
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

FLEETWRIGHT_TEST(TestPlanPage)
#include "tst_planpage.moc"
