// SPDX-License-Identifier: GPL-3.0-or-later
// What Decide shows at once and what gives way: the line of limits, the cards, the form, empty charts.
#include "app/pages/decide/decidecard.h"
#include "app/pages/decide/decidepage.h"
#include "app/widgets/veil.h"
#include "charts/chartdecoration.h"
#include "charts/chartview.h"
#include "itemmodels/sizemodel.h"
#include "testing/registry.h"

#include "decidepagetesting.h"

#include <QGraphicsEffect>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestDecideRoom : public QObject, private DecideFixture {
    Q_OBJECT
private slots:
    void cleanup() { close(); }
    void openFormLeavesTheAnswerReadable();
    void limitsAreSeenAtOnce();
    void capitalBeyondTheBudgetIsOnTheCard();
    void moneyOfNothingHasNoChart();
    void moneyDrawsTheRentThatTheWordsSpeakOf();
    void detailsLieBelowTheLegend();
    void cardsSayWhatMoneyHolds();
    void whatBindsIsReadWholeInAWideWindow();
    void keptOutLimitsTakeALineEach();
    void theTabsStayWhereTheyAre();
    void refusedEntryMovesNothing();
    void refusedEntryOfTheFoldedFormMovesNothing();
    void theAnswerIsReadWhole();
    void detailsAreReadWhole();
    void detailsEndAtAWholeLine();
    void whatTheCapitalLeavesOutIsSaid();
};

void TestDecideRoom::refusedEntryMovesNothing()
{
    open();
    m_page->resize(1096, 750);
    waitForAnswer();
    QTRY_VERIFY(part<QPushButton>(*m_page, u"approveButton"_s)->isEnabled());
    auto *change = part<QToolButton>(*m_page, u"changeButton"_s);
    QTest::mouseClick(change, Qt::LeftButton);
    QCoreApplication::processEvents();
    const auto placeOf = [this](const QString &name) {
        auto *widget = part<QWidget>(*m_page, name);
        return QRect(widget->mapTo(m_page.get(), QPoint()), widget->size());
    };
    const auto textOf = [](const QRect &place) {
        return u"%1, %2, %3, %4"_s.arg(place.x()).arg(place.y()).arg(place.width()).arg(place.height());
    };
    const QStringList fields{u"tokensEdit"_s, u"precisionCombo"_s, u"modelCombo"_s, u"winnerCard"_s, u"answer"_s};
    std::vector<QRect> before;
    for (const auto &field : fields)
        before.push_back(placeOf(field));
    auto *workload = part<QLineEdit>(*m_page, u"workloadPickerText"_s);
    workload->setFocus();
    workload->selectAll();
    QTest::keyClicks(workload, u"no such workload"_s);
    QTest::keyClick(workload, Qt::Key_Return);
    QCoreApplication::processEvents();
    for (qsizetype i = 0; i < fields.size(); ++i)
        QVERIFY2(placeOf(fields[i]) == before[std::size_t(i)],
            qPrintable(u"%1: %2 to %3"_s.arg(fields[i], textOf(before[std::size_t(i)]), textOf(placeOf(fields[i])))));
    const auto *said = part<QLabel>(*m_page, u"formSentence"_s);
    QVERIFY(said->isVisible() && said->text().contains(u"no such workload"_s));
    QVERIFY(said->width() > 400); // a line, not a column
    QVERIFY(m_page->isStale());
    QVERIFY(part<QWidget>(*m_page, u"winnerCard"_s)->graphicsEffect());
    const auto *veil = part<QWidget>(*m_page, u"answer"_s)->findChild<Veil *>();
    QVERIFY(veil && veil->isVisible());
    QVERIFY(part<QWidget>(*m_page, u"winnerCard"_s)
                ->findChild<QLabel *>(u"cardTitle"_s)
                ->text()
                .contains(u"belongs to the question before"_s));
    const auto *approve = part<QPushButton>(*m_page, u"approveButton"_s);
    QVERIFY(!approve->isEnabled() && approve->toolTip().contains(u"no such workload"_s));
    QTest::mouseClick(change, Qt::LeftButton); // folded, it still shows
    QVERIFY(part<QLabel>(*m_page, u"refusalMark"_s)->isVisible());
    QVERIFY(said->isVisible() && part<QLabel>(*m_page, u"questionLabel"_s)->text().contains(u"30 days"_s));
    QTest::mouseClick(change, Qt::LeftButton);
    QTest::keyClick(workload, Qt::Key_Escape);
    QVERIFY(!m_page->isStale() && !part<QLabel>(*m_page, u"refusalMark"_s)->isVisible());
    QVERIFY(!part<QWidget>(*m_page, u"winnerCard"_s)->graphicsEffect() && !veil->isVisible());
    QVERIFY(approve->isEnabled() && !approve->toolTip().contains(u"no such"_s));
}

