// SPDX-License-Identifier: GPL-3.0-or-later
// Software classes: which class a published framework is, which stack a plan of a class runs, what tuning is worth, and
// accelerators that are priced by the nearest families.
#include "solver/answer/comparison.h"
#include "solver/answer/figures.h"
#include "solver/explaintesting.h"
#include "solver/models/detailed/detailedmodel.h"
#include "solver/models/detailed/familymean.h"
#include "solver/nearly.h"
#include "solver/validation/softwareclass.h"
#include "testing/registry.h"
#include "text/utf8.h"

#include <QTest>

using namespace fleetwright;
using detailed::Constant;
using detailed::Family;
using detailed::Software;
using detailed::SoftwareClass;

namespace {

PlanFacts planOn(const std::string &architecture, Parallelism split = {.tp = 8, .pp = 4})
{
    auto workload = sampleplan::workload();
    workload.vocabSize = 128256;
    workload.ffnHiddenSize = 28672;
    workload.gatedFfn = true;
    workload.tiedEmbeddings = false;
    auto chip = sampleplan::accelerator();
    chip.architecture = architecture;
    auto plan = sampleplan::plan(sampleplan::fleet(sampleplan::node(chip), sampleplan::fabric(), 16), workload);
    plan.costModelId = "detailed";
    plan.parallelism = split;
    plan.training.precision = Precision::Bf16;
    return plan;
}

PlanFacts with(PlanFacts plan, const char *key, const char *value)
{
    plan.assumptions.edited[key] = std::string(value);
    return plan;
}

detailed::PlanSetting settingOf(const PlanFacts &plan)
{
    auto setting = detailed::settingFrom(plan.workload, plan.fleet, plan.training, plan.assumptions);
    if (!setting)
        qFatal("%s", setting.error().message.c_str());
    return *setting;
}

Solution solved(const PlanFacts &plan)
{
    auto solution = solve(Plan::create(plan).value());
    if (!solution)
        qFatal("%s: %s", solution.error().field.c_str(), solution.error().message.c_str());
    return *solution;
}

QString softwareOf(const detailed::PlanSetting &plan)
{
    return utf8(toString(plan.softwareClass)) + QStringLiteral(" ") + utf8(toString(plan.setting.stack.software))
        + QStringLiteral(" %1").arg(plan.setting.attentionKernel);
}

} // namespace

class SoftwareClassTest : public QObject {
    Q_OBJECT
private slots:
    void classOfAFramework_data();
    void classOfAFramework();
    void evidenceCountsScoredRuns();
    void aPlanRunsTheStackOfItsClass_data();
    void aPlanRunsTheStackOfItsClass();
    void theStackSpeaksForTheClass();
    void tuningIsWorthTheRatioOfTheStacks();
    void onTpusTuningIsWorthNothingKnown();
    void otherModelsReadNothing();
    void nearestFamiliesArePricedByTheirMean();
    void oneFamilyChangesNoConstant();
    void generationsEnterTheMean();
    void familiesWithoutTheBitsTakeNoPart();
};

void SoftwareClassTest::classOfAFramework_data()
{
    QTest::addColumn<QString>("framework");
    QTest::addColumn<QString>("submitter");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *framework, const char *submitter, const char *expected) {
        QTest::addRow("%s|%s", framework, submitter)
            << QString::fromLatin1(framework) << QString::fromLatin1(submitter) << QString::fromLatin1(expected);
    };
    row("NeMo / Megatron-Core", "", "tuned");
    row("Megatron-LM style GPT (1F1B)", "", "tuned");
    row("NVIDIA MLPerf GPT-3 implementation", "", "tuned");
    row("PyTorch NVIDIA Release 25.09", "Lambda", "tuned");
    row("CUDA 12.3", "Supermicro", "tuned");
    row("torchtitan", "", "framework");
    row("MaxText (JAX)", "", "framework");
    row("maxtext", "Google", "framework");
    row("PyTorch 2.6.0, ROCm 6.4", "AMD", "framework");
    row("Primus / Megatron-LM (ROCm)", "AMD", "framework");
    row("LLMBoost 1.1.0", "MangoBoost", "framework");
    row("NGC PyTorch Release 24.01 Deepspeed N8", "JuniperNetworks", "framework");
    row("Megatron-DeepSpeed", "", "framework");
    row("ModelLink (Megatron-LM for Ascend)", "", "framework");
    row("InternEvo", "", "framework");
    row("", "", "framework");
    row("our own trainer", "", "framework");
    row("nanotron v0.5 (PyTorch)", "", "research");
    row("Sailor (Megatron-DeepSpeed)", "", "research");
    row("LitGPT", "", "research");
}

void SoftwareClassTest::classOfAFramework()
{
    QFETCH(QString, framework);
    QFETCH(QString, submitter);
    QFETCH(QString, expected);
    QCOMPARE(utf8(toString(validation::classOf(framework.toStdString(), submitter.toStdString()))), expected);
    QCOMPARE(utf8(toString(validation::classOf(framework.toUpper().toStdString(), submitter.toStdString()))), expected);
}

