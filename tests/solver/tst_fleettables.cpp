// SPDX-License-Identifier: GPL-3.0-or-later
#include "nearly.h"
#include "sampleplan.h"
#include "solver/blocks/reliability.h"
#include "solver/uncertainty/sampling.h"
#include "solver/worksheet/fleettables.h"
#include "solver/worksheet/typedentry.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace fleetwright;

namespace {

CostFigure costFigure(const char *entry, double likely, const char *date = "2026-06")
{
    return {.entry = entry, .likely = likely, .isPrice = true, .source = "a quotation", .date = date};
}

NetworkPart part(const char *name, double watts, std::optional<double> dollars)
{
    NetworkPart made{.id = name, .name = name, .power = watts, .powerKnown = true};
    if (dollars)
        made.price = costFigure("network_usd", *dollars);
    return made;
}

/// 512 nodes of 8 accelerators on switches of 64 ports, everything priced.
FleetFacts pricedFleet(int nodes = 512)
{
    auto facts = sampleplan::fleet(sampleplan::node(), sampleplan::fabric(), nodes);
    facts.costs.figures = {costFigure("node_usd", 300000), costFigure("rent_usd_per_hour", 2.5),
        costFigure("usd_per_kwh", 0.08), costFigure("storage_usd_per_tb", 400), costFigure("support_share", 0.1),
        costFigure("staff_usd", 110000), costFigure("colocation_usd_per_kw_month", 180),
        costFigure("rate_per_node_day", 0.00379)};
    facts.costs.figures.front().olderThanAYear = true;
    facts.costs.network = {.switchPart = part("Switch", 1720, 38000),
        .switchPorts = 64,
        .portsPerCage = 2,
        .managementSwitch = part("Management switch", 100, 6500),
        .switchTransceiver = part("Twin transceiver", 17, 1600),
        .nodeTransceiver = part("Transceiver", 9, 900)};
    facts.costs.network.nodeTransceiver->cablePricePerMetre = 1.6;
    return facts;
}

Fleet fleetOf(FleetFacts facts) { return Fleet::create(std::move(facts)).value(); }

CostSheet sheetOf(const Fleet &fleet)
{
    auto sheet = fleetCost(fleet);
    if (!sheet)
        throw std::runtime_error(sheet.error().field + ": " + sheet.error().message);
    return std::move(*sheet);
}

const FleetBillLine *lineOf(const std::vector<FleetBillLine> &lines, std::string_view key)
{
    const auto found = std::ranges::find(lines, key, &FleetBillLine::key);
    return found == lines.end() ? nullptr : &*found;
}

const FleetFigureLine &figureOf(const std::vector<FleetFigureLine> &lines, std::string_view key)
{
    return *std::ranges::find(lines, key, &FleetFigureLine::key);
}

double sumOf(const std::vector<FleetBillLine> &lines)
{
    double sum = 0;
    for (const auto &line : lines)
        sum += line.isTotal ? 0 : line.amount.value_or(0);
    return sum;
}

constexpr double cent = 0.005;

} // namespace

class FleetTablesTest : public QObject {
    Q_OBJECT
private slots:
    void theBillAddsUpToTheCapital();
    void tiersAreThoseOfTheNetwork();
    void aNetworkWithoutPriceIsOneLine();
    void sharesAddUp();
    void goodputWaitsForTheCheckpoint();
    void sparesAreThoseOfTheBlock();
    void sparesAreOrderedWhereAsked();
    void cashFlowLeavesOutWhatIsNothing();
    void whatIsNotKnownIsNotANumber();
    void theContractAdmitsTheLargestFleet();
    void wordsSayWhatTheRowsSay();
    void rangesOfOneTableMeanOneThing();
    void entriesSayWhereTheyAreFrom();
    void typedEntries_data();
    void typedEntries();
    void textsOfValues();
};

