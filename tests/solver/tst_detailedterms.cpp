// SPDX-License-Identifier: GPL-3.0-or-later
// What version 3.0 of the detailed model added (resources/handbook/models/detailed.md, section 18), term by term.
#include "solver/detailedprices.h"
#include "solver/models/detailed/layerformulas.h"
#include "testing/registry.h"

#include <QTest>

using namespace detailedmaker;

class TestDetailedTerms : public QObject {
    Q_OBJECT
private slots:
    void recomputedShare();
    void laterTermsHaveNoEffectBefore();
    void scalingCostsBytes();
    void shardsInAPipelineAreGatheredOnce();
    void researchHosts();
    void operatorsAreKept();
    void lossHoldsCopies();
    void gatheredInputsAreKept();
};

void TestDetailedTerms::recomputedShare()
{
    Generator generator(12);
    for (int i = 0; i < 2000; ++i) {
        auto [setting, layout] = generator.next();
        if (mixesStages(setting, layout) && layout.zeroStage == 3)
            continue;
        const auto with = [&](Recompute recompute, std::optional<double> share) {
            layout.recompute = recompute;
            layout.recomputeShare = share;
            return priced(setting, layout);
        };
        QVERIFY(with(Recompute::Full, 1.0) == with(Recompute::Full, std::nullopt));
        const auto none = with(Recompute::None, std::nullopt), nothing = with(Recompute::Full, 0.0),
                   half = with(Recompute::Full, 0.5), full = with(Recompute::Full, 1.0);
        QVERIFY(with(Recompute::None, 0.5) == none);
        QVERIFY2(close(nothing.stepTime.value(), none.stepTime.value(), 1e-12), describe(layout).c_str());
        QVERIFY2(nothing.stepTime <= half.stepTime * (1 + 1e-12) && half.stepTime <= full.stepTime * (1 + 1e-12),
            describe(layout).c_str());
        QVERIFY(close(2 * half.memory.activations.value(),
                    (nothing.memory.activations + full.memory.activations).value(), 1e-9)
            || half.memory.fullestStage != full.memory.fullestStage
            || half.memory.fullestStage != nothing.memory.fullestStage);
        QVERIFY(with(Recompute::Selective, 0.12).stepTime <= with(Recompute::Selective, 0.6).stepTime * (1 + 1e-12));
    }
    auto outside = layout();
    outside.recompute = Recompute::Full;
    for (const double share : {-0.1, 1.1}) {
        outside.recomputeShare = share;
        const auto refused = pricerOf(setting()).check(outside);
        QVERIFY(!refused && refused.error().field == "recompute_share");
    }
}

void TestDetailedTerms::laterTermsHaveNoEffectBefore()
{
    QVERIFY(Constants::version(modelVersion) == Constants());
    QVERIFY(Constants::version("1.0") == Constants::specification() && !Constants::version("2.1"));
    Generator generator(13);
    for (int i = 0; i < 2000; ++i) {
        auto [setting, layout] = generator.next();
        for (const auto *version : {"1.0", "2.0"}) {
            setting.constants = *Constants::version(version);
            const auto in = pricerOf(setting).prepared();
            QVERIFY(in.scalingBytes == 0 && in.collectiveLaunch == 0 && !in.gathersOnce && !in.frameworkMemory);
            auto other = setting;
            if (setting.machine.family == Family::TpuV6e)
                other.machine.family = Family::Tpu;
            // Research code was read as eager FSDP, but does not broadcast parameters.
            if (setting.stack.software == Software::Research) {
                other.stack.software = Software::Fsdp;
                other.constants[Constant::Broadcast] = 0;
            }
            QVERIFY2(priced(other, layout) == priced(setting, layout), describe(layout).c_str());
        }
    }
}

