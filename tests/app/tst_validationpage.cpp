// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mainwindow.h"
#include "app/pages/validation/verdict.h"
#include "charts/chartview.h"
#include "itemmodels/validationmodel.h"
#include "solver/samplevalidation.h"
#include "testing/putfile.h"
#include "testing/registry.h"
#include "text/utf8.h"
#include "validationpagetesting.h"

#include <QAction>
#include <QChart>
#include <QDeadlineTimer>
#include <QFile>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSemaphore>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTabWidget>
#include <QThread>
#include <QToolButton>
#include <QUrl>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

namespace {

Expected<validation::RunFile> sampleRuns() { return samplescores::measuredRuns(); }

Expected<validation::Validation> handMade(std::span<const validation::MeasuredRun> runs, std::string_view model,
    const detailed::Constants &, std::stop_token, std::atomic<std::size_t> *done)
{
    *done += runs.size();
    if (model == "searcher")
        return validation::Validation{.costModelId = "searcher",
            .costModelVersion = "1.0",
            .rows = 7,
            .skipped = {{"refused: unsupported value", 7}}};
    if (model == "cube")
        return refuse(ErrorCode::UnsupportedValue, "cost_model", "This model does not take runs.");
    return samplescores::scoredBy(model);
}

} // namespace

class ValidationPageTest : public QObject, ValidationPageFixture {
    Q_OBJECT
private slots:
    void init();
    void cleanup() { close(); }
    void opensWithThePublishedRuns();
    void anotherModelIsShownBySelectingItsRow();
    void modelsAreChosenInTheMenu();
    void noModelSaysWhatToDo();
    void groupsFollowTheGrouping();
    void aGroupIsLookedAtAndLeftAgain();
    void clickingAPointSelectsTheRun();
    void enterOpensTheDetails();
    void theFilterGivesWayToAChosenRun();
    void missesAreExplainedAndLinked();
    void linksOpenOnlyWhenClicked();
    void rankingShowsBothOrders();
    void skippedRunsAreListed();
    void rowsThatAreNoRunsAreListed();
    void filesAreOpened();
    void aBadFileSaysWhereItIsBad();
    void importingManyRunsIsOneStep();
    void cancelLeavesWhatWasThere();
    void aLongLearningIsSeenAndCancelled();
    void theVerdictSaysWhereThePlanStands();
    void tablesAreExported();
    void nothingIsWiderThanTheWindow();
    void theWindowHasThePage();
};

void ValidationPageTest::init()
{
    makeWorkspace();
    makePage({sampleRuns, handMade});
}

void ValidationPageTest::opensWithThePublishedRuns()
{
    auto *scores = part<QTableView>(*m_page, u"scoreTable"_s);
    QCOMPARE(scores->model()->rowCount(), 0); // nothing is computed before the page is shown
    showPage();
    QCOMPARE(scores->model()->rowCount(), int(costModels().size()));
    QVERIFY(scores->selectionModel()->hasSelection());
    const auto verdict = part<QLabel>(*m_page, u"verdictLabel"_s)->text();
    QVERIFY2(verdict.contains(u"6 of 7 runs scored"_s) && verdict.contains(u"55"_s), qPrintable(verdict));
    QCOMPARE(part<QTableView>(*m_page, u"runTable"_s)->model()->rowCount(), 6);
    QCOMPARE(runId(0), u"run-6"_s); // the largest error first
    QVERIFY(!part<QPushButton>(*m_page, u"cancelButton"_s)->isVisible());
}

