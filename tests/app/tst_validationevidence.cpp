// SPDX-License-Identifier: GPL-3.0-or-later
// What the Validation page says about a site that nobody has measured.
#include "charts/chartview.h"
#include "itemmodels/validationmodel.h"
#include "solver/samplerun.h"
#include "solver/samplevalidation.h"
#include "testing/registry.h"
#include "validationpagetesting.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QPushButton>
#include <QScrollBar>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTabWidget>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

namespace {

Expected<validation::Validation> sampleScores(std::span<const validation::MeasuredRun> runs, std::string_view model,
    const detailed::Constants &, std::stop_token, std::atomic<std::size_t> *done)
{
    *done += runs.size();
    return samplescores::scoredBy(model);
}

} // namespace

class ValidationEvidenceTest : public QObject, ValidationPageFixture {
    Q_OBJECT
private slots:
    void init() { makeWorkspace(); }
    void cleanup() { close(); }
    void theLeftOutErrorComesFirst();
    void modelsWithoutLeftOutErrorsSaySo();
    void aSourceLeadsToItsRuns();
    void ownRunsAreComputedWhenTheyAreLookedAt();
    void ownRunsCanBeCancelled();
    void theRangeStandsBesideTheRun();
    void theLargestJobsLeadToTheirRuns();
    void evidenceIsExported();
    void theProjectPredictsWithItsOwnRuns();
    void theBestPlanIsSpokenOf();
    void ownRunsLeadToTheCalibration();

private:
    void knowNewSites(jobs::FewShotJob::Scorer fewShot = {});
    void open(const QString &view);
};

/// A page whose cost model detailed has left-out errors, with one run of production size.
void ValidationEvidenceTest::knowNewSites(jobs::FewShotJob::Scorer fewShot)
{
    const auto file = [] {
        auto runs = samplescores::measuredRuns();
        runs.runs[5].accelerators = 16384;
        return runs;
    };
    makePage({.published = [file] { return Expected<validation::RunFile>(file()); },
        .validator = sampleScores,
        .newSite = [file](const validation::Validation &of, auto,
                       const auto &) -> std::shared_ptr<const validation::NewSite> {
            return of.costModelId == "detailed"
                ? std::make_shared<const validation::NewSite>(samplescores::newSite(file()))
                : nullptr;
        },
        .fewShot = std::move(fewShot)});
    showPage();
}

void ValidationEvidenceTest::open(const QString &view)
{
    part<QTabWidget>(*m_page, u"views"_s)->setCurrentWidget(part<QWidget>(*m_page, view));
}

void ValidationEvidenceTest::theLeftOutErrorComesFirst()
{
    knowNewSites();
    const auto verdict = part<QLabel>(*m_page, u"verdictLabel"_s)->text();
    const auto leftOut = verdict.indexOf(u"67.8"_s), fitted = verdict.indexOf(u"55.0"_s);
    QVERIFY2(leftOut >= 0 && fitted > leftOut, qPrintable(verdict));
    QVERIFY(verdict.contains(u"nobody has measured"_s) && verdict.contains(u"how well it fits"_s));
    QCOMPARE(cell(u"scoreTable"_s, 0, 1), u"67.8"_s);
    QVERIFY2(
        m_page->minimumSizeHint().height() <= 740, qPrintable(QString::number(m_page->minimumSizeHint().height())));
    QVERIFY2(m_page->minimumSizeHint().width() <= 1096, qPrintable(QString::number(m_page->minimumSizeHint().width())));
    for (const auto *name : {"coverage", "levels", "production"}) {
        open(QString::fromLatin1(name) + u"Panel"_s);
        auto *table = part<QTableView>(*m_page, QString::fromLatin1(name) + u"Table"_s);
        QVERIFY2(table->isVisible() && table->model()->rowCount() > 0, name);
        QVERIFY2(table->horizontalScrollBar()->maximum() == 0, name);
        QVERIFY2(!part<charts::ChartView>(*m_page, QString::fromLatin1(name) + u"Chart"_s)
                      ->accessibleDescription()
                      .isEmpty(),
            name);
    }
    QVERIFY(part<QLabel>(*m_page, u"productionSentence"_s)->text().contains(u"authors"_s));
}