void TestDecideRoom::refusedEntryOfTheFoldedFormMovesNothing()
{
    open();
    m_page->resize(1096, 750);
    waitForAnswer();
    const QStringList parts{u"deadlineEdit"_s, u"changeButton"_s, u"winnerCard"_s, u"answer"_s};
    const auto places = [&] {
        QCoreApplication::processEvents();
        QStringList all;
        for (const auto &name : parts) {
            auto *widget = part<QWidget>(*m_page, name);
            const auto at = widget->mapTo(m_page.get(), QPoint());
            all << u"%1 %2, %3, %4"_s.arg(name).arg(at.x()).arg(at.y()).arg(widget->height());
        }
        return all;
    };
    const auto before = places();
    QVERIFY(part<QWidget>(*m_page, u"deadlineEdit"_s)->isVisible()
        && !part<QToolButton>(*m_page, u"changeButton"_s)->isChecked());
    enter(*m_page, u"deadlineEdit"_s, u"4 fortnights"_s);
    const auto *said = part<QLabel>(*m_page, u"formSentence"_s);
    QVERIFY(said->isVisible() && said->text().contains(u"fortnights"_s));
    QCOMPARE(places(), before);
    enter(*m_page, u"deadlineEdit"_s, u"4 weeks"_s);
    QVERIFY(!said->isVisible() && part<QLabel>(*m_page, u"questionLabel"_s)->text().contains(u"28 days"_s));
    QCOMPARE(places(), before);
}

/// What electricity is of the run cost, and what ranges of money do not hold, in the tool tips of the figures.
void TestDecideRoom::cardsSayWhatMoneyHolds()
{
    auto result = sizesample::feasible();
    size::HowSure sure;
    sure.money = costs::MoneyEvidence{.purchases = {{9, 0.377, 0.178}}, .rentals = {{1, 0.895, {}}}};
    auto &answer = result.answers.front().answer;
    answer.figures.electricityUsd = 471e3;
    DecideCard card;
    const auto tips = [&] {
        card.showFleet(sizesample::question(), result, answer, nullptr);
        card.explainMoney(result, answer, &sure);
        QStringList all;
        for (const auto *label : card.findChildren<QLabel *>())
            all << label->toolTip();
        return all.join(u'\n');
    };
    QVERIFY2(tips().contains(u"electricity, with cooling: 471\u00a0kUSD"_s), qPrintable(tips()));
    QCOMPARE(tips().count(u"9 published purchases were missed by a median of 17.8"_s), 2); // run cost and capital
    QVERIFY2(card.text().contains(u"lectricity of the run 471\u00a0kUSD"_s), qPrintable(card.text())); // without a tip
    result.lots[answer.lot].paying = {Paying::Rent, RentTerm::OnDemand};
    answer.figures.electricityUsd = size::unknownFigure;
    QVERIFY2(tips().contains(u"in the price of the rent"_s) && !tips().contains(u"purchases"_s), qPrintable(tips()));
    QCOMPARE(tips().count(u"1 published rental contract was missed by 89.5"_s), 2);
}

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

/// The rent that is drawn is the one of the words, at its term; that of the same nodes has a name of its own.
void TestDecideRoom::moneyDrawsTheRentThatTheWordsSpeakOf()
{
    Sizer sizer;
    auto lot = sizesample::lot("amd_mi300x_8gpu", "MI300X servers", "InfiniBand NDR");
    lot.fleet.fabric = std::string("ib_ndr");
    lot.paying = {Paying::Rent, RentTerm::Reserved3y};
    lot.fleet.costs.paying = Paying::Rent;
    lot.fleet.costs.rentTerm = RentTerm::Reserved3y;
    auto rented = sizesample::answer(sizer.answer->lots.size(), 400, 28.8, 10.9e6, 9.9e6);
    rented.figures.capitalUsd = 0;
    rented.figures.yearlyUsd = 60e6;
    sizer.answer->lots.push_back(lot);
    sizer.answer->answers.insert(sizer.answer->answers.begin() + 2, size::LotAnswer{rented, {}});
    open(sizer);
    waitForAnswer();
    QTRY_VERIFY(part<QPushButton>(*m_page, u"approveButton"_s)->isEnabled());
    part<QTabWidget>(*m_page, u"answer"_s)->setCurrentIndex(2);
    const auto said = part<QLabel>(*m_page, u"moneyWords"_s)->text();
    QVERIFY2(
        said.contains(u"renting 400 × MI300X servers"_s) && said.contains(u"the cheapest rent"_s), qPrintable(said));
    const auto *view = part<charts::ChartView>(*m_page, u"moneyChart"_s);
    QStringList lines;
    for (auto *child : view->chart()->childItems())
        if (const auto *legend = dynamic_cast<charts::ChartLegend *>(child))
            lines = legend->entries();
    QVERIFY2(lines.contains(u"cheapest rent that keeps the limits, reserved for 3 years: 400 × MI300X servers"_s),
        qPrintable(lines.join(u'\n')));
    QVERIFY2(lines.contains(u"renting the same nodes, on demand: 512 × DGX B200"_s), qPrintable(lines.join(u'\n')));
}

