// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/importedplan.h"
#include "exchange/launchparsers.h"
#include "exchange/launchsamples.h"
#include "solver/models/detailed/detailedmodel.h"
#include "testing/registry.h"

#include <QTest>

#include <map>
#include <set>

using namespace fleetwright;
using namespace fleetwright::exchange;
using namespace exchangetesting;

class TestLaunchTexts : public QObject {
    Q_OBJECT

private slots:
    void parseByTheirOwnRules();
    void comeBackAsTheSamePlan();
    void sayTheSnapshotAndWhatIsMissing();
};

namespace {

std::string faultOf(LaunchFramework framework, const std::string &text, const Launch &launch)
{
    const LaunchedOn machines{long(launch.world()), long(launch.domain)};
    const auto &facts = launch.model.facts;
    const LaunchedModel model{facts.layers.value_or(0), facts.attentionHeads.value_or(0),
        facts.kvHeads.value_or(facts.attentionHeads.value_or(0)), facts.experts.value_or(0), launch.model.isLatent(),
        facts.tiedEmbeddings.value_or(false), launch.model.hasExperts() ? launch.model.denseLayers() : 0};
    switch (framework) {
    case LaunchFramework::MegatronLm: return faultOfMegatronLm(text, machines);
    case LaunchFramework::MegatronBridge: return faultOfMegatronBridge(text, machines, model);
    case LaunchFramework::DeepSpeed: return faultOfDeepSpeed(text, machines, model);
    case LaunchFramework::Torchtitan: return faultOfTorchtitan(text, machines, model);
    case LaunchFramework::MaxText: return faultOfMaxText(text, machines, model);
    }
    return "no framework";
}

constexpr int samples = 3000;

/// A sample with its launch, where the plan is one.
struct Sample {
    LaunchedPlan plan;
    Launch launch;
};
std::vector<Sample> samplesOf(unsigned int seed)
{
    LaunchSamples generator(seed);
    std::vector<Sample> list;
    for (int i = 0; i < samples; ++i)
        if (auto plan = launchedPlan(generator.next()))
            if (auto launch = launchOf(plan->plan, plan->document.workload, shipped()))
                list.push_back({std::move(*plan), std::move(*launch)});
    return list;
}

/// The plan without what the text says that it does not hold.
PlanDocument expectedBack(const Sample &sample)
{
    auto plan = sample.plan.document;
    const auto &launch = sample.launch;
    plan.training.microbatchSize = int(launch.microbatchSize);
    plan.training.microbatchCount.reset();
    plan.training.accumulationSteps = 1;
    const double step = double(launch.globalBatch) * double(launch.sequenceLength);
    const auto published = sample.plan.plan->workload->trainingTokens;
    plan.training.tokenBudget.reset();
    if (launch.steps && !(published && stepsOf(*published, launch.globalBatch, launch.sequenceLength) == *launch.steps))
        plan.training.tokenBudget = double(*launch.steps) * step;
    plan.constraints = {};
    plan.assumptions.edited.clear(); // compared as they are priced
    return plan;
}

bool tells(const std::vector<std::string> &sentences, std::string_view word)
{
    return std::ranges::any_of(sentences, [word](const std::string &sentence) { return sentence.contains(word); });
}

/// What differs between how two plans are priced by their software, as far as arguments say it.
std::string softwareDifference(const Launch &launch, const detailed::PlanSetting &before,
    const detailed::PlanSetting &after, const LaunchConfiguration &text)
{
    const auto &a = before.setting.stack;
    const auto &b = after.setting.stack;
    if (launch.dp * launch.cp > 1 && a.dpOverlap != b.dpOverlap)
        return "dp_overlap";
    if (launch.tp > 1 && a.tpOverlap != b.tpOverlap && !tells(text.withoutFlag, "needs sequence parallelism here"))
        return "tp_overlap";
    if (launch.virtualStages > 1 && a.ppOverlap != b.ppOverlap
        && !tells(text.withoutFlag, "without overlap of pipeline"))
        return "pp_overlap";
    if (launch.ep > 1 && a.epOverlap != b.epOverlap)
        return "ep_overlap";
    if (a.dropout != b.dropout || a.graphs != b.graphs)
        return "dropout or cuda_graphs";
    if (launch.software->gradientBytes && a.gradientBytes != b.gradientBytes
        && !tells(text.withoutFlag, "gradient_precision"))
        return "gradient_precision";
    if (launch.software->unfusedAttention != (after.setting.attentionKernel == 0))
        return "attention_kernel";
    if (launch.model.hasExperts()
        && detailed::expertTpOf(before.expertTp, launch.tp, launch.ep)
            != detailed::expertTpOf(after.expertTp, launch.tp, launch.ep))
        return "expert_tensor_parallel";
    const auto group = [&launch](const detailed::PlanSetting &setting) {
        return setting.shardGroup == 0 ? launch.dp * launch.cp : setting.shardGroup;
    };
    if (launch.zeroStage == 3 && group(before) != group(after))
        return "shard_group";
    return {};
}

} // namespace

