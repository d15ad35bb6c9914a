// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mainwindow.h"
#include "app/pages/fleet/fleetpage.h"
#include "app/pages/plan/assumptionsdialog.h"
#include "app/pages/plan/planpage.h"
#include "app/pages/studies/studiespage.h"
#include "app/pages/sweeps/sweepspage.h"
#include "app/projectfiles.h"
#include "app/theme.h"
#include "pagetesting.h"
#include "solver/study/study.h"
#include "storage/shippedstudies.h"
#include "testing/putfile.h"
#include "testing/registry.h"

#include <QAction>
#include <QCheckBox>
#include <QFile>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTreeWidget>

#include <array>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

/// Whatever a form has accepted is in the project, however the form is left and however soon: nothing here waits
/// between typing and leaving, so no answer has been computed and no pause has passed.
class TestLeavingForms : public QObject {
    Q_OBJECT

    /// How many of the ways a form is left by. What commits a form is its page's and what asks for it is the way's, so
    /// that one form of each page, and the one that edits in a dialog, are left by every way; the others differ in
    /// their field alone and are left within the window and with it.
    enum class Left { EveryWay, WithinAndWithTheWindow };
    struct Form {
        const char *name;
        void (TestLeavingForms::*fill)();
        QString (TestLeavingForms::*read)(const storage::Project &) const;
        QString expected;
        Left left = Left::WithinAndWithTheWindow;
    };
    struct Way {
        const char *name;
        void (TestLeavingForms::*leave)();
        bool usual = false; ///< one of the two for every form
    };

    QTemporaryDir m_made; ///< the projects that every row starts from, made once
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Settings> m_settings;
    ScriptedPrompts m_prompts;
    std::unique_ptr<MainWindow> m_window;
    QString m_project; ///< where the entry is looked for
    storage::RowId m_plan = 0, m_fleet = 0, m_sweep = 0;
    StudyDocument m_study;

    QString file(const QString &name) const { return m_folder->filePath(name); }
    QAction *action(const QString &name) const { return m_window->findChild<QAction *>(name); }
    QWidget &page() const { return *part<QStackedWidget>(*m_window, u"pages"_s)->currentWidget(); }
    template <class T> T &shown() const { return *qobject_cast<T *>(&page()); }
    Workspace &workspace() const { return m_window->workspace(); }
    void press(const QString &button) const { QTest::mouseClick(part<QPushButton>(page(), button), Qt::LeftButton); }
    void enter(const QString &field, const QString &text) const
    {
        type(page(), field, text);
        QTest::keyClick(part<QLineEdit>(page(), field + u"Text"_s), Qt::Key_Return);
    }
    template <class Document>
    static Document documentOf(const Expected<std::vector<storage::SavedDocument<Document>>> &rows, storage::RowId id)
    {
        for (const auto &row : rows.value())
            if (row.id == id)
                return row.document;
        qFatal("The row is gone");
    }
    PlanDocument plan(const storage::Project &project) const { return documentOf(project.plans(), m_plan); }
    FleetDocument fleet(const storage::Project &project) const { return documentOf(project.fleets(), m_fleet); }
    SweepDocument sweep(const storage::Project &project) const { return documentOf(project.sweeps(), m_sweep); }

