// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/plankeys.h"
#include "domain/samples.h"
#include "solver/sweep/planinputs.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>

using namespace fleetwright;

namespace {

std::shared_ptr<const Catalog> items() { return std::make_shared<const Catalog>(samples::catalog()); }

PlanInputs inputs(const PlanDocument &plan = samples::plan()) { return {plan, items()}; }

std::string text(const PlanDocument &plan, std::string_view key) { return inputs(plan).cell(key).text; }

} // namespace

class TestPlanInputs : public QObject {
    Q_OBJECT
private slots:
    void everyKeyReadsWhatItSets_data();
    void everyKeyReadsWhatItSets();
    void whatIsAbsentSaysSo();
    void openDegrees();
    void rowsStandInTheOrderOfTheForm();
    void rowsAreWhatThePlansNeed();
    void textsAreReadAsTheFormReadsThem_data();
    void textsAreReadAsTheFormReadsThem();
    void editTextsReadBackAsTheSame();
    void refusesWhatCannotBePriced();
    void costs();
    void costModels();
};

void TestPlanInputs::everyKeyReadsWhatItSets_data()
{
    QTest::addColumn<QString>("key");
    for (const auto &key : sweepKeys())
        if (isPlanKey(key.key))
            QTest::addRow("%s", key.key.c_str()) << QString::fromStdString(key.key);
}
/// Every key of a plan document comes back as it was set, alone, in the unit of the key; what can be left out comes
/// back as nothing.
void TestPlanInputs::everyKeyReadsWhatItSets()
{
    QFETCH(QString, key);
    const auto &known = *findSweepKey(key.toStdString());
    std::vector<SettingValue> values;
    if (known.type == SweepValueType::Flag)
        values = {true, false};
    else if (known.type == SweepValueType::Reference)
        values = {std::string("another")};
    else if (known.type == SweepValueType::Choice)
        values.assign(known.choices.begin(), known.choices.end());
    else
        for (const double value : {0.3264, 1.0, 2.0, 33.3, 1e6})
            if (check(SweepSetting{known.key, value}, "value"))
                values.emplace_back(value);
    QVERIFY(!values.empty());
    const auto before = samples::plan();
    for (const auto &value : values) {
        auto plan = before;
        QCOMPARE(stateValue(plan, {known.key, value}).value(), true);
        QVERIFY(statedValue(plan, known.key) == value);
        for (const auto &other : sweepKeys())
            if (other.key != known.key && isPlanKey(other.key) && !other.key.starts_with("training.microbatch"))
                QVERIFY2(statedValue(plan, other.key) == statedValue(before, other.key), other.key.c_str());
        if (auto cleared = plan; clearValue(cleared, known.key))
            QVERIFY(statedValue(cleared, known.key) == std::nullopt);
        else
            QVERIFY(statedValue(before, known.key).has_value() || known.key == "training.microbatch_size");
    }
    QVERIFY(!isPlanKey("deadline_days"));
    QVERIFY(!isPlanKey("fleet.node.nic_rate_gbit_per_s"));
}

void TestPlanInputs::whatIsAbsentSaysSo()
{
    const auto plan = samples::plan();
    for (const auto &[key, shown] : {std::pair("training.token_budget", "as published"),
             std::pair("constraints.deadline_days", "no limit"), std::pair("fleet.topology", "the fabric\u2019s"),
             std::pair("fleet.grid", "none"), std::pair("training.microbatch_size", "\u2013")}) {
        const auto cell = inputs(plan).cell(key);
        QCOMPARE(cell.text, std::string(shown));
        QVERIFY(!cell.isStated && cell.editText.empty() && cell.isEditable);
    }
}

