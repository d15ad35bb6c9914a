// SPDX-License-Identifier: GPL-3.0-or-later
// Every file that the program writes: whole or not at all, never over a project, and the same as on standard output.
#include "cli/clitesting.h"
#include "testing/putfile.h"
#include "testing/registry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

constexpr const char *runs =
    "id,accelerator,n_gpus,gpus_per_node,framework,model.layers,model.hidden,model.heads,model.vocab,seq_len,"
    "global_batch,micro_batch,tp,pp,precision,measured.iteration_time_s\n"
    "a,A100-SXM-80GB,64,8,Megatron-Core,40,5120,40,51200,2048,512,1,8,1,bf16,12\n"
    "b,A100-SXM-80GB,64,8,Megatron-Core,40,5120,40,51200,2048,512,1,4,1,bf16,11\n";
constexpr const char *request = R"({"id": 7, "inputs": {"stages": 4, "microbatches": 16, "virtual_stages": 1}})";

struct Run {
    int status = -1;
    QByteArray out;
    QByteArray err;
    [[nodiscard]] QByteArray all() const { return QByteArray::number(status) + ": " + err + out.left(500); }
};

} // namespace

class TestCliFiles : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] QString file(const QString &name) const { return m_folder.filePath(name); }
    [[nodiscard]] QByteArray bytesOf(const QString &name) const
    {
        QFile opened(file(name));
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray("cannot be read");
    }
    void put(const QString &name, const QByteArray &bytes) const { putFile(m_folder.filePath(name), bytes); }
    [[nodiscard]] QStringList files() const
    {
        return QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden | QDir::System, QDir::Name);
    }
    /// The program in the folder of the test, run by `shell`, where "$0" "$@" stands for it.
    [[nodiscard]] Run run(const QStringList &arguments, const QString &shell = u"exec \"$0\" \"$@\""_s) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"XDG_RUNTIME_DIR"_s, m_folder.path());
        process.setProcessEnvironment(environment);
        process.start(u"/bin/sh"_s, QStringList{u"-c"_s, shell, QStringLiteral(FLEETWRIGHT_CLI)} + arguments);
        process.closeWriteChannel();
        if (!process.waitForFinished(300000) || process.exitStatus() != QProcess::NormalExit)
            return {-2, process.readAllStandardOutput(), process.readAllStandardError()};
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }

    /// Commands that write, and the ending of the file.
    static void addWriters()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("ending");
        const auto row = [](const char *command, const char *ending) {
            QTest::addRow("%s %s", command, ending) << QString::fromUtf8(command) << QString::fromUtf8(ending);
        };
        for (const auto *ending : {".txt", ".json", ".csv"}) {
            row("solve plan.yaml", ending);
            row("explain plan.yaml", ending);
            row("search plan.yaml --tp 4 --recompute none", ending);
            row("catalog show nvidia_dgx_h100", ending);
        }
        row("search plan.yaml --tp 4 --recompute none", ".xlsx");
        row("search plan.yaml --planner searcher", ".json");
        row("search plan.yaml --planner first-order", ".csv");
        row("solve --batch plans.jsonl", ".jsonl");
        row("compare plan.yaml --cost-model detailed", ".csv");
        row("sweep plan.yaml --vary fleet.nodes=4,8", ".json");
        row("models", ".json");
        row("catalog list", ".csv");
        row("catalog check", ".txt");
        row("validate runs.csv", ".json");
        row("calibrate runs.csv --constants gemm_A100", ".csv");
        row("evaluate pipeline-bubble request.json", ".json");
        row("project check my.fleetwright", ".txt");
        row("report my.fleetwright --no-validation", ".pdf");
        for (const auto *ending : {".html", ".xlsx", ".json"})
            row("report my.fleetwright --no-validation", ending);
    }

