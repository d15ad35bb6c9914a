// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/projectfiles.h"
#include "itemmodels/planoverviewmodel.h"
#include "itemmodels/rowtable.h"
#include "mainwindowtesting.h"
#include "testing/registry.h"

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTreeWidget>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

/// Where people begin: nothing open, and the page of a project's plans.
class TestWelcome : public QObject, MainWindowFixture {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() { start(); }
    void cleanup() { m_window.reset(); }

    /// From nothing to an answered question: the form's entries are those of the decision.
    void theGuidedStartAsksDecide()
    {
        auto *days = child<QWidget>(u"deadlineEdit"_s)->findChild<QLineEdit *>();
        days->setText({});
        QTest::keyClicks(days, u"never"_s);
        m_prompts.fileName = newFile();
        QTest::mouseClick(child<QPushButton>(u"answerButton"_s), Qt::LeftButton);
        QVERIFY(!m_window->workspace().isOpen()); // what cannot be read is refused, and no file is asked for
        QVERIFY(m_prompts.questions.isEmpty());
        days->setText({});
        QTest::keyClicks(days, u"21 days"_s);
        QTest::keyClicks(child<QWidget>(u"budgetEdit"_s)->findChild<QLineEdit *>(), u"40"_s);
        QTest::keyClicks(child<QWidget>(u"capitalEdit"_s)->findChild<QLineEdit *>(), u"300"_s);
        QTest::keyClicks(child<QWidget>(u"powerEdit"_s)->findChild<QLineEdit *>(), u"10"_s);
        QTest::mouseClick(child<QPushButton>(u"answerButton"_s), Qt::LeftButton);
        QVERIFY2(
            m_prompts.suggested.endsWith(u"Llama 3.1 70B in 21 days.fleetwright"_s), qPrintable(m_prompts.suggested));
        QVERIFY(!m_prompts.suggested.contains(u"/."_s)); // nobody finds it in a hidden folder
        QVERIFY(m_prompts.errors.empty());
        QVERIFY(m_window->workspace().isOpen());
        QCOMPARE(m_window->currentPage(), u"decide"_s);
        QCOMPARE(m_window->workspace().decisions().size(), 1U);
        const auto &asked = m_window->workspace().decisions().front().document;
        QCOMPARE(asked.limits.plan.deadline->value(), 21 * 86400.0);
        QCOMPARE(asked.limits.plan.runCost->value(), 40e6);
        QCOMPARE(asked.limits.plan.capital->value(), 300e6);
        QCOMPARE(asked.limits.plan.facilityPower->value(), 10e6);
        QVERIFY(!asked.candidates.nodes.empty());
    }

    /// Who has nothing to buy with says 0, and is asked about rents alone.
    void noCapitalIsRentOnly()
    {
        QTest::keyClicks(child<QWidget>(u"capitalEdit"_s)->findChild<QLineEdit *>(), u"0"_s);
        m_prompts.fileName = newFile();
        QTest::mouseClick(child<QPushButton>(u"answerButton"_s), Qt::LeftButton);
        QCOMPARE(m_window->workspace().decisions().size(), 1U);
        const auto &asked = m_window->workspace().decisions().front().document;
        QVERIFY(!asked.limits.plan.capital);
        QCOMPARE(asked.candidates.paying.size(), 1U);
        QVERIFY(asked.candidates.paying.front().paying == Paying::Rent);
    }

    void theFormIsReadable()
    {
        m_window->resize(1280, 800);
        auto *picker = child<QWidget>(u"nodesPicker"_s);
        auto *list = picker->findChild<QListWidget *>();
        QTRY_VERIFY(list->height() > 8 * list->sizeHintForRow(0));
        const auto ticked = [list] {
            int count = 0;
            for (int row = 0; row < list->count(); ++row)
                count += list->item(row)->checkState() == Qt::Checked;
            return count;
        };
        QTest::mouseClick(picker->findChild<QPushButton *>(u"allButton"_s), Qt::LeftButton);
        QCOMPARE(ticked(), list->count());
        QTest::mouseClick(picker->findChild<QPushButton *>(u"noneButton"_s), Qt::LeftButton);
        QCOMPARE(ticked(), 0);
        QCOMPARE(child<QPushButton>(u"answerButton"_s)->height(), child<QPushButton>(u"newButton"_s)->height());
        QVERIFY(child<QLabel>(u"budgetLabel"_s)->text().endsWith(u"MUSD"_s));
        for (const auto *name : {"tokensEdit", "deadlineEdit", "capitalEdit", "budgetEdit", "powerEdit"}) {
            const auto toolTip = child<QWidget>(QString::fromUtf8(name))->findChild<QLineEdit *>()->toolTip();
            QVERIFY2(!toolTip.contains(u"e-"_s), qPrintable(toolTip));
        }
    }

