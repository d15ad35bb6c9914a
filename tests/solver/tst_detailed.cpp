// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/detailedprices.h"
#include "testing/registry.h"

#include <QTest>

#include <thread>

using namespace detailedmaker;

/// The invariants of section 12 of the model's documentation.
class TestDetailed : public QObject {
    Q_OBJECT
private slots:
    void fasterHardwareIsNeverSlower();
    void freeCommunicationIsHidden();
    void oneAcceleratorOnlyComputes();
    void timesScaleWithRates();
    void doublingLayers();
    void doublingTheBatch();
    void moreVirtualStages();
    void recomputation();
    void memoryShrinksWithSharding();
    void stragglersAndParts();
    void modelFlopsDoNotDependOnTheSplit();
    void sameAnswerFromMemoAndThreads();
    void anyValidPlanHasNumbers();
};

void TestDetailed::fasterHardwareIsNeverSlower()
{
    Generator generator(1);
    for (int i = 0; i < 4000; ++i) {
        const auto plan = generator.next();
        const bool mixed = mixesStages(plan.setting, plan.layout);
        if (mixed && plan.layout.zeroStage == 3)
            continue;
        const double before = step(plan.setting, plan.layout);
        for (int which = 0; which < 6; ++which) {
            auto faster = plan.setting;
            auto &machine = faster.machine;
            switch (which) {
            case 0: machine.peak16 *= 1.7; break;
            case 1: machine.peak8 *= 1.7; break;
            case 2: machine.peak4 *= 1.7; break;
            case 3: machine.memoryBandwidth *= 1.7; break;
            case 4: machine.scaleUp *= 1.7; break;
            case 5: machine.scaleOut *= 1.7; break;
            }
            const double after = step(faster, plan.layout);
            QVERIFY2(after <= before * (1 + (mixed ? 1e-2 : 1e-12)),
                qPrintable(QStringLiteral("%1: rate %2 made %3 s of %4 s")
                               .arg(QString::fromStdString(describe(plan.layout)))
                               .arg(which)
                               .arg(after, 0, 'g', 17)
                               .arg(before, 0, 'g', 17)));
        }
    }
}

void TestDetailed::freeCommunicationIsHidden()
{
    Generator generator(2);
    for (int i = 0; i < 4000; ++i) {
        auto [setting, layout] = generator.next();
        setting.machine.scaleUp = 1e30 * gigabytePerSecond;
        setting.machine.scaleOut = 1e30 * gigabytePerSecond;
        withoutLatency(setting.constants);
        setting.constants[Constant::Interference] = 0;
        const auto figures = priced(setting, layout);
        for (const auto *part : {&figures.tp, &figures.cp, &figures.ep, &figures.pp, &figures.dp})
            QVERIFY2(part->exposed.value() <= 1e-12 * figures.stepTime.value(), describe(layout).c_str());
    }
}

void TestDetailed::oneAcceleratorOnlyComputes()
{
    Generator generator(3);
    for (int i = 0; i < 2000; ++i) {
        auto [setting, layout] = generator.next();
        layout = {.microbatch = layout.microbatch, .zeroStage = layout.zeroStage, .recompute = layout.recompute};
        setting.accelerators = 1;
        setting.straggler = 1;
        setting.globalBatch = layout.microbatch * 3;
        const auto pricer = pricerOf(setting);
        const auto figures = pricer.price(layout);
        for (const auto *part : {&figures.tp, &figures.cp, &figures.ep, &figures.pp, &figures.dp}) {
            QCOMPARE(part->exposed.value(), 0.0);
            QCOMPARE(part->total.value(), 0.0);
        }
        QCOMPARE(figures.bubbleTime.value(), 0.0);
        const double layers = double(setting.architecture.layers)
            * (figures.forwardLayer + figures.backwardLayer).value();
        const double expected = 3 * (layers + figures.logits.value() + figures.embedding.value())
            + figures.optimizerTime.value() + figures.overheadTime.value();
        QVERIFY(close(figures.stepTime.value(), expected, 1e-12));
    }
}

