// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the real program.
#include "cli/clitesting.h"
#include "testing/registry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using clirunner::Run;
using clitesting::samplePlan;

class TestLaunchCommand : public QObject, clitesting::CliFixture {
    Q_OBJECT

private slots:
    void init() { makeFolder(); }
    void writesEachFramework_data();
    void writesEachFramework();
    void decidesOpenLayouts();
    void namesTheRule();
    void goesThereAndBack();
    void asksForWhatIsMissing();
    void takesPlansOfAProject();
};

namespace {

Run run(const QStringList &arguments, const QByteArray &input = {}) { return clirunner::run(arguments, input); }

QByteArray failure(const Run &run) { return QByteArray::number(run.status) + ": " + run.err + run.out.left(500); }

/// A plan that every framework takes.
constexpr const char *plainPlan = R"(fleetwright: 1
name: Plain
workload: llama3_1_8b
fleet: {node: nvidia_dgx_h100, nodes: 4, fabric: ib_ndr}
parallelism: {tp: 4, pp: 1, zero_stage: 3, sequence_parallel: true}
training: {global_batch: 64, microbatch_size: 1, seq_len: 4096, precision: bf16}
cost_model: detailed
)";

} // namespace

void TestLaunchCommand::writesEachFramework_data()
{
    QTest::addColumn<QString>("framework");
    QTest::addColumn<QByteArray>("holds");
    QTest::newRow("Megatron-LM") << u"megatron-lm"_s << QByteArray("--tensor-model-parallel-size 4");
    QTest::newRow("Megatron-Bridge") << u"megatron-bridge"_s << QByteArray("model.tensor_model_parallel_size=4");
    QTest::newRow("DeepSpeed") << u"deepspeed"_s << QByteArray("\"autotp_size\": 4");
    QTest::newRow("torchtitan") << u"torchtitan"_s << QByteArray("tensor_parallel_degree=4,");
    QTest::newRow("MaxText") << u"maxtext"_s << QByteArray("ici_tensor_parallelism: 4");
}

void TestLaunchCommand::writesEachFramework()
{
    QFETCH(QString, framework);
    QFETCH(QByteArray, holds);
    const auto plan = file(u"plan.yaml"_s, plainPlan);
    const auto printed = run({u"launch"_s, plan, u"--for"_s, framework});
    QVERIFY2(printed.status == 0 && printed.out.contains(holds) && printed.err.isEmpty(), failure(printed));
    const auto path = m_folder->filePath(u"out"_s);
    const auto saved = run({u"launch"_s, u"-"_s, u"--for"_s, framework, u"-o"_s, path}, plainPlan);
    QVERIFY2(saved.status == 0 && saved.out.contains("does not hold"), failure(saved));
    QFile written(path);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(written.readAll(), printed.out);
}

void TestLaunchCommand::decidesOpenLayouts()
{
    const auto open = QByteArray(plainPlan).replace(
        "parallelism: {tp: 4, pp: 1, zero_stage: 3, sequence_parallel: true}", "layout: {best: {tp: 4, pp: 1}}");
    const auto printed = run({u"launch"_s, u"-"_s}, open);
    QVERIFY2(printed.status == 0 || printed.status == 3, failure(printed));
    QVERIFY2(printed.out.contains("--tensor-model-parallel-size 4") || printed.err.contains("Megatron-LM: "),
        failure(printed));
}

void TestLaunchCommand::namesTheRule()
{
    const auto path = m_folder->filePath(u"out.json"_s);
    const auto refused = run({u"launch"_s, u"-"_s, u"--for"_s, u"deepspeed"_s, u"-o"_s, path}, samplePlan);
    QCOMPARE(refused.status, 3);
    QVERIFY2(refused.err.contains("PipelineModule") && refused.err.contains("PP 4"), failure(refused));
    QVERIFY(!QFile::exists(path));
    const auto unknown = run({u"launch"_s, u"-"_s, u"--for"_s, u"megatron"_s}, samplePlan);
    QVERIFY2(unknown.status == 2 && unknown.err.contains("megatron-lm"), failure(unknown));
}

