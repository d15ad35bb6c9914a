// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleetentries.h"
#include "nearly.h"
#include "plainsheet.h"
#include "sampleplan.h"
#include "solver/worksheet/fleetsheet.h"
#include "testing/registry.h"

#include <random>

using namespace fleetwright;
using fleetwright::testing::entriesOf;
using fleetwright::testing::evaluated;
using fleetwright::testing::fleetEntries;
using fleetwright::testing::PlainSheet;

namespace {

constexpr std::array capitalLines{"nodes_usd", "network_usd", "storage_usd", "management_usd", "racks_power_usd",
    "installation_usd", "licences_once_usd", "support_once_usd", "freight_usd", "contingency_usd", "facility_usd",
    "owned_usd"};
constexpr std::array yearLines{"energy_by_year_usd", "colocation_by_year_usd", "support_by_year_usd",
    "licence_by_year_usd", "staff_by_year_usd", "lease_by_year_usd", "other_by_year_usd"};

/// Entries as a fuzzer makes them: some left out, the others anywhere in a plausible part of their range.
SheetEntries randomEntries(const Worksheet &sheet, std::mt19937_64 &random)
{
    SheetEntries entries(sheet);
    std::uniform_real_distribution<double> uniform(0, 1);
    int life = 5;
    constexpr double mostYears = 200;
    for (const auto &row : sheet.rows()) {
        if (!row.isEntry() || (!row.entry.required && uniform(random) < 0.5))
            continue;
        const double most = std::min(row.entry.most, row.entry.least + 20);
        double value = row.entry.least + (most - row.entry.least) * (0.01 + 0.98 * uniform(random));
        if (row.entry.kind != SheetEntry::Kind::Value)
            value = std::round(value);
        if (row.key == "life_years")
            life = int(value);
        if (row.key == "debt_years")
            value = 1 + std::floor(uniform(random) * life);
        if (row.key == "powered_spares" || row.key == "spine_switches" || row.key == "core_switches")
            value = 0; // no more than there are spares, and switches
        if (row.key == "network_is_reachable" || row.key == "depreciation")
            value = 1; // without a network much is open; own shares need numbers for each year
        SheetFigure figure(value);
        if (row.shape == SheetShape::Years && sheet.find("life_years") && uniform(random) < 0.5)
            figure = SheetFigure(std::vector<double>(std::size_t(life), value));
        if (row.key == "depreciation_share")
            figure = SheetFigure(value / mostYears);
        if (const auto entered = entries.enter(row.key, figure); !entered)
            throw std::runtime_error(entered.error().message);
    }
    return entries;
}

bool sameCell(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-11 * std::max({1.0, std::abs(a), std::abs(b)});
}

} // namespace

class FleetSheetTest : public QObject {
    Q_OBJECT

private slots:
    void agreesWithThePlainSheet_data();
    void agreesWithThePlainSheet();
    void lanesAreDrawsOfTheirOwn();
    void aPartGivesWhatTheWholeGives();
    void costRisesWithEachPrice();
    void totalsAreTheSumsOfTheirLines();
    void twiceTheTariffIsTwiceTheEnergyAndNothingElse();
    void owningAndRentingCrossWhereTheirCurvesDo();
    void breakEvensAreWhatTheySay();
    void goodputSavesDaysAndPricesDoNot();
    void aFleetEntersWhatItStates();
    void quotesGetARange();
    void rulesRefuseWhatDoesNotGoTogether();
};

void FleetSheetTest::agreesWithThePlainSheet_data()
{
    QTest::addColumn<const Worksheet *>("sheet");
    QTest::newRow("power") << &sheets::power();
    QTest::newRow("fleet") << &sheets::fleet();
    QTest::newRow("run") << &sheets::run();
    QTest::newRow("cash flow") << &sheets::cashFlow();
    QTest::newRow("levelised cost") << &sheets::levelisedCost();
    QTest::newRow("fixed charge") << &sheets::fixedCharge();
    QTest::newRow("training cost") << &sheets::trainingCost();
}

