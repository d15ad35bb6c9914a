// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/economics.h"
#include "solver/blocks/reliability.h"
#include "solver/blocks/sustainability.h"
#include "testing/registry.h"

#include <QTest>

#include <cmath>

using namespace fleetwright;

namespace {

SustainabilityInputs run()
{
    return {.accelerators = 100,
        .tdp = 1.0 * kilowatt,
        .duration = 10.0 * hour,
        .utilisation = 0.5,
        .pue = 1.2,
        .carbonIntensity = CarbonIntensity::from_value(0.4 / 3.6e6), // 400 g/kWh
        .wue = WaterIntensity::from_value(1.8 / 3.6e6),
        .embodiedPerAccelerator = KilogramsCo2e::from_value(150)};
}

ReliabilityInputs job()
{
    return {.nodes = 100,
        .acceleratorsPerNode = 8,
        .nicsPerNode = 8,
        .psusPerNode = 2,
        .duration = 30.0 * day,
        .checkpointWrite = 60.0 * second,
        .recovery = 300.0 * second};
}

} // namespace

class RunningCostsTest : public QObject {
    Q_OBJECT
private slots:
    void energyByHand();
    void unknownSitesLeaveFiguresOut();
    void sustainabilityRefuses_data();
    void sustainabilityRefuses();
    void ownershipByHand();
    void ownershipRefuses();
    void failuresByHand();
    void youngIsOptimal();
    void failuresAtTheLimits();
    void reliabilityRefuses();
    void checkpointByHand();
};

void RunningCostsTest::energyByHand()
{
    auto inputs = run();
    const auto figures = sustainability(inputs).value();
    const double it = 100 * (0.3 + 0.7 * 0.5) * 10; // kWh
    QCOMPARE(double(figures.itEnergy / kilowattHour), it);
    QCOMPARE(double(figures.facilityEnergy / kilowattHour), it * 1.2);
    QCOMPARE(figures.operationalCarbon->value(), it * 1.2 * 0.4);
    QCOMPARE(figures.embodiedCarbon->value(), 15000.0);
    QCOMPARE(figures.carbon()->value(), it * 1.2 * 0.4 + 15000.0);
    QCOMPARE(figures.water->value(), it * 1.2 * 1.8);
    inputs.waterBasis = WaterBasis::ItEnergy;
    QCOMPARE(sustainability(inputs)->water->value(), it * 1.8);

    inputs.utilisation = 0;
    const auto idle = sustainability(inputs)->itEnergy;
    inputs.utilisation = 1;
    QCOMPARE(double(idle / sustainability(inputs)->itEnergy), 0.3);
}

void RunningCostsTest::unknownSitesLeaveFiguresOut()
{
    auto inputs = run();
    inputs.carbonIntensity.reset();
    inputs.wue.reset();
    auto figures = sustainability(inputs).value();
    QVERIFY(!figures.operationalCarbon);
    QVERIFY(!figures.water);
    QCOMPARE(figures.carbon()->value(), 15000.0);
    inputs.embodiedPerAccelerator.reset();
    figures = sustainability(inputs).value();
    QVERIFY(!figures.carbon());
}

void RunningCostsTest::sustainabilityRefuses_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<double>("value");
    const double nan = std::nan("");
    for (const auto &[field, value] :
        {std::pair{"mfu", 1.001}, {"mfu", -0.001}, {"mfu", nan}, {"pue", 0.99}, {"pue", nan}, {"days", -1.0},
            {"days", nan}, {"tdp_w", -1.0}, {"grid", -1.0}, {"embodied_kg_per_device", -1.0}, {"accelerators", 0.0}})
        QTest::addRow("%s %g", field, value) << QString::fromUtf8(field) << value;
}

void RunningCostsTest::sustainabilityRefuses()
{
    QFETCH(const QString, field);
    QFETCH(const double, value);
    auto inputs = run();
    if (field == QStringLiteral("mfu"))
        inputs.utilisation = value;
    else if (field == QStringLiteral("pue"))
        inputs.pue = value;
    else if (field == QStringLiteral("days"))
        inputs.duration = value * day;
    else if (field == QStringLiteral("tdp_w"))
        inputs.tdp = value * watt;
    else if (field == QStringLiteral("grid"))
        inputs.carbonIntensity = CarbonIntensity::from_value(value);
    else if (field == QStringLiteral("accelerators"))
        inputs.accelerators = value;
    else
        inputs.embodiedPerAccelerator = KilogramsCo2e::from_value(value);
    const auto figures = sustainability(inputs);
    QVERIFY(!figures);
    QCOMPARE(int(figures.error().code), int(ErrorCode::OutOfRange));
    QCOMPARE(figures.error().field, field.toStdString());
}