private slots:
    void initTestCase()
    {
        put(u"plan.yaml"_s, clitesting::smallPlan);
        put(u"runs.csv"_s, runs);
        put(u"request.json"_s, request);
        put(u"plans.jsonl"_s,
            R"({"id": 1, "workload": "llama3_1_8b", "fleet": {"node": "nvidia_dgx_h100", "nodes": 4, "fabric": "ib_ndr"}, "parallelism": {"tp": 4, "pp": 2}, "training": {"global_batch": 64, "microbatch_count": 4, "seq_len": 2048, "precision": "bf16"}, "cost_model": "first-order", "fleetwright": 1})"
            "\n");
        QCOMPARE(run({u"project"_s, u"new"_s, u"my.fleetwright"_s}).status, 0);
        const auto imported = run({u"project"_s, u"import"_s, u"my.fleetwright"_s, u"plan.yaml"_s});
        QVERIFY2(imported.status == 0, imported.all());
    }

    void writes_data() { addWriters(); }
    void writes()
    {
        QFETCH(QString, command);
        QFETCH(QString, ending);
        const auto arguments = command.split(u' ');
        const auto name = u"written"_s + ending;
        put(name, "the old file");
        const auto before = files();

        // On a full disk nothing changes, however short the file is.
        for (const auto *limit : {"0", "1"}) {
            const auto full = run(arguments + QStringList{u"-o"_s, name},
                u"ulimit -f %1; exec \"$0\" \"$@\""_s.arg(QString::fromUtf8(limit)));
            if (limit[0] == '1' && full.status == 0)
                continue; // it is as short as that
            QVERIFY2(full.status == 5, full.all());
            QVERIFY2(full.err.contains("Free some space") && full.err.count('\n') == 1, full.err);
            QVERIFY2(!full.out.contains("Wrote"), full.out);
            QCOMPARE(bytesOf(name), QByteArray("the old file"));
            QCOMPARE(files(), before);
        }

        const auto written = run(arguments + QStringList{u"--output"_s, name});
        QVERIFY2(written.status == 0, written.all());
        QVERIFY2(written.out.startsWith("Wrote " + name.toUtf8() + ".\n"), written.out);
        const auto bytes = bytesOf(name);
        QVERIFY(bytes.size() > 20 && bytes != "the old file");
        const bool published = command.contains(u"searcher"_s); // has a file format of its own
        const bool printed = !command.startsWith(u"report"_s) && ending != u".xlsx"_s && !published;
        if (printed) {
            const auto format = ending == u".txt"_s ? u"table"_s : ending == u".csv"_s ? u"csv"_s : u"json"_s;
            auto printing = arguments;
            if (ending != u".jsonl"_s)
                printing += QStringList{u"--format"_s, format};
            QCOMPARE(run(printing).out, bytes);
        }
        QVERIFY(QFile::remove(file(name)));
    }

    void neverOverAProject_data() { addWriters(); }
    void neverOverAProject()
    {
        QFETCH(QString, command);
        QFETCH(QString, ending);
        const auto project = bytesOf(u"my.fleetwright"_s);
        const auto disguised = u"renamed"_s + ending;
        QVERIFY(QFile::copy(file(u"my.fleetwright"_s), file(disguised)));
        const auto refused = run(command.split(u' ') + QStringList{u"-o"_s, disguised});
        QVERIFY2(refused.status == 5, refused.all());
        QVERIFY2(refused.err.contains("it is a project") && refused.err.count('\n') == 1, refused.err);
        QVERIFY2(refused.out.isEmpty(), refused.out);
        QCOMPARE(bytesOf(disguised), project);
        QVERIFY(QFile::remove(file(disguised)));

        for (const auto &name : {u"my.fleetwright"_s, u"other.fleetwright"_s}) { // the ending is none of a writer's
            const auto ended = run(command.split(u' ') + QStringList{u"-o"_s, name});
            QVERIFY2(ended.status == 2, ended.all());
            QVERIFY2(ended.err.startsWith("fleetwright-cli: --output: ")
                    && ended.err.contains(ending.toUtf8() == ".jsonl" ? QByteArray(".json") : ending.toUtf8()),
                ended.err);
        }
        QCOMPARE(bytesOf(u"my.fleetwright"_s), project);
        QVERIFY(!QFile::exists(file(u"other.fleetwright"_s)));
    }

    void aRefusalReplacesNothing_data()
    {
        QTest::addColumn<QString>("command");
        for (const auto *command : {"solve refused.yaml", "explain refused.yaml", "compare refused.yaml",
                 "search refused.yaml", "sweep refused.yaml --vary fleet.nodes=4,8", "solve refused.yaml refused.yaml",
                 "evaluate pipeline-bubble refused.yaml", "validate refused.yaml", "calibrate refused.yaml"})
            QTest::newRow(command) << QString::fromUtf8(command);
    }
    void aRefusalReplacesNothing()
    {
        QFETCH(QString, command);
        put(u"refused.yaml"_s, "fleetwright: 1\nfoo: 2\n");
        put(u"answer.json"_s, "the old file");
        const auto refused = run(command.split(u' ') + QStringList{u"-o"_s, u"answer.json"_s});
        QVERIFY2(refused.status == 3, refused.all());
        QVERIFY2(!refused.err.isEmpty() && refused.out.isEmpty(), refused.all());
        QCOMPARE(bytesOf(u"answer.json"_s), QByteArray("the old file"));
        QVERIFY(QFile::remove(file(u"answer.json"_s)) && QFile::remove(file(u"refused.yaml"_s)));
    }

    void answersBesideARefusalAreWritten()
    {
        put(u"refused.yaml"_s, "fleetwright: 1\nfoo: 2\n");
        const auto done = run(u"solve plan.yaml refused.yaml -o answer.json"_s.split(u' '));
        QVERIFY2(done.status == 3 && done.out == "Wrote answer.json.\n", done.all());
        QVERIFY(bytesOf(u"answer.json"_s).contains("step_time_s"));
        QVERIFY(QFile::remove(file(u"answer.json"_s)) && QFile::remove(file(u"refused.yaml"_s)));
    }

    void standardOutputThatCannotBeWritten_data()
    {
        QTest::addColumn<QString>("command");
        for (const auto *command : {"solve plan.yaml", "explain plan.yaml", "compare plan.yaml --cost-model detailed",
                 "search plan.yaml --tp 4 --recompute none", "sweep plan.yaml --vary fleet.nodes=4,8", "models",
                 "catalog list nodes", "validate runs.csv", "calibrate runs.csv --constants gemm_A100",
                 "evaluate pipeline-bubble request.json", "solve --batch plans.jsonl", "project check my.fleetwright",
                 "--help", "--version"})
            QTest::newRow(command) << QString::fromUtf8(command);
    }
    void standardOutputThatCannotBeWritten()
    {
        QFETCH(QString, command);
        for (const auto *target : {"> /dev/full", ">&-"}) {
            const auto full = run(command.split(u' '), u"exec \"$0\" \"$@\" "_s + QString::fromUtf8(target));
            QVERIFY2(full.status == 5, full.all());
            QVERIFY2(full.err.contains("Standard output could not be written: "), full.err);
        }
    }

    void exportsOnAFullDisk()
    {
        const auto full = run({u"project"_s, u"export"_s, u"my.fleetwright"_s, u"-o"_s, u"documents"_s},
            u"ulimit -f 0; exec \"$0\" \"$@\""_s);
        QVERIFY2(full.status == 5 && full.err.contains("could not be written"), full.all());
        QVERIFY(QDir(file(u"documents"_s)).isEmpty(QDir::Files | QDir::Hidden));
    }

    void newProjectsOnAFullDisk()
    {
        const auto before = files();
        const auto full = run({u"project"_s, u"new"_s, u"made.fleetwright"_s}, u"ulimit -f 8; exec \"$0\" \"$@\""_s);
        QVERIFY2(full.status == 5 && full.err.contains("could not be written"), full.all());
        QCOMPARE(files(), before);
    }

    void formatsAndEndings_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("says");
        QTest::newRow("unknown ending") << u"solve plan.yaml -o answer.doc"_s << u".txt, .json or .csv"_s;
        QTest::newRow("no ending") << u"search plan.yaml -o answer"_s << u".txt, .json, .csv or .xlsx"_s;
        QTest::newRow("contradiction") << u"solve plan.yaml --format csv -o answer.json"_s << u"--format says"_s;
        QTest::newRow("spreadsheet elsewhere") << u"solve plan.yaml -o answer.xlsx"_s << u".txt, .json or .csv"_s;
        QTest::newRow("spreadsheet and format")
            << u"search plan.yaml --format json -o answer.xlsx"_s << u"leave --format out"_s;
        QTest::newRow("planner's spreadsheet")
            << u"search plan.yaml --planner searcher -o answer.xlsx"_s << u".txt, .json or .csv"_s;
        QTest::newRow("batch as csv") << u"solve --batch plans.jsonl --format csv"_s << u"JSON Lines"_s;
        QTest::newRow("batch into csv") << u"solve --batch plans.jsonl -o answer.csv"_s << u"JSON Lines"_s;
        QTest::newRow("request batch into csv")
            << u"evaluate topology --batch request.json -o answer.csv"_s << u"JSON Lines"_s;
        QTest::newRow("explanation as csv") << u"compare plan.yaml --explain mfu -o answer.csv"_s << u"table or json"_s;
        QTest::newRow("report as text") << u"report my.fleetwright -o report.txt"_s << u".pdf or .html"_s;
        QTest::newRow("paper of a web page")
            << u"report my.fleetwright -o report.html --paper a4"_s << u"no paper size"_s;
        QTest::newRow("searcher's format as csv")
            << u"search plan.yaml --searcher-format -o answer.csv"_s << u"must end in .json"_s;
    }
    void formatsAndEndings()
    {
        QFETCH(QString, command);
        QFETCH(QString, says);
        const auto before = files();
        const auto refused = run(command.split(u' '));
        QVERIFY2(refused.status == 2, refused.all());
        QVERIFY2(refused.err.contains(says.toUtf8()), refused.err);
        QVERIFY2(refused.out.isEmpty(), refused.out);
        QCOMPARE(files(), before);
    }
};

FLEETWRIGHT_TEST(TestCliFiles)
#include "tst_clifiles.moc"
