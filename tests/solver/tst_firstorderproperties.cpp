// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/singleaccelerator.h"
#include "solver/planmaker.h"
#include "testing/registry.h"

#include <QTest>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>
#include <thread>

using namespace fleetwright;

namespace {
std::atomic<long> allocations{0};
}

// Counting replacements of the global allocation functions; the sanitizers bring their own, which check more.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ALLOCATIONS_UNCOUNTED
#else
void *operator new(std::size_t size)
{
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (void *memory = std::malloc(size ? size : 1))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace {

using testing::PlanMaker;

struct Priced {
    std::unique_ptr<Evaluator> evaluator;
    Estimate estimate;
};

/// Nothing when the split does not divide the fleet.
std::optional<Priced> price(const PlanFacts &plan)
{
    auto evaluator = sampleplan::prepare(plan);
    if (!evaluator)
        qFatal("%s: %s", evaluator.error().field.c_str(), evaluator.error().message.c_str());
    const auto estimate = (*evaluator)->evaluate(plan.parallelism);
    if (!estimate && estimate.error().code != ErrorCode::InfeasibleParallelism)
        qFatal("%s: %s", estimate.error().field.c_str(), estimate.error().message.c_str());
    return estimate ? std::optional(Priced{std::move(*evaluator), *estimate}) : std::nullopt;
}

double total(const StepBreakdown &parts)
{
    return (parts.compute + parts.tp + parts.pp + parts.cp + parts.ep + parts.dp + parts.bubble + parts.optimizer
        + parts.overhead + parts.other)
        .value();
}

std::string firstNotFinite(const Estimate &estimate)
{
    const auto bad = [](const auto &value) { return value && !std::isfinite(value->value()); };
    const auto badNumber = [](const std::optional<double> &value) { return value && !std::isfinite(*value); };
    if (!std::isfinite(estimate.stepTime->value()) || !(estimate.stepTime->value() > 0))
        return "stepTime";
    if (bad(estimate.computeTime) || bad(estimate.dpCommTime) || bad(estimate.tpCommTime) || bad(estimate.epCommTime)
        || bad(estimate.exposedCommTime) || bad(estimate.bubbleTime) || bad(estimate.overheadTime))
        return "a part of the step";
    if (badNumber(estimate.bubbleFraction) || badNumber(estimate.scalingEfficiency)
        || badNumber(estimate.samplesPerSecond) || badNumber(estimate.tokensPerSecond))
        return "a rate";
    for (const auto &share : {estimate.mfu, estimate.hfu})
        if (share && !(*share >= 0 && *share <= 1 + 1e-12))
            return "mfu";
    if (!std::isfinite(estimate.memory->total.value()) || bad(estimate.memory->weights)
        || bad(estimate.memory->gradients) || bad(estimate.memory->optimizer) || bad(estimate.memory->activations)
        || bad(estimate.memory->other))
        return "memory";
    for (const double detail : estimate.details)
        if (std::isinf(detail))
            return "a detail";
    return {};
}

} // namespace

class FirstOrderPropertiesTest : public QObject {
    Q_OBJECT
private slots:
    void answersAreFiniteAndPartsAddUp();
    void moreIsNeverSlower_data();
    void moreIsNeverSlower();
    void oneAcceleratorIsTheSingleAccelerator();
    void bubbleShrinksWithMicrobatches();
    void evaluateAllocatesNothing();
    void evaluateIsThreadSafe();
};

void FirstOrderPropertiesTest::answersAreFiniteAndPartsAddUp()
{
    PlanMaker make(20231);
    int priced = 0;
    for (int i = 0; i < 15000; ++i) {
        const auto plan = make.plan();
        const auto evaluator = sampleplan::prepare(plan);
        QVERIFY2(evaluator, evaluator ? "" : evaluator.error().message.c_str());
        for (int j = 0; j < 25; ++j) {
            const auto answer = (*evaluator)->evaluate(make.parallelism());
            if (!answer) {
                QVERIFY2(answer.error().code == ErrorCode::InfeasibleParallelism, answer.error().message.c_str());
                continue;
            }
            ++priced;
            const auto bad = firstNotFinite(*answer);
            QVERIFY2(bad.empty(),
                qPrintable(QStringLiteral("plan %1: %2 is not finite").arg(i).arg(QString::fromStdString(bad))));
            const auto parts = (*evaluator)->breakdown(*answer);
            const double step = answer->stepTime->value();
            QVERIFY2(std::abs(total(parts) - step) <= 1e-12 * step,
                qPrintable(QStringLiteral("plan %1: parts %2, step %3")
                               .arg(i)
                               .arg(total(parts), 0, 'g', 17)
                               .arg(step, 0, 'g', 17)));
            for (const auto &part :
                {parts.compute, parts.tp, parts.ep, parts.dp, parts.bubble, parts.overhead, parts.other})
                QVERIFY(part.value() >= 0);
            const auto &memory = *answer->memory;
            const double memoryParts =
                (*memory.weights + *memory.gradients + *memory.optimizer + *memory.activations + *memory.other).value();
            QVERIFY(std::abs(memoryParts - memory.total.value()) <= 1e-12 * memoryParts);
        }
    }
    QVERIFY2(priced > 200000, qPrintable(QString::number(priced)));
}

void FirstOrderPropertiesTest::moreIsNeverSlower_data()
{
    QTest::addColumn<int>("what");
    QTest::newRow("fabric bandwidth") << 0;
    QTest::newRow("scale-up bandwidth") << 1;
    QTest::newRow("memory bandwidth") << 2;
    QTest::newRow("peak") << 3;
    QTest::newRow("efficiency") << 4;
    QTest::newRow("memory capacity") << 5;
    QTest::newRow("overlap") << 6;
}

void FirstOrderPropertiesTest::moreIsNeverSlower()
{
    QFETCH(const int, what);
    PlanMaker make(777);
    int compared = 0;
    for (int i = 0; i < 2500; ++i) {
        auto plan = make.plan();
        if (what == 1) { // an unknown link would be replaced, not improved
            auto node = *plan.fleet->node;
            node.scaleUpBandwidth = make.scale(1e6, 1e13) * bytePerSecond;
            plan.fleet = Fleet::create(sampleplan::fleet(node, *plan.fleet->fabric, plan.fleet->nodeCount)).value();
        }
        const auto before = price(plan);
        if (!before)
            continue;
        const double factor = make.real(1, 5);
        auto accelerator = *plan.fleet->node->accelerator;
        auto node = *plan.fleet->node;
        auto fabric = *plan.fleet->fabric;
        switch (what) {
        case 0: fabric.portBandwidth *= factor; break;
        case 1: *node.scaleUpBandwidth *= factor; break;
        case 2: accelerator.memoryBandwidth *= factor; break;
        case 3:
            for (auto &peak : accelerator.peaks)
                if (peak)
                    *peak *= factor;
            break;
        case 4:
            plan.assumptions.edited["efficiency"] = std::min(
                1.0, factor * std::get<double>(plan.assumptions.edited["efficiency"]));
            break;
        case 5: accelerator.memoryCapacity *= factor; break;
        default:
            plan.assumptions.edited["overlap_efficiency"] = std::min(
                1.0, factor * std::get<double>(plan.assumptions.edited["overlap_efficiency"]));
            break;
        }
        node.accelerator = Accelerator::create(accelerator).value();
        plan.fleet = Fleet::create(sampleplan::fleet(node, fabric, plan.fleet->nodeCount)).value();
        const auto after = price(plan);
        QVERIFY(after);
        ++compared;
        QVERIFY2(*after->estimate.stepTime <= *before->estimate.stepTime * (1 + 1e-12),
            qPrintable(QStringLiteral("plan %1: %2 s became %3 s")
                           .arg(i)
                           .arg(before->estimate.stepTime->value())
                           .arg(after->estimate.stepTime->value())));
    }
    QVERIFY(compared > 500);
}

void FirstOrderPropertiesTest::oneAcceleratorIsTheSingleAccelerator()
{
    PlanMaker make(4242);
    for (int i = 0; i < 2000; ++i) {
        auto plan = make.plan();
        auto node = *plan.fleet->node;
        node.acceleratorsPerNode = node.scaleUpDomainSize = 1;
        plan.fleet = Fleet::create(sampleplan::fleet(node, *plan.fleet->fabric, 1)).value();
        plan.parallelism = {};
        plan.assumptions.edited["variant"] = std::string("unsharded");
        plan.assumptions.edited["straggler_factor"] = 1.0;
        const auto answer = price(plan);
        QVERIFY(answer);
        const auto single = singleAccelerator(*plan.workload, *node.accelerator,
            {.efficiency = std::get<double>(plan.assumptions.edited["efficiency"]),
                .batch = plan.training.globalBatch,
                .sequenceLength = plan.training.sequenceLength,
                .precision = plan.training.precision,
                .training = true,
                .recompute = plan.training.recompute == Recompute::Full,
                .lora = plan.training.lora});
        QVERIFY(single);
        const auto close = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); };
        QVERIFY(close(answer->estimate.stepTime->value(), single->latency.value()));
        QVERIFY(close(answer->estimate.memory->total.value(), single->footprint.value()));
        QVERIFY(close(*answer->estimate.samplesPerSecond, single->samplesPerSecond));

        // The replica variant differs in the FLOP only: per token, times the sequence length.
        plan.assumptions.edited["variant"] = std::string("replica");
        const auto replica = price(plan);
        QVERIFY(replica);
        if (plan.workload->family != WorkloadFamily::Other)
            QVERIFY(close(replica->estimate.details[2],
                single->computeTime.value() * plan.training.sequenceLength)); // roofline_compute_s
        QCOMPARE(replica->estimate.exposedCommTime->value(), 0.0);
        QCOMPARE(replica->estimate.bubbleTime->value(), 0.0);
    }
}

