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
        auto *edit = table()->viewport()->findChild<QLineEdit *>();
        QVERIFY(edit);
        edit->selectAll();
        if (text.isEmpty())
            QTest::keyClick(edit, Qt::Key_Delete);
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
        settle();
    }
    void settle() { QTest::qWait(10); }

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
        m_window->showPage(u"overview"_s);
        part<QTabWidget>(*m_window, u"plansTabs"_s)->setCurrentIndex(1);
        settle();
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
        QVERIFY(!plan(0).constraints.deadline.has_value());
        settle();
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
        settle();
        QCOMPARE(std::get<std::string>(plan(0).fleet.fabric), std::string("ib_hdr"));
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
        const auto nodes = cell("Fleet: Nodes", 0);
        const auto before = plan(0).fleet.nodes;
        table()->scrollTo(nodes);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(nodes).center());
        QTest::keyClick(table(), Qt::Key_F2);
        auto *edit = table()->viewport()->findChild<QLineEdit *>();
        edit->selectAll();
        QTest::keyClicks(edit, u"40"_s);
        workspace().settle();
        QCOMPARE(plan(0).fleet.nodes, 40);
        workspace().undo();
        QCOMPARE(plan(0).fleet.nodes, before);
    }

    void readOnlyProjectsAreShownOnly()
    {
        const auto path = workspace().path();
        workspace().close();
        Workspace elsewhere;
        QVERIFY(elsewhere.open(path));
        QVERIFY(workspace().open(path));
        QVERIFY(workspace().isReadOnly());
        m_window->showPage(u"overview"_s);
        part<QTabWidget>(*m_window, u"plansTabs"_s)->setCurrentIndex(1);
        settle();
        QVERIFY(!(table()->model()->index(0, 1).flags() & Qt::ItemIsEditable));
        QVERIFY(part<QLabel>(panel(), u"inputsHint"_s)->text().contains(workspace().readOnlyReason()));
    }
};

FLEETWRIGHT_TEST(TestPlanInputsPanel)
#include "tst_planinputspanel.moc"