void ValidationPageTest::anotherModelIsShownBySelectingItsRow()
{
    showPage();
    auto *scores = part<QTableView>(*m_page, u"scoreTable"_s);
    for (int row = 0; row < scores->model()->rowCount(); ++row) {
        scores->setFocus();
        scores->selectRow(row);
        const auto verdict = part<QLabel>(*m_page, u"verdictLabel"_s)->text();
        const auto id = scores->model()->index(row, 0).data(Qt::ToolTipRole).toString();
        if (id.startsWith(u"searcher"_s)) {
            QVERIFY2(verdict.contains(u"no step time"_s), qPrintable(verdict));
            QCOMPARE(part<QTableView>(*m_page, u"runTable"_s)->model()->rowCount(), 0);
        } else if (id == u"This model does not take runs."_s) {
            QVERIFY2(verdict.contains(id), qPrintable(verdict));
        } else {
            QCOMPARE(part<QTableView>(*m_page, u"runTable"_s)->model()->rowCount(), 6);
        }
    }
}

void ValidationPageTest::modelsAreChosenInTheMenu()
{
    showPage();
    QSignalSpy reset(part<QTableView>(*m_page, u"scoreTable"_s)->model(), &QAbstractItemModel::modelReset);
    part<QAction>(*m_page, u"costModel/searcher"_s)->trigger();
    QTRY_COMPARE(part<QTableView>(*m_page, u"scoreTable"_s)->model()->rowCount(), int(costModels().size()) - 1);
    QVERIFY(part<QToolButton>(*m_page, u"modelsButton"_s)->text().contains(QString::number(costModels().size() - 1)));
}

void ValidationPageTest::noModelSaysWhatToDo()
{
    showPage();
    for (const auto *model : costModels())
        part<QAction>(*m_page, u"costModel/"_s + utf8(model->id()))->setChecked(false);
    QTRY_VERIFY(part<QLabel>(*m_page, u"messageLabel"_s)->isVisible());
    QVERIFY(part<QLabel>(*m_page, u"messageLabel"_s)->text().contains(u"Tick at least one"_s));
    part<QAction>(*m_page, u"costModel/first-order"_s)->setChecked(true);
    part<QTabWidget>(*m_page, u"views"_s)->setCurrentWidget(part<QWidget>(*m_page, u"modelsView"_s));
    QTRY_VERIFY(part<QTableView>(*m_page, u"scoreTable"_s)->isVisible());
}

void ValidationPageTest::groupsFollowTheGrouping()
{
    showPage();
    QCOMPARE(cell(u"groupTable"_s, 0, ErrorGroupModel::Group), u"Title of beta-2024, 2025-05-15"_s);
    choose(part<QComboBox>(*m_page, u"groupingCombo"_s), int(validation::Grouping::Family));
    QCOMPARE(cell(u"groupTable"_s, 0, ErrorGroupModel::Group), u"A100"_s);
    QCOMPARE(part<QTableView>(*m_page, u"groupTable"_s)->model()->headerData(0, Qt::Horizontal).toString(),
        u"Accelerator family"_s);
    choose(part<QComboBox>(*m_page, u"groupingCombo"_s), int(validation::Grouping::Size));
    QCOMPARE(part<QTableView>(*m_page, u"groupTable"_s)->model()->rowCount(), 1);
}

void ValidationPageTest::aGroupIsLookedAtAndLeftAgain()
{
    showPage();
    auto *table = part<QTableView>(*m_page, u"groupTable"_s);
    auto *all = part<QPushButton>(*m_page, u"allGroupsButton"_s);
    QVERIFY(!all->isEnabled());
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(1, 0)).center());
    QVERIFY(all->isEnabled());
    QTest::keyClick(table, Qt::Key_Escape);
    QVERIFY(!all->isEnabled());
    QVERIFY(!table->selectionModel()->hasSelection());
}

void ValidationPageTest::clickingAPointSelectsTheRun()
{
    showPage();
    auto *scatter = part<charts::ChartView>(*m_page, u"scatter"_s);
    const auto place = scatter->mapFromScene(scatter->chart()->mapToScene(
        scatter->chart()->mapToPosition({10, 20}, scatter->chart()->series().constFirst())));
    QTest::mouseClick(scatter->viewport(), Qt::LeftButton, {}, place);
    QTRY_VERIFY(text(u"runText"_s).contains(u"run-6"_s));
    const auto selected = part<QTableView>(*m_page, u"runTable"_s)->selectionModel()->selectedRows();
    QCOMPARE(selected.size(), 1);
    QCOMPARE(selected[0].data(fileRole).toString(), u"run-6"_s);
    QCOMPARE(part<QTabWidget>(*m_page, u"tabs"_s)->currentWidget()->objectName(), u"runsTab"_s);
}

