// SPDX-License-Identifier: GPL-3.0-or-later
// Catalogs of a project: updated from the shipped ones, imported, exported, and what they refuse.
#include "cli/clitesting.h"
#include "storage/project.h"
#include "testing/registry.h"

#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace clitesting;
using clirunner::parsed;
using clirunner::run;

class TestCatalogCommands : public QObject, private CliFixture {
    Q_OBJECT

    QString newProject(const QString &name = u"mine.fleetwright"_s)
    {
        const auto path = m_folder->filePath(name);
        return run({u"project"_s, u"new"_s, path}).status == 0 ? path : QString();
    }
    /// As version 5 of the format saved it: no network gear, no currencies.
    QString formerProject()
    {
        const auto path = m_folder->filePath(u"former.fleetwright"_s);
        QFile::copy(QStringLiteral(FLEETWRIGHT_TEST_DATA "/projects/version-5.fleetwright"), path);
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
        return path;
    }
    static clirunner::Run update(const QString &project, const QStringList &more)
    {
        return run(QStringList{u"catalog"_s, u"update"_s, u"--project"_s, project} + more);
    }
    static std::size_t countOf(const QString &project, const QString &kind)
    {
        return parsed(run({u"catalog"_s, u"list"_s, kind, u"--project"_s, project, u"--format"_s, u"json"_s}).out)
            .size();
    }

private slots:
    void init() { makeFolder(); }
    void updatesAreListedAndApplied();
    void updatesOfSomeItems();
    void updatesThatAreRefused();
    void itemsGoOutAndComeIn_data();
    void itemsGoOutAndComeIn();
    void refusedItemsKeepAllOut();
    void badPrices_data();
    void badPrices();
    void expiredPricesAreANotice();
};

void TestCatalogCommands::updatesAreListedAndApplied()
{
    const auto project = formerProject();
    const auto listed = update(project, {u"--format"_s, u"json"_s});
    QVERIFY2(listed.status == 0, listed.err.constData());
    const auto json = parsed(listed.out);
    QCOMPARE(json["applied"].get<int>(), 0);
    std::map<std::string, int> changes;
    bool fieldByField = false, used = false;
    for (const auto &item : json["items"]) {
        ++changes[item["change"].get<std::string>()];
        used = used || !item["used_by"].empty();
        for (const auto &field : item.value("fields", Json::array()))
            fieldByField = fieldByField || (field["before"].is_null() && field["after"].is_number());
    }
    QVERIFY(changes["new"] > 1000 && changes["changed"] == 5);
    QVERIFY(fieldByField && used);
    QCOMPARE(countOf(project, u"currencies"_s), 0UZ); // listed, not applied
    const auto table = update(project, {});
    QVERIFY2(table.out.contains("network_gear/") && table.out.contains("Nothing was changed"), table.out.constData());

    const auto applied = update(project, {u"--all"_s, u"--apply"_s});
    QVERIFY2(applied.status == 0 && applied.out.contains("Applied "), applied.err.constData());
    QCOMPARE(countOf(project, u"currencies"_s), countOf(newProject(), u"currencies"_s));
    QCOMPARE(run({u"project"_s, u"check"_s, project}).status, 0);
    for (const auto &item : parsed(update(project, {u"--format"_s, u"json"_s}).out)["items"])
        QCOMPARE(item["change"].get<std::string>(), std::string("no longer shipped"));
    QVERIFY(update(newProject(u"new.fleetwright"_s), {}).out.contains("are those that this program ships"));
}

