// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the real program: fleetwright-cli search says what the engine finds.
#include "cli/clirunner.h"
#include "storage/project.h"
#include "testing/registry.h"

#include "exchange/layoutsearchdocuments.h"
#include "exchange/layoutsearchresults.h"
#include "exchange/textreader.h"
#include "solver/search/layoutsearchwords.h"

#include <nlohmann/json.hpp>

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
using namespace fleetwright;
using exchange::Json;

namespace {

using clirunner::fileContent;
using clirunner::Run;

constexpr const char *samplePlan = R"(fleetwright: 1
name: Llama-3.1-8B on 64 H100
workload: llama3_8b
fleet: {node: nvidia_dgx_h100, nodes: 8, fabric: ib_ndr}
training: {global_batch: 64, seq_len: 4096, precision: bf16}
constraints: {max_memory_fraction: 0.9}
)";

constexpr const char *sampleSearch = R"(fleetwright: 1
plan:
  workload: llama3_8b
  fleet: {node: nvidia_dgx_h100, nodes: 8, fabric: ib_ndr}
  training: {global_batch: 64, seq_len: 4096, precision: bf16}
space: {tp: [1, 2, 4], cp: [1], recompute: [none, full]}
cases: {key: fleet.nodes, values: [4, 8]}
objective: tokens_per_second
pareto: [step_time, accelerators]
rows: 40
)";

Run run(const QStringList &arguments, const QByteArray &input = samplePlan)
{
    return clirunner::run(QStringList{u"search"_s} + arguments, input);
}

const Catalog &shipped()
{
    static const Catalog catalog = *storage::shippedCatalog();
    return catalog;
}

/// The sample plan, or a search document.
LayoutSearchDocument documentFrom(const QByteArray &text)
{
    if (exchange::isSearch(*exchange::readText(text.toStdString())))
        return *exchange::layoutSearchFromText(text.toStdString());
    LayoutSearchDocument document;
    document.plan = *exchange::planFromText(text.toStdString());
    return document;
}

struct Answer {
    layoutsearch::Request request;
    layoutsearch::Result result;
};

Answer answerTo(const LayoutSearchDocument &document)
{
    auto request = layoutsearch::requestFrom(document, shipped());
    if (!request)
        qFatal("%s", request.error().message.c_str());
    auto result = layoutsearch::run(*request);
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return {std::move(*request), std::move(*result)};
}

using Change = void (*)(LayoutSearchDocument &document);

} // namespace

Q_DECLARE_METATYPE(Change)

class TestCliSearch : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

private slots:
    void saysWhatTheEngineFinds_data();
    void saysWhatTheEngineFinds();
    void tableShowsTheBestOfEachSplit();
    void csvHoldsTheListing();
    void filesHoldWhatIsPrinted();
    void threadsAndPruningChangeNothing();
    void searcherFormat();
    void reasons();
    void measuresOnStandardError();
    void refuses_data();
    void refuses();
    void nothingFeasible();
    void interruptedSearchLeavesNothing();
    void modelsWithoutTimeOrMemory();
};