void FleetTablesTest::theBillAddsUpToTheCapital()
{
    for (const int nodes : {1, 8, 127, 512, 2048, 8000}) {
        const auto fleet = fleetOf(pricedFleet(nodes));
        const auto sheet = sheetOf(fleet);
        const auto lines = billOfMaterials(fleet, sheet);
        QVERIFY(lines.back().isTotal);
        QCOMPARE(*lines.back().amount, *sheet.value("capital_usd"));
        QVERIFY2(std::abs(sumOf(lines) - *lines.back().amount) < cent, qPrintable(QString::number(nodes)));
        for (const auto &line : lines)
            if (line.count && line.price && line.amount) // a line is its count times its price
                QVERIFY(std::abs(*line.count * *line.price - *line.amount) < cent);
    }
}

void FleetTablesTest::tiersAreThoseOfTheNetwork()
{
    const auto fleet = fleetOf(pricedFleet());
    const auto sheet = sheetOf(fleet);
    const auto lines = billOfMaterials(fleet, sheet);
    const auto &network = *sheet.network();
    QCOMPARE(*lineOf(lines, "leaf_switches_usd")->count, double(network.training.leafSwitches));
    QCOMPARE(*lineOf(lines, "spine_switches_usd")->count, double(network.training.spineSwitches));
    QCOMPARE(*lineOf(lines, "core_switches_usd")->count, double(network.training.coreSwitches));
    QCOMPARE(network.training.leafSwitches, 128); // 4,096 ports, 32 down
    QCOMPARE(*lineOf(lines, "switch_transceivers_usd")->count, double(network.training.switchTransceivers));
    QCOMPARE(*lineOf(lines, "out_of_band_switches_usd")->price, 6500.0);
    QCOMPARE(lineOf(lines, "out_of_band_switches_usd")->item, std::string("Management switch"));
    QVERIFY(lineOf(lines, "used_nodes_usd")->isOld && !lineOf(lines, "leaf_switches_usd")->isOld);
    QVERIFY(!lineOf(lines, "spare_nodes_usd")); // none
    const auto small = fleetOf(pricedFleet(8));
    QVERIFY(!lineOf(billOfMaterials(small, sheetOf(small)), "core_switches_usd"));
}

void FleetTablesTest::aNetworkWithoutPriceIsOneLine()
{
    auto facts = pricedFleet();
    facts.costs.network.switchTransceiver = part("Twin transceiver", 17, std::nullopt);
    const auto fleet = fleetOf(facts);
    const auto sheet = sheetOf(fleet);
    const auto lines = billOfMaterials(fleet, sheet);
    QVERIFY(std::abs(sumOf(lines) - *sheet.value("capital_usd")) < cent);
    QVERIFY(lineOf(lines, "network_usd")->amount && !lineOf(lines, "network_usd")->note.empty());
    const auto *leaves = lineOf(lines, "leaf_switches_usd");
    QVERIFY(leaves && *leaves->count > 0 && !leaves->amount && !leaves->note.empty());
    // One figure that somebody enters stands for the network too.
    auto entered = pricedFleet();
    entered.costs.figures.push_back(costFigure("network_usd", 1e7));
    const auto other = fleetOf(entered);
    const auto bill = billOfMaterials(other, sheetOf(other));
    QCOMPARE(*lineOf(bill, "network_usd")->amount, 1e7);
    QVERIFY(std::abs(sumOf(bill) - *bill.back().amount) < cent);
}