/// A price brings the gear that it is for; a catalog is named by itself.
void TestCatalogCommands::updatesOfSomeItems()
{
    const auto project = formerProject();
    const auto shipped = storage::shippedCatalog();
    QVERIFY(shipped.has_value());
    const auto price = std::ranges::find_if(shipped->records(CatalogKind::Price),
        [](const CatalogRecord &record) { return record.text("item_type") == "network_gear"; });
    const auto item = u"prices/"_s + QString::fromStdString(price->id);
    const auto done = update(
        project, {u"--item"_s, item, u"--item"_s, u"currencies"_s, u"--apply"_s, u"--format"_s, u"csv"_s});
    QVERIFY2(done.status == 0, done.err.constData());
    QVERIFY2(done.out.contains(item.toUtf8()), done.out.constData());
    QVERIFY2(
        done.out.contains("network_gear/" + QByteArray::fromStdString(*price->text("item_ref"))), done.out.constData());
    QCOMPARE(countOf(project, u"network_gear"_s), 1UZ);
    QCOMPARE(countOf(project, u"currencies"_s), shipped->records(CatalogKind::Currency).size());
    QCOMPARE(run({u"project"_s, u"check"_s, project}).status, 0);
}

void TestCatalogCommands::updatesThatAreRefused()
{
    const auto project = formerProject();
    const auto refused = [&](const QStringList &arguments, int status, const char *word) {
        const auto done = update(project, arguments);
        return done.status == status && done.out.isEmpty() && done.err.contains(word);
    };
    QVERIFY(refused({u"--apply"_s}, 2, "--all"));
    QVERIFY(refused({u"--all"_s, u"--item"_s, u"nodes"_s}, 2, "--item"));
    QVERIFY(refused({u"--item"_s, u"planets"_s}, 3, "planets"));
    QVERIFY(refused({u"--item"_s, u"nodes/nvidia_dgx_h10"_s, u"--apply"_s}, 3, "nvidia_dgx_h100"));
    QVERIFY(refused({u"--item"_s, u"fabrics/nvlink4_nvswitch"_s}, 3, "up to date"));
    // An item of one's own in the place of a shipped one stays, and whoever asks is told.
    QCOMPARE(run({u"catalog"_s, u"add"_s, u"currencies/eur"_s, u"--project"_s, project, u"--name"_s, u"My euro"_s,
                     u"--set"_s, u"code=EUR"_s, u"--set"_s, u"units_per_usd=0.9"_s, u"--set"_s, u"period=2026"_s})
                 .status,
        0);
    QVERIFY(refused({u"--item"_s, u"currencies/eur"_s, u"--apply"_s}, 3, "of your own"));
    const auto all = update(project, {u"--all"_s, u"--apply"_s});
    QVERIFY2(all.status == 0 && all.out.contains("1 blocked"), all.out.constData());
    QVERIFY(run({u"catalog"_s, u"show"_s, u"currencies/eur"_s, u"--project"_s, project}).out.contains("My euro"));
    QCOMPARE(update(m_folder->filePath(u"none.fleetwright"_s), {}).status, 5);
}

void TestCatalogCommands::itemsGoOutAndComeIn_data()
{
    QTest::addColumn<QString>("ending");
    QTest::newRow("JSON") << u".json"_s;
    QTest::newRow("CSV") << u".csv"_s;
}