void TestLaunchCommand::goesThereAndBack()
{
    const auto script = m_folder->filePath(u"launch.sh"_s);
    QCOMPARE(run({u"launch"_s, u"-"_s, u"-o"_s, script}, plainPlan).status, 0);
    const auto plan = m_folder->filePath(u"again.yaml"_s);
    const auto back = run({u"plan-from"_s, script, u"--node"_s, u"nvidia_dgx_h100"_s, u"--fabric"_s, u"ib_ndr"_s,
        u"--name"_s, u"Plain"_s, u"-o"_s, plan});
    QVERIFY2(back.status == 0 && back.err.contains("Llama 3.1 8B"), failure(back));
    const auto solved = run({u"solve"_s, plan, u"--format"_s, u"json"_s});
    QVERIFY2(solved.status == 0, failure(solved));
    const auto fleet = file(u"fleet.yaml"_s, "{node: nvidia_dgx_h100, nodes: 4, fabric: ib_ndr}\n");
    const auto other = run({u"plan-from"_s, script, u"--fleet"_s, fleet, u"--name"_s, u"Plain"_s});
    QFile written(plan);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QVERIFY2(other.status == 0, failure(other));
    QCOMPARE(other.out, written.readAll());
}

void TestLaunchCommand::asksForWhatIsMissing()
{
    const auto refused = run({u"plan-from"_s, u"-"_s}, "--num-layers 80 --micro-batch-size 1 --batch-size 4\n");
    QVERIFY2(
        refused.status == 3 && refused.out.isEmpty() && refused.err.contains("--micro-batch-size"), failure(refused));
    const auto machines = run(
        {u"plan-from"_s, u"-"_s, u"--workload"_s, u"llama3_1_8b"_s}, "--seq-length 4096 --micro-batch-size 1 --bf16\n");
    QVERIFY2(machines.status == 3 && machines.err.contains("--node"), failure(machines));
    const auto json = run({u"plan-from"_s, u"-"_s}, R"({"zero_optimization": {"stage": 1}, "train_batch_size": 8})");
    QVERIFY2(json.status == 3 && json.err.contains("--workload"), failure(json));
}

void TestLaunchCommand::takesPlansOfAProject()
{
    const auto project = m_folder->filePath(u"my.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, project}).status, 0);
    const auto plan = file(u"plan.yaml"_s, plainPlan);
    QCOMPARE(run({u"project"_s, u"import"_s, project, plan}).status, 0);
    const QStringList named{u"--project"_s, project, u"--plan"_s, u"Plain"_s};
    const auto launched = run(QStringList{u"launch"_s} + named);
    QVERIFY2(launched.status == 0 && launched.err.isEmpty(), failure(launched));
    QCOMPARE(launched.out, run({u"launch"_s, plan}).out);
    // solve names its plans in the same way.
    const auto solved = run(QStringList{u"solve"_s, u"--format"_s, u"csv"_s} + named);
    QVERIFY2(solved.status == 0 && solved.out.contains("Plain"), failure(solved));
    const auto sought = run(
        QStringList{u"solve"_s, u"--seek"_s, u"fleet.nodes=4..8"_s, u"--goal"_s, u"step_time_s=1000"_s} + named);
    QVERIFY2(sought.status == 0, failure(sought));

    for (const auto &command : {u"launch"_s, u"solve"_s}) {
        const auto misspelt = run({command, u"--project"_s, project, u"--plan"_s, u"Plian"_s});
        QVERIFY2(misspelt.status == 3 && misspelt.err.contains("did you mean \u201cPlain\u201d?"), failure(misspelt));
        const auto nowhere = run({command, u"--plan"_s, u"Plain"_s});
        QVERIFY2(nowhere.status == 2, failure(nowhere));
        const auto neither = run({command, u"--project"_s, project});
        QVERIFY2(neither.status == 2 && neither.err.contains("--plan"), failure(neither));
    }
    const auto both = run(QStringList{u"launch"_s, plan} + named);
    QVERIFY2(both.status == 2 && both.err.contains("do not go together"), failure(both));
}

FLEETWRIGHT_TEST(TestLaunchCommand)
#include "tst_launchcommand.moc"
