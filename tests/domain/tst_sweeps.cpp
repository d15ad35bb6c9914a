// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "domain/sweepdocument.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace fleetwright;

namespace {

const SweepKey &keyOf(const char *name)
{
    const auto *key = findSweepKey(name);
    if (!key)
        qFatal("there is no key %s", name);
    return *key;
}

std::vector<double> numbers(const char *key, std::string_view text)
{
    const auto values = parseValues(keyOf(key), text, samples::catalog(), "values");
    std::vector<double> list;
    if (values)
        for (const auto &value : *values)
            list.push_back(std::get<double>(value));
    return list;
}

std::string refusal(const char *key, std::string_view text)
{
    const auto values = parseValues(keyOf(key), text, samples::catalog(), "values");
    return values ? std::string() : values.error().message;
}

/// A value that the key takes and the sample plan does not have.
SettingValue another(const SweepKey &key)
{
    switch (key.type) {
    case SweepValueType::Flag: return true;
    case SweepValueType::Choice: return key.choices.back();
    case SweepValueType::Reference: return std::string("other");
    default: break;
    }
    const double wanted = key.key == "workload.experts_per_token" ? 1 : key.key == "workload.attention_heads" ? 64 : 2;
    return std::clamp(wanted, key.minimum.value_or(-1e300), key.maximum.value_or(1e300));
}

Catalog catalogWithOthers()
{
    auto catalog = samples::catalog();
    for (auto record : {samples::accelerator(), samples::node(), samples::fabric(), samples::workload()}) {
        record.id = "other";
        catalog.insert(record);
    }
    catalog.insert(samples::record(CatalogKind::Facility, "other", {{"pue", 1.2}}));
    catalog.insert(samples::record(CatalogKind::Grid, "other", {{"carbon_g_co2e_per_kwh", 100.0}}));
    return catalog;
}

} // namespace

/// What sweeps vary: the keys, the values that people type, the documents.
class TestSweeps : public QObject {
    Q_OBJECT
private slots:
    void keysAreSound()
    {
        std::set<std::string> keys;
        for (const auto &key : sweepKeys()) {
            QVERIFY2(keys.insert(key.key).second, key.key.c_str());
            QVERIFY2(!key.label.empty() && !key.description.empty(), key.key.c_str());
            QVERIFY2(units::findUnit(key.unit, key.dimension), key.key.c_str());
            QVERIFY2((key.type == SweepValueType::Reference) == key.reference.has_value(), key.key.c_str());
            QVERIFY2((key.type == SweepValueType::Choice) == !key.choices.empty(), key.key.c_str());
            QVERIFY2(!key.minimum || !key.maximum || *key.minimum < *key.maximum, key.key.c_str());
        }
    }

    /// No key is dead: each changes the plan that it is applied to, and a second time changes nothing more.
    void everyKeyChangesThePlan()
    {
        const auto catalog = catalogWithOthers();
        for (const auto &key : sweepKeys()) {
            const std::vector<SweepSetting> settings{{key.key, another(key)}};
            const auto before = applySettings({}, samples::plan(), catalog);
            const auto after = applySettings(settings, samples::plan(), catalog);
            QVERIFY2(after, (key.key + ": " + (after ? "" : after.error().message)).c_str());
            QVERIFY2(
                !(after->document == before->document) || after->accelerator != before->accelerator, key.key.c_str());
            if (after->accelerator)
                continue;
            const auto again = applySettings(settings, after->document, catalog);
            QVERIFY2(again && again->document == after->document, key.key.c_str());
        }
    }

    void boundsOfEveryNumber()
    {
        for (const auto &key : sweepKeys()) {
            if (key.type != SweepValueType::Integer && key.type != SweepValueType::Real)
                continue;
            const auto takes = [&](const SettingValue &value) {
                const auto checked = check(SweepSetting{key.key, value}, "here");
                if (!checked && checked.error().field != "here")
                    qFatal("the field is another");
                return checked.has_value();
            };
            if (key.minimum)
                QVERIFY2(takes(*key.minimum) && !takes(*key.minimum - 1), key.key.c_str());
            if (key.maximum)
                QVERIFY2(takes(*key.maximum) && !takes(*key.maximum * 1.5 + 1), key.key.c_str());
            QVERIFY2(!takes(true) && !takes(std::string("8")), key.key.c_str());
            QVERIFY2(!takes(std::numeric_limits<double>::quiet_NaN()), key.key.c_str());
            if (key.type == SweepValueType::Integer)
                QVERIFY2(!takes(key.minimum.value_or(0) + 0.5), key.key.c_str());
        }
        QCOMPARE(int(check(SweepSetting{"parallelism.tb", 8.0}, "x").error().code), int(ErrorCode::UnknownReference));
        QVERIFY(check(SweepSetting{"parallelism.tb", 8.0}, "x").error().message.contains("parallelism.tp"));
        QVERIFY(!check(SweepSetting{"assumptions.", 8.0}, "x"));
        QVERIFY(check(SweepSetting{"assumptions.anything", 8.0}, "x"));
        QVERIFY(!check(SweepSetting{"assumptions.anything", std::string(201, 'x')}, "x"));
    }