void ValidationEvidenceTest::modelsWithoutLeftOutErrorsSaySo()
{
    knowNewSites();
    auto *scores = part<QTableView>(*m_page, u"scoreTable"_s);
    for (int row = 0; row < scores->model()->rowCount(); ++row)
        if (scores->model()->index(row, 0).data(Qt::ToolTipRole).toString().startsWith(u"first-order"_s))
            scores->selectRow(row);
    const auto verdict = part<QLabel>(*m_page, u"verdictLabel"_s)->text();
    QVERIFY2(verdict.contains(u"No error on sources left out is known"_s), qPrintable(verdict));
    for (const auto *name : {"coverage", "levels", "production", "fewShot"}) {
        open(QString::fromLatin1(name) + u"Panel"_s);
        auto *nothing = part<QLabel>(*m_page, QString::fromLatin1(name) + u"Nothing"_s);
        QVERIFY2(nothing->isVisible() && nothing->text().contains(u"left"_s), name);
    }
    QVERIFY(!part<QPushButton>(*m_page, u"fewShotCompute"_s)->isVisible());
}

void ValidationEvidenceTest::aSourceLeadsToItsRuns()
{
    knowNewSites();
    open(u"coveragePanel"_s);
    auto *table = part<QTableView>(*m_page, u"coverageTable"_s);
    QCOMPARE(cell(u"coverageTable"_s, 0, 0), u"Title of beta-2024, 2025-05-15"_s); // the least covered first
    table->setFocus();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Return);
    QVERIFY(part<QTableView>(*m_page, u"runTable"_s)->isVisible());
    QCOMPARE(part<QTableView>(*m_page, u"runTable"_s)->model()->rowCount(), 1);
    QCOMPARE(part<QLineEdit>(*m_page, u"filterEdit"_s)->text(), u"beta-2024"_s);
}

void ValidationEvidenceTest::ownRunsAreComputedWhenTheyAreLookedAt()
{
    std::atomic<int> asked = 0;
    knowNewSites([&](const validation::Validation &, auto, const std::stop_token &) -> Expected<jobs::FewShotAnswer> {
        ++asked;
        return jobs::FewShotAnswer{{0, {.median = 0.12, .mean = 0.15, .covered = 0.8, .halfWidth = 0.2, .sources = 4}},
            {10, {.median = 0.07, .mean = 0.1, .covered = 0.78, .halfWidth = 0.1, .sources = 4}}};
    });
    QCOMPARE(asked.load(), 0);
    open(u"fewShotPanel"_s);
    QTRY_COMPARE(part<QTableView>(*m_page, u"fewShotTable"_s)->model()->rowCount(), 2);
    const auto sentence = part<QLabel>(*m_page, u"fewShotSentence"_s)->text();
    QVERIFY2(sentence.contains(u"4 sources with at least 12 runs"_s) && sentence.contains(u"12.0"_s)
            && sentence.contains(u"7.00"_s),
        qPrintable(sentence));
    open(u"levelsPanel"_s);
    open(u"fewShotPanel"_s); // once is enough
    QCOMPARE(asked.load(), 1);
    QVERIFY(!part<QPushButton>(*m_page, u"fewShotStop"_s)->isVisible());
    m_page.reset(); // which refers to `asked`
}