void TestPlanInputs::openDegrees()
{
    auto plan = withBestLayout(samples::plan());
    QCOMPARE(text(plan, "layout"), std::string("best"));
    QCOMPARE(text(plan, "parallelism.tp"), std::string("best"));
    plan = inputs(plan).edited("parallelism.tp", "8").value();
    QCOMPARE(text(plan, "parallelism.tp"), std::string("8"));
    QVERIFY(plan.bestLayout.has_value());
    plan = inputs(plan).edited("parallelism.tp", "2, 4, 8").value();
    QVERIFY(((*plan.bestLayout)[LayoutSearchOption::Tp] == std::vector{2, 4, 8}));
    QVERIFY(statedValue(plan, "parallelism.tp") == std::nullopt);
    QCOMPARE(inputs(plan).edited("parallelism.tp", inputs(plan).cell("parallelism.tp").editText).value(), plan);
    plan = inputs(plan).edited("parallelism.tp", "").value();
    QCOMPARE(text(plan, "parallelism.tp"), std::string("best"));
    plan = inputs(plan).edited("training.recompute", "full").value();
    QCOMPARE(text(plan, "training.recompute"), std::string("full"));
    QCOMPARE(inputs(plan).choices("training.recompute").front(), (InputChoice{"", "best"}));

    QVERIFY(inputs(plan).searches("layout", "fixed") && !inputs(plan).searches("layout", "best"));
    std::stop_source stopped;
    stopped.request_stop();
    QVERIFY(inputs(plan).edited("layout", "fixed", {}, stopped.get_token()).error().code == ErrorCode::Cancelled);
    const auto fixed = inputs(plan).edited("layout", "fixed").value();
    QVERIFY(!inputs(fixed).searches("layout", "fixed"));
    QVERIFY(!fixed.bestLayout.has_value());
    QVERIFY(fixed.training.recompute == Recompute::Full);
    QVERIFY(inputs(fixed).edited("layout", "best").value().bestLayout.has_value());
    QCOMPARE(
        inputs(plan).edited("training.microbatch_count", "4").error().field, std::string("training.microbatch_count"));
}

void TestPlanInputs::rowsStandInTheOrderOfTheForm()
{
    const std::array plans{inputs()};
    const auto rows = inputsOf(plans);
    QVERIFY(std::ranges::is_sorted(rows, {}, &PlanInput::group));
    std::vector<std::string> fleet;
    for (const auto &row : rows)
        if (row.group == PlanInputGroup::OfFleet)
            fleet.push_back(row.label);
    QVERIFY((fleet
        == std::vector<std::string>{"Node", "Nodes", "Fabric", "Oversubscription", "Topology", "Facility", "Grid"}));
    const auto layout = std::ranges::find(rows, "layout", &PlanInput::key);
    QCOMPARE((layout + 1)->key, std::string("parallelism.tp"));
    for (const auto &key : sweepKeys())
        QCOMPARE(std::ranges::find(rows, key.key, &PlanInput::key) != rows.end(), isPlanKey(key.key));
    QCOMPARE(rows.back().key, std::string("cost_model"));
}

/// What one plan states about costs, assumptions and items of its own is a row for all.
void TestPlanInputs::rowsAreWhatThePlansNeed()
{
    auto edited = samples::plan();
    edited.assumptions.edited["efficiency"] = 0.4;
    edited.fleet.costs.entries["node_usd"] = {.value = 300e3, .low = {}, .high = {}};
    const SweepSetting latency{"fleet.fabric.latency_us", 7.0};
    edited = applySettings({&latency, 1}, edited, samples::catalog())->document;
    const std::array plans{inputs(), inputs(edited)};
    const auto rows = inputsOf(plans);
    const auto has = [&](const char *key) { return std::ranges::find(rows, key, &PlanInput::key) != rows.end(); };
    QVERIFY(has("assumptions.efficiency") && has("fleet.costs.node_usd") && has("fleet.fabric.latency_us"));
    QVERIFY(!has("fleet.fabric.switch_ports"));
    QCOMPARE(plans[0].cell("fleet.fabric.latency_us").editText, std::string("5 \u00b5s"));
    QCOMPARE(plans[1].cell("fleet.fabric.latency_us").editText, std::string("7 \u00b5s"));
    QVERIFY(plans[1].cell("fleet.fabric").text.ends_with(" (changed)"));
    QVERIFY(plans[1].cell("assumptions.efficiency").isStated);
    const auto usual = plans[0].cell("assumptions.efficiency");
    QVERIFY(!usual.isStated && !usual.source.empty() && !usual.editText.empty());
}

