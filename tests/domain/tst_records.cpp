// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/catalogusage.h"
#include "domain/samples.h"
#include "testing/registry.h"
#include "units/format.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace fleetwright;

namespace {

/// Numbers that the field takes: its bounds, where it has them, and what lies between and about them.
std::vector<double> valuesOf(const FieldDescriptor &field)
{
    std::vector<double> values;
    for (const double value :
        {0.0, 1.0, 2.0, 3.0, 7.0, 64.0, 80.0, 400.0, 2039.0, 0.1, 0.3, 3.35, 1e-3, 1.8e-6, 12345.678, 1e9, 7e9, 1.5e12})
        if ((field.type != FieldType::Integer || value == std::trunc(value))
            && (!field.minimum || value >= *field.minimum) && (!field.maximum || value <= *field.maximum))
            values.push_back(value);
    for (const auto &bound : {field.minimum, field.maximum})
        if (bound)
            values.push_back(*bound);
    return values;
}

/// A record of the kind with every required field filled in.
CatalogRecord filled(CatalogKind kind)
{
    auto record = samples::record(kind, "item", {});
    for (const auto &field : fields(kind)) {
        if (!field.required)
            continue;
        switch (field.type) {
        case FieldType::Boolean: record.values.emplace(field.key, true); break;
        case FieldType::Integer:
        case FieldType::Real: record.values.emplace(field.key, valuesOf(field).front()); break;
        case FieldType::Text:
        case FieldType::Json: record.values.emplace(field.key, std::string("text")); break;
        case FieldType::TextList: record.values.emplace(field.key, std::vector<std::string>{"text"}); break;
        }
    }
    return record;
}

std::string nameOf(CatalogKind kind, const FieldDescriptor &field)
{
    return std::string(toString(kind)) + "." + std::string(field.key);
}

} // namespace

/// Every field of every catalog: what it takes, what it refuses, and that what is shown can be typed again.
class TestRecords : public QObject {
    Q_OBJECT
private slots:
    void everyNumberRoundTrips()
    {
        int tried = 0;
        for (const auto kind : allCatalogKinds)
            for (const auto &field : fields(kind)) {
                if (field.type != FieldType::Integer && field.type != FieldType::Real)
                    continue;
                for (const double value : valuesOf(field)) {
                    // As forms show it, with the unit and without.
                    for (const auto &text : {units::exact(value),
                             units::exact(value) + (field.unit.empty() ? "" : " " + std::string(field.unit))}) {
                        const auto parsed = parseField(field, text);
                        QVERIFY2(parsed, (nameOf(kind, field) + " = " + text).c_str());
                        QVERIFY2(std::get<double>(*parsed) == value, (nameOf(kind, field) + " = " + text).c_str());
                        ++tried;
                    }
                    QVERIFY2(!display(field, value).empty(), nameOf(kind, field).c_str());
                }
            }
        QVERIFY(tried > 1000);
    }

    void boundsAreInclusive()
    {
        constexpr double inf = std::numeric_limits<double>::infinity();
        for (const auto kind : allCatalogKinds) {
            const auto good = filled(kind);
            QVERIFY2(check(good), std::string(toString(kind)).c_str());
            for (const auto &field : fields(kind)) {
                if (field.type != FieldType::Integer && field.type != FieldType::Real)
                    continue;
                const auto takes = [&](double value) {
                    auto record = good;
                    record.values[std::string(field.key)] = value;
                    const auto checked = check(record);
                    if (!checked && checked.error().field != field.key)
                        qFatal("another field is to blame");
                    return checked.has_value();
                };
                const auto name = nameOf(kind, field);
                if (field.minimum) {
                    QVERIFY2(takes(*field.minimum), name.c_str());
                    QVERIFY2(!takes(*field.minimum - 1), name.c_str());
                    QVERIFY2(!takes(std::nextafter(*field.minimum, -inf)), name.c_str());
                }
                if (field.maximum) {
                    QVERIFY2(takes(*field.maximum), name.c_str());
                    QVERIFY2(!takes(*field.maximum + 1), name.c_str());
                }
                QVERIFY2(!takes(std::numeric_limits<double>::quiet_NaN()) && !takes(inf), name.c_str());
                if (field.type == FieldType::Integer && takes(2))
                    QVERIFY2(!takes(1.5), name.c_str());
            }
        }
    }