void FleetTablesTest::sharesAddUp()
{
    const auto sheet = sheetOf(fleetOf(pricedFleet()));
    for (const auto section : {FleetSection::Power, FleetSection::Capital, FleetSection::Running}) {
        double sum = 0;
        for (const auto &line : figuresOf(section, sheet))
            sum += line.share.value_or(0);
        QVERIFY2(std::abs(sum - 1) < 1e-12, std::string(toString(section)).c_str());
    }
    const auto power = figuresOf(FleetSection::Power, sheet);
    QCOMPARE(figureOf(power, "node_peak_w").note, std::string("stated"));
    const auto capital = figuresOf(FleetSection::Capital, sheet);
    const auto &nodes = figureOf(capital, "nodes_usd");
    QCOMPARE(nodes.value->likely, 512 * 300000.0);
    // A quote older than a year: a fifth to either side, of which eight draws in ten lie within the tenths.
    const auto tenths = [](double share) {
        return 512 * uncertainty::quantile({"node_usd", uncertainty::Shape::Triangular, 240e3, 300e3, 360e3}, share);
    };
    QVERIFY(std::abs(nodes.value->low / tenths(0.1) - 1) < 1e-3);
    QVERIFY(std::abs(nodes.value->high / tenths(0.9) - 1) < 1e-3);
    const auto running = figuresOf(FleetSection::Running, sheet);
    QCOMPARE(figureOf(running, "expenses_usd").value->likely, sheet.sheet().columns("expenses_usd")[1]);
    QVERIFY(figureOf(running, "expenses_usd").value->low < figureOf(running, "expenses_usd").value->likely);
}

void FleetTablesTest::goodputWaitsForTheCheckpoint()
{
    auto facts = pricedFleet(2048);
    const auto without = figuresOf(FleetSection::Goodput, sheetOf(fleetOf(facts)));
    QVERIFY(!figureOf(without, "productive_share").value);
    QVERIFY(
        figureOf(without, "productive_share").note.find("Time that a checkpoint blocks training") != std::string::npos);
    COMPARE_NEAR(figureOf(without, "failures_per_day").value->likely, 2048 * 0.00379);
    facts.costs.figures.push_back(costFigure("checkpoint_s", 60));
    const auto with = figuresOf(FleetSection::Goodput, sheetOf(fleetOf(facts)));
    const auto expected = goodput({.nodes = 2048,
        .failuresPerNode = Frequency::from_value(0.00379 / 86400),
        .checkpointWrite = 60.0 * second,
        .restart = ReliabilityConstants().recovery});
    QVERIFY(expected.has_value());
    COMPARE_NEAR(figureOf(with, "productive_share").value->likely, expected->goodput);
}

void FleetTablesTest::sparesAreThoseOfTheBlock()
{
    auto facts = pricedFleet(2048);
    facts.costs.figures.push_back(costFigure("repair_days", 2));
    facts.costs.figures.push_back(costFigure("hardware_share", 0.5));
    const auto sheet = sheetOf(fleetOf(facts));
    const auto lines = figuresOf(FleetSection::Goodput, sheet);
    const auto expected = spares({.nodes = 2048,
        .failuresPerNode = Frequency::from_value(0.00379 * 0.5 / 86400),
        .repair = Seconds::from_value(2 * 86400.0)});
    QCOMPARE(figureOf(lines, "spares_needed").value->likely, double(expected->nodes));
    COMPARE_NEAR(figureOf(lines, "nodes_in_repair").value->likely, expected->meanDown);
}