void ValidationPageTest::enterOpensTheDetails()
{
    showPage();
    auto *table = part<QTableView>(*m_page, u"runTable"_s);
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Down);
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(part<QTabWidget>(*m_page, u"tabs"_s)->currentWidget()->objectName(), u"runTab"_s);
    const auto shown = text(u"runText"_s);
    QVERIFY(shown.contains(table->currentIndex().siblingAtColumn(0).data().toString()));
    QVERIFY2(shown.contains(u"Compute"_s) && shown.contains(u"GPT-3 <175B>"_s) && shown.contains(u"Title of"_s),
        qPrintable(shown));
    QTest::keyClick(part<QTextBrowser>(*m_page, u"runText"_s), Qt::Key_Escape);
    QCOMPARE(part<QTabWidget>(*m_page, u"tabs"_s)->currentWidget()->objectName(), u"runsTab"_s);
    QVERIFY(table->hasFocus());
}

void ValidationPageTest::theFilterGivesWayToAChosenRun()
{
    showPage();
    auto *filter = part<QLineEdit>(*m_page, u"filterEdit"_s);
    filter->setFocus();
    QTest::keyClicks(filter, u"beta"_s);
    QCOMPARE(part<QTableView>(*m_page, u"runTable"_s)->model()->rowCount(), 1);
    QCOMPARE(part<QLabel>(*m_page, u"countLabel"_s)->text(), u"1 of 6 runs"_s);
    m_page->showRun(0, false);
    QVERIFY(filter->text().isEmpty());
    QCOMPARE(part<QTableView>(*m_page, u"runTable"_s)
                 ->selectionModel()
                 ->selectedRows()
                 .constFirst()
                 .data(fileRole)
                 .toString(),
        u"run-1"_s);
}

void ValidationPageTest::missesAreExplainedAndLinked()
{
    showPage();
    auto *tabs = part<QTabWidget>(*m_page, u"tabs"_s);
    tabs->setCurrentWidget(part<QWidget>(*m_page, u"missesTab"_s));
    auto *misses = part<QTextBrowser>(*m_page, u"missesText"_s);
    const auto shown = misses->toPlainText();
    QVERIFY2(shown.indexOf(u"run-6"_s) < shown.indexOf(u"run-1"_s), qPrintable(shown));
    QVERIFY(shown.contains(u"Row note."_s));
    emit misses->anchorClicked(QUrl(u"run:5"_s));
    QCOMPARE(tabs->currentWidget()->objectName(), u"runTab"_s);
    QVERIFY(text(u"runText"_s).contains(u"run-6"_s));
}

void ValidationPageTest::linksOpenOnlyWhenClicked()
{
    QList<QUrl> opened;
    m_page->setBrowser([&](const QUrl &url) { opened << url; });
    showPage();
    m_page->showRun(5, true);
    auto *browser = part<QTextBrowser>(*m_page, u"runText"_s);
    QVERIFY(browser->toHtml().contains(u"href=\"https://example.org/beta-2024\""_s));
    QVERIFY(opened.isEmpty());
    emit browser->anchorClicked(QUrl(u"https://example.org/beta-2024"_s));
    emit browser->anchorClicked(QUrl(u"file:///etc/passwd"_s));
    QCOMPARE(opened, QList<QUrl>{QUrl(u"https://example.org/beta-2024"_s)});
}

