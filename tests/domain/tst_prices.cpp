// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/price.h"
#include "domain/samples.h"
#include "testing/registry.h"

#include <QtTest>

using namespace fleetwright;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::sys_days theDay{2026y / 11 / 22};

CatalogRecord quote()
{
    return samples::record(CatalogKind::Price, "quote",
        {{"category", std::string("purchase")}, {"unit", std::string("usd_per_node")}, {"currency", std::string("USD")},
            {"typical", 290e3}, {"as_of", std::string("2026-09")}, {"confidence", std::string("market")}});
}

CatalogRecord with(std::string key, FieldValue value)
{
    auto record = quote();
    record.values[std::move(key)] = std::move(value);
    return record;
}

} // namespace

class PricesTest : public QObject {
    Q_OBJECT
private slots:
    void unitsInWords()
    {
        QCOMPARE(unitInWords("usd_per_device_hour", "USD"), std::string("USD per accelerator and hour"));
        QCOMPARE(unitInWords("eur_per_kwh", "EUR"), std::string("EUR per kWh"));
        QCOMPARE(unitInWords("fraction_of_capex_per_year", "USD"), std::string("share of the capital per year"));
        QCOMPARE(unitInWords("usd_per_golden_egg", "USD"), std::string("USD per golden egg"));
    }