    void ranges()
    {
        QCOMPARE(numbers("parallelism.tp", "1..64:x2"), (std::vector<double>{1, 2, 4, 8, 16, 32, 64}));
        QCOMPARE(numbers("parallelism.tp", "1..63:x2"), (std::vector<double>{1, 2, 4, 8, 16, 32}));
        QCOMPARE(numbers("parallelism.tp", "3..5"), (std::vector<double>{3, 4, 5}));
        QCOMPARE(numbers("parallelism.tp", "1, 8..10:+2 , 64"), (std::vector<double>{1, 8, 10, 64}));
        QCOMPARE(numbers("fleet.nodes", "7..7:x2"), (std::vector<double>{7}));
        QCOMPARE(
            numbers("fleet.fabric.port_rate_gbit_per_s", "25 GB/s..100 GB/s:x2"), (std::vector<double>{200, 400, 800}));
        QVERIFY(refusal("parallelism.tp", "8..1").contains("ends below"));
        QVERIFY(refusal("parallelism.tp", "1..8:x1").contains("greater than 1"));
        QVERIFY(refusal("parallelism.tp", "1..8:+0").contains("greater than 0"));
        QVERIFY(refusal("parallelism.tp", "1..8:2").contains("must be :x2"));
        QVERIFY(refusal("parallelism.zero_stage", "0..3:x2").contains("above 0"));
        QVERIFY(refusal("parallelism.tp", "1..4:+0.5").contains("whole number"));
        QVERIFY(refusal("fleet.nodes", "1..100000").contains("10 000"));
        QVERIFY(refusal("parallelism.tp", "1, 2, 1").contains("stands twice"));
        QVERIFY(refusal("parallelism.tp", "1,,2").contains("comma"));
        QVERIFY(refusal("parallelism.tp", "").contains("Type the values"));
    }

    /// Steps that do not add up exactly still reach the end, and no value lies beyond it.
    void rangesReachTheirEnds()
    {
        int tried = 0;
        for (int from = 1; from < 100; ++from)
            for (int step = 1; step <= 100 - from; ++step) {
                if ((100 - from) % step != 0)
                    continue;
                const auto text = std::to_string(from) + "e-2..1:+" + std::to_string(step) + "e-2";
                const auto values = numbers("constraints.min_mfu", text);
                QVERIFY2(!values.empty(), (text + ": " + refusal("constraints.min_mfu", text)).c_str());
                QVERIFY2(values.size() == std::size_t((100 - from) / step) + 1, text.c_str());
                QVERIFY2(values.back() <= 1 && values.back() > 1 - 1e-9, text.c_str());
                QVERIFY2(std::ranges::is_sorted(values), text.c_str());
                ++tried;
            }
        QVERIFY(tried > 100);
    }

    void whatIsWrittenReadsBack()
    {
        const std::vector<std::vector<SettingValue>> lists{{1.0}, {1.0, 2.0, 4.0, 8.0, 16.0}, {5.0, 6.0, 7.0, 8.0, 9.0},
            {3.0, 9.0, 27.0, 81.0, 243.0}, {1.0, 2.0, 3.0, 5.0, 8.0}, {2.0, 4.0, 6.0, 8.0, 10.0, 12.0}};
        for (const auto &values : lists) {
            const auto text = valuesToText(axisOf("training.global_batch", values));
            const auto read = parseValues(keyOf("training.global_batch"), text, samples::catalog(), "values");
            QVERIFY2(read && *read == values, text.c_str());
        }
        QCOMPARE(valuesToText(axisOf("training.global_batch", lists[1])), std::string("1..16:x2"));
        QCOMPARE(valuesToText(axisOf("training.global_batch", lists[2])), std::string("5..9:+1"));
        QCOMPARE(valuesToText(axisOf("training.lora", {true, false})), std::string("yes, no"));
        const std::vector<SettingValue> fractions{0.1, 0.25, 1.0 / 3};
        const auto text = valuesToText(axisOf("constraints.min_mfu", fractions));
        QVERIFY(*parseValues(keyOf("constraints.min_mfu"), text, samples::catalog(), "v") == fractions);
    }