void TestCliSearch::saysWhatTheEngineFinds_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<Change>("change");
    const QByteArray plan(samplePlan), document(sampleSearch);
    QTest::newRow("plan") << QStringList{} << plan << Change([](LayoutSearchDocument &) {});
    QTest::newRow("document") << QStringList{} << document << Change([](LayoutSearchDocument &) {});
    QTest::newRow("space") << QStringList{u"--tp"_s, u"1..4:x2"_s, u"--virtual-stages"_s, u"1, 2"_s, u"--recompute"_s,
        u"none"_s, u"--sequence-parallel"_s, u"yes"_s, u"--uneven-chunks"_s, u"--tp-across-domains"_s}
                           << plan << Change([](LayoutSearchDocument &changed) {
                                  changed.space[LayoutSearchOption::Tp] = {1, 2, 4};
                                  changed.space[LayoutSearchOption::VirtualStages] = {1, 2};
                                  changed.space[LayoutSearchOption::Recompute] = {0};
                                  changed.space[LayoutSearchOption::SequenceParallel] = {1};
                                  changed.space.unevenChunks = changed.space.tpAcrossDomains = true;
                              });
    QTest::newRow("every other option") << QStringList{u"--cp"_s, u"1"_s, u"--pp"_s, u"2..4"_s, u"--ep"_s, u"1"_s,
        u"--dp"_s, u"1..16"_s, u"--microbatch-size"_s, u"1"_s, u"--zero-stage"_s,
        u"0, 1"_s} << plan << Change([](LayoutSearchDocument &changed) {
        changed.space[LayoutSearchOption::Cp] = {1};
        changed.space[LayoutSearchOption::Pp] = {2, 3, 4};
        changed.space[LayoutSearchOption::Ep] = {1};
        changed.space[LayoutSearchOption::Dp] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        changed.space[LayoutSearchOption::MicrobatchSize] = {1};
        changed.space[LayoutSearchOption::ZeroStage] = {0, 1};
    });
    QTest::newRow("objective and rows") << QStringList{u"--objective"_s, u"memory_headroom"_s, u"--top"_s, u"7"_s}
                                        << plan << Change([](LayoutSearchDocument &changed) {
                                               changed.objective = LayoutSearchObjective::MemoryHeadroom;
                                               changed.rows = 7;
                                           });
    QTest::newRow("options above the document")
        << QStringList{u"--tp"_s, u"2"_s, u"--objective"_s, u"mfu"_s, u"--pareto"_s, u"memory,accelerators"_s}
        << document << Change([](LayoutSearchDocument &changed) {
               changed.space[LayoutSearchOption::Tp] = {2};
               changed.objective = LayoutSearchObjective::Mfu;
               changed.pareto = {ParetoAxis::Memory, ParetoAxis::Accelerators};
           });
    QTest::newRow("cases")
        << QStringList{u"--vary"_s, u"fleet.nodes=2..8:x2"_s} << plan << Change([](LayoutSearchDocument &changed) {
               changed.cases = axisOf("fleet.nodes", {SettingValue(2.0), SettingValue(4.0), SettingValue(8.0)});
           });
    QTest::newRow("another cost model") << QStringList{u"--cost-model"_s,
        u"first-order"_s} << plan << Change([](LayoutSearchDocument &changed) { changed.costModelId = "first-order"; });
}

void TestCliSearch::saysWhatTheEngineFinds()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, input);
    QFETCH(Change, change);
    auto document = documentFrom(input);
    change(document);
    const auto [request, result] = answerTo(document);
    const auto expected = exchange::layoutSearchAnswerToJson(
        document, result, shipped(), layoutsearch::recommendation(request, result));
    const auto done = run(QStringList{u"-"_s, u"--format"_s, u"json"_s} + options, input);
    QVERIFY2(done.status == 0, done.err.constData());
    QVERIFY(result.best());
    QVERIFY2(done.out.toStdString() == expected, done.out.left(3000).constData());
    QVERIFY(done.err.isEmpty()); // progress only where people watch
}

void TestCliSearch::tableShowsTheBestOfEachSplit()
{
    const auto [request, result] = answerTo(documentFrom(samplePlan));
    const auto words = layoutsearch::recommendation(request, result);
    const auto lines = QString::fromUtf8(run({u"-"_s, u"--top"_s, u"3"_s}).out).split(u'\n');
    QVERIFY(lines[0].startsWith(u"#  TP  CP  PP  EP  DP"_s) && lines[0].contains(u"Step time [ms]"_s));
    for (std::size_t i = 0; i < 3; ++i) {
        const auto &layout = result.groups[i].best->layout;
        const auto cells = lines[qsizetype(i) + 2].split(u' ', Qt::SkipEmptyParts);
        QCOMPARE(cells.first(6),
            (QStringList{QString::number(i + 1), QString::number(layout.tp), QString::number(layout.cp),
                QString::number(layout.pp), QString::number(layout.ep), QString::number(layout.dp)}));
    }
    QVERIFY(lines[5].isEmpty());
    for (const auto &sentence : words)
        QVERIFY2(lines.contains(QString::fromStdString(sentence)), sentence.c_str());
    QCOMPARE(QString::fromUtf8(run({u"-"_s}).out).split(u'\n').indexOf(u""_s),
        std::min<qsizetype>(20, std::ranges::count_if(result.groups, [](const layoutsearch::Group &group) {
            return group.best.has_value();
        })) + 2);
}

