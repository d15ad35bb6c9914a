// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/planningdefaults.h"
#include "domain/samples.h"
#include "testing/registry.h"

#include <QTest>

#include <set>

using namespace fleetwright;

namespace {

CatalogRecord item(std::string id, double value, const std::string &replaces = {}, const std::string &unit = "hours")
{
    auto made = samples::record(CatalogKind::PlanningDefault, std::move(id),
        {{"category", std::string("component_mttf")}, {"value", value}, {"unit", unit}});
    made.shipped = replaces.empty();
    if (!made.shipped)
        made.values["replaces"] = replaces;
    return made;
}

Catalog catalogWith(std::initializer_list<CatalogRecord> further)
{
    auto made = samples::catalog();
    made.insert(item("mttf_gpu", 50000));
    made.insert(item("mttf_nic", 150000));
    made.insert(item("spare_nodes", 0.075, {}, "fraction of nodes")); // kept for reference
    for (const auto &record : further)
        made.insert(record);
    return made;
}

const AssumptionDescriptor lifetime{.key = "lifetime",
    .label = "Lifetime",
    .defaultValue = 50000.0,
    .dimension = units::Dimension::Time,
    .unit = "h",
    .minimum = 1,
    .maximum = 1e9,
    .planningDefault = "mttf_gpu"};

} // namespace

class TestPlanningDefaults : public QObject {
    Q_OBJECT
private slots:
    void theTableIsSound()
    {
        std::set<std::string_view> ids;
        for (const auto &planning : planningDefaults()) {
            const std::string id(planning.id);
            QVERIFY2(ids.insert(planning.id).second, id.c_str());
            QVERIFY2(units::findUnit(planning.unit, planning.dimension), id.c_str());
            QVERIFY2(planning.minimum < planning.maximum && !planning.stated.empty(), id.c_str());
            QCOMPARE(findPlanningDefault(planning.id), &planning);
        }
        QVERIFY(!findPlanningDefault("spare_nodes") && !findPlanningDefault(""));
    }

    void theUsersValueTakesThePlaceOfTheShippedOne()
    {
        QCOMPARE(*planningValues(catalogWith({})), (PlanningValues{{"mttf_gpu", 50000}, {"mttf_nic", 150000}}));
        const auto own = *planningValues(catalogWith({item("mine", 20000, "mttf_gpu")}));
        QCOMPARE(own, (PlanningValues{{"mttf_gpu", 20000}, {"mttf_nic", 150000}}));
        // Wherever it stands in the catalog.
        Catalog before;
        before.insert(item("mine", 20000, "mttf_gpu"));
        before.insert(item("mttf_gpu", 50000));
        QCOMPARE(*planningValues(before), (PlanningValues{{"mttf_gpu", 20000}}));
        QVERIFY(planningValues(Catalog())->empty());
    }

    void whatTakesNoPlaceIsPassedOver()
    {
        auto inert = item("old", 1, "mttf_gpu");
        inert.values.erase("replaces"); // as a user of an earlier version made it
        const auto catalog = catalogWith({inert});
        QCOMPARE(planningValues(catalog)->at("mttf_gpu"), 50000.0);
        QVERIFY(!planningDefaultOf(inert) && !standInFor(catalog, "mttf_gpu") && !standInFor(catalog, ""));
        const auto checked = catalog.check(inert);
        QVERIFY(!checked);
        QCOMPARE(int(checked.error().code), int(ErrorCode::MissingField));
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("replaces");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("field");
        QTest::addColumn<int>("code");
        const auto row = [](const char *name, const char *replaces, double value, const char *unit, const char *field,
                             ErrorCode code) {
            QTest::newRow(name) << QString::fromUtf8(replaces) << value << QString::fromUtf8(unit)
                                << QString::fromUtf8(field) << int(code);
        };
        row("good", "mttf_nic", 1, "hours", "", ErrorCode{});
        row("largest", "mttf_nic", 1e9, "hours", "", ErrorCode{});
        row("beyond the largest", "mttf_nic", 1.0001e9, "hours", "value", ErrorCode::OutOfRange);
        row("below the least", "mttf_nic", 0.999, "hours", "value", ErrorCode::OutOfRange);
        row("another unit", "mttf_nic", 5, "days", "unit", ErrorCode::UnsupportedValue);
        row("kept for reference", "spare_nodes", 0.1, "fraction of nodes", "replaces", ErrorCode::UnsupportedValue);
        row("no such item", "mttf_gp", 5, "hours", "replaces", ErrorCode::UnknownReference);
        row("taken already", "mttf_gpu", 5, "hours", "replaces", ErrorCode::ConstraintViolated);
    }
    void refusals()
    {
        QFETCH(const QString, replaces);
        QFETCH(const double, value);
        QFETCH(const QString, unit);
        QFETCH(const QString, field);
        QFETCH(const int, code);
        const auto catalog = catalogWith({item("first", 10000, "mttf_gpu")});
        const auto record = item("mine", value, replaces.toStdString(), unit.toStdString());
        const auto checked = catalog.check(record);
        QCOMPARE(checked.has_value(), field.isEmpty());
        if (checked)
            return;
        QCOMPARE(QString::fromStdString(checked.error().field), field);
        QCOMPARE(int(checked.error().code), code);
        auto withIt = catalog;
        withIt.insert(record); // by a program that does not check
        QVERIFY(!withIt.checkAll().empty());
    }

