// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweepspagetesting.h"
#include "testing/putfile.h"
#include "testing/registry.h"

#include "charts/chartview.h"
#include "exchange/sweepdocuments.h"
#include "exchange/sweepresults.h"
#include "itemmodels/sweepmodel.h"

#include <QAbstractItemModelTester>
#include <QAbstractProxyModel>
#include <QChart>
#include <QCheckBox>
#include <QFile>
#include <QProgressBar>
#include <QPushButton>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>

#include <atomic>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestSweepsPage : public QObject, private SweepsPageFixture {
    Q_OBJECT
private slots:
    void init() { openSample(); }
    void cleanup() { close(); }
    void sampleSweepsAnswerTheTutorial_data();
    void sampleSweepsAnswerTheTutorial();
    void resultsReappear();
    void cancelLeavesTheSavedResult();
    void theAnswerFollowsEdits();
    void aCancelledSweepBecomesStale();
    void selectedCellSaysWhy();
    void heatMapAndTableSelectTogether();
    void nothingToSearchWhereThePlanIsOpen();
    void adoptsACell();
    void searchesEachCell();
    void tableIsCopiedAndSaved();
    void duplicateDeleteUndo();
    void exportAndImport();
    void emptyProject();
    void aNewSweepAsksAboutTheBestPlan();
    void models();
};

void TestSweepsPage::sampleSweepsAnswerTheTutorial_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<int>("cells");
    QTest::addColumn<QStringList>("sentences");
    QTest::newRow("efficiency by fabric")
        << 0 << 6 << QStringList{u"Best Scaling efficiency"_s, u"InfiniBand NDR"_s, u"3 of 6 cells are feasible"_s};
    QTest::newRow("PP by M") << 1 << 12 << QStringList{u"0 of 12 cells are feasible"_s, u"no feasible cell"_s};
    QTest::newRow("five configurations") << 2 << 5 << QStringList{u"DP + TP8 + PP4, M16"_s, u"1 of 5 cells"_s};
    QTest::newRow("splits of 256") << 3 << 54
                                   << QStringList{u"Best TP x PP for each Fabric: 8 x 4 (57.8"_s, u"8 x 2 (69.4"_s,
                                          u"the best TP x PP differs"_s};
    QTest::newRow("bubble against M") << 4 << 64 << QStringList{u"falls below 10.0 % at Microbatches 64"_s};
}

void TestSweepsPage::sampleSweepsAnswerTheTutorial()
{
    QFETCH(int, index);
    QFETCH(int, cells);
    QFETCH(QStringList, sentences);
    show(index);
    QVERIFY(!saved().question.empty());
    QVERIFY2(label(u"planNote"_s).isEmpty(),
        qPrintable(label(u"planNote"_s))); // each starts from a plan of the sample project
    awaitAnswer();
    QCOMPARE(part<QTableView>(*m_page, u"cellTable"_s)->model()->rowCount(), cells);
    for (const auto &sentence : sentences)
        QVERIFY2(label(u"verdictLabel"_s).contains(sentence), qPrintable(label(u"verdictLabel"_s)));
    auto *chart = part<charts::ChartView>(*m_page, u"chart"_s);
    QVERIFY(chart->isVisible());
    QVERIFY(!chart->accessibleName().isEmpty());
    QVERIFY(!part<QLabel>(*m_page, u"staleLabel"_s)->isVisible());
}

void TestSweepsPage::resultsReappear()
{
    show(2);
    const auto id = m_page->currentSweep();
    awaitAnswer();
    const auto verdict = label(u"verdictLabel"_s);
    m_page.reset();
    m_workspace = std::make_unique<Workspace>();
    QVERIFY(m_workspace->open(m_folder->filePath(u"sample.fleetwright"_s)).has_value());
    makePage();
    m_page->showSweep(id);
    QCOMPARE(label(u"verdictLabel"_s), verdict);
    QVERIFY(!part<QLabel>(*m_page, u"staleLabel"_s)->isVisible());
}

