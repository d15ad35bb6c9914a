// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the real program under mpirun: several processes say and write what one does, and a lost one ends the run.
#include "cli/clirunner.h"
#include "testing/registry.h"
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace {

using clirunner::fileContent;
using clirunner::Run;

constexpr const char *plan = R"(fleetwright: 1
name: Llama-3.1-8B on 64 H100
workload: llama3_8b
fleet: {node: nvidia_dgx_h100, nodes: 8, fabric: ib_ndr}
training: {global_batch: 64, seq_len: 4096, precision: bf16}
)";

/// Minutes of work for a machine of today.
constexpr const char *longSearch = R"(fleetwright: 1
plan:
  workload: gpt3_175b
  fleet: {node: nvidia_dgx_a100_80gb, nodes: 384, fabric: ib_hdr}
  training: {global_batch: 1536, seq_len: 2048, precision: bf16}
space: {tp_across_domains: true, uneven_chunks: true}
cases: {key: training.global_batch, range: 15360..1536000:+15360}
)";

constexpr int patience = 300'000; // milliseconds: the processes share the cores

Run started(const QString &program, const QStringList &arguments, const QByteArray &input)
{
    return clirunner::run(program, arguments, input, patience);
}

Run alone(const QStringList &arguments, const QByteArray &input = plan)
{
    return started(QStringLiteral(FLEETWRIGHT_CLI), arguments, input);
}

QStringList launcher(int ranks)
{
    return {u"--oversubscribe"_s, u"-n"_s, QString::number(ranks), QStringLiteral(FLEETWRIGHT_CLI)};
}

Run together(int ranks, const QStringList &arguments, const QByteArray &input = plan)
{
    return started(QStringLiteral(FLEETWRIGHT_MPIRUN), launcher(ranks) + arguments, input);
}

/// The process that mpirun started as this rank; 0 while there is none.
pid_t processOf(int rank, qint64 mpirun)
{
    for (const auto &name : QDir(u"/proc"_s).entryList({u"[0-9]*"_s}, QDir::Dirs)) {
        const auto status = fileContent(u"/proc/%1/stat"_s.arg(name));
        const auto parent = status.mid(status.lastIndexOf(')') + 2).split(' ').value(1).toLongLong();
        if (parent == mpirun
            && fileContent(u"/proc/%1/environ"_s.arg(name))
                   .split('\0')
                   .contains("OMPI_COMM_WORLD_RANK=" + QByteArray::number(rank)))
            return pid_t(name.toLongLong());
    }
    return 0;
}

qsizetype threadsOf(pid_t process)
{
    return QDir(u"/proc/%1/task"_s.arg(process)).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size();
}

void addRankCounts(const char *title, const QStringList &arguments)
{
    for (const int ranks : {1, 2, 4})
        QTest::addRow("%s, %d ranks", title, ranks) << ranks << arguments;
}

} // namespace

class TestCliRanks : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        qputenv("OMPI_ALLOW_RUN_AS_ROOT", "1"); // in containers
        qputenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        qputenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none"); // which containers forbid
    }
    void sayWhatOneSays_data();
    void sayWhatOneSays();
    void writeWhatOneWrites_data();
    void writeWhatOneWrites();
    void refuseOnce_data();
    void refuseOnce();
    void errorOfAnotherRank();
    void lostRankEndsTheRun_data();
    void lostRankEndsTheRun();
};

void TestCliRanks::sayWhatOneSays_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QStringList>("arguments");
    addRankCounts("search, JSON", {u"search"_s, u"-"_s, u"--format"_s, u"json"_s});
    addRankCounts(
        "search, table", {u"search"_s, u"-"_s, u"--why-not"_s, u"tp=8"_s, u"--sensitivity"_s, u"--threads"_s, u"2"_s});
    addRankCounts("search, cases",
        {u"search"_s, u"-"_s, u"--vary"_s, u"fleet.nodes=1..8:x2"_s, u"--objective"_s, u"cost_per_token"_s,
            u"--pareto"_s, u"memory,accelerators"_s, u"--format"_s, u"csv"_s});
    addRankCounts("search, every layout",
        {u"search"_s, u"-"_s, u"--top"_s, u"100000"_s, u"--all-settings"_s, u"--no-pruning"_s, u"--format"_s,
            u"csv"_s});
    addRankCounts(
        "search, other model", {u"search"_s, u"-"_s, u"--cost-model"_s, u"first-order"_s, u"--searcher-format"_s});
    addRankCounts("sweep, JSON",
        {u"sweep"_s, u"-"_s, u"--vary"_s, u"fleet.nodes=1..9"_s, u"--vary"_s, u"parallelism.tp=1,2,3,8"_s,
            u"--format"_s, u"json"_s});
    addRankCounts("sweep with fewer cells than ranks",
        {u"sweep"_s, u"-"_s, u"--vary"_s, u"fleet.nodes=8"_s, u"--format"_s, u"csv"_s});
    addRankCounts("sweep that searches",
        {u"sweep"_s, u"-"_s, u"--vary"_s, u"fleet.nodes=1..8:x2"_s, u"--search"_s, u"--tp"_s, u"1,2"_s, u"--format"_s,
            u"csv"_s});
    addRankCounts("sweep that searches, table",
        {u"sweep"_s, u"-"_s, u"--vary"_s, u"fleet.nodes=1..8:x2"_s, u"--search"_s, u"--objective"_s,
            u"memory_headroom"_s});
}

void TestCliRanks::sayWhatOneSays()
{
    QFETCH(int, ranks);
    QFETCH(QStringList, arguments);
    const auto one = alone(arguments);
    QVERIFY2((one.status == 0 || one.status == 4) && one.out.size() > 100, one.err.constData());
    const auto several = together(ranks, arguments);
    QVERIFY2(several.status == one.status, several.err.constData());
    QVERIFY2(several.out == one.out, several.out.left(2000).constData());
}

