// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/clitesting.h"
#include "domain/schemaversion.h"
#include "storage/database.h"
#include "storage/project.h"
#include "testing/registry.h"

#include <QDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace clirunner;
using namespace clitesting;
using namespace fleetwright;

/// Commands on projects that are older, were cut off in an edit, or that somebody else has open.
class TestCliOpening : public QObject, CliFixture {
    Q_OBJECT

    QString sample()
    {
        const auto path = m_folder->filePath(u"mine.fleetwright"_s);
        if (run({u"project"_s, u"new"_s, path, u"--sample"_s, u"tutorial"_s}).status != 0)
            throw std::runtime_error("no sample");
        return path;
    }

    QString older(int version)
    {
        const auto path = m_folder->filePath(u"older.fleetwright"_s);
        QFile::copy(QStringLiteral(FLEETWRIGHT_TEST_DATA "/projects/version-%1.fleetwright").arg(version), path);
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
        return path;
    }

    /// As a killed writer leaves it.
    QString interrupted()
    {
        const auto path = sample(), made = m_folder->filePath(u"interrupted.fleetwright"_s);
        const auto database = storage::Database::open(path, storage::Database::Access::ReadWrite).value();
        database->execute(u"PRAGMA cache_size = 1"_s).value();
        const auto transaction = storage::Transaction::begin(*database).value();
        database->execute(u"UPDATE plan SET document = '{}', name = 'half done'"_s).value();
        database->execute(u"UPDATE accelerator SET notes = notes || hex(zeroblob(2000))"_s).value();
        QFile::copy(path, made);
        QFile::copy(path + u"-journal"_s, made + u"-journal"_s);
        return made;
    }

    /// Commands that only read.
    QList<QStringList> readers(const QString &path) const
    {
        return {{u"project"_s, u"check"_s, path}, {u"solve"_s, u"-"_s, u"--project"_s, path},
            {u"report"_s, path, u"-o"_s, m_folder->filePath(u"out.pdf"_s)},
            {u"project"_s, u"export"_s, path, u"-o"_s, m_folder->filePath(u"documents"_s)},
            {u"catalog"_s, u"list"_s, u"prices"_s, u"--project"_s, path},
            {u"catalog"_s, u"update"_s, u"--project"_s, path}};
    }

private slots:
    void init() { makeFolder(); }

    void readersReadOlderProjects()
    {
        const auto path = older(5);
        const auto before = fileContent(path);
        for (const auto &arguments : readers(path)) {
            const auto ran = run(arguments, samplePlan);
            QVERIFY2(ran.status == 0, (arguments.join(u' ').toUtf8() + ran.err).constData());
        }
        QVERIFY(fileContent(path) == before);
        QCOMPARE(QDir(m_folder->path()).entryList({u"*older*"_s}, QDir::Files | QDir::Hidden),
            QStringList{u"older.fleetwright"_s});
    }

    void readersReadWhatWasCutOff()
    {
        const auto path = interrupted();
        for (const auto &arguments : readers(path)) {
            const auto ran = run(arguments, samplePlan);
            QVERIFY2(ran.status == 0, (arguments.join(u' ').toUtf8() + ran.err).constData());
        }
        QVERIFY(!QFile::exists(path + u"-journal"_s)); // the first has undone it for good
    }

    void upgrades()
    {
        const auto path = older(2);
        const auto before = fileContent(path);
        const auto done = run({u"project"_s, u"upgrade"_s, path});
        QVERIFY2(done.status == 0, done.err.constData());
        QVERIFY2(done.out.contains("from file format 2 to " + QByteArray::number(projectSchemaVersion)),
            done.out.constData());
        const auto backup = QString::fromUtf8(done.out.trimmed()).section(u"it is kept in "_s, 1).chopped(1);
        QVERIFY2(QFile::exists(backup), qPrintable(backup));
        QCOMPARE(run({u"project"_s, u"check"_s, backup}).status, 0);
        QVERIFY(fileContent(path) != before);
        const auto again = run({u"project"_s, u"upgrade"_s, path});
        QVERIFY2(again.status == 0 && again.out.contains("already; nothing was changed"), again.out.constData());
        const auto damaged = run({u"project"_s, u"upgrade"_s, file(u"no.fleetwright"_s, "no project")});
        QCOMPARE(damaged.status, 5);
    }

    /// Who writes waits for a while, and says so.
    void writersWaitTheirTurn()
    {
        const auto path = sample();
        const auto plan = file(u"plan.yaml"_s, samplePlan);
        auto window = storage::Project::open(path).value();
        QVERIFY(!window->isReadOnly());
        const QStringList import{u"project"_s, u"import"_s, path, plan};
        const auto refused = run(import + QStringList{u"--wait"_s, u"0"_s});
        QCOMPARE(refused.status, 5);
        QVERIFY2(refused.err.contains("process " + QByteArray::number(QCoreApplication::applicationPid())),
            refused.err.constData());
        QVERIFY(!refused.err.contains("waiting"));
        QCOMPARE(run(import + QStringList{u"--wait"_s, u"-1"_s}).status, 2);

        QProcess waiting;
        waiting.setReadChannel(QProcess::StandardError);
        waiting.start(QStringLiteral(FLEETWRIGHT_CLI), import + QStringList{u"--wait"_s, u"600"_s});
        while (!waiting.canReadLine()) // a line may come in pieces
            QVERIFY(waiting.waitForReadyRead());
        const auto said = waiting.readLine();
        QVERIFY2(said.contains("waiting for it to be closed"), said.constData());
        const auto plans = window->plans()->size();
        window.reset();
        QVERIFY(waiting.waitForFinished());
        QCOMPARE(waiting.exitCode(), 0);
        QCOMPARE(storage::Project::open(path).value()->plans()->size(), plans + 1);
    }

    void readersDoNotWait()
    {
        const auto path = sample();
        const auto window = storage::Project::open(path).value();
        for (const auto &arguments : readers(path)) {
            const auto ran = run(arguments, samplePlan);
            QVERIFY2(ran.status == 0, (arguments.join(u' ').toUtf8() + ran.err).constData());
        }
    }

    void everyWriterHasTheOptions_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("import") << QStringList{u"project"_s, u"import"_s};
        QTest::newRow("upgrade") << QStringList{u"project"_s, u"upgrade"_s};
        QTest::newRow("catalog add") << QStringList{u"catalog"_s, u"add"_s};
        QTest::newRow("catalog import") << QStringList{u"catalog"_s, u"import"_s};
        QTest::newRow("catalog update") << QStringList{u"catalog"_s, u"update"_s};
        QTest::newRow("calibrate") << QStringList{u"calibrate"_s};
    }

    void everyWriterHasTheOptions()
    {
        QFETCH(QStringList, command);
        const auto help = run(command + QStringList{u"--help"_s});
        QVERIFY2(help.out.contains("--wait") && help.out.contains("--take-over"), help.out.constData());
    }
};

FLEETWRIGHT_TEST(TestCliOpening)
#include "tst_cliopening.moc"
