// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/exchangetesting.h"
#include "exchange/launch/importedplan.h"
#include "exchange/launch/launchconfiguration.h"
#include "solver/answer/solve.h"
#include "testing/registry.h"

#include <QRegularExpression>
#include <QTest>

#include <cmath>

using namespace fleetwright;
using namespace fleetwright::exchange;
using namespace exchangetesting;
using namespace Qt::StringLiterals;

class TestPlanFromLaunch : public QObject {
    Q_OBJECT

private slots:
    void readsAScript();
    void readsForms_data();
    void readsForms();
    void readsExpertsAndPatterns();
    void makesAWorkloadOfItsOwn();
    void takesStatedMachines_data();
    void takesStatedMachines();
    void readsShardingAndRecompute_data();
    void readsShardingAndRecompute();
    void refusesArguments_data();
    void refusesArguments();
    void readsDeepSpeed();
    void refusesDeepSpeed_data();
    void refusesDeepSpeed();
    void knowsByContent();
    void survivesDamage();
};

namespace {

constexpr const char *shellScript = R"(#!/bin/bash
# Trains a 70B model; from somebody's repository.
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
NUM_NODES=${NNODES:-32}
TP=8; PP=4
DISTRIBUTED_ARGS=(
    --nproc_per_node $GPUS_PER_NODE
    --nnodes $NUM_NODES
    --master_addr $MASTER_ADDR   # set by the scheduler
)
GPT_MODEL_ARGS=(
    --num-layers 80 --hidden-size 8192 --ffn-hidden-size 28672
    --num-attention-heads 64
    --group-query-attention --num-query-groups 8
    --swiglu --untie-embeddings-and-output-weights --disable-bias-linear
    --normalization RMSNorm --position-embedding-type rope
    --seq-length 8192
    --max-position-embeddings 131072 # as published
    --vocab-size 128256
)
MODEL_PARALLEL_ARGS="--tensor-model-parallel-size $TP --pipeline-model-parallel-size ${PP} \
    --num-layers-per-virtual-pipeline-stage 4 --sequence-parallel --use-distributed-optimizer"
OMP_NUM_THREADS=1 torchrun ${DISTRIBUTED_ARGS[@]} pretrain_gpt.py \
    "${GPT_MODEL_ARGS[@]}" $MODEL_PARALLEL_ARGS \
    --micro-batch-size=1 --global-batch-size 256 --train-iters 1000 \
    --bf16 --lr 1.5e-4 --overlap-grad-reduce --tp-comm-overlap \
    --recompute-activations --data-path "/data/my corpus" --made-up-option 3 \
    --attention-dropout 0.0 --hidden-dropout 0.0 "$@" 2>&1 | tee log.txt
)";

LaunchImport machines() { return {.name = "Imported", .node = "nvidia_dgx_h100", .fabric = "ib_ndr"}; }

/// The plan must come in.
ImportedPlan imported(const std::string &text, const LaunchImport &import = machines())
{
    auto plan = planFromLaunch(text, import, shipped());
    if (!plan)
        qFatal("%s\n%s", described(plan.error()).constData(), text.c_str());
    return *plan;
}

bool tells(const ImportedPlan &plan, std::string_view words)
{
    return std::ranges::any_of(plan.told, [words](const std::string &sentence) { return sentence.contains(words); });
}

/// The smallest list of arguments, of the shipped workload llama3_1_70b.
const std::string shortList =
    "--num-layers 80 --hidden-size 8192 --ffn-hidden-size 28672 --num-attention-heads 64 "
    "--group-query-attention --num-query-groups 8 --swiglu "
    "--untie-embeddings-and-output-weights --seq-length 4096 --max-position-embeddings 131072 "
    "--vocab-size 128256 --micro-batch-size 1 --bf16 --tensor-model-parallel-size 8 ";

constexpr const char *deepSpeedText = R"({"train_batch_size": 512, "train_micro_batch_size_per_gpu": 2,
"gradient_accumulation_steps": 8, "zero_optimization": {"stage": 3, "overlap_comm": true, "reduce_bucket_size": 5e8},
"bf16": {"enabled": true}, "tensor_parallel": {"autotp_size": 2}, "gradient_clipping": 1.0,
"optimizer": {"type": "AdamW", "params": {"lr": 1e-4}}, "wall_clock_breakdown": false})";