void ValidationPageTest::rankingShowsBothOrders()
{
    showPage();
    part<QTabWidget>(*m_page, u"tabs"_s)->setCurrentWidget(part<QWidget>(*m_page, u"rankingTab"_s));
    QCOMPARE(part<QTableView>(*m_page, u"rankGroupTable"_s)->model()->rowCount(), 1);
    auto *ranked = part<QTableView>(*m_page, u"rankedTable"_s);
    QCOMPARE(ranked->model()->rowCount(), 5);
    ranked->setFocus();
    ranked->setCurrentIndex(ranked->model()->index(1, 0));
    QTest::keyClick(ranked, Qt::Key_Return);
    QVERIFY(text(u"runText"_s).contains(u"run-2"_s));
}

void ValidationPageTest::skippedRunsAreListed()
{
    showPage();
    QCOMPARE(cell(u"skippedTable"_s, 0, SkippedModel::Reason), u"no batch"_s);
    QCOMPARE(cell(u"skippedTable"_s, 0, SkippedModel::Count), u"1"_s);
}

void ValidationPageTest::rowsThatAreNoRunsAreListed()
{
    showPage();
    m_prompts->fileName = m_folder->filePath(u"mine.csv"_s);
    putFile(m_prompts->fileName, "id,tp\nrun-1,1\nrun-2,2\nrun-3,1\nrun-4,1\nrun-5,1\nrun-6,1\nbad,two\nrun-7,2\n");
    m_page->openRuns();
    QTRY_COMPARE(part<QTableView>(*m_page, u"skippedTable"_s)->model()->rowCount(), 2);
    QStringList reasons, runs;
    for (int row = 0; row < 2; ++row) {
        reasons << cell(u"skippedTable"_s, row, SkippedModel::Reason);
        runs << cell(u"skippedTable"_s, row, SkippedModel::Runs);
    }
    QVERIFY2(reasons.filter(u"line 8: \u201ctp\u201d must be a number"_s).size() == 1, qPrintable(reasons.join(u'|')));
    QVERIFY(runs.contains(u"bad"_s));
    QVERIFY(part<QLabel>(*m_page, u"verdictLabel"_s)->text().contains(u"6 of 8 runs"_s));
}

void ValidationPageTest::filesAreOpened()
{
    showPage();
    m_prompts->fileName = m_folder->filePath(u"mine.json"_s);
    QFile file(m_prompts->fileName);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"schema": {"version": "1.0"}, "runs": [)");
    for (int i = 1; i <= 7; ++i)
        file.write(u"%1{\"id\": \"mine-%2\", \"source\": {\"key\": \"own\"}}"_s.arg(i > 1 ? u","_s : QString())
                       .arg(i)
                       .toUtf8());
    file.write("]}");
    file.close();
    QTest::mouseClick(part<QPushButton>(*m_page, u"openButton"_s), Qt::LeftButton);
    QTRY_COMPARE(runId(0), u"mine-6"_s);
    auto *data = part<QComboBox>(*m_page, u"dataCombo"_s);
    QCOMPARE(data->currentText(), u"mine.json"_s);
    QTest::mouseClick(part<QPushButton>(*m_page, u"openButton"_s), Qt::LeftButton); // again: no second entry
    QCOMPARE(data->count(), 2);
    data->setCurrentIndex(0);
    QTRY_COMPARE(runId(0), u"run-6"_s);
}

void ValidationPageTest::aBadFileSaysWhereItIsBad()
{
    showPage();
    m_prompts->fileName = m_folder->filePath(u"bad.json"_s);
    putFile(m_prompts->fileName, "{\"runs\": [{\"id\": ");
    QTest::mouseClick(part<QPushButton>(*m_page, u"openButton"_s), Qt::LeftButton);
    QTRY_VERIFY(part<QLabel>(*m_page, u"messageLabel"_s)->isVisible());
    QVERIFY(part<QLabel>(*m_page, u"messageLabel"_s)->text().size() > 20);
    part<QComboBox>(*m_page, u"dataCombo"_s)->setCurrentIndex(0);
    part<QTabWidget>(*m_page, u"views"_s)->setCurrentWidget(part<QWidget>(*m_page, u"modelsView"_s));
    QTRY_VERIFY(part<QTableView>(*m_page, u"scoreTable"_s)->isVisible());
    m_prompts->fileName = m_folder->filePath(u"missing.json"_s);
    QTest::mouseClick(part<QPushButton>(*m_page, u"openButton"_s), Qt::LeftButton);
    QTRY_VERIFY(part<QLabel>(*m_page, u"messageLabel"_s)->text().contains(u"missing.json"_s));
}

