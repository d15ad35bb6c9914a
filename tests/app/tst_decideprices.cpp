// SPDX-License-Identifier: GPL-3.0-or-later
// What if a price were another, which prices rest on little, and the points of the front.
#include "app/pages/decide/decidecard.h"
#include "app/pages/decide/decidepage.h"
#include "charts/chartview.h"
#include "domain/catalog.h"
#include "itemmodels/sizemodel.h"
#include "solver/size/pricesource.h"
#include "testing/registry.h"

#include "decidepagetesting.h"

#include <QAction>
#include <QChart>
#include <QCheckBox>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestDecidePrices : public QObject, private DecideFixture {
    Q_OBJECT
private slots:
    void cleanup() { close(); }
    void anotherPriceIsAskedAboutAndNotSaved();
    void noPriceLetsInWhatIsLate();
    void aWeakPriceIsSaidAndLedTo();
    void aPointOfTheFrontChoosesItsRow();
    void moneyBeginsWithTheJobs();

private:
    [[nodiscard]] QString said(const QString &label) { return part<QLabel>(*m_page, label)->text(); }
    void chooseRow(int row)
    {
        auto *table = part<QTableView>(*m_page, u"fleetsTable"_s);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
            table->visualRect(table->model()->index(row, itemmodels::SizedModel::Days)).center());
        QCOMPARE(table->currentIndex().row(), row);
    }
    void askAboutIts(int row)
    {
        part<QTabWidget>(*m_page, u"answer"_s)->setCurrentIndex(0);
        chooseRow(row);
        part<QAction>(*m_page, u"whatIfAction"_s)->trigger();
        QCOMPARE(part<QTabWidget>(*m_page, u"answer"_s)->currentWidget(), part<QWidget>(*m_page, u"pricesTab"_s));
    }
};

void TestDecidePrices::anotherPriceIsAskedAboutAndNotSaved()
{
    open();
    waitForAnswer();
    const auto before = saved();
    const auto steps = m_workspace->undoStack()->count();
    const auto catalog = m_workspace->catalog();
    QTRY_VERIFY(part<QComboBox>(*m_page, u"whatIfPriceCombo"_s)->count() > 2);
    askAboutIts(1);
    auto *price = part<QComboBox>(*m_page, u"whatIfPriceCombo"_s);
    auto *change = part<QSpinBox>(*m_page, u"whatIfChangeSpin"_s);
    QCOMPARE(price->currentText(), u"DGX H200, owned"_s);
    QVERIFY(change->hasFocus());
    QVERIFY2(said(u"whatIfTurns"_s).contains(u"DGX H200, owned is the best"_s), qPrintable(said(u"whatIfTurns"_s)));
    // 10.6 MUSD against 9.9: a fifth less is enough, a fifth more changes nothing.
    press(u"whatIfLowerButton"_s);
    QVERIFY2(said(u"whatIfVerdict"_s).contains(u"H200, owned is the best, in place of 512 × DGX B200"_s),
        qPrintable(said(u"whatIfVerdict"_s)));
    press(u"whatIfHigherButton"_s);
    QVERIFY2(said(u"whatIfVerdict"_s).contains(u"512 × DGX B200, owned stays the best"_s),
        qPrintable(said(u"whatIfVerdict"_s)));
    // Typed, of the winner's own price: so much dearer that the other wins, and its figures stand beside the present
    // ones.
    price->setCurrentIndex(0);
    QCOMPARE(price->currentText(), u"DGX B200, owned"_s);
    change->setFocus();
    change->selectAll();
    QTest::keyClicks(change, u"50"_s);
    QTest::keyClick(change, Qt::Key_Return);
    QCOMPARE(change->text(), u"+50 %"_s);
    QVERIFY2(said(u"whatIfVerdict"_s).contains(u"768 × DGX H200, owned is the best"_s),
        qPrintable(said(u"whatIfVerdict"_s)));
    QStringList shown;
    for (const auto *label : part<QWidget>(*m_page, u"prices"_s)->findChildren<QLabel *>())
        shown << label->text().replace(u'\u00a0', u' ');
    for (const auto &figure : {u"9.90 MUSD"_s, u"10.6 MUSD"_s, u"26.1 days"_s, u"29.0 days"_s})
        QVERIFY2(shown.contains(figure), qPrintable(shown.join(u'|')));
    QVERIFY(saved() == before);
    QCOMPARE(m_workspace->undoStack()->count(), steps);
    QCOMPARE(m_workspace->catalog(), catalog);
}

