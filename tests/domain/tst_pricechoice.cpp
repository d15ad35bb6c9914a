// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/fleetcosts.h"
#include "domain/networkparts.h"
#include "domain/samples.h"
#include "testing/registry.h"

#include <QtTest>

using namespace fleetwright;
using namespace std::chrono_literals;

namespace {

struct PriceSample {
    std::string id, as_of{}, item{"test_node"}, unit{"usd_per_node"}, category{"purchase"}, term{"purchase"};
    double typical = 100e3;
    bool shipped = true;
};

CatalogRecord priceOf(const PriceSample &sample)
{
    auto record = samples::record(CatalogKind::Price, sample.id,
        {{"category", sample.category}, {"unit", sample.unit}, {"currency", std::string("USD")},
            {"typical", sample.typical}, {"term", sample.term}, {"item_type", std::string("nodes")},
            {"item_ref", sample.item}, {"confidence", std::string("market")}});
    if (!sample.as_of.empty())
        record.values["as_of"] = sample.as_of;
    if (sample.unit == "usd_per_device" || sample.unit == "usd_per_device_hour")
        record.values["item_type"] = std::string("accelerators");
    record.shipped = sample.shipped;
    return record;
}

PriceSample rentSample(const std::string &id, const std::string &as_of, double typical, const std::string &term)
{
    return {.id = id,
        .as_of = as_of,
        .item = "test_gpu",
        .unit = "usd_per_device_hour",
        .category = "cloud",
        .term = term,
        .typical = typical};
}

Catalog with(const std::vector<CatalogRecord> &records)
{
    auto catalog = samples::catalog();
    for (const auto &record : records)
        catalog.insert(record);
    return catalog;
}

Expected<FleetCosts> costsOf(const Catalog &catalog, const CostDocument &document = {})
{
    return resolveCosts(document, samples::node(), samples::fabric(), false, catalog);
}

/// An empty figure where there is none.
CostFigure figureIn(const Expected<FleetCosts> &costs, std::string_view entry)
{
    const auto *figure = costs ? costs->find(entry) : nullptr;
    return figure ? *figure : CostFigure();
}

CostFigure nodePrice(const Catalog &catalog, const CostDocument &document = {})
{
    return figureIn(costsOf(catalog, document), "node_usd");
}

CostDocument naming(const std::string &entry, const std::string &price)
{
    CostDocument document;
    document.entries[entry].value = price;
    return document;
}

/// The sentence of the refusal, after a look at its field.
std::string refusal(const Catalog &catalog, const CostDocument &document)
{
    const auto costs = costsOf(catalog, document);
    if (costs || costs.error().field != "fleet.costs." + document.entries.begin()->first
        || costs.error().code != ErrorCode::UnsupportedValue)
        return {};
    return costs.error().message;
}

CatalogRecord gear(const std::string &id, const std::string &kind)
{
    return samples::record(
        CatalogKind::NetworkGear, id, {{"vendor", std::string("generic")}, {"kind", std::string(kind)}});
}

CatalogRecord gearPrice(const std::string &id, const std::string &of, const std::string &as_of, double typical)
{
    auto record = priceOf(
        {.id = id, .as_of = as_of, .item = of, .unit = "usd_per_unit", .category = "network", .typical = typical});
    record.values["item_type"] = std::string("network_gear");
    return record;
}

} // namespace

class PriceChoiceTest : public QObject {
    Q_OBJECT
private slots:
    /// A quote of September goes before one that may be of any day of two years.
    void theNewestIsNotTheVaguest()
    {
        const auto vague = priceOf({.id = "a", .as_of = "2025-2026", .typical = 3.5e6});
        const auto year = priceOf({.id = "b", .as_of = "2026", .typical = 3.7e6});
        const auto month = priceOf({.id = "c", .as_of = "2026-09", .typical = 4e6});
        QCOMPARE(nodePrice(with({vague, year, month})).likely, 4e6);
        QCOMPARE(nodePrice(with({vague, year})).likely, 3.7e6);
        const auto quarter = priceOf({.id = "a", .as_of = "2026-Q1", .typical = 3.6e6});
        QCOMPARE(nodePrice(with({quarter, year})).likely, 3.7e6); // begins with it and ends later
        QVERIFY(!nodePrice(with({vague, month}), naming("node_usd", "a")).olderThanAYear); // may be of yesterday
    }