LaunchImport deepSpeedImport()
{
    auto import = machines();
    import.nodes = 8;
    import.workload = "llama3_1_8b";
    import.sequenceLength = 4096;
    return import;
}

} // namespace

void TestPlanFromLaunch::readsAScript()
{
    const auto read = imported(shellScript);
    const auto &plan = read.plan;
    QCOMPARE(plan.name, std::string("Imported"));
    QCOMPARE(std::get<std::string>(plan.workload), std::string("llama3_1_70b"));
    QCOMPARE(plan.fleet.nodes, 32);
    QVERIFY((plan.parallelism == Parallelism{8, 4, 1, 1, 5, 1, true}));
    QCOMPARE(plan.training.globalBatch, 256);
    QVERIFY(plan.training.microbatchSize == 1 && !plan.training.microbatchCount);
    QCOMPARE(plan.training.sequenceLength, 8192);
    QVERIFY(plan.training.precision == Precision::Bf16 && plan.training.recompute == Recompute::Selective);
    QCOMPARE(plan.training.tokenBudget.value_or(0), 1000.0 * 256 * 8192);
    QVERIFY(!plan.assumptions.edited.contains("dropout") && !plan.assumptions.edited.contains("tp_overlap"));
    QVERIFY(tells(read, "--data-path") && tells(read, "--lr"));
    QVERIFY(tells(read, "made-up-option"));
    QVERIFY(tells(read, "Llama 3.1 70B"));
    const auto resolved = resolve(plan, shipped());
    QVERIFY(resolved.has_value());
    QVERIFY(solve(*resolved).has_value());
}

void TestPlanFromLaunch::readsForms_data()
{
    QTest::addColumn<QString>("text");
    const auto list = QString::fromStdString(shortList + "--nnodes 16");
    QTest::newRow("one line") << list;
    QTest::newRow("a line each") << QString(list).replace(u" --"_s, u"\n--"_s);
    QTest::newRow("continued") << QString(list).replace(u" --"_s, u" \\\n    --"_s);
    QTest::newRow("Windows line ends") << QString(list).replace(u" --"_s, u" \\\r\n--"_s);
    QTest::newRow("other names") << QString(list)
                                        .replace(u"--num-layers"_s, u"--encoder-num-layers"_s)
                                        .replace(u"--seq-length"_s, u"--decoder-seq-length 128 --encoder-seq-length"_s);
    QTest::newRow("equal signs") << QString(list).replace(QRegularExpression(u"(--[a-z-]+) ([0-9]+)"_s), u"\\1=\\2"_s);
    QTest::newRow("quotes") << QString(list).replace(u"8192"_s, u"'8192'"_s).replace(u"28672"_s, u"\"28672\""_s);
    QTest::newRow("environment before")
        << u"NCCL_DEBUG=INFO env X='a b' torchrun --nnodes=16 --nproc-per-node=8 /x/pretrain_gpt.py "_s
            + QString(list).remove(u"--nnodes 16"_s);
    QTest::newRow("a list alone") << u"ARGS=(\n"_s + QString(list).replace(u" --"_s, u"\n  --"_s) + u"\n)\n"_s;
    QTest::newRow("variables") << u"TP=8\nSIZE=8192\n"_s
            + QString(list).replace(u"parallel-size 8"_s, u"parallel-size ${TP}"_s).replace(u"8192"_s, u"\"$SIZE\""_s);
    QTest::newRow("default of a variable") << QString(list).replace(u"parallel-size 8"_s, u"parallel-size ${TP:-8}"_s);
    QTest::newRow("appended") << u"A=\"--bf16\"\nA+=\" --tensor-model-parallel-size 8\"\ntrain.py $A "_s
            + QString(list).remove(u"--bf16"_s).remove(u"--tensor-model-parallel-size 8"_s);
    QTest::newRow("comments between") << u"# first\n"_s
            + QString(list).replace(u" --swiglu"_s, u" # gated\n--swiglu"_s);
}

