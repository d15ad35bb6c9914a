// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launchtesting.h"
#include "testing/registry.h"

#include <QTest>

#include <functional>
#include <map>

using namespace fleetwright;
using namespace fleetwright::exchange;
using namespace exchangetesting;

class TestLaunchRules : public QObject {
    Q_OBJECT

private slots:
    void baseKeepsEveryRule();
    void refusesByItsSentence_data();
    void refusesByItsSentence();
    void everyRuleIsBroken();
    void countsEndsAsLayers();
    void countsDenseLayersApart();
    void takesEveryNumberOfLayersPerStage();
    void needsDegreesThatDivide();
};

namespace {

using Breaking = std::function<void(Launch &)>;

/// How each rule alone is broken, from a launch that keeps all.
struct BrokenRule {
    bool experts;
    Breaking breaking;
};
void state(LaunchSwitch &choice, bool on) { choice = {on, true}; }
/// A pipeline of four stages on the same accelerators.
void pipeline(Launch &launch)
{
    launch.pp = 4;
    launch.dp = 8;
    launch.microbatches = 32;
}

const std::map<std::string_view, BrokenRule> &brokenRules()
{
    static const std::map<std::string_view, BrokenRule> rules{
        {"lora", {false, [](Launch &l) { l.lora = true; }}},
        {"batch", {false, [](Launch &l) { l.globalBatch = 250; }}},
        {"decoder", {false, [](Launch &l) { l.model.architecture = "encoder_only_transformer"; }}},
        {"attention", {false, [](Launch &l) { l.model.facts.attentionType = "hybrid"; }}},
        {"tp-heads", {false, [](Launch &l) { l.model.facts.attentionHeads = 36; }}},
        {"tp-kv-heads", {false, [](Launch &l) { l.model.facts.kvHeads = 12; }}},
        {"tp-ffn", {false, [](Launch &l) { l.model.facts.ffnHiddenSize = 28676; }}},
        {"sequence-parallel",
            {false,
                [](Launch &l) {
                    l.tp = 1;
                    l.dp = 256;
                    l.microbatches = 1;
                    l.sequenceParallel = true;
                }}},
        {"sp-sequence",
            {false,
                [](Launch &l) {
                    l.sequenceParallel = true;
                    l.sequenceLength = 8188;
                }}},
        {"moe-sequence-parallel", {true, [](Launch &l) { l.sequenceParallel = false; }}},
        {"pp-layers",
            {false,
                [](Launch &l) {
                    pipeline(l);
                    l.model.facts.layers = 81;
                }}},
        {"virtual-stages-pp", {false, [](Launch &l) { l.virtualStages = 2; }}},
        {"virtual-stages-overlap",
            {false,
                [](Launch &l) {
                    l.pp = 2;
                    l.dp = 16;
                    l.virtualStages = 2;
                    l.microbatches = 16;
                    state(l.software->ppOverlap, false);
                }}},
        {"interleaved-microbatches",
            {false,
                [](Launch &l) {
                    pipeline(l);
                    l.virtualStages = 2;
                    l.globalBatch = 248;
                    l.microbatches = 31;
                }}},
        {"schedule",
            {false,
                [](Launch &l) {
                    pipeline(l);
                    l.software->schedule = "zero_bubble_1p";
                }}},
        {"cp-sequence",
            {false,
                [](Launch &l) {
                    l.cp = 2;
                    l.dp = 16;
                    l.sequenceLength = 8190;
                }}},
        {"ep-model",
            {true,
                [](Launch &l) {
                    l.model.facts.experts.reset();
                    l.expertTp = 1;
                }}},
        {"ep-experts", {true, [](Launch &l) { l.model.facts.experts = 60; }}},
        {"ep-ranks", {true, [](Launch &l) { l.expertTp = 64; }}},
        {"expert-bias",
            {true,
                [](Launch &l) {
                    l.expertTp = 8;
                    l.model.ffnBias = true;
                }}},
        {"expert-ffn",
            {true,
                [](Launch &l) {
                    l.expertTp = 8;
                    l.model.facts.expertFfnHiddenSize = 2052;
                }}},
        {"shard-experts",
            {true,
                [](Launch &l) {
                    l.zeroStage = 3;
                    l.shardGroup = 4;
                    l.ep = 64;
                }}},
        {"megatron-precision", {false, [](Launch &l) { l.precision = Precision::Int8; }}},
        {"tp-overlap", {false, [](Launch &l) { state(l.software->tpOverlap, true); }}},
        {"ep-overlap",
            {true,
                [](Launch &l) {
                    state(l.software->epOverlap, true);
                    l.recompute = Recompute::Full;
                }}},
        {"ep-overlap-pp",
            {true,
                [](Launch &l) {
                    pipeline(l);
                    state(l.software->epOverlap, true);
                }}},
        {"graphs-recompute",
            {false,
                [](Launch &l) {
                    l.software->graphs = true;
                    l.recompute = Recompute::Full;
                }}},
        {"graphs-dropout",
            {false,
                [](Launch &l) {
                    l.software->graphs = true;
                    l.recompute = Recompute::Selective;
                    state(l.software->dropout, true);
                }}},
        {"shard-group",
            {false,
                [](Launch &l) {
                    l.zeroStage = 3;
                    l.shardGroup = 5;
                }}},
        {"deepspeed-pp", {false, pipeline}},
        {"deepspeed-cp",
            {false,
                [](Launch &l) {
                    l.cp = 2;
                    l.dp = 16;
                }}},
        {"deepspeed-precision", {false, [](Launch &l) { l.precision = Precision::Fp8; }}},
        {"deepspeed-expert-tp", {true, [](Launch &l) { l.expertTp = 2; }}},
        {"deepspeed-ep",
            {true,
                [](Launch &l) {
                    l.ep = 3;
                    l.model.facts.experts = 63;
                }}},
        {"deepspeed-ep-zero", {true, [](Launch &l) { l.zeroStage = 3; }}},
        {"deepspeed-shard-group",
            {false,
                [](Launch &l) {
                    l.zeroStage = 3;
                    l.shardGroup = 8;
                }}},
        {"torchtitan-zero", {false, [](Launch &l) { l.zeroStage = 1; }}},
        {"torchtitan-precision", {false, [](Launch &l) { l.precision = Precision::Fp16; }}},
        {"torchtitan-ep",
            {true,
                [](Launch &l) {
                    l.ep = 3;
                    l.model.facts.experts = 63;
                }}},
        {"torchtitan-expert-tp", {true, [](Launch &l) { l.expertTp = 2; }}},
        {"torchtitan-shard-group",
            {false,
                [](Launch &l) {
                    l.zeroStage = 3;
                    l.cp = 2;
                    l.dp = 16;
                    l.shardGroup = 1;
                }}},
        {"torchtitan-kv-heads", {false, [](Launch &l) { l.model.facts.kvHeads = 4; }}},
        {"torchtitan-sequence",
            {false,
                [](Launch &l) {
                    l.sequenceParallel = true;
                    l.sequenceLength = 8188;
                }}},
        {"torchtitan-tied",
            {false,
                [](Launch &l) {
                    pipeline(l);
                    l.model.facts.tiedEmbeddings = true;
                }}},
        {"torchtitan-stages",
            {false,
                [](Launch &l) {
                    pipeline(l);
                    l.model.facts.layers = 9;
                }}},
        {"torchtitan-microbatches",
            {false,
                [](Launch &l) {
                    pipeline(l);
                    l.globalBatch = 16;
                    l.microbatches = 2;
                }}},
        {"torchtitan-rounds",
            {false,
                [](Launch &l) {
                    pipeline(l);
                    l.virtualStages = 2;
                    l.globalBatch = 248;
                    l.microbatches = 31;
                }}},
        {"torchtitan-schedule",
            {false,
                [](Launch &l) {
                    pipeline(l);
                    l.software->schedule = "zero_bubble_2p";
                }}},
        {"maxtext-zero", {false, [](Launch &l) { l.zeroStage = 2; }}},
        {"maxtext-precision", {false, [](Launch &l) { l.precision = Precision::Int4; }}},
        {"maxtext-fp8-accumulation", {false, [](Launch &l) { l.precision = Precision::Fp8; }}},
        {"maxtext-cp",
            {false,
                [](Launch &l) {
                    l.cp = 3;
                    l.sequenceLength = 8190;
                }}},
        {"maxtext-ep", {true, [](Launch &l) { l.ep = 64; }}},
        {"maxtext-shard-group",
            {false,
                [](Launch &l) {
                    l.zeroStage = 3;
                    l.shardGroup = 5;
                }}},
        {"maxtext-layers",
            {false,
                [](Launch &l) {
                    pipeline(l);
                    l.model.facts.layers = 78;
                }}},
        {"maxtext-microbatches",
            {false,
                [](Launch &l) {
                    pipeline(l);
                    l.globalBatch = 248;
                    l.microbatches = 31;
                }}},
        {"maxtext-schedule",
            {false,
                [](Launch &l) {
                    pipeline(l);
                    l.software->schedule = "zero_bubble_1p";
                }}},
        {"maxtext-domains", {false, [](Launch &l) { l.domain = 72; }}},
    };
    return rules;
}

} // namespace

