// SPDX-License-Identifier: GPL-3.0-or-later
// Catalogs as files for people: several in one JSON, one as a table.
#include "exchange/exchangetesting.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;
using namespace exchangetesting;
using namespace Qt::StringLiterals;

class TestCatalogTables : public QObject {
    Q_OBJECT

private slots:
    void everyCatalogGoesThere_data()
    {
        QTest::addColumn<int>("kind");
        for (const auto kind : allCatalogKinds)
            if (isShippedAsFile(kind))
                QTest::newRow(std::string(toString(kind)).c_str()) << int(kind);
    }
    /// And back, as a table and as JSON.
    void everyCatalogGoesThere()
    {
        QFETCH(const int, kind);
        const auto catalogKind = CatalogKind(kind);
        const auto catalog = shippedFiles();
        const auto table = exchange::catalogFileFromCsv(exchange::catalogFileToCsv(catalog, catalogKind), catalogKind);
        QVERIFY2(table, table ? "" : described(table.error()).constData());
        QVERIFY2(table->refused.empty(), table->refused.empty() ? "" : described(table->refused[0].error).constData());
        const auto json = exchange::catalogFileFromJson(
            exchange::catalogFileToJson(catalog, std::span(&catalogKind, 1)), std::nullopt);
        QVERIFY2(json, json ? "" : described(json.error()).constData());
        const auto records = catalog.records(catalogKind);
        QCOMPARE(table->items.records.size(), records.size());
        QCOMPARE(json->items.records.size(), records.size());
        for (std::size_t i = 0; i < records.size(); ++i) {
            auto expected = records[i];
            expected.shipped = false;
            QVERIFY2(json->items.records[i] == expected, expected.id.c_str());
            QCOMPARE(table->items.records[i].notes, expected.notes);
            for (const auto &field : fields(catalogKind)) {
                const auto *before = expected.find(field.key);
                const auto *after = table->items.records[i].find(field.key);
                QVERIFY2(
                    before ? after && *before == *after : !after, (expected.id + "." + std::string(field.key)).c_str());
            }
        }
    }

    void severalInOneFile()
    {
        const auto catalog = shippedFiles();
        const std::array kinds{CatalogKind::Currency, CatalogKind::Fabric};
        const auto text = exchange::catalogFileToJson(catalog, kinds);
        const auto file = exchange::catalogFileFromJson(text, std::nullopt);
        QVERIFY(file);
        QCOMPARE(file->items.records.size(),
            catalog.records(CatalogKind::Currency).size() + catalog.records(CatalogKind::Fabric).size());
        const auto own = exchange::catalogFileFromJson(
            exchange::catalogFileToJson(catalog, kinds, exchange::ItemsToWrite::Own), std::nullopt);
        QVERIFY(own && own->items.records.empty() && own->items.sources.empty());
    }

    void wholeFilesThatAreRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("field");
        QTest::newRow("no catalog") << u"{\"items\": []}"_s << u"catalog"_s;
        QTest::newRow("unknown catalog") << u"{\"catalog\": \"planets\", \"items\": []}"_s << u"catalog"_s;
        QTest::newRow("unknown among several") << u"{\"catalogs\": {\"planets\": {}}}"_s << u"catalogs.planets"_s;
        QTest::newRow("another inside") << u"{\"catalogs\": {\"nodes\": {\"catalog\": \"prices\", \"items\": []}}}"_s
                                        << u"catalogs.nodes.catalog"_s;
        QTest::newRow("no items") << u"{\"catalogs\": {\"nodes\": {}}}"_s << u"catalogs.nodes.items"_s;
    }
    void wholeFilesThatAreRefused()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, field);
        const auto file = exchange::catalogFileFromJson(text.toStdString(), std::nullopt);
        QVERIFY(!file);
        QCOMPARE(QString::fromStdString(file.error().field), field);
    }

    /// Rows that are no items are named by line and id; the others are read.
    void rowsThatAreRefused()
    {
        const auto file = exchange::catalogFileFromCsv("id;name;code;units_per_usd;period\r\nxau;Gold;XAU;0,0004;"
                                                       "2026\r\nxag;'=Silver;XAG;0.03;2026-06\r\nx y;Bad;X;1;"
                                                       "2026\r\nshort;row\r\n",
            CatalogKind::Currency);
        QVERIFY(file);
        QCOMPARE(file->items.records.size(), 1UZ);
        QCOMPARE(file->items.records[0].name, std::string("=Silver"));
        QCOMPARE(file->refused.size(), 3UZ);
        QCOMPARE(file->refused[0].item.id, std::string("xau"));
        QCOMPARE(file->refused[0].error.field, std::string("line 2.units_per_usd"));
        QCOMPARE(file->refused[1].error.field, std::string("line 4.id"));
        QCOMPARE(file->refused[2].error.field, std::string("line 5"));
        const auto misspelt = exchange::catalogFileFromCsv("id,name,cod\na,A,B\n", CatalogKind::Currency);
        QVERIFY(!misspelt);
        QVERIFY2(misspelt.error().message.contains("code"), misspelt.error().message.c_str());
        QVERIFY(!exchange::catalogFileFromCsv("id,code\na,B\n", CatalogKind::Currency));
        QVERIFY(!exchange::catalogFileFromCsv("", CatalogKind::Currency));
        QVERIFY(!exchange::catalogFileFromCsv("\xff\xfe", CatalogKind::Currency));
    }

    /// Formulas of a spreadsheet are texts to it.
    void noFormulasInTables()
    {
        Catalog catalog;
        CatalogRecord gold{.kind = CatalogKind::Currency};
        gold.id = "xau";
        gold.name = "=HYPERLINK(\"x\")";
        gold.notes = "-1+2, \"quoted\"\nnext line";
        gold.values = {{"code", std::string("XAU")}, {"units_per_usd", 0.0004}, {"period", std::string("2026")}};
        catalog.insert(gold);
        const auto text = exchange::catalogFileToCsv(catalog, CatalogKind::Currency);
        QVERIFY(text.contains("'=HYPERLINK") && text.contains("'-1+2"));
        const auto file = exchange::catalogFileFromCsv(text, CatalogKind::Currency);
        QVERIFY(file && file->items.records.size() == 1 && file->items.records[0] == gold);
    }
};

FLEETWRIGHT_TEST(TestCatalogTables)
#include "tst_catalogtables.moc"