    void wrongTypesAndMissingFields()
    {
        for (const auto kind : allCatalogKinds) {
            const auto good = filled(kind);
            for (const auto &field : fields(kind)) {
                const auto name = nameOf(kind, field);
                auto record = good;
                if (field.type == FieldType::Boolean)
                    record.values[std::string(field.key)] = 1.0;
                else
                    record.values[std::string(field.key)] = true;
                auto checked = check(record);
                QVERIFY2(!checked && checked.error().field == field.key, name.c_str());
                QCOMPARE(int(checked.error().code), int(ErrorCode::UnsupportedValue));
                for (const bool unknown : {false, true}) { // absent, or there and unknown
                    record = good;
                    record.values.erase(std::string(field.key));
                    if (unknown)
                        record.values[std::string(field.key)] = FieldValue{};
                    checked = check(record);
                    QCOMPARE(checked.has_value(), !field.required);
                    if (!checked)
                        QCOMPARE(int(checked.error().code), int(ErrorCode::MissingField));
                }
            }
            auto record = good;
            record.values["colour"] = std::string("red");
            QCOMPARE(check(record).error().field, std::string("colour"));
        }
    }

    void ids()
    {
        auto record = filled(CatalogKind::Price);
        for (const auto *good : {"a", "a1", "a_b_2", "z9"}) {
            record.id = good;
            QVERIFY2(check(record), good);
        }
        for (const auto *bad : {"", "A", "1a", "_a", "a-b", "a b", "ä", "a.b", "a/b"}) {
            record.id = bad;
            QVERIFY2(!check(record), bad);
        }
        record.id = std::string(100, 'a');
        QVERIFY(check(record));
        record.id += 'a';
        QCOMPARE(check(record).error().field, std::string("id"));
        record.id = "a";
        record.name = std::string(300, 'n');
        QVERIFY(check(record));
        record.name += 'n';
        QVERIFY(!check(record));
        record.name.clear();
        QCOMPARE(check(record).error().field, std::string("name"));
    }

    void typedWords()
    {
        const auto *gated = findField(CatalogKind::Workload, "gated_ffn");
        QVERIFY(gated);
        for (const auto *text : {"yes", " true "})
            QVERIFY(std::get<bool>(*parseField(*gated, text)));
        for (const auto *text : {"no", "false"})
            QVERIFY(!std::get<bool>(*parseField(*gated, text)));
        for (const auto *text : {"1", "Yes", "y"})
            QCOMPARE(int(parseField(*gated, text).error().code), int(ErrorCode::ParseError));
        QCOMPARE(display(*gated, true), std::string("yes"));
        const auto *family = findField(CatalogKind::Fabric, "family");
        QCOMPARE(std::get<std::string>(*parseField(*family, "  InfiniBand NDR ")), std::string("InfiniBand NDR"));
        QVERIFY(parseField(*family, std::string(10000, 'x')));
        QCOMPARE(int(parseField(*family, std::string(10001, 'x')).error().code), int(ErrorCode::OutOfRange));
        for (const auto kind : allCatalogKinds)
            for (const auto &field : fields(kind)) {
                QVERIFY(std::holds_alternative<std::monostate>(*parseField(field, " \t")));
                if (field.type != FieldType::TextList)
                    continue;
                const auto list = parseField(field, " a, b c ,, d,");
                QCOMPARE(std::get<std::vector<std::string>>(*list), (std::vector<std::string>{"a", "b c", "d"}));
                QVERIFY(*parseField(field, display(field, *list)) == *list);
            }
    }

    void unitsOfAFieldAreConverted()
    {
        const auto value = [](CatalogKind kind, const char *key, const char *text) {
            const auto *field = findField(kind, key);
            const auto parsed = field ? parseField(*field, text) : Expected<FieldValue>();
            return parsed && std::holds_alternative<double>(*parsed) ? std::get<double>(*parsed) : -1;
        };
        QCOMPARE(value(CatalogKind::Accelerator, "memory_capacity_bytes", "80 GB"), 80e9);
        QCOMPARE(value(CatalogKind::Accelerator, "memory_capacity_bytes", "80 GiB"), 80.0 * 1024 * 1024 * 1024);
        QCOMPARE(value(CatalogKind::Fabric, "port_rate_gbit_per_s", "50 GB/s"), 400.0);
        QCOMPARE(value(CatalogKind::Fabric, "latency_us", "1500 ns"), 1.5);
        QCOMPARE(value(CatalogKind::Node, "max_power_kw", "10200 W"), 10.2);
        // A unit of another dimension is no value.
        const auto wrong = parseField(*findField(CatalogKind::Node, "max_power_kw"), "10 GB");
        QVERIFY(!wrong && wrong.error().field == "max_power_kw");
    }