void TestLaunchRules::baseKeepsEveryRule()
{
    for (const auto &launch : {denseLaunch(), expertLaunch()})
        for (const auto framework : allLaunchFrameworks) {
            const auto kept = checkLaunch(launch, framework);
            QVERIFY2(kept.has_value(), kept ? "" : described(kept.error()).constData());
        }
}

void TestLaunchRules::refusesByItsSentence_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<int>("framework");
    for (int i = 0; i < int(launchRules().size()); ++i)
        for (const auto framework : allLaunchFrameworks)
            if (launchRules()[std::size_t(i)].frameworks.contains(framework))
                QTest::addRow("%s for %s", launchRules()[std::size_t(i)].id.data(), toString(framework).data())
                    << i << int(framework);
}

void TestLaunchRules::refusesByItsSentence()
{
    QFETCH(int, index);
    QFETCH(int, framework);
    const auto &rule = launchRules()[std::size_t(index)];
    const auto broken = brokenRules().find(rule.id);
    QVERIFY2(broken != brokenRules().end(), "no launch breaks this rule");
    auto launch = broken->second.experts ? expertLaunch() : denseLaunch();
    broken->second.breaking(launch);
    const auto refused = checkLaunch(launch, LaunchFramework(framework));
    QVERIFY(!refused.has_value());
    const auto words = described(refused.error());
    QVERIFY2(refused.error().message.contains(rule.sentence), words.constData());
    QVERIFY2(refused.error().message.starts_with(snapshotOf(LaunchFramework(framework)).title), words.constData());
    QCOMPARE(refused.error().field, std::string(rule.field));
    QVERIFY2(!rule.here(launch).empty() && rule.here(launch).ends_with('.'), words.constData());
    QVERIFY2(!launchConfiguration(launch, LaunchFramework(framework)).has_value(), "written all the same");
}