    // The forms.
    void showPlan() { m_window->showPlan(m_plan); }
    void enterNodes()
    {
        showPlan();
        enter(u"nodesEdit"_s, u"64"_s);
    }
    void typeNodes()
    {
        showPlan();
        type(page(), u"nodesEdit"_s, u"64"_s);
    }
    QString nodes(const storage::Project &project) const { return QString::number(plan(project).fleet.nodes); }
    void typeShare()
    {
        showPlan();
        type(page(), u"memoryShareEdit"_s, u"55 %"_s);
    }
    QString share(const storage::Project &project) const
    {
        return QString::number(plan(project).constraints.maxMemoryShare.value_or(0));
    }
    void typeFabric()
    {
        showPlan();
        type(page(), u"fabricPicker"_s, u"eth_100g_tcp"_s);
    }
    QString fabric(const storage::Project &project) const
    {
        return QString::fromStdString(std::get<std::string>(plan(project).fleet.fabric));
    }
    void tickSequenceParallel()
    {
        showPlan();
        part<QCheckBox>(page(), u"sequenceParallelCheck"_s)->click();
    }
    QString sequenceParallel(const storage::Project &project) const
    {
        return QVariant(plan(project).parallelism.sequenceParallel).toString();
    }
    void typeAssumption()
    {
        showPlan();
        press(u"assumptionsButton"_s);
        auto *dialog = page().findChild<AssumptionsDialog *>();
        QVERIFY(dialog && QTest::qWaitForWindowActive(dialog));
        auto *table = part<QTableView>(*dialog, u"table"_s);
        for (int row = 0; row < table->model()->rowCount(); ++row)
            if (table->model()->index(row, 0).data(Qt::ToolTipRole).toString().endsWith(u"\nefficiency"_s))
                table->setCurrentIndex(table->model()->index(row, 2));
        QTest::keyClick(table, Qt::Key_F2);
        auto *editor = table->viewport()->findChild<QLineEdit *>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, u"0.4"_s);
    }
    QString assumption(const storage::Project &project) const
    {
        const auto edited = plan(project).assumptions.edited;
        const auto found = edited.find("efficiency");
        return found == edited.end() ? QString() : QString::number(std::get<double>(found->second));
    }
    void typeFleetNodes()
    {
        m_window->showFleet(m_fleet);
        type(page(), u"nodesEdit"_s, u"64"_s);
    }
    QString fleetNodes(const storage::Project &project) const { return QString::number(fleet(project).nodes); }
    void typeFleetFabric()
    {
        m_window->showFleet(m_fleet);
        type(page(), u"fabricPicker"_s, u"eth_100g_tcp"_s);
    }
    QString fleetFabric(const storage::Project &project) const
    {
        return QString::fromStdString(std::get<std::string>(fleet(project).fabric));
    }
    void typeFleetName()
    {
        m_window->showFleet(m_fleet);
        auto *name = part<QLineEdit>(page(), u"nameEdit"_s);
        name->setFocus();
        name->selectAll();
        QTest::keyClicks(name, u"Renamed"_s);
    }
    QString fleetName(const storage::Project &project) const { return QString::fromStdString(fleet(project).name); }
    QLineEdit *sweepField(const QString &name)
    {
        m_window->showPage(u"sweeps"_s);
        shown<SweepsPage>().showSweep(m_sweep);
        auto *field = part<QLineEdit>(page(), name);
        field->setFocus();
        field->selectAll();
        return field;
    }
    void typeAxis() { QTest::keyClicks(sweepField(u"firstAxisValues"_s), u"1, 2, 4, 8"_s); }
    QString axisPoints(const storage::Project &project) const
    {
        return QString::number(sweep(project).axes.front().points.size());
    }
    void typeMark() { QTest::keyClicks(sweepField(u"markEdit"_s), u"30 %"_s); }
    QString mark(const storage::Project &project) const { return QString::number(sweep(project).mark.value_or(0)); }
    void typeReflection()
    {
        m_window->showPage(u"studies"_s);
        shown<StudiesPage>().showEntry(QString::fromStdString(m_study.id));
        auto *text = part<QPlainTextEdit>(page(), u"reflectionEdit"_s);
        QVERIFY(text->isVisible());
        text->setFocus();
        QTest::keyClicks(text, u"Because"_s);
    }
    QString reflection(const storage::Project &project) const
    {
        const auto progress = project.studyProgress(m_study.id);
        return progress && *progress && !(*progress)->reflections.empty()
            ? QString::fromStdString((*progress)->reflections.begin()->second)
            : QString();
    }

    static std::vector<Form> forms()
    {
        return {{"plan entered", &TestLeavingForms::enterNodes, &TestLeavingForms::nodes, u"64"_s},
            {"plan typed", &TestLeavingForms::typeNodes, &TestLeavingForms::nodes, u"64"_s, Left::EveryWay},
            {"plan limit", &TestLeavingForms::typeShare, &TestLeavingForms::share, u"0.55"_s},
            {"plan item", &TestLeavingForms::typeFabric, &TestLeavingForms::fabric, u"eth_100g_tcp"_s},
            {"plan switch", &TestLeavingForms::tickSequenceParallel, &TestLeavingForms::sequenceParallel, u"true"_s},
            {"assumption", &TestLeavingForms::typeAssumption, &TestLeavingForms::assumption, u"0.4"_s, Left::EveryWay},
            {"fleet typed", &TestLeavingForms::typeFleetNodes, &TestLeavingForms::fleetNodes, u"64"_s, Left::EveryWay},
            {"fleet item", &TestLeavingForms::typeFleetFabric, &TestLeavingForms::fleetFabric, u"eth_100g_tcp"_s},
            {"fleet name", &TestLeavingForms::typeFleetName, &TestLeavingForms::fleetName, u"Renamed"_s},
            {"sweep axis", &TestLeavingForms::typeAxis, &TestLeavingForms::axisPoints, u"4"_s, Left::EveryWay},
            {"sweep mark", &TestLeavingForms::typeMark, &TestLeavingForms::mark, u"0.3"_s},
            {"study text", &TestLeavingForms::typeReflection, &TestLeavingForms::reflection, u"Because"_s,
                Left::EveryWay}};
    }

    // The ways to leave any form.
    void otherPage() { action(u"goTo/overview"_s)->trigger(); }
    void catalogPage() { action(u"goTo/catalog/nodes"_s)->trigger(); }
    void reportPage() { action(u"goTo/report"_s)->trigger(); }
    void newProject()
    {
        m_prompts.fileName = file(u"new.fleetwright"_s);
        action(u"actionNewProject"_s)->trigger();
    }
    void openOther()
    {
        m_prompts.fileName = file(u"other.fleetwright"_s);
        action(u"actionOpenProject"_s)->trigger();
        QCOMPARE(workspace().path(), m_prompts.fileName);
    }
    void closeProject() { action(u"actionCloseProject"_s)->trigger(); }
    void closeWindow()
    {
        m_window->close();
        QVERIFY(!m_window->isVisible());
    }
    void quit()
    {
        action(u"actionQuit"_s)->trigger();
        QVERIFY(!m_window->isVisible());
    }
    void saveCopy()
    {
        m_prompts.fileName = file(u"copy.fleetwright"_s);
        action(u"actionSaveCopy"_s)->trigger();
        m_project = m_prompts.fileName;
    }
    void addPlan() { QVERIFY(workspace().addPlan(workspace().plans().front().document)); }
    void undoAndRedo()
    {
        QVERIFY(
            workspace().addFleet({.name = "To be undone", .node = "nvidia_dgx_h100", .nodes = 1, .fabric = "ib_ndr"}));
        action(u"actionUndo"_s)->trigger();
        action(u"actionRedo"_s)->trigger();
    }
    void deletePlanAndUndo()
    {
        action(u"actionDeletePlan"_s)->trigger();
        action(u"actionUndo"_s)->trigger();
    }

    static std::vector<Way> ways()
    {
        return {{"other page", &TestLeavingForms::otherPage, true}, {"catalog page", &TestLeavingForms::catalogPage},
            {"report page", &TestLeavingForms::reportPage}, {"new project", &TestLeavingForms::newProject},
            {"other project", &TestLeavingForms::openOther}, {"close project", &TestLeavingForms::closeProject},
            {"close window", &TestLeavingForms::closeWindow, true}, {"quit", &TestLeavingForms::quit},
            {"save a copy", &TestLeavingForms::saveCopy}, {"another edit", &TestLeavingForms::addPlan},
            {"undo, redo", &TestLeavingForms::undoAndRedo}, {"delete, undo", &TestLeavingForms::deletePlanAndUndo}};
    }

    // The ways to leave a plan.
    void otherPlan()
    {
        auto *tree = part<QTreeWidget>(*m_window, u"navigation"_s);
        const auto *plans = tree->currentItem()->parent();
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {},
            tree->visualItemRect(plans->child(plans->indexOfChild(tree->currentItem()) == 0 ? 1 : 0)).center());
        QVERIFY(shown<PlanPage>().currentPlan() != m_plan);
    }
    void otherPlanFromElsewhere() { m_window->showPlan(workspace().plans().back().id); }
    void samePlanAgain() { m_window->showPlan(m_plan); }
    void newPlan() { press(u"newButton"_s); }
    void duplicatePlan()
    {
        press(u"duplicateButton"_s);
        const auto copy = shown<PlanPage>().currentPlan();
        QVERIFY(copy != m_plan);
        QCOMPARE(workspace().plan(copy)->document.fleet.nodes, 64);
    }
    void duplicateByKey() { action(u"actionDuplicatePlan"_s)->trigger(); }
    void deleteOther() { QVERIFY(workspace().removePlan(workspace().plans().back().id)); }
    void deleteAndUndo()
    {
        press(u"removeButton"_s);
        QVERIFY(!workspace().plan(m_plan));
        action(u"actionUndo"_s)->trigger();
    }
    void undoThenRedo()
    {
        action(u"actionUndo"_s)->trigger();
        action(u"actionRedo"_s)->trigger();
    }
    void rename()
    {
        m_prompts.typed = u"Another name"_s;
        press(u"renameButton"_s);
        QCOMPARE(workspace().plan(m_plan)->document.name, std::string("Another name"));
    }
    void searchButton() { press(u"searchLayoutsButton"_s); }
    /// A window that goes without having been closed.
    void destroy() { m_window.reset(); }
    void compareButton() { press(u"compareButton"_s); }
    void exportPlan()
    {
        m_prompts.fileName = file(u"plan.yaml"_s);
        action(u"actionExportPlan"_s)->trigger();
        QFile exported(m_prompts.fileName);
        QVERIFY(exported.open(QIODevice::ReadOnly));
        QVERIFY(exported.readAll().contains("nodes: 64"));
    }
    void exportReport()
    {
        m_prompts.fileName = file(u"report.pdf"_s);
        action(u"actionExportPdf"_s)->trigger();
    }
    void import()
    {
        m_prompts.fileName = file(u"to import.yaml"_s);
        putFile(m_prompts.fileName,
            "fleetwright: 1\nname: Imported\nworkload: llama3_1_70b\nfleet: {node: nvidia_dgx_h100, nodes: "
            "32, fabric: ib_ndr}\nparallelism: {tp: 8, pp: 4}\ntraining: {global_batch: 256, "
            "microbatch_count: 16, seq_len: 2048, precision: fp16}\n");
        action(u"actionImport"_s)->trigger();
        QVERIFY(shown<PlanPage>().currentPlan() != m_plan);
    }
    void recordDecision() { press(u"recordButton"_s); }
    void editCatalog()
    {
        auto record = *workspace().catalog()->find(CatalogKind::Fabric, "ib_ndr");
        record.id = "mine";
        record.shipped = false;
        QVERIFY(workspace().saveRecord(record));
    }

    static std::vector<Way> planWays()
    {
        return {{"other plan", &TestLeavingForms::otherPlan},
            {"other plan from elsewhere", &TestLeavingForms::otherPlanFromElsewhere},
            {"same plan again", &TestLeavingForms::samePlanAgain}, {"new plan", &TestLeavingForms::newPlan},
            {"duplicate", &TestLeavingForms::duplicatePlan}, {"duplicate by key", &TestLeavingForms::duplicateByKey},
            {"delete another", &TestLeavingForms::deleteOther}, {"delete and undo", &TestLeavingForms::deleteAndUndo},
            {"undo and redo", &TestLeavingForms::undoThenRedo}, {"rename", &TestLeavingForms::rename},
            {"destroy", &TestLeavingForms::destroy}, {"search button", &TestLeavingForms::searchButton},
            {"compare button", &TestLeavingForms::compareButton}, {"export", &TestLeavingForms::exportPlan},
            {"report", &TestLeavingForms::exportReport}, {"import", &TestLeavingForms::import},
            {"record", &TestLeavingForms::recordDecision}, {"catalog item", &TestLeavingForms::editCatalog}};
    }

    void leave(const Form &form, const Way &way)
    {
        (this->*form.fill)();
        if (QTest::currentTestFailed())
            return;
        (this->*way.leave)();
        if (QTest::currentTestFailed())
            return;
        QVERIFY2(m_prompts.errors.empty(), m_prompts.errors.empty() ? "" : m_prompts.errors[0].message.c_str());
        m_window.reset();
        const auto project = storage::Project::open(m_project, storage::OpenMode::ReadOnly);
        QVERIFY2(project.has_value(), project ? "" : project.error().message.c_str());
        QCOMPARE((this->*form.read)(**project), form.expected);
    }