/// However much is said below it, the chart keeps the room that its legend needs.
void TestDecideRoom::detailsLieBelowTheLegend()
{
    open();
    waitForAnswer();
    QTRY_VERIFY(part<QPushButton>(*m_page, u"approveButton"_s)->isEnabled());
    m_page->resize(1056, 600);
    part<QTabWidget>(*m_page, u"answer"_s)->setCurrentIndex(2);
    auto *details = part<QLabel>(*m_page, u"moneyDetails"_s);
    details->setText(QStringList(40,
        u"One of many sentences that take more than a line when they stand beside a bar, "
        "which takes some of the width that they were laid out for at first."_s)
                         .join(u'\n'));
    part<QAbstractButton>(*m_page, u"moneyHeader"_s)->setChecked(true);
    const auto *chart = part<QWidget>(*m_page, u"moneyChart"_s), *header = part<QWidget>(*m_page, u"moneyHeader"_s);
    QTRY_VERIFY(details->isVisible() && details->height() >= details->heightForWidth(details->width()));
    QVERIFY2(chart->height() >= chart->minimumHeight() && header->y() > chart->geometry().bottom(),
        qPrintable(
            u"%1 of %2, heading at %3"_s.arg(chart->geometry().bottom()).arg(chart->minimumHeight()).arg(header->y())));
}

/// More columns are let in only where what binds keeps the room for its words.
void TestDecideRoom::whatBindsIsReadWholeInAWideWindow()
{
    open();
    waitForAnswer();
    auto *table = part<QTableView>(*m_page, u"fleetsTable"_s);
    for (const int width : {1704, 2400}) {
        m_page->resize(width, 900);
        QTest::qWait(50);
        const auto words = static_cast<QAbstractItemView *>(table)->sizeHintForColumn(itemmodels::SizedModel::Binds);
        QVERIFY2(table->columnWidth(itemmodels::SizedModel::Binds) >= words,
            qPrintable(u"%1: %2 of %3"_s.arg(width).arg(table->columnWidth(itemmodels::SizedModel::Binds)).arg(words)));
        QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
    }
    QVERIFY(!table->isColumnHidden(itemmodels::SizedModel::Yearly)); // there is room for it
}

/// In a window of 1280 by 800 what limits keep out crowds out neither the next fleet nor the table.
void TestDecideRoom::keptOutLimitsTakeALineEach()
{
    Sizer sizer;
    sizer.answer->keptOut = {{.limit = size::SizeLimit::Deadline,
                                 .allowed = 30,
                                 .nearest = size::LetIn{36.4, sizesample::answer(1, 512, 36.4, 9.1e6, 8.2e6)},
                                 .best = std::nullopt},
        {.limit = size::SizeLimit::Power,
            .allowed = 10e6,
            .nearest = size::LetIn{11.23e6, sizesample::answer(2, 704, 24.0, 7.92e6, 11.23e6)},
            .best = std::nullopt}};
    open(sizer);
    m_page->resize(1096, 690);
    waitForAnswer();
    QTest::mouseClick(part<QToolButton>(*m_page, u"detailsButton"_s), Qt::LeftButton);
    enter(*m_page, u"runCostEdit"_s, u"25"_s); // which needs a warning
    const auto *label = part<QLabel>(*m_page, u"stateLabel"_s);
    QTRY_VERIFY(label->text().contains(u"times the 25"_s));
    const auto lines = label->text().split(u'\n');
    QVERIFY2(lines.front().contains(u"Next among other nodes is 768"_s), qPrintable(label->text()));
    const auto kept = lines.filter(u" instead of "_s);
    QCOMPARE(kept.size(), 2);
    for (const auto &line : kept)
        QVERIFY2(label->fontMetrics().horizontalAdvance(line) <= label->width(), qPrintable(line));
    QVERIFY(kept.last().endsWith(u"704 \u00d7 DGX H100, owned, 20.0\u00a0% less cost of the run."_s));
    QTRY_VERIFY(label->height() >= label->heightForWidth(label->width())); // nothing is cut off
    QVERIFY2(label->height() <= 7 * label->fontMetrics().lineSpacing(), // with all that the short form counts
        qPrintable(QString::number(label->height())));
    const auto *table = part<QTableView>(*m_page, u"fleetsTable"_s);
    QVERIFY(table->viewport()->height() >= 4 * table->rowHeight(0));
    // The whole sentences are in the tool tip and in what binds.
    const auto whole = u"20.0\u00a0% less, with 24.0 days"_s;
    QVERIFY2(label->toolTip().contains(whole), qPrintable(label->toolTip()));
    QVERIFY(part<QLabel>(*m_page, u"bindingDetails"_s)->text().contains(whole));
}