void TestCatalogCommands::itemsGoOutAndComeIn()
{
    QFETCH(const QString, ending);
    const auto first = newProject(), second = newProject(u"second.fleetwright"_s);
    const auto add = [&](const QString &item, const QStringList &more) {
        const auto done = run(QStringList{u"catalog"_s, u"add"_s, item, u"--project"_s, first} + more);
        QVERIFY2(done.status == 0, done.err.constData());
    };
    add(u"prices/offer"_s,
        {u"--like"_s, u"price_dgx_h100_2026"_s, u"--name"_s, u"Offer, \"7\""_s, u"--set"_s, u"typical=301000.25"_s,
            u"--set"_s, u"low="_s, u"--set"_s, u"high="_s});
    const auto path = m_folder->filePath(u"prices"_s + ending);
    const auto out = run({u"catalog"_s, u"export"_s, u"prices"_s, u"--own"_s, u"--project"_s, first, u"-o"_s, path});
    QVERIFY2(out.status == 0, out.err.constData());
    const auto in = [&](const QString &project, const QStringList &more = {}) {
        return run(
            QStringList{u"catalog"_s, u"import"_s, path, u"--project"_s, project, u"--format"_s, u"json"_s} + more);
    };
    const auto added = in(second);
    QVERIFY2(added.status == 0, added.err.constData());
    QCOMPARE(parsed(added.out)["added"], Json({"prices/offer"}));
    const auto shown = [](const QString &project) {
        return parsed(
            run({u"catalog"_s, u"show"_s, u"offer"_s, u"--project"_s, project, u"--format"_s, u"json"_s}).out);
    };
    auto before = shown(first), after = shown(second);
    if (ending == u".csv"_s)
        before["sources"] = after["sources"] = nullptr; // have no place in a table
    QCOMPARE(after.dump(), before.dump());
    QCOMPARE(in(second).status, 0);
    QCOMPARE(parsed(in(second).out)["unchanged"].size(), 1UZ);
    QCOMPARE(run({u"project"_s, u"check"_s, second}).status, 0);

    // Another value under the same id: only on demand.
    QVERIFY(QFile::remove(path));
    const auto third = newProject(u"third.fleetwright"_s);
    QCOMPARE(run({u"catalog"_s, u"add"_s, u"prices/offer"_s, u"--project"_s, third, u"--like"_s,
                     u"price_dgx_h100_2026"_s, u"--name"_s, u"Other"_s})
                 .status,
        0);
    QCOMPARE(run({u"catalog"_s, u"export"_s, u"prices"_s, u"--own"_s, u"--project"_s, third, u"-o"_s, path}).status, 0);
    const auto kept = in(second);
    QCOMPARE(kept.status, 3);
    QVERIFY2(kept.err.contains("prices/offer") && kept.err.contains("replace"), kept.err.constData());
    QCOMPARE(parsed(in(second, {u"--replace"_s}).out)["replaced"].size(), 1UZ);
    QCOMPARE(shown(second)["name"].get<std::string>(), std::string("Other"));
}

/// Each refused item is named with its id, field and sentence, and the others wait unless they are asked for.
void TestCatalogCommands::refusedItemsKeepAllOut()
{
    const auto project = newProject();
    const auto catalogs = file(u"catalogs.json"_s, R"({"catalogs": {
"nodes": {"items": [{"id": "my_node", "name": "Mine", "vendor": "Me", "kind": "server", "launch_year": 2025,
  "status": "shipping", "accelerator_id": "none_such", "accelerators_per_node": 8, "scale_up_domain_size": 8}]},
"prices": {"items": [
  {"id": "of_node", "name": "Its price", "category": "purchase", "item_type": "nodes", "item_ref": "my_node",
   "unit": "usd_per_node", "currency": "USD", "typical": 1000, "confidence": "market"},
  {"id": "nothing", "name": "For nothing", "category": "purchase", "unit": "usd_per_node", "currency": "USD",
   "typical": 0, "confidence": "market"},
  {"id": "unread", "name": "Typo", "category": "purchase", "unit": "usd_per_node", "currency": "USD",
   "typcal": 3, "confidence": "market"},
  {"id": "price_dgx_h100_2026", "name": "Shipped", "category": "purchase", "unit": "usd_per_node", "currency": "USD",
   "typical": 3, "confidence": "market"},
  {"id": "good", "name": "Good", "category": "purchase", "unit": "usd_per_node", "currency": "USD",
   "typical": 3, "confidence": "market"}]}}})");
    const QStringList command{u"catalog"_s, u"import"_s, catalogs, u"--project"_s, project, u"--format"_s, u"json"_s};
    const auto refused = run(command);
    QCOMPARE(refused.status, 3);
    const auto json = parsed(refused.out);
    std::map<std::string, std::string> fields;
    for (const auto &item : json["refused"]) {
        fields[item["id"].get<std::string>()] = item["field"].get<std::string>();
        QVERIFY(item["message"].get<std::string>().size() > 20);
        QVERIFY(refused.err.contains(QByteArray::fromStdString(item["id"].get<std::string>())));
    }
    const std::map<std::string, std::string> expected{{"my_node", "accelerator_id"}, {"of_node", "item_ref"},
        {"nothing", "typical"}, {"unread", "catalogs.prices.items[2].typcal"}, {"price_dgx_h100_2026", "id"}};
    QVERIFY2(fields == expected, refused.out.constData());
    QCOMPARE(run({u"catalog"_s, u"show"_s, u"good"_s, u"--project"_s, project}).status, 3);
    const auto some = run(command + QStringList{u"--skip-refused"_s});
    QCOMPARE(some.status, 0);
    QCOMPARE(parsed(some.out)["added"], Json({"prices/good"}));
    QCOMPARE(run({u"catalog"_s, u"show"_s, u"good"_s, u"--project"_s, project}).status, 0);
    QCOMPARE(run({u"project"_s, u"check"_s, project}).status, 0);

    const auto table = file(u"offers.csv"_s, "id,name,typical\na,A,1\n");
    const auto nameless = run({u"catalog"_s, u"import"_s, table, u"--project"_s, project});
    QCOMPARE(nameless.status, 3);
    QVERIFY2(nameless.err.contains("--kind"), nameless.err.constData());
    const auto short_ = run({u"catalog"_s, u"import"_s, table, u"--kind"_s, u"prices"_s, u"--project"_s, project});
    QCOMPARE(short_.status, 3);
    QVERIFY2(short_.err.contains("prices/a") && short_.err.contains("Category"), short_.err.constData());
    QCOMPARE(run({u"catalog"_s, u"import"_s, m_folder->filePath(u"none.json"_s), u"--project"_s, project}).status, 5);
}

