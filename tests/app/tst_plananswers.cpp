// SPDX-License-Identifier: GPL-3.0-or-later
// What the answers of a plan say of its limits, where a figure leads, and the room that they take.
#include "app/pages/fleet/cellexplanation.h"
#include "app/pages/plan/explaindialog.h"
#include "app/pages/plan/planresults.h"
#include "app/wording.h"
#include "planpagetesting.h"
#include "solver/samplerun.h"
#include "solver/validation/validation.h"
#include "testing/registry.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QSet>
#include <QTableView>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestPlanAnswers : public QObject, private PlanPageFixture {
    Q_OBJECT
private slots:
    void init() { openSample(); }
    void cleanup() { close(); }
    void keptAtTheLikelyValueOnly();
    void figuresHaveAMenu();
    void speedIsThatOfTheMeasuredRuns();
    void figuresUseTheWidth();
    void nothingMovesTheAnswers();
};

/// A limit that the high end of the range breaks is kept likely, as the trace says, and no pass.
void TestPlanAnswers::keptAtTheLikelyValueOnly()
{
    auto document = saved(); // whose step times have a range
    document.costModelId = "detailed";
    document.assumptions = {};
    document.constraints.maxMemoryShare.reset(); // which it breaks
    QVERIFY(m_workspace->editPlan(m_page->currentPlan(), document).has_value());
    QTRY_VERIFY(part<QLabel>(*m_page, u"step_time_range"_s)->isVisible());
    const auto days = m_workspace->result(m_page->currentPlan())->estimate().figure("run_time_s").value() / 86400;
    enter(*m_page, u"deadlineEdit"_s, QString::number(1.01 * days) + u" days"_s);
    const auto verdict = [this] { return part<QLabel>(*m_page, u"worthVerdict"_s)->text(); };
    QTRY_VERIFY2(verdict().contains(u"likely"_s) && !verdict().contains(u"pass"_s), qPrintable(verdict()));
    // One verdict, and the way to why.
    QCOMPARE(part<QLabel>(*m_page, u"feasibleAnswer"_s)->text(), u"likely"_s);
    QVERIFY(part<QLabel>(*m_page, u"reasonLabel"_s)->text().contains(u"Keeps all limits at the likely values"_s));
    auto *mark = part<QLabel>(*m_page, u"worthVerdict"_s);
    const int before = mark->fontMetrics().horizontalAdvance(u"time, money and power: "_s);
    QTest::mouseClick(mark, Qt::LeftButton, {}, QPoint(before + 12, mark->height() / 2));
    QTRY_VERIFY(m_page->findChild<CellExplanation *>());
    m_page->findChild<CellExplanation *>()->close();
    auto *trace = part<QTableView>(*m_page, u"traceTable"_s)->model();
    QStringList told;
    for (int row = 0; row < trace->rowCount(); ++row)
        told << trace->index(row, 1).data().toString();
    QVERIFY(told.contains(u"likely only"_s));
    enter(*m_page, u"deadlineEdit"_s, QString::number(100 * days) + u" days"_s);
    QTRY_VERIFY2(verdict().contains(u"pass"_s) && !verdict().contains(u"likely"_s), qPrintable(verdict()));
    QCOMPARE(part<QLabel>(*m_page, u"feasibleAnswer"_s)->text(), u"yes"_s);
    // Which rent it would be; and what is not known says why.
    QVERIFY2(figure("run_rented_usd").endsWith(u", on demand"_s), qPrintable(figure("run_rented_usd")));
    document = saved();
    document.fleet.costs.rentTerm = RentTerm::Reserved3y;
    QVERIFY(m_workspace->editPlan(m_page->currentPlan(), document).has_value());
    QTRY_VERIFY2(figure("run_rented_usd").endsWith(u", reserved for 3 years"_s), qPrintable(figure("run_rented_usd")));
    QVERIFY2(figure("order_to_end_s").contains(u"years ("_s), qPrintable(figure("order_to_end_s")));
    document.fleet.costs.paying = Paying::Rent;
    QVERIFY(m_workspace->editPlan(m_page->currentPlan(), document).has_value());
    QTRY_COMPARE(figure("order_to_end_s"), u"the fleet is rented"_s);
}

