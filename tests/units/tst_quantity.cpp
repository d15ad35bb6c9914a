// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/registry.h"
#include "units/quantity.h"
#include "units/unitsymbol.h"

#include <QTest>

#include <set>
#include <type_traits>

using namespace fleetwright;

// What must not compile is proved here: quantities of different kinds neither add nor convert, and plain numbers are
// not quantities.
template <class A, class B>
concept Addable = requires(A a, B b)
{
    a + b;
};
template <class A, class B>
concept Comparable = requires(A a, B b)
{
    a < b;
};

static_assert(
    Addable<Bytes, Bytes> && !Addable<Bytes, Flops> && !Addable<Bytes, Bandwidth> && !Addable<Seconds, Joules>);
static_assert(
    !Addable<Bytes, double> && !std::is_convertible_v<double, Bytes> && !std::is_convertible_v<Bytes, double>);
static_assert(!Comparable<Watts, Joules> && Comparable<Dollars, Dollars>);
static_assert(std::is_same_v<decltype(Bytes() / Bandwidth()), Seconds>);
static_assert(std::is_same_v<decltype(Flops() / FlopRate()), Seconds>);
static_assert(std::is_same_v<decltype(Watts() * Seconds()), Joules>);
static_assert(std::is_same_v<decltype(Flops() / Bytes()), ArithmeticIntensity>);
static_assert(std::is_same_v<decltype(DollarRate() * Seconds()), Dollars>);
static_assert(std::is_same_v<decltype(EnergyPrice() * Joules()), Dollars>);
static_assert(std::is_same_v<decltype(CarbonIntensity() * Joules()), KilogramsCo2e>);
static_assert(std::is_same_v<decltype(WaterIntensity() * Joules()), Litres>);
static_assert(sizeof(Bytes) == sizeof(double));

class TestQuantity : public QObject {
    Q_OBJECT
private slots:
    void constants()
    {
        QCOMPARE((400.0 * gigabitPerSecond).value(), (50.0 * gigabytePerSecond).value()); // bits are not bytes
        QCOMPARE((80.0 * gibibyte).value(), 85899345920.0); // nor GiB GB
        QCOMPARE((80.0 * gigabyte).value(), 8e10);
        QCOMPARE((1.0 * kilowatt * hour).value(), kilowattHour.value());
        QCOMPARE((0.12 * dollarPerKilowattHour * (2.0 * kilowattHour)).value(), 0.24);
        QCOMPARE((3.0 * dollarPerHour * (2.0 * hour)).value(), 6.0);
    }

    void symbolsAreUniqueWithinTheirDimension()
    {
        std::set<std::pair<std::string_view, units::Dimension>> seen;
        for (const auto &unit : units::unitSymbols()) {
            QVERIFY2(seen.insert({unit.symbol, unit.dimension}).second, std::string(unit.symbol).c_str());
            QVERIFY(unit.factor > 0);
        }
    }

    void everyDimensionStartsWithItsBaseUnit()
    {
        for (const auto &unit : units::unitSymbols())
            QCOMPARE(units::findUnit(units::baseSymbol(unit.dimension), unit.dimension)->factor, 1.0);
    }
};

FLEETWRIGHT_TEST(TestQuantity)
#include "tst_quantity.moc"