void ValidationEvidenceTest::ownRunsCanBeCancelled()
{
    QSemaphore go;
    knowNewSites([&](const validation::Validation &, auto, const std::stop_token &) -> Expected<jobs::FewShotAnswer> {
        go.acquire();
        return refuse(ErrorCode::UnsupportedValue, {}, "Nothing to learn.");
    });
    open(u"fewShotPanel"_s);
    auto *stop = part<QPushButton>(*m_page, u"fewShotStop"_s);
    auto *compute = part<QPushButton>(*m_page, u"fewShotCompute"_s);
    QVERIFY(stop->isVisible() && !compute->isVisible());
    QTest::mouseClick(stop, Qt::LeftButton);
    QVERIFY(!stop->isVisible() && compute->isVisible());
    QCOMPARE(part<QLabel>(*m_page, u"fewShotNothing"_s)->text(), u"Not computed."_s);
    go.release(2);
    compute->setFocus();
    QTest::keyClick(compute, Qt::Key_Space);
    QTRY_COMPARE(part<QLabel>(*m_page, u"fewShotNothing"_s)->text(), u"Nothing to learn."_s);
    m_page.reset(); // before the semaphore
}

void ValidationEvidenceTest::theRangeStandsBesideTheRun()
{
    knowNewSites();
    m_page->showRun(5, true);
    auto shown = text(u"runText"_s);
    QVERIFY2(shown.contains(u"Predicted with its source left out"_s) && shown.contains(u"17.6"_s)
            && shown.contains(u"27.5"_s) && shown.contains(u"below it"_s),
        qPrintable(shown));
    m_page->showRun(0, true);
    shown = text(u"runText"_s);
    QVERIFY2(shown.contains(u"lies in it"_s), qPrintable(shown));
    auto *runs = part<QTableView>(*m_page, u"runTable"_s);
    part<QTabWidget>(*m_page, u"tabs"_s)->setCurrentIndex(0);
    runs->setFocus();
    runs->selectRow(0);
    m_page->copy();
    QVERIFY(QGuiApplication::clipboard()->text().contains(u"In it"_s));
    QCOMPARE(cell(u"runTable"_s, 0, itemmodels::ScoredRunModel::LeftOut), u"+120"_s); // the largest error first
    QCOMPARE(cell(u"runTable"_s, 0, itemmodels::ScoredRunModel::Inside), u"no"_s);
    QCOMPARE(runs->horizontalScrollBar()->maximum(), 0);
}

void ValidationEvidenceTest::theLargestJobsLeadToTheirRuns()
{
    knowNewSites();
    open(u"productionPanel"_s);
    auto *table = part<QTableView>(*m_page, u"productionTable"_s);
    QCOMPARE(table->model()->rowCount(), 1);
    table->setFocus();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Return);
    QVERIFY(part<QTextBrowser>(*m_page, u"runText"_s)->isVisible());
    QVERIFY(text(u"runText"_s).contains(u"run-6"_s));
}

void ValidationEvidenceTest::evidenceIsExported()
{
    knowNewSites();
    m_prompts->fileName = m_folder->filePath(u"table.csv"_s);
    for (const auto &[action, begin] : {std::pair(u"saveCoverageAction"_s, u"source,n,covered,"_s),
             std::pair(u"saveLevelsAction"_s, u"Level,"_s), std::pair(u"saveFewShotAction"_s, u"known_runs,median,"_s),
             std::pair(u"saveProductionAction"_s, u"id,n_accelerators,"_s)}) {
        part<QAction>(*m_page, action)->trigger();
        QFile file(m_prompts->fileName);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto content = QString::fromUtf8(file.readAll());
        QVERIFY2(content.startsWith(begin), qPrintable(content));
    }
    open(u"coveragePanel"_s);
    part<QTableView>(*m_page, u"coverageTable"_s)->setFocus();
    m_page->copy();
    QVERIFY(QGuiApplication::clipboard()->text().contains(u"beta-2024"_s));
}