void TestSweepsPage::cancelLeavesTheSavedResult()
{
    show(4);
    const auto id = m_page->currentSweep();
    awaitAnswer();
    const auto before = m_workspace->sweepResult(id);
    QVERIFY(before.has_value());

    QSemaphore go;
    std::atomic<int> priced = 0;
    makePage([&](const Plan &plan) {
        if (++priced > 20)
            go.acquire();
        return solve(plan);
    });
    m_page->showSweep(id);
    QSignalSpy saves(m_workspace.get(), &Workspace::sweepResultSaved);
    QVERIFY(!part<QPushButton>(*m_page, u"runButton"_s)->isVisible()); // there is nothing to run
    m_page->run();
    QTRY_VERIFY(priced > 20); // half-way
    QTRY_VERIFY(part<QProgressBar>(*m_page, u"progressBar"_s)->isVisible()); // once it takes long
    click(u"cancelButton"_s);
    QVERIFY(!part<QProgressBar>(*m_page, u"progressBar"_s)->isVisible());
    QVERIFY(part<QPushButton>(*m_page, u"runButton"_s)->isVisible());
    QVERIFY(part<QPushButton>(*m_page, u"runButton"_s)->isEnabled());
    go.release(1000);
    m_page.reset(); // waits for the workers
    QCoreApplication::processEvents();
    QCOMPARE(saves.count(), 0);
    QVERIFY(m_workspace->sweepResult(id) == before);
}

void TestSweepsPage::theAnswerFollowsEdits()
{
    show(1);
    awaitAnswer();
    auto *cells = part<QTableView>(*m_page, u"cellTable"_s)->model();
    QCOMPARE(cells->rowCount(), 12);
    enter(u"firstAxisValues"_s, u"1, 2, 4"_s);
    QCOMPARE(saved().axes[0].points.size(), 3UZ);
    QCOMPARE(cells->rowCount(), 12); // the answer of before, for its own axes, until the new one is there
    awaitAnswer();
    QCOMPARE(cells->rowCount(), 9);
    QSignalSpy runs(m_workspace.get(), &Workspace::sweepResultSaved);
    choose(part<QComboBox>(*m_page, u"figureCombo"_s), u"mfu"_s); // how it is shown makes nothing stale
    QTest::keyClick(part<QComboBox>(*m_page, u"figureCombo"_s), Qt::Key_Return);
    awaitAnswer();
    QCOMPARE(runs.count(), 0);
}

/// One that was cancelled waits until somebody asks for it.
void TestSweepsPage::aCancelledSweepBecomesStale()
{
    show(1);
    awaitAnswer();
    m_page->run();
    m_page->cancel();
    enter(u"firstAxisValues"_s, u"1, 2, 4"_s);
    QVERIFY(part<QLabel>(*m_page, u"staleLabel"_s)->isVisible());
    click(u"runButton"_s);
    awaitAnswer();
    QVERIFY(!part<QLabel>(*m_page, u"staleLabel"_s)->isVisible());
    enter(u"firstAxisValues"_s, u"1, 2"_s); // it was fast
    QVERIFY(!part<QLabel>(*m_page, u"staleLabel"_s)->isVisible());
    awaitAnswer();
}

void TestSweepsPage::selectedCellSaysWhy()
{
    show(2);
    awaitAnswer();
    auto *table = part<QTableView>(*m_page, u"cellTable"_s);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(0, 0)).center());
    const auto text = part<QTextBrowser>(*m_page, u"cellText"_s)->toPlainText();
    QVERIFY(part<QTabWidget>(*m_page, u"tabs"_s)->currentWidget()->objectName() == u"cellTab");
    QVERIFY2(text.contains(u"DP only"_s) && text.contains(u"Not feasible"_s) && text.contains(u"does not fit"_s)
            && text.contains(u"Step time"_s),
        qPrintable(text));
    // A fabric that no decision looks at says so beside its cell, and apart from the answer.
    show(0);
    awaitAnswer();
    QVERIFY(!label(u"verdictLabel"_s).contains(u"left out"_s));
    const auto before = part<QTextBrowser>(*m_page, u"cellText"_s)->toPlainText();
    QVERIFY2(
        before.contains(u"InfiniBand HDR (HDR200) is left out of decisions unless it is named: its ports run at 200"_s),
        qPrintable(before));
    const auto said = [&](int row) {
        QTest::mouseClick(
            table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(row, 0)).center());
        return part<QTextBrowser>(*m_page, u"cellText"_s)->toPlainText();
    };
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        const bool isHdr = table->model()->index(row, 0).data().toString().contains(u"HDR"_s);
        const bool isNdr = table->model()->index(row, 0).data().toString().contains(u"NDR"_s);
        const auto cell = said(row);
        QVERIFY2(!isHdr || cell.contains(u"HDR (HDR200) is left out of decisions"_s), qPrintable(cell));
        QVERIFY2(!isNdr || !cell.contains(u"left out of decisions"_s), qPrintable(cell));
    }
}

