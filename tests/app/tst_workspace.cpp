// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/samplerun.h"
#include "testing/registry.h"
#include "workspacetesting.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestWorkspace : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<Workspace> m_workspace;
    QString m_path;
    int m_files = 0;

    /// What a fresh reader of the file sees.
    std::vector<storage::SavedPlan> plansOnDisk() const
    {
        auto project = storage::Project::open(m_path, storage::OpenMode::ReadOnly);
        auto plans = project ? (*project)->plans() : std::vector<storage::SavedPlan>();
        return plans ? *plans : std::vector<storage::SavedPlan>();
    }

private slots:
    void init()
    {
        m_path = m_folder.filePath(u"project %1.fleetwright"_s.arg(++m_files));
        m_workspace = std::make_unique<Workspace>();
        VERIFY_OK(m_workspace->createProject(m_path));
    }

    void withoutAProjectEditsAreRefused()
    {
        Workspace empty;
        QVERIFY(!empty.isOpen());
        const auto added = empty.addPlan(examplePlan());
        QVERIFY(!added);
        QVERIFY(added.error().code == ErrorCode::IoError);
        QVERIFY(!empty.saveCopy(m_folder.filePath(u"nothing.fleetwright"_s)));
    }

    void anEditIsOnDiskWhenTheCallReturns()
    {
        QSignalSpy inserted(m_workspace.get(), &Workspace::planInserted);
        QSignalSpy saved(m_workspace.get(), &Workspace::saved);
        const auto id = m_workspace->addPlan(examplePlan());
        QVERIFY2(id, qPrintable(message(id)));
        QCOMPARE(inserted.size(), 1);
        QCOMPARE(saved.size(), 1);
        QCOMPARE(plansOnDisk(), m_workspace->plans());
        QCOMPARE(m_workspace->undoStack()->undoText(), u"Add plan \u201870B on 32 nodes\u2019"_s);
    }

    void severalPlansAreOneStep()
    {
        auto other = examplePlan();
        other.name = "Other";
        const auto first = *m_workspace->addPlan(examplePlan()), second = *m_workspace->addPlan(other);
        const auto before = m_workspace->plans();
        auto changed = before;
        for (auto &plan : changed)
            plan.document.fleet.nodes = 48;
        QSignalSpy announced(m_workspace.get(), &Workspace::planChanged);
        QSignalSpy saved(m_workspace.get(), &Workspace::saved);
        VERIFY_OK(m_workspace->editPlans(changed));
        QCOMPARE(announced.size(), 2);
        QCOMPARE(saved.size(), 1);
        QCOMPARE(plansOnDisk(), changed);
        QCOMPARE(m_workspace->undoStack()->count(), 3);
        QCOMPARE(m_workspace->undoStack()->undoText(), u"Change number of nodes of 2 plans"_s);
        m_workspace->undo();
        QCOMPARE(plansOnDisk(), before);
        m_workspace->redo();
        QCOMPARE(plansOnDisk(), changed);
        VERIFY_OK(m_workspace->editPlans(changed)); // nothing changes
        QCOMPARE(m_workspace->undoStack()->count(), 3);
        changed.front().document.fleet.nodes = 64; // one alone is an edit like others, and its name stays
        changed.front().document.name = "Renamed";
        VERIFY_OK(m_workspace->editPlans(changed));
        QCOMPARE(m_workspace->plan(first)->document.fleet.nodes, 64);
        QCOMPARE(m_workspace->plan(first)->document.name, examplePlan().name);
        QCOMPARE(m_workspace->plan(second)->document.fleet.nodes, 48);
        QVERIFY(!m_workspace->editPlans({{4711, other}}));
    }

    void undoAndRedo()
    {
        const auto id = m_workspace->addPlan(examplePlan());
        auto changed = examplePlan();
        changed.fleet.nodes = 64;
        VERIFY_OK(m_workspace->editPlan(*id, changed));
        QCOMPARE(m_workspace->undoStack()->undoText(), u"Change number of nodes of \u201870B on 32 nodes\u2019"_s);
        QCOMPARE(plansOnDisk().front().document.fleet.nodes, 64);
        auto several = changed; // each is named, and of many the first three
        several.parallelism.tp = 4;
        several.training.lora = true;
        VERIFY_OK(m_workspace->editPlan(*id, several));
        QCOMPARE(m_workspace->undoStack()->undoText(),
            u"Change tensor parallelism and LoRA of \u201870B on 32 nodes\u2019"_s);
        m_workspace->undo();
        several.fleet.nodes = 32;
        several.training.accumulationSteps = 2;
        several.costModelId = "searcher";
        VERIFY_OK(m_workspace->editPlan(*id, several));
        QCOMPARE(m_workspace->undoStack()->undoText(),
            u"Change number of nodes, tensor parallelism, LoRA and 2 more of \u201870B on 32 nodes\u2019"_s);
        m_workspace->undo();
        m_workspace->undo();
        QCOMPARE(m_workspace->plan(*id)->document, examplePlan());
        QCOMPARE(plansOnDisk(), m_workspace->plans());
        m_workspace->redo();
        QCOMPARE(m_workspace->plan(*id)->document, changed);
        QCOMPARE(plansOnDisk(), m_workspace->plans());
        m_workspace->undo();
        m_workspace->undo();
        QVERIFY(m_workspace->plans().empty());
        QVERIFY(plansOnDisk().empty());
        m_workspace->redo();
        QVERIFY2(m_workspace->plan(*id), "a restored plan keeps its id");
    }

    void anEditThatChangesNothingLeavesNoTrace()
    {
        const auto id = m_workspace->addPlan(examplePlan());
        auto changed = examplePlan();
        changed.parallelism.pp = 2;
        VERIFY_OK(m_workspace->editPlan(*id, changed));
        m_workspace->undo();
        QSignalSpy planChanged(m_workspace.get(), &Workspace::planChanged);
        QSignalSpy saved(m_workspace.get(), &Workspace::saved);
        VERIFY_OK(m_workspace->editPlan(*id, examplePlan()));
        QCOMPARE(planChanged.size(), 0);
        QCOMPARE(saved.size(), 0);
        QVERIFY2(m_workspace->undoStack()->canRedo(), "the redo history must survive");
    }

    void editsOfOneFieldMerge()
    {
        const auto id = m_workspace->addPlan(examplePlan());
        auto plan = examplePlan();
        for (const int nodes : {33, 34, 35}) {
            plan.fleet.nodes = nodes;
            VERIFY_OK(m_workspace->editPlan(*id, plan, u"nodes"_s));
        }
        QCOMPARE(m_workspace->undoStack()->count(), 2);
        plan.training.globalBatch = 512;
        VERIFY_OK(m_workspace->editPlan(*id, plan, u"batch"_s));
        QCOMPARE(m_workspace->undoStack()->count(), 3);
        m_workspace->undo();
        // An undo ends the session: the next edit of the first field is a step of its own.
        plan.training.globalBatch = 256;
        plan.fleet.nodes = 40;
        VERIFY_OK(m_workspace->editPlan(*id, plan, u"nodes"_s));
        QCOMPARE(m_workspace->undoStack()->count(), 3);
        m_workspace->undo();
        QCOMPARE(m_workspace->plan(*id)->document.fleet.nodes, 35);
        m_workspace->undo();
        QCOMPARE(m_workspace->plan(*id)->document.fleet.nodes, 32);
    }

    void editsOfDifferentPlansDoNotMerge()
    {
        const auto first = m_workspace->addPlan(examplePlan());
        const auto second = m_workspace->addPlan(examplePlan());
        auto plan = examplePlan();
        plan.fleet.nodes = 33;
        VERIFY_OK(m_workspace->editPlan(*first, plan, u"nodes"_s));
        VERIFY_OK(m_workspace->editPlan(*second, plan, u"nodes"_s));
        QCOMPARE(m_workspace->undoStack()->count(), 4);
    }

    void mergingBackToTheStartRemovesTheStep()
    {
        const auto id = m_workspace->addPlan(examplePlan());
        auto plan = examplePlan();
        plan.fleet.nodes = 33;
        VERIFY_OK(m_workspace->editPlan(*id, plan, u"nodes"_s));
        VERIFY_OK(m_workspace->editPlan(*id, examplePlan(), u"nodes"_s));
        QCOMPARE(m_workspace->undoStack()->count(), 1);
        QCOMPARE(plansOnDisk().front().document.fleet.nodes, 32);
    }

    void aRemovedPlanComesBackWhereItWasWithItsResult()
    {
        const auto first = m_workspace->addPlan(examplePlan());
        const auto second = m_workspace->addPlan(examplePlan());
        QVERIFY(first && second);
        const storage::SavedResult result{
            u"first-order"_s, u"1"_s, u"abc"_s, u"2026-01-01T00:00:00Z"_s, u"{\"step_time_s\":1}"_s};
        VERIFY_OK(m_workspace->saveResult(*first, result));
        VERIFY_OK(m_workspace->removePlan(*first));
        QVERIFY(!m_workspace->result(*first));
        QSignalSpy inserted(m_workspace.get(), &Workspace::planInserted);
        m_workspace->undo();
        QCOMPARE(inserted.size(), 1);
        QCOMPARE(inserted.front().front().toInt(), 0);
        QCOMPARE(m_workspace->plans().front().id, *first);
        QVERIFY(m_workspace->result(*first) == result);
    }

    void storingAResultIsNoUndoStep()
    {
        const auto id = m_workspace->addPlan(examplePlan());
        QSignalSpy saved(m_workspace.get(), &Workspace::resultSaved);
        const storage::SavedResult result{u"first-order"_s, u"1"_s, u"abc"_s, u"2026-01-01T00:00:00Z"_s, u"{}"_s};
        VERIFY_OK(m_workspace->saveResult(*id, result));
        VERIFY_OK(m_workspace->saveResult(*id, result));
        QCOMPARE(saved.size(), 1);
        QCOMPARE(m_workspace->undoStack()->count(), 1);
    }

    void anEditWithItsAnswerIsOneTransactionAndOneSignal()
    {
        const auto id = m_workspace->addPlan(examplePlan());
        auto document = examplePlan();
        document.fleet.nodes = 64;
        const storage::SavedResult result{u"first-order"_s, u"1"_s, u"abc"_s, u"2026-01-01T00:00:00Z"_s, u"{}"_s};
        QSignalSpy changed(m_workspace.get(), &Workspace::planChanged);
        QSignalSpy answered(m_workspace.get(), &Workspace::resultSaved);
        QSignalSpy committed(m_workspace.get(), &Workspace::saved);
        VERIFY_OK(m_workspace->editPlan(*id, document, {}, result));
        QCOMPARE(changed.size(), 1);
        QCOMPARE(answered.size(), 0);
        QCOMPARE(committed.size(), 1);
        QVERIFY(m_workspace->result(*id) == result);
        // Neither without the other.
        document.fleet.nodes = 128;
        auto noJson = result;
        noJson.estimateJson = u"{"_s;
        QVERIFY(!m_workspace->editPlan(*id, document, {}, noJson));
        QCOMPARE(m_workspace->plan(*id)->document.fleet.nodes, 64);
        QVERIFY(m_workspace->result(*id) == result);
        QCOMPARE(m_workspace->undoStack()->count(), 2);
        QCOMPARE(changed.size(), 1);
        m_workspace->undo();
        QCOMPARE(m_workspace->plan(*id)->document.fleet.nodes, 32);
        m_workspace->redo();
        QCOMPARE(m_workspace->plan(*id)->document.fleet.nodes, 64);
    }

    void formsHandInBeforeAnythingElse()
    {
        const auto id = m_workspace->addPlan(examplePlan());
        auto entry = examplePlan();
        int asked = 0;
        connect(m_workspace.get(), &Workspace::settleRequested, m_workspace.get(), [&] {
            ++asked;
            ++entry.fleet.nodes;
            VERIFY_OK(m_workspace->editPlan(*id, entry)); // which does not ask again
        });
        VERIFY_OK(m_workspace->addFleet(examplePlan().fleet));
        QCOMPARE(asked, 1);
        QCOMPARE(m_workspace->plan(*id)->document.fleet.nodes, 33);
        VERIFY_OK(m_workspace->removePlan(*id));
        QCOMPARE(asked, 2);
        m_workspace->disconnect(m_workspace.get());
        m_workspace->undo();
        QCOMPARE(m_workspace->plan(*id)->document.fleet.nodes, 34); // the removed plan had the entry
    }

    void measuredRunsComeAndGoTogether()
    {
        std::vector<validation::MeasuredRun> runs;
        for (const auto *name : {"a", "b", "c", "d", "e"})
            runs.push_back(samplerun::run(name, 14, 8, 2));
        const auto names = [this] {
            QString text;
            for (const auto &run : m_workspace->measuredRuns())
                text += QString::fromStdString(run.document.id);
            return text;
        };
        QSignalSpy replaced(m_workspace.get(), &Workspace::measuredRunsReplaced);
        VERIFY_OK(m_workspace->addMeasuredRuns(runs));
        QCOMPARE(names(), u"abcde"_s);
        QCOMPARE(replaced.size(), 1);
        const auto &rows = m_workspace->measuredRuns();
        VERIFY_OK(m_workspace->removeMeasuredRuns({rows[3].id, rows[0].id, rows[2].id}));
        QCOMPARE(names(), u"be"_s);
        QCOMPARE(replaced.size(), 2);
        m_workspace->undo();
        QCOMPARE(names(), u"abcde"_s); // each where it stood
        m_workspace->undo();
        QCOMPARE(names(), QString());
        m_workspace->redo();
        m_workspace->redo();
        QCOMPARE(names(), u"be"_s);
        QCOMPARE(replaced.size(), 6);
    }

    void fleets()
    {
        FleetDocument fleet = examplePlan().fleet;
        fleet.name = "Hall 1";
        const auto id = m_workspace->addFleet(fleet);
        QVERIFY2(id, qPrintable(message(id)));
        fleet.fabric = std::string("ib_hdr");
        VERIFY_OK(m_workspace->editFleet(*id, fleet));
        QCOMPARE(m_workspace->undoStack()->undoText(), u"Change fabric of \u2018Hall 1\u2019"_s);
        VERIFY_OK(m_workspace->removeFleet(*id));
        QVERIFY(m_workspace->fleets().empty());
        m_workspace->undo();
        QCOMPARE(m_workspace->fleet(*id)->document, fleet);
    }

    void aRemovedSweepComesBackWithItsResult()
    {
        SweepDocument sweep;
        sweep.name = "Nodes";
        sweep.plan = examplePlan();
        sweep.axes = {{"", {{"", {{"fleet.nodes", 16.0}}}, {"", {{"fleet.nodes", 32.0}}}}}};
        const auto id = m_workspace->addSweep(sweep);
        VERIFY_OK(id);
        const storage::SavedSweepResult result{u"ab"_s, u"2026-11-21T10:00:00Z"_s, u"{}"_s};
        VERIFY_OK(m_workspace->saveSweepResult(*id, result));
        QSignalSpy removed(m_workspace.get(), &Workspace::sweepRemoved),
            inserted(m_workspace.get(), &Workspace::sweepInserted);
        VERIFY_OK(m_workspace->removeSweep(*id));
        QCOMPARE(removed.size(), 1);
        QVERIFY(!m_workspace->sweep(*id));
        m_workspace->undo();
        QCOMPARE(inserted.size(), 1);
        QVERIFY(m_workspace->sweep(*id));
        QCOMPARE(m_workspace->sweepResult(*id), std::optional(result));
        QVERIFY(m_workspace->undoStack()->undoText().contains(u"sweep"_s));
    }

    void ledgerEditsAreUndoneAndProgressIsNot()
    {
        LedgerEntry entry;
        entry.when = "2026-11-21T10:00:00Z";
        entry.title = "70B";
        const auto id = m_workspace->addLedgerEntry(entry);
        VERIFY_OK(id);
        entry.note = "Agreed";
        VERIFY_OK(m_workspace->editLedgerEntry(*id, entry));
        const int steps = m_workspace->undoStack()->count();
        StudyProgress progress;
        progress.studyId = "cube";
        QSignalSpy changed(m_workspace.get(), &Workspace::studyProgressChanged);
        VERIFY_OK(m_workspace->saveStudyProgress(progress));
        QCOMPARE(changed.size(), 1);
        QCOMPARE(m_workspace->undoStack()->count(), steps);
        m_workspace->undo();
        QCOMPARE(m_workspace->ledgerEntry(*id)->document.note, std::string());
        m_workspace->undo();
        QVERIFY(m_workspace->ledger().empty());
        QVERIFY(m_workspace->studyProgress("cube").value().has_value());
    }

    void aReadOnlyProjectRefusesEdits()
    {
        Workspace second;
        VERIFY_OK(second.open(m_path));
        QVERIFY(second.isReadOnly());
        const auto added = second.addPlan(examplePlan());
        QVERIFY(!added);
        QVERIFY(added.error().code == ErrorCode::ReadOnly);
        QCOMPARE(second.undoStack()->count(), 0);
    }

    void openingABadFileKeepsTheProject_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("missing") << QByteArray();
        QTest::newRow("picture") << QByteArray("\xff\xd8\xff\xe0 not a project, however long it may be");
        QTest::newRow("half a database") << QByteArray("SQLite format 3\0 and then nothing", 33);
    }
    void openingABadFileKeepsTheProject()
    {
        QFETCH(const QByteArray, content);
        const auto bad = m_folder.filePath(u"bad.fleetwright"_s);
        QFile::remove(bad);
        if (!content.isEmpty()) {
            QFile file(bad);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
        }
        VERIFY_OK(m_workspace->addPlan(examplePlan()));
        QSignalSpy changed(m_workspace.get(), &Workspace::projectChanged);
        const auto opened = m_workspace->open(bad);
        QVERIFY(!opened);
        QVERIFY(!message(opened).isEmpty());
        QCOMPARE(changed.size(), 0);
        QCOMPARE(m_workspace->path(), m_path);
        QCOMPARE(m_workspace->plans().size(), 1UZ);
        QVERIFY(m_workspace->undoStack()->canUndo());
    }

    void openingTheOpenProjectAgainDoesNothing()
    {
        QSignalSpy changed(m_workspace.get(), &Workspace::projectChanged);
        VERIFY_OK(m_workspace->open(m_path));
        QCOMPARE(changed.size(), 0);
        QVERIFY(!m_workspace->isReadOnly());
    }

    void aFailedUndoLeavesMemoryFileAndStackAlike()
    {
        VERIFY_OK(m_workspace->saveRecord(ownFabric()));
        const auto id = m_workspace->addPlan(examplePlan());
        QVERIFY(id);
        auto changed = examplePlan();
        changed.fleet.nodes = 64;
        VERIFY_OK(m_workspace->editPlan(*id, changed));

        // A folder where SQLite wants its journal makes every write fail, as a full disk would.
        const auto journal = m_path + u"-journal"_s;
        {
            QSignalSpy failed(m_workspace.get(), &Workspace::failed);
            QSignalSpy planChanged(m_workspace.get(), &Workspace::planChanged);
            QVERIFY(QDir().mkdir(journal));
            m_workspace->undo();
            QCOMPARE(failed.size(), 1);
            QCOMPARE(planChanged.size(), 0);
            QCOMPARE(m_workspace->plan(*id)->document, changed);
            QCOMPARE(m_workspace->undoStack()->index(), 3);
            const auto refused = m_workspace->editPlan(*id, examplePlan());
            QVERIFY(!refused);
            QCOMPARE(m_workspace->undoStack()->count(), 3);
            QVERIFY(QDir().rmdir(journal));
        }
        QCOMPARE(plansOnDisk(), m_workspace->plans());
        m_workspace->undo();
        QCOMPARE(m_workspace->plan(*id)->document, examplePlan());
        QCOMPARE(plansOnDisk(), m_workspace->plans());
    }
};

FLEETWRIGHT_TEST(TestWorkspace)
#include "tst_workspace.moc"
