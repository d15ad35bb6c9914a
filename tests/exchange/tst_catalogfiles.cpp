// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/planningdefaults.h"
#include "exchange/exchangetesting.h"
#include "solver/blocks/serving.h"
#include "solver/models/costmodel.h"
#include "solver/operations/operations.h"
#include "testing/registry.h"

#include <QTest>

#include <set>

using namespace fleetwright;
using namespace exchangetesting;
using namespace Qt::StringLiterals;

class TestCatalogFiles : public QObject {
    Q_OBJECT

private slots:
    void shippedFilesRoundTrip_data();
    void shippedFilesRoundTrip();
    void numbersKeepTheirForm();
    void refusesBadFiles_data();
    void refusesBadFiles();
    void leavesTheCatalogAloneWhenRefusing();
    void marksWhereRecordsComeFrom();
    void planningDefaultsAreTheAssumptions();
};

namespace {

constexpr const char *goodFile = R"({"schema": {"id": "key"},
"sources": {"datasheet": {"title": "Datasheet", "publisher": "Vendor", "url": null, "published": "2024", "accessed": "2026-11-20", "note": null}},
"items": [
{"id": "net_a", "name": "Network A", "scope": "scale_out", "family": "Ethernet", "status": "shipping", "port_rate_gbit_per_s": 400, "latency_us": 5.5,
 "price_refs": ["p1"], "oversubscription_alternatives": [2, 7.5], "known_confusions": ["bits are not bytes"], "notes": null,
 "sources": [{"ref": "datasheet", "fields": ["port_rate_gbit_per_s"], "confidence": "vendor-spec", "verification": "read"}]}]})";

} // namespace

void TestCatalogFiles::shippedFilesRoundTrip_data()
{
    QTest::addColumn<int>("kind");
    for (const auto kind : allCatalogKinds)
        if (isShippedAsFile(kind))
            QTest::newRow(std::string(toString(kind)).c_str()) << int(kind);
}

/// Every item of every shipped file, written again, holds what the file holds.
void TestCatalogFiles::shippedFilesRoundTrip()
{
    QFETCH(int, kind);
    const auto catalogKind = static_cast<CatalogKind>(kind);
    const auto text = catalogText(catalogKind);
    QVERIFY(!text.empty());
    Catalog catalog;
    const auto read = exchange::readCatalogFile(text, catalogKind, true, catalog);
    QVERIFY2(read.has_value(), read ? "" : described(read.error()).constData());
    const auto file = exchange::Json::parse(text);
    QCOMPARE(catalog.records(catalogKind).size(), file["items"].size());
    QCOMPARE(catalog.sources(catalogKind).size(), file["sources"].size());
    std::size_t i = 0;
    for (const auto &record : catalog.records(catalogKind)) {
        const auto written = exchange::recordToJson(record);
        for (const auto &[key, value] : file["items"][i++].items()) {
            const bool same = written.contains(key)
                && nlohmann::json::parse(written[key].dump()) == nlohmann::json::parse(value.dump());
            QVERIFY2(same,
                (record.id + "." + key + ": " + value.dump() + " became "
                    + (written.contains(key) ? written[key].dump() : "nothing"))
                    .c_str());
        }
        auto back = exchange::recordFromJson(written, catalogKind, "item");
        QVERIFY2(back.has_value(), back ? "" : described(back.error()).constData());
        back->shipped = true;
        QVERIFY(*back == record);
    }
}

void TestCatalogFiles::numbersKeepTheirForm()
{
    Catalog catalog;
    QVERIFY(exchange::readCatalogFile(goodFile, CatalogKind::Fabric, false, catalog).has_value());
    const auto text = exchange::recordToJson(*catalog.find(CatalogKind::Fabric, "net_a")).dump();
    QVERIFY2(text.find("\"port_rate_gbit_per_s\":400,") != std::string::npos, text.c_str());
    QVERIFY2(text.find("\"latency_us\":5.5,") != std::string::npos, text.c_str());
    QVERIFY2(text.find("\"latency_low_us\":null,") != std::string::npos, text.c_str());
    QVERIFY2(text.find("\"oversubscription_alternatives\":[2,7.5],") != std::string::npos, text.c_str());
    QVERIFY2(text.find("\"notes\":null") != std::string::npos, text.c_str());
}