private slots:
    void initTestCase()
    {
        applyTheme(ThemeChoice::Light);
        QVERIFY(storage::Project::create(m_made.filePath(u"other.fleetwright"_s)));
        const auto project = storage::Project::createSample(
            m_made.filePath(u"sample.fleetwright"_s), storage::ShippedProject::Tutorial);
        QVERIFY(project);
        const auto plans = (*project)->plans().value();
        m_plan = plans.front().id;
        m_fleet = (*project)->fleets().value().front().id;
        SweepDocument sweep;
        sweep.name = "Microbatches";
        sweep.plan = plans.front().document;
        sweep.axes = {axisOf("training.microbatch_count", {1.0, 2.0})};
        sweep.figure = "mfu";
        const auto added = (*project)->saveSweep({.document = sweep});
        QVERIFY(added);
        m_sweep = *added;
        m_study = storage::shippedStudies()->front();
        StudyProgress progress = study::started(m_study);
        for (const auto &step : m_study.steps)
            if (const auto *question = std::get_if<PredictStep>(&step.content))
                progress.answers[step.id] = question->choices.front().id;
            else if (std::holds_alternative<ReflectStep>(step.content))
                progress.currentStep = step.id;
        QVERIFY((*project)->saveStudyProgress(progress));
    }

    void init()
    {
        m_prompts = {};
        m_folder = std::make_unique<QTemporaryDir>();
        m_settings = std::make_unique<Settings>(file(u"settings.ini"_s));
        m_window = std::make_unique<MainWindow>(*m_settings, m_prompts);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_project = file(u"sample.fleetwright"_s);
        QVERIFY(QFile::copy(m_made.filePath(u"sample.fleetwright"_s), m_project));
        QVERIFY(QFile::copy(m_made.filePath(u"other.fleetwright"_s), file(u"other.fleetwright"_s)));
        QVERIFY(workspace().open(m_project));
        showPlan();
        QTRY_VERIFY(workspace().result(m_plan).has_value()); // what is shown first has been answered
    }

    void cleanup() { m_window.reset(); }

    void everyFormEveryWay_data()
    {
        QTest::addColumn<int>("form");
        QTest::addColumn<int>("way");
        const auto all = forms();
        const auto every = ways();
        for (int form = 0; form < int(all.size()); ++form)
            for (int way = 0; way < int(every.size()); ++way)
                if (all[std::size_t(form)].left == Left::EveryWay || every[std::size_t(way)].usual)
                    QTest::addRow("%s, %s", all[std::size_t(form)].name, every[std::size_t(way)].name) << form << way;
    }

    void everyFormEveryWay()
    {
        QFETCH(int, form);
        QFETCH(int, way);
        leave(forms()[std::size_t(form)], ways()[std::size_t(way)]);
    }

    void everyWayFromAPlan_data()
    {
        QTest::addColumn<int>("form");
        QTest::addColumn<int>("way");
        const auto all = forms();
        const auto every = planWays();
        for (int form = 0; form < 2; ++form) // entered, and typed only
            for (int way = 0; way < int(every.size()); ++way)
                QTest::addRow("%s, %s", all[std::size_t(form)].name, every[std::size_t(way)].name) << form << way;
    }

    void everyWayFromAPlan()
    {
        QFETCH(int, form);
        QFETCH(int, way);
        leave(forms()[std::size_t(form)], planWays()[std::size_t(way)]);
    }
};

FLEETWRIGHT_TEST(TestLeavingForms)
#include "tst_leavingforms.moc"