void TestPlanInputs::textsAreReadAsTheFormReadsThem_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("shown"); // empty: refused
    QTest::addRow("groups") << "fleet.nodes"
                            << "1,024" << QStringLiteral("1\u202f024");
    QTest::addRow("blanks") << "fleet.nodes"
                            << " 8 "
                            << "8";
    QTest::addRow("no whole number") << "fleet.nodes"
                                     << "8.5"
                                     << "";
    QTest::addRow("too small") << "fleet.nodes"
                               << "0"
                               << "";
    QTest::addRow("no number") << "fleet.nodes"
                               << "many"
                               << "";
    QTest::addRow("must be stated") << "fleet.nodes"
                                    << ""
                                    << "";
    QTest::addRow("prefix") << "training.token_budget"
                            << "2 T"
                            << "2.00 T";
    QTest::addRow("percent") << "constraints.max_memory_fraction"
                             << "85 %"
                             << "85.0 %";
    QTest::addRow("weeks as days") << "constraints.deadline_days"
                                   << "720 h"
                                   << "30 d";
    QTest::addRow("another dimension") << "constraints.deadline_days"
                                       << "4 GB"
                                       << "";
    QTest::addRow("money") << "constraints.run_cost_usd"
                           << "2e6"
                           << "2.00 MUSD";
    QTest::addRow("item by name") << "fleet.fabric"
                                  << "test_fabric"
                                  << "test_fabric";
    QTest::addRow("no item") << "fleet.fabric"
                             << "test_fabrik"
                             << "";
    QTest::addRow("flag") << "training.lora"
                          << "yes"
                          << "yes";
    QTest::addRow("no flag") << "training.lora"
                             << "perhaps"
                             << "";
    QTest::addRow("word") << "training.precision"
                          << "fp16"
                          << "fp16";
    QTest::addRow("no word") << "training.precision"
                             << "fp17"
                             << "";
    QTest::addRow("assumption") << "assumptions.efficiency"
                                << "0.4"
                                << "0.4";
    QTest::addRow("assumption out of range") << "assumptions.efficiency"
                                             << "40"
                                             << "";
    QTest::addRow("rent term") << "fleet.costs.rent_term"
                               << "reserved-3y"
                               << "reserved for 3 years";
}
void TestPlanInputs::textsAreReadAsTheFormReadsThem()
{
    QFETCH(QString, key);
    QFETCH(QString, typed);
    QFETCH(QString, shown);
    const auto edited = inputs().edited(key.toStdString(), typed.toStdString());
    if (shown.isEmpty()) {
        QVERIFY(!edited);
        QVERIFY(!edited.error().message.empty());
        return;
    }
    QVERIFY2(edited.has_value(), edited ? "" : edited.error().message.c_str());
    auto plain = QString::fromStdString(text(*edited, key.toStdString()));
    for (auto *texts : {&plain, &shown})
        texts->remove(QChar(0x202f)).remove(QChar(0x2009)).replace(QChar(0xa0), u' ');
    QCOMPARE(plain, shown);
}

