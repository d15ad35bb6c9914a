// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/schemaversion.h"
#include "storage/database.h"
#include "storage/projectopening.h"
#include "storage/support.h"
#include "testing/registry.h"

#include <QtTest>

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtEndian>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// What is not a project, or not a sound one, is refused or reported with a sentence and stays as it is.
class OpeningTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_sample;

    QString path(const QString &name) const { return m_folder.filePath(name); }

    /// A fresh copy of the sample project.
    QString sample(const QString &name)
    {
        if (m_sample.isEmpty()) {
            m_sample = path(u"the sample.fleetwright"_s);
            must(Project::createSample(m_sample, storage::ShippedProject::Tutorial)).reset();
        }
        const QString copy = path(name);
        QFile::remove(copy);
        if (!QFile::copy(m_sample, copy))
            throw std::runtime_error("cannot copy the sample");
        return copy;
    }

    void plant(const QString &file, const QStringList &statements)
    {
        const auto database = must(Database::open(file, Database::Access::ReadWrite));
        must(database->execute(u"PRAGMA foreign_keys = OFF"_s));
        must(database->executeAll(statements));
    }

private slots:
    /// A new project that could not be finished goes, but not from under somebody's hands.
    void takenBack()
    {
        const auto file = sample(u"unfinished.fleetwright"_s);
        const auto made = FileState::at(file);
        {
            const auto other = must(Project::open(file));
            QVERIFY(!other->isReadOnly());
            takeBack(file, made);
            QVERIFY(QFile::exists(file));
            must(other->savePlan(must(other->plans()).front()));
        }
        takeBack(file, FileState::at(m_sample)); // another file stands there
        takeBack(file, std::nullopt);
        QVERIFY(QFile::exists(file));
        takeBack(file, made);
        QVERIFY(!QFile::exists(file));
        QCOMPARE(QDir(m_folder.path()).entryList({u".unfinished*"_s}, QDir::Files | QDir::Hidden), QStringList());
    }

    void notAProject_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("says");
        QByteArray jpeg = QByteArray::fromHex("ffd8ffe000104a46494600010100000100010000ffdb0043");
        QTest::newRow("jpeg") << jpeg + QByteArray(5000, '\x5a') << u"is not a Fleetwright project"_s;
        QTest::newRow("text") << QByteArray("Dear project,\n") << u"is not a Fleetwright project"_s;
        QTest::newRow("empty") << QByteArray() << u"is empty"_s;
        QTest::newRow("cut short") << QByteArray("SQLite format 3\0and", 19) << u"is cut short"_s;
        QByteArray noPages("SQLite format 3\0", 16);
        noPages.append(QByteArray(200, '\0'));
        QTest::newRow("nothing but a header") << noPages << u"another program"_s;
        noPages.replace(68, 4, "FLWT");
        noPages[63] = 1;
        QTest::newRow("a project's header alone") << noPages << QString();
    }

    void notAProject()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, says);
        const auto file = path(u"impostor.fleetwright"_s);
        writeFile(file, content);
        for (const auto mode : {OpenMode::ReadWrite, OpenMode::ReadOnly}) {
            const auto opened = Project::open(file, mode);
            QVERIFY(!opened);
            const auto message = QString::fromStdString(opened.error().message);
            QVERIFY2(message.contains(says), qPrintable(message));
            QVERIFY2(message.contains(file), qPrintable(message));
            QCOMPARE(int(opened.error().code), int(ErrorCode::IoError));
            QCOMPARE(QString::fromStdString(opened.error().field), file);
            QVERIFY(contentOf(file) == content);
        }
        const auto beside = QDir(m_folder.path()).entryList({u"*impostor*"_s}, QDir::Files | QDir::Hidden);
        QCOMPARE(beside, QStringList{u"impostor.fleetwright"_s});
    }

    void notAFile()
    {
        const auto missing = Project::open(path(u"missing.fleetwright"_s));
        QVERIFY(!missing);
        QVERIFY(missing.error().message.contains("There is no file"));
        QVERIFY(!QFile::exists(path(u"missing.fleetwright"_s)));
        const auto folder = Project::open(m_folder.path());
        QVERIFY(!folder);
        QVERIFY(folder.error().message.contains("is a folder"));
        QVERIFY(!Project::open(QString()));
        const auto device = Project::open(u"/dev/null"_s);
        QVERIFY(!device);
    }

    void databaseOfAnotherProgram()
    {
        const auto file = path(u"other.sqlite"_s);
        {
            const auto other = must(Database::openOrCreate(file));
            must(other->executeAll({u"CREATE TABLE songs (title TEXT)"_s, u"PRAGMA user_version = 1"_s}));
        }
        const auto before = contentOf(file);
        const auto opened = Project::open(file);
        QVERIFY(!opened);
        QVERIFY(opened.error().message.contains("another program"));
        QVERIFY(contentOf(file) == before);
    }

    void noVersion_data()
    {
        QTest::addColumn<qint32>("version");
        QTest::newRow("zero") << 0;
        QTest::newRow("negative") << -1;
    }

    /// There is no step that leads from it to a version, so it is no older project either.
    void noVersion()
    {
        QFETCH(qint32, version);
        const auto file = sample(u"none.fleetwright"_s);
        auto content = contentOf(file);
        qToBigEndian(version, content.data() + 60);
        writeFile(file, content);
        for (const auto mode : {OpenMode::ReadWrite, OpenMode::ReadOnly}) {
            const auto opened = Project::open(file, mode);
            QVERIFY(!opened);
            QCOMPARE(int(opened.error().code), int(ErrorCode::Damaged));
            QVERIFY2(opened.error().message.contains("states no file format"), opened.error().message.c_str());
            QVERIFY(contentOf(file) == content);
        }
    }

    void newerVersion()
    {
        const auto file = sample(u"newer.fleetwright"_s);
        auto content = contentOf(file);
        content[63] = char(projectSchemaVersion + 1);
        writeFile(file, content);
        for (const auto mode : {OpenMode::ReadWrite, OpenMode::ReadOnly}) {
            const auto opened = Project::open(file, mode);
            QVERIFY(!opened);
            QCOMPARE(int(opened.error().code), int(ErrorCode::NewerFile));
            QVERIFY(opened.error().message.contains("newer version"));
            QVERIFY(contentOf(file) == content);
        }
        QCOMPARE(QDir(m_folder.path()).entryList({u"*newer*"_s}, QDir::Files | QDir::Hidden),
            QStringList{u"newer.fleetwright"_s});
    }

    void damaged_data()
    {
        QTest::addColumn<int>("from"); // share of the file in percent
        QTest::addColumn<int>("to");
        QTest::addColumn<bool>("cut");
        QTest::newRow("cut in half") << 50 << 100 << true;
        QTest::newRow("cut inside a page") << 97 << 100 << true;
        QTest::newRow("overwritten") << 20 << 60 << false;
        QTest::newRow("overwritten from the first page on") << 1 << 90 << false;
    }

    void damaged()
    {
        QFETCH(int, from);
        QFETCH(int, to);
        QFETCH(bool, cut);
        const auto file = sample(u"damaged.fleetwright"_s);
        auto content = contentOf(file);
        const auto start = qMax(content.size() * from / 100, qsizetype(110)) + 7;
        if (cut)
            content.truncate(start);
        else
            content.replace(
                start, content.size() * to / 100 - start, QByteArray(content.size() * to / 100 - start, '\xa5'));
        writeFile(file, content);
        const auto opened = Project::open(file);
        QVERIFY(!opened);
        const auto message = QString::fromStdString(opened.error().message);
        QVERIFY2(message.contains(u"damaged"_s) && message.contains(file), qPrintable(message));
        QVERIFY(contentOf(file) == content);
    }

    void plantedFaults_data()
    {
        QTest::addColumn<QString>("statement");
        QTest::addColumn<QString>("field");
        QTest::newRow("missing accelerator")
            << u"UPDATE node SET accelerator_id = 'no_such' WHERE id = 'nvidia_dgx_h100'"_s
            << u"nodes/nvidia_dgx_h100.accelerator_id"_s;
        QTest::newRow("out of range") << u"UPDATE node SET max_power_kw = -1 WHERE id = 'nvidia_dgx_a100_80gb'"_s
                                      << u"nodes/nvidia_dgx_a100_80gb.max_power_kw"_s;
        QTest::newRow("infinite") << u"UPDATE node SET max_power_kw = 9e999 WHERE id = 'nvidia_dgx_a100_80gb'"_s
                                  << u"nodes/nvidia_dgx_a100_80gb.max_power_kw"_s;
        QTest::newRow("list of numbers") << u"UPDATE node SET price_refs = '[3]' WHERE id = 'nvidia_dgx_a100_80gb'"_s
                                         << u"nodes/nvidia_dgx_a100_80gb.price_refs"_s;
        QTest::newRow("not JSON") << u"UPDATE fabric SET known_confusions = '[x]' WHERE id = 'ib_ndr'"_s
                                  << u"fabrics/ib_ndr.known_confusions"_s;
        QTest::newRow("unknown confidence")
            << u"UPDATE attribution SET confidence = 'gossip' WHERE item_id = 'ib_ndr'"_s
            << u"fabrics/ib_ndr.sources"_s;
        QTest::newRow("source of no catalog")
            << u"INSERT INTO source VALUES (99999, 'songs', 'x', '', '', '', '', '', '')"_s << u"sources/x"_s;
        QTest::newRow("missing required value") << u"UPDATE accelerator SET vendor = NULL WHERE id = 'nvidia_t4_16gb'"_s
                                                << u"accelerators/nvidia_t4_16gb.vendor"_s;
        QTest::newRow("plan that is not one")
            << u"UPDATE plan SET document = '{\"a\": 1}' WHERE id = 1"_s << u"plans/"_s;
        QTest::newRow("plan of a missing workload")
            << u"UPDATE plan SET document = replace(document, 'llama3_1_70b', 'llama9') WHERE id = 1"_s << u"plans/"_s;
        QTest::newRow("fleet that is not one")
            << u"UPDATE fleet SET document = '{broken}' WHERE id = 1"_s << u"fleets/"_s;
    }

    void plantedFaults()
    {
        QFETCH(QString, statement);
        QFETCH(QString, field);
        const auto file = sample(u"planted.fleetwright"_s);
        plant(file, {statement});
        const auto project = must(Project::open(file)); // what is sound stays within reach
        const auto faults = must(project->check());
        const auto found = std::ranges::find_if(
            faults, [&](const Error &fault) { return QString::fromStdString(fault.field).startsWith(field); });
        QVERIFY2(found != faults.end(), faults.empty() ? "no fault" : faults.front().field.c_str());
        QVERIFY(!found->message.empty());
        // Loading answers with the catalog or with an error, never with a crash.
        static_cast<void>(project->catalog());
        static_cast<void>(project->plans());
        static_cast<void>(project->fleets());
    }

    void hugeValue()
    {
        const auto file = sample(u"huge.fleetwright"_s);
        const auto project = must(Project::open(file));
        const std::string pasted(68'000'000, 'x'); // someone pasted a library
        auto plan = must(project->plans()).front();
        plan.document.name = pasted;
        const auto saved = project->savePlan(plan);
        QVERIFY(!saved);
        QCOMPARE(saved.error().field, std::string("name"));
        auto fabric = userCopy(must(project->catalog()), CatalogKind::Fabric, "ib_ndr", "mine");
        fabric.notes = pasted;
        const auto record = project->saveRecord(fabric);
        QVERIFY(!record);
        QVERIFY2(record.error().message.contains("64 MiB"), record.error().message.substr(0, 300).c_str());
        QVERIFY(must(project->check()).empty());
    }

    /// The journal of a vanished project must not be taken for that of a new one.
    void strayJournal()
    {
        const auto file = path(u"stray.fleetwright"_s);
        writeFile(file + u"-journal"_s, QByteArray(3000, 'x'));
        const auto created = Project::create(file);
        QVERIFY(!created);
        QVERIFY(created.error().message.contains("-journal"));
        QVERIFY(!must(Project::open(sample(u"other.fleetwright"_s)))->saveCopy(file));
        QVERIFY(!QFile::exists(file));
    }

    void folderWithoutPermission()
    {
        // Root may write everywhere, so a child that is nobody tries.
        QTemporaryDir locked(QDir::tempPath() + u"/fleetwright-readonly-XXXXXX"_s);
        const auto file = locked.filePath(u"project.fleetwright"_s);
        must(Project::createSample(file, storage::ShippedProject::Tutorial)).reset();
        const auto before = contentOf(file);
        const auto permissions = QFile::permissions(file);
        QFile::setPermissions(file, QFile::ReadOwner | QFile::ReadGroup | QFile::ReadOther);
        QFile::setPermissions(locked.path(), QFile::ReadOwner | QFile::ExeOwner | QFile::ReadOther | QFile::ExeOther);
        QProcess child;
        child.start(QStringLiteral(FLEETWRIGHT_PROJECT_CHILD), {u"nobody"_s, file});
        QVERIFY(child.waitForFinished());
        const auto answer = QString::fromUtf8(child.readAllStandardOutput());
        QFile::setPermissions(
            file, permissions & ~(QFile::ReadOther | QFile::ReadGroup | QFile::ReadUser | QFile::ReadOwner));
        child.start(QStringLiteral(FLEETWRIGHT_PROJECT_CHILD), {u"nobody"_s, file});
        QVERIFY(child.waitForFinished());
        const auto unreadable = QString::fromUtf8(child.readAllStandardOutput());
        QFile::setPermissions(file, permissions);
        QFile::setPermissions(locked.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QVERIFY2(answer.startsWith(u"read-only: The file is write-protected"_s), qPrintable(answer));
        QVERIFY2(answer.contains(u"refused: "_s), qPrintable(answer));
        QVERIFY2(
            unreadable.startsWith(u"error: "_s) && unreadable.contains(u"could not be read"_s), qPrintable(unreadable));
        QVERIFY(contentOf(file) == before);
    }
};

FLEETWRIGHT_TEST(OpeningTest)
#include "tst_opening.moc"