void FleetTablesTest::sparesAreOrderedWhereAsked()
{
    auto facts = pricedFleet(2048);
    const auto without = sheetOf(fleetOf(facts));
    QCOMPARE(without.value("spare_nodes").value(), 0.0);
    const auto stated = [](const char *entry, double likely) { // without the range of a price
        return CostFigure{.entry = entry, .likely = likely, .source = "a quotation"};
    };
    auto yes = stated("order_spares", 0);
    yes.word = "yes";
    facts.costs.figures.push_back(yes);
    const auto with = sheetOf(fleetOf(facts));
    const double needed = double(sparesNeeded(without).value());
    QVERIFY(needed > 0);
    QCOMPARE(with.value("spare_nodes").value(), needed);
    COMPARE_NEAR(with.value("spare_nodes_usd").value(), needed * with.value("node_usd").value());
    QVERIFY(with.value("capital_usd").value() > without.value("capital_usd").value());
    QVERIFY(std::ranges::none_of(
        with.notices(), [](const std::string &notice) { return notice.contains("spare ones suffice"); }));
    // Of nodes that are owned already those are there: the others are bought.
    facts.costs.figures.push_back(stated("owned_nodes", 1024));
    const auto extended = sheetOf(fleetOf(facts));
    const auto half = sheetOf(fleetOf(pricedFleet(1024)));
    QCOMPARE(extended.value("spare_nodes").value(), needed - double(sparesNeeded(half).value()));
    COMPARE_NEAR(extended.value("owned_nodes_usd").value(), 1024 * with.value("node_usd").value());
    // A number that somebody states counts.
    facts.costs.figures.push_back(stated("spare_nodes", 3));
    const auto own = sheetOf(fleetOf(facts));
    QCOMPARE(own.value("spare_nodes").value(), 3.0);
    COMPARE_NEAR(own.value("owned_nodes_usd").value(), 1027 * with.value("node_usd").value()); // they are there, too
}

void FleetTablesTest::cashFlowLeavesOutWhatIsNothing()
{
    const auto sheet = sheetOf(fleetOf(pricedFleet()));
    const auto lines = cashFlowOf(sheet);
    const auto has = [&](std::string_view key) {
        return std::ranges::find(lines, key, &FleetYearsLine::key) != lines.end();
    };
    QVERIFY(has("energy_by_year_usd") && has("expenses_usd") && has("cash_flow_usd"));
    QVERIFY(!has("interest_usd") && !has("values_usd")); // no loan, and nobody says what an hour is worth
    for (const auto &line : lines)
        QCOMPARE(line.years.size(), std::size_t(6));
}

/// Without a tariff no running cost is known: its rows go, and the notices say what to enter.
void FleetTablesTest::whatIsNotKnownIsNotANumber()
{
    auto facts = pricedFleet();
    std::erase_if(facts.costs.figures, [](const CostFigure &figure) { return figure.entry == "usd_per_kwh"; });
    facts.site.energyPrice.reset();
    const auto sheet = sheetOf(fleetOf(facts));
    for (const auto &line : cashFlowOf(sheet))
        for (const double value : line.years)
            QVERIFY2(std::isfinite(value), line.key.c_str());
    QVERIFY(sheet.sheet().columns("cash_flow_usd").empty() && !sheet.value("npv_usd"));
    QVERIFY(std::ranges::any_of(
        sheet.notices(), [](const std::string &notice) { return notice.contains("Electricity tariff"); }));
}

void FleetTablesTest::theContractAdmitsTheLargestFleet()
{
    const auto fleet = fleetOf(pricedFleet());
    const auto most = mostNodesWithin(fleet, 10e6 * watt);
    QVERIFY(most && *most > 100);
    const auto peak = [&](int nodes) { return *sheetOf(fleetOf(pricedFleet(nodes))).value("facility_peak_w"); };
    QVERIFY(peak(*most) <= 10e6 && peak(*most + 1) > 10e6);
    QCOMPARE(*mostNodesWithin(fleet, 100.0 * watt), 0);
    for (const double watts : {0.0, -1.0, std::nan("")})
        QCOMPARE(mostNodesWithin(fleet, watts * watt).error().field, std::string("contract"));
}