    /// Two fields ask for money, and the systems are told by more than their names, those of a data centre first.
    void theFormSaysWhatItAsks()
    {
        QVERIFY(child<QLabel>(u"capitalHint"_s)->isVisible() && child<QLabel>(u"budgetHint"_s)->isVisible());
        auto *list = child<QWidget>(u"nodesPicker"_s)->findChild<QListWidget *>();
        const auto rowOf = [list](const QString &id) {
            int row = 0;
            while (row < list->count() && list->item(row)->data(Qt::UserRole) != id)
                ++row;
            return row;
        };
        const auto *item = list->item(rowOf(u"nvidia_dgx_h100"_s));
        QVERIFY(item);
        const auto about = item->data(Qt::UserRole + 1).toString();
        QVERIFY2(about.contains(u"2022, 8 \u00d7 "_s) && about.contains(u"GB"_s), qPrintable(about));
        QVERIFY(rowOf(u"hpe_cray_ex255a"_s) < rowOf(u"azure_nd_mi300x_v5"_s)); // newer, but of a cloud
        QVERIFY(rowOf(u"azure_nd_mi300x_v5"_s) < rowOf(u"nvidia_dgx1_v100"_s)); // of 2017
        QVERIFY(rowOf(u"nvidia_dgx1_v100"_s) < list->count());
        QVERIFY(rowOf(u"azure_nd_mi300x_v5"_s) < rowOf(u"nvidia_dgx_spark"_s)); // of a desk
    }

    void aProjectIsTakenOffTheList()
    {
        const auto path = createProject();
        action(u"actionCloseProject"_s)->trigger();
        auto *list = child<QTreeWidget>(u"recentList"_s);
        QCOMPARE(list->topLevelItemCount(), 1);
        QTest::keyClick(list, Qt::Key_Delete);
        QCOMPARE(list->topLevelItemCount(), 0);
        QVERIFY(m_settings->recentFiles().isEmpty());
        QVERIFY(QFile::exists(path));
        QVERIFY(child<QLabel>(u"noRecentText"_s)->isVisible());
    }

    /// An empty project says what to do, and the button does it; then the plans stand there.
    void plansWithoutAPlanSayWhatToDo()
    {
        createProject();
        m_window->showPage(u"overview"_s);
        auto *button = child<QPushButton>(u"emptyNewButton"_s);
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(m_window->workspace().plans().size(), 1U);
        QCOMPARE(m_window->currentPage(), u"plans"_s);
        m_window->showPage(u"overview"_s);
        QTRY_VERIFY(child<QTableView>(u"plansTable"_s)->isVisible());
        QVERIFY(!child<QPushButton>(u"emptyNewButton"_s)->isVisible());
    }

    /// No label or button of the page takes a key of the menus.
    void welcomeAndPlansLeaveTheKeysOfMenus()
    {
        QStringList taken;
        for (const auto *menu : child<QMenuBar>(u"menuBar"_s)->actions())
            taken << QKeySequence::mnemonic(menu->text()).toString();
        const auto *page = child<QWidget>(u"OverviewPage"_s);
        QStringList own;
        for (const auto *label : page->findChildren<QLabel *>())
            if (label->buddy())
                own << QKeySequence::mnemonic(label->text()).toString();
        for (const auto *button : page->findChildren<QAbstractButton *>())
            own << QKeySequence::mnemonic(button->text()).toString();
        own.removeAll(QString());
        QVERIFY(own.size() >= 8);
        for (const auto &key : own)
            QVERIFY2(!taken.contains(key), qPrintable(key));
    }