void TestCliSearch::csvHoldsTheListing()
{
    const auto document = documentFrom(sampleSearch);
    const auto [request, result] = answerTo(document);
    const auto csv = [](const QStringList &options) {
        return run(QStringList{u"-"_s, u"--format"_s, u"csv"_s} + options, sampleSearch).out.toStdString();
    };
    QVERIFY(csv({}) == exchange::layoutSearchGroupsToCsv(result));
    QVERIFY(csv({u"--all-settings"_s}) == exchange::layoutSearchRowsToCsv(result));
    QVERIFY(csv({u"--pareto"_s, u"step_time,accelerators"_s}) == exchange::layoutSearchRowsToCsv(result.front, result));
    QCOMPARE(QString::fromStdString(csv({u"--top"_s, u"2"_s})).count(u"\r\n"_s), 3);
}

void TestCliSearch::filesHoldWhatIsPrinted()
{
    for (const auto *suffix : {"json", "csv"}) {
        const auto path = m_folder.filePath(u"answer."_s + QString::fromLatin1(suffix));
        const auto done = run({u"-"_s, u"--tp"_s, u"2"_s, u"--output"_s, path});
        QVERIFY2(done.status == 0 && done.out.contains("Wrote"), done.err.constData());
        QVERIFY(fileContent(path) == run({u"-"_s, u"--tp"_s, u"2"_s, u"--format"_s, QString::fromLatin1(suffix)}).out);
    }
    const auto path = m_folder.filePath(u"answer.xlsx"_s);
    QCOMPARE(run({u"-"_s, u"--tp"_s, u"2"_s, u"--output"_s, path}).status, 0);
    QVERIFY(fileContent(path).startsWith("PK") && fileContent(path).contains("xl/worksheets/sheet4.xml"));
    QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 3);
}

void TestCliSearch::threadsAndPruningChangeNothing()
{
    const auto base = run({u"-"_s, u"--format"_s, u"json"_s, u"--threads"_s, u"1"_s}).out;
    QVERIFY(base.size() > 1000);
    QVERIFY(run({u"-"_s, u"--format"_s, u"json"_s, u"--threads"_s, u"3"_s}).out == base);
    QVERIFY(run({u"-"_s, u"--format"_s, u"json"_s, u"--no-pruning"_s}).out == base);
}

void TestCliSearch::searcherFormat()
{
    const auto [request, result] = answerTo(documentFrom(samplePlan));
    const auto expected = *exchange::searchToSearcherFormat(result);
    QVERIFY(run({u"-"_s, u"--searcher-format"_s}).out.toStdString() == expected + "\n");
    const auto path = m_folder.filePath(u"times.json"_s);
    QCOMPARE(run({u"-"_s, u"--searcher-format"_s, u"--output"_s, path}).status, 0);
    QVERIFY(fileContent(path).toStdString() == expected);
    QFile::remove(path);
}

void TestCliSearch::reasons()
{
    const auto [request, result] = answerTo(documentFrom(samplePlan));
    QVERIFY(result.recommended());
    const auto &taken = *result.recommended();
    auto chosen = taken.layout;
    chosen.tp = 8;
    chosen.recompute = Recompute::Full;
    const auto why = *layoutsearch::whyNot(request, chosen, 0, taken, layoutsearch::Against::Recommended);
    const auto changes = *layoutsearch::sensitivity(request, taken.layout, 0);
    const auto table = run({u"-"_s, u"--why-not"_s, u"tp=8, recompute=full"_s, u"--sensitivity"_s});
    QVERIFY2(table.status == 0, table.err.constData());
    for (const auto &sentence : why)
        QVERIFY2(table.out.contains(sentence.c_str()), sentence.c_str());
    QCOMPARE(table.out.mid(table.out.indexOf("One setting of the recommended layout changed")).count('\n'),
        qsizetype(changes.size()) + 3);
    const auto json = Json::parse(
        run({u"-"_s, u"--why-not"_s, u"tp=8, recompute=full"_s, u"--sensitivity"_s, u"--format"_s, u"json"_s})
            .out.toStdString());
    QVERIFY(json["why_not"]["sentences"].get<std::vector<std::string>>() == why);
    QCOMPARE(json["sensitivity"].size(), changes.size());
    for (std::size_t i = 0; i < changes.size(); ++i)
        QCOMPARE(json["sensitivity"][i]["feasible"].get<bool>(), changes[i].row.has_value());
}

