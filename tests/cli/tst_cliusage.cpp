// SPDX-License-Identifier: GPL-3.0-or-later
// What people read when they mistype something, and what the help shows them.
#include "cli/clitesting.h"
#include "testing/putfile.h"
#include "testing/registry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

struct Run {
    int status = -1;
    QString out;
    QString err;
    [[nodiscard]] QByteArray all() const { return (QString::number(status) + u": "_s + err + out.left(500)).toUtf8(); }
};

/// Every command that does something.
const QStringList commands{u"evaluate"_s, u"solve"_s, u"compare"_s, u"sweep"_s, u"models"_s, u"catalog list"_s,
    u"catalog show"_s, u"catalog add"_s, u"catalog import"_s, u"catalog import-hf"_s, u"catalog export"_s,
    u"catalog update"_s, u"catalog check"_s, u"project new"_s, u"project check"_s, u"project import"_s,
    u"project export"_s, u"search"_s, u"report"_s, u"validate"_s, u"calibrate"_s, u"explain"_s, u"fleet"_s, u"launch"_s,
    u"plan-from"_s, u"completion"_s, u"manual"_s};

} // namespace

class TestCliUsage : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] Run run(const QStringList &arguments, const QByteArray &input = {}) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start(QStringLiteral(FLEETWRIGHT_CLI), arguments);
        process.write(input);
        process.closeWriteChannel();
        if (!process.waitForFinished(300000) || process.exitStatus() != QProcess::NormalExit)
            return {-2, {}, QString::fromUtf8(process.readAllStandardError())};
        return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
    }
    void put(const QString &name, const QByteArray &bytes) const { putFile(m_folder.filePath(name), bytes); }