void TestDetailed::timesScaleWithRates()
{
    Generator generator(4);
    for (int i = 0; i < 2000; ++i) {
        const auto plan = generator.next();
        auto faster = plan.setting;
        constexpr double factor = 4; // a power of two: scaling is exact in floating point
        auto &machine = faster.machine;
        for (auto *rate : {&machine.peak16, &machine.peak8, &machine.peak4})
            *rate *= factor;
        for (auto *rate : {&machine.memoryBandwidth, &machine.scaleUp, &machine.scaleOut})
            *rate *= factor;
        for (const auto &descriptor : constantTable())
            if (descriptor.dimension == units::Dimension::Time)
                faster.constants[descriptor.constant] /= factor;
        QVERIFY2(close(step(faster, plan.layout) * factor, step(plan.setting, plan.layout), 1e-14),
            describe(plan.layout).c_str());
    }
}

void TestDetailed::doublingLayers()
{
    Generator generator(5);
    int seen = 0;
    while (seen < 1000) {
        auto [setting, layout] = generator.next();
        // With a layer or two the embedding decides, which does not grow.
        if (layout.pp > 1 || setting.architecture.layers < 12)
            continue;
        ++seen;
        const double once = step(setting, layout);
        setting.architecture.layers *= 2;
        setting.architecture.expertLayers *= 2;
        const double twice = step(setting, layout);
        QVERIFY2(twice > once && twice <= 2.02 * once,
            qPrintable(QStringLiteral("%1: %2").arg(QString::fromStdString(describe(layout))).arg(twice / once)));
    }
}

void TestDetailed::doublingTheBatch()
{
    Generator generator(6);
    for (int i = 0; i < 2000; ++i) {
        auto [setting, layout] = generator.next();
        const auto once = priced(setting, layout);
        setting.globalBatch *= 2;
        const auto twice = priced(setting, layout);
        QVERIFY2(twice.tokensPerSecond >= once.tokensPerSecond * (1 - 1e-12), describe(layout).c_str());
        if (layout.pp > 1 && once.bubbleTime.value() > 0)
            QVERIFY(twice.bubbleTime / twice.stepTime < once.bubbleTime / once.stepTime);
    }
}

void TestDetailed::moreVirtualStages()
{
    for (const std::int64_t pp : {2, 4, 8})
        for (const auto software : {Software::MegatronCore, Software::MegatronV2}) {
            auto dense = setting();
            dense.stack = defaultsOf(software);
            dense.accelerators = 8 * pp;
            dense.globalBatch = 64 * pp;
            Layout split{.tp = 4, .pp = pp, .dp = 2, .expertTp = 4, .sequenceParallel = true};
            const auto one = priced(dense, split);
            split.virtualStages = 2;
            const auto two = priced(dense, split);
            split.virtualStages = 5;
            const auto five = priced(dense, split);
            QVERIFY(two.bubbleTime <= one.bubbleTime && five.bubbleTime <= two.bubbleTime);
            QVERIFY(five.bubbleTime < one.bubbleTime);
            if (software == Software::MegatronV2)
                QVERIFY(two.pp.exposed >= one.pp.exposed && five.pp.exposed >= two.pp.exposed);
        }
}