void TestDetailedTerms::scalingCostsBytes()
{
    // Of one product: M K elements go in, M N gradients come back, each scaled to 8 bits; weights are not.
    auto eight = setting();
    eight.precisionBits = 8;
    const auto in = pricerOf(eight).prepared();
    QCOMPARE(in.scalingBytes, eight.constants[Constant::ScalingEight]);
    constexpr double m = 512, k = 1024, n = 4096;
    const auto with = productTime(in, m, k, n, in.productRate, {1, in.scalingBytes}, true),
               without = productTime(in, m, k, n, in.productRate, {1, 0}, true);
    QVERIFY(close(with.forwardBytes - without.forwardBytes, in.scalingBytes * m * k, 1e-12));
    QVERIFY(close(with.inputBytes - without.inputBytes, in.scalingBytes * m * n, 1e-12));
    QCOMPARE(with.weightBytes, without.weightBytes);
    QVERIFY(close(with.forwardSeconds - with.computeSeconds, with.forwardBytes / in.memoryRate, 1e-12));
    eight.stack = defaultsOf(Software::FsdpCompiled);
    QCOMPARE(pricerOf(eight).prepared().scalingBytes, eight.constants[Constant::ScalingCompiled]);
    eight.precisionBits = 4;
    QCOMPARE(pricerOf(eight).prepared().scalingBytes, eight.constants[Constant::ScalingFour]);
    QCOMPARE(pricerOf(setting()).prepared().scalingBytes, 0.0);
    // The output layer runs in 16 bits.
    QCOMPARE(priced(eight, layout()).logits.value(), [&] {
        auto sixteen = eight;
        sixteen.precisionBits = 16;
        return priced(sixteen, layout()).logits.value();
    }());
}

void TestDetailedTerms::shardsInAPipelineAreGatheredOnce()
{
    auto once = setting();
    once.stack = defaultsOf(Software::FsdpCompiled);
    auto often = once;
    often.constants[Constant::GatherOnce] = 0;
    Layout split{.tp = 4, .pp = 4, .dp = 4, .expertTp = 4, .microbatch = 1, .zeroStage = 3, .sequenceParallel = true};
    const auto now = priced(once, split), before = priced(often, split);
    QVERIFY(now.stepTime < before.stepTime && now.dp.total < before.dp.total);
    // 32 microbatches: layers are gathered once instead of 32 times.
    QVERIFY(close(before.dp.total.value(), 32 * now.dp.total.value(), 1e-9));
    // 16-bit weights and 32-bit gradients of the whole stage, and the 32-bit shards of both.
    const double stage = 70.55e9 / 16;
    QVERIFY(close((now.memory.weights + now.memory.gradients).value(), (2 + 4 + 2 * 4.0 / 4) * stage, 0.05));
    split.pp = 1;
    split.dp = 16;
    QVERIFY(priced(once, split) == priced(often, split));
    once.stack = often.stack = defaultsOf(Software::MegatronCore);
    split.pp = 4;
    split.dp = 4;
    QVERIFY(priced(once, split) == priced(often, split));
}

void TestDetailedTerms::researchHosts()
{
    auto small = setting();
    small.stack = defaultsOf(Software::Research);
    small.architecture = denseModel(16, 256, 8, 1024, 32000);
    small.sequenceLength = 512;
    const auto &k = small.constants;
    const auto forward = [&](std::int64_t tp, std::int64_t pp, std::int64_t n) {
        auto job = small;
        job.accelerators = n;
        job.machine.scaleUp = job.machine.scaleOut = 1e30 * gigabytePerSecond;
        withoutLatency(job.constants);
        job.constants[Constant::HostMix] = 0;
        return priced(job, {.tp = tp, .pp = pp, .dp = n / tp / pp, .expertTp = tp}).forwardLayer.value();
    };
    // So small that the host decides.
    QVERIFY(close(forward(1, 1, 8), k[Constant::HostResearch], 1e-9));
    QVERIFY(close(forward(4, 1, 8), k[Constant::HostResearch] * (1 + 3 * k[Constant::TpHostResearch]), 1e-9));
    QVERIFY(close(forward(4, 2, 8), forward(4, 1, 8), 1e-9)); // one node
    QVERIFY(close(forward(1, 4, 32), k[Constant::HostResearch], 1e-9));
    QVERIFY(close(
        forward(4, 4, 32), k[Constant::HostResearchPipeline] * (1 + 3 * k[Constant::TpHostResearchPipeline]), 1e-9));
}