void TestPlanFromLaunch::readsForms()
{
    QFETCH(QString, text);
    const auto expected = imported(shortList + "--nnodes 16");
    const auto plan = planFromMegatron(text.toStdString(), machines(), shipped());
    QVERIFY2(plan.has_value(), plan ? "" : described(plan.error()).constData());
    QVERIFY2(plan->plan == expected.plan, planToYaml(plan->plan).c_str());
    QCOMPARE(plan->plan.fleet.nodes, 16);
}

void TestPlanFromLaunch::readsExpertsAndPatterns()
{
    const std::string list = "--num-layers 61 --hidden-size 7168 --ffn-hidden-size 18432 --num-attention-heads 128 "
                             "--multi-latent-attention --q-lora-rank 1536 --kv-lora-rank 512 --swiglu "
                             "--untie-embeddings-and-output-weights --num-experts 256 --moe-router-topk 8 "
                             "--moe-ffn-hidden-size 2048 --moe-shared-expert-intermediate-size 2048 "
                             "--vocab-size 129280 --seq-length 4096 --max-position-embeddings 163840 "
                             "--micro-batch-size 1 --global-batch-size 4096 --bf16 --expert-model-parallel-size 64 "
                             "--expert-tensor-parallel-size 1 --nnodes 256 --use-distributed-optimizer ";
    for (const char *pattern : {"'([0]*3+[1]*58)'", "\"([0]*3 + [1]*58)\"", "[0,0,0]+[1]*58"}) {
        const auto read = imported(list + "--moe-layer-freq " + pattern);
        QCOMPARE(std::get<std::string>(read.plan.workload), std::string("deepseek_v3"));
        QCOMPARE(read.plan.parallelism.ep, 64);
    }
    for (const char *pattern : {"([0]*3+[1]*57)", "[0]*999999999", "([0]*3+[1]*29+[0]*29)", "[1"})
        QCOMPARE(planFromMegatron(list + "--moe-layer-freq '" + pattern + "'", machines(), shipped()).error().field,
            std::string("--moe-layer-freq"));
}

void TestPlanFromLaunch::makesAWorkloadOfItsOwn()
{
    auto list = QString::fromStdString(shortList + "--nnodes 16").replace(u"--num-layers 80"_s, u"--num-layers 48"_s);
    const auto read = imported(list.toStdString());
    const auto *own = std::get_if<CatalogRecord>(&read.plan.workload);
    QVERIFY(own);
    QCOMPARE(own->number("layers").value_or(0), 48.0);
    // 48 layers of the same sizes and both embeddings, by hand: h (2 h + 2 k d) + 3 h f each, with two norms.
    const double layer = 8192.0 * (2 * 8192 + 2 * 8 * 128) + 3 * 8192.0 * 28672;
    QVERIFY(std::abs(own->number("params_total").value_or(0) / (48 * layer + 2 * 128256.0 * 8192) - 1) < 1e-4);
    QVERIFY(tells(read, "No workload of the catalog"));
    QCOMPARE(own->text("position_embedding").value_or(""), std::string("learned"));
    const auto rotary = imported(list.toStdString() + " --use-rotary-position-embeddings");
    QCOMPARE(
        std::get<CatalogRecord>(rotary.plan.workload).text("position_embedding").value_or(""), std::string("rope"));
    const auto back = planFromText(planToYaml(read.plan));
    QVERIFY2(back && *back == read.plan, planToYaml(read.plan).c_str());
    const auto resolved = resolve(read.plan, shipped());
    QVERIFY(resolved.has_value());
    QVERIFY(solve(*resolved).has_value());
    // And is written again.
    QVERIFY(launchConfiguration(*resolved, read.plan.workload, shipped(), LaunchFramework::MegatronLm).has_value());
    const auto unknown = planFromMegatron(list.remove(u"--vocab-size 128256"_s).toStdString(), machines(), shipped());
    QCOMPARE(unknown.error().field, std::string("--vocab-size"));
    auto named = machines();
    named.workload = "llama3_1_8b";
    const auto other = planFromMegatron(list.toStdString(), named, shipped());
    QCOMPARE(other.error().field, std::string("workload"));
    QVERIFY(other.error().message.contains("layers: 32, not 48"));
}