void TestLaunchTexts::parseByTheirOwnRules()
{
    std::map<LaunchFramework, int> written;
    std::set<std::string> refusals;
    for (const auto &[plan, launch] : samplesOf(1))
        for (const auto framework : allLaunchFrameworks) {
            const auto text = launchConfiguration(launch, framework);
            if (!text) {
                refusals.insert(text.error().message.substr(0, 60));
                continue;
            }
            ++written[framework];
            const auto fault = faultOf(framework, text->text, launch);
            QVERIFY2(fault.empty(), (fault + "\n" + planToYaml(plan.document) + "\n" + text->text).c_str());
            QCOMPARE(launchConfiguration(launch, framework)->text, text->text);
        }
    for (const auto framework : allLaunchFrameworks)
        QVERIFY2(written[framework] > 50,
            (std::string(toString(framework)) + " " + std::to_string(written[framework])).c_str());
    QVERIFY(refusals.size() > 20);
}

void TestLaunchTexts::comeBackAsTheSamePlan()
{
    int compared = 0;
    for (const auto &sample : samplesOf(2)) {
        const auto &[plan, launch] = sample;
        const auto text = launchConfiguration(launch, LaunchFramework::MegatronLm);
        if (!text)
            continue;
        auto fleet = plan.document.fleet;
        const auto back = planFromMegatron(text->text, {.name = plan.document.name, .fleet = fleet}, shipped());
        QVERIFY2(back.has_value(), back ? "" : (described(back.error()) + "\n" + text->text.c_str()).constData());
        auto again = back->plan;
        const auto resolved = resolve(again, shipped());
        QVERIFY(resolved.has_value());
        const auto before = detailed::settingFrom(
            plan.plan->workload, plan.plan->fleet, plan.plan->training, plan.plan->assumptions);
        const auto after = detailed::settingFrom(
            (*resolved)->workload, (*resolved)->fleet, (*resolved)->training, (*resolved)->assumptions);
        QVERIFY(before && after);
        const auto differs = softwareDifference(launch, *before, *after, *text);
        QVERIFY2(
            differs.empty(), (differs + "\n" + planToYaml(plan.document) + planToYaml(again) + text->text).c_str());
        again.assumptions.edited.clear();
        const auto expected = expectedBack(sample);
        QVERIFY2(again == expected, (planToYaml(expected) + planToYaml(again) + text->text).c_str());
        QVERIFY(!tells(back->told, "Not known here"));
        ++compared;
    }
    QVERIFY2(compared > 100, std::to_string(compared).c_str());
}

void TestLaunchTexts::sayTheSnapshotAndWhatIsMissing()
{
    for (const auto framework : allLaunchFrameworks) {
        const auto launch = denseLaunch();
        const auto text = launchConfiguration(launch, framework);
        QVERIFY(text.has_value());
        const auto &snapshot = snapshotOf(framework);
        QVERIFY(text->text.contains(snapshot.commit) && text->text.contains(snapshot.date));
        for (const auto &sentence : text->withoutFlag) {
            QVERIFY2(sentence.ends_with('.'), sentence.c_str());
            QVERIFY2(text->text.contains(sentence), sentence.c_str());
        }
        QVERIFY(!text->withoutFlag.empty());
    }
}

FLEETWRIGHT_TEST(TestLaunchTexts)
#include "tst_launchtexts.moc"
