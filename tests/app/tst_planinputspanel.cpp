// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/goalseekdialog.h"
#include "app/mainwindow.h"
#include "app/pages/overview/planinputspanel.h"
#include "app/widgets/copying.h"
#include "itemmodels/planinputsmodel.h"
#include "pagetesting.h"
#include "testing/registry.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;
using itemmodels::PlanInputsModel;

/// The inputs of the plans, in the window with the tutorial's plans.
class TestPlanInputsPanel : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    ScriptedPrompts m_prompts;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;

    Workspace &workspace() { return m_window->workspace(); }
    QWidget &panel() { return *part<QWidget>(*m_window, u"inputsTab"_s); }
    QTableView *table() { return part<QTableView>(panel(), u"inputsTable"_s); }
    QString told() { return part<QLabel>(panel(), u"inputsSentence"_s)->text(); }
    /// The cell of an input and the n-th plan.
    QModelIndex cell(const char *key, int plan)
    {
        const auto *model = table()->model();
        const auto title = QString::fromUtf8(key);
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->headerData(row, Qt::Vertical).toString() == title)
                return model->index(row, PlanInputsModel::firstPlan + plan);
        return {};
    }
    const PlanDocument &plan(int index) { return workspace().plans().at(std::size_t(index)).document; }
    void show(const QString &rows)
    {
        auto *combo = part<QComboBox>(panel(), u"inputsRows"_s);
        choose(combo, combo->itemData(combo->findText(rows)));
        QCOMPARE(combo->currentText(), rows);
    }
    /// F2, the text, Return.
    void enter(const QModelIndex &index, const QString &text)
    {
        QVERIFY(index.isValid());
        table()->setFocus();
        table()->scrollTo(index);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(index).center());
        type(text);
    }
    void type(const QString &text)
    {
        QTest::keyClick(table(), Qt::Key_F2);
        QPointer<QLineEdit> edit = table()->viewport()->findChild<QLineEdit *>();
        QVERIFY(edit);
        edit->selectAll();
        if (text.isEmpty())
            QTest::keyClick(edit, Qt::Key_Delete);
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_VERIFY(!edit || edit->isHidden()); // handed in
        settle();
    }
    /// Until what was typed is tried, and the table shows the plans as they are now.
    void settle()
    {
        QTRY_VERIFY(!part<PlanInputsPanel>(*m_window, u"inputsTab"_s)->isChecking());
        const auto *model = panel().findChild<PlanInputsModel *>();
        QTRY_COMPARE(model->columnCount() - PlanInputsModel::firstPlan, int(workspace().plans().size()));
        for (int i = 0; i < int(workspace().plans().size()); ++i)
            QTRY_VERIFY(model->plan(PlanInputsModel::firstPlan + i).inputs.document() == plan(i));
    }
    void click(const QModelIndex &index, Qt::KeyboardModifiers modifiers = {})
    {
        table()->scrollTo(index);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, modifiers, table()->visualRect(index).center());
    }
    /// F2 and the text, without Return.
    QLineEdit *begin(const QModelIndex &index, const QString &text)
    {
        click(index);
        QTest::keyClick(table(), Qt::Key_F2);
        auto *edit = table()->viewport()->findChild<QLineEdit *>();
        if (!edit)
            qFatal("no editor");
        edit->selectAll();
        QTest::keyClicks(edit, text);
        return edit;
    }
    void leave()
    {
        part<QLineEdit>(panel(), u"inputsSearch"_s)->setFocus();
        QTRY_VERIFY(part<QLineEdit>(panel(), u"inputsSearch"_s)->hasFocus());
    }
    void openInputs()
    {
        m_window->showPage(u"overview"_s);
        part<QTabWidget>(*m_window, u"plansTabs"_s)->setCurrentIndex(1);
        settle();
    }

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_prompts = {};
        m_settings = std::make_unique<Settings>(m_folder->filePath(u"settings.ini"_s));
        m_window = std::make_unique<MainWindow>(*m_settings, m_prompts);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QVERIFY(
            workspace().createSample(m_folder->filePath(u"sample.fleetwright"_s), storage::ShippedProject::Tutorial));
        openInputs();
    }
    void cleanup() { m_window.reset(); }

    void firstShowsWhereThePlansDiffer()
    {
        QCOMPARE(part<QComboBox>(panel(), u"inputsRows"_s)->currentText(), u"Different"_s);
        QVERIFY(table()->model()->rowCount() > 0);
        const int different = table()->model()->rowCount();
        for (int row = 0; row < different; ++row) {
            QSet<QString> texts;
            for (int column = PlanInputsModel::firstPlan; column < table()->model()->columnCount(); ++column)
                texts << table()->model()->index(row, column).data().toString()
                        + table()->model()->index(row, column).data(Qt::EditRole).toString();
            QVERIFY2(texts.size() > 1, qPrintable(table()->model()->headerData(row, Qt::Vertical).toString()));
        }
        show(u"Equal"_s);
        const int equal = table()->model()->rowCount();
        show(u"All"_s);
        QCOMPARE(table()->model()->rowCount(), different + equal);
    }

    void anEditIsOneStepAndIsSolved()
    {
        show(u"All"_s);
        const auto before = plan(1);
        enter(cell("Fleet: Nodes", 1), u"48"_s);
        QCOMPARE(plan(1).fleet.nodes, 48);
        QVERIFY(told().isEmpty());
        QCOMPARE(workspace().undoStack()->undoText(),
            u"Change number of nodes of \u2018%1\u2019"_s.arg(QString::fromStdString(before.name)));
        QCOMPARE(cell("Fleet: Nodes", 1).data().toString(), u"48"_s);
        QTRY_VERIFY(workspace().result(workspace().plans()[1].id).has_value());
        workspace().undo();
        QCOMPARE(plan(1), before);
        settle();
        QCOMPARE(cell("Fleet: Nodes", 1).data().toString(), QString::number(before.fleet.nodes));
    }

    void unitsAreReadAndEmptyLeavesOut()
    {
        show(u"All"_s);
        enter(cell("Limits: Deadline", 0), u"720 h"_s);
        QVERIFY(plan(0).constraints.deadline.has_value());
        QCOMPARE(double(*plan(0).constraints.deadline / day), 30.0);
        QCOMPARE(cell("Limits: Deadline", 0).data().toString(),
            u"30\u00a0d"_s.replace(QChar(0xa0), cell("Limits: Deadline", 0).data().toString().at(2)));
        QTest::keyClick(table(), Qt::Key_Delete);
        settle();
        QVERIFY(!plan(0).constraints.deadline.has_value());
        QCOMPARE(cell("Limits: Deadline", 0).data().toString(), u"no limit"_s);
    }

    void whatCannotBeUsedSaysWhyAndChangesNothing()
    {
        show(u"All"_s);
        const auto steps = workspace().undoStack()->count();
        const auto before = plan(0);
        enter(cell("Fleet: Nodes", 0), u"many"_s);
        QVERIFY2(told().contains(u"“many” was not taken"_s), qPrintable(told()));
        QVERIFY(told().contains(QString::fromStdString(before.name)));
        enter(cell("Fleet: Nodes", 0), u"0"_s);
        QVERIFY2(told().contains(u"at least 1"_s), qPrintable(told()));
        QTest::keyClick(table(), Qt::Key_Delete);
        settle();
        QVERIFY2(told().contains(u"cannot be left empty"_s), qPrintable(told()));
        QCOMPARE(plan(0), before);
        QCOMPARE(workspace().undoStack()->count(), steps);
        QCOMPARE(cell("Fleet: Nodes", 0).data().toString(), QString::number(before.fleet.nodes));
    }

    /// Three cells of a row, one entry, one step back.
    void severalCellsAreEditedTogether()
    {
        show(u"All"_s);
        const auto steps = workspace().undoStack()->count();
        const auto first = cell("Limits: Deadline", 0);
        table()->scrollTo(first);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(first).center());
        QTest::keyClick(table(), Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(table(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY2(part<QLabel>(panel(), u"inputsHint"_s)->text().contains(u"3 plans are selected"_s),
            qPrintable(part<QLabel>(panel(), u"inputsHint"_s)->text()));
        type(u"45"_s);
        for (int i = 0; i < 3; ++i)
            QCOMPARE(double(*plan(i).constraints.deadline / day), 45.0);
        QCOMPARE(workspace().undoStack()->count(), steps + 1);
        QCOMPARE(workspace().undoStack()->undoText(), u"Change constraints of 3 plans"_s);
        QCOMPARE(table()->selectionModel()->selectedIndexes().size(), 3);
        workspace().undo();
        for (int i = 0; i < 3; ++i)
            QVERIFY(!plan(i).constraints.deadline.has_value() || double(*plan(i).constraints.deadline / day) != 45.0);
    }

    void itemsAreChosenFromALot()
    {
        show(u"All"_s);
        const auto fabric = cell("Fleet: Fabric", 0);
        table()->scrollTo(fabric);
        QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(fabric).center());
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(fabric).center());
        table()->edit(fabric);
        auto *combo = table()->viewport()->findChild<QComboBox *>();
        QVERIFY(combo);
        QVERIFY(combo->isEditable());
        combo->lineEdit()->selectAll();
        QTest::keyClicks(combo->lineEdit(), combo->itemText(combo->findData(u"ib_hdr"_s)));
        QTest::keyClick(combo->lineEdit(), Qt::Key_Return);
        QTRY_COMPARE(std::get<std::string>(plan(0).fleet.fabric), std::string("ib_hdr"));
    }

    /// The menu of a number's cell asks for the value of that plan.
    void numbersAreSought()
    {
        show(u"All"_s);
        auto *seekAction = m_window->findChild<QAction *>(u"seekInputAction"_s);
        QVERIFY(seekAction);
        table()->setCurrentIndex(cell("Training: Precision", 1));
        QVERIFY(!seekAction->isEnabled());
        table()->setCurrentIndex(cell("Training: Sequence length", 1));
        QVERIFY(seekAction->isEnabled());
        seekAction->trigger();
        auto *dialog = panel().findChild<GoalSeekDialog *>();
        QVERIFY(dialog && dialog->isVisible());
        QCOMPARE(part<QComboBox>(*dialog, u"seekKey"_s)->currentData().toString(), u"training.seq_len"_s);
        QCOMPARE(part<QLabel>(*dialog, u"planLabel"_s)->text(), QString::fromStdString(plan(1).name));
    }

    void plansAreChosen()
    {
        const int all = table()->horizontalHeader()->count() - 1;
        auto *menu = part<QMenu>(panel(), u"inputsPlansMenu"_s);
        emit menu->aboutToShow();
        for (int i = 2; i < all; ++i)
            menu->actions().at(i)->trigger();
        QCOMPARE(table()->horizontalHeader()->hiddenSectionCount(), all - 2 + 1);
        QCOMPARE(part<QPushButton>(panel(), u"inputsPlans"_s)->text(), u"Plans: 2 of %1"_s.arg(all));
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            QVERIFY(table()->model()->index(row, 1).data() != table()->model()->index(row, 2).data()
                || table()->model()->index(row, 1).data(Qt::EditRole)
                    != table()->model()->index(row, 2).data(Qt::EditRole));
        const auto name = [&](int index) { return QString::fromStdString(plan(index).name); };
        copyTable(*table(), CopyAs::TabSeparated, CopyWhat::Table);
        const auto heading = QGuiApplication::clipboard()->text().section(u'\n', 0, 0).trimmed();
        QCOMPARE(heading, u"Input\t"_s + name(0) + u'\t' + name(1));
        emit menu->aboutToShow();
        menu->actions().last()->trigger();
        QCOMPARE(table()->horizontalHeader()->hiddenSectionCount(), 1);
    }

    void searching()
    {
        show(u"All"_s);
        auto *search = part<QLineEdit>(panel(), u"inputsSearch"_s);
        search->setFocus();
        QTest::keyClicks(search, u"deadline"_s);
        QCOMPARE(table()->model()->rowCount(), 1);
        QTest::keyClicks(search, u"xyz"_s);
        QVERIFY(part<QLabel>(panel(), u"inputsNothing"_s)->isVisible());
        QVERIFY(part<QLabel>(panel(), u"inputsNothing"_s)->text().contains(u"deadlinexyz"_s));
    }

    /// Undo asks for what is being typed first, and then takes it back.
    void whatIsBeingTypedIsHandedIn()
    {
        show(u"All"_s);
        const auto before = plan(0).fleet.nodes;
        begin(cell("Fleet: Nodes", 0), u"40"_s);
        workspace().settle();
        QCOMPARE(plan(0).fleet.nodes, 40);
        workspace().undo();
        QCOMPARE(plan(0).fleet.nodes, before);
    }

    /// Plans of two projects have the same ids: what is being typed goes into the one in which it was typed.
    void whatIsTypedStaysInItsProject()
    {
        const auto path = workspace().path(), another = m_folder->filePath(u"another.fleetwright"_s);
        QVERIFY(QFile::copy(path, another));
        const auto before = plan(0);
        show(u"All"_s);
        QPointer<QLineEdit> edit = begin(cell("Fleet: Nodes", 0), u"40"_s);
        QVERIFY(workspace().open(another));
        QVERIFY(!edit || edit->isHidden());
        QCOMPARE(plan(0), before);
        openInputs();
        leave();
        QCOMPARE(plan(0), before);
        QVERIFY(!workspace().undoStack()->canUndo());
        QVERIFY(workspace().open(path));
        QCOMPARE(plan(0).fleet.nodes, 40);
    }

    /// As it happens where the editor loses its place to another page before the table has new plans.
    void plansThatHaveChangedAreNotOverwritten()
    {
        show(u"All"_s);
        const auto nodes = cell("Fleet: Nodes", 0);
        auto changed = plan(0);
        changed.fleet.nodes = 24;
        QVERIFY(workspace().editPlan(workspace().plans()[0].id, changed));
        const auto steps = workspace().undoStack()->count();
        table()->model()->setData(nodes, u"40"_s);
        settle();
        QCOMPARE(plan(0), changed);
        QCOMPARE(workspace().undoStack()->count(), steps);
        QVERIFY2(told().contains(u"have changed meanwhile"_s), qPrintable(told()));
        table()->model()->setData(cell("Fleet: Nodes", 0), u"40"_s);
        settle();
        QCOMPARE(plan(0).fleet.nodes, 40);
    }

    /// Keys that come before the table shows what the last one changed.
    void fastKeysAreTaken()
    {
        show(u"All"_s);
        click(cell("Limits: Deadline", 0));
        const auto before = plan(0);
        const auto steps = workspace().undoStack()->count();
        table()->model()->setData(table()->currentIndex(), u"31"_s);
        QCOMPARE(plan(0), before); // a worker tries it
        QTest::keyClick(table(), Qt::Key_Delete);
        QCOMPARE(double(*plan(0).constraints.deadline / day), 31.0); // the key comes after it
        settle();
        QVERIFY2(!plan(0).constraints.deadline.has_value(), qPrintable(told()));
        QCOMPARE(workspace().undoStack()->count(), steps + 2);
    }

    /// Whether a plan can still be priced is found out by solving it, which is not the window's work.
    void whatIsTypedIsTriedAside()
    {
        show(u"All"_s);
        const auto before = plan(0);
        table()->model()->setData(cell("Fleet: Nodes", 0), u"40"_s);
        QVERIFY(part<PlanInputsPanel>(*m_window, u"inputsTab"_s)->isChecking());
        QCOMPARE(plan(0), before);
        QTRY_COMPARE(plan(0).fleet.nodes, 40);
        settle();
        begin(cell("Limits: Deadline", 0), u"31"_s);
        table()->model()->setData(cell("Fleet: Nodes", 0), u"48"_s);
        workspace().settle(); // before the window closes, or another edit: one entry does not shut the other out
        QVERIFY2(told().isEmpty(), qPrintable(told()));
        QCOMPARE(plan(0).fleet.nodes, 48);
        QCOMPARE(double(*plan(0).constraints.deadline / day), 31.0);
    }

    void whatIsUndoneIsNotTypedAgain()
    {
        show(u"All"_s);
        const auto before = plan(0);
        QPointer<QLineEdit> edit = begin(cell("Fleet: Nodes", 0), u"40"_s);
        workspace().undo(); // hands it in, and takes it back
        QCOMPARE(plan(0), before);
        if (edit && !edit->isHidden())
            edit->setFocus();
        leave();
        QCOMPARE(plan(0), before);
        QVERIFY(workspace().undoStack()->canRedo());
    }

    void whatIsLeftAsItWasChangesNothing()
    {
        show(u"All"_s);
        auto other = plan(1);
        other.training.precision = plan(0).training.precision == Precision::Bf16 ? Precision::Fp16 : Precision::Bf16;
        QVERIFY(workspace().editPlan(workspace().plans()[1].id, other));
        settle();
        const auto steps = workspace().undoStack()->count();
        for (const auto *key : {"Training: Precision", "Fleet: Node"}) {
            click(cell(key, 1));
            click(cell(key, 0), Qt::ShiftModifier);
            QCOMPARE(table()->selectionModel()->selectedIndexes().size(), 2);
            table()->edit(table()->currentIndex());
            QVERIFY(table()->viewport()->findChild<QComboBox *>());
            leave();
            QCOMPARE(workspace().undoStack()->count(), steps);
        }
        QCOMPARE(plan(1), other);
    }

    /// What the current cell has already goes into the other cells that are selected.
    void theSameTextGoesIntoTheOthers()
    {
        show(u"All"_s);
        enter(cell("Fleet: Nodes", 1), u"48"_s);
        enter(cell("Fleet: Nodes", 0), u"40"_s);
        click(cell("Fleet: Nodes", 1));
        QTest::keyClick(table(), Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(table()->currentIndex().column(), int(PlanInputsModel::firstPlan));
        type(u"40"_s);
        QCOMPARE(plan(0).fleet.nodes, 40);
        QCOMPARE(plan(1).fleet.nodes, 40);
    }

    void deleteInAnOpenListLeavesTheCell()
    {
        show(u"All"_s);
        const auto choices = cell("Fleet: Topology", 0).data(PlanInputsModel::choicesRole).toList();
        QVERIFY(choices.size() > 1);
        table()->model()->setData(cell("Fleet: Topology", 0), choices.last().toStringList().first());
        settle();
        const auto before = plan(0);
        QVERIFY(cell("Fleet: Topology", 0).data(PlanInputsModel::statedRole).toBool());
        click(cell("Fleet: Topology", 0));
        table()->edit(table()->currentIndex());
        auto *combo = table()->viewport()->findChild<QComboBox *>();
        QVERIFY(combo && !combo->isEditable());
        QTest::keyClick(combo, Qt::Key_Delete);
        QCOMPARE(plan(0), before);
    }

    /// A plan whose cost model has no such assumption is named, and the others are set.
    void plansWithoutTheInputAreLeftAsTheyAre()
    {
        auto first = plan(0), second = plan(1);
        const std::string key = "efficiency";
        first.assumptions.edited[key] = 0.4;
        QVERIFY(PlanInputs(first, workspace().catalog()).assumption("assumptions." + key));
        for (const auto &choice : PlanInputs(second, workspace().catalog()).choices("cost_model"))
            if (auto another = PlanInputs(second, workspace().catalog()).edited("cost_model", choice.typed);
                another && !PlanInputs(*another, workspace().catalog()).assumption("assumptions." + key))
                second = *another;
        QVERIFY(second != plan(1));
        QVERIFY(workspace().editPlan(workspace().plans()[0].id, first));
        QVERIFY(workspace().editPlan(workspace().plans()[1].id, second));
        settle();
        show(u"All"_s);
        const auto *model = panel().findChild<PlanInputsModel *>();
        const int row = model->rowOf("assumptions." + key);
        QVERIFY(row >= 0);
        const auto title = model->headerData(row, Qt::Vertical).toString().toUtf8();
        table()->setCurrentIndex(cell(title.constData(), 0));
        m_window->findChild<QAction *>(u"copyInputAction"_s)->trigger();
        settle();
        QVERIFY(plan(2).assumptions.edited.contains(key));
        QCOMPARE(plan(1), second);
        QVERIFY2(told().contains(u"Without this input"_s) && told().contains(QString::fromStdString(second.name)),
            qPrintable(told()));
    }

    /// The search for the layouts to fix leaves the window alone.
    void layoutsAreFixedAside()
    {
        show(u"All"_s);
        QVERIFY(workspace().editPlan(workspace().plans()[0].id, withBestLayout(plan(0))));
        settle();
        table()->model()->setData(cell("Layout", 0), u"fixed"_s);
        QVERIFY(plan(0).bestLayout.has_value());
        QVERIFY2(part<QLabel>(panel(), u"inputsHint"_s)->text().contains(u"being looked for"_s),
            qPrintable(part<QLabel>(panel(), u"inputsHint"_s)->text()));
        QTRY_VERIFY2(!plan(0).bestLayout.has_value(), qPrintable(told()));
        QVERIFY(told().isEmpty());
        QVERIFY(!part<QLabel>(panel(), u"inputsHint"_s)->text().contains(u"being looked for"_s));
    }

    void readOnlyProjectsAreShownOnly()
    {
        const auto path = workspace().path();
        workspace().close();
        Workspace elsewhere;
        QVERIFY(elsewhere.open(path));
        QVERIFY(workspace().open(path));
        QVERIFY(workspace().isReadOnly());
        openInputs();
        QVERIFY(!(table()->model()->index(0, 1).flags() & Qt::ItemIsEditable));
        QVERIFY(part<QLabel>(panel(), u"inputsHint"_s)->text().contains(workspace().readOnlyReason()));
    }
};

FLEETWRIGHT_TEST(TestPlanInputsPanel)
#include "tst_planinputspanel.moc"