void FleetSheetTest::agreesWithThePlainSheet()
{
    QFETCH(const Worksheet *, sheet);
    std::mt19937_64 random(7);
    std::size_t compared = 0;
    for (int round = 0; round < 60; ++round) {
        const auto entries = randomEntries(*sheet, random);
        const auto compiled = evaluateSheet(entries);
        QVERIFY2(compiled, compiled ? "" : qPrintable(QString::fromStdString(compiled.error().message)));
        PlainSheet plain(entries, compiled->years());
        SheetDraws draws(compiled->program(), entries);
        draws.run();
        for (std::size_t row = 0; row < sheet->rows().size(); ++row) {
            if (!compiled->program()->isPresent(row))
                continue;
            for (std::size_t column = 0; column < plain.columns(sheet->row(row).shape); ++column, ++compared) {
                const double expected = plain.cell(row, column), found = draws.values(row, column)[3];
                QVERIFY2(sameCell(expected, found),
                    qPrintable(QStringLiteral("%1, column %2: %3 against %4")
                                   .arg(QString::fromStdString(sheet->row(row).key))
                                   .arg(column)
                                   .arg(found, 0, 'g', 17)
                                   .arg(expected, 0, 'g', 17)));
            }
        }
    }
    QVERIFY(compared > 600);
}

void FleetSheetTest::lanesAreDrawsOfTheirOwn()
{
    const auto entries = fleetEntries();
    const auto likely = evaluated(entries);
    const auto &sheet = likely.sheet();
    SheetDraws draws(likely.program(), entries);
    const auto priced = *sheet.find("accelerator_usd");
    for (std::size_t lane = 0; lane < SheetDraws::size(); ++lane)
        draws.entry(priced)[lane] = 20000 + 500 * double(lane);
    draws.run();
    for (std::size_t lane = 0; lane < SheetDraws::size(); ++lane) {
        const auto alone = evaluated(fleetEntries({{"accelerator_usd", 20000 + 500 * double(lane)}}));
        for (const auto *key : {"npv_usd", "capital_usd", "irr", "breakeven_rent_usd", "crossing_month"}) {
            const double value = draws.values(*sheet.find(key))[lane];
            QVERIFY(sameCell(value, alone.value(key).value_or(std::nan(""))));
        }
    }
}

void FleetSheetTest::aPartGivesWhatTheWholeGives()
{
    const auto entries = fleetEntries();
    const auto whole = evaluated(entries);
    const std::array wanted{*whole.sheet().find("present_cost_usd"), *whole.sheet().find("facility_peak_w")};
    SheetDraws part(
        std::make_shared<const SheetProgram>(whole.sheet(), entries.entered(), whole.years(), wanted), entries);
    part.run();
    for (const auto row : wanted)
        QCOMPARE(part.values(row)[0], *whole.value(whole.sheet().row(row).key));
    QVERIFY(!part.program().isPresent(*whole.sheet().find("irr")));
    QVERIFY(part.program().cells().size() < whole.program()->cells().size() / 2);
}

void FleetSheetTest::costRisesWithEachPrice()
{
    const auto before = evaluated(fleetEntries({{"network_usd", 4e6}}));
    for (const auto *key : {"accelerator_usd", "chassis_usd", "network_usd", "storage_usd_per_tb",
             "management_node_usd", "racks_power_usd", "licences_once_usd", "freight_usd", "facility_usd_per_w",
             "usd_per_kwh", "colocation_usd_per_kw_month", "licence_usd_per_accelerator", "staff_usd", "insurance_usd",
             "transit_usd", "part_usd", "support_share", "installation_share", "contingency_share", "pue", "draw_share",
             "switch_w", "transceiver_w", "rate_per_node_day", "escalation"}) {
        auto entries = fleetEntries({{"network_usd", 4e6}});
        QVERIFY(entries.enter(key, before.value(key).value_or(0) * 1.05).has_value());
        const auto after = evaluated(entries);
        QVERIFY2(*after.value("present_cost_usd") > *before.value("present_cost_usd"), key);
        QVERIFY2(*after.value("levelised_nominal_usd") > *before.value("levelised_nominal_usd"), key);
        QVERIFY2(*after.value("npv_usd") < *before.value("npv_usd"), key);
        QCOMPARE(*after.value("accelerator_hours"), *before.value("accelerator_hours"));
    }
}

