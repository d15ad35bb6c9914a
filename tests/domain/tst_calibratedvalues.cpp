// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/assumptions.h"
#include "domain/calibration.h"
#include "domain/samples.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;

namespace {

CatalogRecord constant(std::string id, double value, bool shipped, std::string unit = "ms")
{
    auto made = samples::record(CatalogKind::CalibrationConstant, id,
        {{"constant", std::string("dispatch")}, {"value", value}, {"least", 0.5}, {"most", 20.0}});
    if (!unit.empty())
        made.values.emplace("unit", unit);
    made.name = "Dispatch " + id;
    made.shipped = shipped;
    return made;
}

Catalog catalogWith(std::initializer_list<CatalogRecord> own)
{
    auto made = samples::catalog();
    made.insert(constant("dispatch", 2, true));
    for (const auto &record : own)
        made.insert(record);
    return made;
}

const AssumptionDescriptor dispatch{.key = "dispatch",
    .label = "Dispatch",
    .defaultValue = 2.0,
    .dimension = units::Dimension::Time,
    .unit = "ms",
    .minimum = 0,
    .maximum = 100};

} // namespace

/// The user's own constants take the place of the shipped ones.
class TestCalibratedValues : public QObject {
    Q_OBJECT
private slots:
    void editedThenCalibratedThenDefault()
    {
        Assumptions assumptions;
        QCOMPARE(std::get<double>(valueOf(assumptions, dispatch)), 2.0);
        QVERIFY(!isCalibrated(assumptions, dispatch));
        assumptions.calibrated["dispatch"] = 3;
        QCOMPARE(std::get<double>(valueOf(assumptions, dispatch)), 3.0);
        QVERIFY(isCalibrated(assumptions, dispatch) && !isEdited(assumptions, dispatch));
        assumptions.edited["dispatch"] = 2.0; // the default is an edit where another value is calibrated
        QCOMPARE(std::get<double>(valueOf(assumptions, dispatch)), 2.0);
        QVERIFY(isEdited(assumptions, dispatch) && !isCalibrated(assumptions, dispatch));
        assumptions.edited["dispatch"] = 3.0;
        QVERIFY(!isEdited(assumptions, dispatch) && isCalibrated(assumptions, dispatch));
    }

    void onlyNumbersAreCalibrated()
    {
        const AssumptionDescriptor overlap{.key = "overlap", .label = "Overlap", .defaultValue = false};
        const Assumptions assumptions{{}, {{"overlap", 1.0}}};
        QCOMPARE(std::get<bool>(valueOf(assumptions, overlap)), false);
        QVERIFY(!isCalibrated(assumptions, overlap));
    }

    void resolveFillsThem()
    {
        const auto shippedOnly = resolve(samples::plan(), catalogWith({}));
        QVERIFY(shippedOnly.has_value());
        QVERIFY((*shippedOnly)->assumptions.calibrated.empty());
        const auto plan = resolve(samples::plan(), catalogWith({constant("mine", 3, false)}));
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().message.c_str());
        QVERIFY((*plan)->assumptions.calibrated == (CalibratedValues{{"dispatch", 3.0}}));
    }

    void twoRecordsOfOneConstantAreRefused()
    {
        const auto plan = resolve(
            samples::plan(), catalogWith({constant("mine", 3, false), constant("other", 4, false)}));
        QVERIFY(!plan);
        QCOMPARE(int(plan.error().code), int(ErrorCode::ConstraintViolated));
        QVERIFY2(plan.error().message.contains("Dispatch mine") && plan.error().message.contains("Dispatch other"),
            plan.error().message.c_str());
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<bool>("known");
        QTest::newRow("good") << QString() << 3.0 << QStringLiteral("ms") << true;
        QTest::newRow("at the bound") << QString() << 20.0 << QStringLiteral("ms") << true;
        QTest::newRow("too large") << QStringLiteral("value") << 20.1 << QStringLiteral("ms") << true;
        QTest::newRow("too small") << QStringLiteral("value") << 0.1 << QStringLiteral("ms") << true;
        QTest::newRow("another unit") << QStringLiteral("unit") << 3.0 << QStringLiteral("s") << true;
        QTest::newRow("no unit") << QStringLiteral("unit") << 3.0 << QString() << true;
        QTest::newRow("unknown constant") << QStringLiteral("constant") << 3.0 << QStringLiteral("ms") << false;
    }
    void refusals()
    {
        QFETCH(const QString, field);
        QFETCH(const double, value);
        QFETCH(const QString, unit);
        QFETCH(const bool, known);
        auto record = constant("mine", value, false, unit.toStdString());
        record.values["most"] = 1e9; // the user's own bounds do not count
        if (!known)
            record.values["constant"] = std::string("nonsense");
        const auto checked = catalogWith({}).check(record);
        QCOMPARE(checked.has_value(), field.isEmpty());
        if (!checked) {
            QCOMPARE(QString::fromStdString(checked.error().field), field);
            const auto values = calibratedConstants(catalogWith({record})); // a file that somebody else wrote
            QVERIFY(!values && values.error().field == "calibration_constants/mine." + field.toStdString());
        }
    }
};

FLEETWRIGHT_TEST(TestCalibratedValues)
#include "tst_calibratedvalues.moc"