private slots:
    void initTestCase() { put(u"plan.yaml"_s, clitesting::smallPlan); }

    void suggests_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("meant");
        const auto row = [](const char *arguments, const char *meant, int status = 2) {
            QTest::newRow(arguments) << QString::fromUtf8(arguments) << status
                                     << u"did you mean “%1”?"_s.arg(QString::fromUtf8(meant));
        };
        row("serch plan.yaml", "search");
        row("slove plan.yaml", "solve");
        row("catalog shwo nvidia_dgx_h100", "show");
        row("project chek my.fleetwright", "check");
        row("solve plan.yaml --cost-modle detailed", "--cost-model");
        row("solve plan.yaml --cost-modle=detailed", "--cost-model");
        row("report my.fleetwright --ouput report.pdf", "--output"); // before what is missing then
        row("search plan.yaml --virtual-stage 2", "--virtual-stages");
        row("--verison", "--version");
        for (const auto *command : {"solve", "compare", "search", "sweep --vary fleet.nodes=1"}) {
            const auto arguments = QByteArray(command) + " plan.yaml --cost-model detaild";
            row(arguments, "detailed");
        }
        row("validate --cost-model frist-order", "first-order");
        row("solve wrong-model.yaml", "first-order", 3);
        row("solve plan.yaml --format tabel", "table");
        row("models --format jsno", "json");
        row("explain plan.yaml --what memroy", "memory");
        row("validate --by acelerator", "accelerator");
        row("report my.fleetwright -o report.pdf --paper leter", "letter");
        row("catalog list nodez", "nodes");
        row("catalog show nvidia_dgx_h10", "nvidia_dgx_h100", 3);
        row("catalog show nodes/nvidia_dgx_h10", "nvidia_dgx_h100", 3);
        row("solve wrong-node.yaml", "nvidia_dgx_h100", 3);
        row("compare plan.yaml --cost-model detailed --explain step_tme_s", "step_time_s");
        row("sweep plan.yaml --vary fleet.nodes=1 --figure step_tme_s", "step_time_s");
        row("sweep plan.yaml --vary training.global_batc=64", "training.global_batch");
        row("search plan.yaml --objective step_tim", "step_time");
        row("search plan.yaml --pareto step_tim,memory", "step_time");
        row("search plan.yaml --planner seacher", "searcher");
        row("evaluate pipeline-buble", "pipeline-bubble");
        row("calibrate runs.csv --constants gem_A100", "gemm_A100");
        row("catalog check x.json --kind nods", "nodes", 3);
        row("catalog export nods", "nodes");
        row("catalog update --project none.fleetwright --itm nodes", "--item");
    }
    void suggests()
    {
        QFETCH(QString, arguments);
        QFETCH(int, status);
        QFETCH(QString, meant);
        auto text = QByteArray(clitesting::smallPlan);
        put(u"wrong-model.yaml"_s, QByteArray(text).replace("cost_model: detailed", "cost_model: frist-order"));
        put(u"wrong-node.yaml"_s, text.replace("nvidia_dgx_h100", "nvidia_dgx_h10"));
        const auto refused = run(arguments.split(u' '));
        QVERIFY2((refused.err + refused.out).contains(meant), refused.all()); // findings are what check prints
        QVERIFY2(refused.status == status, refused.all());
    }

    /// The argument parser's own wording says neither which command nor what to do.
    void ownWords_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *arguments, const char *says) {
            QTest::newRow(arguments) << QString::fromUtf8(arguments) << QString::fromUtf8(says);
        };
        row("", "Name a command: ");
        row("catalog", "Name a command: list, show, add, import, export, import-hf, update or check.");
        row("xyzzy", "the commands are evaluate, ");
        row("search", "search needs PLAN: ");
        row("report my.fleetwright", "report needs -o,--output: ");
        row("catalog show", "catalog show needs ID: ");
        row("solve plan.yaml --quux", "There is no option “--quux” of solve; “--help” lists them.");
        row("solve plan.yaml -q", "There is no option “-q” of solve");
        row("explain plan.yaml other.yaml", "The argument “other.yaml” is one too many for explain.");
        row("search plan.yaml --top", "--top needs a value: ");
        row("search plan.yaml --top many", "--top: “many” must be a whole number from 1 to ");
        row("search plan.yaml --top 0", "--top: “0” must be a whole number from 1 to ");
        row("search plan.yaml --top 1.5", "--top: “1.5” must be a whole number");
        row("search plan.yaml --top 99999999999999999999", "must be a whole number");
        row("search plan.yaml --top 1 --top 2", "--top stands more than once; give it once.");
        row("search plan.yaml --threads -1", "--threads: “-1” must be a whole number from 0 to ");
        row("search plan.yaml --sensitivity=3", "--sensitivity takes no value.");
        row("sweep plan.yaml --vary fleet.nodes=1 --threads 0", "must be a whole number from 1 to ");
        row("compare plan.yaml --reference 0", "--reference: “0” must be a whole number from 1 to ");
        row("explain plan.yaml --microbatches 513", "from 1 to 512.");
        row("solve plan.yaml --format xml", "--format: “xml” must be table, json or csv.");
        row("project export my.fleetwright -o x --format csv", "--format: “csv” must be yaml or json.");
        row("report my.fleetwright -o x.pdf --paper a5", "--paper: “a5” must be");
        row("validate --published-choices --worst 3", "do not go together; leave one out.");
        row("evaluate nosuchmodel", "MODEL: There is no model “nosuchmodel”; use one of ");
    }
    void ownWords()
    {
        QFETCH(QString, arguments);
        QFETCH(QString, says);
        const auto refused = run(arguments.split(u' ', Qt::SkipEmptyParts));
        QVERIFY2(refused.status == 2, refused.all());
        QVERIFY2(refused.err.startsWith(u"fleetwright-cli: "_s) && refused.err.contains(says), refused.all());
        static const QRegularExpression theirs(
            u"is required|required (N|TEXT)|not expected|in "
            u"range|FAILED|[Ss]ubcommand|convert|excludes|requires|At Most|At least|->|:INT|:FLOAT"_s);
        QVERIFY2(!refused.err.contains(theirs), refused.all());
        QVERIFY2(refused.out.isEmpty(), refused.all());
    }

    void helpShowsExamples_data()
    {
        QTest::addColumn<QString>("command");
        for (const auto &command : commands)
            QTest::newRow(qPrintable(command)) << command;
    }
    /// Every option of an example is one that the command has.
    void helpShowsExamples()
    {
        QFETCH(QString, command);
        const auto help = run(command.split(u' ') + QStringList{u"--help"_s});
        QVERIFY2(help.status == 0, help.all());
        const auto parts = help.out.split(u"Examples:\n"_s);
        QCOMPARE(parts.size(), 2);
        static const QRegularExpression option(u"(?<= )-{1,2}[a-z][a-z-]*"_s);
        const auto examples = parts[1].split(u'\n', Qt::SkipEmptyParts);
        QVERIFY(!examples.isEmpty());
        for (const auto &example : examples) {
            QVERIFY2(example.startsWith(u"  fleetwright-cli "_s + command), qPrintable(example));
            for (auto found = option.globalMatch(example); found.hasNext();) {
                const auto name = found.next().captured();
                QVERIFY2(QRegularExpression(u"(^|[ ,])%1\\b"_s.arg(name), QRegularExpression::MultilineOption)
                             .match(parts[0])
                             .hasMatch(),
                    qPrintable(example + u": "_s + name));
            }
        }
        QVERIFY2(
            !help.out.contains(u"SUBCOMMAND"_s) && !help.out.contains(u" in ["_s) && !help.out.contains(u"{false}"_s),
            help.all());
    }

    /// One name for each of the two on every command that prints.
    void sameOptions_data()
    {
        QTest::addColumn<QString>("command");
        for (const auto &command : commands)
            if (!QStringList{u"project new"_s, u"project import"_s, u"project export"_s, u"report"_s, u"catalog add"_s,
                    u"launch"_s, u"plan-from"_s, u"completion"_s, u"manual"_s} // texts of one form each
                     .contains(command))
                QTest::newRow(qPrintable(command)) << command;
    }
    void sameOptions()
    {
        QFETCH(QString, command);
        const auto help = run(command.split(u' ') + QStringList{u"--help"_s}).out.simplified();
        QVERIFY2(help.contains(u"-o,--output FILE Write to this file instead of standard output"_s), qPrintable(help));
        QVERIFY2(help.contains(u"How to print: table, json or csv"_s), qPrintable(help));
    }

    /// The numbers with which the program ends.
    void theHandbookHasEveryExitStatus()
    {
        const auto text = QString::fromUtf8(
            clirunner::fileContent(QStringLiteral(FLEETWRIGHT_HANDBOOK "/command-line.md")));
        for (const auto status : {0, 2, 3, 4, 5, 130})
            QVERIFY2(text.contains(u"| %1 | "_s.arg(status)), qPrintable(QString::number(status)));
    }

    void readsStandardInput_data()
    {
        QTest::addColumn<QString>("arguments");
        for (const auto *arguments :
            {"solve -", "compare - --cost-model detailed", "explain -", "search - --tp 4 --recompute none",
                "sweep - --vary fleet.nodes=4,8", "project import my.fleetwright -"})
            QTest::newRow(arguments) << QString::fromUtf8(arguments);
    }
    void readsStandardInput()
    {
        QFETCH(QString, arguments);
        if (arguments.startsWith(u"project"_s))
            QCOMPARE(run({u"project"_s, u"new"_s, u"my.fleetwright"_s}).status, 0);
        const auto done = run(arguments.split(u' '), clitesting::smallPlan);
        QVERIFY2(done.status == 0, done.all());
    }
};

FLEETWRIGHT_TEST(TestCliUsage)
#include "tst_cliusage.moc"