    void valuesAreReadByType()
    {
        auto record = samples::accelerator();
        QCOMPARE(record.number("tdp_w"), std::optional(700.0));
        QVERIFY(!record.text("tdp_w") && !record.boolean("tdp_w") && record.text("vendor"));
        QCOMPARE(record.quantity<Watts>("tdp_w")->value(), 700.0);
        QVERIFY(!record.quantity<Seconds>("tdp_w")); // another dimension
        QVERIFY(!record.quantity<Watts>("no_such_field"));
        record.values["tdp_w"] = FieldValue{};
        QVERIFY(!record.find("tdp_w") && !record.quantity<Watts>("tdp_w"));
    }

    void kindsReadBack()
    {
        for (const auto kind : allCatalogKinds) {
            QVERIFY(parseCatalogKind(toString(kind)) == kind);
            QVERIFY(parseCatalogKind(itemName(kind)) == kind);
            QCOMPARE(isShippedAsFile(kind), kind != CatalogKind::CalibrationConstant);
        }
        const auto unknown = parseCatalogKind("gpus", "KIND");
        QVERIFY(!unknown && unknown.error().field == "KIND" && unknown.error().message.contains("accelerators"));
    }

    /// The most specific statement of a source vouches for a field.
    void attributions()
    {
        auto record = samples::accelerator();
        QVERIFY(!record.attribution("tdp_w"));
        record.attributions = {{"all", {"*"}, Confidence::Estimate, Verification::Read},
            {"peaks", {"peak_dense_tflops"}, Confidence::Paper, Verification::Read},
            {"bf16", {"bf16"}, Confidence::Measurement, Verification::Read}};
        QCOMPARE(record.attribution("tdp_w")->sourceId, std::string("all"));
        QCOMPARE(record.attribution("peak_dense_tflops.fp16")->sourceId, std::string("peaks"));
        QCOMPARE(record.attribution("peak_dense_tflops.bf16")->sourceId, std::string("bf16"));
        Catalog catalog;
        catalog.insert(CatalogKind::Accelerator, Source{"bf16", "Measured peaks", "A laboratory", "", "2024", "", ""});
        const auto text = catalog.provenanceText(record, "peak_dense_tflops.bf16");
        QVERIFY2(text.starts_with("Measured peaks (A laboratory, 2024), confidence: measurement"), text.c_str());
        record.attributions.clear();
        QCOMPARE(catalog.provenanceText(record, "tdp_w"), std::string("entered by you"));
        record.shipped = true;
        QCOMPARE(catalog.provenanceText(record, "tdp_w"), std::string("no source stated"));
    }

    void provenanceWords()
    {
        for (const auto value : {Confidence::VendorSpec, Confidence::Paper, Confidence::Measurement, Confidence::Market,
                 Confidence::Estimate, Confidence::User})
            QVERIFY(parseConfidence(toString(value)) == value);
        for (const auto value : {Verification::Read, Verification::NotReread, Verification::Derived})
            QVERIFY(parseVerification(toString(value)) == value);
        QCOMPARE(parseConfidence("rumour").error().field, std::string("confidence"));
        QCOMPARE(parseVerification("Read", "sources[2]").error().field, std::string("sources[2]"));
    }

    void documentsUseItems()
    {
        auto plan = samples::plan();
        plan.fleet.grid = "texas";
        QVERIFY(uses(plan, CatalogKind::Workload, "test_model") && uses(plan, CatalogKind::Node, "test_node"));
        QVERIFY(uses(plan, CatalogKind::Fabric, "test_fabric") && uses(plan, CatalogKind::Grid, "texas"));
        QVERIFY(!uses(plan, CatalogKind::Facility, "texas") && !uses(plan, CatalogKind::Node, "test_model"));
        QVERIFY(!uses(plan.fleet, CatalogKind::Workload, "test_model"));
        plan.fleet.node = samples::node(); // stands inline: nothing of the catalog is named
        QVERIFY(!uses(plan, CatalogKind::Node, "test_node"));
        SweepDocument sweep;
        sweep.plan = samples::plan();
        sweep.axes = {axisOf("fleet.fabric", {std::string("a"), std::string("b")}), axisOf("fleet.nodes", {1.0, 2.0})};
        QVERIFY(uses(sweep, CatalogKind::Fabric, "b") && uses(sweep, CatalogKind::Fabric, "test_fabric"));
        QVERIFY(!uses(sweep, CatalogKind::Node, "b") && !uses(sweep, CatalogKind::Fabric, "c"));
    }
};

FLEETWRIGHT_TEST(TestRecords)
#include "tst_records.moc"