void TestPlanFromLaunch::takesStatedMachines_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("fabric");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<QString>("field"); // of the refusal; empty: accepted
    const auto row = [](const char *title, const char *arguments, const char *node, const char *fabric, int nodes,
                         const char *field) {
        QTest::newRow(title) << QString::fromUtf8(arguments) << QString::fromUtf8(node) << QString::fromUtf8(fabric)
                             << nodes << QString::fromUtf8(field);
    };
    row("stated", "", "nvidia_dgx_h100", "ib_ndr", 16, "");
    row("both agree", "--nnodes 16", "nvidia_dgx_h100", "ib_ndr", 16, "");
    row("no nodes", "", "nvidia_dgx_h100", "ib_ndr", 0, "fleet.nodes");
    row("contradiction", "--nnodes 8", "nvidia_dgx_h100", "ib_ndr", 16, "fleet.nodes");
    row("no node", "--nnodes 8", "", "ib_ndr", 0, "fleet.node");
    row("no fabric", "--nnodes 8", "nvidia_dgx_h100", "", 0, "fleet.fabric");
    row("unknown node", "--nnodes 8", "nvidia_dgx_h1000", "ib_ndr", 0, "fleet.node");
    row("other node", "--nnodes 8 --nproc-per-node 4", "nvidia_dgx_h100", "ib_ndr", 0, "--nproc-per-node");
    row("unset", "--nnodes $N", "nvidia_dgx_h100", "ib_ndr", 0, "--nnodes");
}

void TestPlanFromLaunch::takesStatedMachines()
{
    QFETCH(QString, arguments);
    QFETCH(QString, node);
    QFETCH(QString, fabric);
    QFETCH(int, nodes);
    QFETCH(QString, field);
    LaunchImport import{.node = node.toStdString(), .fabric = fabric.toStdString()};
    if (nodes > 0)
        import.nodes = nodes;
    const auto plan = planFromMegatron(shortList + arguments.toStdString(), import, shipped());
    QVERIFY2(plan.has_value() == field.isEmpty(), plan ? "accepted" : described(plan.error()).constData());
    if (!plan)
        QCOMPARE(QString::fromStdString(plan.error().field), field);
    else
        QCOMPARE(plan->plan.fleet.nodes, 16);
}

void TestPlanFromLaunch::readsShardingAndRecompute_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<int>("zero");
    QTest::addColumn<int>("recompute");
    QTest::newRow("nothing") << u""_s << 0 << int(Recompute::None);
    QTest::newRow("distributed optimizer") << u"--use-distributed-optimizer"_s << 1 << int(Recompute::None);
    QTest::newRow("Megatron-FSDP, gradients")
        << u"--use-megatron-fsdp --data-parallel-sharding-strategy optim_grads --ckpt-format fsdp_dtensor"_s << 2
        << int(Recompute::None);
    QTest::newRow("Megatron-FSDP, all") << u"--use-megatron-fsdp --data-parallel-sharding-strategy optim_grads_params"_s
                                        << 3 << int(Recompute::None);
    QTest::newRow("Megatron-FSDP, nothing said") << u"--use-megatron-fsdp"_s << 3 << int(Recompute::None);
    QTest::newRow("torch FSDP2") << u"--use-torch-fsdp2"_s << 3 << int(Recompute::None);
    QTest::newRow("full") << u"--recompute-granularity full --recompute-method block --recompute-num-layers 4"_s << 0
                          << int(Recompute::Full);
    QTest::newRow("selective") << u"--recompute-granularity selective --recompute-modules core_attn moe_act"_s << 0
                               << int(Recompute::Selective);
}

void TestPlanFromLaunch::readsShardingAndRecompute()
{
    QFETCH(QString, arguments);
    QFETCH(int, zero);
    QFETCH(int, recompute);
    const auto read = imported(shortList + "--nnodes 16 " + arguments.toStdString());
    QCOMPARE(read.plan.parallelism.zeroStage, zero);
    QCOMPARE(int(read.plan.training.recompute), recompute);
}

