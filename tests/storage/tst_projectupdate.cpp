// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped catalogs of this program applied to a project of an earlier version, and taken back.
#include "domain/catalogupdate.h"
#include "storage/database.h"
#include "storage/support.h"
#include "testing/registry.h"

#include <QtTest>

#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

namespace {

/// Every row of every table, as SQL literals.
QStringList rowsOf(const QString &path)
{
    const auto database = must(Database::open(path, Database::Access::ReadOnly));
    QStringList rows;
    const auto tables = must(database->texts(u"SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"_s));
    for (const auto &table : tables) {
        QStringList cells;
        const auto columns = must(database->texts(u"SELECT name FROM pragma_table_info(?)"_s, {table}));
        for (const auto &column : columns)
            cells << u"quote(\"%1\")"_s.arg(column);
        rows << table + u':';
        rows << must(database->texts(u"SELECT %1 FROM %2 ORDER BY 1"_s.arg(cells.join(u" || '|' || "_s), table)));
    }
    return rows;
}

std::vector<ItemId> applicable(const Catalog &project, const Catalog &shipped)
{
    std::vector<ItemId> items;
    for (const auto &update : compareWithShipped(project, shipped))
        if (update.isApplicable())
            items.push_back(update.item);
    return items;
}

} // namespace

class ProjectUpdateTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;

    /// A project that version 5 of the format saved, with a node of the user's own.
    QString formerProject()
    {
        const auto path = m_folder.filePath(u"former %1.fleetwright"_s.arg(++m_files));
        QFile::copy(QStringLiteral(FLEETWRIGHT_TEST_DATA "/projects/version-5.fleetwright"), path);
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
        const auto project = must(Project::open(path));
        must(project->saveRecord(userCopy(must(project->catalog()), CatalogKind::Node, "nvidia_dgx_h100", "my_node")));
        return path;
    }

private slots:
    void everythingAppliedAndTakenBack()
    {
        const auto path = formerProject();
        const auto before = rowsOf(path);
        const auto shipped = must(shippedCatalog());
        {
            const auto project = must(Project::open(path));
            const auto own = must(project->catalog());
            const auto items = applicable(own, shipped);
            for (const auto kind : {CatalogKind::NetworkGear, CatalogKind::Currency}) // catalogs that it did not have
                QCOMPARE(std::ranges::count(items, kind, &ItemId::kind), int(shipped.records(kind).size()));
            const auto edit = must(updateTo(own, shipped, items));
            must(project->replaceItems(edit.before, edit.after));
            const auto updated = must(project->catalog());
            for (const auto kind : allCatalogKinds)
                for (const auto &record : shipped.records(kind))
                    QVERIFY2(
                        updated.find(kind, record.id) && *updated.find(kind, record.id) == record, record.id.c_str());
            QVERIFY(*updated.find(CatalogKind::Node, "my_node") == *own.find(CatalogKind::Node, "my_node"));
            for (const auto &update : compareWithShipped(updated, shipped))
                QVERIFY(!update.isApplicable());
            QVERIFY(must(project->check()).empty());
            must(project->replaceItems(edit.after, edit.before, RecordRules::AsItStood));
        }
        QCOMPARE(rowsOf(path), before);
    }

    void onlyWhatIsTicked()
    {
        const auto path = formerProject();
        const auto project = must(Project::open(path));
        const auto own = must(project->catalog());
        const auto shipped = must(shippedCatalog());
        const auto all = applicable(own, shipped);
        std::vector<ItemId> ticked{{CatalogKind::Currency, "eur"}, {CatalogKind::Node, "nvidia_dgx_h100"}};
        const auto needed = alsoNeeded(own, shipped, ticked);
        QVERIFY(!needed.empty() && !updateTo(own, shipped, ticked));
        ticked.insert(ticked.end(), needed.begin(), needed.end());
        for (const auto &item : ticked)
            QVERIFY2(std::ranges::find(all, item) != all.end(), toString(item).c_str());
        const auto edit = must(updateTo(own, shipped, ticked));
        must(project->replaceItems(edit.before, edit.after));
        const auto updated = must(project->catalog());
        for (const auto kind : allCatalogKinds)
            for (const auto &record : updated.records(kind)) {
                const bool wanted = std::ranges::find(ticked, ItemId{kind, record.id}) != ticked.end();
                const auto *expected = wanted ? shipped.find(kind, record.id) : own.find(kind, record.id);
                QVERIFY2(expected && *expected == record, record.id.c_str());
            }
        QCOMPARE(int(applicable(updated, shipped).size()), int(all.size() - ticked.size()));
        QVERIFY(must(project->check()).empty());
    }

    /// What would leave a reference without its item, or touch an item of the user, changes nothing at all.
    void refusedAsAWhole()
    {
        const auto path = formerProject();
        const auto before = rowsOf(path);
        {
            const auto project = must(Project::open(path));
            const auto shipped = must(shippedCatalog());
            const auto ofGear = std::ranges::find_if(shipped.records(CatalogKind::Price),
                [](const CatalogRecord &record) { return record.text("item_type") == "network_gear"; });
            CatalogItems after{{*shipped.find(CatalogKind::Currency, "eur"), *ofGear}, {}};
            after.sources = newSources(after.records, shipped, must(project->catalog()));
            const auto orphan = project->replaceItems({}, after);
            QVERIFY(!orphan);
            QVERIFY(orphan.error().code == ErrorCode::UnknownReference);
            QCOMPARE(orphan.error().field, "prices/" + ofGear->id + ".item_ref");
            auto taken = *shipped.find(CatalogKind::Node, "nvidia_dgx_h100");
            taken.id = "my_node";
            const auto own = project->replaceItems({}, {{*shipped.find(CatalogKind::Currency, "eur"), taken}, {}});
            QVERIFY(!own);
            QVERIFY(own.error().code == ErrorCode::ConstraintViolated);
            QCOMPARE(own.error().field, std::string("nodes/my_node.id"));
        }
        QCOMPARE(rowsOf(path), before);
    }
};

FLEETWRIGHT_TEST(ProjectUpdateTest)
#include "tst_projectupdate.moc"