void TestCatalogCommands::badPrices_data()
{
    QTest::addColumn<QString>("setting");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("remedy");
    QTest::newRow("zero") << u"typical=0"_s << u"typical"_s << u"leave it empty if unknown"_s;
    QTest::newRow("negative") << u"low=-1"_s << u"low"_s << u"at least"_s;
    QTest::newRow("currency without rate") << u"currency=XAU"_s << u"currency"_s << u"add the currency"_s;
    QTest::newRow("no date") << u"valid_until=soon"_s << u"valid_until"_s << u"2027-03-31"_s;
    QTest::newRow("unknown item") << u"item_ref=nvidia_dgx_h10"_s << u"item_ref"_s << u"nvidia_dgx_h100"_s;
}

/// A price that cannot be one is refused with its field and the remedy, and the project stays as it was.
void TestCatalogCommands::badPrices()
{
    QFETCH(const QString, setting);
    QFETCH(const QString, field);
    QFETCH(const QString, remedy);
    const auto project = newProject();
    QStringList command{u"catalog"_s, u"add"_s, u"prices/offer"_s, u"--project"_s, project, u"--like"_s,
        u"price_dgx_h100_2026"_s, u"--name"_s, u"Offer"_s, u"--set"_s, u"low="_s, u"--set"_s, u"high="_s, u"--set"_s,
        setting};
    if (field == u"currency")
        command << u"--set"_s << u"unit=xau_per_node"_s;
    const auto done = run(command);
    QCOMPARE(done.status, 3);
    QVERIFY2(done.err.contains(field.toUtf8()) && done.err.contains(remedy.toUtf8()), done.err.constData());
    QCOMPARE(run({u"catalog"_s, u"show"_s, u"offer"_s, u"--project"_s, project}).status, 3);
}

void TestCatalogCommands::expiredPricesAreANotice()
{
    const auto project = newProject();
    const auto added = run({u"catalog"_s, u"add"_s, u"prices/offer"_s, u"--project"_s, project, u"--like"_s,
        u"price_dgx_h100_2026"_s, u"--name"_s, u"Offer 7"_s, u"--set"_s, u"valid_until=2026-01-31"_s});
    QCOMPARE(added.status, 0);
    QVERIFY2(
        added.out.contains("Notice: The price \u201cOffer 7\u201d was valid until 2026-01-31"), added.out.constData());
    const auto checked = run({u"catalog"_s, u"check"_s, u"--project"_s, project, u"--format"_s, u"json"_s});
    QCOMPARE(checked.status, 0);
    QCOMPARE(parsed(checked.out)["notices"].size(), 1UZ);
}

FLEETWRIGHT_TEST(TestCatalogCommands)
#include "tst_catalogcommands.moc"