void TestDecidePrices::noPriceLetsInWhatIsLate()
{
    open();
    waitForAnswer();
    QTRY_VERIFY(part<QComboBox>(*m_page, u"whatIfPriceCombo"_s)->count() > 2);
    QSignalSpy told(m_page.get(), &Page::statusMessage);
    askAboutIts(2);
    QVERIFY(!told.isEmpty() && told.last().first().toString().contains(u"not of money"_s));
}

void TestDecidePrices::aWeakPriceIsSaidAndLedTo()
{
    open();
    waitForAnswer();
    const auto catalog = m_workspace->catalog();
    const auto result = sizesample::feasible();
    const auto weak = size::weakPrice(*catalog, result, *result.best());
    QVERIFY(weak.has_value() && !weak->ids.empty());
    for (const auto &id : weak->ids) {
        const auto *price = catalog->find(CatalogKind::Price, id);
        QVERIFY(price);
        const auto *from = price->attribution("typical") ? price->attribution("typical") : price->attribution("low");
        QVERIFY(from && (from->confidence == Confidence::Estimate || from->verification != Verification::Read));
    }
    auto *card = part<DecideCard>(*m_page, u"winnerCard"_s);
    QTRY_VERIFY(card->text().contains(u"rests on little"_s));
    QVERIFY(!card->text().contains(u"<a"_s));
    QSignalSpy asked(m_page.get(), &DecidePage::pricesRequested);
    auto *link = card->findChild<QLabel *>(u"cardWarning"_s);
    QTest::mouseClick(part<QToolButton>(*m_page, u"detailsButton"_s), Qt::LeftButton);
    QVERIFY(link->text().contains(u"Show in Prices"_s));
    link->setFocus(Qt::TabFocusReason);
    QTest::keyClick(link, Qt::Key_Tab);
    QTest::keyClick(link, Qt::Key_Return);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().first().toStringList().size(), qsizetype(weak->ids.size()));
    QTRY_VERIFY(part<QPushButton>(*m_page, u"approveButton"_s)->isEnabled());
    press(u"approveButton"_s);
    QVERIFY2(m_prompts->approved.risks.join(u'\n').contains(u"rests on little"_s),
        qPrintable(m_prompts->approved.risks.join(u'\n')));
}

/// Not aimed at: some pixels beside it. A fleet that the table leaves out is let in.
void TestDecidePrices::aPointOfTheFrontChoosesItsRow()
{
    Sizer sizer;
    auto other = sizesample::answer(1, 512, 29.5, 11.3e6, 9.9e6); // a second of H200, which another one beats
    sizer.answer->lots.push_back(sizesample::lot("nvidia_dgx_h200", "DGX H200", "Ethernet 400G"));
    other.lot = sizer.answer->lots.size() - 1;
    sizer.answer->answers.insert(sizer.answer->answers.begin() + 2, {other, {}});
    open(sizer);
    waitForAnswer();
    auto *table = part<QTableView>(*m_page, u"fleetsTable"_s);
    const auto rows = table->model()->rowCount();
    part<QTabWidget>(*m_page, u"answer"_s)->setCurrentWidget(part<QWidget>(*m_page, u"frontTab"_s));
    auto *view = part<charts::ChartView>(*m_page, u"frontChart"_s);
    QTest::qWait(50);
    QSignalSpy told(m_page.get(), &Page::statusMessage);
    const auto at = view->chart()->mapToPosition({29.5, 11.3}, view->chart()->series().constFirst()) + QPointF(5, 8);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->mapFromScene(view->chart()->mapToScene(at)));
    QTRY_COMPARE(table->model()->rowCount(), rows + 1);
    QVERIFY(part<QCheckBox>(*m_page, u"allBox"_s)->isChecked());
    QTRY_COMPARE(table->currentIndex().data(itemmodels::idRole).toInt(), 2);
    QVERIFY(told.last().first().toString().contains(u"512 × DGX H200"_s));
}

/// What the question is about comes first: the lines below are of years.
void TestDecidePrices::moneyBeginsWithTheJobs()
{
    Sizer sizer;
    sizer.answer->lots[0].paying = {Paying::Rent, RentTerm::OnDemand};
    open(sizer);
    waitForAnswer();
    part<QTabWidget>(*m_page, u"answer"_s)->setCurrentWidget(part<QWidget>(*m_page, u"moneyTab"_s));
    const auto words = said(u"moneyWords"_s).replace(u'\u00a0', u' ');
    QVERIFY2(words.startsWith(u"These jobs take 26.1 days and cost 9.90 MUSD: the fleet is rented for them alone."_s),
        qPrintable(words));
    QVERIFY2(words.contains(u"when it is had for 5 years"_s), qPrintable(words));
}

FLEETWRIGHT_TEST(TestDecidePrices)
#include "tst_decideprices.moc"
