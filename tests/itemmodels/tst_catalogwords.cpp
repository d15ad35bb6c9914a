// SPDX-License-Identifier: GPL-3.0-or-later
// What catalogs say in words, and who uses a price.
#include "itemmodels/catalogfilterproxy.h"
#include "itemmodels/catalogtablemodel.h"
#include "itemmodels/catalogwords.h"
#include "testing/documentkeys.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

namespace {

CatalogRecord item(CatalogKind kind, const std::string &id, const std::string &name)
{
    CatalogRecord record;
    record.kind = kind;
    record.id = id;
    record.name = name;
    return record;
}

QStringList shownNames(const QAbstractItemModel &model)
{
    QStringList all;
    for (int row = 0; row < model.rowCount(); ++row)
        all << model.index(row, 0).data().toString();
    return all;
}

} // namespace

class TestCatalogWords : public QObject {
    Q_OBJECT
private slots:
    void choicesAreWords()
    {
        QCOMPARE(choiceInWords(u"moe_decoder_only_transformer"), u"MoE decoder only transformer"_s);
        QCOMPARE(choiceInWords(u"unet"), u"U-Net"_s);
        QCOMPARE(choiceInWords(u"liquid"), u"liquid"_s);
        CatalogRecord record;
        record.kind = CatalogKind::Workload;
        const auto *architecture = findField(CatalogKind::Workload, "architecture");
        QVERIFY(architecture);
        const Catalog none;
        QCOMPARE(inWords(*architecture, std::string("cnn"), record, none), std::optional(u"CNN"_s));
        QVERIFY(!inWords(*architecture, std::string("cn_n"), record, none)); // no choice: as it is
    }

    void helpOfEveryFieldIsWords()
    {
        for (const auto kind : allCatalogKinds)
            for (const auto &field : fields(kind)) {
                const auto help = helpInWords(field);
                const auto keys = fleetwright::testing::keysIn(help, utf8(field.key));
                QVERIFY2(keys.isEmpty() && !help.contains(u'|'), qPrintable(utf8(field.key) + u": "_s + help));
            }
        const auto *scope = findField(CatalogKind::Fabric, "scope");
        QVERIFY(scope && helpInWords(*scope).contains(u"scale out"_s));
        QCOMPARE(choiceInWords(u"vendor-spec"), u"vendor\u2019s specification"_s);
        QCOMPARE(choiceInWords(u"reserved-3y"), u"reserved 3 y"_s);
    }

    /// Units and ids as they stand in files are words on the page.
    void unitsAndIdsAreWords_data()
    {
        QTest::addColumn<QString>("stated");
        QTest::addColumn<QString>("shown");
        QTest::newRow("microseconds") << u"us"_s << u"\u00b5s"_s;
        QTest::newRow("microseconds in words") << u"microseconds"_s << u"\u00b5s"_s;
        QTest::newRow("share") << u"fraction_of_fleet"_s << u"of the fleet"_s;
        QTest::newRow("rate") << u"1e9 bytes per second"_s << u"GB/s"_s;
        QTest::newRow("money") << u"usd_per_device_hour"_s << u"USD per accelerator and hour"_s;
        QTest::newRow("with spaces") << u"hours"_s << u"hours"_s;
        QTest::newRow("unknown") << u"cups_of_tea"_s << u"cups of tea"_s;
    }
    void unitsAndIdsAreWords()
    {
        QFETCH(const QString, stated);
        QFETCH(const QString, shown);
        QCOMPARE(statedUnitInWords(stated), shown);
    }
    void sharesArePercentages()
    {
        CatalogRecord spares;
        spares.kind = CatalogKind::PlanningDefault;
        spares.id = spares.name = "spares";
        spares.values = {{"category", std::string("spares")}, {"value", 0.02}, {"low", 0.015},
            {"unit", std::string("fraction_of_fleet")}, {"mlsysim_symbol", std::string("core.SPARES")}};
        auto catalog = std::make_shared<Catalog>();
        catalog->insert(spares);
        CatalogTableModel model(CatalogKind::PlanningDefault);
        model.setCatalog(catalog);
        const auto cell = [&](const char *key) { return model.index(0, model.columnOf(QString::fromLatin1(key))); };
        QCOMPARE(cell("value").data().toString(), u"2.00\u00a0%"_s);
        QCOMPARE(cell("value").data(CatalogTableModel::SortRole).toDouble(), 0.02);
        QCOMPARE(cell("unit").data().toString(), u"of the fleet"_s);
        QCOMPARE(statedUnitOf(*findField(CatalogKind::PlanningDefault, "value"), spares), u"of the fleet"_s);
        QVERIFY(statedUnitOf(*findField(CatalogKind::PlanningDefault, "category"), spares).isEmpty());
        QVERIFY(cell("low").data(Qt::ToolTipRole).toString().contains(u"1.50\u00a0%"_s));
        QVERIFY(!model.usualColumns().contains(u"mlsysim_symbol"_s)); // says nothing to a planner
        QVERIFY(!CatalogTableModel(CatalogKind::CalibrationConstant).usualColumns().contains(u"constant"_s));
        QVERIFY(model.index(0, 0).data(CatalogTableModel::SearchTextRole).toString().contains(u"fraction_of_fleet"_s));
    }
    void referencesInListsAndTextsAreNames()
    {
        Catalog catalog;
        catalog.insert(item(CatalogKind::Accelerator, "fast", "Fast One"));
        catalog.insert(item(CatalogKind::Fabric, "ib", "InfiniBand"));
        CatalogRecord gear;
        gear.kind = CatalogKind::NetworkGear;
        const auto *fabrics = findField(CatalogKind::NetworkGear, "fabric_ids");
        QVERIFY(fabrics);
        QCOMPARE(inWords(*fabrics, std::vector<std::string>{"ib", "gone"}, gear, catalog),
            std::optional(u"InfiniBand, gone"_s));
        QCOMPARE(recordedInWords(u"days: 54, accelerator id: fast, workload id: gone"_s, catalog),
            u"days: 54, accelerator: Fast One, workload id: gone"_s);
        QCOMPARE(recordedInWords(u"id: Systems.X, bandwidth gbit per s: 1600, latency us: 50, pue: 1.1"_s, catalog),
            u"id: Systems.X, bandwidth: 1600 Gb/s, latency: 50 \u00b5s, pue: 1.1"_s);
        CatalogRecord price;
        price.kind = CatalogKind::Price;
        QCOMPARE(inWords(*findField(CatalogKind::Price, "term"), std::string("reserved-3y"), price, catalog),
            std::optional(u"reserved 3 y"_s));
        const auto *latency = findField(CatalogKind::Fabric, "latency_us");
        QCOMPARE(exactText(*latency, 50.0), u"50\u00a0\u00b5s"_s);
        const CatalogTableModel model(CatalogKind::Fabric);
        QVERIFY(model.headerData(model.columnOf(u"latency_us"_s), Qt::Horizontal).toString().contains(u"(\u00b5s)"_s));
        const CatalogTableModel nodes(CatalogKind::Node);
        const auto help = nodes.headerData(nodes.columnOf(u"accelerator_id"_s), Qt::Horizontal, Qt::ToolTipRole);
        QVERIFY2(help.toString().startsWith(u"item of the"_s), qPrintable(help.toString()));
    }

