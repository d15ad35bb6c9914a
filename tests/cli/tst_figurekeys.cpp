// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the real program.
#include "testing/registry.h"

#include <nlohmann/json.hpp>

#include <QByteArrayList>
#include <QProcess>
#include <QTest>

#include <set>

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char *samplePlan = R"(fleetwright: 1
name: Keys
workload: llama3_1_70b
fleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}
parallelism: {tp: 8, pp: 4}
training: {global_batch: 256, microbatch_count: 16, seq_len: 2048, precision: bf16}
constraints: {max_memory_fraction: 0.9}
cost_model: detailed
)";

QByteArray run(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(FLEETWRIGHT_CLI), arguments);
    process.write(samplePlan);
    process.closeWriteChannel();
    return process.waitForFinished(300000) ? process.readAllStandardOutput() : QByteArray();
}

Json jsonOf(QStringList arguments) { return Json::parse(run(arguments << u"--format"_s << u"json"_s).constData()); }

QByteArrayList columnsOf(QStringList arguments)
{
    const auto text = run(arguments << u"--format"_s << u"csv"_s);
    return text.left(text.indexOf("\r\n")).split(',');
}

/// Paths of all numbers and flags below, except in what is left out.
std::set<std::string> pathsIn(const Json &json, const std::set<std::string> &without, const std::string &prefix = {})
{
    std::set<std::string> paths;
    for (const auto &[name, value] : json.items()) {
        const auto path = prefix + name;
        if (without.contains(path))
            continue;
        if (value.is_object())
            paths.merge(pathsIn(value, without, path + '.'));
        else if (value.is_number() || value.is_boolean())
            paths.insert(path);
    }
    return paths;
}

const std::set<std::string> layoutKeys{
    "tp", "cp", "pp", "ep", "dp", "virtual_stages", "microbatch_size", "zero_stage", "recompute", "sequence_parallel"};

} // namespace

