// SPDX-License-Identifier: GPL-3.0-or-later
// The layout in the form of the Plan page: best, fixed, fixed in part, and what the best would gain.
#include "planpagetesting.h"
#include "testing/registry.h"

#include "solver/search/bestlayout.h"

#include <QCheckBox>
#include <QPushButton>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestPlanLayout : public QObject, private PlanPageFixture {
    Q_OBJECT
private slots:
    void init() { openSample(); }
    void cleanup() { close(); }
    void bestIsFoundAndShown();
    void partFixedPartFree();
    void fixingWhatWasFound();
    void takingTheBest();
    void whatBindsAndWhatWouldDo();
    void newPlansAreOpen();

private:
    QComboBox *box(const char *name) { return part<QComboBox>(*m_page, QString::fromLatin1(name)); }
    QString found(const char *field) const
    {
        return part<QLineEdit>(*m_page, QString::fromLatin1(field) + u"Text"_s)->placeholderText();
    }
    QString advice() const { return part<QLabel>(*m_page, u"layoutLabel"_s)->text(); }
    void chooseBest()
    {
        choose(box("layoutKindCombo"), true);
        QTRY_VERIFY(saved().bestLayout.has_value());
    }
    layoutsearch::Recommendation expected() const
    {
        return *layoutsearch::resolveWithBestLayout(saved(), *m_workspace->catalog()).value().layout;
    }
};

void TestPlanLayout::bestIsFoundAndShown()
{
    chooseBest();
    QVERIFY(saved().bestLayout == LayoutSearchSpace{});
    const auto layout = expected().row.layout;
    QTRY_COMPARE(found("tpEdit"), u"best: %1"_s.arg(layout.tp));
    QCOMPARE(found("ppEdit"), u"best: %1"_s.arg(layout.pp));
    QCOMPARE(found("microbatchEdit"), u"best: %1"_s.arg(layout.microbatchSize));
    QCOMPARE(part<QLineEdit>(*m_page, u"tpEditText"_s)->text(), QString());
    QCOMPARE(box("zeroCombo")->currentText(), u"best: %1"_s.arg(layout.zeroStage));
    QCOMPARE(part<QCheckBox>(*m_page, u"sequenceParallelCheck"_s)->checkState(), Qt::PartiallyChecked);
    QVERIFY(!part<QPushButton>(*m_page, u"adoptButton"_s)->isVisible());
    QTRY_VERIFY2(advice().contains(u"the next split"_s), qPrintable(advice()));
    QCOMPARE(m_workspace->undoStack()->count(), 1);
    QVERIFY(m_workspace->undoStack()->undoText().contains(u"layout"_s));
    m_workspace->undo();
    QTRY_COMPARE(part<QLineEdit>(*m_page, u"tpEditText"_s)->text(), u"8"_s);
    QCOMPARE(saved().parallelism.tp, 8);
    QCOMPARE(box("zeroCombo")->count(), 4);
}

void TestPlanLayout::partFixedPartFree()
{
    chooseBest();
    enter(*m_page, u"tpEdit"_s, u"2"_s);
    QTRY_COMPARE((*saved().bestLayout)[LayoutSearchOption::Tp], std::vector{2});
    choose(box("recomputeCombo"), int(Recompute::Full));
    QTRY_COMPARE((*saved().bestLayout)[LayoutSearchOption::Recompute], std::vector{int(Recompute::Full)});
    const auto layout = expected().row.layout;
    QCOMPARE(layout.tp, 2);
    QTRY_COMPARE(found("ppEdit"), u"best: %1"_s.arg(layout.pp));
    auto *check = part<QCheckBox>(*m_page, u"sequenceParallelCheck"_s);
    QTest::keyClick(check, Qt::Key_Space);
    QTRY_COMPARE((*saved().bestLayout)[LayoutSearchOption::SequenceParallel], std::vector{1});
    enter(*m_page, u"tpEdit"_s, {}); // free again
    QTRY_VERIFY((*saved().bestLayout)[LayoutSearchOption::Tp].empty());
    enter(*m_page, u"tpEdit"_s, u"3"_s); // divides neither heads nor nodes
    QTRY_VERIFY(!part<QLabel>(*m_page, u"parallelismSentence"_s)->text().isEmpty());
    QVERIFY((*saved().bestLayout)[LayoutSearchOption::Tp].empty());
}

void TestPlanLayout::fixingWhatWasFound()
{
    chooseBest();
    const auto layout = expected().row.layout;
    QTRY_COMPARE(found("tpEdit"), u"best: %1"_s.arg(layout.tp));
    choose(box("layoutKindCombo"), false);
    QTRY_VERIFY(!saved().bestLayout);
    QVERIFY(saved().parallelism == parallelismOf(layout));
    QCOMPARE(saved().training.microbatchSize, std::optional(layout.microbatchSize));
    QCOMPARE(part<QLineEdit>(*m_page, u"tpEditText"_s)->text(), QString::number(layout.tp));
    QCOMPARE(found("tpEdit"), QString());
}

void TestPlanLayout::takingTheBest()
{
    QTRY_VERIFY2(advice().startsWith(u"Best layout: "_s), qPrintable(advice()));
    const auto open = withBestLayout(saved());
    const auto layout = layoutsearch::resolveWithBestLayout(open, *m_workspace->catalog()).value().layout->row.layout;
    QVERIFY(advice().contains(QString::fromStdString(inWords(layout))) && advice().contains(u"less time"_s));
    auto *button = part<QPushButton>(*m_page, u"adoptButton"_s);
    QVERIFY(button->isEnabled());
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY(saved().parallelism == parallelismOf(layout));
    QTRY_VERIFY2(advice().startsWith(u"No layout is faster"_s), qPrintable(advice()));
    QVERIFY(!button->isEnabled());
    QCOMPARE(m_workspace->undoStack()->count(), 1);
    m_workspace->undo();
    QTRY_COMPARE(part<QLineEdit>(*m_page, u"tpEditText"_s)->text(), u"8"_s);
    QTRY_VERIFY(button->isEnabled());
}

void TestPlanLayout::whatBindsAndWhatWouldDo()
{
    chooseBest();
    enter(*m_page, u"deadlineEdit"_s, u"300 d"_s);
    QTRY_COMPARE(part<QLabel>(*m_page, u"feasibleAnswer"_s)->text(), u"no"_s);
    QTRY_VERIFY2(advice().contains(u" nodes, or a deadline of "_s), qPrintable(advice()));
}

void TestPlanLayout::newPlansAreOpen()
{
    m_page->newPlan();
    QVERIFY(saved().bestLayout == LayoutSearchSpace{});
    QTRY_COMPARE(part<QLabel>(*m_page, u"feasibleAnswer"_s)->text(), u"yes"_s);
}

FLEETWRIGHT_TEST(TestPlanLayout)
#include "tst_planlayout.moc"
