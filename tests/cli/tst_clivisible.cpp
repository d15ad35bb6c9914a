// SPDX-License-Identifier: GPL-3.0-or-later
// What nobody sees reaches no terminal raw, whichever command prints it; tables on standard input are known as such.
#include "cli/clitesting.h"
#include "exchange/sampleoffer.h"
#include "storage/database.h"
#include "storage/digests.h"
#include "storage/project.h"
#include "testing/registry.h"

#ifdef __unix__
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
#endif

using namespace Qt::StringLiterals;
using namespace fleetwright;
using clirunner::run;

namespace {

constexpr const char *runTable = "id,accelerator,n_gpus,model.name,model.layers,model.hidden,model.heads,"
                                 "model.ffn_hidden,model.vocab,seq_len,global_batch,micro_batch,tp,pp,precision,"
                                 "measured.iteration_time_s,notes\r\n"
                                 "mine,H100-SXM-80GB,64,Llama 70B,80,8192,64,28672,32000,4096,512,1,8,2,bf16,30,x\r\n";

/// The escape of terminals and the mark that turns what follows around.
bool isClean(const QByteArray &text) { return !text.contains('\x1b') && !text.contains("\u202E"); }

void checkClean(const QStringList &arguments, const QByteArray &input, bool done)
{
    const auto what = arguments.join(u' ');
    const auto result = run(arguments, input);
    QVERIFY2(result.status >= 0, qPrintable(what));
    QVERIFY2(
        (result.status == 0 || result.status == 4) == done, qPrintable(what + u": "_s + QString::fromUtf8(result.err)));
    QVERIFY2(isClean(result.out), qPrintable(what));
    QVERIFY2(isClean(result.err), qPrintable(what));
}

/// What the command prints on a terminal; nothing where there is none to be had.
QByteArray onTerminal(const QStringList &arguments)
{
    QByteArray shown;
#ifdef __unix__
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0
        || ::fcntl(terminal, F_SETFL, O_NONBLOCK) != 0)
        return shown;
    QProcess process;
    process.setStandardOutputFile(QString::fromLocal8Bit(::ptsname(terminal)), QIODevice::Append);
    process.start(QStringLiteral(FLEETWRIGHT_CLI), arguments);
    for (bool running = process.waitForStarted(); running;) { // it waits where nobody reads
        running = !process.waitForFinished(20) && process.state() == QProcess::Running;
        std::array<char, 4096> block{};
        for (auto read = ::read(terminal, block.data(), block.size()); read > 0;
             read = ::read(terminal, block.data(), block.size()))
            shown.append(block.data(), read);
    }
    ::close(terminal);
#endif
    return shown;
}

} // namespace

class TestCliVisible : public QObject, private clitesting::CliFixture {
    Q_OBJECT

private slots:
    void init() { makeFolder(); }
    void namesAreRefused_data();
    void namesAreRefused();
    void notesAreShown();
    void tablesAreData();
    void olderProjects();
    void fileNames();
    void cellsAreDefused();
    void tablesOnStandardInput();
};

void TestCliVisible::namesAreRefused_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    const QByteArray red = "\"\\e[31mred\\u202E\"";
    QTest::newRow("name") << QByteArray("name: Small") << "name: " + red;
    QTest::newRow("workload") << QByteArray("workload: llama3_1_8b") << "workload: " + red;
    QTest::newRow("node") << QByteArray("node: nvidia_dgx_h100") << "node: " + red;
    QTest::newRow("precision") << QByteArray("precision: bf16") << "precision: " + red;
    QTest::newRow("cost model") << QByteArray("cost_model: detailed") << "cost_model: " + red;
    QTest::newRow("key") << QByteArray("name: Small") << red + ": Small";
    QTest::newRow("raw") << QByteArray("name: Small") << QByteArray("name: \x1b[31mred");
    QTest::newRow("raw mark") << QByteArray("name: Small") << QByteArray("name: a\u202Eb");
    QTest::newRow("broken") << QByteArray("name: Small") << QByteArray("name: [\"\u202E");
}