/// A click on a cell of the map selects its row and opens it; a row that is selected is marked in the map.
void TestSweepsPage::heatMapAndTableSelectTogether()
{
    show(3); // two axes
    awaitAnswer();
    choose(part<QComboBox>(*m_page, u"viewCombo"_s), int(SweepView::HeatMap));
    QTest::keyClick(part<QComboBox>(*m_page, u"viewCombo"_s), Qt::Key_Return);
    QTRY_VERIFY(saved().view == SweepView::HeatMap);
    auto *chart = part<charts::ChartView>(*m_page, u"chart"_s);
    auto *table = part<QTableView>(*m_page, u"cellTable"_s);
    table->clearSelection();
    QTest::qWait(50);
    const auto before = chart->grab().toImage();
    const auto plot = chart->chart()->plotArea();
    const auto &axes = saved().axes;
    const double columns = double(axes[0].points.size()), rows = double(axes[1].points.size());
    // The second column of the lowest row.
    const QPoint at(int(plot.left() + 1.5 * plot.width() / columns), int(plot.bottom() - 0.5 * plot.height() / rows));
    QTest::mouseClick(chart->viewport(), Qt::LeftButton, {}, at);
    QTRY_COMPARE(table->selectionModel()->selectedRows().size(), 1);
    const auto row = table->selectionModel()->selectedRows().constFirst();
    const auto *proxy = qobject_cast<QAbstractProxyModel *>(table->model());
    QCOMPARE(proxy->mapToSource(row).row(), int(axes[1].points.size())); // the first axis is the slow one
    QCOMPARE(part<QTabWidget>(*m_page, u"tabs"_s)->currentWidget()->objectName(), u"cellTab"_s);
    QTRY_VERIFY(chart->grab().toImage() != before);
    const auto marked = chart->grab().toImage();
    table->selectRow(0);
    QTRY_VERIFY(chart->grab().toImage() != marked);
    const auto text = part<QTextBrowser>(*m_page, u"cellText"_s)->toPlainText();
    QVERIFY2(
        text.indexOf(u"Layout:"_s) >= 0 && text.indexOf(u"Layout:"_s) < text.indexOf(u"Step time"_s), qPrintable(text));
}

void TestSweepsPage::nothingToSearchWhereThePlanIsOpen()
{
    show(0);
    auto *check = part<QCheckBox>(*m_page, u"searchCheck"_s);
    QVERIFY(check->isEnabled() && !check->isChecked());
    auto changed = saved();
    changed.plan = withBestLayout(changed.plan);
    QVERIFY(m_workspace->editSweep(m_page->currentSweep(), changed).has_value());
    QVERIFY(!check->isEnabled() && check->isChecked());
    QVERIFY2(check->toolTip().contains(u"already"_s), qPrintable(check->toolTip()));
    QVERIFY(!saved().search);
}

void TestSweepsPage::adoptsACell()
{
    show(2);
    awaitAnswer();
    auto *table = part<QTableView>(*m_page, u"cellTable"_s);
    table->selectRow(4);
    QSignalSpy requested(m_page.get(), &Page::planRequested);
    click(u"adoptButton"_s);
    QCOMPARE(requested.count(), 1);
    const auto *plan = m_workspace->plan(requested.constFirst().constFirst().toLongLong());
    QVERIFY(plan);
    QCOMPARE(plan->document.parallelism.tp, 8);
    QCOMPARE(plan->document.parallelism.pp, 4);
    QCOMPARE(plan->document.training.microbatchCount, std::optional(16));
    QVERIFY(plan->document.name.contains("DP + TP8 + PP4, M16"));
    m_workspace->undo();
    QVERIFY(!m_workspace->plan(requested.constFirst().constFirst().toLongLong()));
}