void FleetTablesTest::wordsSayWhatTheRowsSay()
{
    const auto fleet = fleetOf(pricedFleet());
    const auto sheet = sheetOf(fleet);
    std::string text;
    for (const auto &sentence : buyOrRentInWords(fleet, sheet))
        text += sentence + ' ';
    QVERIFY(text.find("on demand") != std::string::npos && text.find("5 years") != std::string::npos);
    const auto month = sheet.value("crossing_month");
    if (month)
        QVERIFY(text.find("month " + std::to_string(int(*month))) != std::string::npos);
    QVERIFY(text.find("hours in use alone") != std::string::npos);
    auto facts = pricedFleet();
    const auto firstWhere = [&](bool isPrice) {
        for (auto &figure : facts.costs.figures)
            if (figure.entry == "rent_usd_per_hour") {
                figure.isPrice = isPrice;
                figure.low = figure.likely / 2;
                figure.high = figure.likely * 3;
            }
        const auto quoted = fleetOf(facts);
        return buyOrRentInWords(quoted, sheetOf(quoted)).front();
    };
    const auto entered = firstWhere(false), quoted = firstWhere(true);
    QVERIFY2(!entered.contains("quotes"), entered.c_str());
    QVERIFY2(quoted.contains(" USD rented on demand (quotes from ") && quoted.ends_with(")."), quoted.c_str());
    facts.costs.rentTerm = RentTerm::Reserved3y; // which nobody pays by the hour in use
    for (auto &figure : facts.costs.figures)
        figure.isPrice = figure.isPrice || figure.entry == "rent_usd_per_hour";
    const auto reserved = fleetOf(facts);
    for (const auto &sentence : buyOrRentInWords(reserved, sheetOf(reserved)))
        QVERIFY(sentence.find("hours in use alone") == std::string::npos);
    std::erase_if(facts.costs.figures, [](const CostFigure &figure) { return figure.entry == "rent_usd_per_hour"; });
    facts.costs.missing.push_back({"rent_usd_per_hour", "Nobody rents these."});
    const auto without = fleetOf(facts);
    QCOMPARE(buyOrRentInWords(without, sheetOf(without)), std::vector<std::string>{"Nobody rents these."});
}

/// A rent stands beside what it makes of a year: eight draws in ten of both, not the ends of the quotes.
void FleetTablesTest::rangesOfOneTableMeanOneThing()
{
    auto facts = pricedFleet();
    auto &rent = *std::ranges::find(facts.costs.figures, std::string("rent_usd_per_hour"), &CostFigure::entry);
    rent.low = 1.5;
    rent.high = 4;
    const auto sheet = sheetOf(fleetOf(facts));
    const auto ends = *sheet.range("rent_usd_per_hour");
    QVERIFY(ends.low == 1.5 && ends.high == 4);
    const auto lines = figuresOf(FleetSection::Rent, sheet);
    const auto hour = *figureOf(lines, "rent_usd_per_hour").value, year = *figureOf(lines, "rent_usd_per_year").value;
    QVERIFY(hour.low > ends.low && hour.high < ends.high && hour.likely == 2.5);
    QVERIFY(std::abs(year.low / year.likely - hour.low / hour.likely) < 1e-6);
    QVERIFY(std::abs(year.high / year.likely - hour.high / hour.likely) < 1e-6);
    QVERIFY(rangeText(figureOf(lines, "rent_usd_per_hour")).starts_with("2.50"));
    rent.likely = 3;
    QVERIFY(rangeText(figureOf(figuresOf(FleetSection::Rent, sheetOf(fleetOf(facts))), "rent_usd_per_hour"))
                .starts_with("3.00"));
}

void FleetTablesTest::entriesSayWhereTheyAreFrom()
{
    const auto fleet = fleetOf(pricedFleet());
    FleetDocument document;
    document.costs.entries["node_usd"] = {.value = std::string("price_of_mine")};
    const auto lines = entriesOf(document, fleet, sheetOf(fleet));
    const auto line = [&](std::string_view key) { return *std::ranges::find(lines, key, &FleetEntryLine::key); };
    QVERIFY(line("node_usd").origin == EntryOrigin::OfFleet);
    QCOMPARE(line("node_usd").priceId, std::string("price_of_mine"));
    QVERIFY(line("rent_usd_per_hour").origin == EntryOrigin::OfCatalog);
    QVERIFY(line("life_years").origin == EntryOrigin::Assumed);
    QCOMPARE(*line("life_years").value, 5.0);
    QVERIFY(line("accelerator_usd").origin == EntryOrigin::Missing);
    QVERIFY(std::ranges::find(lines, "nodes", &FleetEntryLine::key) == lines.end());
    for (const auto &one : lines)
        QVERIFY2(!one.group.empty(), one.key.c_str());
}