/// An editor that is left as it was opened changes nothing.
void TestPlanInputs::editTextsReadBackAsTheSame()
{
    auto plan = samples::plan();
    plan.constraints.deadline = 33.3 * day;
    plan.constraints.facilityPower = 326400.0 * watt;
    plan.constraints.maxMemoryShare = 0.925;
    plan.training.tokenBudget = 1.5625e13;
    plan.assumptions.edited["efficiency"] = 1.0 / 3;
    plan.fleet.costs.rentVendor = "Somebody";
    for (const auto &document : {plan, withBestLayout(plan)}) {
        const std::array plans{inputs(document)};
        for (const auto &row : inputsOf(plans)) {
            const auto cell = plans[0].cell(row.key);
            if (!cell.isStated)
                continue;
            const auto same = plans[0].edited(row.key, cell.editText);
            QVERIFY2(same.has_value(), (row.key + ": " + (same ? "" : same.error().message)).c_str());
            QVERIFY2(*same == document, row.key.c_str());
        }
    }
}

/// What the form would refuse is refused here, and what was wrong before may be mended.
void TestPlanInputs::refusesWhatCannotBePriced()
{
    const auto refused = inputs().edited("parallelism.tp", "7");
    QVERIFY(!refused);
    QVERIFY(!refused.error().message.empty());
    auto broken = samples::plan();
    broken.parallelism.tp = 7;
    QVERIFY(inputs(broken).edited("parallelism.pp", "3").has_value());
    QVERIFY(inputs(broken).edited("parallelism.tp", "8").has_value());
}

void TestPlanInputs::costs()
{
    const auto rented = inputs().edited("fleet.costs.paying", "rent").value();
    QVERIFY(rented.fleet.costs.paying == Paying::Rent);
    QCOMPARE(text(rented, "fleet.costs.paying"), std::string("rented"));
    const auto priced = inputs().edited("fleet.costs.node_usd", "250000");
    QVERIFY2(priced.has_value(), priced ? "" : priced.error().message.c_str());
    QVERIFY(std::get<double>(priced->fleet.costs.entries.at("node_usd").value) == 250e3);
    QVERIFY(inputs(*priced).cell("fleet.costs.node_usd").isStated);
    QVERIFY(inputs(*priced).edited("fleet.costs.node_usd", "").value().fleet.costs.entries.empty());
    QVERIFY(!inputs().edited("fleet.costs.node_usd", "cheap"));
    QVERIFY(!inputs().edited("fleet.costs.paying", "beg"));

    // Prices of a fleet whose items are not there: they can be left out, and are not lost to a number that is typed.
    auto foreign = *priced;
    foreign.fleet.node = std::string("no_such_node");
    QVERIFY(!inputs(foreign).cell("fleet.costs.node_usd").isEditable);
    const auto refused = inputs(foreign).edited("fleet.costs.node_usd", "260000");
    QVERIFY(!refused);
    QVERIFY(refused.error().code == ErrorCode::UnsupportedValue);
    QCOMPARE(refused.error().field, std::string("fleet.costs.node_usd"));
    QVERIFY(!refused.error().message.empty());
    QVERIFY(inputs(foreign).edited("fleet.costs.node_usd", "").value().fleet.costs.entries.empty());
}

/// Another cost model keeps the assumptions that it knows.
void TestPlanInputs::costModels()
{
    auto plan = samples::plan();
    plan.assumptions.edited["efficiency"] = 0.4;
    int others = 0;
    for (const auto &choice : inputs(plan).choices("cost_model")) {
        const auto another = inputs(plan).edited("cost_model", choice.typed);
        if (!another || inputs(*another).assumption("assumptions.efficiency"))
            continue; // cannot price this plan, or knows it too
        ++others;
        QCOMPARE(another->costModelId, choice.typed);
        QVERIFY(another->assumptions.edited.empty());
        QVERIFY(!inputs(*another).cell("assumptions.efficiency").isEditable);
        QVERIFY(!inputs(*another).edited("assumptions.efficiency", "0.5"));
    }
    QVERIFY(others > 0);
    QVERIFY(!inputs(plan).edited("cost_model", "oracle"));
    QVERIFY(inputs(plan).choices("cost_model").size() >= 6);
}

FLEETWRIGHT_TEST(TestPlanInputs)
#include "tst_planinputs.moc"