void TestPlanFromLaunch::refusesArguments_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char *title, const char *arguments, const char *field, const char *sentence) {
        QTest::newRow(title) << QString::fromUtf8(arguments) << QString::fromUtf8(field) << QString::fromUtf8(sentence);
    };
    row("removed name", "--model-parallel-size 8", "--model-parallel-size", "--tensor-model-parallel-size");
    row("removed batch", "--batch-size 8", "--batch-size", "--micro-batch-size");
    row("removed checkpoints", "--checkpoint-activations", "--checkpoint-activations", "--recompute-granularity");
    row("removed fp8", "--fp8-hybrid", "--fp8-hybrid", "--fp8-format hybrid");
    row("old FSDP", "--use-custom-fsdp", "--use-custom-fsdp", "--use-megatron-fsdp");
    row("misspelt", "--pipeline-model-paralell-size 2", "--pipeline-model-paralell-size", "did you mean");
    row("underscores", "--global_batch_size 8", "--global_batch_size", "--global-batch-size");
    row("two virtual stages", "--num-layers-per-virtual-pipeline-stage 2 --num-virtual-stages-per-pipeline-rank 2",
        "--num-virtual-stages-per-pipeline-rank", "At most one");
    row("layout by hand", "--pipeline-model-parallel-layout 'Et*4|L'", "--pipeline-model-parallel-layout", "no field");
    row("two numbers of layers", "--encoder-num-layers 80", "--encoder-num-layers", "exclude");
    row("given twice", "--tensor-model-parallel-size 4", "--tensor-model-parallel-size", "twice");
    row("no number", "--global-batch-size many", "--global-batch-size", "whole number");
    row("negative", "--global-batch-size -8", "--global-batch-size", "whole number");
    row("huge", "--global-batch-size 99999999999", "--global-batch-size", "larger than any plan's");
    row("no value", "--global-batch-size", "--global-batch-size", "one value");
    row("a flag with a value", "--sequence-parallel true", "--sequence-parallel", "takes no value");
    row("unset variable", "--global-batch-size $GBS", "--global-batch-size", "GBS");
    row("unset arithmetic", "--global-batch-size $((8*32))", "--global-batch-size", "does not set");
    row("two precisions", "--fp16", "--fp16", "exclude");
    row("two scalings", "--fp8-format hybrid --fp4-format e2m1", "--fp4-format", "exclude");
    row("full without method", "--recompute-granularity full", "--recompute-method", "needs");
    row("selective with layers", "--recompute-granularity selective --recompute-num-layers 1", "--recompute-num-layers",
        "excludes");
    row("unknown granularity", "--recompute-granularity some", "--recompute-granularity", "full or selective");
    row("unknown strategy", "--data-parallel-sharding-strategy zero3", "--data-parallel-sharding-strategy", "no_shard");
    row("two FSDP", "--use-torch-fsdp2 --use-megatron-fsdp", "--use-torch-fsdp2", "excludes");
    row("offload and recomputation", "--cpu-offloading-num-layers 4 --recompute-activations",
        "--cpu-offloading-num-layers", "excludes");
    row("torch FSDP2 in a pipeline", "--use-torch-fsdp2 --pipeline-model-parallel-size 2", "--use-torch-fsdp2",
        "excludes pipelines");
    row("gather alone", "--overlap-param-gather --use-distributed-optimizer", "--overlap-param-gather",
        "--overlap-grad-reduce");
    row("gather unsharded", "--overlap-param-gather --overlap-grad-reduce", "--overlap-param-gather",
        "--use-distributed-optimizer");
    row("degrees", "--context-parallel-size 3", "--tensor-model-parallel-size", "must divide");
    row("rule of the framework", "--virtual-pipeline-model-parallel-size 2", "--virtual-pipeline-model-parallel-size",
        "--num-virtual-stages-per-pipeline-rank");
    row("layers", "--pipeline-model-parallel-size 16 --num-virtual-stages-per-pipeline-rank 3", "parallelism.pp",
        "layers");
    row("experts of a dense model", "--expert-model-parallel-size 2", "parallelism.ep", "experts");
    row("batch", "--global-batch-size 17", "training.global_batch", "multiple");
    row("iterations and samples", "--train-iters 5 --train-samples 5", "--train-samples", "exclude");
    row("endless", "--train-iters 900000000000000", "--train-iters", "more tokens");
    row("open quote", "--lr '1", "", "not closed");
    row("open list", "X=( --lr 1", "", "not closed");
}