    void theDayOfThePrices()
    {
        const auto day = [](std::initializer_list<const char *> shipped, const std::string &own = {}) {
            std::vector<CatalogRecord> records;
            for (const auto *period : shipped)
                records.push_back(priceOf({.id = period, .as_of = period}));
            records.push_back(priceOf({.id = "own", .as_of = own, .shipped = false}));
            return dayOfPrices(with(records));
        };
        QVERIFY(day({"2026", "2024-2026", "2025-2027", "2026-H2", "2026-03", "2025-Q4"}) == 2026y / 3 / 31);
        QVERIFY(day({"2026-Q2", "2026-03"}) == 2026y / 6 / 30);
        QVERIFY(day({"2026-03"}, "2099-12") == 2026y / 3 / 31);
        QVERIFY(day({"2026"}, "2026-05") == 2026y / 5 / 31); // nothing else
        const auto costs = nodePrice(with({priceOf({.id = "a", .as_of = "2026-09"}),
            priceOf({.id = "other", .as_of = "2099-12", .item = "x", .shipped = false})}));
        QVERIFY(!costs.olderThanAYear);
    }

    void ownFiguresWithoutADate()
    {
        const auto shipped = priceOf({.id = "a", .as_of = "2026-09"});
        const auto own = nodePrice(with({shipped, priceOf({.id = "own", .typical = 5, .shipped = false})}));
        QCOMPARE(own.likely, 5.0);
        QVERIFY(own.isPrice && !own.olderThanAYear);
        const auto textbook = nodePrice(
            with({priceOf({.id = "b"}), priceOf({.id = "o", .as_of = "2026-09", .item = "x"})}));
        QVERIFY(textbook.isPrice && textbook.olderThanAYear && textbook.notice.contains("textbook"));
        CostDocument entered;
        entered.entries["node_usd"].value = 3.0;
        QVERIFY(!nodePrice(with({shipped}), entered).isPrice);
    }

    void expiredOffers()
    {
        const auto shipped = priceOf({.id = "a", .as_of = "2026-09", .typical = 2e5});
        auto offer = priceOf({.id = "own", .as_of = "2026-09", .typical = 1e5, .shipped = false});
        offer.values["valid_until"] = std::string("2027-01-31");
        QCOMPARE(nodePrice(with({shipped, offer})).likely, 1e5);
        offer.values["valid_until"] = std::string("2020-01-01");
        QCOMPARE(nodePrice(with({shipped, offer})).likely, 2e5);
        const auto named = nodePrice(with({shipped, offer}), naming("node_usd", "own"));
        QCOMPARE(named.likely, 1e5);
        QVERIFY(named.notice.contains("was valid until 2020-01-01"));
        auto rent = priceOf(rentSample("rent_own", "2026-09", 1, "on-demand"));
        rent.shipped = false;
        rent.values["valid_until"] = std::string("2020-01-01");
        const auto rents = with({rent, priceOf(rentSample("rent", "2026-09", 2, "on-demand"))});
        QCOMPARE(figureIn(costsOf(rents), "rent_usd_per_hour").likely, 2.0);
        QVERIFY(!figureIn(costsOf(rents), "rent_usd_per_hour").hasRange());
    }

    /// A price of something else is refused with what it is of, and what to do.
    void namedPricesFitTheFleet()
    {
        auto other = samples::node();
        other.id = "other_node";
        other.name = "Other node";
        auto spot = priceOf(rentSample("spot", "2026-09", 1, "spot"));
        spot.values["vendor"] = std::string("Cloudy");
        const auto catalog = with({other, priceOf({.id = "mine"}), priceOf({.id = "theirs", .item = "other_node"}),
            priceOf({.id = "used", .item = "test_gpu", .unit = "usd_per_device", .term = "used"}),
            priceOf(rentSample("demand", "2026-09", 3, "on-demand")), spot});
        QVERIFY(costsOf(catalog, naming("node_usd", "mine")));
        const auto item = refusal(catalog, naming("node_usd", "theirs"));
        QVERIFY2(item.contains("of \u201cOther node\u201d, not of \u201ctest_node\u201d"), item.c_str());
        QVERIFY(item.contains("clear node_usd"));
        const auto used = refusal(catalog, naming("accelerator_usd", "used"));
        QVERIFY2(used.contains("of the term \u201cused\u201d"), used.c_str());
        const auto term = refusal(catalog, naming("rent_usd_per_hour", "spot"));
        QVERIFY2(term.contains("\u201cspot\u201d, and the fleet rents on demand"), term.c_str());
        auto document = naming("rent_usd_per_hour", "spot");
        document.rentTerm = RentTerm::Spot;
        QVERIFY(costsOf(catalog, document));
        document.rentVendor = "Cloudy";
        QVERIFY(costsOf(catalog, document));
        document.rentVendor = "Foggy";
        const auto vendor = refusal(catalog, document);
        QVERIFY2(vendor.contains("of \u201cCloudy\u201d, and the fleet rents of \u201cFoggy\u201d"), vendor.c_str());
    }