void TestDetailed::recomputation()
{
    Generator generator(7);
    for (int i = 0; i < 3000; ++i) {
        auto [setting, layout] = generator.next();
        if (mixesStages(setting, layout) && layout.zeroStage == 3)
            continue;
        layout.recomputeShare.reset();
        const auto with = [&](Recompute recompute) {
            layout.recompute = recompute;
            return priced(setting, layout);
        };
        const auto none = with(Recompute::None), selective = with(Recompute::Selective), full = with(Recompute::Full);
        QVERIFY2(none.stepTime <= selective.stepTime * (1 + 1e-12), describe(layout).c_str());
        QVERIFY2(selective.stepTime <= full.stepTime * (1 + 1e-12),
            qPrintable(QStringLiteral("%1 stack %2 kernel %3: %4 %5")
                           .arg(QString::fromStdString(describe(layout)))
                           .arg(int(setting.stack.software))
                           .arg(setting.attentionKernel)
                           .arg(selective.stepTime.value(), 0, 'g', 17)
                           .arg(full.stepTime.value(), 0, 'g', 17)));
        QVERIFY2(none.memory.allocated * (1 + 1e-12) >= selective.memory.allocated,
            describe(layout).c_str()); // one layer: equal
        const auto stageLayers = (setting.architecture.layers + layout.pp - 1) / layout.pp;
        const bool even = setting.architecture.layers % (layout.pp * layout.virtualStages) == 0;
        const bool oneKind = setting.architecture.experts == 0 || setting.architecture.expertLayers == 0
            || setting.architecture.expertLayers == setting.architecture.layers;
        if (stageLayers >= 3 && even && oneKind)
            QVERIFY2(none.memory.allocated >= full.memory.allocated, describe(layout).c_str());
    }
}

void TestDetailed::memoryShrinksWithSharding()
{
    Generator generator(8);
    int pipelines = 0;
    for (int i = 0; i < 3000; ++i) {
        auto [setting, layout] = generator.next();
        layout.shardGroup = 0;
        const auto pricer = pricerOf(setting);
        double previous = std::numeric_limits<double>::infinity();
        for (int zero = 0; zero <= 2; ++zero) {
            layout.zeroStage = zero;
            const double now = pricer.price(layout).memory.allocated.value();
            QVERIFY2(now <= previous * (1 + 1e-12), describe(layout).c_str());
            previous = now;
        }
        // TP, dense with sequence parallelism: twice the ranks, half the replicas.
        const auto &model = setting.architecture;
        if (model.experts == 0 && !model.latentAttention && layout.dp % 2 == 0 && layout.zeroStage < 3) {
            layout.sequenceParallel = true;
            layout.zeroStage = 0;
            const double before = pricer.price(layout).memory.allocated.value();
            auto wider = layout;
            wider.tp *= 2;
            wider.expertTp = wider.tp;
            wider.dp /= 2;
            if (pricer.isLegal(wider) && layout.pp == 1)
                QVERIFY2(
                    pricer.price(wider).memory.allocated.value() <= before * (1 + 1e-12), describe(layout).c_str());
            // PP where layers divide, no interleaving, the same DP and enough microbatches to fill both pipelines
            // alike.
            if (layout.pp > 1 && layout.virtualStages == 1 && model.layers % (layout.pp * 2) == 0
                && setting.bubbleShare > 0) {
                ++pipelines;
                auto deeper = layout;
                deeper.pp *= 2;
                auto larger = setting;
                larger.accelerators *= 2;
                QVERIFY2(pricerOf(larger).price(deeper).memory.allocated.value() <= before * (1 + 1e-12),
                    describe(layout).c_str());
            }
        }
    }
    QVERIFY(pipelines > 10);
}

void TestDetailed::stragglersAndParts()
{
    Generator generator(9);
    for (int i = 0; i < 5000; ++i) {
        auto [setting, layout] = generator.next();
        setting.straggler = 1;
        const auto plain = priced(setting, layout);
        const double parts = (plain.computeTime + plain.bubbleTime + plain.tp.exposed + plain.cp.exposed
            + plain.ep.exposed + plain.pp.exposed + plain.dp.exposed + plain.optimizerTime + plain.overheadTime)
                                 .value();
        QVERIFY2(close(parts, plain.stepTime.value(), 1e-9), describe(layout).c_str());
        if (!setting.lora) // model FLOP count weight gradients, which LoRA does not compute
            QVERIFY2(plain.mfu > 0 && plain.mfu < 1, describe(layout).c_str());
        setting.straggler = 1.25;
        const double slow = step(setting, layout);
        QVERIFY(close(slow - plain.overheadTime.value(), 1.25 * (plain.stepTime - plain.overheadTime).value(), 1e-9));
        const auto &memory = plain.memory;
        QVERIFY(
            close((memory.weights + memory.gradients + memory.optimizer + memory.activations + memory.other).value(),
                memory.allocated.value(), 1e-12));
        QCOMPARE(plain.fits, memory.device <= setting.machine.capacity);
    }
}

