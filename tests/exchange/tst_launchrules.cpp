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
        {"ep-fp16", {true, [](Launch &l) { l.precision = Precision::Fp16; }}},
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
        {"torchtitan-schedule",
            {false,
                [](Launch &l) {
                    pipeline(l);
                    l.software->schedule = "zero_bubble_2p";
                }}},
        {"maxtext-zero", {false, [](Launch &l) { l.zeroStage = 2; }}},
        {"maxtext-precision", {false, [](Launch &l) { l.precision = Precision::Fp16; }}},
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
