// SPDX-License-Identifier: GPL-3.0-or-later
// What searches leave layouts out by: never above the step time, and near enough to it to be of use.
#include "detailedmaker.h"
#include "solver/models/detailed/detailedpricing.h"
#include "testing/registry.h"

#include <QTest>

#include <array>

using namespace fleetwright;
using namespace detailedmaker;

namespace {

/// What the plan's kinds of layers are, as rows of the test.
enum class Kinds { Any, Mixed };

/// The next plan of this kind; exchanges have windows of their own or not.
Generator::Plan nextOf(Generator &make, Kinds kinds)
{
    for (;;) {
        auto plan = make.next();
        const auto &model = plan.setting.architecture;
        if (kinds == Kinds::Mixed
            && (model.experts == 0 || model.expertLayers == 0 || model.expertLayers == model.layers))
            continue;
        plan.setting.constants[Constant::OwnWindows] = make.coin() ? 1 : 0;
        return plan;
    }
}

fleetwright::Layout layoutOf(const detailed::Layout &layout)
{
    return {.tp = int(layout.tp),
        .cp = int(layout.cp),
        .pp = int(layout.pp),
        .ep = int(layout.ep),
        .dp = int(layout.dp),
        .virtualStages = int(layout.virtualStages),
        .microbatchSize = int(layout.microbatch),
        .recompute = layout.recompute,
        .zeroStage = std::int8_t(layout.zeroStage),
        .sequenceParallel = layout.sequenceParallel};
}

std::unique_ptr<LayoutPricing> pricingOf(const Setting &setting, const detailed::Layout &layout)
{
    return detailed::layoutPricing(
        Pricer::make(setting).value(), layout.expertTp, layout.shardGroup, layout.recomputeShare);
}

} // namespace

class LayoutBoundsTest : public QObject {
    Q_OBJECT
private slots:
    void noStepIsShorter_data();
    void noStepIsShorter();
    void stepsOfDeepSeekAreNear();
};

void LayoutBoundsTest::noStepIsShorter_data()
{
    QTest::addColumn<bool>("mixed");
    QTest::newRow("any model") << false;
    QTest::newRow("dense and expert layers") << true;
}

void LayoutBoundsTest::noStepIsShorter()
{
    QFETCH(bool, mixed);
    Generator make(mixed ? 7 : 11);
    for (int i = 0; i < 20'000; ++i) {
        const auto plan = nextOf(make, mixed ? Kinds::Mixed : Kinds::Any);
        const auto layout = layoutOf(plan.layout);
        const auto pricing = pricingOf(plan.setting, plan.layout);
        const double step = pricing->price(layout).stepSeconds;
        const double bound = pricing->bound(layout).stepSeconds;
        QVERIFY(bound > 0);
        QVERIFY2(bound <= step,
            qPrintable(QString::number(bound, 'g', 17) + QLatin1String(" > ") + QString::number(step, 'g', 17)));
        // The work of a sequence holds on any number of the accelerators: here on one domain, and on many.
        for (const std::int64_t factor : {1, 64}) {
            auto other = plan.setting;
            other.accelerators *= factor;
            other.globalBatch *= factor;
            const double work = pricingOf(other, plan.layout)->leastWork(layout) / double(other.globalBatch);
            const double least = work * double(plan.setting.globalBatch) / double(plan.setting.accelerators);
            QVERIFY(least > 0);
            auto larger = layout; // of which it is the bound too
            larger.microbatchSize *= int(make.pick({2, 3, 8, 64}));
            const double shared = pricingOf(other, plan.layout)->leastWork(larger) / double(other.globalBatch);
            QVERIFY2(shared <= work * (1 + 1e-12),
                qPrintable(QString::number(shared, 'g', 17) + QLatin1String(" > ") + QString::number(work, 'g', 17)));
            QVERIFY2(least <= step,
                qPrintable(QString::number(least, 'g', 17) + QLatin1String(" > ") + QString::number(step, 'g', 17)));
        }
    }
}

/// The bound is of use: without exchanges between replicas and stages little is on top of it.
void LayoutBoundsTest::stepsOfDeepSeekAreNear()
{
    auto setting = detailedmaker::setting();
    setting.architecture = experts();
    setting.accelerators = 512;
    setting.globalBatch = 7680;
    setting.sequenceLength = 4096;
    for (const int pp : {1, 2, 4, 8, 16}) {
        const detailed::Layout layout{.tp = 8, .pp = pp, .dp = 64 / pp, .ep = 8, .expertTp = 1, .zeroStage = 1};
        const auto pricing = pricingOf(setting, layout);
        const double share = pricing->bound(layoutOf(layout)).stepSeconds
            / pricing->price(layoutOf(layout)).stepSeconds;
        QVERIFY2(
            share > 0.9 && share <= 1, qPrintable(QString::number(pp) + QLatin1String(": ") + QString::number(share)));
        const double least = pricing->leastWork(layoutOf(layout)) / double(setting.accelerators);
        QVERIFY(least / pricing->price(layoutOf(layout)).stepSeconds > 0.6);
    }
}

FLEETWRIGHT_TEST(LayoutBoundsTest)
#include "tst_layoutbounds.moc"