    /// What checkPrice() takes is used.
    void currenciesInAnyCase()
    {
        auto price = priceOf({.id = "own", .unit = "eur_per_node", .typical = 90, .shipped = false});
        price.values["currency"] = std::string("eur");
        auto catalog = with({price});
        QVERIFY(!catalog.check(price));
        QVERIFY(!costsOf(catalog)->find("node_usd"));
        catalog.insert(samples::record(CatalogKind::Currency, "eur",
            {{"code", std::string("EUR")}, {"units_per_usd", 0.9}, {"period", std::string("2026-06")}}));
        QVERIFY(catalog.check(price));
        QCOMPARE(nodePrice(catalog).likely, 100.0);
        auto share = price; // of a share nothing is converted
        share.values["unit"] = std::string("fraction_of_capex_per_year");
        share.values["category"] = std::string("support");
        catalog.insert(share);
        QCOMPARE(figureIn(costsOf(catalog), "support_share").likely, 90.0);
    }

    /// An accelerator of one's own with its purchase price and no item in Prices.
    void thePriceOfTheAcceleratorsItem()
    {
        auto gpu = samples::accelerator();
        gpu.values["purchase_price_usd_typical"] = 20e3;
        auto twin = samples::node(); // both prices are known of it: its hosts are a quarter
        twin.id = "twin";
        twin.values["accelerator_id"] = std::string("other_gpu");
        auto other = samples::accelerator();
        other.id = "other_gpu";
        const auto costs = costsOf(with({gpu, other, twin, priceOf({.id = "a", .as_of = "2026", .item = "twin"}),
            priceOf({.id = "b", .as_of = "2026", .item = "other_gpu", .unit = "usd_per_device", .typical = 10e3})}));
        const auto *price = costs->find("accelerator_usd");
        QVERIFY(price && price->likely == 20e3 && price->isPrice && price->source == "test_gpu");
        QVERIFY(price->notice.contains("Prices"));
        QCOMPARE(figureIn(costs, "chassis_usd").likely, 40e3);
        QVERIFY(!costs->findMissing("node_usd"));
    }

    void tariffsOfTheDefaults()
    {
        auto tariff = samples::record(CatalogKind::PlanningDefault, "electricity_default",
            {{"category", std::string("economics")}, {"value", 0.12}, {"unit", std::string("USD per kWh")}});
        tariff.shipped = true;
        const auto costs = costsOf(with({tariff}));
        const auto *figure = costs->find("usd_per_kwh");
        QVERIFY(figure && figure->isPrice && figure->olderThanAYear);
    }