void TestDetailed::modelFlopsDoNotDependOnTheSplit()
{
    Generator generator(10);
    for (int i = 0; i < 500; ++i) {
        auto [setting, layout] = generator.next();
        const auto expected = priced(setting, layout).modelFlops;
        const auto pricer = pricerOf(setting);
        for (const std::int64_t tp : {1, 2})
            for (const std::int64_t microbatch : {1, 3}) {
                auto other = layout;
                other.tp = tp;
                other.microbatch = microbatch;
                QCOMPARE(pricer.price(other).modelFlops.value(), expected.value());
            }
    }
}

void TestDetailed::sameAnswerFromMemoAndThreads()
{
    auto research = setting();
    research.stack = defaultsOf(Software::Research); // its layers know whether they stand in a pipeline
    const auto pricer = pricerOf(research);
    std::vector<Layout> layouts;
    for (const std::int64_t tp : {1, 2, 4, 8})
        for (const std::int64_t pp : {1, 2, 4})
            for (const std::int64_t microbatch : {1, 2})
                for (int zero = 0; zero <= 3; ++zero)
                    layouts.push_back({.tp = tp,
                        .pp = pp,
                        .dp = 64 / (tp * pp),
                        .expertTp = tp,
                        .microbatch = microbatch,
                        .zeroStage = zero,
                        .sequenceParallel = tp > 1});
    for (auto &&shared : std::vector(layouts.begin(), layouts.begin() + 24)) {
        shared.recompute = Recompute::Full;
        for (const double share : {0.25, 0.7}) {
            shared.recomputeShare = share;
            layouts.push_back(shared);
        }
    }
    std::vector<Figures> alone;
    for (const auto &layout : layouts)
        alone.push_back(pricer.price(layout));
    std::vector<int> wrong(3, 0);
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t)
        threads.emplace_back([&, t] {
            for (int round = 0; round < 20; ++round)
                for (std::size_t i = t; i < layouts.size(); i += wrong.size())
                    wrong[t] += pricer.price(layouts[i]) == alone[i] ? 0 : 1;
        });
    threads.clear();
    QCOMPARE(wrong, std::vector<int>(3, 0));
}

void TestDetailed::anyValidPlanHasNumbers()
{
    // FLEETWRIGHT_FUZZ_PLANS sets another number, such as ten million.
    const int plans = qEnvironmentVariableIsSet("FLEETWRIGHT_FUZZ_PLANS")
        ? qEnvironmentVariableIntValue("FLEETWRIGHT_FUZZ_PLANS")
        : 100'000;
    Generator generator(11);
    for (int i = 0; i < plans; ++i) {
        const auto [setting, layout] = generator.next();
        const auto figures = priced(setting, layout);
        for (const double value : {figures.stepTime.value(), figures.computeTime.value(), figures.tokensPerSecond,
                 figures.memory.allocated.value(), figures.modelFlops.value(), figures.mfu})
            if (!(std::isfinite(value) && value > 0))
                QFAIL(qPrintable(QStringLiteral("%1: %2").arg(QString::fromStdString(describe(layout))).arg(value)));
        for (const double value : {figures.bubbleTime.value(), figures.optimizerTime.value(),
                 figures.tp.exposed.value(), figures.cp.exposed.value(), figures.ep.exposed.value(),
                 figures.pp.exposed.value(), figures.dp.exposed.value(), figures.tp.total.value(),
                 figures.dp.total.value(), figures.memory.activations.value(), figures.memory.optimizer.value()})
            if (!(std::isfinite(value) && value >= 0))
                QFAIL(qPrintable(QStringLiteral("%1: %2").arg(QString::fromStdString(describe(layout))).arg(value)));
    }
}

FLEETWRIGHT_TEST(TestDetailed)
#include "tst_detailed.moc"