void ValidationPageTest::importingManyRunsIsOneStep()
{
    QVERIFY(m_workspace->createProject(m_folder->filePath(u"runs.fleetwright"_s)));
    std::atomic<std::size_t> scored = 0;
    makePage({sampleRuns,
        [&scored](auto given, std::string_view model, const auto &constants, std::stop_token stop, auto *done) {
            scored = given.size();
            return handMade(given, model, constants, std::move(stop), done);
        }});
    showPage();
    auto *combo = part<QComboBox>(*m_page, u"dataCombo"_s);
    std::vector<validation::MeasuredRun> runs;
    for (int i = 0; i < 400; ++i) {
        runs.push_back(samplescores::measuredRuns().runs.front());
        runs.back().id = "own-" + std::to_string(i);
    }
    QSignalSpy told(combo->model(), &QAbstractItemModel::dataChanged);
    QVERIFY(m_workspace->addMeasuredRuns(runs));
    QCOMPARE(combo->itemText(1), u"My runs (400)"_s);
    QVERIFY2(told.count() <= 3, qPrintable(u"the offer was made %1 times"_s.arg(told.count())));
    QTest::keyClick(combo, Qt::Key_Down);
    QTRY_COMPARE(scored.load(), std::size_t(400)); // the runs as they are when they are scored
    m_page.reset(); // which refers to `scored`
}

void ValidationPageTest::cancelLeavesWhatWasThere()
{
    QSemaphore go;
    makePage(
        {sampleRuns, [&go](auto runs, std::string_view model, const auto &constants, std::stop_token stop, auto *done) {
             go.acquire();
             return handMade(runs, model, constants, std::move(stop), done);
         }});
    m_page->show();
    auto *cancel = part<QPushButton>(*m_page, u"cancelButton"_s);
    QTRY_VERIFY(cancel->isVisible());
    QTest::mouseClick(cancel, Qt::LeftButton);
    QVERIFY(!cancel->isVisible());
    QVERIFY(part<QLabel>(*m_page, u"messageLabel"_s)->text().contains(u"Cancelled"_s));
    go.release(100);
    part<QAction>(*m_page, u"costModel/searcher"_s)->trigger();
    waitForScores();
    m_page.reset(); // before the semaphore
}