void SoftwareClassTest::evidenceCountsScoredRuns()
{
    const auto none = validation::classEvidence({});
    QCOMPARE(none.size(), detailed::allSoftwareClasses.size());
    QCOMPARE(utf8(inWords(none[2])), QStringLiteral("research: no measured run"));
    QCOMPARE(utf8(inWords(validation::ClassEvidence{SoftwareClass::Tuned, 1, {"a"}})),
        QStringLiteral("tuned: 1 run of 1 source (a)"));
    QCOMPARE(utf8(inWords(validation::ClassEvidence{SoftwareClass::Framework, 1200, {"a", "b", "c"}}, 2)),
        QStringLiteral("framework: 1200 runs of 3 sources (a, b, ...)"));
}

void SoftwareClassTest::aPlanRunsTheStackOfItsClass_data()
{
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QString>("stated");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *architecture, const char *stated, const QString &expected) {
        QTest::addRow("%s on %s", stated, architecture)
            << QString::fromLatin1(architecture) << QString::fromLatin1(stated) << expected;
    };
    row("Hopper", "auto", QStringLiteral("framework fsdp_compile 2"));
    row("Hopper", "tuned", QStringLiteral("tuned megatron_core 3"));
    row("Blackwell", "framework", QStringLiteral("framework fsdp_compile 2"));
    row("Hopper", "research",
        QStringLiteral("research %1 2").arg(utf8(toString(stackOf(SoftwareClass::Research, Family::Hopper)))));
    row("TPU v5p", "auto", QStringLiteral("framework xla 3"));
    row("TPU v5p", "tuned", QStringLiteral("tuned xla 3"));
    row("Volta", "tuned", QStringLiteral("tuned megatron_core 0")); // no fused kernel
}

void SoftwareClassTest::aPlanRunsTheStackOfItsClass()
{
    QFETCH(QString, architecture);
    QFETCH(QString, stated);
    QFETCH(QString, expected);
    const auto plan = with(planOn(architecture.toStdString()), "software_class", qPrintable(stated));
    QCOMPARE(softwareOf(settingOf(plan)), expected);
}

/// A stack that the plan states is what it was before there were classes.
void SoftwareClassTest::theStackSpeaksForTheClass()
{
    for (const auto &[stack, expected] : {std::pair("megatron_core", "tuned megatron_core 3"),
             std::pair("megatron_v2", "tuned megatron_v2 3"), std::pair("megatron_ds", "framework megatron_ds 3"),
             std::pair("fsdp", "framework fsdp 3"), std::pair("xla", "framework xla 3")})
        QCOMPARE(softwareOf(settingOf(with(planOn("Hopper"), "software_stack", stack))), QString::fromLatin1(expected));
    const auto both = with(with(planOn("Hopper"), "software_stack", "megatron_core"), "software_class", "framework");
    QCOMPARE(softwareOf(settingOf(both)), QStringLiteral("framework megatron_core 3")); // a port, say
}

void SoftwareClassTest::tuningIsWorthTheRatioOfTheStacks()
{
    const auto tuned = solved(with(planOn("Hopper"), "software_class", "tuned")), framework = solved(planOn("Hopper"));
    const double worth = framework.estimate.stepTime->value() / tuned.estimate.stepTime->value() - 1;
    QVERIFY2(worth > 0.02 && worth < 1, qPrintable(QString::number(worth)));
    // Whatever the plan itself is priced with.
    for (const auto &solution : {tuned, framework, solved(with(planOn("Hopper"), "software_stack", "megatron_v2"))}) {
        COMPARE_NEAR(figureOf(solution, "tuning_worth").value_or(0), worth);
        QVERIFY(!figureOf(solution, "family_spread"));
    }
    const auto words = inWords(framework.reading);
    QCOMPARE(words.size(), 1U);
    QVERIFY2(words[0].starts_with("Priced with framework software (stack: PyTorch FSDP, compiled); tuning is worth "),
        words[0].c_str());
    const auto explained = explainRun(Plan::create(planOn("Hopper")).value(), framework);
    const auto found = std::ranges::find(explained, "tuning_worth", &ExplainedFigure::key);
    QVERIFY(found != explained.end());
    QCOMPARE(::testing::Formula(*found).value(), found->value);
    QVERIFY(found->source.contains("PyTorch FSDP, compiled"));
}

void SoftwareClassTest::onTpusTuningIsWorthNothingKnown()
{
    const auto solution = solved(planOn("TPU v5p"));
    QVERIFY(!figureOf(solution, "tuning_worth"));
    QVERIFY(reasonFor(*findFigure("tuning_worth"), solution).contains("TPU"));
    QCOMPARE(utf8(inWords(solution.reading).front()),
        QStringLiteral("Priced with framework software (stack: JAX and XLA)."));
}

void SoftwareClassTest::otherModelsReadNothing()
{
    auto plan = planOn("Hopper");
    plan.costModelId = "first-order";
    const auto solution = solved(plan);
    QVERIFY(solution.reading == PlanReading());
    QVERIFY(!figureOf(solution, "tuning_worth") && inWords(solution.reading).empty());
}

