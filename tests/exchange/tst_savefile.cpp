// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/schemaversion.h"
#include "exchange/savefile.h"
#include "testing/registry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using exchange::checkSavable;
using exchange::putInPlace;
using exchange::saveFile;
using exchange::saveNewFile;

namespace {

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
}

void put(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

/// The first bytes of an SQLite database of the program with this id.
QByteArray database(quint32 applicationId)
{
    QByteArray header(4096, '\0');
    header.replace(0, 16, QByteArray("SQLite format 3\0", 16));
    qToBigEndian(applicationId, header.data() + 68);
    return header;
}

} // namespace

/// Files are written completely or not at all, and never over a project.
class TestSaveFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_work; ///< a folder of its own for each row

    [[nodiscard]] QString file(const QString &name) const { return m_work + u'/' + name; }
    [[nodiscard]] QStringList files() const
    {
        return QDir(m_work).entryList(QDir::Files | QDir::Hidden | QDir::System, QDir::Name);
    }

private slots:
    void init()
    {
        static int count = 0;
        m_work = m_folder.filePath(QString::number(++count));
        QVERIFY(QDir().mkpath(m_work));
    }

    void writes_data()
    {
        QTest::addColumn<int>("size");
        for (const int size : {0, 1, 5000, 16383, 16384, 16385, 300'000})
            QTest::addRow("%d bytes", size) << size;
    }
    void writes()
    {
        QFETCH(int, size);
        const QByteArray bytes(size, 'x');
        QVERIFY(saveFile(bytes, file(u"answer.json"_s)));
        QCOMPARE(bytesOf(file(u"answer.json"_s)), bytes);
        QVERIFY(saveFile("other", file(u"answer.json"_s))); // replaced
        QCOMPARE(bytesOf(file(u"answer.json"_s)), QByteArray("other"));
        QVERIFY(saveNewFile(bytes, file(u"new.fleetwright"_s)));
        QCOMPARE(bytesOf(file(u"new.fleetwright"_s)), bytes);
        QCOMPARE(files(), (QStringList{u"answer.json"_s, u"new.fleetwright"_s}));
    }

    void keepsLinksAndPermissions()
    {
        put(file(u"kept.csv"_s), "old");
        const auto permissions = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser
            | QFile::ReadGroup;
        QVERIFY(QFile::setPermissions(file(u"kept.csv"_s), permissions));
        QVERIFY(QFile::link(u"kept.csv"_s, file(u"link.csv"_s)));
        QVERIFY(QFile::link(u"link.csv"_s, file(u"second.csv"_s)));
        QVERIFY(saveFile("new", file(u"second.csv"_s)));
        QCOMPARE(bytesOf(file(u"kept.csv"_s)), QByteArray("new"));
        QCOMPARE(QFile::permissions(file(u"kept.csv"_s)), permissions);
        QVERIFY(QFileInfo(file(u"link.csv"_s)).isSymLink() && QFileInfo(file(u"second.csv"_s)).isSymLink());

        QVERIFY(QFile::link(u"later.csv"_s, file(u"dangling.csv"_s))); // made where the link leads
        QVERIFY(saveFile("later", file(u"dangling.csv"_s)));
        QCOMPARE(bytesOf(file(u"later.csv"_s)), QByteArray("later"));

        QVERIFY(QFile::link(u"b.csv"_s, file(u"a.csv"_s)) && QFile::link(u"a.csv"_s, file(u"b.csv"_s)));
        const auto circle = saveFile("x", file(u"a.csv"_s));
        QVERIFY(!circle && circle.error().message.find("leads back to itself") != std::string::npos);
    }

    /// Its folder would let it be replaced. Root may write everywhere, so a child that is nobody tries.
    void writeProtectedFile()
    {
        const auto path = file(u"protected.csv"_s);
        put(path, "old");
        for (const auto &folder : {m_folder.path(), m_work})
            QVERIFY(QFile::setPermissions(folder,
                QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadOther | QFile::WriteOther
                    | QFile::ExeOther));
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::ReadOther));
        QProcess child;
        child.start(
            QCoreApplication::applicationFilePath(), {u"savefile"_s, u"--child"_s, u"nobody"_s, path, u"100"_s});
        QVERIFY(child.waitForFinished(60000));
        const auto said = QString::fromUtf8(child.readAllStandardError());
        QVERIFY2(said.contains(u"the file is write-protected"_s), qPrintable(said));
        QCOMPARE(child.exitCode(), 1);
        QCOMPARE(bytesOf(path), QByteArray("old"));
        QCOMPARE(files(), QStringList{u"protected.csv"_s});
    }

    /// The disk is full after 1 KiB: what is smaller than any buffer must be noticed, too.
    void fullDisk_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<bool>("existing");
        for (const int size : {1100, 12'000, 16'384, 300'000})
            for (const bool existing : {true, false})
                QTest::addRow("%d bytes, %s", size, existing ? "replacing" : "new") << size << existing;
    }
    void fullDisk()
    {
        QFETCH(int, size);
        QFETCH(bool, existing);
        if (existing)
            put(file(u"answer.json"_s), "the old answer");
        for (const auto &how : {u"replace"_s, u"new"_s}) {
            const auto path = file(how == u"new"_s ? u"made.fleetwright"_s : u"answer.json"_s);
            QProcess child;
            child.start(QCoreApplication::applicationFilePath(),
                {u"savefile"_s, u"--child"_s, how, path, QString::number(size)});
            QVERIFY(child.waitForFinished(60000));
            QCOMPARE(child.exitStatus(), QProcess::NormalExit);
            const auto said = QString::fromUtf8(child.readAllStandardError());
            QVERIFY2(child.exitCode() == 1, qPrintable(how + u": "_s + said));
            QVERIFY2(said.contains(u"could not be written"_s) && said.contains(path) && said.contains(u"Free some"_s)
                    && said.contains(u"larger than"_s),
                qPrintable(said));
        }
        QCOMPARE(files(), existing ? QStringList{u"answer.json"_s} : QStringList());
        if (existing)
            QCOMPARE(bytesOf(file(u"answer.json"_s)), QByteArray("the old answer"));
    }

    void projectsAreNeverReplaced_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("says");
        const auto named = u"belongs to a project"_s, is = u"it is a project"_s;
        QTest::newRow("by its name") << u"plan.fleetwright"_s << named;
        QTest::newRow("by a name to be") << u"new.fleetwright"_s << named;
        QTest::newRow("by a name in capitals") << u"new.FLEETWRIGHT"_s << named;
        QTest::newRow("renamed") << u"renamed.pdf"_s << is;
        QTest::newRow("hard link") << u"hard.pdf"_s << is;
        QTest::newRow("symbolic link") << u"soft.pdf"_s << named;
        QTest::newRow("symbolic link to the renamed one") << u"softer.pdf"_s << is;
    }
    void projectsAreNeverReplaced()
    {
        QFETCH(QString, name);
        QFETCH(QString, says);
        const auto project = database(projectApplicationId);
        put(file(u"plan.fleetwright"_s), project);
        put(file(u"renamed.pdf"_s), project);
        QCOMPARE(::link(QFile::encodeName(file(u"plan.fleetwright"_s)).constData(),
                     QFile::encodeName(file(u"hard.pdf"_s)).constData()),
            0);
        QVERIFY(QFile::link(u"plan.fleetwright"_s, file(u"soft.pdf"_s)));
        QVERIFY(QFile::link(u"renamed.pdf"_s, file(u"softer.pdf"_s)));
        const auto before = files();
        for (const auto &refused : {saveFile("%PDF", file(name)), checkSavable(file(name))}) {
            QVERIFY(!refused);
            QVERIFY(refused.error().code == ErrorCode::IoError);
            QCOMPARE(refused.error().field, file(name).toStdString());
            QVERIFY2(QString::fromStdString(refused.error().message).contains(says), refused.error().message.c_str());
        }
        QCOMPARE(files(), before);
        QCOMPARE(bytesOf(file(u"plan.fleetwright"_s)), project);
        QCOMPARE(bytesOf(file(u"renamed.pdf"_s)), project);
    }

    void otherDatabasesAreFiles()
    {
        put(file(u"other.db"_s), database(0));
        QVERIFY(checkSavable(file(u"other.db"_s)));
        QVERIFY(saveFile("x", file(u"other.db"_s)));
    }

    void newFilesReplaceNothing()
    {
        put(file(u"there.yaml"_s), "old");
        const auto refused = saveNewFile("new", file(u"there.yaml"_s));
        QVERIFY(!refused && refused.error().message.find("exists already") != std::string::npos);
        QCOMPARE(bytesOf(file(u"there.yaml"_s)), QByteArray("old"));
        QVERIFY(QFile::link(u"nowhere"_s, file(u"dangling"_s)));
        QVERIFY(!saveNewFile("new", file(u"dangling"_s)));
    }

    void putsInPlace()
    {
        put(file(u"unfinished"_s), "whole");
        put(file(u"copy.fleetwright"_s), "old");
        QVERIFY(putInPlace(file(u"unfinished"_s), file(u"copy.fleetwright"_s)));
        QCOMPARE(bytesOf(file(u"copy.fleetwright"_s)), QByteArray("whole"));
        QCOMPARE(files(), QStringList{u"copy.fleetwright"_s});
        QVERIFY(!putInPlace(file(u"missing"_s), file(u"copy.fleetwright"_s)));
        put(file(u"unfinished"_s), "newer"); // over nothing that appeared meanwhile
        const auto refused = exchange::putNewInPlace(file(u"unfinished"_s), file(u"copy.fleetwright"_s));
        QVERIFY(!refused && refused.error().message.find("exists already") != std::string::npos);
        QCOMPARE(bytesOf(file(u"copy.fleetwright"_s)), QByteArray("whole"));
        QVERIFY(exchange::putNewInPlace(file(u"unfinished"_s), file(u"new.fleetwright"_s)));
        QCOMPARE(files(), (QStringList{u"copy.fleetwright"_s, u"new.fleetwright"_s}));
    }

    /// What a killed process left is removed by the next write; what a living one is at is not.
    /// What something else writes, with a file beside it.
    void madeBySomethingElse()
    {
        const auto target = file(u"made.fleetwright"_s);
        QString unfinished;
        const auto make = [&](const QString &path) -> Expected<void> {
            unfinished = path;
            put(path, "whole");
            put(path + u"-journal"_s, "beside it");
            return {};
        };
        const auto left = [&] {
            return QDir(m_work).entryList({u".*"_s}, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        };
        QVERIFY(exchange::saveMade(target, exchange::Placing::New, make));
        QCOMPARE(bytesOf(target), QByteArray("whole"));
        QCOMPARE(QFileInfo(unfinished).fileName(), u"made.fleetwright"_s);
        QVERIFY(!exchange::saveMade(target, exchange::Placing::New, make));
        put(target, "old");
        QVERIFY(exchange::saveMade(target, exchange::Placing::Replacing, make));
        QCOMPARE(bytesOf(target), QByteArray("whole"));
        const auto refused = exchange::saveMade(target, exchange::Placing::Replacing, [&](const QString &path) {
            return make(path) ? refuse(ErrorCode::Cancelled, {}, "No more.") : Expected<void>();
        });
        QCOMPARE(int(refused.error().code), int(ErrorCode::Cancelled));
        QCOMPARE(bytesOf(target), QByteArray("whole"));
        QCOMPARE(left(), QStringList());

        // Killed in the middle, also of writing another one into it: the next one tidies up, but for the living.
        const auto lock = [](const QString &folder) {
            return ::open(QFile::encodeName(folder).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        };
        const auto hidden = [](char digit) {
            return u"/.fleetwright-"_s + QString(32, QLatin1Char(digit)) + u".tmp"_s;
        };
        const QString dead = m_work + hidden('a'), live = m_work + hidden('b'), inner = dead + hidden('c');
        for (const auto &folder : {dead, live, inner}) {
            QVERIFY(QDir().mkdir(folder));
            put(folder + u"/.fleetwright-temporary-folder"_s, {});
            put(folder + u"/made.fleetwright"_s, "half");
        }
        const int held = lock(live);
        QCOMPARE(::flock(held, LOCK_EX), 0);
        QVERIFY(exchange::saveMade(target, exchange::Placing::Replacing, make));
        QCOMPARE(left(), QStringList{QFileInfo(live).fileName()});
        ::close(held);
    }

    void leftoversAreRemoved()
    {
        const auto named = [&](char digit) {
            return file(u".fleetwright-"_s + QString(32, QLatin1Char(digit)) + u".tmp"_s);
        };
        const auto left = named('a'), held = named('1'), other = file(u".fleetwright-20261122"_s), folder = named('2'),
                   heldFolder = named('3'), link = named('4'), mine = file(u".fleetwright-20261123"_s),
                   unmarked = named('5'), deep = named('6'), empty = named('7');
        for (const auto &path : {left, held, other})
            put(path, "unfinished");
        for (const auto &path : {folder, heldFolder, mine, unmarked, deep}) {
            QVERIFY(QDir().mkdir(path));
            put(path + u"/part.csv"_s, "part");
            if (path != mine && path != unmarked)
                put(path + u"/.fleetwright-temporary-folder"_s, {});
        }
        QVERIFY(QDir().mkdir(empty)); // killed before its marker was there, or after it had gone
        QVERIFY(QDir().mkdir(deep + u"/photos"_s));
        QVERIFY(QFile::link(u"elsewhere"_s, link));
        const int holder = ::open(QFile::encodeName(held).constData(), O_RDWR | O_CLOEXEC);
        const int folderHolder = ::open(QFile::encodeName(heldFolder).constData(), O_RDONLY | O_CLOEXEC);
        QVERIFY(::flock(holder, LOCK_EX | LOCK_NB) == 0 && ::flock(folderHolder, LOCK_EX | LOCK_NB) == 0);
        const auto present = [&](const QString &path) {
            return QFileInfo::exists(path) || QFileInfo(path).isSymLink();
        };

        QVERIFY(saveFile("answer", file(u"answer.json"_s)));
        QVERIFY(!present(left) && !present(folder) && !present(empty));
        for (const auto &kept : {held, other, heldFolder, link, heldFolder + u"/part.csv"_s, mine + u"/part.csv"_s,
                 unmarked + u"/part.csv"_s, deep + u"/part.csv"_s})
            QVERIFY2(present(kept), qPrintable(kept));
        ::close(holder);
        ::close(folderHolder);
        QVERIFY(exchange::saveFolder({{u"a.csv"_s, "a"}}, m_work));
        QVERIFY(!present(held) && !present(heldFolder));
        QVERIFY(
            present(other) && present(link) && present(mine + u"/part.csv"_s) && present(unmarked) && present(deep));
        QCOMPARE(files(),
            (QStringList{QFileInfo(other).fileName(), QFileInfo(link).fileName(), u"a.csv"_s, u"answer.json"_s,
                u"contents.csv"_s}));
    }

    /// Each of many writers into one folder finishes, whoever tidies up meanwhile.
    void writersDoNotDisturbEachOther()
    {
        constexpr int writers = 4, files = 100;
        std::atomic<int> saved = 0;
        {
            std::vector<std::jthread> threads;
            for (int writer = 0; writer < writers; ++writer)
                threads.emplace_back([&, writer] {
                    for (int i = 0; i < files; ++i) {
                        saved += saveFile("x", file(u"%1-%2"_s.arg(writer).arg(i))).has_value();
                        saved += exchange::checkSavableFolder(file(u"folder"_s)).has_value();
                    }
                });
        }
        QCOMPARE(saved.load(), 2 * writers * files);
        QCOMPARE(this->files().size(), writers * files);
    }

    void refusesWhatIsNoFile_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("says");
        QTest::newRow("no name") << QString() << u"needs a name"_s;
        QTest::newRow("no folder") << m_folder.filePath(u"no/such.csv"_s) << u"does not exist"_s;
        QTest::newRow("a folder") << m_folder.path() << u"it is a folder"_s;
        QTest::newRow("a device") << u"/dev/null"_s << u"not an ordinary file"_s;
        QTest::newRow("no new files there") << u"/proc/answer.json"_s << u"takes no new files"_s;
    }
    void refusesWhatIsNoFile()
    {
        QFETCH(QString, path);
        QFETCH(QString, says);
        const auto refused = saveFile("x", path);
        QVERIFY(!refused && refused.error().code == ErrorCode::IoError);
        QVERIFY2(QString::fromStdString(refused.error().message).contains(says), refused.error().message.c_str());
    }
};

/// "replace|new|nobody PATH SIZE" where no file may grow over 1 KiB; "nobody" replaces as somebody without rights.
int saveLimited(const QStringList &arguments)
{
    constexpr uid_t nobody = 65534;
    if (arguments.value(0) == u"nobody"_s && ::geteuid() == 0 && (::setgid(nobody) != 0 || ::setuid(nobody) != 0))
        return 2;
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1024, 1024};
    setrlimit(RLIMIT_FSIZE, &limit);
    const QByteArray bytes(arguments.value(2).toInt(), 'x');
    const auto saved = arguments.value(0) == u"new"_s ? saveNewFile(bytes, arguments.value(1))
                                                      : saveFile(bytes, arguments.value(1));
    if (!saved)
        std::fputs(saved.error().message.c_str(), stderr);
    return saved ? 0 : 1;
}

FLEETWRIGHT_TEST(TestSaveFile)
FLEETWRIGHT_TEST_CHILD(saveLimited)
#include "tst_savefile.moc"