/// Ticked, every cell shows its best layout; adopting one gives a plan with it; undo unticks.
void TestSweepsPage::searchesEachCell()
{
    int fleets = 0; // a sweep over something that a search does not choose itself
    while (m_workspace->sweeps().at(std::size_t(fleets)).document.axes[0].points[0].settings[0].key.find("fleet.") != 0)
        ++fleets;
    show(fleets);
    QVERIFY(!saved().search);
    part<QCheckBox>(*m_page, u"searchCheck"_s)->click();
    QVERIFY(saved().search.has_value());
    auto changed = saved();
    changed.axes.resize(1);
    QVERIFY(m_workspace->editSweep(m_page->currentSweep(), changed).has_value());
    awaitAnswer();
    const auto expected = runSweep(saved(), *m_workspace->catalog()).value();
    const auto found = std::ranges::find_if(
        expected.cells, [](const SweepCell &cell) { return cell.layout.has_value(); });
    QVERIFY(found != expected.cells.end());
    auto *table = part<QTableView>(*m_page, u"cellTable"_s);
    const auto *proxy = qobject_cast<QAbstractProxyModel *>(table->model());
    table->selectRow(proxy->mapFromSource(proxy->sourceModel()->index(int(found - expected.cells.begin()), 0)).row());
    click(u"adoptButton"_s);
    const auto &plan = m_workspace->plans().back().document;
    QVERIFY(plan.parallelism == parallelismOf(*found->layout));
    QCOMPARE(plan.training.microbatchSize, std::optional(found->layout->microbatchSize));
    for (int i = 0; i < 3; ++i)
        m_workspace->undo();
    QVERIFY(!saved().search);
    QVERIFY(!part<QCheckBox>(*m_page, u"searchCheck"_s)->isChecked());
}