/// What a file calls a figure is a key of `models --figures`, in every command.
class TestFigureKeys : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        const auto listed = jsonOf({u"models"_s, u"--figures"_s});
        for (const auto &figure : listed["figures"]) {
            QVERIFY(!figure["label"].get<std::string>().empty() && !figure["help"].get<std::string>().empty());
            m_known.insert(figure["key"].get<std::string>());
        }
        QVERIFY(m_known.contains("step_time_s") && m_known.contains("feasible") && m_known.size() > 50);
    }

    void listInEveryFormat()
    {
        QCOMPARE(columnsOf({u"models"_s, u"--figures"_s}),
            (QByteArrayList{"key", "label", "unit", "better", "help", "cost_model"}));
        QVERIFY(run({u"models"_s, u"--figures"_s}).contains("memory.total_bytes"));
    }

    void solve()
    {
        const auto json = jsonOf({u"solve"_s, u"-"_s});
        const auto &estimate = json.contains("estimate") ? json["estimate"] : json[0]["estimate"];
        QVERIFY(estimate["feasible"].is_boolean());
        const auto paths = pathsIn(estimate,
            {"parallelism.tp", "parallelism.pp", "parallelism.cp", "parallelism.ep", "parallelism.virtual_stages",
                "parallelism.zero_stage", "parallelism.sequence_parallel", "step_time_range"});
        QVERIFY(paths.contains("memory.total_bytes") && paths.contains("exposed_tp_comm_time_s"));
        verifyKnown(paths);
        auto columns = columnsOf({u"solve"_s, u"-"_s});
        for (const auto *structure :
            {"file", "name", "ok", "cost_model", "cost_model_version", "input_hash", "parallelism.tp", "parallelism.pp",
                "parallelism.cp", "parallelism.ep", "parallelism.virtual_stages", "parallelism.zero_stage",
                "parallelism.sequence_parallel", "scorecard.feasibility", "scorecard.performance", "scorecard.macro",
                "scorecard.overall", "broken_constraints", "warnings", "error_code", "error_field", "error_message"})
            QVERIFY2(columns.removeOne(structure), structure);
        columns.removeIf([](const QByteArray &column) { return column.startsWith("layout."); }); // its settings
        verifyKnown(columns);
    }

    void compare()
    {
        std::set<std::string> keys, ends; // of a figure's range, and what was measured: no figures
        const auto json = jsonOf({u"compare"_s, u"-"_s});
        for (const auto &row : json["rows"]) {
            if (row["group"] == "How sure") {
                ends.insert(row["key"].get<std::string>());
                continue;
            }
            keys.insert(row["key"].get<std::string>());
            for (const auto &cell : row["cells"])
                QVERIFY(!cell.contains("value") || cell["value"].is_boolean() == (row["key"] == "feasible"));
        }
        QVERIFY(keys.contains("bubble_share_of_step") && keys.contains("bubble_fraction"));
        verifyKnown(keys);
        QByteArrayList csvKeys;
        for (const auto &line : run({u"compare"_s, u"-"_s, u"--format"_s, u"csv"_s}).split('\n').mid(1))
            if (const auto key = line.left(line.indexOf(',')); !line.isEmpty() && !ends.contains(key.toStdString())) {
                csvKeys << key;
                if (csvKeys.back() == "feasible")
                    QVERIFY2(line.contains(",true") || line.contains(",false"), line.constData());
            }
        verifyKnown(csvKeys);
    }

    /// No cell of a table for people needs an exponent, and microseconds are written as such.
    void tablesAreReadable()
    {
        const auto text = QString::fromUtf8(run({u"compare"_s, u"-"_s}));
        QVERIFY(text.contains(u"Checkpoint takes"_s));
        for (const auto &wrong : {u"e-0"_s, u"e+0"_s, u"[us]"_s, u" us"_s})
            QVERIFY2(!text.contains(wrong), qPrintable(wrong + u" in\n"_s + text));
    }

    void search()
    {
        const auto json = jsonOf({u"search"_s, u"-"_s, u"--tp"_s, u"8"_s, u"--pp"_s, u"1,2,4"_s});
        auto without = layoutKeys;
        without.insert("case");
        verifyKnown(pathsIn(json["rows"][0], without));
        verifyKnown(pathsIn(json["best"], without));
        QVERIFY(json["best"]["memory"]["total_bytes"].is_number());
        auto columns = columnsOf({u"search"_s, u"-"_s, u"--tp"_s, u"8"_s, u"--pp"_s, u"1,2,4"_s, u"--top"_s, u"3"_s});
        for (const auto &key : layoutKeys)
            QVERIFY2(columns.removeOne(key.c_str()), key.c_str());
        for (const auto *structure : {"rank", "case"})
            QVERIFY(columns.removeOne(structure));
        verifyKnown(columns);
    }

    void plannersSearch()
    {
        for (const auto *planner : {"searcher", "strategy-calculator", "first-order"}) {
            const QStringList asked{u"search"_s, u"-"_s, u"--planner"_s, QString::fromLatin1(planner)};
            auto without = layoutKeys;
            without.merge(std::set<std::string>{"best", "fits", "microbatches"});
            verifyKnown(pathsIn(jsonOf(asked)["rows"][0], without));
            auto columns = columnsOf(asked);
            for (const auto *structure : {"dp", "tp", "pp", "best", "fits", "note", "microbatches"})
                columns.removeOne(structure);
            verifyKnown(columns);
        }
    }

    void sweep()
    {
        const QStringList asked{u"sweep"_s, u"-"_s, u"--vary"_s, u"fleet.nodes=16,32"_s};
        const auto json = jsonOf(asked);
        const auto paths = pathsIn(json["cells"][0]["figures"], {});
        QVERIFY(paths.contains("memory.total_bytes"));
        verifyKnown(paths);
        auto columns = columnsOf(asked).mid(1); // the axis
        for (const auto *structure : {"cost_model", "cost_model_version", "ok", "problems", "missed", "error_code",
                 "error_field", "error_message"})
            QVERIFY2(columns.removeOne(structure), structure);
        verifyKnown(columns);
    }

    void olderKeysStillChooseAFigure()
    {
        const auto json = jsonOf(
            {u"sweep"_s, u"-"_s, u"--vary"_s, u"fleet.nodes=16,32"_s, u"--figure"_s, u"breakdown.tp_s"_s});
        QCOMPARE(json["figure"].get<std::string>(), std::string("exposed_tp_comm_time_s"));
    }

private:
    template <class Keys> void verifyKnown(const Keys &keys) const
    {
        QVERIFY(!keys.empty());
        for (const auto &key : keys) {
            const std::string text(key.data(), std::size_t(key.size()));
            QVERIFY2(m_known.contains(text), text.c_str());
        }
    }

    std::set<std::string> m_known;
};

FLEETWRIGHT_TEST(TestFigureKeys)
#include "tst_figurekeys.moc"