void FleetTablesTest::typedEntries_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("part");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("answer"); ///< "likely" or "low likely high", a word, a flag; empty: refused
    const auto row = [](const char *key, EntryPart part, const char *text, const char *answer) {
        QTest::addRow("%s %s", key, text)
            << QString::fromUtf8(key) << int(part) << QString::fromUtf8(text) << QString::fromUtf8(answer);
    };
    row("node_usd", EntryPart::Likely, "250e3", "250000");
    row("node_usd", EntryPart::Likely, " 310 000 ", "310000");
    row("node_usd", EntryPart::Likely, "cheap", "");
    row("node_usd", EntryPart::Low, "250000", "250000 300000 360000");
    row("node_usd", EntryPart::Low, "", "300000");
    row("utilisation", EntryPart::Likely, "85 %", "0.85");
    row("utilisation", EntryPart::Low, "0.5", "0.5 1 1");
    row("cooling", EntryPart::Likely, "liquid", "liquid");
    row("cooling", EntryPart::Likely, "water", "");
    row("cooling", EntryPart::High, "1", "");
    row("colocation_includes_energy", EntryPart::Likely, "yes", "true");
    row("accelerator_usd", EntryPart::Low, "1", ""); // no value yet
}

void FleetTablesTest::typedEntries()
{
    QFETCH(QString, key);
    QFETCH(int, part);
    QFETCH(QString, text);
    QFETCH(QString, answer);
    const auto fleet = fleetOf(pricedFleet());
    const auto lines = entriesOf({}, fleet, sheetOf(fleet));
    const auto line = *std::ranges::find(lines, key.toStdString(), &FleetEntryLine::key);
    const auto entry = typedEntry(line, {}, EntryPart(part), text.toStdString());
    QCOMPARE(entry.has_value(), !answer.isEmpty());
    if (!entry) {
        QCOMPARE(entry.error().field, "fleet.costs." + key.toStdString());
        QVERIFY(entry.error().message.size() > 10);
        return;
    }
    QStringList found;
    if (const auto *word = std::get_if<std::string>(&entry->value)) {
        QCOMPARE(QString::fromStdString(*word), answer);
        return;
    }
    if (const auto *flag = std::get_if<bool>(&entry->value)) {
        QCOMPARE(*flag, answer == QLatin1String("true"));
        return;
    }
    for (const auto &value : {entry->low, std::optional(std::get<double>(entry->value)), entry->high})
        if (value)
            found << QString::number(*value, 'g', 10);
    QCOMPARE(found.join(u' '), answer);
}

void FleetTablesTest::textsOfValues()
{
    QCOMPARE(centsText(1234567.891), std::string("1\u202f234\u202f567.89"));
    QCOMPARE(centsText(-0.05), std::string("-0.05"));
    QCOMPARE(centsText(0.999), std::string("1.00"));
    QCOMPARE(valueText(6.97e6, "W"), units::format(6.97e6 * watt));
    QCOMPARE(valueText(10200, "W/node"), std::string("10.2\u00a0kW/node"));
    QCOMPARE(rangeText({1.4e6, 1.48e6, 1.68e6}, "USD"), std::string("1.48\u00a0MUSD (1.40 to 1.68)"));
    QCOMPARE(rangeText({2, 2, 2}, "USD/(accelerator h)"), std::string("2.00\u00a0USD/(accelerator h)"));
    QCOMPARE(rangeTexts({900e3, 1e6, 1.1e6}, "W").unit, std::string("MW")); // one unit for all of it
    QCOMPARE(valueText(31, "month"), std::string("31\u00a0months"));
}

FLEETWRIGHT_TEST(FleetTablesTest)
#include "tst_fleettables.moc"