void TestSweepsPage::tableIsCopiedAndSaved()
{
    show(1);
    awaitAnswer();
    click(u"copyButton"_s);
    const auto copied = QGuiApplication::clipboard()->text();
    QCOMPARE(copied.count(u'\n'), 13);
    QVERIFY(copied.startsWith(u"PP\tMicrobatches\tBubble of interval [%]"_s));
    const auto path = m_folder->filePath(u"cells.csv"_s);
    m_prompts->fileName = path;
    click(u"csvButton"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto csv = file.readAll();
    QCOMPARE(csv.count("\r\n"), 13);
    QVERIFY2(
        csv.startsWith("PP,Microbatches,bubble_fraction,"), csv.left(80).constData()); // shares of one, not percent
}

void TestSweepsPage::duplicateDeleteUndo()
{
    show(1);
    const auto original = saved();
    click(u"duplicateButton"_s);
    QCOMPARE(m_workspace->sweeps().size(), 6UZ);
    QVERIFY(saved().name != original.name);
    QVERIFY(saved().axes == original.axes);
    click(u"removeButton"_s);
    QCOMPARE(m_workspace->sweeps().size(), 5UZ);
    m_workspace->undo();
    QCOMPARE(m_workspace->sweeps().size(), 6UZ);
    click(u"newButton"_s);
    QCOMPARE(m_workspace->sweeps().size(), 7UZ);
    QVERIFY(check(saved()).has_value());
    QTest::keyClicks(part<QLineEdit>(*m_page, u"nameEdit"_s), u"Mine"_s); // selected, so it is replaced
    QCOMPARE(saved().name, std::string("Mine"));
}

void TestSweepsPage::exportAndImport()
{
    for (const auto *name : {"sweep.yaml", "sweep.json"}) {
        show(2);
        const auto original = saved();
        const auto path = m_folder->filePath(QString::fromLatin1(name));
        m_prompts->fileName = path;
        click(u"exportButton"_s);
        click(u"importButton"_s);
        auto copy = saved();
        QVERIFY(copy.name != original.name);
        copy.name = original.name;
        QVERIFY(copy == original);
    }
    const auto path = m_folder->filePath(u"broken.yaml"_s);
    putFile(path, "fleetwright: 1\nsweep: x\nplans: {}\n");
    m_prompts->fileName = path;
    const auto count = m_workspace->sweeps().size();
    click(u"importButton"_s);
    QCOMPARE(m_workspace->sweeps().size(), count);
    QVERIFY2(
        !m_prompts->errors.empty() && QString::fromStdString(m_prompts->errors.back().message).contains(u"line 3"_s),
        "the fault and its line are shown");
}

/// What it costs with other fabrics, most of which keep the plan's limits.
void TestSweepsPage::aNewSweepAsksAboutTheBestPlan()
{
    close();
    makeWorkspace();
    QVERIFY(
        m_workspace->createSample(m_folder->filePath(u"decision.fleetwright"_s), storage::ShippedProject::Decision));
    makePage();
    const auto areAnswered = [&] {
        return std::ranges::all_of(
            m_workspace->plans(), [&](const auto &plan) { return m_workspace->result(plan.id).has_value(); });
    };
    QTRY_VERIFY(areAnswered());
    m_page->newSweep();
    QCOMPARE(saved().plan.name, std::string("64 GB200 NVL72, owned"));
    QCOMPARE(saved().figure, std::string("run_cost_usd"));
    QCOMPARE(saved().axes[0].points[0].settings[0].key, std::string("fleet.fabric"));
    awaitAnswer();
    auto *cells = part<QTableView>(*m_page, u"cellTable"_s)->model();
    QVERIFY(cells->rowCount() >= 3);
    int feasible = 0;
    for (int row = 0; row < cells->rowCount(); ++row)
        feasible += cells->index(row, 2).data().toString() == u"yes";
    QVERIFY2(2 * feasible > cells->rowCount(), qPrintable(label(u"verdictLabel"_s)));
}

void TestSweepsPage::emptyProject()
{
    m_page.reset();
    m_workspace = std::make_unique<Workspace>();
    QVERIFY(m_workspace->createProject(m_folder->filePath(u"empty.fleetwright"_s)).has_value());
    makePage();
    auto *start = part<QPushButton>(*m_page, u"emptyNewButton"_s);
    QVERIFY(start->isVisible());
    QTest::mouseClick(start, Qt::LeftButton);
    QCOMPARE(m_workspace->sweeps().size(), 1UZ);
    QVERIFY(!start->isVisible());
    awaitAnswer();
    QVERIFY(part<QTableView>(*m_page, u"cellTable"_s)->model()->rowCount() > 0);
}

void TestSweepsPage::models()
{
    itemmodels::SweepCellModel cells;
    QAbstractItemModelTester tester(&cells, QAbstractItemModelTester::FailureReportingMode::QtTest);
    auto document = m_workspace->sweeps().at(1).document;
    document.axes[0].points.push_back({{}, {{"parallelism.pp", 1024.0}}});
    const auto catalog = m_workspace->catalog();
    cells.setResult(document, *runSweep(document, *catalog), catalog);
    QCOMPARE(cells.rowCount(), 15);
    const int last = cells.verdictColumn();
    QCOMPARE(cells.index(14, last).data().toString(), u"refused"_s);
    QVERIFY(!cells.index(14, last).data(Qt::ToolTipRole).toString().isEmpty());
    QCOMPARE(cells.index(14, 2).data().toString(), u"\u2013"_s);
    QVERIFY(cells.index(0, last).data().toString().startsWith(u"no: Memory capacity: "_s)); // and by how much
    QVERIFY(cells.index(3, 2).data(itemmodels::sortRole).toDouble() > 0);
    QCOMPARE(cells.headerData(2, Qt::Horizontal).toString(), u"Bubble of interval [%]"_s);
    cells.clear();
    QCOMPARE(cells.rowCount(), 0);
    itemmodels::SweepListModel list;
    QAbstractItemModelTester listTester(&list, QAbstractItemModelTester::FailureReportingMode::QtTest);
    list.setRows({{1, u"b"_s, {}, {}}});
    list.insert(0, {2, u"a"_s, {}, {}});
    list.change(0, {2, u"c"_s, {}, {}});
    list.remove(1);
    QCOMPARE(list.rowCount(), 1);
}

FLEETWRIGHT_TEST(TestSweepsPage)
#include "tst_sweepspage.moc"