namespace {

LayerPrice denseLayer(const Setting &setting, const Layout &layout)
{
    const auto in = prepare(setting);
    return layerPrices(in, setting, keyOf(in, layout)).kinds[0];
}

Setting framework(Software software)
{
    auto made = setting();
    made.stack = defaultsOf(software);
    return made;
}

} // namespace

void TestDetailedTerms::operatorsAreKept()
{
    auto compiled = framework(Software::FsdpCompiled);
    Layout whole{.dp = 64, .zeroStage = 3, .recompute = Recompute::Selective};
    // Llama 3 70B: input and output of the down projection, query and attention of 8192, value of 1024, gate of 28672.
    constexpr double elements = 2 * 8192 + 2 * 64 * 128 + 8 * 128 + 28672;
    const auto kept = denseLayer(compiled, whole);
    QCOMPARE(kept.keptBytesPerToken, 2 * elements);
    // The rest of one layer is there while it is computed again.
    auto all = whole;
    all.recompute = Recompute::None;
    QVERIFY(
        close(kept.keptBytesPerToken + kept.workingBytesPerToken, denseLayer(compiled, all).keptBytesPerToken, 1e-12));
    // Without a gate the fifth product is the wide one and the last is not kept.
    compiled.architecture.gated = false;
    QCOMPARE(denseLayer(compiled, whole).keptBytesPerToken, 2 * (elements - 8192));
    // The policy is that of PyTorch's frameworks; others keep all but the scores of attention.
    for (const auto software : {Software::MegatronCore, Software::Research, Software::Xla})
        QCOMPARE(denseLayer(framework(software), whole).keptBytesPerToken,
            denseLayer(framework(software), all).keptBytesPerToken);
}

void TestDetailedTerms::lossHoldsCopies()
{
    const Layout split{.tp = 8, .dp = 8, .expertTp = 8, .zeroStage = 3, .sequenceParallel = true};
    const auto bytesOf = [&split](const Setting &setting) {
        return priced(setting, split).memory.other.value() / (8192.0 * 128256 / 8);
    };
    auto compiled = framework(Software::FsdpCompiled);
    QCOMPARE(bytesOf(compiled), 4.0);
    compiled.stack.compiledLoss = false;
    QCOMPARE(bytesOf(compiled), 12.0);
    QCOMPARE(bytesOf(framework(Software::Fsdp)), 12.0);
    for (const auto software : {Software::MegatronCore, Software::Research, Software::Xla})
        QCOMPARE(bytesOf(framework(software)), 8.0);
    auto adapters = framework(Software::Fsdp);
    adapters.lora = true;
    QCOMPARE(bytesOf(adapters), 8.0);
}

void TestDetailedTerms::gatheredInputsAreKept()
{
    Layout split{.tp = 8, .dp = 8, .expertTp = 8, .zeroStage = 3, .sequenceParallel = true};
    const auto compiled = framework(Software::FsdpCompiled);
    auto before = compiled;
    before.constants[Constant::FrameworkMemory] = 0;
    const auto more = [&] {
        return denseLayer(compiled, split).keptBytesPerToken - denseLayer(before, split).keptBytesPerToken;
    };
    QVERIFY(close(more(), 4 * 8192 * 7.0 / 8, 1e-9)); // of attention and of the FFN, what the other seven ranks had
    split.sequenceParallel = false;
    QCOMPARE(more(), 0.0); // every rank has them whole already
    split.recompute = Recompute::Full;
    split.sequenceParallel = true;
    QCOMPARE(more(), 0.0);
    QVERIFY(denseLayer(compiled, split).workingBytesPerToken > denseLayer(before, split).workingBytesPerToken);
}

FLEETWRIGHT_TEST(TestDetailedTerms)
#include "tst_detailedterms.moc"