void TestCatalogFiles::refusesBadFiles_data()
{
    exchangetesting::addRefusalColumns(false);
    const auto row = exchangetesting::refusalRow;
    row("cut short", "\"items\": [", "\"items\": [[", "parse_error", "items[0]");
    row("unknown top key", "\"items\"", "\"item\"", "unsupported_value", "item");
    row("items an object", "\"items\": [\n{", "\"items\": {\"a\": [\n{", "parse_error", "items");
    row("unknown field", "\"latency_us\"", "\"latency_ms\"", "unsupported_value", "items[0].latency_ms");
    row("number as text", "5.5", "\"5.5\"", "unsupported_value", "items[0].latency_us");
    row("text as number", "\"Ethernet\"", "3", "unsupported_value", "items[0].family");
    row("list as text", "[\"p1\"]", "\"p1\"", "unsupported_value", "items[0].price_refs");
    row("list of numbers", "[\"p1\"]", "[1]", "unsupported_value", "items[0].price_refs");
    row("bad id", "\"net_a\"", "\"Net A\"", "out_of_range", "items[0].id");
    row("no name", "\"name\": \"Network A\", ", "", "missing_field", "items[0].name");
    row("no required field", "\"scope\": \"scale_out\", ", "", "missing_field", "items[0].scope");
    row("out of range", "\"port_rate_gbit_per_s\": 400", "\"port_rate_gbit_per_s\": -1", "out_of_range",
        "items[0].port_rate_gbit_per_s");
    row("fractional count", "\"latency_us\": 5.5", "\"launch_year\": 2020.5", "out_of_range", "items[0].launch_year");
    row("number overflow", "5.5", "1e999", "out_of_range", "items[0].latency_us");
    row("source without title", "\"title\": \"Datasheet\", ", "", "missing_field", "sources.datasheet.title");
    row("source field unknown", "\"title\"", "\"titel\"", "unsupported_value", "sources.datasheet.titel");
    row("confidence unknown", "\"vendor-spec\"", "\"sure\"", "unsupported_value", "items[0].sources[0].confidence");
    row("verification unknown", "\"verification\": \"read\"", "\"verification\": \"yes\"", "unsupported_value",
        "items[0].sources[0].verification");
    row("attribution without ref", "\"ref\": \"datasheet\", ", "", "missing_field", "items[0].sources[0].ref");
    row("confusions a text", "[\"bits are not bytes\"]", "\"bits\"", "unsupported_value", "items[0].known_confusions");
    row("item a number", "\"items\": [\n", "\"items\": [7,\n", "unsupported_value", "items[0]");
}

void TestCatalogFiles::refusesBadFiles()
{
    Error error;
    const auto read = [](const std::string &text) {
        Catalog catalog;
        return exchange::readCatalogFile(text, CatalogKind::Fabric, false, catalog);
    };
    exchangetesting::checkRefusal(goodFile, read, error);
    QVERIFY(error.message.size() > 20);
}

void TestCatalogFiles::leavesTheCatalogAloneWhenRefusing()
{
    auto text = QString::fromUtf8(goodFile);
    const auto item = text.mid(text.indexOf(u"{\"id\": \"net_a\""_s)).chopped(2);
    text.chop(2);
    text += u","_s + item + u"]}"_s; // the same id twice
    Catalog catalog;
    const auto read = exchange::readCatalogFile(text.toStdString(), CatalogKind::Fabric, false, catalog);
    QVERIFY(!read.has_value());
    QVERIFY2(read.error().field == "items[1].id", described(read.error()).constData());
    QVERIFY(catalog.records(CatalogKind::Fabric).empty());
    QVERIFY(catalog.sources(CatalogKind::Fabric).empty());
}

void TestCatalogFiles::marksWhereRecordsComeFrom()
{
    Catalog catalog;
    QVERIFY(exchange::readCatalogFile(goodFile, CatalogKind::Fabric, true, catalog).has_value());
    const auto *record = catalog.find(CatalogKind::Fabric, "net_a");
    QVERIFY(record && record->shipped);
    QCOMPARE(record->attributions.size(), 1UZ);
    QVERIFY(record->attributions.front().confidence == Confidence::VendorSpec);
    QCOMPARE(catalog.source(CatalogKind::Fabric, "datasheet")->published, std::string("2024"));
}

/// The published blocks keep defaults of their own for `evaluate`; the catalog as shipped has the same to the last bit,
/// and every planning default that is said to be read is the default of an assumption.
void TestCatalogFiles::planningDefaultsAreTheAssumptions()
{
    const auto catalog = shippedFiles();
    std::set<std::string> named;
    const auto compare = [&](std::span<const AssumptionDescriptor> descriptors) {
        for (const auto &descriptor : descriptors) {
            if (descriptor.planningDefault.empty())
                continue;
            named.insert(descriptor.planningDefault);
            const auto *planning = findPlanningDefault(descriptor.planningDefault);
            const auto *record = catalog.find(CatalogKind::PlanningDefault, descriptor.planningDefault);
            QVERIFY2(planning && record, descriptor.planningDefault.c_str());
            const double value = std::get<double>(descriptor.defaultValue);
            QVERIFY2(value == record->number("value").value(), descriptor.key.c_str());
            QVERIFY(planning->dimension == descriptor.dimension);
            QCOMPARE(std::string(planning->unit), descriptor.unit);
            QCOMPARE(planning->minimum, descriptor.minimum);
            QCOMPARE(planning->maximum, descriptor.maximum);
            QCOMPARE(record->text("unit").value(), std::string(planning->stated));
            QCOMPARE(descriptor.source, "Planning default " + descriptor.planningDefault);
        }
    };
    compare(operationsAssumptions());
    for (const auto *model : costModels())
        compare(model->assumptions());
    std::set<std::string> read;
    for (const auto &planning : planningDefaults())
        read.emplace(planning.id);
    QCOMPARE(named, read);
    QCOMPARE(read.size(), 10UZ);
    QCOMPARE(ServingInputs().efficiency,
        catalog.find(CatalogKind::PlanningDefault, "compute_efficiency_default")->number("value").value());
}

FLEETWRIGHT_TEST(TestCatalogFiles)
#include "tst_catalogfiles.moc"