    void twoForOnePlaceRefuseThePlan()
    {
        const auto catalog = catalogWith({item("first", 10000, "mttf_gpu"), item("second", 20000, "mttf_gpu")});
        const auto plan = resolve(samples::plan(), catalog);
        QVERIFY(!plan);
        QCOMPARE(int(plan.error().code), int(ErrorCode::ConstraintViolated));
        QCOMPARE(plan.error().field, std::string("economics_reliability_defaults/second.replaces"));
        QVERIFY(plan.error().message.contains("first"));
        // An item may be saved again under its own id.
        QVERIFY(catalogWith({item("first", 10000, "mttf_gpu")}).check(item("first", 30000, "mttf_gpu")));
    }

    void shippedValuesThatNothingCanUseAreRefused()
    {
        auto broken = catalogWith({});
        broken.insert(item("mttf_gpu", 0));
        QCOMPARE(planningValues(broken).error().field, std::string("economics_reliability_defaults/mttf_gpu.value"));
        broken.insert(item("mttf_gpu", 5, {}, "days"));
        QCOMPARE(planningValues(broken).error().field, std::string("economics_reliability_defaults/mttf_gpu.unit"));
    }

    void editedThenCalibratedThenPlannedThenDefault()
    {
        auto assumptions = *withProjectValues({}, catalogWith({}));
        QCOMPARE(std::get<double>(valueOf(assumptions, lifetime)), 50000.0);
        QVERIFY(!isPlanned(assumptions, lifetime)); // as the program has it
        assumptions = *withProjectValues({}, catalogWith({item("mine", 20000, "mttf_gpu")}));
        QCOMPARE(std::get<double>(valueOf(assumptions, lifetime)), 20000.0);
        QVERIFY(isPlanned(assumptions, lifetime) && !isEdited(assumptions, lifetime));
        assumptions.calibrated["lifetime"] = 30000;
        QCOMPARE(std::get<double>(valueOf(assumptions, lifetime)), 30000.0);
        QVERIFY(isCalibrated(assumptions, lifetime) && !isPlanned(assumptions, lifetime));
        assumptions.calibrated.clear();
        assumptions.edited["lifetime"] = 50000.0; // the shipped value is an edit where the project plans another
        QCOMPARE(std::get<double>(valueOf(assumptions, lifetime)), 50000.0);
        QVERIFY(isEdited(assumptions, lifetime) && !isPlanned(assumptions, lifetime));
    }

    void plansCarryTheProjectsValues()
    {
        const auto plan = resolve(samples::plan(), catalogWith({item("mine", 20000, "mttf_gpu")}));
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        QCOMPARE((*plan)->assumptions.planning, (PlanningValues{{"mttf_gpu", 20000}, {"mttf_nic", 150000}}));
    }
};

FLEETWRIGHT_TEST(TestPlanningDefaults)
#include "tst_planningdefaults.moc"
