// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/ledgerentrydialog.h"
#include "app/pages/search/plannersearchview.h"
#include "itemmodels/plannersearchmodel.h"
#include "itemmodels/rowtable.h"
#include "searchtesting.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QProgressBar>
#include <QSignalSpy>
#include <QTabBar>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestSearchPage : public QObject, private SearchFixture<PlannerSearchView> {
    Q_OBJECT

    QTableView *results() const { return part<QTableView>(*m_view, u"resultsTable"_s); }
    void searchWith(const char *planner)
    {
        choose(part<QComboBox>(*m_view, u"plannerCombo"_s), QString::fromLatin1(planner));
        QTRY_VERIFY(results()->model()->rowCount() > 0);
    }
    QString cell(int row, int column) const { return results()->model()->index(row, column).data().toString(); }
    int column(const QString &title) const
    {
        for (int i = 0; i < results()->model()->columnCount(); ++i)
            if (results()->model()->headerData(i, Qt::Horizontal).toString() == title)
                return i;
        return -1;
    }

    void showView()
    {
        QVERIFY(!m_view->isVisible()); // the search over every layout comes first
        auto *tabs = part<QTabBar>(*m_page, u"searchTabs"_s);
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
        QVERIFY(m_view->isVisible());
    }

private slots:
    void init()
    {
        openSample(u"plannerView"_s);
        showView();
    }
    void cleanup() { m_page.reset(); }

    void answersByItself()
    {
        QTRY_VERIFY(results()->isVisible());
        QVERIFY(button(u"adoptButton"_s)->isEnabled());
        QVERIFY(button(u"copyButton"_s)->isEnabled());
        QVERIFY(!button(u"searchButton"_s)->isVisible());
        QVERIFY(!button(u"cancelButton"_s)->isVisible());
        const auto *planners = part<QComboBox>(*m_view, u"plannerCombo"_s);
        QCOMPARE(planners->count(), 3);
        QCOMPARE(planners->currentData().toString(), u"first-order"_s); // which knows memory and time
        QCOMPARE(planners->itemText(2), u"Searcher (knows no memory)"_s);
        QCOMPARE(part<QComboBox>(*m_view, u"planCombo"_s)->count(), int(m_workspace->plans().size()));
    }

    void searcherShowsEverySplitAndItsInputs()
    {
        searchWith("searcher");
        QCOMPARE(results()->model()->rowCount(), 42); // 256 into three factors with at most 80 stages
        QVERIFY(label(u"answerLabel"_s).contains(u"Fastest of 42 splits"_s));
        QVERIFY(label(u"answerLabel"_s).contains(u"defaults"_s));
        QVERIFY(column(u"Step time [s]"_s) > 0 && column(u"Memory [GB]"_s) < 0);
        QVERIFY(cell(0, column(u"Verdict"_s)).startsWith(u"Best"_s)); // sorted by step time
        QCOMPARE(results()->currentIndex().row(), 0);
        auto *inputs = part<QTableView>(*m_view, u"inputsTable"_s)->model();
        QCOMPARE(inputs->rowCount(), 10);
        QCOMPARE(inputs->index(6, 0).data().toString(), u"layer_tflops"_s);
        QCOMPARE(inputs->index(6, 2).data().toString(), u"TFLOP"_s);
        QVERIFY(inputs->index(6, 3).data().toString().contains(u"workload: Active parameters"_s));
        // Numbers sort as numbers.
        results()->sortByColumn(0, Qt::DescendingOrder);
        for (int row = 1; row < results()->model()->rowCount(); ++row)
            QVERIFY(cell(row - 1, 0).toInt() >= cell(row, 0).toInt());
    }

    void strategyCalculatorSaysWhy()
    {
        searchWith("strategy-calculator");
        QVERIFY(label(u"answerLabel"_s).contains(u"Recommended"_s));
        QVERIFY(label(u"answerLabel"_s).contains(u"For comparison, by time"_s));
        QVERIFY(label(u"answerLabel"_s).contains(u"apart"_s)); // stated against counted parameters
        QVERIFY(!button(u"jsonButton"_s)->isVisible());
        bool misfit = false;
        for (int row = 0; row < results()->model()->rowCount(); ++row)
            misfit = misfit || cell(row, column(u"Verdict"_s)).startsWith(u"Does not fit. Needs"_s);
        QVERIFY(misfit);
    }

    void adoptsARowAndUndoes()
    {
        searchWith("first-order");
        const auto before = m_workspace->plans().size();
        QSignalSpy shown(m_page.get(), &Page::planRequested);
        QTest::keyClick(results(), Qt::Key_Down);
        const auto index = results()->currentIndex();
        const int tp = index.siblingAtColumn(1).data().toInt();
        const int pp = index.siblingAtColumn(2).data().toInt();
        click(u"adoptButton"_s);
        QCOMPARE(m_workspace->plans().size(), before + 1);
        const auto &added = m_workspace->plans().back();
        QCOMPARE(added.document.parallelism.tp, tp);
        QCOMPARE(added.document.parallelism.pp, pp);
        QCOMPARE(added.document.parallelism.ep, 1);
        QCOMPARE(added.document.training.microbatchCount.value(), index.siblingAtColumn(column(u"m"_s)).data().toInt());
        QVERIFY(QString::fromStdString(added.document.name).contains(u"TP %1"_s.arg(tp)));
        QVERIFY(std::get<bool>(added.document.assumptions.edited.at("overlap_comm"))); // as the search priced it
        QCOMPARE(shown.size(), 1);
        QCOMPARE(shown.front().front().toLongLong(), added.id);
        QVERIFY(results()->model()->rowCount() > 0); // the answer stays
        m_workspace->undo();
        QCOMPARE(m_workspace->plans().size(), before);
    }

    void recordsASplitInTheLedger()
    {
        searchWith("strategy-calculator");
        QTest::keyClick(results(), Qt::Key_Down);
        const auto index = results()->currentIndex();
        click(u"recordButton"_s);
        auto *dialog = m_page->findChild<LedgerEntryDialog *>();
        QVERIFY(dialog);
        dialog->accept();
        QCOMPARE(m_workspace->ledger().size(), 1U);
        const auto &entry = m_workspace->ledger().front().document;
        QVERIFY(entry.context == LedgerContext::FromSearch);
        QCOMPARE(entry.dp, std::optional(index.siblingAtColumn(0).data().toInt()));
        QCOMPARE(entry.tp, std::optional(index.siblingAtColumn(1).data().toInt()));
        QCOMPARE(entry.pp, std::optional(index.siblingAtColumn(2).data().toInt()));
        QVERIFY(entry.memoryFeasible.has_value());
        m_workspace->undo();
        QVERIFY(m_workspace->ledger().empty());
    }

    void copiesAndSaves()
    {
        searchWith("searcher");
        click(u"copyButton"_s);
        const auto copied = QGuiApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(copied.size(), 43);
        QVERIFY(copied.front().startsWith(u"DP\tTP\tPP\t"_s));
        m_prompts.fileName = m_folder.filePath(u"search.csv"_s);
        click(u"csvButton"_s);
        QFile csv(m_prompts.fileName);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QVERIFY(csv.readAll().startsWith("dp,tp,pp,step_time_s,"));
        m_prompts.fileName = m_folder.filePath(u"search.json"_s);
        click(u"jsonButton"_s);
        QFile json(m_prompts.fileName);
        QVERIFY(json.open(QIODevice::ReadOnly));
        const auto text = json.readAll();
        QVERIFY(text.startsWith("{\"1, 4, 64\": \"") && text.endsWith("ms/iter\"}"));
        QCOMPARE(text.count("ms/iter"), 42);
        m_prompts.fileName = m_folder.filePath(u"no folder/search.json"_s);
        click(u"jsonButton"_s);
        QCOMPARE(m_prompts.errors.size(), std::size_t(1));
    }

    void cancelEmptiesThePage() { cancelSearch(results()); }

    void anEditedPlanIsSearchedAgain()
    {
        searchWith("searcher");
        const auto id = chosenPlan();
        auto document = m_workspace->plan(id)->document;
        document.name += " renamed";
        QVERIFY(m_workspace->editPlan(id, document));
        QVERIFY(results()->model()->rowCount() > 0); // a name changes no answer
        document.training.globalBatch *= 2;
        QVERIFY(m_workspace->editPlan(id, document));
        QCOMPARE(results()->model()->rowCount(), 0);
        QVERIFY(label(u"messageLabel"_s).contains(u"has changed"_s));
        choose(part<QComboBox>(*m_view, u"plannerCombo"_s), u"strategy-calculator"_s);
        QVERIFY(!label(u"messageLabel"_s).contains(u"has changed"_s));
    }

    void refusalsAreSaid()
    {
        const auto id = chosenPlan();
        auto document = m_workspace->plan(id)->document;
        document.training.globalBatch = 4;
        document.parallelism = {};
        QVERIFY(m_workspace->editPlan(id, document));
        choose(part<QComboBox>(*m_view, u"plannerCombo"_s), u"strategy-calculator"_s);
        QTRY_VERIFY(label(u"messageLabel"_s).contains(u"smaller than the"_s));
        QCOMPARE(results()->model()->rowCount(), 0);
    }

    void withoutPlansItSaysWhatToDo()
    {
        m_page.reset();
        QVERIFY(m_workspace->createProject(m_folder.filePath(u"empty.fleetwright"_s)));
        makePage(u"plannerView"_s);
        showView();
        QVERIFY(part<QLabel>(*m_view, u"emptyLabel"_s)->isVisible());
        QSignalSpy shown(m_page.get(), &Page::planRequested);
        click(u"emptyPlansButton"_s);
        QCOMPARE(shown.size(), 1);
    }

    void modelKeepsItsContract()
    {
        itemmodels::PlannerSearchModel model;
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.columnCount(), 4);
        auto search = std::make_shared<PlannerSearch>();
        search->rows = {{.tp = 2, .pp = 1, .dp = 4, .best = true, .stepTime = 2.0 * second},
            {.tp = 1, .pp = 1, .dp = 8, .fits = false, .why = "Too much."}};
        model.setSearch(search);
        QCOMPARE(model.columnCount(), 5);
        QCOMPARE(model.bestRow(), 0);
        QCOMPARE(model.firstSortColumn(), 3);
        QCOMPARE(model.index(0, 3).data(itemmodels::sortRole).toDouble(), 2.0);
        QVERIFY(!model.index(1, 3).data(itemmodels::sortRole).isValid());
        QCOMPARE(model.index(1, 4).data().toString(), u"Does not fit. Too much."_s);
        model.setSearch({});
        QCOMPARE(model.rowCount(), 0);
        itemmodels::NativeInputModel inputs;
        const QAbstractItemModelTester inputsTester(&inputs);
        inputs.setInputs({{.name = "a",
            .value = 3,
            .unit = "GB",
            .figure = {.key = "a",
                .formula = "x / y",
                .inputs = {{.symbol = "x", .value = 6, .origin = "workload.layers"}}}}});
        QCOMPARE(inputs.index(0, 3).data().toString(), u"x / y with x = 6 (workload: Layers)"_s);
    }
};

FLEETWRIGHT_TEST(TestSearchPage)
#include "tst_plannersearchview.moc"