    void periods_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("day"); // the last; empty: none
        for (const auto &[text, day] : {std::pair{"2026-09-19", "2026-09-19"}, {"2024-02", "2024-02-29"},
                 {"2026-Q1", "2026-03-31"}, {"2025-H2", "2025-12-31"}, {"2026", "2026-12-31"},
                 {"2024-2026", "2026-12-31"}, {"2026-13", ""}, {"2026-02-30", ""}, {"2026-Q5", ""}, {"2026-H0", ""},
                 {"2026-2024", ""}, {"lately", ""}, {"", ""}, {"26", ""}, {"2026/09", ""}, {"0000", ""}})
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(day);
    }
    void periods()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, day);
        const auto last = lastDayOf(text.toStdString());
        QCOMPARE(last.has_value(), !day.isEmpty());
        if (last)
            QCOMPARE(QDate(1970, 1, 1).addDays(last->time_since_epoch().count()), QDate::fromString(day, Qt::ISODate));
    }

    void firstDays()
    {
        QVERIFY(periodOf("2024-2026")->first == 2024y / 1 / 1);
        QVERIFY(periodOf("2026-Q3")->first == 2026y / 7 / 1);
        QVERIFY(periodOf("2026-H2")->first == 2026y / 7 / 1);
        QVERIFY(periodOf("2026-09")->first == 2026y / 9 / 1);
        QVERIFY(periodOf("2026-09-19")->first == 2026y / 9 / 19);
    }

    void standing()
    {
        QVERIFY(priceAge(quote(), theDay).standing == PriceStanding::Current);
        QCOMPARE(int(priceAge(quote(), theDay).age->count()), 53);
        QVERIFY(priceNotice(quote(), theDay).empty());
        const auto standingOf = [](const CatalogRecord &record) { return priceAge(record, theDay).standing; };
        QVERIFY(standingOf(with("as_of", std::string("2025-11"))) == PriceStanding::Current); // 357 days
        QVERIFY(standingOf(with("as_of", std::string("2025-10"))) == PriceStanding::Old);
        QCOMPARE(int(priceAge(with("as_of", std::string("2026")), theDay).age->count()), 0); // not before its end
        QVERIFY(standingOf(with("valid_until", std::string("2026-11-22"))) == PriceStanding::Current); // its last day
        const auto expired = with("valid_until", std::string("2026-11-21"));
        QVERIFY(standingOf(expired) == PriceStanding::Expired);
        QVERIFY(priceNotice(expired, theDay).contains("2026-11-21"));
        QVERIFY(standingOf(with("mlsysim", std::string("{}"))) == PriceStanding::Textbook);
        auto undated = with("as_of", FieldValue());
        QVERIFY(standingOf(undated) == PriceStanding::Current); // the user's own
        undated.shipped = true;
        QVERIFY(standingOf(undated) == PriceStanding::Textbook);
    }

    void ageInTables()
    {
        const auto words = [](const char *period) {
            return ageInWords(priceAge(with("as_of", std::string(period)), theDay));
        };
        QCOMPARE(words("2026-11-01"), std::string("this month"));
        QCOMPARE(words("2026-09-30"), std::string("1 month"));
        QCOMPARE(words("2026-06"), std::string("4 months"));
        QCOMPARE(words("2026-06-25"), std::string("4 months")); // 150 days are not five
        QCOMPARE(words("2025-03"), std::string("1 year, old"));
        QCOMPARE(words("2023"), std::string("2 years, old"));
        QCOMPARE(words("2026"), std::string("up to 10 months")); // it may be of any day of it
        QCOMPARE(words("2026-Q4"), std::string("up to 1 month"));
        QCOMPARE(words("2026-11"), std::string("this month"));
        QCOMPARE(words("some day"), std::string());
        QCOMPARE(
            ageInWords(priceAge(with("mlsysim", std::string("{}")), theDay)), std::string("1 month, textbook value"));
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QVariant>("value");
        QTest::addColumn<int>("code");
        const auto row = [](const char *key, const QVariant &value, ErrorCode code) {
            QTest::addRow("%s %s", key, qPrintable(value.toString())) << QString::fromUtf8(key) << value << int(code);
        };
        row("typical", 0.0, ErrorCode::OutOfRange);
        row("typical", QVariant(), ErrorCode::MissingField);
        row("high", 289e3, ErrorCode::OutOfRange);
        row("as_of", QStringLiteral("garbage"), ErrorCode::UnsupportedValue);
        row("as_of", QStringLiteral("2026-13"), ErrorCode::UnsupportedValue);
        row("valid_until", QStringLiteral("soon"), ErrorCode::UnsupportedValue);
        row("valid_until", QStringLiteral("2027-02-29"), ErrorCode::UnsupportedValue);
        row("unit", QStringLiteral("eur_per_node"), ErrorCode::UnsupportedValue);
        row("item_ref", QStringLiteral("none_such"), ErrorCode::MissingField); // in which catalog?
    }
    void refusals()
    {
        QFETCH(const QString, key);
        QFETCH(const QVariant, value);
        QFETCH(const int, code);
        const auto record = with(key.toStdString(),
            !value.isValid()                          ? FieldValue()
                : value.typeId() == QMetaType::Double ? FieldValue(value.toDouble())
                                                      : FieldValue(value.toString().toStdString()));
        QVERIFY(Catalog().check(quote()));
        const auto checked = Catalog().check(record);
        QVERIFY(!checked);
        QCOMPARE(int(checked.error().code), code);
        QCOMPARE(checked.error().field, key == QLatin1String("item_ref") ? "item_type" : key.toStdString());
        QVERIFY(checked.error().message.size() > 30);
    }

    /// A low end alone is no price: nothing would be made of it.
    void likelyOrBothEnds()
    {
        auto record = with("typical", FieldValue());
        record.values["low"] = 250e3;
        QCOMPARE(Catalog().check(record).error().field, std::string("typical"));
        record.values["high"] = 300e3;
        QVERIFY(Catalog().check(record));
    }

    void currenciesNeedARate()
    {
        Catalog catalog;
        auto record = quote();
        record.values["currency"] = std::string("SEK");
        record.values["unit"] = std::string("sek_per_node");
        QCOMPARE(catalog.check(record).error().field, std::string("currency"));
        catalog.insert(samples::record(CatalogKind::Currency, "sek",
            {{"code", std::string("SEK")}, {"units_per_usd", 9.4}, {"period", std::string("2026-06")}}));
        QVERIFY(catalog.check(record));
        QCOMPARE(unitsPerUsd(record, catalog), std::optional(9.4));
        QCOMPARE(unitsPerUsd(quote(), catalog), std::optional(1.0));
    }

    /// The item of a price is in the catalog that the price names.
    void itemsAreInTheNamedCatalog()
    {
        Catalog catalog;
        catalog.insert(samples::record(
            CatalogKind::NetworkGear, "leaf", {{"vendor", std::string("generic")}, {"kind", std::string("switch")}}));
        auto record = quote();
        record.values["item_type"] = std::string("network_gear");
        record.values["item_ref"] = std::string("leaf");
        QVERIFY(catalog.check(record));
        catalog.insert(record);
        QCOMPARE(catalog.usersOf(CatalogKind::NetworkGear, "leaf"), std::vector<std::string>{"quote"});
        QVERIFY(catalog.usersOf(CatalogKind::Node, "leaf").empty());
        record.values["item_type"] = std::string("nodes");
        QCOMPARE(catalog.check(record).error().field, std::string("item_ref"));
        record.values["item_type"] = std::string("drawers");
        QCOMPARE(catalog.check(record).error().field, std::string("item_type"));
    }
};

FLEETWRIGHT_TEST(PricesTest)
#include "tst_prices.moc"
