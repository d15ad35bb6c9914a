// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/samplerun.h"
#include "storage/database.h"
#include "storage/support.h"
#include "testing/registry.h"

#include <QtTest>

#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// Sweeps, studies, the ledger and measured runs in a project; plans and fleets are in tst_project.
class DocumentsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;
    QString m_path;
    std::unique_ptr<Project> m_project;

    SweepDocument sweep() const
    {
        SweepDocument document;
        document.name = "Efficiency by node count";
        document.question = "How far does it scale?";
        document.plan = must(m_project->plans()).front().document;
        document.axes = {{"Nodes", {{"", {{"fleet.nodes", 16.0}}}, {"", {{"fleet.nodes", 32.0}}}}}};
        document.figure = "scaling_efficiency";
        document.mark = 0.5;
        return document;
    }
    static LedgerEntry entry()
    {
        LedgerEntry entry;
        entry.when = "2026-11-21T10:00:00Z";
        entry.title = "70B on 256";
        entry.tp = 8;
        entry.mfu = 0.41;
        entry.memoryFeasible = true;
        entry.note = "Agreed with finance.";
        return entry;
    }
    void reopen()
    {
        m_project.reset();
        m_project = must(Project::open(m_path));
    }

private slots:
    void init()
    {
        m_path = m_folder.filePath(u"project %1.fleetwright"_s.arg(++m_files));
        m_project = must(Project::createSample(m_path, storage::ShippedProject::Tutorial));
    }

    void sweepsSurviveReopening()
    {
        const auto shipped = must(m_project->sweeps()).size();
        const auto id = must(m_project->saveSweep({0, sweep()}));
        QVERIFY(id > 0);
        reopen();
        auto sweeps = must(m_project->sweeps());
        QCOMPARE(sweeps.size(), shipped + 1);
        QCOMPARE(sweeps.back(), (SavedSweep{id, sweep()}));
        sweeps.back().document.view = SweepView::HeatMap;
        QCOMPARE(must(m_project->saveSweep(sweeps.back())), id);
        reopen();
        QVERIFY(must(m_project->sweeps()).back().document.view == SweepView::HeatMap);
    }

    void aSweepKeepsItsLastResult()
    {
        const auto id = must(m_project->saveSweep({0, sweep()}));
        QVERIFY(!must(m_project->sweepResult(id)));
        const SavedSweepResult result{u"ab12"_s, u"2026-11-21T10:00:00Z"_s, u"{\"cells\":[]}"_s};
        must(m_project->saveSweepResult(id, result));
        reopen();
        QCOMPARE(must(m_project->sweepResult(id)), std::optional(result));
        QVERIFY(!m_project->saveSweepResult(id, {u"cd"_s, u"now"_s, u"{broken"_s}));
        QVERIFY(!m_project->saveSweepResult(id + 1000, result));
        QCOMPARE(must(m_project->sweepResult(id)), std::optional(result));
        must(m_project->removeSweep(id));
        QVERIFY(!must(m_project->sweepResult(id)));
        QVERIFY(!m_project->removeSweep(id));
    }

    void aSweepThatCannotBeReadBackIsNotSaved()
    {
        auto broken = sweep();
        broken.axes.clear();
        const auto before = contentOf(m_path);
        const auto saved = m_project->saveSweep({0, broken});
        QVERIFY(!saved);
        QCOMPARE(saved.error().field, std::string("axes")); // what the reader says, who would have to read it back
        QVERIFY2(saved.error().message.contains("list of one or two axes"), saved.error().message.c_str());
        QVERIFY(contentOf(m_path) == before);
    }

    void progressIsKeptByStudy()
    {
        StudyProgress progress;
        progress.studyId = "dp-wall";
        progress.currentStep = "why";
        progress.answers = {{"guess", "communication"}};
        progress.reflections = {{"thoughts", "Ü – two\nlines"}};
        QVERIFY(!must(m_project->studyProgress("dp-wall")));
        must(m_project->saveStudyProgress(progress));
        progress.finished = true;
        must(m_project->saveStudyProgress(progress));
        reopen();
        QCOMPARE(must(m_project->studyProgress("dp-wall")), std::optional(progress));
        QVERIFY(!must(m_project->studyProgress("cube")));
        must(m_project->removeStudyProgress("dp-wall"));
        must(m_project->removeStudyProgress("dp-wall"));
        QVERIFY(!must(m_project->studyProgress("dp-wall")));
    }

    void ledgerEntriesComeBackWhereTheyWere()
    {
        const auto first = must(m_project->saveLedgerEntry({0, entry()}));
        auto other = entry();
        other.title = "405B";
        const auto second = must(m_project->saveLedgerEntry({0, other}));
        must(m_project->removeLedgerEntry(first));
        must(m_project->saveLedgerEntry({first, entry()})); // as undo does
        reopen();
        const auto ledger = must(m_project->ledger());
        QCOMPARE(ledger.size(), 2U);
        QCOMPARE(ledger[0], (SavedLedgerEntry{first, entry()}));
        QCOMPARE(ledger[1], (SavedLedgerEntry{second, other}));
    }

    void plansAreSavedTogetherOrNotAtAll()
    {
        auto plans = must(m_project->plans());
        while (plans.size() < 2) {
            must(m_project->savePlan({0, plans.front().document}));
            plans = must(m_project->plans());
        }
        auto changed = plans;
        for (auto &plan : changed)
            plan.document.fleet.nodes += 7;
        must(m_project->savePlans(changed));
        reopen();
        QCOMPARE(must(m_project->plans()), changed);
        auto half = plans;
        half.back().document.name = std::string(100'000, 'x');
        QVERIFY(!m_project->savePlans(half));
        QCOMPARE(must(m_project->plans()), changed);
    }

    void measuredRunsComeInOneTransaction()
    {
        const std::vector<SavedMeasuredRun> three{
            {0, samplerun::run("a", 9)}, {0, samplerun::run("b", 10)}, {0, samplerun::run("c", 11)}};
        const auto ids = must(m_project->saveMeasuredRuns(three));
        QCOMPARE(ids.size(), 3UZ);
        must(m_project->removeMeasuredRuns({ids[0], ids[1]}));
        must(m_project->saveMeasuredRuns({{ids[0], three[0].document}, {ids[1], three[1].document}})); // as undo does
        reopen();
        const auto runs = must(m_project->measuredRuns());
        QCOMPARE(runs.size(), 3UZ);
        for (std::size_t i = 0; i < runs.size(); ++i)
            QCOMPARE(runs[i], (SavedMeasuredRun{ids[i], three[i].document}));
        auto endless = samplerun::run("endless", 9);
        endless.id = std::string(1000, 'x');
        QVERIFY(!m_project->saveMeasuredRuns({{0, samplerun::run("d", 9)}, {0, endless}}));
        QVERIFY(!m_project->removeMeasuredRuns({ids[0], 4711}));
        QCOMPARE(must(m_project->measuredRuns()).size(), 3UZ); // all or nothing
        QVERIFY(must(m_project->check()).empty());
        const auto documents = must(m_project->documents());
        const auto *file = std::get_if<validation::RunFile>(&documents.back());
        QVERIFY(file && file->runs.size() == 3);
        must(m_project->addDocuments({*file}));
        QCOMPARE(must(m_project->measuredRuns()).size(), 6UZ);
    }

    void calibrationReplacesInOneTransaction()
    {
        const auto catalog = must(m_project->catalog());
        const auto kind = CatalogKind::CalibrationConstant;
        const auto first = userCopy(catalog, kind, catalog.records(kind)[0].id, "first"),
                   second = userCopy(catalog, kind, catalog.records(kind)[1].id, "second");
        must(m_project->replaceRecords({}, {first}));
        auto wrong = second;
        wrong.values["value"] = 1e9;
        QVERIFY(!m_project->replaceRecords({first}, {wrong}));
        QVERIFY(must(m_project->catalog()).find(kind, "first")); // the removal did not happen either
        must(m_project->replaceRecords({first}, {second}));
        reopen();
        QVERIFY(!must(m_project->catalog()).find(kind, "first"));
        QVERIFY(*must(m_project->catalog()).find(kind, "second") == second);
    }

    /// Typed or pasted: as in a file, which is refused for them when it is read.
    void nothingHiddenIsSaved()
    {
        const std::string turned = "A \u202etxet", coloured = "A \x1b[31mtext";
        const auto refused = [](const auto &saved, const std::string &field) {
            QVERIFY(!saved);
            QCOMPARE(saved.error().field, field);
            QCOMPARE(int(saved.error().code), int(ErrorCode::UnsupportedValue));
            QVERIFY2(
                saved.error().message.contains("holds a character that nobody sees"), saved.error().message.c_str());
        };
        auto plan = must(m_project->plans()).front();
        const auto before = plan;
        plan.document.name = turned;
        refused(m_project->savePlan(plan), "name");
        refused(m_project->addDocuments({plan.document}), "name");
        auto fleet = must(m_project->fleets()).front();
        fleet.document.name = coloured;
        refused(m_project->saveFleet(fleet), "name");
        auto asked = sweep();
        asked.question = turned;
        refused(m_project->saveSweep({0, asked}), "question");
        auto noted = entry();
        noted.title = turned;
        refused(m_project->saveLedgerEntry({0, noted}), "title");
        auto run = samplerun::run("run \u200b", 9);
        refused(m_project->saveMeasuredRun({0, run}), "id");
        refused(m_project->saveMeasuredRuns({{0, run}}), "id");
        QVERIFY(must(m_project->plans()).front() == before);
        noted = entry();
        noted.note = turned; // notes are pasted from anywhere, and shown with it made visible
        must(m_project->saveLedgerEntry({0, noted}));

        // What came into an older project is there, and can be corrected.
        must(must(Database::open(m_path, Database::Access::ReadWrite))
                 ->execute(u"UPDATE plan SET name = 'A ' || char(8238), document = replace(document, ?, 'A ' || "
                           "char(8238)) WHERE id = ?"_s,
                     {QString::fromStdString(before.document.name), before.id}));
        reopen();
        const auto old = must(m_project->plans()).front();
        QCOMPARE(old.document.name, std::string("A \u202e"));
        must(m_project->removePlan(old.id)); // and to take that back loses nothing
        must(m_project->savePlan(old));
        QVERIFY(must(m_project->plans()).front() == old);
        refused(m_project->savePlan(old), "name");
        must(m_project->savePlan(before));
    }

    void nothingIsWrittenToAProjectOpenForReading()
    {
        m_project.reset();
        m_project = must(Project::open(m_path, OpenMode::ReadOnly));
        const auto before = contentOf(m_path);
        QVERIFY(!m_project->saveSweep({0, sweep()}));
        QVERIFY(!m_project->saveLedgerEntry({0, entry()}));
        QVERIFY(!m_project->saveMeasuredRun({0, samplerun::run("a", 9)}));
        StudyProgress progress;
        progress.studyId = "cube";
        QVERIFY(!m_project->saveStudyProgress(progress));
        QVERIFY(contentOf(m_path) == before);
    }

    void checksFindDamage()
    {
        must(m_project->saveSweep({0, sweep()}));
        must(m_project->saveLedgerEntry({0, entry()}));
        QVERIFY(must(m_project->check()).empty());
        m_project.reset();
        {
            auto database = must(Database::open(m_path, Database::Access::ReadWrite));
            must(database->execute(u"UPDATE ledger_entry SET document = '{}'"_s));
            must(database->execute(u"INSERT INTO study_progress (study, progress) VALUES ('x', '{nonsense}')"_s));
        }
        m_project = must(Project::open(m_path));
        QStringList fields;
        for (const auto &fault : must(m_project->check()))
            fields << QString::fromStdString(fault.field);
        QCOMPARE(fields.size(), 4); // by their digests, and by their readers
        QVERIFY2(fields[0].startsWith(u"ledger/"_s), qPrintable(fields[0]));
        QCOMPARE(fields[1], u"study_progress/x"_s);
        QVERIFY2(fields[2].startsWith(u"ledger/"_s), qPrintable(fields[2]));
        QCOMPARE(fields[3], u"study_progress/x"_s);
    }
};

FLEETWRIGHT_TEST(DocumentsTest)
#include "tst_documents.moc"
