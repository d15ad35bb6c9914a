// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/calendarday.h"
#include "exchange/documents.h"
#include "exchange/exchangetesting.h"
#include "exchange/offerdocuments.h"
#include "exchange/sampleoffer.h"
#include "solver/offers/offercomparison.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace fleetwright;
using namespace exchangetesting;
using namespace Qt::StringLiterals;

namespace {

OfferDocument offerOf(const std::string &text)
{
    auto offer = exchange::offerFromText(text);
    if (!offer)
        throw std::runtime_error(offer.error().field + ": " + offer.error().message);
    return std::move(*offer);
}

NormalOffer normalOf(const OfferDocument &offer)
{
    auto normal = normalise(offer, shipped());
    if (!normal)
        throw std::runtime_error(normal.error().field + ": " + normal.error().message);
    return std::move(*normal);
}

CostSheet sheetOf(const FleetDocument &fleet) { return fleetCost(resolve(fleet, shipped()).value()).value(); }

OfferComparison comparisonOf(const std::vector<OfferDocument> &offers, const OfferComparing &comparing = {})
{
    auto comparison = compareOffers(offers, shipped(), comparing);
    if (!comparison)
        throw std::runtime_error(comparison.error().field + ": " + comparison.error().message);
    return std::move(*comparison);
}

const OfferRow &rowOf(const OfferComparison &comparison, std::string_view key)
{
    const auto found = std::ranges::find(comparison.rows, key, &OfferRow::key);
    if (found == comparison.rows.end())
        throw std::runtime_error("no row");
    return *found;
}

const OfferMark *markOf(const NormalOffer &offer, OfferPart part)
{
    const auto found = std::ranges::find(offer.marks, part, &OfferMark::part);
    return found == offer.marks.end() ? nullptr : &*found;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

std::chrono::sys_days dayOf(const char *text) { return dateFromText(text).value(); }

} // namespace

class OffersTest : public QObject {
    Q_OBJECT
private slots:
    void documentsComeBack_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("bundle") << QByteArray(sampleoffer::bundle);
        QTest::newRow("nodes alone") << QByteArray(sampleoffer::nodesOnly);
        QTest::newRow("rented") << QByteArray(sampleoffer::rented);
    }

    void documentsComeBack()
    {
        QFETCH(QByteArray, text);
        const auto offer = offerOf(text.toStdString());
        QVERIFY(exchange::offerFromJson(exchange::offerToJson(offer)) == offer);
        QVERIFY(exchange::offerFromText(exchange::offerToYaml(offer)) == offer);
        const auto document = exchange::documentFromText(text.toStdString());
        QVERIFY(document && std::get<OfferDocument>(*document) == offer);
        QCOMPARE(exchange::kindOf(*document), std::string_view("offer"));
        QVERIFY(exchange::checkReferences(*document, shipped()).has_value());
    }

    void refusals_data()
    {
        addRefusalColumns();
        toldRefusalRow("no vendor", "vendor: Example Systems\n", "", "missing_field", "vendor", "");
        toldRefusalRow("no name", "offer: Bundle with support", "offer: ''", "missing_field", "offer", "name");
        toldRefusalRow("unknown key", "payment_terms", "payment", "unsupported_value", "payment", "payment_terms");
        toldRefusalRow("not a day", "2027-01-31", "2027-02-31", "unsupported_value", "valid_until", "2027-03-31");
        toldRefusalRow("currency in words", "EUR", "euro", "unsupported_value", "currency", "USD or EUR");
        toldRefusalRow("quantity 0", "quantity: 104", "quantity: 0", "out_of_range", "lines[0].quantity", "0");
        toldRefusalRow(
            "negative price", "unit_price: 380", "unit_price: -1", "out_of_range", "lines[3].unit_price", "0");
        toldRefusalRow("no price", ", unit_price: 5.2e6", "", "missing_field", "lines[2].unit_price", "currency");
        toldRefusalRow("per cent", "discount: 0.08", "discount: 8", "out_of_range", "lines[0].discount", "0.08");
        toldRefusalRow("no such part", "part: installation", "part: instalation", "unsupported_value", "lines[4].part",
            "installation");
        toldRefusalRow("part twice", "[racks, freight]", "[racks, racks]", "unsupported_value", "scope[0]", "once");
        toldRefusalRow("nodes in scope", "[racks, freight]", "[nodes]", "unsupported_value", "scope[0]", "line");
        toldRefusalRow(
            "support without years", "[racks, freight]", "[support]", "missing_field", "support_years", "years");
        toldRefusalRow("half a year", "warranty_years: 2", "warranty_years: 2.5", "out_of_range", "warranty_years", "");
        toldRefusalRow("rent beside lines", "warranty_years: 2", "rent: {per_accelerator_hour: 2}", "unsupported_value",
            "lines", "extras");
    }