/// Runs of a site that is a third slower than the program thinks: the project, which knows two of them, is closer.
void ValidationEvidenceTest::theProjectPredictsWithItsOwnRuns()
{
    QVERIFY(m_workspace->createProject(m_folder->filePath(u"own.fleetwright"_s)));
    m_page = std::make_unique<ValidationPage>(*m_workspace, *m_prompts);
    auto *check = part<QCheckBox>(*m_page, u"projectCheck"_s);
    QVERIFY(check->isHidden()); // the project has nothing of its own to say
    std::vector<validation::MeasuredRun> runs;
    for (const int tp : {8, 4, 2})
        runs.push_back(samplerun::run("tp" + std::to_string(tp), 12, tp));
    const auto predicted = validation::validate(runs, "detailed").value();
    for (std::size_t i = 0; i < runs.size(); ++i)
        runs[i].measured.stepTime = 1.33 * predicted.runs.at(i).predicted;
    QVERIFY(m_workspace->addMeasuredRuns(runs));
    QVERIFY(!check->isHidden());
    part<QComboBox>(*m_page, u"dataCombo"_s)->setCurrentIndex(1);
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    auto *verdict = part<QLabel>(*m_page, u"verdictLabel"_s);
    QTRY_VERIFY2(verdict->text().contains(u"no left-out error of them is known"_s), qPrintable(verdict->text()));
    const auto medianShown = [&] {
        return verdict->text().section(u"bold\">"_s, 1, 1).section(u"\u00a0"_s, 0, 0).toDouble();
    };
    const double alone = medianShown();
    QVERIFY2(std::abs(alone - 100 * (1 - 1 / 1.33)) < 0.2, qPrintable(QString::number(alone)));
    check->setFocus();
    QTest::keyClick(check, Qt::Key_Space);
    QTRY_VERIFY2(verdict->text().contains(u"off with the project"_s), qPrintable(verdict->text()));
    QVERIFY2(medianShown() < alone / 2, qPrintable(QString::number(medianShown())));
    m_workspace->undo(); // the runs go, and with them what the project has to say
    QVERIFY(check->isHidden() && !check->isChecked());
    QTRY_VERIFY2(verdict->text().contains(u"nobody has measured"_s), qPrintable(verdict->text()));
}

/// The cheapest of the plans that keep their limits comes first; another can be chosen.
void ValidationEvidenceTest::theBestPlanIsSpokenOf()
{
    QVERIFY(m_workspace->createSample(m_folder->filePath(u"sample.fleetwright"_s), storage::ShippedProject::Decision)
                .has_value());
    const auto &plans = m_workspace->plans();
    QVERIFY(plans.size() > 2);
    for (std::size_t i = 0; i < plans.size(); ++i) { // the second costs least, of those that are feasible
        const auto json = u"{\"step_time_s\":1,\"run_cost_usd\":%1,\"feasible\":%2}"_s
                              .arg(i == 1      ? 10
                                      : i == 2 ? 1
                                               : 20)
                              .arg(i == 2 ? u"false"_s : u"true"_s);
        QVERIFY(m_workspace
                    ->saveResult(
                        plans[i].id, {u"detailed"_s, u"3.0"_s, u"of other inputs"_s, u"2026-01-01T00:00:00Z"_s, json})
                    .has_value());
    }
    knowNewSites();
    auto *chooser = part<QComboBox>(*m_page, u"planChooser"_s);
    QVERIFY(chooser->isVisible());
    QCOMPARE(chooser->currentData().toLongLong(), plans[1].id);
    QVERIFY(part<QLabel>(*m_page, u"standingLabel"_s)->text().contains(u"no answer"_s)); // to these inputs
    chooser->setFocus();
    QTest::keyClick(chooser, Qt::Key_Down);
    QCOMPARE(chooser->currentData().toLongLong(), plans[2].id);
}

void ValidationEvidenceTest::ownRunsLeadToTheCalibration()
{
    knowNewSites();
    open(u"fewShotPanel"_s);
    QSignalSpy asked(m_page.get(), &Page::calibrationRequested);
    QTest::mouseClick(part<QPushButton>(*m_page, u"fewShotFurther"_s), Qt::LeftButton);
    QCOMPARE(asked.size(), 1);
}

FLEETWRIGHT_TEST(ValidationEvidenceTest)
#include "tst_validationevidence.moc"
