// SPDX-License-Identifier: GPL-3.0-or-later
// Output sets in a project.
#include "exchange/outputdocuments.h"
#include "storage/documenttables.h"
#include "storage/support.h"
#include "testing/registry.h"

#include <QtTest>

#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

class OutputSetsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;
    QString m_path;
    std::unique_ptr<Project> m_project;

    static OutputSet sample() { return {.name = "Board paper", .files = {"board.pdf"}, .author = "A. Planner"}; }
    void reopen()
    {
        m_project.reset();
        m_project = must(Project::open(m_path));
    }

private slots:
    void init()
    {
        m_path = m_folder.filePath(u"project %1.fleetwright"_s.arg(++m_files));
        m_project = must(Project::create(m_path));
    }
    void cleanup() { m_project.reset(); }

    void setsSurviveReopening()
    {
        QVERIFY(must(m_project->outputSets()).empty());
        const auto id = must(m_project->saveOutputSet({0, sample()}));
        reopen();
        auto sets = must(m_project->outputSets());
        QCOMPARE(sets.size(), std::size_t(1));
        QVERIFY(sets.front() == (SavedOutputSet{id, sample()}));
        sets.front().document.files.push_back("workbook.xlsx");
        QCOMPARE(must(m_project->saveOutputSet(sets.front())), id);
        reopen();
        QVERIFY(must(m_project->outputSets()) == sets);
        QVERIFY(must(m_project->check()).empty());
        must(m_project->removeOutputSet(id));
        QVERIFY(must(m_project->outputSets()).empty());
        const auto gone = m_project->removeOutputSet(id);
        QVERIFY(!gone && gone.error().message.contains("output set"));
    }

    void aRemovedSetReturnsToItsPlace()
    {
        const auto first = must(m_project->saveOutputSet({0, sample()}));
        auto other = sample();
        other.name = "Another";
        must(m_project->saveOutputSet({0, other}));
        must(m_project->removeOutputSet(first));
        QCOMPARE(must(m_project->saveOutputSet({first, sample()})), first);
        QCOMPARE(must(m_project->outputSets()).front().id, first);
    }

    void whatCannotBeReadBackIsRefused()
    {
        auto set = sample();
        set.files = {"board.doc"};
        const auto refused = m_project->saveOutputSet({0, set});
        QVERIFY(!refused);
        QCOMPARE(refused.error().field, std::string("files[0]"));
        QVERIFY(must(m_project->outputSets()).empty());
    }

    void damagedSetsAreTold()
    {
        const auto id = must(m_project->saveOutputSet({0, sample()}));
        m_project.reset();
        {
            const auto database = must(Database::open(m_path, Database::Access::ReadWrite));
            must(database->execute(u"UPDATE output_set SET document = '{\"outputs\": 1}' WHERE id = ?"_s, {id}));
        }
        reopen();
        const auto sets = m_project->outputSets();
        QVERIFY(!sets && sets.error().message.contains("Board paper"));
        const auto faults = must(m_project->check());
        QCOMPARE(faults.size(), std::size_t(2)); // by its digest, and by its reader
        QCOMPARE(faults.front().field, std::string("output_sets/Board paper"));
        QVERIFY(faults.back().field.starts_with("output_sets/Board paper."));
    }

    void setsComeInAndGoOut()
    {
        must(m_project->addDocuments({exchange::Document(sample())}));
        const auto documents = must(m_project->documents());
        QCOMPARE(documents.size(), std::size_t(1));
        QVERIFY(std::get<OutputSet>(documents.front()) == sample());
    }

    void theSampleHasTwo()
    {
        const auto path = m_folder.filePath(u"sample.fleetwright"_s);
        const auto sets = must(must(Project::createSample(path, ShippedProject::Decision))->outputSets());
        QCOMPARE(sets.size(), std::size_t(2));
        QCOMPARE(sets[0].document.name, std::string("Board paper"));
        QVERIFY(sets[0].document.audience == Audience::Board);
        QCOMPARE(sets[1].document.name, std::string("For finance"));
        QVERIFY((sets[1].document.files == std::vector<std::string>{"finance.pdf", "workbook.xlsx"}));
    }
};

FLEETWRIGHT_TEST(OutputSetsTest)
#include "tst_outputsets.moc"