void TestLaunchRules::everyRuleIsBroken()
{
    QCOMPARE(brokenRules().size(), launchRules().size());
    for (const auto &rule : launchRules()) {
        QVERIFY2(rule.sentence.ends_with('.'), rule.id.data());
        QVERIFY2(!rule.field.empty(), rule.id.data());
        // Where it stands: a commit, but for what is not written.
        QVERIFY2(rule.source.contains('@') || rule.id == "lora", rule.id.data());
    }
}

void TestLaunchRules::countsEndsAsLayers()
{
    const auto ends = [](int layers, int chunks) { return pipelineEnds(layers, chunks); };
    QVERIFY(ends(80, 16) && ends(80, 16)->layers() == 0);
    QVERIFY(ends(126, 16) && ends(126, 16)->embedding && ends(126, 16)->loss);
    QVERIFY(ends(95, 16) && ends(95, 16)->embedding && !ends(95, 16)->loss);
    QVERIFY(!ends(61, 16));
}

void TestLaunchRules::countsDenseLayersApart()
{
    const auto refusalOf = [](int layers, int dense) {
        auto launch = expertLaunch();
        pipeline(launch);
        launch.model.facts.layers = layers;
        launch.model.facts.firstDenseLayers = dense;
        const auto kept = checkLaunch(launch, LaunchFramework::MaxText);
        return kept ? QByteArray() : described(kept.error());
    };
    QCOMPARE(refusalOf(63, 3), QByteArray());
    QVERIFY(refusalOf(60, 3).contains("57 layers"));
    QCOMPARE(refusalOf(60, 0), QByteArray());
    auto launch = expertLaunch();
    pipeline(launch);
    launch.model.facts.layers = 63;
    launch.model.facts.firstDenseLayers = 3;
    const auto text = launchConfiguration(launch, LaunchFramework::MaxText);
    QVERIFY(text && text->text.contains("num_layers_per_pipeline_stage: 15\n"));
}