    void plansSayWhatBinds()
    {
        action(u"sample decision"_s)->trigger();
        m_window->showPage(u"overview"_s);
        const auto *model = child<QTableView>(u"plansTable"_s)->model();
        using Model = itemmodels::PlanOverviewModel;
        QTRY_VERIFY(m_window->workspace().result(m_window->workspace().plans().back().id));
        for (int row = 0; row < model->rowCount(); ++row) {
            QVERIFY(model->index(row, Model::Days).data(itemmodels::sortRole).toDouble() > 0);
            QVERIFY(model->index(row, Model::Cost).data(itemmodels::sortRole).toDouble() > 0);
            const bool keeps = model->index(row, Model::Feasible).data().toString() != u"no"_s; // likely, too
            QVERIFY(model->index(row, Model::Binds).data().toString().endsWith(keeps ? u" used"_s : u" over"_s));
        }
        // What all plans share is said above, not in a column.
        QTRY_VERIFY(child<QTableView>(u"plansTable"_s)->isColumnHidden(Model::Workload));
        QVERIFY(child<QLabel>(u"summaryLabel"_s)->text().contains(u"Llama 3.1 70B"_s));
    }

    void plansAreFiltered()
    {
        action(u"sample tutorial"_s)->trigger();
        m_window->showPage(u"overview"_s);
        auto *table = child<QTableView>(u"plansTable"_s);
        const int all = table->model()->rowCount();
        auto *filter = child<QLineEdit>(u"plansFilter"_s);
        QCOMPARE(filter->property("filters").toString(), u"plans"_s);
        table->setFocus();
        QTest::keyClick(table, Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(filter->hasFocus());
        QTest::keyClicks(filter, u"ethernet"_s);
        QVERIFY(table->model()->rowCount() > 0 && table->model()->rowCount() < all);
        for (int row = 0; row < table->model()->rowCount(); ++row)
            QVERIFY(table->model()->index(row, 0).data().toString().contains(u"Ethernet"_s));
        filter->clear();
        QCOMPARE(table->model()->rowCount(), all);
    }

    void overviewSortsByNumbers()
    {
        action(u"sample tutorial"_s)->trigger();
        m_window->showPage(u"overview"_s);
        auto *table = child<QTableView>(u"plansTable"_s);
        QCOMPARE(table->model()->index(0, 0).data().toString(),
            QString::fromStdString(m_window->workspace().plans().front().document.name));
        constexpr int column = itemmodels::PlanOverviewModel::Mfu;
        QTRY_VERIFY(m_window->workspace().result(m_window->workspace().plans().back().id));
        table->sortByColumn(column, Qt::DescendingOrder);
        const auto share = [&](int row) {
            return table->model()->index(row, column).data(itemmodels::sortRole).toDouble();
        };
        for (int row = 1; row < table->model()->rowCount(); ++row)
            QVERIFY(share(row - 1) >= share(row));
    }

    void filesAreDropped()
    {
        const auto drop = [this](const QStringList &paths) {
            QMimeData data;
            QList<QUrl> urls;
            for (const auto &path : paths)
                urls << QUrl::fromLocalFile(path);
            data.setUrls(urls);
            QDragEnterEvent enter({40, 40}, Qt::CopyAction, &data, Qt::LeftButton, {});
            QApplication::sendEvent(m_window.get(), &enter);
            QVERIFY(enter.isAccepted());
            QDropEvent event({40, 40}, Qt::CopyAction, &data, Qt::LeftButton, {});
            QApplication::sendEvent(m_window.get(), &event);
        };
        const auto plan = putFile(m_folder.filePath(u"dropped.yaml"_s), planText("Dropped"));
        m_prompts.fileName = newFile(); // for the new project that it needs
        drop({plan});
        QTRY_COMPARE(m_window->workspace().plans().size(), 1UZ);
        const auto first = m_window->workspace().path();
        createProject();
        QVERIFY(m_window->workspace().plans().empty());
        drop({first, plan}); // opened, and then imported into it
        QTRY_COMPARE(m_window->workspace().plans().size(), 2UZ);
        QCOMPARE(m_window->workspace().path(), first);
        QVERIFY(m_prompts.errors.empty());
        QMimeData words;
        words.setText(u"not a file"_s);
        QDragEnterEvent enter({40, 40}, Qt::CopyAction, &words, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(!enter.isAccepted());
    }
};

FLEETWRIGHT_TEST(TestWelcome)
#include "tst_welcome.moc"