/// Neither an answer that comes nor warnings beside it move the tabs: a click that was aimed at one falls on it. They
/// have more than half of a page in a window of 1280 by 800.
void TestDecideRoom::theTabsStayWhereTheyAre()
{
    Sizer sizer;
    sizer.let = std::make_shared<QSemaphore>(0);
    open(sizer);
    m_page->resize(1096, 690);
    QTRY_VERIFY(*sizer.asked > 0);
    auto *tabs = part<QTabWidget>(*m_page, u"answer"_s);
    const auto place = [&] { return QRect(tabs->mapTo(m_page.get(), QPoint()), tabs->size()); };
    const auto before = place();
    QVERIFY2(
        2 * before.height() > m_page->height(), qPrintable(u"%1 of %2"_s.arg(before.height()).arg(m_page->height())));
    const auto aim = tabs->tabBar()->tabRect(4).center();
    sizer.let->release(100);
    waitForAnswer();
    QCOMPARE(place(), before);
    QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, aim);
    QCOMPARE(tabs->currentIndex(), 4);
    enter(*m_page, u"runCostEdit"_s, u"25"_s); // which needs a warning
    auto *card = part<DecideCard>(*m_page, u"winnerCard"_s);
    QTRY_VERIFY(card->text().contains(u"times the 25"_s));
    QCOMPARE(place(), before);
    const auto *brief = part<QLabel>(*card, u"cardBrief"_s);
    QVERIFY(brief->isVisible() && brief->text().contains(u"times the 25"_s));
    for (const auto *label : card->findChildren<QLabel *>()) // none is cut off below
        if (label->isVisible())
            QVERIFY2(
                card->rect().contains(QRect(label->mapTo(card, QPoint()), label->size())), qPrintable(label->text()));
    // With all details they stand lower, and stay there.
    auto *details = part<QToolButton>(*m_page, u"detailsButton"_s);
    QTest::mouseClick(details, Qt::LeftButton);
    QTRY_VERIFY(place().y() > before.y());
    const auto open = place();
    enter(*m_page, u"runCostEdit"_s, {}); // without the warning
    QTRY_VERIFY(!card->text().contains(u"times the 25"_s));
    waitForAnswer();
    QCOMPARE(place(), open);
    QTest::mouseClick(details, Qt::LeftButton);
    QTRY_COMPARE(place(), before);
    // Where there is room they are open by themselves, unless somebody has chosen.
    m_page->resize(1700, 960);
    QVERIFY(!details->isChecked());
}