    /// A number without a rest of rounding is what was typed, whatever unit it was typed in.
    void unitsLeaveNoRest()
    {
        QCOMPARE(numbers("fleet.fabric.latency_us", "0.1 ms, 1500 ns"), (std::vector<double>{100, 1.5}));
        QCOMPARE(numbers("constraints.max_facility_mw", "100 kW, 700 W"), (std::vector<double>{0.1, 0.0007}));
        for (int i = 2; i <= 400; ++i) { // a port has 10 to 3,200 Gb/s
            const auto text = std::to_string(i) + " GB/s";
            QVERIFY2(
                numbers("fleet.fabric.port_rate_gbit_per_s", text) == (std::vector<double>{i * 8.0}), text.c_str());
        }
    }

    void namesAndIdsOfItems()
    {
        auto catalog = samples::catalog();
        auto named = samples::fabric();
        named.id = "mine";
        named.name = "My fabric";
        catalog.insert(named);
        const auto &key = keyOf("fleet.fabric");
        QCOMPARE(std::get<std::string>(parseValues(key, "My fabric, test_fabric", catalog, "f")->front()),
            std::string("mine"));
        const auto unknown = parseValues(key, "test_fabrik", catalog, "f");
        QVERIFY(!unknown && unknown.error().message.contains("test_fabric"));
        QCOMPARE(int(parseValues(keyOf("training.precision"), "fp17", catalog, "f").error().code),
            int(ErrorCode::UnsupportedValue));
        QCOMPARE(
            int(parseValues(keyOf("training.lora"), "perhaps", catalog, "f").error().code), int(ErrorCode::ParseError));
    }

    void pointsAsLines()
    {
        const std::vector<AssumptionDescriptor> assumptions{
            {.key = "efficiency", .label = "Efficiency", .defaultValue = 0.5, .minimum = 0, .maximum = 1}};
        const std::string text = "DP only: parallelism.tp = 1, parallelism.pp = 1\n"
                                 "a: b: parallelism.tp = 8, assumptions.efficiency = 0.4, training.lora = yes";
        const auto points = parsePoints("\n" + text + "\n\n", assumptions, samples::catalog(), "points");
        QVERIFY2(points, points ? "" : points.error().message.c_str());
        QCOMPARE(points->size(), 2UZ);
        QCOMPARE((*points)[1].label, std::string("a: b"));
        QCOMPARE((*points)[1].settings.size(), 3UZ);
        QCOMPARE(pointsToText({{}, *points}), text);
        for (const auto &[bad, says] :
            {std::pair("parallelism.tp = 8", "Line 1"), {"ok: parallelism.tp = 1\nx: tp", "Line 2"},
                {"x: assumptions.unknown = 1", "has no"}, {"x: parallelism.tp = 1..4", "one value"},
                {"x: nonsense = 1", "nothing called"}, {"  \n ", "one point per line"}}) {
            const auto refused = parsePoints(bad, assumptions, samples::catalog(), "points");
            QVERIFY2(!refused && refused.error().field == "points", bad);
            QVERIFY2(refused.error().message.contains(says), refused.error().message.c_str());
        }
    }