void TestLaunchRules::takesEveryNumberOfLayersPerStage()
{
    for (int layers = 1; layers <= 130; ++layers)
        for (const int pp : {2, 4, 8})
            for (int chunks = 1; chunks <= 3; ++chunks) {
                auto launch = denseLaunch();
                launch.pp = pp;
                launch.dp = 32 / pp;
                launch.virtualStages = chunks;
                launch.microbatches = 8 * pp;
                launch.model.facts.layers = layers;
                const auto text = launchConfiguration(launch, LaunchFramework::Torchtitan);
                int made = 0; // the numbers of layers that make so many stages
                for (int each = 1; each <= layers; ++each)
                    made += int((layers + each - 1) / each == pp * chunks);
                const auto title = std::to_string(layers) + " layers, " + std::to_string(pp * chunks) + " stages";
                QVERIFY2(text.has_value() == (made > 0), title.c_str());
                if (!text)
                    QCOMPARE(text.error().field, std::string("parallelism.virtual_stages"));
                else
                    QCOMPARE(text->text.contains("fewer"), layers % ((layers + pp * chunks - 1) / (pp * chunks)) != 0);
            }
    auto launch = denseLaunch();
    pipeline(launch);
    launch.model.facts.layers.reset();
    launch.virtualStages = 2; // what torchtitan takes by itself
    QVERIFY(checkLaunch(launch, LaunchFramework::Torchtitan).has_value());
    launch.virtualStages = 3;
    QVERIFY(!checkLaunch(launch, LaunchFramework::Torchtitan).has_value());
}

void TestLaunchRules::needsDegreesThatDivide()
{
    const auto refusalOf = [](const QString &from, const QString &to) {
        const auto plan = planFromText(sampleWith(from, to));
        if (!plan)
            return plan.error();
        const auto resolved = resolve(*plan, shipped());
        if (!resolved)
            return resolved.error();
        const auto launch = launchOf(*resolved, plan->workload, shipped());
        return launch ? Error{ErrorCode::IoError, "accepted", ""} : launch.error();
    };
    QCOMPARE(refusalOf(QStringLiteral("tp: 8"), QStringLiteral("tp: 6")).field, std::string("parallelism"));
    QCOMPARE(refusalOf(QStringLiteral("microbatch_count: 16"), QStringLiteral("microbatch_count: 7")).field,
        std::string("training.microbatch_count"));
    QCOMPARE(refusalOf(QStringLiteral("tp: 8"), QStringLiteral("tp: 8")).field, std::string("accepted"));
}

FLEETWRIGHT_TEST(TestLaunchRules)
#include "tst_launchrules.moc"