    /// Sorted by who uses them, prices begin with what decides a purchase.
    void usedPricesComeFirst()
    {
        const auto price = [](const std::string &id, const std::string &category, const std::string &unit) {
            CatalogRecord record;
            record.kind = CatalogKind::Price;
            record.id = record.name = id;
            record.values = {{"category", category}, {"unit", unit}, {"currency", std::string("USD")}, {"typical", 2.5},
                {"as_of", std::string("2026-09-19")}};
            return record;
        };
        auto catalog = std::make_shared<Catalog>();
        catalog->insert(price("cable", "network", "usd_per_unit"));
        catalog->insert(price("rent", "cloud", "usd_per_device_hour"));
        catalog->insert(price("staff", "staff", "usd_per_person_year"));
        catalog->insert(price("node", "purchase", "usd_per_node"));
        catalog->insert(price("card", "purchase", "usd_per_device"));
        CatalogTableModel model(CatalogKind::Price);
        CatalogFilterProxy proxy;
        proxy.setSourceModel(&model);
        QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setToday(QDate(2026, 11, 22));
        model.setCatalog(catalog);
        const int users = model.columnOf(u"used_by"_s);
        proxy.sort(users, Qt::AscendingOrder);
        QCOMPARE(shownNames(proxy), (QStringList{u"node"_s, u"card"_s, u"rent"_s, u"staff"_s, u"cable"_s}));
        QVERIFY(model.index(0, users).data().toString().isEmpty());
        QVERIFY(model.index(0, users).data(Qt::ToolTipRole).toString().contains(priceRule().section(u' ', 0, 3)));
        const PriceUser plan{.id = 3, .name = u"70B"_s, .entries = {u"Price of staff"_s}};
        auto decision = plan;
        decision.kind = PriceUser::Kind::Decision;
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.setUsers({{"staff", {plan}}, {"rent", {plan, decision}}});
        QCOMPARE(changed.size(), 1);
        QCOMPARE(shownNames(proxy), (QStringList{u"rent"_s, u"staff"_s, u"node"_s, u"card"_s, u"cable"_s}));
        const auto cell = [&](int row) { return model.index(row, users); };
        QCOMPARE(cell(2).data().toString(), u"1 plan"_s);
        QCOMPARE(cell(1).data().toString(), u"1 plan, 1 more"_s);
        QVERIFY(cell(1).data(Qt::ToolTipRole).toString().contains(u"decision \u201870B\u2019: Price of staff"_s));
        model.setUsers({{"staff", {plan}}, {"rent", {plan, decision}}});
        QCOMPARE(changed.size(), 1); // nothing new
    }

    void namesAreSortedAsPeopleExpect()
    {
        QStringList names{u"1.6 TbE"_s, u"AWS p5"_s, u"10 GbE"_s, u"8x RTX 6000"_s, u"RTX 5000"_s, u"100 GbE (RoCE)"_s,
            u"RTX 10000"_s, u"100 GbE"_s, u"800 MbE"_s};
        std::ranges::sort(names, {}, naturalKey);
        QCOMPARE(names,
            (QStringList{u"800 MbE"_s, u"10 GbE"_s, u"100 GbE"_s, u"100 GbE (RoCE)"_s, u"1.6 TbE"_s, u"AWS p5"_s,
                u"RTX 5000"_s, u"8x RTX 6000"_s, u"RTX 10000"_s}));
    }
};

FLEETWRIGHT_TEST(TestCatalogWords)
#include "tst_catalogwords.moc"