void ValidationPageTest::aLongLearningIsSeenAndCancelled()
{
    QSemaphore learning, stopped;
    makePage({.published = sampleRuns,
        .validator = handMade,
        .newSite = [&](const validation::Validation &, auto, const std::stop_token &stop) {
            learning.release();
            const QDeadlineTimer deadline(6000);
            while (!stop.stop_requested() && !deadline.hasExpired())
                QThread::msleep(1);
            stopped.release(stop.stop_requested() ? 1 : 0);
            return std::shared_ptr<const validation::NewSite>();
        }});
    m_page->show();
    auto *cancel = part<QPushButton>(*m_page, u"cancelButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(cancel->isVisible(), 500);
    QVERIFY(part<QProgressBar>(*m_page, u"progressBar"_s)->isVisible());
    QVERIFY(learning.tryAcquire(1, 5000));
    QTest::mouseClick(cancel, Qt::LeftButton);
    QVERIFY(stopped.tryAcquire(1, 5000));
    QVERIFY(!cancel->isVisible());
    QVERIFY(part<QLabel>(*m_page, u"messageLabel"_s)->text().contains(u"Cancelled"_s));
    m_page.reset(); // before the semaphore
}

void ValidationPageTest::theVerdictSaysWhereThePlanStands()
{
    validation::PredictionRange range{.low = 2.0 * second,
        .high = 3.0 * second,
        .typicalError = 0.072,
        .runs = 412,
        .sources = 17,
        .comparable = "412 runs with <b>tuned</b> software, of 17 sources"};
    auto shown = standingHtml(u"A & B"_s, range);
    QVERIFY2(shown.contains(u"A &amp; B"_s) && shown.contains(u"412 runs with &lt;b&gt;tuned"_s)
            && shown.contains(u"7.20"_s) && !shown.contains(u"outside"_s),
        qPrintable(shown));
    range.outside = {"No run is as large."};
    shown = standingHtml(u"A"_s, range);
    QVERIFY2(
        shown.contains(u"outside what was validated"_s) && shown.contains(u"No run is as large."_s), qPrintable(shown));
}

void ValidationPageTest::tablesAreExported()
{
    showPage();
    m_prompts->fileName = m_folder->filePath(u"table.csv"_s);
    for (const auto &[action, begin] : {std::pair(u"saveRunsAction"_s, u"id,source,"_s),
             std::pair(u"saveSummaryAction"_s, u"cost_model,left_out_macro_median_ape,"_s),
             std::pair(u"saveGroupsAction"_s, u"group,n,median_ape,"_s),
             std::pair(u"saveSkippedAction"_s, u"Reason,Runs,"_s)}) {
        part<QAction>(*m_page, action)->trigger();
        QVERIFY(m_prompts->errors.empty());
        QFile file(m_prompts->fileName);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto content = QString::fromUtf8(file.readAll());
        QVERIFY2(content.startsWith(begin), qPrintable(content));
    }
    part<QAction>(*m_page, u"copySummaryAction"_s)->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().contains(u"55.0"_s));
    auto *runs = part<QTableView>(*m_page, u"runTable"_s);
    runs->setFocus();
    runs->selectRow(0);
    m_page->copy();
    QCOMPARE(QGuiApplication::clipboard()->text().count(u'\n'), 2); // headers and one run
}

void ValidationPageTest::nothingIsWiderThanTheWindow()
{
    showPage();
    QVERIFY2(m_page->minimumSizeHint().width() <= 1096, qPrintable(QString::number(m_page->minimumSizeHint().width())));
    QVERIFY2(
        m_page->minimumSizeHint().height() <= 740, qPrintable(QString::number(m_page->minimumSizeHint().height())));
    for (const auto *name : {"scoreTable", "groupTable", "runTable", "skippedTable"}) {
        auto *table = part<QTableView>(*m_page, QString::fromLatin1(name));
        auto *models = part<QWidget>(*m_page, u"modelsView"_s);
        part<QTabWidget>(*m_page, u"views"_s)
            ->setCurrentWidget(models->isAncestorOf(table) ? models : part<QWidget>(*m_page, u"runsView"_s));
        if (!table->isVisible())
            part<QTabWidget>(*m_page, u"tabs"_s)->setCurrentWidget(part<QWidget>(*m_page, u"skippedTab"_s));
        QVERIFY2(table->isVisible(), name);
        QVERIFY2(table->horizontalScrollBar()->maximum() == 0, name);
    }
}

void ValidationPageTest::theWindowHasThePage()
{
    Settings settings(m_folder->filePath(u"settings.ini"_s));
    MainWindow window(settings, *m_prompts);
    QVERIFY(window.workspace().createProject(m_folder->filePath(u"project.fleetwright"_s)));
    auto *action = window.findChild<QAction *>(u"goTo/validation"_s);
    QVERIFY(action);
    QCOMPARE(action->shortcut(), QKeySequence(u"Ctrl+7"_s));
    QCOMPARE(window.findChild<QAction *>(u"goTo/report"_s)->shortcut(), QKeySequence(u"Ctrl+0"_s));
    QCOMPARE(window.findChild<QAction *>(u"goTo/studies"_s)->shortcut(), QKeySequence(u"Ctrl+8"_s));
    action->trigger();
    QCOMPARE(window.currentPage(), u"validation"_s);
}

FLEETWRIGHT_TEST(ValidationPageTest)
#include "tst_validationpage.moc"
