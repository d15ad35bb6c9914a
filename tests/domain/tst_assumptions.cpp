// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/assumptions.h"
#include "testing/registry.h"

#include <QTest>

#include <limits>

using namespace fleetwright;

namespace {
std::vector<AssumptionDescriptor> descriptors()
{
    return {
        {.key = "efficiency",
            .label = "Efficiency",
            .defaultValue = 0.5,
            .dimension = units::Dimension::Fraction,
            .minimum = 1e-9,
            .maximum = 1},
        {.key = "dispatch",
            .label = "Dispatch",
            .defaultValue = 0.01,
            .dimension = units::Dimension::Time,
            .unit = "ms",
            .minimum = 0,
            .maximum = 1000},
        {.key = "rank", .label = "Rank", .defaultValue = 16.0, .minimum = 1, .maximum = 1024, .integer = true},
        {.key = "overlap", .label = "Overlap", .defaultValue = false},
        {.key = "topology", .label = "Topology", .defaultValue = std::string("auto"), .choices = {"auto", "ring"}},
    };
}
} // namespace

Q_DECLARE_METATYPE(fleetwright::AssumptionValue)

class TestAssumptions : public QObject {
    Q_OBJECT
private slots:
    void defaultsUnlessEdited()
    {
        const auto all = descriptors();
        Assumptions assumptions;
        QVERIFY(check(assumptions, all).has_value());
        QCOMPARE(std::get<double>(valueOf(assumptions, all[0])), 0.5);
        QVERIFY(!isEdited(assumptions, all[0]));
        assumptions.edited["efficiency"] = 0.4;
        QCOMPARE(std::get<double>(valueOf(assumptions, all[0])), 0.4);
        QVERIFY(isEdited(assumptions, all[0]));
        assumptions.edited["efficiency"] = 0.5; // written down, but the same as the default
        QVERIFY(!isEdited(assumptions, all[0]));
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<AssumptionValue>("value");
        QTest::addColumn<int>("code");
        const auto row = [](const char *name, const char *key, AssumptionValue value, ErrorCode code) {
            QTest::newRow(name) << QString::fromLatin1(key) << value << int(code);
        };
        row("zero", "efficiency", 0.0, ErrorCode::OutOfRange);
        row("above one", "efficiency", 1.5, ErrorCode::OutOfRange);
        row("nan", "efficiency", std::numeric_limits<double>::quiet_NaN(), ErrorCode::OutOfRange);
        row("infinite", "dispatch", std::numeric_limits<double>::infinity(), ErrorCode::OutOfRange);
        row("text for a number", "efficiency", std::string("half"), ErrorCode::UnsupportedValue);
        row("number for a switch", "overlap", 1.0, ErrorCode::UnsupportedValue);
        row("fraction for a count", "rank", 1.5, ErrorCode::OutOfRange);
        row("unknown choice", "topology", std::string("star"), ErrorCode::UnsupportedValue);
        row("unknown key", "efficency", 0.5, ErrorCode::UnknownReference);
    }
    void refusals()
    {
        QFETCH(QString, key);
        QFETCH(AssumptionValue, value);
        QFETCH(int, code);
        Assumptions assumptions;
        assumptions.edited[key.toStdString()] = value;
        const auto ok = check(assumptions, descriptors());
        QVERIFY(!ok);
        QCOMPARE(int(ok.error().code), code);
        QCOMPARE(ok.error().field, "assumptions." + key.toStdString());
    }

    void typedText()
    {
        const auto all = descriptors();
        QCOMPARE(std::get<double>(*parseAssumption(all[0], "85 %")), 0.85);
        QCOMPARE(std::get<double>(*parseAssumption(all[1], "20 us")), 0.02); // stored in milliseconds
        QCOMPARE(std::get<bool>(*parseAssumption(all[3], "yes")), true);
        QCOMPARE(std::get<std::string>(*parseAssumption(all[4], "ring")), std::string("ring"));
        QVERIFY(!parseAssumption(all[0], "0"));
        QVERIFY(!parseAssumption(all[3], "perhaps"));
        QCOMPARE(display(all[1], 0.01), std::string("0.01\u00a0ms"));
    }
};

FLEETWRIGHT_TEST(TestAssumptions)
#include "tst_assumptions.moc"