/// In a window of 1280 by 800 the answer and what warns of it take the lines that they need; what has no room is
/// counted and never cut off in its midst. With runs that decide, that is among what is read.
void TestDecideRoom::theAnswerIsReadWhole()
{
    Sizer sizer;
    auto formula = sizesample::answer(1, 448, 27.1, 8.9e6, 9e6);
    formula.byFormula = formula.figures;
    formula.figures.days = 36.2;
    formula.misses = {{.limit = size::SizeLimit::Deadline, .needed = 36.2, .allowed = 30}};
    sizer.answer->byFormula = size::FormulaChoice{.best = formula, .runs = 1};
    open(sizer);
    m_page->resize(1096, 690);
    waitForAnswer();
    const auto *brief = part<QLabel>(*m_page, u"briefLabel"_s);
    QTRY_VERIFY2(brief->text().contains(u"By the formula alone 448"_s), qPrintable(brief->text()));
    QVERIFY(brief->text().startsWith(u"The least cost of the run"_s));
    const auto isWhole = [](const QLabel *label) {
        return !label->text().contains(u'\u2026') && label->height() >= label->heightForWidth(label->width());
    };
    QVERIFY2(isWhole(brief), qPrintable(brief->text()));
    QVERIFY2(brief->text().contains(u"No lead time"_s) && brief->toolTip().isEmpty(), qPrintable(brief->text()));
    const auto *card = part<QLabel>(*part<DecideCard>(*m_page, u"winnerCard"_s), u"cardBrief"_s);
    QTRY_VERIFY(!card->text().isEmpty());
    QVERIFY2(isWhole(card), qPrintable(card->text()));
    m_page->resize(1096, 560); // has no room for it
    QTRY_COMPARE(brief->height(), brief->fontMetrics().lineSpacing());
    QVERIFY2(brief->isVisible() && brief->text().endsWith(u"more under Details)"_s), qPrintable(brief->text()));
    QVERIFY(brief->toolTip().contains(u"By the formula"_s) && brief->toolTip().contains(u"No lead time"_s));
}

/// What is said has the height that its words need, whatever was said before.
void TestDecideRoom::detailsAreReadWhole()
{
    open();
    m_page->resize(1700, 960);
    waitForAnswer();
    QVERIFY(part<QToolButton>(*m_page, u"detailsButton"_s)->isChecked()); // there is room
    auto *card = part<DecideCard>(*m_page, u"winnerCard"_s);
    const auto isWhole = [&] {
        for (const auto *label : card->findChildren<QLabel *>())
            if (label->isVisible() && label->wordWrap()
                && (label->height() < label->heightForWidth(label->width())
                    || !card->rect().contains(QRect(label->mapTo(card, QPoint()), label->size()))))
                return false;
        return true;
    };
    QTRY_VERIFY(isWhole());
    const int before = card->height();
    enter(*m_page, u"runCostEdit"_s, u"25"_s);
    QTRY_VERIFY(card->text().contains(u"times the 25"_s));
    QTRY_VERIFY(isWhole());
    QVERIFY(card->height() > before);
    m_page->resize(1200, 960);
    QTRY_VERIFY(isWhole());
}

/// What has no room is scrolled to, and nothing ends in the midst of a line.
void TestDecideRoom::detailsEndAtAWholeLine()
{
    open();
    waitForAnswer();
    auto *details = part<QToolButton>(*m_page, u"detailsButton"_s);
    if (!details->isChecked())
        QTest::mouseClick(details, Qt::LeftButton);
    const auto *area = part<QScrollArea>(*m_page, u"headArea"_s);
    int longer = 0;
    for (int height = 560; height < 700; height += 9) {
        m_page->resize(1096, height);
        longer += area->widget()->height() > area->height() ? 1 : 0;
        const auto isCut = [&] {
            const int end = area->viewport()->height();
            for (const auto *label : area->widget()->findChildren<QLabel *>()) {
                const auto room = label->contentsRect().translated(label->mapTo(area->widget(), QPoint()));
                if (label->isVisible() && !label->text().isEmpty() && room.top() < end && end < room.bottom()
                    && (end - room.top()) % label->fontMetrics().lineSpacing() != 0)
                    return true;
            }
            return false;
        };
        QTRY_VERIFY2(!isCut(), qPrintable(QString::number(height)));
    }
    QVERIFY(longer > 8); // else the test is about nothing
}

/// On the card, and before whoever signs.
void TestDecideRoom::whatTheCapitalLeavesOutIsSaid()
{
    open();
    waitForAnswer();
    auto *card = part<DecideCard>(*m_page, u"winnerCard"_s);
    for (const auto &words : {u"spare ones suffice"_s, u"more would cost"_s, u"Management nodes have no price"_s})
        QTRY_VERIFY2(card->text().contains(words), qPrintable(card->text()));
    QTRY_VERIFY(part<QPushButton>(*m_page, u"approveButton"_s)->isEnabled());
    press(u"approveButton"_s);
    const auto risks = m_prompts->approved.risks.join(u'\n');
    QVERIFY2(
        risks.contains(u"more would cost"_s) && risks.contains(u"Management nodes have no price"_s), qPrintable(risks));
}

FLEETWRIGHT_TEST(TestDecideRoom)
#include "tst_decideroom.moc"