void TestPlanFromLaunch::refusesArguments()
{
    QFETCH(QString, arguments);
    QFETCH(QString, field);
    QFETCH(QString, sentence);
    const auto plan = planFromMegatron(shortList + "--nnodes 16 " + arguments.toStdString(), machines(), shipped());
    QVERIFY(!plan.has_value());
    QVERIFY2(QString::fromStdString(plan.error().field) == field, described(plan.error()).constData());
    QVERIFY2(QString::fromStdString(plan.error().message).contains(sentence), described(plan.error()).constData());
}

void TestPlanFromLaunch::readsDeepSpeed()
{
    const auto read = imported(deepSpeedText, deepSpeedImport());
    const auto &plan = read.plan;
    QVERIFY((plan.parallelism == Parallelism{2, 1, 1, 1, 1, 3, false}));
    QCOMPARE(plan.training.globalBatch, 512);
    QVERIFY(plan.training.microbatchSize == 2 && plan.training.sequenceLength == 4096);
    QVERIFY(tells(read, "gradient_clipping") && tells(read, "optimizer") && tells(read, "reduce_bucket_size"));
    QVERIFY(!tells(read, "autotp_size"));
    QVERIFY(imported(QString::fromUtf8(deepSpeedText).replace(u"\"bf16\""_s, u"\"bfloat16\""_s).toStdString(),
                deepSpeedImport())
                .plan
        == plan);
    const auto resolved = resolve(plan, shipped());
    QVERIFY(resolved.has_value());
    QVERIFY(solve(*resolved).has_value());
    // What is written comes back.
    const auto text = launchConfiguration(*resolved, plan.workload, shipped(), LaunchFramework::DeepSpeed);
    QVERIFY(text.has_value());
    auto again = deepSpeedImport();
    again.name = plan.name;
    QVERIFY(imported(text->text, again).plan == plan);
}

void TestPlanFromLaunch::refusesDeepSpeed_data()
{
    addRefusalColumns();
    toldRefusalRow("auto", "512", "\"auto\"", "missing_field", "train_batch_size", "auto");
    toldRefusalRow("three numbers", "\"gradient_accumulation_steps\": 8", "\"gradient_accumulation_steps\": 4",
        "infeasible_parallelism", "train_batch_size", "must be");
    toldRefusalRow("no batch", "\"train_batch_size\": 512, \"train_micro_batch_size_per_gpu\": 2,", "", "missing_field",
        "train_batch_size", "State");
    toldRefusalRow("stage", "\"stage\": 3", "\"stage\": 4", "out_of_range", "zero_optimization.stage", "0, 1, 2 or 3");
    toldRefusalRow(
        "no number", "\"stage\": 3", "\"stage\": \"three\"", "out_of_range", "zero_optimization.stage", "whole");
    toldRefusalRow("former offload", "\"overlap_comm\": true", "\"cpu_offload\": true", "unsupported_value",
        "zero_optimization.cpu_offload", "offload_optimizer");
    toldRefusalRow("former offload of parameters", "\"overlap_comm\": true", "\"cpu_offload_param\": true",
        "unsupported_value", "zero_optimization.cpu_offload_param", "offload_param.device");
    toldRefusalRow("split heads", "\"gradient_clipping\": 1.0", "\"sequence_parallel_size\": 2", "unsupported_value",
        "sequence_parallel_size", "Ulysses");
    toldRefusalRow("groups", "\"overlap_comm\": true", "\"mics_shard_size\": 8", "unsupported_value",
        "zero_optimization.mics_shard_size", "no field");
    toldRefusalRow("pipeline", "\"gradient_clipping\": 1.0", "\"pipeline\": {\"stages\": 4}", "unsupported_value",
        "pipeline", "PipelineModule");
    toldRefusalRow("two precisions", "\"gradient_clipping\": 1.0", "\"fp16\": {\"enabled\": true}", "unsupported_value",
        "fp16.enabled", "exclude");
    toldRefusalRow("experts", "\"gradient_clipping\": 1.0",
        "\"expert_parallel\": {\"enabled\": true, \"autoep_size\": 4}", "infeasible_parallelism", "parallelism.ep",
        "experts");
    toldRefusalRow("no object", "{", "[{", "parse_error", "*", "");
}

