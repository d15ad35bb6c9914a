// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/goalseekdialog.h"
#include "planpagetesting.h"
#include "testing/registry.h"
#include "units/parse.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPushButton>
#include <QScopeGuard>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTableWidget>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestGoalSeekDialog : public QObject, private PlanPageFixture {
    Q_OBJECT

    static void typeInto(QDialog &dialog, const QString &name, const QString &text)
    {
        auto *edit = part<QLineEdit>(dialog, name);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
    }
    static QString told(QDialog &dialog) { return part<QLabel>(dialog, u"seekAnswer"_s)->text(); }
    static QPushButton *apply(QDialog &dialog) { return part<QPushButton>(dialog, u"seekApply"_s); }
    GoalSeekDialog *dialog()
    {
        auto *found = m_page->findChild<GoalSeekDialog *>();
        if (!found)
            qFatal("no dialog");
        return found;
    }

private slots:
    void init() { openSample(); }
    void cleanup() { close(); }

    /// The answer follows what is typed; Apply is one undoable edit.
    void findsAndApplies()
    {
        QSignalSpy said(m_page.get(), &PlanPage::statusMessage);
        m_page->seekValue();
        auto *asked = dialog();
        QVERIFY(asked->isVisible());
        QCOMPARE(part<QComboBox>(*asked, u"seekKey"_s)->currentData().toString(), u"fleet.nodes"_s);
        QCOMPARE(part<QComboBox>(*asked, u"seekFigure"_s)->currentData().toString(), u"run_time_s"_s);
        const auto days = m_workspace->result(m_page->currentPlan())->estimate().figure("run_time_s").value() / 86400;
        const auto before = saved();
        // It begins with what the plan has, without a complaint.
        const auto target = part<QLineEdit>(*asked, u"seekTarget"_s)->text();
        const auto begun = units::parseIn(target.toStdString(), units::Dimension::Time, "", "target");
        QVERIFY2(begun && std::abs(*begun / 86400 / days - 1) < 0.01, qPrintable(target));
        QVERIFY(part<QLabel>(*asked, u"seekSentence"_s)->text().isEmpty());
        typeInto(*asked, u"seekTarget"_s, QString::number(days / 2) + u" days"_s);
        QVERIFY(!apply(*asked)->isEnabled()); // belongs to what is asked now, which has no answer yet
        QTRY_VERIFY(apply(*asked)->isEnabled());
        QVERIFY2(told(*asked).startsWith(u"Nodes "_s), qPrintable(told(*asked)));
        auto *table = part<QTableWidget>(*asked, u"seekTable"_s);
        QCOMPARE(table->item(0, 1)->text(), QString::number(before.fleet.nodes));
        const int nodes = table->item(1, 1)->text().toInt();
        QVERIFY2(nodes > before.fleet.nodes, qPrintable(table->item(1, 1)->text()));
        const auto steps = m_workspace->undoStack()->count();
        QTest::mouseClick(apply(*asked), Qt::LeftButton);
        QVERIFY(!asked->isVisible());
        QCOMPARE(m_workspace->undoStack()->count(), steps + 1);
        QVERIFY(saved().fleet.nodes >= nodes); // more where that many miss a limit
        QVERIFY(said.back().front().toString().startsWith(u"Nodes of "_s));
        m_workspace->undo();
        QCOMPARE(saved(), before);
    }

    /// Ctrl+G goes where the cursor is; a limit is the goal.
    void beginsAtTheFocusedField()
    {
        part<QLineEdit>(*m_page, u"globalBatchEditText"_s)->setFocus();
        m_page->seekValue();
        QCOMPARE(part<QComboBox>(*dialog(), u"seekKey"_s)->currentData().toString(), u"training.global_batch"_s);
        dialog()->close();
        enter(*m_page, u"budgetEdit"_s, u"5e6"_s);
        solved();
        part<QLineEdit>(*m_page, u"budgetEditText"_s)->setFocus();
        m_page->seekValue();
        QCOMPARE(part<QComboBox>(*dialog(), u"seekKey"_s)->currentData().toString(), u"fleet.nodes"_s);
        QCOMPARE(part<QComboBox>(*dialog(), u"seekFigure"_s)->currentData().toString(), u"run_cost_usd"_s);
        QVERIFY2(part<QLineEdit>(*dialog(), u"seekTarget"_s)->text().startsWith(u"5"_s),
            qPrintable(part<QLineEdit>(*dialog(), u"seekTarget"_s)->text()));
    }

    /// The field's own menu has the entry, also by the menu key.
    void fieldsOfferIt()
    {
        auto *edit = part<QLineEdit>(*m_page, u"sequenceEditText"_s);
        edit->setFocus();
        QContextMenuEvent event(QContextMenuEvent::Keyboard, edit->rect().center(), edit->mapToGlobal(QPoint(3, 3)));
        QApplication::sendEvent(edit, &event);
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(menu);
        QAction *seekAction = nullptr;
        for (auto *action : menu->actions())
            if (action->objectName() == u"seekAction")
                seekAction = action;
        QVERIFY(seekAction);
        menu->setActiveAction(seekAction);
        QTest::keyClick(menu, Qt::Key_Return);
        QCOMPARE(part<QComboBox>(*dialog(), u"seekKey"_s)->currentData().toString(), u"training.seq_len"_s);
    }

    void saysWhatIsMissingOrWrong()
    {
        m_page->seekValue();
        auto *asked = dialog();
        const auto sentence = [&] { return part<QLabel>(*asked, u"seekSentence"_s)->text(); };
        typeInto(*asked, u"seekTarget"_s, u"3 GB"_s);
        QTRY_VERIFY2(sentence().contains(u"GB"_s), qPrintable(sentence()));
        part<QLineEdit>(*asked, u"seekTarget"_s)->clear(); // nothing is wrong yet
        QTRY_VERIFY2(told(*asked).startsWith(u"Type what Duration"_s), qPrintable(told(*asked)));
        QVERIFY(sentence().isEmpty());
        QVERIFY(part<QTableWidget>(*asked, u"seekTable"_s)->horizontalHeader()->isHidden());
        QVERIFY(!apply(*asked)->isEnabled());
        typeInto(*asked, u"seekTarget"_s, u"30 days"_s);
        typeInto(*asked, u"seekFrom"_s, u"0"_s);
        QTRY_VERIFY2(sentence().contains(u"at least 1"_s), qPrintable(sentence()));
        typeInto(*asked, u"seekFrom"_s, u"8"_s);
        typeInto(*asked, u"seekTo"_s, u"16"_s);
        QTRY_VERIFY2(told(*asked).contains(u"from 8 to 16"_s) || told(*asked).startsWith(u"Nodes "_s),
            qPrintable(told(*asked) + sentence()));
    }

    /// A long search says how far it is, and ends when it is told to.
    void slowSearchesAreStopped()
    {
        QSemaphore goOn;
        GoalSeekDialog asked(
            *m_workspace,
            [&](const Plan &plan) {
                goOn.acquire();
                return solve(plan);
            },
            nullptr);
        // Before the dialog goes: it waits for the solver, which waits for this.
        const auto release = qScopeGuard([&] { goOn.release(100'000); });
        asked.setPlan(thePlan().id, "fleet.nodes");
        asked.show();
        typeInto(asked, u"seekTarget"_s, u"12 days"_s);
        auto *stop = part<QPushButton>(asked, u"seekCancel"_s);
        QVERIFY(!stop->isVisible());
        QTRY_VERIFY(stop->isVisible());
        QTest::mouseClick(stop, Qt::LeftButton);
        QVERIFY(!stop->isVisible());
        QVERIFY(part<QLabel>(asked, u"seekSentence"_s)->text().contains(u"Stopped"_s));
        QVERIFY(!apply(asked)->isEnabled());
        goOn.release(100'000);
        auto *target = part<QLineEdit>(asked, u"seekTarget"_s);
        QTest::keyClick(target, Qt::Key_Return);
        QTRY_VERIFY(!told(asked).isEmpty());
    }

    /// What does not reach the target is not offered as if it did.
    void theClosestIsCalledTheClosest()
    {
        m_page->seekValue();
        auto *asked = dialog();
        typeInto(*asked, u"seekFrom"_s, u"1"_s);
        typeInto(*asked, u"seekTo"_s, u"16"_s);
        typeInto(*asked, u"seekTarget"_s, u"1 s"_s);
        QTRY_VERIFY2(told(*asked).contains(u"does not reach"_s), qPrintable(told(*asked)));
        QVERIFY2(apply(*asked)->text().startsWith(u"&Apply the closest, "_s), qPrintable(apply(*asked)->text()));
        typeInto(*asked, u"seekTarget"_s, u"100000 days"_s);
        QTRY_VERIFY2(apply(*asked)->isEnabled() && !apply(*asked)->text().contains(u"closest"_s),
            qPrintable(apply(*asked)->text()));
    }

    /// A range belongs to the input for which it was typed, however another one is chosen.
    void anotherInputHasARangeOfItsOwn()
    {
        m_page->seekValue();
        auto *asked = dialog();
        typeInto(*asked, u"seekFrom"_s, u"8"_s);
        typeInto(*asked, u"seekTo"_s, u"16"_s);
        auto *keys = part<QComboBox>(*asked, u"seekKey"_s);
        const auto other = keys->itemText(keys->findData(u"training.seq_len"_s));
        keys->lineEdit()->setFocus();
        keys->lineEdit()->setText(other.toUpper());
        QTest::keyClick(keys->lineEdit(), Qt::Key_Return);
        QCOMPARE(keys->currentData().toString(), u"training.seq_len"_s);
        QVERIFY(part<QLineEdit>(*asked, u"seekFrom"_s)->text().isEmpty());
        QVERIFY(part<QLineEdit>(*asked, u"seekTo"_s)->text().isEmpty());
    }

    /// In a window of 1280 by 800 with room to spare, whatever inputs are called.
    void fitsASmallScreen()
    {
        m_page->seekValue();
        QVERIFY2(dialog()->minimumSizeHint().width() <= 900,
            qPrintable(QString::number(dialog()->minimumSizeHint().width())));
        QVERIFY(dialog()->width() <= 900);
    }

    /// A bare number is in the unit that the target had, or the figure has on the page.
    void bareNumbersAreInTheUnitShown()
    {
        enter(*m_page, u"deadlineEdit"_s, u"60"_s);
        solved();
        m_page->seekValue();
        auto *asked = dialog();
        auto *target = part<QLineEdit>(*asked, u"seekTarget"_s);
        QVERIFY2(target->text().endsWith(u"days"_s), qPrintable(target->text()));
        typeInto(*asked, u"seekFrom"_s, u"16"_s);
        typeInto(*asked, u"seekTo"_s, u"48"_s);
        typeInto(*asked, u"seekTarget"_s, u"600"_s);
        QTest::keyClick(target, Qt::Key_Return);
        QCOMPARE(target->text(), u"600 days"_s);
        QTRY_VERIFY(!told(*asked).isEmpty());
        QVERIFY2(!told(*asked).contains(u"does not reach"_s), qPrintable(told(*asked))); // as 600 s would not be
        asked->close();
        enter(*m_page, u"budgetEdit"_s, u"5e6"_s);
        solved();
        part<QLineEdit>(*m_page, u"budgetEditText"_s)->setFocus();
        m_page->seekValue();
        typeInto(*dialog(), u"seekTarget"_s, u"4"_s);
        QTest::keyClick(part<QLineEdit>(*dialog(), u"seekTarget"_s), Qt::Key_Return);
        QCOMPARE(part<QLineEdit>(*dialog(), u"seekTarget"_s)->text(), u"4 MUSD"_s);
    }

    void closesWithItsPlan()
    {
        m_page->seekValue();
        QPointer<GoalSeekDialog> asked = dialog();
        QVERIFY(m_workspace->removePlan(m_page->currentPlan()));
        QTRY_VERIFY(!asked || !asked->isVisible());
    }

    void followsThePlan()
    {
        m_page->seekValue();
        auto *asked = dialog();
        typeInto(*asked, u"seekTarget"_s, u"12 days"_s);
        QTRY_VERIFY(!told(*asked).isEmpty());
        auto changed = saved();
        changed.fleet.nodes = 64;
        QVERIFY(m_workspace->editPlan(m_page->currentPlan(), changed));
        QTRY_COMPARE(part<QTableWidget>(*asked, u"seekTable"_s)->item(0, 1)->text(), u"64"_s);
    }
};

FLEETWRIGHT_TEST(TestGoalSeekDialog)
#include "tst_goalseekdialog.moc"
