// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/documents.h"
#include "storage/database.h"
#include "storage/support.h"
#include "testing/processortime.h"
#include "testing/registry.h"

#include <QtTest>

#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// What is stored is read within the limits of what is imported.
class StoredLimitsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void hostileTexts_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QString keys = u"{\"k\":0"_s;
        for (int i = 0; i < 100'000; ++i)
            keys += u",\"k%1\":0"_s.arg(i);
        QTest::newRow("a hundred thousand keys") << keys + u'}' << u"keys"_s;
        QTest::newRow("deep") << u"{\"a\":"_s + QString(100'000, u'[') + QString(100'000, u']') + u'}' << u"levels"_s;
        QTest::newRow("twice the same key") << u"{\"a\":1,\"a\":2}"_s << u"stands twice"_s;
        QTest::newRow("not JSON") << u"{broken}"_s << u"The stored text is not what Fleetwright writes"_s;
    }

    void hostileTexts()
    {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const auto path = m_folder.filePath(u"%1.fleetwright"_s.arg(QLatin1String(QTest::currentDataTag())));
        {
            const auto project = must(Project::createSample(path, ShippedProject::Tutorial));
            StudyProgress progress;
            progress.studyId = "a-study";
            must(project->saveStudyProgress(progress));
            must(project->saveDecision({0, someDecision()}));
            must(project->saveDecisionResult(1, {u"hash"_s, u"2026-01-01T00:00:00Z"_s, u"{}"_s}));
        }
        {
            const auto database = must(Database::open(path, Database::Access::ReadWrite));
            for (const auto *table : {"plan", "fleet", "sweep", "decision"})
                must(database->execute(
                    u"UPDATE %1 SET document = ? WHERE id = 1"_s.arg(QString::fromLatin1(table)), {text}));
            must(database->execute(u"UPDATE study_progress SET progress = ?"_s, {text}));
            must(database->execute(u"UPDATE decision_result SET result = ?"_s, {text}));
        }
        const double before = testing::processorSeconds();
        const auto project = must(Project::open(path));
        for (const auto &error : {project->plans().error(), project->fleets().error(), project->sweeps().error(),
                 project->decisions().error(), project->studyProgress("a-study").error(),
                 project->decisionResult(1).error()})
            QVERIFY2(QString::fromStdString(error.message).contains(says), error.message.substr(0, 300).c_str());
        const auto faults = must(project->check());
        QVERIFY(faults.size() >= 5);
        QVERIFY2(testing::processorSeconds() - before < 5 * testing::sanitizerSlowdown, "nine seconds once");
    }

    /// A sweep that lacks its name is a sweep nevertheless.
    void brokenSweep()
    {
        const auto read = exchange::documentFromText("fleetwright: 1\nplan: {workload: x}\naxes: [{key: a}]\n");
        QVERIFY(!read);
        QVERIFY2(read.error().message.contains("weep"), read.error().message.c_str());
    }

private:
    static DecisionDocument someDecision()
    {
        return std::get<DecisionDocument>(must(exchange::documentFromText(
            "fleetwright: 1\ndecision: Asked\njobs: [{workload: llama3_1_70b, tokens: 1e12, training: {global_batch: "
            "1024, seq_len: 4096, precision: bf16}}]\n")));
    }
};

FLEETWRIGHT_TEST(StoredLimitsTest)
#include "tst_storedlimits.moc"