    /// The rule for prices of the fleet holds for those of its network.
    void partsTakeTheirPricesByTheSameRule()
    {
        auto fabric = samples::fabric();
        auto device = gear("leaf", "switch");
        device.values["fabric_ids"] = std::vector<std::string>{fabric.id};
        device.values["ports_by_rate_gbit.400"] = 64.0;
        device.values["power_max_w"] = 900.0;
        auto optic = gear("optic", "transceiver");
        optic.values["rate_gbit_per_s"] = 400.0;
        optic.values["reach_m"] = 100.0;
        const auto catalog = with(
            {device, optic, gearPrice("a", "leaf", "2024", 1), gearPrice("b", "leaf", "2026-03", 2),
                gearPrice("c", "leaf", "2024-2026", 3), gearPrice("d", "optic", "2026", 4)});
        const auto parts = networkPartsOf(fabric, catalog, dayOfPrices(catalog));
        QCOMPARE(parts.switchPart->price->likely, 2.0);
        QVERIFY(!parts.nodeTransceiver->powerKnown);
        // The maximum of the switch includes its modules.
        QVERIFY(parts.switchTransceiver->powerKnown && parts.switchTransceiver->powerSource.contains("leaf"));
        // Without a maximum the typical power counts, and what it does not include is not known.
        device.values.erase("power_max_w");
        device.values["power_typical_w"] = 466.0;
        const auto typical = networkPartsOf(fabric, with({device, optic}), {});
        QVERIFY(typical.switchPart->powerKnown && !typical.switchTransceiver->powerKnown);
        QCOMPARE(typical.switchPart->power, 466.0);
        QVERIFY(typical.switchPart->powerSource.contains("typical power"));
        QVERIFY(!parts.switchPart->powerSource.contains("typical"));
        auto maximum = gear("spine", "switch"); // comes before it, wherever it stands
        maximum.values["fabric_ids"] = std::vector<std::string>{fabric.id};
        maximum.values["ports_by_rate_gbit.400"] = 64.0;
        maximum.values["power_max_w"] = 900.0;
        for (const auto &gears : {std::vector{device, maximum}, std::vector{maximum, device}})
            QCOMPARE(
                networkPartsOf(fabric, with({gears[0], gears[1], optic}), {}).switchPart->id, std::string("spine"));
        device.values.erase("power_typical_w");
        QVERIFY(!networkPartsOf(fabric, with({device, optic}), {}).switchPart->powerKnown);
    }

    /// Words and flags go to the worksheet as they are, and are no prices.
    /// What a fleet states of a part takes the place of the node's own price, and says so.
    void partsOfANodeSayWhatTheyReplace()
    {
        const auto catalog = with({priceOf({.id = "whole", .as_of = "2026-09"})});
        CostDocument document;
        document.entries["accelerator_usd"] = {.value = 30e3};
        const auto figure = figureIn(costsOf(catalog, document), "accelerator_usd");
        QVERIFY2(figure.notice.contains("is not used") && figure.notice.contains("Clear accelerator_usd"),
            figure.notice.c_str());
        QVERIFY(figureIn(costsOf(catalog), "node_usd").notice.empty());
    }

    /// Longer terms that cost more are quotes of other vendors.
    void dearerReservationsAreSaid()
    {
        const auto catalog = with({priceOf(rentSample("now", "2026-09", 3, "on-demand")),
            priceOf(rentSample("later", "2026-09", 5, "reserved-3y")),
            priceOf(rentSample("next", "2026-09", 2, "reserved-1y"))});
        CostDocument document;
        document.rentTerm = RentTerm::Reserved3y;
        QVERIFY(figureIn(costsOf(catalog, document), "rent_usd_per_hour").notice.contains("rent_vendor"));
        document.rentTerm = RentTerm::Reserved1y;
        QVERIFY(figureIn(costsOf(catalog, document), "rent_usd_per_hour").notice.empty());
    }

    /// One end of a range is not thrown away.
    void anEndThatNobodyStatesIsAsFar()
    {
        auto record = priceOf({.id = "low_only", .as_of = "2026-09"});
        record.values["low"] = 60e3;
        const auto figure = figureIn(costsOf(with({record})), "node_usd");
        QVERIFY(figure.low == 60e3 && figure.high == 140e3);
    }

    void wordsAndFlags()
    {
        auto document = naming("cooling", "liquid");
        document.entries["colocation_includes_energy"].value = true;
        const auto costs = costsOf(samples::catalog(), document);
        QCOMPARE(figureIn(costs, "cooling").word, std::string("liquid"));
        QCOMPARE(costs->cooling, std::string("liquid"));
        QCOMPARE(figureIn(costs, "colocation_includes_energy").word, std::string("yes"));
        QVERIFY(!priceNamedFor("cooling", document.entries.at("cooling")));
        QVERIFY(!costsOf(samples::catalog(), naming("node_usd", "liquid")));
    }
};

FLEETWRIGHT_TEST(PriceChoiceTest)
#include "tst_pricechoice.moc"