void FleetSheetTest::totalsAreTheSumsOfTheirLines()
{
    constexpr double cent = 0.005;
    std::mt19937_64 random(11);
    for (int round = 0; round < 40; ++round) {
        const auto sheet = evaluated(round == 0 ? fleetEntries() : randomEntries(sheets::fleet(), random));
        double capital = 0;
        for (const auto *line : capitalLines)
            capital += *sheet.value(line);
        QVERIFY(std::abs(capital - *sheet.value("capital_usd")) < cent);
        for (std::size_t year = 1; year <= std::size_t(sheet.years()); ++year) {
            double running = 0;
            for (const auto *line : yearLines)
                running += *sheet.value(line, year);
            QVERIFY(std::abs(running - *sheet.value("expenses_usd", year)) <= std::max(cent, 1e-14 * running));
        }
        const auto sum = [&](std::initializer_list<const char *> lines) {
            double total = 0;
            for (const auto *line : lines)
                total += *sheet.value(line);
            return total;
        };
        QVERIFY(std::abs(sum({"used_nodes_usd", "spare_nodes_usd"}) - *sheet.value("nodes_usd")) < cent);
        QVERIFY(std::abs(sum({"leaf_switches_usd", "spine_switches_usd", "core_switches_usd", "spare_switches_usd",
                             "switch_transceivers_usd", "node_transceivers_usd", "spare_transceivers_usd", "cables_usd",
                             "storage_switches_usd", "in_band_switches_usd", "out_of_band_switches_usd",
                             "spare_node_transceivers_usd", "service_transceivers_usd", "service_node_transceivers_usd",
                             "service_cables_usd"})
                    - *sheet.value("network_bill_usd"))
            < cent);
        const double power = *sheet.value("network_w") + *sheet.value("other_it_w")
            + (*sheet.value("nodes") + *sheet.value("powered_spares")) * *sheet.value("node_peak_w");
        COMPARE_NEAR(power, *sheet.value("it_peak_w"));
    }
}

void FleetSheetTest::twiceTheTariffIsTwiceTheEnergyAndNothingElse()
{
    const auto once = evaluated(fleetEntries()), twice = evaluated(fleetEntries({{"usd_per_kwh", 0.16}}));
    for (const auto *line : capitalLines)
        QCOMPARE(*twice.value(line), *once.value(line));
    for (const auto *line : yearLines)
        for (std::size_t year = 1; year <= 5; ++year) {
            const double factor = std::string_view(line) == "energy_by_year_usd" ? 2 : 1;
            QCOMPARE(*twice.value(line, year), factor * *once.value(line, year));
        }
    QCOMPARE(*twice.value("energy_kwh"), *once.value("energy_kwh"));
}

void FleetSheetTest::owningAndRentingCrossWhereTheirCurvesDo()
{
    const auto sheet = evaluated(fleetEntries());
    const auto own = sheet.columns("own_by_month_usd"), rent = sheet.columns("rent_by_month_usd");
    QCOMPARE(own.size(), std::size_t(61));
    COMPARE_NEAR(own[0], *sheet.value("capital_usd"));
    QCOMPARE(rent[0], 0.0);
    const auto crossing = sheet.value("crossing_month");
    QVERIFY(crossing && *crossing > 1 && *crossing < 60);
    const auto month = std::size_t(*crossing);
    QVERIFY(own[month] <= rent[month] && own[month - 1] > rent[month - 1]);
    // A month's twelfth comes before the end of its year and is worth more; over the life by less than a year's
    // interest.
    QVERIFY(rent.back() > *sheet.value("rent_present_usd") && rent.back() < *sheet.value("rent_present_usd") * 1.08);

    QVERIFY(!evaluated(fleetEntries({{"rent_usd_per_hour", 0.2}})).value("crossing_month"));
    QVERIFY(*evaluated(fleetEntries({{"rent_usd_per_hour", 6}})).value("crossing_month") < *crossing);
}

void FleetSheetTest::breakEvensAreWhatTheySay()
{
    const auto sheet = evaluated(fleetEntries());
    const auto rented = evaluated(fleetEntries({{"rent_usd_per_hour", *sheet.value("breakeven_rent_usd")}}));
    COMPARE_NEAR(*rented.value("rent_present_usd"), *sheet.value("present_cost_usd"));
    // At that share of the hours, paying the rent for hours in use alone is as dear as owning for a year.
    const double hours = *sheet.value("accelerators") * 8760 * *sheet.value("availability");
    COMPARE_NEAR(
        *sheet.value("breakeven_utilisation") * hours * *sheet.value("rent_usd_per_hour"), *sheet.value("annual_usd"));
    QVERIFY(!evaluated(fleetEntries({{"rent_usd_per_hour", 0}})).value("breakeven_utilisation"));
}

