// SPDX-License-Identifier: GPL-3.0-or-later
// What Decide shows at once and what gives way: the line of limits, the cards, the form, empty charts.
#include "app/pages/decide/decidecard.h"
#include "app/pages/decide/decidepage.h"
#include "itemmodels/sizemodel.h"
#include "testing/registry.h"

#include "decidepagetesting.h"
#include "pagetesting.h"

#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestDecideRoom : public QObject, private PageFixture<DecidePage> {
    Q_OBJECT
private slots:
    void cleanup() { close(); }
    void openFormLeavesTheAnswerReadable();
    void limitsAreSeenAtOnce();
    void capitalBeyondTheBudgetIsOnTheCard();
    void moneyOfNothingHasNoChart();

private:
    void open(const Sizer &sizer = {})
    {
        makeWorkspace();
        QVERIFY(m_workspace->createProject(m_folder->filePath(u"empty.fleetwright"_s)).has_value());
        QVERIFY(m_workspace->addDecision(sizesample::question()).has_value());
        showPage({1060, 700}, sizer.function());
    }
    const DecisionDocument &saved() const { return m_workspace->decision(m_page->currentDecision())->document; }
    void waitForAnswer()
    {
        QTRY_VERIFY(!part<QTableView>(*m_page, u"fleetsTable"_s)->model()->rowCount() == false);
        QTRY_VERIFY(m_workspace->decisionResult(m_page->currentDecision()).has_value());
        QTRY_VERIFY(!part<QWidget>(*m_page, u"progressBar"_s)->isVisible());
    }
};

/// Beside the open form the candidates stay readable at 1280 by 800; what was approved closes it, and is seen whole.
void TestDecideRoom::openFormLeavesTheAnswerReadable()
{
    open();
    m_page->resize(1096, 690);
    waitForAnswer();
    auto *change = part<QToolButton>(*m_page, u"changeButton"_s);
    auto *table = part<QTableView>(*m_page, u"fleetsTable"_s);
    QTest::mouseClick(change, Qt::LeftButton);
    QCoreApplication::processEvents();
    QVERIFY2(table->viewport()->height() >= 4 * table->rowHeight(0),
        qPrintable(u"%1 of rows of %2"_s.arg(table->viewport()->height()).arg(table->rowHeight(0))));
    const auto *form = part<QWidget>(*m_page, u"form"_s);
    QVERIFY(form->visibleRegion().boundingRect().height() >= form->sizeHint().height());
    QVERIFY(!part<QWidget>(*m_page, u"winnerCard"_s)->isVisible()); // gives way
    auto *answer = part<QTabWidget>(*m_page, u"answer"_s);
    answer->setCurrentIndex(answer->count() - 1);
    QVERIFY(!change->isChecked() && part<QWidget>(*m_page, u"winnerCard"_s)->isVisible());
    QTest::mouseClick(change, Qt::LeftButton);
    QCOMPARE(answer->currentIndex(), 0);
    m_page->resize(1096, 1000);
    QTRY_VERIFY(part<QWidget>(*m_page, u"winnerCard"_s)->isVisible()); // there is room for all
}

/// Time, money and power are changed without opening the form; the fields are those of the form.
void TestDecideRoom::limitsAreSeenAtOnce()
{
    open();
    waitForAnswer();
    QVERIFY(!part<QToolButton>(*m_page, u"changeButton"_s)->isChecked());
    for (const auto &field : {u"deadlineEdit"_s, u"capitalEdit"_s, u"runCostEdit"_s, u"powerEdit"_s})
        QVERIFY2(part<QWidget>(*m_page, field)->isVisible(), qPrintable(field));
    QVERIFY(!part<QWidget>(*m_page, u"carbonEdit"_s)->isVisible());
    enter(*m_page, u"powerEdit"_s, u"12"_s);
    QCOMPARE(saved().limits.plan.facilityPower->value(), 12e6);
    type(*m_page, u"capitalEdit"_s, u"much"_s);
    QVERIFY(m_page->isStale() && part<QLabel>(*m_page, u"formSentence"_s)->text().contains(u"much"_s));
    enter(*m_page, u"capitalEdit"_s, u"300"_s);
    const auto rowOf = [this](const QString &field) {
        return part<QWidget>(*m_page, field)->mapTo(m_page.get(), QPoint()).y();
    };
    QCOMPARE(rowOf(u"capitalEdit"_s), rowOf(u"powerEdit"_s)); // a line
    const auto lineIsLow = [this] {
        return part<QWidget>(*m_page, u"formArea"_s)->height() < 2 * part<QWidget>(*m_page, u"powerEdit"_s)->height();
    };
    QTRY_VERIFY(lineIsLow());
    for (int i = 0; i < 2; ++i) {
        QTest::mouseClick(part<QToolButton>(*m_page, u"changeButton"_s), Qt::LeftButton);
        QCoreApplication::processEvents();
        QVERIFY(rowOf(u"deadlineEdit"_s) < rowOf(u"capitalEdit"_s) && rowOf(u"capitalEdit"_s) < rowOf(u"runCostEdit"_s)
            && rowOf(u"runCostEdit"_s) < rowOf(u"yearlyCostEdit"_s)
            && rowOf(u"yearlyCostEdit"_s) < rowOf(u"powerEdit"_s) && rowOf(u"powerEdit"_s) < rowOf(u"carbonEdit"_s));
        QTest::mouseClick(part<QToolButton>(*m_page, u"changeButton"_s), Qt::LeftButton);
        QTRY_VERIFY(lineIsLow());
    }
}

void TestDecideRoom::capitalBeyondTheBudgetIsOnTheCard()
{
    open();
    waitForAnswer();
    enter(*m_page, u"runCostEdit"_s, u"25"_s);
    QTRY_VERIFY(part<DecideCard>(*m_page, u"winnerCard"_s)->text().contains(u"times the 25"_s));
}

void TestDecideRoom::moneyOfNothingHasNoChart()
{
    Sizer sizer;
    sizer.answer = sizesample::infeasible();
    open(sizer);
    waitForAnswer();
    auto *answer = part<QTabWidget>(*m_page, u"answer"_s);
    answer->setCurrentIndex(2);
    QVERIFY(!part<QWidget>(*m_page, u"moneyChart"_s)->isVisible());
    const auto said = part<QLabel>(*m_page, u"moneyWords"_s)->text();
    QVERIFY2(said.contains(u"No fleet keeps all limits"_s) && said.contains(u"Nothing meets"_s), qPrintable(said));
}

FLEETWRIGHT_TEST(TestDecideRoom)
#include "tst_decideroom.moc"