/// Days and costs go by the step that measured runs make likely, and so do the speeds beside them; what the formula
/// alone says stands below, with the reason.
void TestPlanAnswers::speedIsThatOfTheMeasuredRuns()
{
    auto document = saved();
    document.costModelId = "detailed";
    document.assumptions = {};
    document.constraints.maxMemoryShare.reset();
    QVERIFY(m_workspace->editPlan(m_page->currentPlan(), document).has_value());
    auto *why = part<QLabel>(*m_page, u"likelyLabel"_s);
    QTRY_VERIFY(part<QLabel>(*m_page, u"step_time_range"_s)->isVisible());
    QVERIFY(!why->isVisible());
    const auto byFormula = figure("step_time_s"), tokens = figure("tokens_per_s"), mfu = figure("mfu"),
               bubble = figure("bubble_share_of_step");
    auto run = samplerun::run("mine", 12);
    run.measured.stepTime = 3.0 * validation::validate(std::vector{run}, "detailed").value().runs.at(0).predicted;
    QVERIFY(m_workspace->addMeasuredRuns({run}).has_value());
    const auto *provenance = part<QLabel>(*m_page, u"provenanceLabel"_s);
    QVERIFY2(provenance->text().contains(u", inputs "_s) && !provenance->text().contains(u"runs"_s),
        qPrintable(provenance->text()));
    QTRY_VERIFY(why->isVisible());
    QTRY_VERIFY2(provenance->text().endsWith(u" (without your measured runs)"_s), qPrintable(provenance->text()));
    const auto *chart = part<QWidget>(*m_page, u"stepChart"_s);
    QTRY_VERIFY2(chart->height() >= 170, qPrintable(QString::number(chart->height()))); // the legend's second row
    const auto kept = [&] { return m_workspace->result(m_page->currentPlan())->estimate(); };
    QTRY_VERIFY(kept().range && kept().range->ownRuns > 0);
    const auto likely = kept().range->middle();
    QTRY_COMPARE(figure("step_time_s"), shown(likely));
    QVERIFY(likely > kept().range->low && likely < kept().range->high); // as no step of the formula
    const double batch = double(document.training.globalBatch) * double(document.training.sequenceLength);
    QCOMPARE(figure("tokens_per_s"), utf8(units::format(batch / likely.value(), units::Dimension::Number)));
    QVERIFY(figure("mfu") != mfu);
    QCOMPARE(figure("bubble_share_of_step"), bubble); // a part of the formula's step
    const auto said = u"By the formula alone, as all parts of the step: Step time %1, Tokens/s %2, MFU %3."_s.arg(
        byFormula, tokens, mfu);
    QCOMPARE(why->text(), said);
    QVERIFY2(why->toolTip().startsWith(u"The likely step is "_s), qPrintable(why->toolTip()));
    QVERIFY(part<QLabel>(*m_page, u"tokens_per_s"_s)->toolTip().contains(u"By the formula alone: "_s + tokens));
    solved();
    part<PlanResults>(*m_page, u"results"_s)->copyAsText();
    const auto copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.contains(u"%1 likely by the measured runs, %2 by the formula"_s.arg(shown(likely), byFormula)),
        qPrintable(copied));
}

void TestPlanAnswers::figuresHaveAMenu()
{
    const auto ask = [this](const QString &name) {
        auto *label = part<QLabel>(*m_page, name);
        QContextMenuEvent event(QContextMenuEvent::Mouse, label->rect().center(), label->mapToGlobal(QPoint(3, 3)));
        QApplication::sendEvent(label, &event);
        return qobject_cast<QMenu *>(QApplication::activePopupWidget());
    };
    const auto press = [](QMenu *menu, const QString &name) {
        menu->setActiveAction(menu->findChild<QAction *>(name));
        QTest::keyClick(menu, Qt::Key_Return);
    };
    auto *menu = ask(u"step_time_s"_s);
    QVERIFY(menu);
    press(menu, u"copyFigureAction"_s);
    QCOMPARE(QGuiApplication::clipboard()->text(), figure("step_time_s"));
    menu = ask(u"fleet_capital_usd"_s);
    QVERIFY(menu);
    press(menu, u"explainFigureAction"_s);
    QTRY_VERIFY(m_page->findChild<CellExplanation *>());
    menu = ask(u"step_time_s"_s);
    QVERIFY(menu);
    press(menu, u"explainFigureAction"_s); // of the cost model
    QTRY_VERIFY(m_page->findChild<ExplainDialog *>());
}

/// As many columns of figures as have room, so that none stands far from its name.
void TestPlanAnswers::figuresUseTheWidth()
{
    const auto rightOf = [this](const QString &name) {
        const auto *value = part<QLabel>(*m_page, name);
        return value->mapTo(m_page.get(), QPoint(value->width(), 0)).x();
    };
    const auto lines = [this](const QStringList &names) {
        QSet<int> all;
        for (const auto &name : names)
            all << part<QLabel>(*m_page, name)->mapTo(m_page.get(), QPoint()).y();
        return all.size();
    };
    const QStringList money{u"run_time_s"_s, u"token_budget"_s, u"compute_optimal_tokens"_s, u"run_owned_usd"_s,
        u"run_rented_usd"_s, u"fleet_capital_usd"_s, u"facility_power_w"_s};
    m_page->resize(1090, 730);
    QCoreApplication::processEvents();
    const auto before = lines(money);
    m_page->resize(1700, 1000);
    QCoreApplication::processEvents();
    QVERIFY2(lines(money) < before, qPrintable(u"%1 of %2 lines"_s.arg(lines(money)).arg(before)));
    QVERIFY(rightOf(u"facility_power_w"_s) >= m_page->width() - 24);
}

/// What is said of refused entries and of answers on their way has room of its own.
void TestPlanAnswers::nothingMovesTheAnswers()
{
    m_page->resize(1090, 730);
    QCoreApplication::processEvents();
    auto *results = m_page->findChild<PlanResults *>();
    const auto places = [this] {
        QList<QRect> all;
        for (const auto *name :
            {"memoryBar", "step_time_s", "mfu", "run_time_s", "facility_power_w", "tabs", "notes"}) {
            const auto *widget = part<QWidget>(*m_page, QLatin1StringView(name));
            all << QRect(widget->mapTo(m_page.get(), QPoint()), widget->size());
        }
        return all;
    };
    const auto before = places();
    const auto hold = [&] {
        QCoreApplication::processEvents();
        return places() == before;
    };
    results->showPending();
    QVERIFY(hold());
    results->showRefusal(u"The split does not divide the accelerators. "_s.repeated(4));
    QVERIFY(hold());
    results->showRefusedFields({u"Nodes must be a whole number. "_s.repeated(6)});
    QVERIFY(hold());
    QVERIFY(part<QLabel>(*m_page, u"refusalLabel"_s)->isVisible());
    results->showRefusedFields({});
    results->showNothing();
    QVERIFY(hold());
    QVERIFY(part<QLabel>(*m_page, u"provenanceLabel"_s)->isVisible());
}

FLEETWRIGHT_TEST(TestPlanAnswers)
#include "tst_plananswers.moc"