void FleetSheetTest::rulesRefuseWhatDoesNotGoTogether()
{
    const auto refusedField = [](testing::EntryValues values) {
        const auto sheet = evaluateSheet(fleetEntries(values));
        return sheet ? std::string() : sheet.error().field;
    };
    QCOMPARE(refusedField({{"powered_spares", 4}}), std::string("powered_spares"));
    QCOMPARE(refusedField({{"spine_switches", 40}, {"core_switches", 9}}), std::string("switches")); // of 48
    QCOMPARE(refusedField({{"spine_switches", 16}, {"core_switches", 0}}), std::string());
    QCOMPARE(refusedField({{"debt_years", 6}}), std::string("debt_years"));
    QCOMPARE(refusedField({{"debt_years", 0}}), std::string("debt_years"));
    QCOMPARE(refusedField({{"debt_years", 0}, {"debt_fraction", 0}}), std::string());
    QVERIFY(!sheets::depreciationShares(std::array{0.5, 0.4}, 5));
    QVERIFY(!sheets::depreciationShares(std::array{1.5, -0.5}, 5));
    QCOMPARE(sheets::depreciationShares(std::array{0.5, 0.25, 0.25}, 2)->likely, (std::vector<double>{0.5, 0.25}));
    SheetEntries without(sheets::fleet());
    QVERIFY(without.enter("nodes", 4).has_value());
    const auto missing = evaluateSheet(without);
    QVERIFY(!missing && missing.error().code == ErrorCode::MissingField);
    QCOMPARE(missing.error().field, std::string("accelerators_per_node"));
}

void FleetSheetTest::goodputSavesDaysAndPricesDoNot()
{
    const auto run = [](testing::EntryValues changes) {
        auto entries = entriesOf(sheets::run(),
            {{"nodes", 128}, {"accelerators_per_node", 8}, {"node_peak_w", 10200}, {"node_usd", 300000},
                {"usd_per_kwh", 0.08}, {"rent_usd_per_hour", 2.5}, {"tokens", 1e12}, {"batch_sequences", 1024},
                {"sequence_tokens", 8192}, {"step_time_s", 12}, {"productive_share", 0.9}, {"grid_kg_per_kwh", 0.4},
                {"embodied_kg_per_accelerator", 150}, {"trial_share", 0.1}});
        for (const auto &[key, value] : changes)
            if (!entries.enter(key, value))
                throw std::runtime_error(key);
        return evaluated(std::move(entries));
    };
    const auto before = run({}), better = run({{"productive_share", 0.95}}), dearer = run({{"node_usd", 400000}});
    COMPARE_NEAR(*before.value("steps"), 119210.0); // 1e12 / 8388608 = 119209.29
    COMPARE_NEAR(*before.value("run_days"), 119210.0 * 12 / 0.9 / 86400);
    COMPARE_NEAR(*before.value("run_kwh"), *before.value("run_days") * 24 * *before.value("it_train_w") * 1.25 / 1000);
    COMPARE_NEAR(*before.value("run_rented_usd"), *before.value("run_days") * 24 * 1024 * 2.5);
    COMPARE_NEAR(*before.value("trials_kwh"), *before.value("run_kwh") * 0.1);
    QVERIFY(*better.value("run_days") < *before.value("run_days"));
    QVERIFY(*better.value("run_owned_usd") < *before.value("run_owned_usd"));
    QCOMPARE(*dearer.value("run_days"), *before.value("run_days"));
    QCOMPARE(*dearer.value("run_kwh"), *before.value("run_kwh"));
    QVERIFY(*dearer.value("run_owned_usd") > *before.value("run_owned_usd"));
    QVERIFY(!before.value("run_water_l")); // nobody said the WUE
}

void FleetSheetTest::aFleetEntersWhatItStates()
{
    auto facts = sampleplan::fleet();
    facts.site.pue = 1.3;
    facts.site.energyPrice = 0.09 * dollarPerKilowattHour;
    const auto fleet = Fleet::create(facts);
    QVERIFY(fleet.has_value());
    auto entries = enterFleet(sheets::fleet(), *fleet);
    QVERIFY2(entries, entries ? "" : entries.error().message.c_str());
    QVERIFY(entries->enter("node_usd", 300000).has_value());
    if (!entries->has("node_peak_w"))
        QVERIFY(entries->enter("node_peak_w", 10200).has_value());
    const auto sheet = evaluated(*entries);
    COMPARE_NEAR(*sheet.value("accelerators"), double(facts.accelerators()));
    COMPARE_NEAR(*sheet.value("pue"), 1.3);
    QCOMPARE(*sheet.value("usd_per_kwh"), 0.09);
}

void FleetSheetTest::quotesGetARange()
{
    const auto fresh = withAssumedRange(200, false), old = withAssumedRange(200, true);
    COMPARE_NEAR(*fresh.low, 180.0);
    COMPARE_NEAR(*old.high, 240.0);
    QVERIFY(old.rangeIsAssumed);
    SheetFigure stated(200);
    stated.low = 150;
    stated.high = 210;
    QCOMPARE(*withAssumedRange(stated, true).high, 210.0);
    QVERIFY(!withAssumedRange(stated, true).rangeIsAssumed);
}

FLEETWRIGHT_TEST(FleetSheetTest)
#include "tst_fleetsheet.moc"