void RunningCostsTest::ownershipByHand()
{
    EconomicsInputs inputs{.accelerators = 256,
        .unitPrice = 25000.0 * dollar,
        .duration = 365.0 * day,
        .facilityEnergy = 1e6 * kilowattHour};
    auto cost = ownershipCost(inputs).value();
    QCOMPARE(cost.purchase.value(), 6.4e6);
    QCOMPARE(cost.capital.value(), 6.4e6 / 3);
    QCOMPARE(cost.upkeep.value(), 6.4e6 * 0.05);
    QCOMPARE(cost.energy.value(), 120000.0);
    QCOMPARE(cost.total().value(), 6.4e6 / 3 + 320000.0 + 120000.0);
    inputs.constants.infrastructureMultiplier = 2;
    QCOMPARE(ownershipCost(inputs)->capital.value(), 2 * 6.4e6 / 3);
    inputs.duration = Seconds{};
    inputs.facilityEnergy = Joules{};
    QCOMPARE(ownershipCost(inputs)->total().value(), 0.0);
    QCOMPARE(costPerMillion(3600.0 * dollarPerHour, 100).value(), 1e4); // a dollar a second, 10 000 seconds
}

void RunningCostsTest::ownershipRefuses()
{
    EconomicsInputs inputs;
    inputs.constants.amortizationYears = 0;
    QCOMPARE(ownershipCost(inputs).error().field, std::string("amortization_years"));
    inputs = {};
    inputs.constants.infrastructureMultiplier = 0.5;
    QCOMPARE(ownershipCost(inputs).error().field, std::string("infrastructure_multiplier"));
    inputs = {};
    inputs.constants.electricity = -1.0 * dollarPerKilowattHour;
    QCOMPARE(ownershipCost(inputs).error().field, std::string("usd_per_kwh"));
    inputs = {};
    inputs.unitPrice = -1.0 * dollar;
    QCOMPARE(ownershipCost(inputs).error().field, std::string("unit_cost_usd"));
}

void RunningCostsTest::failuresByHand()
{
    const auto figures = reliability(job()).value();
    const double nodeHours = 1 / (8 / 50e3 + 8 / 150e3 + 2 / 100e3);
    const double fleet = nodeHours / 100 * 3600;
    QCOMPARE(double(figures.nodeMtbf / hour), nodeHours);
    QCOMPARE(figures.fleetMtbf.value(), fleet);
    QCOMPARE(figures.checkpointInterval.value(), std::sqrt(2 * 60 * fleet));
    QCOMPARE(figures.expectedFailures, 30 * 86400 / fleet);
    QCOMPARE(figures.failureProbability, 1 - std::exp(-30 * 86400 / fleet));
    QCOMPARE(figures.goodput, 1 - 60 / std::sqrt(2 * 60 * fleet) - 300 / fleet);
}

/// tau minimises the loss delta/tau + tau/(2 M) that Young derives it from.
void RunningCostsTest::youngIsOptimal()
{
    const auto figures = reliability(job()).value();
    const auto loss = [&](double interval) { return 60 / interval + interval / (2 * figures.fleetMtbf.value()); };
    const double best = figures.checkpointInterval.value();
    QVERIFY(loss(best) < loss(0.99 * best));
    QVERIFY(loss(best) < loss(1.01 * best));
}

void RunningCostsTest::failuresAtTheLimits()
{
    auto inputs = job();
    inputs.checkpointWrite = Seconds{};
    inputs.recovery = Seconds{};
    auto figures = reliability(inputs).value();
    QCOMPARE(figures.goodput, 1.0);
    QCOMPARE(figures.checkpointInterval.value(), 0.0);
    inputs = job();
    inputs.duration = Seconds{};
    figures = reliability(inputs).value();
    QCOMPARE(figures.failureProbability, 0.0);
    QCOMPARE(figures.expectedFailures, 0.0);
    inputs.nodes = 1e7; // fails more often than it recovers
    QCOMPARE(reliability(inputs)->goodput, 0.0);

    double last = 1;
    for (double nodes = 1; nodes < 1e5; nodes *= 3) {
        inputs.nodes = nodes;
        const double goodput = reliability(inputs)->goodput;
        QVERIFY(goodput < last);
        last = goodput;
    }
}

void RunningCostsTest::reliabilityRefuses()
{
    auto inputs = job();
    inputs.nodes = 0;
    QCOMPARE(reliability(inputs).error().field, std::string("nodes"));
    inputs = job();
    inputs.recovery = -1.0 * second;
    QCOMPARE(reliability(inputs).error().field, std::string("recovery_s"));
    QCOMPARE(reliability(job(), {.nicMttf = Seconds{}}).error().field, std::string("mttf"));
}

void RunningCostsTest::checkpointByHand()
{
    const CheckpointConstants constants;
    auto figures = checkpoint(70e9, constants.adamState, 32, 7.0 * gigabytePerSecond).value();
    QCOMPARE(figures.size.value(), 980e9);
    QCOMPARE(figures.bandwidth.value(), 224e9);
    QCOMPARE(figures.write.value(), 980.0 / 224);
    QVERIFY(!figures.slow);
    figures = checkpoint(70e9, constants.adamState, 1000, 7.0 * gigabytePerSecond).value();
    QCOMPARE(figures.bandwidth.value(), 500e9); // the ceiling
    figures = checkpoint(70e9, constants.adamState, 16, std::nullopt).value();
    QCOMPARE(figures.write.value(), 61.25);
    QVERIFY(figures.slow);
    QCOMPARE(checkpoint(70e9, constants.adamState, 0, std::nullopt).error().field, std::string("writers"));
    QCOMPARE(checkpoint(0, constants.adamState, 1, std::nullopt).error().field, std::string("parameters"));
}

FLEETWRIGHT_TEST(RunningCostsTest)
#include "tst_runningcosts.moc"
