// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the real program.
#include "cli/clirunner.h"
#include "testing/registry.h"
#include <nlohmann/json.hpp>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

namespace {

using clirunner::parsed;
using clirunner::Run;

constexpr const char *samplePlan = R"(fleetwright: 1
name: NAME
workload: llama3_1_70b
fleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}
parallelism: {tp: TP, pp: 4}
training: {global_batch: 256, microbatch_count: 16, seq_len: 2048, precision: fp16}
cost_model: first-order
)";

Run run(const QStringList &arguments, const QByteArray &input = {})
{
    return clirunner::run(QStringList(u"compare"_s) + arguments, input);
}

QByteArray plan(const QByteArray &name, const QByteArray &tp)
{
    return QByteArray(samplePlan).replace("NAME", name).replace("TP", tp);
}

const Json *rowOf(const Json &json, const std::string &key)
{
    for (const auto &row : json["rows"])
        if (row["key"] == key)
            return &row;
    return nullptr;
}

} // namespace

class TestCompareCommand : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void tableMarksBestAndDifferences();
    void jsonHoldsEveryCell();
    void csvIsInBaseUnits();
    void everyModelAnswersOrSaysWhy();
    void explainsDownToTheCatalog();
    void refusals_data();
    void refusals();

private:
    QTemporaryDir m_folder;
    QString m_eight, m_one, m_wrong;
};

void TestCompareCommand::initTestCase()
{
    const auto write = [this](const QString &name, const QByteArray &text) {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("The plan could not be written.");
        return file.fileName();
    };
    m_eight = write(u"eight.yaml"_s, plan("Eight", "8"));
    m_one = write(u"one.yaml"_s, plan("One", "1"));
    m_wrong = write(u"wrong.yaml"_s, plan("Wrong", "3"));
}

void TestCompareCommand::tableMarksBestAndDifferences()
{
    const auto answer = run({m_eight, m_one, u"--cost-model"_s, u"first-order"_s});
    QCOMPARE(answer.status, 0);
    QVERIFY(answer.out.startsWith("Figure"));
    QVERIFY(answer.out.contains("Step time [s]"));
    QVERIFY(answer.out.contains(" *"));
    QVERIFY(answer.out.contains("difference to Eight"));
    QVERIFY(run({m_eight, m_one, u"--cost-model"_s, u"first-order"_s, u"--reference"_s, u"2"_s})
                .out.contains("difference to One"));
}

void TestCompareCommand::jsonHoldsEveryCell()
{
    const auto answer = run({m_eight, m_one, m_wrong, u"--cost-model"_s, u"first-order"_s, u"--format"_s, u"json"_s});
    QCOMPARE(answer.status, 0);
    const auto json = parsed(answer.out);
    QCOMPARE(json["columns"].size(), 3UZ);
    QVERIFY(json["columns"][0]["ok"].get<bool>());
    QVERIFY(!json["columns"][2]["ok"].get<bool>());
    QCOMPARE(QString::fromStdString(json["columns"][2]["error"]["code"]), u"infeasible_parallelism"_s);
    const auto *step = rowOf(json, "step_time_s");
    QVERIFY(step);
    QCOMPARE((*step)["unit"].get<std::string>(), std::string("s"));
    const double first = (*step)["cells"][0]["value"], second = (*step)["cells"][1]["value"];
    QCOMPARE((*step)["cells"][1]["difference"].get<double>(), second / first - 1.0);
    QVERIFY((*step)["cells"][2].contains("refused"));
}

void TestCompareCommand::csvIsInBaseUnits()
{
    const auto answer = run({m_eight, u"--cost-model"_s, u"first-order"_s, u"--format"_s, u"csv"_s});
    QCOMPARE(answer.status, 0);
    const auto lines = answer.out.split('\n');
    QCOMPARE(lines.front().trimmed(), QByteArray("figure,unit,\"Eight, first-order\""));
    QVERIFY(answer.out.contains("\r\nmemory.capacity_bytes,B,855"));
}

void TestCompareCommand::everyModelAnswersOrSaysWhy()
{
    const auto answer = run({u"-"_s, u"--format"_s, u"json"_s}, plan("From standard input", "8"));
    QCOMPARE(answer.status, 0);
    const auto json = parsed(answer.out);
    for (std::size_t i = 0; i < json["columns"].size(); ++i) {
        const auto &column = json["columns"][i];
        QVERIFY2(column["ok"].get<bool>(), column.dump().c_str());
        for (const auto &row : json["rows"]) {
            const auto &cell = row["cells"][i];
            QVERIFY(cell.contains("value") || !cell["absent"].get<std::string>().empty());
        }
    }
    for (const auto &range : json["spread"])
        QVERIFY(range["low"].get<double>() <= range["high"].get<double>());
}

void TestCompareCommand::explainsDownToTheCatalog()
{
    const auto text = run({m_eight, u"--cost-model"_s, u"first-order"_s, u"--explain"_s, u"mfu"_s});
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.contains("MFU (mfu) = "));
    QVERIFY(text.out.contains("NVIDIA H100 SXM5 80GB, Dense peak fp16"));
    QVERIFY(text.out.contains("confidence: "));
    const auto json = parsed(
        run({m_eight, u"--cost-model"_s, u"first-order"_s, u"--explain"_s, u"mfu"_s, u"--format"_s, u"json"_s}).out);
    const auto &figures = json[0]["figures"];
    QCOMPARE(figures.back()["key"].get<std::string>(), std::string("mfu"));
    QVERIFY(!figures.back()["inputs"].empty());
}

void TestCompareCommand::refusals_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("unknown model") << QStringList{u"EIGHT"_s, u"--cost-model"_s, u"oracle"_s} << 2
                                   << QByteArray("oracle");
    QTest::newRow("no plan") << QStringList{} << 2 << QByteArray("PLAN");
    QTest::newRow("no file") << QStringList{u"nowhere.yaml"_s} << 5 << QByteArray("nowhere.yaml");
    QTest::newRow("reference beyond the columns") << QStringList{u"EIGHT"_s, u"--cost-model"_s, u"first-order"_s,
        u"--reference"_s, u"2"_s} << 2 << QByteArray("1 columns");
    QTest::newRow("unknown figure") << QStringList{u"EIGHT"_s, u"--explain"_s, u"luck"_s} << 2
                                    << QByteArray("step_time_s");
    QTest::newRow("every column refused")
        << QStringList{u"WRONG"_s, u"--cost-model"_s, u"first-order"_s} << 3 << QByteArray();
    QTest::newRow("standard input twice") << QStringList{u"-"_s, u"-"_s} << 2 << QByteArray("only once");
}

void TestCompareCommand::refusals()
{
    QFETCH(QStringList, arguments);
    QFETCH(const int, status);
    QFETCH(const QByteArray, says);
    for (auto &argument : arguments)
        argument = argument == u"EIGHT" ? m_eight : argument == u"WRONG" ? m_wrong : argument;
    const auto answer = run(arguments);
    QVERIFY2(answer.status == status, answer.err.constData());
    QVERIFY2(answer.err.contains(says), answer.err.constData());
}

FLEETWRIGHT_TEST(TestCompareCommand)
#include "tst_comparecommand.moc"