void TestCliRanks::writeWhatOneWrites_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QStringList>("arguments");
    for (const auto &name : {u"answer.json"_s, u"answer.csv"_s, u"answer.xlsx"_s})
        addRankCounts(qPrintable(name), {name});
}

void TestCliRanks::writeWhatOneWrites()
{
    QFETCH(int, ranks);
    QFETCH(QStringList, arguments);
    QTemporaryDir folder;
    const auto first = folder.filePath(u"one-"_s + arguments[0]),
               second = folder.filePath(u"several-"_s + arguments[0]);
    QCOMPARE(alone({u"search"_s, u"-"_s, u"--output"_s, first}).status, 0);
    const auto done = together(ranks, {u"search"_s, u"-"_s, u"--output"_s, second});
    QVERIFY2(done.status == 0, done.err.constData());
    QVERIFY(done.out == "Wrote " + second.toUtf8() + ".\n"); // by the first rank alone
    QVERIFY(fileContent(first).size() > 1000 && fileContent(first) == fileContent(second));
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden).size(), 2);
}

void TestCliRanks::refuseOnce_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("option") << QStringList{u"search"_s, u"-"_s, u"--tp"_s, u"two"_s} << QByteArray(plan) << 2
                            << QByteArray("--tp: ");
    QTest::newRow("document") << QStringList{u"search"_s, u"-"_s} << QByteArray("fleetwright: 1\nfoo: 2\n") << 3
                              << QByteArray("foo");
    QTest::newRow("file") << QStringList{u"search"_s, u"/no/such/plan.yaml"_s} << QByteArray() << 5
                          << QByteArray("no such file");
    QTest::newRow("sweep") << QStringList{u"sweep"_s, u"-"_s, u"--vary"_s, u"fleet.knots=1"_s} << QByteArray(plan) << 2
                           << QByteArray("fleet.knots");
    for (const auto &command : {u"search"_s, u"sweep"_s})
        QTest::newRow(qPrintable(command + u" into no folder"_s)) << QStringList{command, u"-"_s, u"--output"_s,
            u"/no/such/folder/answer.json"_s, u"--vary"_s,
            u"fleet.nodes=1,2"_s} << QByteArray(plan) << 5 << QByteArray("does not exist");
    QTest::newRow("nothing feasible") << QStringList{u"search"_s,
        u"-"_s} << QByteArray(plan).replace("training:", "constraints: {max_memory_fraction: 0.01}\ntraining:")
                                      << 4 << QByteArray();
}

void TestCliRanks::refuseOnce()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, input);
    QFETCH(int, status);
    QFETCH(QByteArray, words);
    const auto done = together(4, arguments, input);
    QVERIFY2(done.status == status, done.err.constData());
    QVERIFY2(words.isEmpty() || done.err.count(words) == 1, done.err.constData());
    QCOMPARE(done.out, alone(arguments, input).out);
}

void TestCliRanks::errorOfAnotherRank()
{
    QTemporaryDir folder;
    const QStringList arguments{u"search"_s, u"-"_s, u"--output"_s, folder.filePath(u"answer.json"_s)};
    const auto done = started(QStringLiteral(FLEETWRIGHT_MPIRUN),
        launcher(1) + arguments + QStringList{u":"_s} + launcher(1) + arguments
            + QStringList{u"--project"_s, u"/no/such/project.fleetwright"_s},
        plan);
    QVERIFY2(done.status == 5, (QByteArray::number(done.status) + done.err).constData());
    QVERIFY2(done.err.contains("met by process 1") && done.out.isEmpty(), done.err.constData());
    QVERIFY(QDir(folder.path()).isEmpty());
}

void TestCliRanks::lostRankEndsTheRun_data()
{
    QTest::addColumn<int>("rank");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("the first") << 0 << QByteArray("process rank 0");
    QTest::newRow("another") << 1 << QByteArray("ended before all its processes had answered");
}

void TestCliRanks::lostRankEndsTheRun()
{
    QFETCH(int, rank);
    QFETCH(QByteArray, words);
    QTemporaryDir folder;
    const auto pipe = folder.filePath(u"search.yaml"_s);
    QVERIFY(mkfifo(QFile::encodeName(pipe).constData(), 0600) == 0);
    QProcess process;
    process.start(QStringLiteral(FLEETWRIGHT_MPIRUN),
        launcher(2)
            + QStringList{u"search"_s, pipe, u"--threads"_s, u"2"_s, u"--no-pruning"_s, u"--output"_s,
                folder.filePath(u"answer.json"_s)});
    QVERIFY(process.waitForStarted());
    const int end = open(
        QFile::encodeName(pipe).constData(), O_WRONLY); // returns once the first rank reads: all have joined
    QVERIFY(end >= 0);
    const auto lost = processOf(rank, process.processId());
    QVERIFY(lost > 0);
    const auto before = threadsOf(lost);
    const QByteArray document(longSearch);
    QCOMPARE(write(end, document.constData(), std::size_t(document.size())), ssize_t(document.size()));
    close(end);
    QTRY_VERIFY_WITH_TIMEOUT(threadsOf(lost) > before, 60000); // it searches
    QVERIFY(kill(lost, SIGKILL) == 0);
    const auto done = clirunner::finished(process, patience);
    QVERIFY2(done.status != 0 && done.status != -2, done.err.constData());
    QVERIFY2(done.err.contains(words), done.err.constData());
    QVERIFY(done.out.isEmpty());
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot | QDir::Hidden),
        QStringList{u"search.yaml"_s});
}

FLEETWRIGHT_TEST(TestCliRanks)
#include "tst_cliranks.moc"