void FirstOrderPropertiesTest::bubbleShrinksWithMicrobatches()
{
    for (const auto *variant : {"replica", "unsharded"}) {
        auto plan = sampleplan::plan();
        plan.assumptions.edited["variant"] = std::string(variant);
        plan.parallelism = {.tp = 1, .pp = 8};
        double last = HUGE_VAL;
        for (int microbatches = 1; microbatches <= 4096; microbatches *= 2) {
            plan.training.microbatchCount = microbatches;
            const double bubble = *price(plan)->estimate.bubbleFraction;
            QVERIFY(bubble < last);
            last = bubble;
        }
        plan.parallelism.pp = 1;
        QCOMPARE(*price(plan)->estimate.bubbleFraction, 0.0);
    }
}

void FirstOrderPropertiesTest::evaluateAllocatesNothing()
{
#ifdef ALLOCATIONS_UNCOUNTED
    QSKIP("A sanitizer counts no allocations");
#endif
    const auto plan = sampleplan::plan();
    const auto evaluator = sampleplan::prepare(plan);
    QVERIFY(evaluator);
    double sum = 0;
    const long before = allocations.load();
    for (int tp = 1; tp <= 16; tp *= 2)
        for (int pp = 1; pp <= 16; pp *= 2) {
            const auto estimate = (*evaluator)->evaluate({.tp = tp, .pp = pp});
            sum += estimate ? total((*evaluator)->breakdown(*estimate)) : HUGE_VAL;
        }
    const long after = allocations.load();
    QVERIFY(std::isfinite(sum));
    QCOMPARE(after - before, 0L);
    QVERIFY(!(*evaluator)->evaluate({.tp = 3})); // a refusal has a sentence, so the counter must see it
    QVERIFY(allocations.load() > after);
}

void FirstOrderPropertiesTest::evaluateIsThreadSafe()
{
    const auto plan = sampleplan::plan();
    const auto evaluator = sampleplan::prepare(plan);
    QVERIFY(evaluator);
    const auto answers = [&] {
        std::vector<double> times;
        for (int round = 0; round < 200; ++round)
            for (int tp = 1; tp <= 16; tp *= 2)
                for (int pp = 1; pp <= 16; pp *= 2)
                    times.push_back((*evaluator)->evaluate({.tp = tp, .pp = pp}).value().stepTime->value());
        return times;
    };
    const auto expected = answers();
    std::array<std::vector<double>, 4> found;
    {
        std::vector<std::jthread> threads;
        for (auto &list : found)
            threads.emplace_back([&list, &answers] { list = answers(); });
    }
    for (const auto &list : found)
        QVERIFY(list == expected);
}

FLEETWRIGHT_TEST(FirstOrderPropertiesTest)
#include "tst_firstorderproperties.moc"