void TestCliSearch::measuresOnStandardError()
{
    const auto plain = run({u"-"_s, u"--tp"_s, u"2"_s});
    const auto measured = run({u"-"_s, u"--tp"_s, u"2"_s, u"--measure"_s});
    QVERIFY(measured.out == plain.out);
    QVERIFY2(measured.err.contains("step times computed"), measured.err.constData());
}

void TestCliSearch::refuses_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("words");
    const QByteArray plan(samplePlan), document(sampleSearch);
    const auto row = [](const char *title, const QStringList &options, const QByteArray &input, int status,
                         const char *words) {
        QTest::newRow(title) << options << input << status << QByteArray(words);
    };
    row("objective", {u"--objective"_s, u"joy"_s}, plan, 2, "--objective: \u201cjoy\u201d is no objective");
    row("values", {u"--tp"_s, u"two"_s}, plan, 2, "--tp: ");
    row("values out of range", {u"--zero-stage"_s, u"4"_s}, plan, 2, "--zero-stage: ");
    row("one Pareto axis", {u"--pareto"_s, u"memory"_s}, plan, 2, "--pareto: ");
    row("Pareto axis", {u"--pareto"_s, u"memory,colour"_s}, plan, 2, "--pareto: \u201ccolour\u201d");
    row("the same axis twice", {u"--pareto"_s, u"memory,memory"_s}, plan, 2, "two different figures");
    row("cost model", {u"--cost-model"_s, u"best"_s}, plan, 2, "--cost-model: ");
    row("rows", {u"--top"_s, u"0"_s}, plan, 2, "--top");
    row("type of file", {u"--output"_s, u"answer.doc"_s}, plan, 2, ".json, .csv or .xlsx");
    row("searcher's format in a table", {u"--searcher-format"_s, u"--output"_s, u"answer.csv"_s}, plan, 2,
        "must end in .json");
    row("searcher's format of cases", {u"--searcher-format"_s}, document, 2, "one case only");
    row("searcher's format of memory", {u"--searcher-format"_s, u"--objective"_s, u"memory_headroom"_s}, plan, 3,
        "step_time");
    row("vary without values", {u"--vary"_s, u"fleet.nodes"_s}, plan, 2, "--vary: ");
    row("vary an unknown key", {u"--vary"_s, u"fleet.knots=1"_s}, plan, 2, "fleet.knots");
    row("vary a document with cases", {u"--vary"_s, u"fleet.nodes=1"_s}, document, 2, "cases of its own");
    row("vary twice", {u"--vary"_s, u"fleet.nodes=1"_s, u"--vary"_s, u"fleet.nodes=2"_s}, plan, 2, "--vary");
    row("why-not without a value", {u"--why-not"_s, u"tp"_s}, plan, 2, "--why-not: ");
    row("why-not of several", {u"--why-not"_s, u"tp=1..8"_s}, plan, 2, "--why-not: ");
    row("why-not of something else", {u"--why-not"_s, u"nodes=8"_s}, plan, 2, "--why-not: \u201cnodes\u201d");
    row("not a plan", {}, "fleetwright: 1\nfoo: 2\n", 3, "foo");
    row("search document", {}, QByteArray(document).replace("tp:", "tq:"), 3, "space.tq");
    row("plan inside the document", {}, QByteArray(document).replace("nodes: 8", "nodes: 0"), 3, "plan.fleet.nodes");
    row("unknown item", {}, QByteArray(plan).replace("ib_ndr", "ib_nix"), 3, "fleet.fabric");
    row("figure that the model lacks", {u"--cost-model"_s, u"searcher"_s, u"--objective"_s, u"memory_headroom"_s}, plan,
        3, "objective: The cost model searcher gives no memory");
    row("folder missing", {u"--output"_s, u"/no/such/folder/answer.json"_s}, plan, 5, "could not be written");
    row("spreadsheet in a missing folder", {u"--output"_s, u"/no/such/folder/answer.xlsx"_s}, plan, 5,
        "could not be written");
    row("project missing", {u"--project"_s, u"/no/such/project.fleetwright"_s}, plan, 5,
        "/no/such/project.fleetwright");
}

