// SPDX-License-Identifier: GPL-3.0-or-later
// The files of an output set where writing goes wrong: each is whole or as it was, and which is which is said.
#include "testing/putfile.h"
#include "testing/registry.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QMap>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace {

struct ReportRun {
    int status = -1;
    QByteArray out, err;
    [[nodiscard]] QByteArray all() const { return QByteArray::number(status) + ": " + err + out.left(500); }
};

constexpr const char *fourFiles = "fleetwright: 1\noutputs: Four\nfiles: [tables/, a.html, b.xlsx, c.json]\n"
                                  "audience: technical\nsections: [answer, fleets, cost, performance, memory]\n"
                                  "plans: [Small]\n";
constexpr const char *smallPlan =
    "fleetwright: 1\nname: Small\nworkload: llama3_1_8b\nfleet: {node: nvidia_dgx_h100, nodes: 4, fabric: ib_ndr}\n"
    "parallelism: {tp: 4, pp: 2}\ntraining: {global_batch: 64, microbatch_count: 4, seq_len: 2048, precision: bf16}\n"
    "cost_model: detailed\n";

} // namespace

class TestCliReport : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString file(const QString &name) const { return m_folder->filePath(name); }
    void prepare(QProcess &process, const QStringList &arguments, const QString &shell) const
    {
        process.setWorkingDirectory(m_folder->path());
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"XDG_RUNTIME_DIR"_s, m_folder->path());
        process.setProcessEnvironment(environment);
        process.start(u"/bin/sh"_s, QStringList{u"-c"_s, shell, QStringLiteral(FLEETWRIGHT_CLI)} + arguments);
    }
    /// By `shell`, where "$0" "$@" stands for the program.
    [[nodiscard]] ReportRun run(const QStringList &arguments, const QString &shell = u"exec \"$0\" \"$@\""_s) const
    {
        QProcess process;
        prepare(process, arguments, shell);
        process.closeWriteChannel();
        if (!process.waitForFinished(300'000) || process.exitStatus() != QProcess::NormalExit)
            return {-2, process.readAllStandardOutput(), process.readAllStandardError()};
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }
    [[nodiscard]] ReportRun write(const QString &day, const QString &shell = u"exec \"$0\" \"$@\""_s) const
    {
        return run(
            {u"report"_s, u"my.fleetwright"_s, u"--set"_s, u"Four"_s, u"-o"_s, u"out/"_s, u"--date"_s, day}, shell);
    }
    /// Everything below the folder of the files, hidden files too.
    [[nodiscard]] QMap<QString, QByteArray> written() const
    {
        QMap<QString, QByteArray> all;
        for (QDirIterator entries(
                 file(u"out"_s), QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
             entries.hasNext();) {
            const auto path = entries.next();
            QFile opened(path);
            all[QDir(file(u"out"_s)).relativeFilePath(path)] = opened.open(QIODevice::ReadOnly)
                ? opened.readAll()
                : QByteArray("a folder");
        }
        return all;
    }

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        putFile(file(u"plan.yaml"_s), smallPlan);
        putFile(file(u"set.yaml"_s), fourFiles);
        QVERIFY(QDir(m_folder->path()).mkdir(u"out"_s));
        QCOMPARE(run({u"project"_s, u"new"_s, u"my.fleetwright"_s}).status, 0);
        const auto imported = run({u"project"_s, u"import"_s, u"my.fleetwright"_s, u"plan.yaml"_s, u"set.yaml"_s});
        QVERIFY2(imported.status == 0, imported.all());
    }

    /// At every size that a file may have, from nothing to what all of them need.
    void fullDisk()
    {
        const auto first = write(u"2026-11-01"_s);
        QVERIFY2(first.status == 0, first.all());
        const auto before = written();
        QVERIFY(before.contains(u"tables/inputs.csv"_s) && before.contains(u"b.xlsx"_s));
        bool atTables = false;
        for (int blocks = 0;; blocks = blocks == 0 ? 1 : 4 * blocks) { // of 512 bytes
            QVERIFY(blocks < 1'000'000);
            const auto full = write(u"2026-11-02"_s, u"ulimit -f %1; exec \"$0\" \"$@\""_s.arg(blocks));
            if (full.status == 0)
                break;
            QVERIFY2(full.status == 5, full.all());
            QVERIFY2(full.err.count('\n') == 1 && full.err.contains("Free some space"), full.err);
            bool isNamed = false;
            for (const auto *name : {"a.html", "tables", "b.xlsx", "c.json"})
                isNamed = isNamed || full.err.contains(name);
            QVERIFY2(isNamed, full.err);
            atTables = atTables || full.err.contains("tables");
            const auto after = written();
            QCOMPARE(after.keys(), before.keys());
            for (const auto &name : {u"a.html"_s, u"b.xlsx"_s, u"c.json"_s}) // those that are said to be written are
                QCOMPARE(after[name] != before[name], full.out.contains(name.toUtf8()));
            for (auto table = before.cbegin(); table != before.cend(); ++table)
                if (table.key().startsWith(u"tables/"_s) && !full.out.contains("tables"))
                    QVERIFY2(after[table.key()] == table.value(), qPrintable(table.key()));
        }
        QVERIFY(atTables);
        QCOMPARE(written().keys(), before.keys());
        QVERIFY(written()[u"c.json"_s].contains("2026-11-02"));
    }

    /// Told before anything is computed or written.
    void fileInUseAsFolder()
    {
        putFile(file(u"out/tables"_s), "mine");
        const auto refused = write(u"2026-11-01"_s);
        QCOMPARE(refused.status, 5);
        QVERIFY2(refused.err.contains("out/tables") && refused.err.contains("is a file, not a folder"), refused.err);
        QCOMPARE(written(), (QMap<QString, QByteArray>{{u"tables"_s, "mine"}}));
    }

    void folderInUseAsFile()
    {
        QVERIFY(QDir(m_folder->path()).mkpath(u"out/b.xlsx"_s));
        const auto refused = write(u"2026-11-01"_s);
        QCOMPARE(refused.status, 5);
        QVERIFY2(refused.err.contains("b.xlsx") && refused.err.contains("it is a folder"), refused.err);
        QCOMPARE(written().size(), 1);
    }

    void folderWithoutPermission()
    {
        const auto closed = QFile::ReadOwner | QFile::ExeOwner | QFile::ReadOther | QFile::ExeOther;
        QVERIFY(QFile::setPermissions(m_folder->path(), closed | QFile::WriteOwner));
        QVERIFY(QFile::setPermissions(file(u"out"_s), closed));
        // Root may write everywhere, so nobody tries.
        const auto nobody = geteuid() == 0 ? u"exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$0\" \"$@\""_s
                                           : u"exec \"$0\" \"$@\""_s;
        const auto refused = write(u"2026-11-01"_s, nobody);
        QVERIFY2(refused.status == 5, refused.all());
        QVERIFY2(
            refused.err.contains("out/tables") && refused.err.contains("you may not write in the folder"), refused.err);
        QVERIFY2(!refused.err.contains("QStandardPaths"), refused.err); // nor what libraries say to themselves
        QVERIFY(written().isEmpty());
    }

    /// After the first file, while the next ones are made.
    void interrupted()
    {
        QVERIFY(write(u"2026-11-01"_s).status == 0);
        const auto before = written();
        QProcess process;
        prepare(process,
            {u"report"_s, u"my.fleetwright"_s, u"--set"_s, u"Four"_s, u"-o"_s, u"out/"_s, u"--date"_s, u"2026-11-02"_s},
            u"exec \"$0\" \"$@\""_s);
        const auto first = [this] {
            QFile opened(file(u"out/a.html"_s));
            return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
        };
        QTRY_VERIFY_WITH_TIMEOUT(first() != before[u"a.html"_s], 60'000);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(kill(pid_t(process.processId()), SIGINT) == 0);
        QVERIFY(process.waitForFinished(60'000));
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed()))); // 0.2 s where it runs alone
        const auto out = process.readAllStandardOutput();
        const auto after = written();
        QCOMPARE(after.keys(), before.keys());
        QVERIFY(after[u"a.html"_s] != before[u"a.html"_s]);
        if (out.contains("c.json"))
            QSKIP("The machine was faster than the signal.");
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(process.readAllStandardError().contains("what is written stays"));
        QCOMPARE(after[u"c.json"_s], before[u"c.json"_s]);
    }
};

FLEETWRIGHT_TEST(TestCliReport)
#include "tst_clireport.moc"