void TestCliVisible::namesAreRefused()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QByteArray plan = clitesting::smallPlan;
    QVERIFY(plan.contains(before));
    plan.replace(before, after);
    const auto project = m_folder->filePath(u"p.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, project}).status, 0);
    const auto input = u"-"_s;
    for (const QStringList &command : {QStringList{u"solve"_s, input}, QStringList{u"compare"_s, input},
             QStringList{u"explain"_s, input, u"--what"_s, u"operators"_s}, QStringList{u"search"_s, input},
             QStringList{u"sweep"_s, input, u"--vary"_s, u"fleet.nodes=4,8"_s}, QStringList{u"fleet"_s, input},
             QStringList{u"size"_s, input}, QStringList{u"offers"_s, u"compare"_s, input},
             QStringList{u"project"_s, u"import"_s, project, input}})
        checkClean(command, plan, false);
    const QByteArray line = "{\"plan\": {\"name\": \"\u202E\\u001b[31m\", \"\\u001b\": 1}}\n";
    checkClean({u"solve"_s, u"--batch"_s, input}, line, true);
    checkClean({u"evaluate"_s, u"pipeline-bubble"_s, input}, line, false);
}

void TestCliVisible::notesAreShown()
{
    const auto project = m_folder->filePath(u"p.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, project}).status, 0);
    const auto table = QByteArray(runTable).replace("30,x", "30,\"\x1b[31mx\u202E\"");
    for (const auto &format : {u"table"_s, u"json"_s}) {
        checkClean({u"validate"_s, u"-"_s, u"--worst"_s, u"1"_s, u"--format"_s, format}, table, true);
        checkClean({u"calibrate"_s, u"-"_s, u"--format"_s, format}, table, true);
    }
    checkClean({u"validate"_s, u"-"_s}, QByteArray(runTable).replace("mine", "\x1b[31mmine"), false);
    checkClean({u"project"_s, u"import"_s, project, u"-"_s}, table, true);
    checkClean({u"catalog"_s, u"add"_s, u"nodes/mine"_s, u"--project"_s, project, u"--like"_s, u"nvidia_dgx_h100"_s,
                   u"--notes"_s, u"\x1b[31m\u202E"_s},
        {}, true);
    for (const auto &format : {u"table"_s, u"json"_s})
        checkClean({u"catalog"_s, u"show"_s, u"mine"_s, u"--project"_s, project, u"--format"_s, format}, {}, true);
    checkClean({u"catalog"_s, u"add"_s, u"nodes/other"_s, u"--project"_s, project, u"--like"_s, u"nvidia_dgx_h100"_s,
                   u"--name"_s, u"\x1b[31m"_s},
        {}, false);
}

/// What another program reads comes back as it was; a terminal gets it so that it can be seen.
void TestCliVisible::tablesAreData()
{
    const QByteArray notes = "a\u200Bb \x1b[31m\u202E";
    const auto project = m_folder->filePath(u"p.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, project}).status, 0);
    QCOMPARE(run({u"catalog"_s, u"add"_s, u"nodes/mine"_s, u"--project"_s, project, u"--like"_s, u"nvidia_dgx_h100"_s,
                     u"--notes"_s, QString::fromUtf8(notes)})
                 .status,
        0);
    const QStringList exporting{u"catalog"_s, u"export"_s, u"nodes"_s, u"--own"_s, u"--project"_s, project};
    const auto file = m_folder->filePath(u"nodes.csv"_s);
    const auto printed = run(exporting + QStringList{u"--format"_s, u"csv"_s});
    QCOMPARE(run(exporting + QStringList{u"-o"_s, file}).status, 0);
    QCOMPARE(printed.status, 0);
    QCOMPARE(printed.out, clirunner::fileContent(file));
    QVERIFY2(printed.out.contains(notes), printed.out.constData());
    const auto other = m_folder->filePath(u"other.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, other}).status, 0);
    QCOMPARE(run({u"catalog"_s, u"import"_s, file, u"--project"_s, other}).status, 0);
    const auto opened = storage::Project::open(other);
    QVERIFY(opened.has_value());
    const auto catalog = (*opened)->catalog();
    QVERIFY(catalog && catalog->find(CatalogKind::Node, "mine"));
    QCOMPARE(QByteArray::fromStdString(catalog->find(CatalogKind::Node, "mine")->notes), notes);
#ifdef __unix__
    const auto shown = onTerminal(exporting + QStringList{u"--format"_s, u"csv"_s});
    QVERIFY2(shown.contains("mine") && shown.contains("\\u001B[31m") && isClean(shown), shown.constData());
#endif
}

/// Projects of versions that took such names open, and show them.
void TestCliVisible::olderProjects()
{
    const auto path = m_folder->filePath(u"old.fleetwright"_s);
    {
        auto project = storage::Project::create(path);
        QVERIFY(project.has_value());
        auto plan = exchange::documentFromText(clitesting::smallPlan);
        QVERIFY(plan.has_value());
        std::get<PlanDocument>(*plan).name = "shown";
        QVERIFY((*project)->addDocuments({*plan}).has_value());
    }
    {
        auto database = storage::Database::open(path, storage::Database::Access::ReadWrite);
        QVERIFY(database.has_value());
        const auto renamed = u"UPDATE plan SET name = ?, document = replace(document, '\"shown\"', ?)"_s;
        QVERIFY((*database)->execute(renamed, {u"\x1b[31mred\u202E"_s, u"\"\\u001b[31mred\u202E\""_s}).has_value());
        QVERIFY(storage::renewDigests(**database).has_value());
    }
    {
        const auto project = storage::Project::open(path);
        QVERIFY(project.has_value());
        const auto plans = (*project)->plans();
        QVERIFY(plans && plans->back().document.name == "\x1b[31mred\u202E");
    }
    const auto kept = run({u"report"_s, path, u"-o"_s, m_folder->filePath(u"out.json"_s)});
    QVERIFY2(kept.status == 0, kept.err.constData());
    QVERIFY(isClean(kept.out) && isClean(kept.err));
    checkClean({u"project"_s, u"check"_s, path}, {}, true);
    checkClean({u"project"_s, u"export"_s, path, u"-o"_s, m_folder->filePath(u"out"_s)}, {}, true);
}

void TestCliVisible::fileNames()
{
    for (const auto &command : {u"solve"_s, u"validate"_s, u"size"_s, u"fleet"_s})
        checkClean({command, u"/no/such/\x1b[31m\u202Efile.yaml"_s}, {}, false);
    checkClean({u"project"_s, u"check"_s, u"/no/\x1b[31m.fleetwright"_s}, {}, false);
    checkClean({u"\x1b[31mno-such-command"_s}, {}, false);
    checkClean({u"models"_s, u"--\x1b[31moption"_s}, {}, false);
}

void TestCliVisible::cellsAreDefused()
{
    const auto table = QByteArray(runTable).replace("mine", "\"=HYPERLINK(\"\"x\"\")\"");
    const auto result = run({u"validate"_s, u"-"_s, u"--format"_s, u"csv"_s}, table);
    QVERIFY2(result.status == 0, result.err.constData());
    QVERIFY2(result.out.contains(",\"'=HYPERLINK("), result.out.constData());
    QVERIFY(!result.out.contains(",\"=HYPERLINK("));

    QByteArray plan = clitesting::smallPlan;
    plan.replace("name: Small", "name: '@SUM(A1)'");
    for (const auto &command : {u"solve"_s, u"compare"_s}) {
        const auto csv = run({command, u"-"_s, u"--format"_s, u"csv"_s}, plan);
        for (const auto &row : clitesting::csvRows(csv.out))
            for (const auto &cell : row)
                QVERIFY2(!cell.starts_with('@') && !cell.starts_with('='), cell.c_str());
    }
}

void TestCliVisible::tablesOnStandardInput()
{
    const auto project = m_folder->filePath(u"p.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, project}).status, 0);
    const auto imported = run({u"project"_s, u"import"_s, project, u"-"_s}, runTable);
    QVERIFY2(imported.status == 0, imported.err.constData());
    QVERIFY(imported.out.contains("1 run"));
    QCOMPARE(run({u"validate"_s, u"-"_s}, runTable).status, 0);
    QCOMPARE(run({u"calibrate"_s, u"-"_s}, runTable).status, 0);
    const auto none = run({u"project"_s, u"import"_s, project, u"-"_s}, "tp,pp\n1,2\n");
    QCOMPARE(none.status, 3);
}

FLEETWRIGHT_TEST(TestCliVisible)
#include "tst_clivisible.moc"