    void refusals()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, code);
        QFETCH(QString, field);
        QFETCH(QString, sentence);
        const auto offer = exchange::offerFromText(edited(sampleoffer::bundle, from, to));
        QVERIFY(!offer);
        QCOMPARE(QString::fromUtf8(toString(offer.error().code).data()), code);
        QCOMPARE(QString::fromStdString(offer.error().field), field);
        QVERIFY2(offer.error().message.contains(sentence.toStdString()), offer.error().message.c_str());
    }

    /// What the catalog and the fleet make of it.
    void refusalsOfTheCatalog_data()
    {
        addRefusalColumns();
        toldRefusalRow("nodes missing", "quantity: 104", "quantity: 96", "out_of_range", "lines",
            "have 96 nodes, and the fleet of the offer has 104");
        toldRefusalRow(
            "unknown item", "item: ib_ndr", "item: ib_ndrr", "unknown_reference", "lines[2].item", "did you mean");
        toldRefusalRow("another node", "item: nvidia_dgx_b200, quantity: 104", "item: nvidia_dgx_h100, quantity: 104",
            "unsupported_value", "lines[0].item", "correct one of them");
        toldRefusalRow("no rate", "EUR", "XXX", "unknown_reference", "currency", "exchange rate");
        toldRefusalRow("no such node", "{node: nvidia_dgx_b200,", "{node: nvidia_dgx_b2000,", "unknown_reference",
            "fleet.node", "");
        toldRefusalRow("a price twice", "fabric: ib_ndr}", "fabric: ib_ndr, costs: {node_usd: 3}}", "unsupported_value",
            "fleet.costs.node_usd", "clear node_usd");
        toldRefusalRow("years twice", "warranty_years: 2", "support_years: 5", "unsupported_value", "support_years",
            "3 years of support");
        toldRefusalRow("half a spare node", "quantity: 2,", "quantity: 2.5,", "out_of_range", "lines", "whole number");
        toldRefusalRow("installation of gold", "unit_price: 450000", "unit_price: 4.5e9", "out_of_range", "lines",
            "correct the line");
    }

    void refusalsOfTheCatalog()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, code);
        QFETCH(QString, field);
        QFETCH(QString, sentence);
        const auto normal = normalise(offerOf(edited(sampleoffer::bundle, from, to)), shipped());
        QVERIFY(!normal);
        QCOMPARE(QString::fromUtf8(toString(normal.error().code).data()), code);
        QCOMPARE(QString::fromStdString(normal.error().field), field);
        QVERIFY2(normal.error().message.contains(sentence.toStdString()), normal.error().message.c_str());
        QVERIFY(normal.error().message.ends_with('.') || normal.error().message.ends_with('?'));
    }

    void anExpiredOfferIsRefused()
    {
        const auto offer = offerOf(sampleoffer::bundle);
        QVERIFY(normalise(offer, shipped(), {.asOf = dayOf("2027-01-31")}).has_value());
        const auto late = normalise(offer, shipped(), {.asOf = dayOf("2027-02-01")});
        QVERIFY(!late && late.error().field == "valid_until");
        QVERIFY(late.error().message.contains("2027-01-31: ask for a new one"));
        QVERIFY(normalise(offerOf(sampleoffer::rented), shipped(), {.asOf = dayOf("2099-01-01")}).has_value());
    }

    /// Every line of the offer stands in the sheet of the fleet, in US dollars.
    void pricesArePlainEntriesOfTheFleet()
    {
        const auto offer = offerOf(sampleoffer::bundle);
        const auto normal = normalOf(offer);
        const double rate = *shipped().find(CatalogKind::Currency, "eur")->number("units_per_usd");
        QCOMPARE(normal.unitsPerUsd, rate);
        const auto sheet = sheetOf(normal.fleet);
        const auto dollars = [&](std::size_t line) { return offer.lines[line].amount() / rate; };
        QVERIFY(near(*sheet.value("nodes_usd"), dollars(0) + dollars(1)));
        QCOMPARE(*sheet.value("spare_nodes"), 2.0);
        QVERIFY(near(*sheet.value("network_usd"), dollars(2)));
        QVERIFY(near(*sheet.value("installation_usd"), dollars(4)));
        QVERIFY(near(*sheet.value("support_once_usd"), dollars(5)));
        QCOMPARE(*sheet.value("warranty_years"), 3.0); // of support and warranty the longer
        QCOMPARE(*sheet.value("delivery_weeks"), 26.0);
        QVERIFY(near(*sheet.value("colocation_usd_per_kw_month"), 140 / rate));
        QCOMPARE(*sheet.value("racks_power_usd"), 0.0);
        QVERIFY(markOf(normal, OfferPart::Racks)->kind == OfferMark::Kind::Included);
        // Half of the storage is offered; the rest is at the catalog's price.
        auto plain = offer.fleet;
        const auto catalogs = sheetOf(plain);
        const double needed = *catalogs.value("storage_tb"), price = *catalogs.value("storage_usd_per_tb");
        QVERIFY(needed > 800 && price > 0);
        QVERIFY(near(*sheet.value("storage_usd"), dollars(3) + (needed - 800) * price));
        QVERIFY(near(markOf(normal, OfferPart::Storage)->usd, (needed - 800) * price));
        // Somebody sizes with it and knows of no offer.
        QVERIFY(exchange::fleetFromJson(exchange::fleetToJson(normal.fleet)) == normal.fleet);
    }

    void whatIsMissingIsAddedAndMarked()
    {
        const auto offer = offerOf(sampleoffer::nodesOnly);
        const auto normal = normalOf(offer);
        const auto sheet = sheetOf(normal.fleet), catalogs = sheetOf(offer.fleet);
        QVERIFY(near(*sheet.value("nodes_usd"), 832 * 62000.0));
        QVERIFY(near(*sheet.value("network_usd"), *catalogs.value("network_usd")));
        for (const auto &[part, row] : {std::pair{OfferPart::Network, "network_usd"},
                 {OfferPart::Storage, "storage_usd"}, {OfferPart::Installation, "installation_usd"}}) {
            const auto *mark = markOf(normal, part);
            QVERIFY(mark && mark->kind == OfferMark::Kind::Added && near(mark->usd, *sheet.value(row)));
            QVERIFY(mark->sentence.ends_with("at catalog prices."));
        }
        QVERIFY(!markOf(normal, OfferPart::Nodes));
        QVERIFY(markOf(normal, OfferPart::Support)->sentence.starts_with("Support from year 1 to 5"));
        QVERIFY(!markOf(normal, OfferPart::Licences)); // in nobody's scope
        QVERIFY(markOf(normalise(offer, shipped(), {.asOf = {}, .licences = true}).value(), OfferPart::Licences));
    }

    /// A line that has no price yet buys nothing: its part costs what the catalog says, and that is told.
    void aLineWithoutAPriceCountsAsNothing()
    {
        const auto offer = offerOf(sampleoffer::nodesOnly);
        for (const auto part : {OfferPart::Network, OfferPart::Storage, OfferPart::Installation, OfferPart::Support,
                 OfferPart::Licences, OfferPart::Freight}) {
            auto more = offer;
            more.lines.push_back(
                {.item = std::string(toString(part)), .part = {}, .quantity = 1, .unitPrice = 0, .discount = 0});
            const OfferScope scope{.asOf = {}, .licences = true};
            const auto before = totalsOf(offer, shipped(), scope), now = totalsOf(more, shipped(), scope);
            QVERIFY(before && now);
            QVERIFY2(near(now->capital_usd, before->capital_usd) && near(now->presentCost_usd, before->presentCost_usd),
                toString(part).data());
            const auto normal = normalise(more, shipped(), scope).value();
            const auto *mark = markOf(normal, part);
            QVERIFY2(
                mark && mark->sentence.find("not priced in the offer") != std::string::npos, toString(part).data());
            QVERIFY(std::ranges::find(normal.offered, part) == normal.offered.end());
        }
        auto network = offer;
        network.lines.push_back({.item = "network", .part = {}, .quantity = 1, .unitPrice = 0, .discount = 0});
        const auto comparison = comparisonOf({offer, network});
        const auto &row = rowOf(comparison, "network_usd");
        QVERIFY(row.cells[1].from == OfferCell::From::Added && *row.cells[1].value == *row.cells[0].value);
        QVERIFY(textOf(row, row.cells[1]).ends_with(" *"));
        // Free is what has a discount of all of its price.
        network.lines.back().discount = 1;
        QVERIFY(*rowOf(comparisonOf({offer, network}), "network_usd").cells[1].value == 0);
        // Beside a line with a price the other one is told of.
        network.lines.back() = {.item = "network", .part = {}, .quantity = 1, .unitPrice = 1e6, .discount = 0};
        network.lines.push_back({.item = "network", .part = {}, .quantity = 1, .unitPrice = 0, .discount = 0});
        const auto both = normalOf(network);
        QVERIFY(std::ranges::any_of(both.notices, [](const std::string &notice) {
            return notice.find("no price and counts as nothing") != std::string::npos;
        }));
    }

    /// Whose delivery the catalog knows is told so in the words, too.
    void deliveryOfTheCatalogIsMarked()
    {
        auto offer = offerOf(sampleoffer::nodesOnly);
        offer.deliveryWeeks.reset();
        const auto comparison = comparisonOf({offer, offer});
        QVERIFY2(comparison.sentences.back().ends_with("weeks * with both."), comparison.sentences.back().c_str());
        offer.deliveryWeeks = 12;
        const auto stated = comparisonOf({offer, offer});
        QVERIFY2(stated.sentences.back().ends_with("weeks with both."), stated.sentences.back().c_str());
    }

    /// Lines add up to the totals, differences to the difference, and the words tell them.
    void linesAddUp()
    {
        const auto comparison = comparisonOf(
            {offerOf(sampleoffer::bundle), offerOf(sampleoffer::nodesOnly), offerOf(sampleoffer::rented)});
        for (std::size_t offer = 0; offer < 3; ++offer) {
            double capital = 0, all = 0;
            for (const auto &row : comparison.rows)
                if (row.unit == "USD" && !row.isTotal && row.section != OfferSection::Figures) {
                    all += row.cells[offer].value.value_or(0);
                    capital += row.section == OfferSection::Capital ? row.cells[offer].value.value_or(0) : 0;
                }
            QVERIFY(near(capital, *rowOf(comparison, "capital_usd").cells[offer].value));
            QVERIFY(near(all, comparison.offers[offer].presentCost_usd));
            QVERIFY(near(all, *rowOf(comparison, "present_cost_usd").cells[offer].value));
        }
        // Levelised as the fleet page has it.
        QVERIFY(near(*rowOf(comparison, "levelised_usd").cells[0].value,
            *comparison.offers[0].costs->value("levelised_nominal_usd")));
        QCOMPARE(*rowOf(comparison, "capital_usd").cells[2].value, 0.0);
        QVERIFY(rowOf(comparison, "network_usd").cells[0].from == OfferCell::From::Offered);
        QVERIFY(rowOf(comparison, "network_usd").cells[1].from == OfferCell::From::Added);
        QVERIFY(rowOf(comparison, "support_once_usd").cells[0].from == OfferCell::From::Offered);
        QVERIFY(rowOf(comparison, "support_by_year_usd").cells[0].from == OfferCell::From::Added);
        QVERIFY(rowOf(comparison, "racks_power_usd").cells[0].from == OfferCell::From::Included);
        const auto &first = comparison.sentences.front();
        QVERIFY2(first.contains("\u201cNodes alone\u201d is ") && first.contains(" over 5 years (present cost ")
                && first.contains(" nodes") && first.ends_with('.'),
            first.c_str());
    }

    /// What one offer adds up to is what stands in its column of a comparison, every part of the capital told.
    void totalsAreThoseOfAComparison()
    {
        for (const auto *text : {sampleoffer::bundle, sampleoffer::nodesOnly}) {
            const auto offer = offerOf(text);
            const auto totals = totalsOf(offer, shipped());
            QVERIFY(totals.has_value());
            const auto comparison = comparisonOf({offer, offer});
            const auto &costs = *comparison.offers[0].costs;
            QVERIFY(near(totals->capital_usd, *rowOf(comparison, "capital_usd").cells[0].value));
            QVERIFY(near(totals->presentCost_usd, comparison.offers[0].presentCost_usd));
            QVERIFY(near(totals->lines_usd * comparison.offers[0].normal.unitsPerUsd, linesTotal(offer)));
            const double other = costs.value("contingency_usd").value_or(0) + costs.value("facility_usd").value_or(0);
            QVERIFY(near(totals->contingency_usd + totals->facility_usd, other));
            QVERIFY(near(totals->lines_usd + totals->added_usd + other, totals->capital_usd));
            QVERIFY2(std::abs(totals->buyers_usd) <= 1e-6 * totals->capital_usd,
                std::to_string(totals->buyers_usd).c_str()); // he states nothing
            QCOMPARE(totals->years, *costs.value("life_years"));
            QCOMPARE(totals->rentYear_usd, 0.0);
        }
        const auto rented = offerOf(sampleoffer::rented);
        const auto totals = totalsOf(rented, shipped());
        QVERIFY(totals && totals->rentYear_usd > 0 && totals->capital_usd == 0 && totals->lines_usd == 0);
        QVERIFY(near(totals->presentCost_usd, comparisonOf({rented, rented}).offers[1].presentCost_usd));
        auto late = rented;
        late.validUntil = dayOf("2020-01-01");
        QCOMPARE(totalsOf(late, shipped(), {.asOf = dayOf("2026-01-01")}).error().field, std::string("valid_until"));
    }

    /// What the buyer states himself, and what he owns already, has its own name in the totals and in a comparison.
    void figuresOfTheBuyerAreTold_data()
    {
        QTest::addColumn<QByteArray>("offer");
        QTest::addColumn<QByteArray>("costs");
        QTest::addColumn<QList<QByteArray>>("rows"); ///< of the worksheet: what his figures price
        const auto add = [](const char *name, const char *offer, const char *costs, const QList<QByteArray> &rows) {
            QTest::newRow(name) << QByteArray(offer) << QByteArray(costs) << rows;
        };
        add("network", sampleoffer::nodesOnly, "network_usd: 3e6", {"network_usd"});
        add("storage", sampleoffer::nodesOnly, "storage_usd_per_tb: 240", {"storage_usd"});
        add("installation", sampleoffer::nodesOnly, "installation_share: 0.04", {"installation_usd"});
        add("racks", sampleoffer::nodesOnly, "racks_usd_per_kw: 900", {"racks_power_usd"});
        add("spare nodes", sampleoffer::nodesOnly, "spare_nodes: 3", {"spare_nodes_usd"});
        add("freight", sampleoffer::nodesOnly, "freight_usd: 2e5", {"freight_usd"});
        add("licences and support", sampleoffer::nodesOnly, "licences_once_usd: 1e5, support_once_usd: 3e5",
            {"licences_once_usd", "support_once_usd"});
        add("contingency", sampleoffer::nodesOnly, "contingency_share: 0.05", {});
        add("building", sampleoffer::nodesOnly, "facility_usd_per_w: 11", {});
        add("owned", sampleoffer::nodesOnly, "owned_nodes: 10", {});
        add("all", sampleoffer::nodesOnly,
            "network_usd: 3e6, storage_usd_per_tb: 240, installation_share: 0.04, racks_usd_per_kw: 900, spare_nodes: "
            "3, contingency_share: 0.05, facility_usd_per_w: 11, owned_nodes: 10",
            {"network_usd", "storage_usd", "installation_usd", "racks_power_usd", "spare_nodes_usd"});
        add("beside lines", sampleoffer::bundle, "contingency_share: 0.05, owned_nodes: 104, management_node_usd: 9000",
            {"management_usd"});
    }
    void figuresOfTheBuyerAreTold()
    {
        QFETCH(QByteArray, offer);
        QFETCH(QByteArray, costs);
        QFETCH(QList<QByteArray>, rows);
        const auto stated = offerOf(edited(
            offer.constData(), u"fabric: ib_ndr}"_s, u"fabric: ib_ndr, costs: {%1}}"_s.arg(QString::fromUtf8(costs))));
        const auto totals = totalsOf(stated, shipped());
        QVERIFY2(totals, totals ? "" : totals.error().message.c_str());
        const auto comparison = comparisonOf({stated, stated});
        const auto &sheet = *comparison.offers[0].costs;
        double buyers = 0;
        for (const auto &row : rows)
            buyers += sheet.value(row.toStdString()).value();
        QVERIFY(rows.isEmpty() || buyers > 0);
        QVERIFY2(std::abs(totals->buyers_usd - buyers) <= 1e-9 * totals->lines_usd,
            (std::to_string(totals->buyers_usd) + ", not " + std::to_string(buyers)).c_str());
        for (const auto &[told, key] : {std::pair(totals->contingency_usd, "contingency_usd"),
                 {totals->facility_usd, "facility_usd"}, {totals->owned_usd, "owned_usd"}}) {
            QVERIFY(near(told, sheet.value(key).value_or(0)));
            QCOMPARE(costs.contains(key == std::string("owned_usd") ? "owned" : QByteArray(key).chopped(4)), told != 0);
        }
        QVERIFY(near(totals->lines_usd + totals->added_usd + totals->buyers_usd + totals->contingency_usd
                + totals->facility_usd + totals->owned_usd,
            totals->capital_usd));
        // Side by side the lines add up to the capital, too.
        double capital = 0;
        for (const auto &row : comparison.rows)
            if (row.section == OfferSection::Capital && !row.isTotal)
                capital += row.cells[0].value.value_or(0);
        QVERIFY(near(capital, totals->capital_usd));
    }

    /// What is missing is told as a whole: paid with the order, and by the year.
    void whatIsMissingByTheYearIsTold()
    {
        const auto offer = offerOf(sampleoffer::nodesOnly);
        const OfferScope scope{.asOf = {}, .licences = true};
        const auto normal = normalise(offer, shipped(), scope).value();
        const auto totals = totalsOf(offer, shipped(), scope).value();
        double marked = 0;
        for (const auto &mark : normal.marks)
            marked += mark.usd;
        QVERIFY(near(totals.added_usd + totals.addedYear_usd, marked));
        QVERIFY(near(
            totals.addedYear_usd, markOf(normal, OfferPart::Support)->usd + markOf(normal, OfferPart::Licences)->usd));
        QVERIFY(totals.addedYear_usd > 0 && totals.added_usd > 0);
    }

    /// Two offers that differ in one line differ by that line.
    void oneLineMakesTheDifference()
    {
        const auto dearer = offerOf(edited(sampleoffer::bundle, u"unit_price: 5.2e6"_s, u"unit_price: 6.2e6"_s));
        auto other = dearer;
        other.name = "Dearer network";
        const auto comparison = comparisonOf({offerOf(sampleoffer::bundle), other});
        const auto &sentence = comparison.sentences.front();
        QVERIFY2(sentence.contains("dearer") && sentence.contains(" network"), sentence.c_str());
        QVERIFY(!sentence.contains("nodes"));
        const auto same = comparisonOf({dearer, other});
        QVERIFY2(same.sentences.front().contains("costs the same as"), same.sentences.front().c_str());
    }

    void daysOfAPlan()
    {
        const auto plan = exchange::planFromText(
            sampleWith(u"fleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}"_s,
                u"fleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr, costs: {checkpoint_s: 30}}"_s))
                              .value();
        const auto comparison = comparisonOf(
            {offerOf(sampleoffer::bundle), offerOf(sampleoffer::nodesOnly)}, {.asOf = {}, .plan = plan});
        const auto &days = rowOf(comparison, "run_days");
        for (const auto &cell : days.cells)
            QVERIFY(cell.value ? *cell.value > 0 : !cell.text.empty());
    }

    void comparisonsAreRefused()
    {
        const std::vector<OfferDocument> one{offerOf(sampleoffer::bundle)};
        const auto alone = compareOffers(one, shipped());
        QVERIFY(!alone && alone.error().field == "offers");
        const std::vector<OfferDocument> two{offerOf(sampleoffer::bundle),
            offerOf(
                edited(sampleoffer::nodesOnly, u"fabric: ib_ndr}"_s, u"fabric: ib_ndr, costs: {life_years: 4}}"_s))};
        const auto lives = compareOffers(two, shipped());
        QVERIFY(!lives && lives.error().field == "offers[1].fleet.costs.life_years");
        const auto late = compareOffers(two, shipped(), {.asOf = dayOf("2027-03-01"), .plan = {}});
        QVERIFY(!late && late.error().field == "offers[0].valid_until");
        QVERIFY(late.error().message.starts_with("\u201cBundle with support\u201d: "));
    }
};

FLEETWRIGHT_TEST(OffersTest)
#include "tst_offers.moc"