    void documents_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("field");
        for (const auto &[what, field] : {std::pair("good", ""), {"no name", "name"}, {"long name", "name"},
                 {"no axis", "axes"}, {"three axes", "axes"}, {"a point without settings", "axes[0].points[1]"},
                 {"the same key on both axes", "axes[1]"}, {"too many cells", "axes"},
                 {"a cost model twice", "cost_models"},
                 {"a key twice in a point", "axes[0].points[0].set.parallelism.tp"},
                 {"a bad value", "axes[0].points[2].set.parallelism.tp"}})
            QTest::newRow(what) << QString::fromLatin1(what) << QString::fromLatin1(field);
    }
    void documents()
    {
        QFETCH(const QString, what);
        QFETCH(const QString, field);
        SweepDocument sweep{.name = "Sweep", .plan = samples::plan()};
        sweep.axes = {axisOf("parallelism.tp", {1.0, 2.0, 4.0}), axisOf("parallelism.pp", {1.0, 2.0})};
        if (what == QLatin1String("no name"))
            sweep.name.clear();
        else if (what == QLatin1String("long name"))
            sweep.name = std::string(301, 'n');
        else if (what == QLatin1String("no axis"))
            sweep.axes.clear();
        else if (what == QLatin1String("three axes"))
            sweep.axes.push_back(axisOf("parallelism.cp", {1.0}));
        else if (what == QLatin1String("a point without settings"))
            sweep.axes[0].points[1].settings.clear();
        else if (what == QLatin1String("the same key on both axes"))
            sweep.axes[1] = axisOf("parallelism.tp", {8.0});
        else if (what == QLatin1String("too many cells")) {
            std::vector<SettingValue> many;
            for (int i = 1; i <= 101; ++i)
                many.emplace_back(double(i));
            sweep.axes = {axisOf("parallelism.tp", many), axisOf("parallelism.pp", many)};
        } else if (what == QLatin1String("a cost model twice"))
            sweep.costModels = {"detailed", "cube", "detailed"};
        else if (what == QLatin1String("a key twice in a point"))
            sweep.axes[0].points[0].settings.push_back({"parallelism.tp", 8.0});
        else if (what == QLatin1String("a bad value"))
            sweep.axes[0].points[2].settings.front().value = 0.0;
        const auto checked = check(sweep);
        QCOMPARE(checked.has_value(), field.isEmpty());
        if (!checked)
            QCOMPARE(QString::fromStdString(checked.error().field), field);
    }

    /// 10 000 cells are the most, cost models counted.
    void cellLimit()
    {
        std::vector<SettingValue> hundred;
        for (int i = 1; i <= 100; ++i)
            hundred.emplace_back(double(i));
        SweepDocument sweep{.name = "Sweep", .plan = samples::plan()};
        sweep.axes = {axisOf("parallelism.tp", hundred), axisOf("parallelism.pp", hundred)};
        QVERIFY(check(sweep));
        sweep.costModels = {"detailed"};
        QVERIFY(check(sweep));
        sweep.costModels = {"detailed", "cube"};
        QVERIFY(!check(sweep));
    }

    void settingsThatBelongTogether()
    {
        const auto catalog = samples::catalog();
        const auto with = [&](std::vector<SweepSetting> settings) {
            return applySettings(settings, samples::plan(), catalog)->document;
        };
        auto plan = with({{"training.microbatch_size", 4.0}});
        QVERIFY(!plan.training.microbatchCount && plan.training.microbatchSize == 4);
        plan = with({{"training.microbatch_count", 8.0}});
        QVERIFY(plan.training.microbatchCount == 8 && !plan.training.microbatchSize);
        const std::vector<SweepSetting> faster{{"fleet.fabric.port_rate_gbit_per_s", 800.0}};
        QCOMPARE((*apply(faster, samples::plan(), catalog))->fleet->fabric->portBandwidth.value(), 100e9);
        const std::vector<SweepSetting> larger{{"workload.params_total", 9e9}};
        QCOMPARE((*apply(larger, samples::plan(), catalog))->workload->activeParameters, 9e9); // dense stays dense
        const std::vector<SweepSetting> memory{{"fleet.node.accelerator.memory_capacity_bytes", 96e9}};
        QCOMPARE((*apply(memory, samples::plan(), catalog))->fleet->node->accelerator->memoryCapacity.value(), 96e9);
        QCOMPARE((*apply({}, samples::plan(), catalog))->fleet->node->accelerator->memoryCapacity.value(), 80e9);
        const std::vector<SweepSetting> absent{{"fleet.node", std::string("nowhere")}};
        QCOMPARE(int(apply(absent, samples::plan(), catalog).error().code), int(ErrorCode::UnknownReference));
    }

    void wordsForPeople()
    {
        const auto catalog = samples::catalog();
        QCOMPARE(describe(SweepSetting{"parallelism.tp", 8.0}, catalog), std::string("8"));
        QCOMPARE(describe(SweepSetting{"training.lora", true}, catalog), std::string("yes"));
        QCOMPARE(
            describe(SweepSetting{"fleet.fabric.port_rate_gbit_per_s", 400.0}, catalog), std::string("400\u00a0Gb/s"));
        QCOMPARE(
            describe(SweepSetting{"fleet.fabric", std::string("test_fabric")}, catalog), std::string("test_fabric"));
        SweepPoint point{{}, {{"parallelism.tp", 8.0}, {"parallelism.pp", 4.0}}};
        QCOMPARE(describe(point, catalog), std::string("TP 8, PP 4"));
        point.label = "Mine";
        QCOMPARE(describe(point, catalog), std::string("Mine"));
        const auto axis = axisOf("parallelism.tp", {1.0, 2.0});
        QCOMPARE(describe(axis), std::string("TP"));
        QCOMPARE(numbersOf(axis), (std::vector<double>{1, 2}));
        QVERIFY(numbersOf(axisOf("training.lora", {true, false})).empty());
        auto mixed = axis;
        mixed.points[1].settings.front().key = "parallelism.pp";
        QVERIFY(numbersOf(mixed).empty());
        for (const auto view : {SweepView::Lines, SweepView::Bars, SweepView::HeatMap})
            QVERIFY(parseSweepView(toString(view)) == view);
        QVERIFY(!parseSweepView("pie"));
    }
};

FLEETWRIGHT_TEST(TestSweeps)
#include "tst_sweeps.moc"