void SoftwareClassTest::nearestFamiliesArePricedByTheirMean()
{
    const auto plan = planOn("Ascend 910");
    const auto setting = settingOf(plan);
    const detailed::Constants shipped;
    COMPARE_NEAR(detailed::productShare(setting.setting, 16),
        std::cbrt(shipped[Constant::Gemm16Hopper] * shipped[Constant::Gemm16A100] * shipped[Constant::Gemm16Cdna]));
    COMPARE_NEAR(detailed::attentionShare(setting.setting),
        std::cbrt(shipped[Constant::Attention2Hopper] * shipped[Constant::Attention2A100]
            * shipped[Constant::Attention3Cdna]));
    QVERIFY(setting.setting.constants == shipped);

    const auto solution = solved(plan);
    QVERIFY(solution.estimate.notices.has(Notice::FamilyNearest));
    QVERIFY(solution.reading.nearestFamilies);
    QCOMPARE(solution.reading.families, (std::vector<std::string>{"Hopper", "A100", "CDNA"}));
    QCOMPARE(solution.reading.familySteps.size(), 3U);
    const double spread = figureOf(solution, "family_spread").value_or(0);
    QVERIFY2(spread > 0.02, qPrintable(QString::number(spread)));
    double least = INFINITY, most = 0;
    for (const auto &step : solution.reading.familySteps) {
        least = std::min(least, step.stepTime.value());
        most = std::max(most, step.stepTime.value());
        // The same plan on the family's own hardware with these figures.
        const auto *architecture = step.name == "Hopper" ? "Hopper" : step.name == "A100" ? "Ampere" : "CDNA 3";
        auto own = planOn(architecture);
        auto chip = *own.fleet->node->accelerator;
        chip.name = step.name;
        own.fleet = Fleet::create(sampleplan::fleet(sampleplan::node(chip), sampleplan::fabric(), 16)).value();
        COMPARE_NEAR(solved(own).estimate.stepTime->value(), step.stepTime.value());
    }
    COMPARE_NEAR(spread, most / least - 1);
    const double step = solution.estimate.stepTime->value();
    QVERIFY(step > least && step < most);
    QVERIFY2(
        inWords(solution.reading).back().contains("Hopper, A100 and CDNA"), inWords(solution.reading).back().c_str());
}

void SoftwareClassTest::oneFamilyChangesNoConstant()
{
    for (const auto *architecture : {"Hopper", "TPU v3", "TPU v6e", "CDNA 2"}) {
        const auto setting = settingOf(planOn(architecture));
        const auto &read = setting.setting;
        const auto behind = detailed::generationConstant(read);
        COMPARE_NEAR(detailed::productShare(read, 16),
            read.constants[detailed::productConstant(read, 16)] * (behind ? read.constants[*behind] : 1));
        QVERIFY(!figureOf(solved(planOn(architecture)), "family_spread"));
    }
}

/// A generation that falls behind its family enters with its own factor.
void SoftwareClassTest::generationsEnterTheMean()
{
    const auto setting = settingOf(planOn("TPU v7"));
    const detailed::Constants shipped;
    COMPARE_NEAR(detailed::productShare(setting.setting, 16),
        shipped[Constant::Gemm16Tpu] * std::sqrt(shipped[Constant::TpuV6eShare]));
    const auto seventh = solved(planOn("TPU v7")), fifth = solved(planOn("TPU v5p")), sixth = solved(planOn("TPU v6e"));
    QVERIFY(*seventh.estimate.stepTime > *fifth.estimate.stepTime);
    QVERIFY(*seventh.estimate.stepTime < *sixth.estimate.stepTime);
}

void SoftwareClassTest::familiesWithoutTheBitsTakeNoPart()
{
    detailed::Setting setting;
    setting.machine.family = Family::Hopper;
    setting.precisionBits = 8;
    setting.families = detailed::FamilyMatch::nearestOf({Family::Hopper, Family::A100, Family::Cdna});
    const auto eight = detailed::productMean(setting, 8);
    QCOMPARE(eight.size(), 2U); // A100 has no 8 bits
    QVERIFY(eight[0].constant == Constant::Gemm8Hopper && eight[1].constant == Constant::Gemm8Cdna);
    QCOMPARE(eight[0].weight, 0.5);
    QCOMPARE(detailed::productMean(setting, 16).size(), 3U);
    COMPARE_NEAR(detailed::productShare(setting, 8),
        std::sqrt(setting.constants[Constant::Gemm8Hopper] * setting.constants[Constant::Gemm8Cdna]));
    // Where none has them the 16-bit shares stand in, as for a family of its own.
    setting.families = detailed::FamilyMatch::nearestOf({Family::A100, Family::V100});
    setting.machine.family = Family::A100;
    QCOMPARE(detailed::productMean(setting, 8).size(), 2U);
}

FLEETWRIGHT_TEST(SoftwareClassTest)
#include "tst_softwareclass.moc"