void TestPlanFromLaunch::refusesDeepSpeed()
{
    Error error;
    checkToldRefusal(
        deepSpeedText, [](const std::string &text) { return planFromDeepSpeed(text, deepSpeedImport(), shipped()); },
        error);
    for (const auto &[field, leave] :
        {std::pair("workload", &LaunchImport::workload), {"fleet.node", &LaunchImport::node}}) {
        auto import = deepSpeedImport();
        (import.*leave).clear();
        const auto refused = planFromDeepSpeed(deepSpeedText, import, shipped());
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().field, std::string(field));
    }
    const auto heads = planFromDeepSpeed(
        R"({"train_micro_batch_size_per_gpu": 1, "bf16": {"enabled": true}, "tensor_parallel": {"autotp_size": 64}})",
        deepSpeedImport(), shipped());
    QVERIFY2(!heads && heads.error().message.contains("32 heads"), "accepted");
    auto import = deepSpeedImport();
    import.sequenceLength.reset();
    QCOMPARE(planFromDeepSpeed(deepSpeedText, import, shipped()).error().field, std::string("training.seq_len"));
    import = deepSpeedImport();
    import.nodes.reset();
    QCOMPARE(planFromDeepSpeed(deepSpeedText, import, shipped()).error().field, std::string("fleet.nodes"));
}

void TestPlanFromLaunch::knowsByContent()
{
    QVERIFY(launchFrameworkOf(shellScript) == LaunchFramework::MegatronLm);
    QVERIFY(launchFrameworkOf(deepSpeedText) == LaunchFramework::DeepSpeed);
    QVERIFY(!launchFrameworkOf(samplePlan));
    QVERIFY(!launchFrameworkOf("{\"hidden_size\": 8}"));
    QVERIFY(!launchFrameworkOf(""));
    QVERIFY(planFromLaunch(samplePlan, machines(), shipped()).error().code == ErrorCode::UnsupportedValue);
}

void TestPlanFromLaunch::survivesDamage()
{
    checkDamaged(shellScript, [](const std::string &text) { return planFromMegatron(text, machines(), shipped()); }, 11,
        {'\0', '"', '\'', '(', '$', '\\', '#', '\xff'});
    checkDamaged(
        deepSpeedText, [](const std::string &text) { return planFromDeepSpeed(text, deepSpeedImport(), shipped()); });
    // Texts that grow, nest or never end.
    std::string growing = "A=aaaaaaaaaaaaaaaa\n";
    for (int i = 0; i < 60; ++i)
        growing += "A=\"$A $A\"\n";
    QVERIFY(!planFromMegatron(growing + "train.py --lr $A\n", machines(), shipped()).has_value());
    std::string lists = "A=(x y)\n";
    for (int i = 0; i < 60; ++i)
        lists += "A=(\"${A[@]}\" \"${A[@]}\")\n";
    QVERIFY(!planFromMegatron(lists + "train.py --lr \"${A[@]}\"\n", machines(), shipped()).has_value());
    std::string nested;
    for (int i = 0; i < 100'000; ++i)
        nested += "A=(";
    QVERIFY(!planFromMegatron(nested, machines(), shipped()).has_value());
    QVERIFY(!planFromMegatron("--lr " + std::string(100'000, '('), machines(), shipped()).has_value());
}

FLEETWRIGHT_TEST(TestPlanFromLaunch)
#include "tst_planfromlaunch.moc"