void TestCliSearch::refuses()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, input);
    QFETCH(int, status);
    QFETCH(QByteArray, words);
    const auto done = run(QStringList{u"-"_s} + options, input);
    QVERIFY2(
        done.status == status, (QByteArray::number(done.status) + ": " + done.err + done.out.left(500)).constData());
    QVERIFY2(done.err.contains(words), done.err.constData());
    QVERIFY2(done.out.isEmpty(), done.out.left(500).constData());
}

void TestCliSearch::nothingFeasible()
{
    const QByteArray plan = QByteArray(samplePlan).replace("max_memory_fraction: 0.9", "max_memory_fraction: 0.01");
    const auto done = run({u"-"_s}, plan);
    QVERIFY2(done.status == 4, done.err.constData());
    QVERIFY(done.out.contains("memory"));
    const auto json = run({u"-"_s, u"--format"_s, u"json"_s, u"--why-not"_s, u"tp=8"_s, u"--sensitivity"_s}, plan);
    QCOMPARE(json.status, 4);
    const auto parsed = Json::parse(json.out.toStdString());
    QVERIFY(parsed["best"].is_null() && parsed["rows"].empty() && !parsed["groups"].empty());
    QVERIFY(parsed["counts"]["excluded"]["memory"].get<std::uint64_t>() > 0);
}

void TestCliSearch::interruptedSearchLeavesNothing()
{
    QTemporaryDir folder;
    const auto pipe = folder.filePath(u"plan.yaml"_s);
    QVERIFY(mkfifo(QFile::encodeName(pipe).constData(), 0600) == 0);
    QProcess process;
    process.start(
        QStringLiteral(FLEETWRIGHT_CLI), {u"search"_s, pipe, u"--output"_s, folder.filePath(u"answer.json"_s)});
    QVERIFY(process.waitForStarted());
    const int end = open(
        QFile::encodeName(pipe).constData(), O_WRONLY); // returns once the program reads, and so listens to signals
    QVERIFY(end >= 0);
    QVERIFY(kill(pid_t(process.processId()), SIGINT) == 0);
    const QByteArray plan(samplePlan);
    QCOMPARE(write(end, plan.constData(), std::size_t(plan.size())), ssize_t(plan.size()));
    close(end);
    QVERIFY(process.waitForFinished(120000));
    QVERIFY(process.exitStatus() == QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    QVERIFY(process.readAllStandardError().contains("cancelled"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot | QDir::Hidden),
        QStringList{u"plan.yaml"_s});
}

void TestCliSearch::modelsWithoutTimeOrMemory()
{
    const auto memory = Json::parse(run({u"-"_s, u"--cost-model"_s, u"strategy-calculator"_s, u"--objective"_s,
                                            u"memory_headroom"_s, u"--format"_s, u"json"_s})
                                        .out.toStdString());
    QVERIFY(!memory["best"].contains("step_time_s") && memory["best"]["memory"].contains("total_bytes"));
    const auto time = run({u"-"_s, u"--cost-model"_s, u"searcher"_s});
    QVERIFY2(time.status == 0, time.err.constData());
    QVERIFY(!time.out.left(time.out.indexOf('\n')).contains("Memory"));
}

FLEETWRIGHT_TEST(TestCliSearch)
#include "tst_clisearch.moc"
