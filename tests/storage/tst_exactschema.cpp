// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/projectopening.h"
#include "storage/schema.h"
#include "storage/support.h"
#include "testing/registry.h"

#include <QtTest>

#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// A project has exactly the tables of a project: nothing is missing that keeps its rows apart, and nothing is there
/// that SQLite would run or another program would need.
class ExactSchemaTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;

    QString sample()
    {
        const auto path = m_folder.filePath(u"shaped %1.fleetwright"_s.arg(++m_files));
        must(Project::createSample(path, ShippedProject::Tutorial)).reset();
        return path;
    }

    /// The table made again with another text.
    static QStringList rebuilt(const QString &file, const QString &table, const QString &from, const QString &to)
    {
        const auto database = must(Database::open(file, Database::Access::ReadOnly));
        auto sql = must(database->texts(u"SELECT sql FROM sqlite_schema WHERE name = ?"_s, {table})).front();
        if (!sql.contains(from))
            throw std::runtime_error("no such text in " + sql.toStdString());
        sql.replace(from, to);
        return {u"ALTER TABLE %1 RENAME TO old_one"_s.arg(table), sql,
            u"INSERT INTO %1 SELECT * FROM old_one"_s.arg(table), u"DROP TABLE old_one"_s};
    }

    static void plant(const QString &file, const QStringList &statements)
    {
        const auto database = must(Database::open(file, Database::Access::ReadWrite));
        must(database->executeAll({u"PRAGMA foreign_keys = OFF"_s, u"PRAGMA legacy_alter_table = ON"_s}));
        must(database->executeAll(statements));
    }

    static void refusedAsItIs(const QString &file, const QString &says)
    {
        const auto content = contentOf(file);
        const auto found = must(findDamage(*must(Database::open(file, Database::Access::ReadOnly))));
        QString messages;
        for (const auto &finding : found)
            messages += QString::fromStdString(finding.message) + u'\n';
        QVERIFY2(messages.contains(says), qPrintable(messages));
        const auto opened = Project::open(file);
        QVERIFY(!opened);
        QVERIFY2(opened.error().message.contains("damaged"), opened.error().message.c_str());
        QVERIFY(contentOf(file) == content);
    }

private slots:
    void freshAndSound()
    {
        const auto file = sample();
        QVERIFY(must(findDamage(*must(Database::open(file, Database::Access::ReadOnly)))).empty());
        QVERIFY(must(freshSchema()).size() > 20);
        QVERIFY(must(freshSchema()).at(u"plan"_s).contains(u"the property STRICT"_s));
    }

    /// What only a search by an index would come upon.
    void aCheckComparesIndexes()
    {
        const auto file = sample();
        const auto root = must(
            must(Database::open(file, Database::Access::ReadOnly))
                ->integer(u"SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_accelerator_1'"_s));
        constexpr qsizetype page = 4096;
        auto content = contentOf(file);
        const auto name = content.lastIndexOf("nvidia", root * page - 100);
        QVERIFY(name > (root - 1) * page);
        content[name] = 'N';
        writeFile(file, content);
        const auto project = must(Project::open(file)); // the tables are whole
        QVERIFY(project->alteredItems().empty());
        const auto found = must(project->check());
        QVERIFY(!found.empty());
        QVERIFY2(found.front().message.contains("sqlite_autoindex_accelerator_1"), found.front().message.c_str());
    }

    void tooMuch_data()
    {
        QTest::addColumn<QString>("statement");
        QTest::addColumn<QString>("says");
        QTest::newRow("trigger") << u"CREATE TRIGGER t AFTER INSERT ON plan BEGIN DELETE FROM fleet; END"_s
                                 << u"the trigger \u201ct\u201d"_s;
        QTest::newRow("view") << u"CREATE VIEW v AS SELECT * FROM plan"_s << u"the view \u201cv\u201d"_s;
        QTest::newRow("table") << u"CREATE TABLE songs (title TEXT)"_s << u"the table \u201csongs\u201d"_s;
        QTest::newRow("virtual table") << u"CREATE VIRTUAL TABLE box USING rtree (id, low, high)"_s
                                       << u"the virtual table \u201cbox\u201d"_s;
        QTest::newRow("column") << u"ALTER TABLE plan ADD COLUMN colour TEXT"_s
                                << u"has the column \u201ccolour\u201d (TEXT)"_s;
        QTest::newRow("computed column")
            << u"ALTER TABLE plan ADD COLUMN twice TEXT GENERATED ALWAYS AS (name || name)"_s << u"(TEXT, generated)"_s;
        QTest::newRow("index") << u"CREATE INDEX by_name ON plan (name)"_s
                               << u"the index \u201cby_name\u201d on (name)"_s;
        QTest::newRow("unique index") << u"CREATE UNIQUE INDEX one_name ON fleet (name)"_s << u"the unique index"_s;
    }

    void tooMuch()
    {
        QFETCH(QString, statement);
        QFETCH(QString, says);
        const auto file = sample();
        plant(file, {statement});
        refusedAsItIs(file, says);
    }

    void missing_data()
    {
        QTest::addColumn<QStringList>("statements");
        QTest::addColumn<QString>("says");
        QTest::newRow("table") << QStringList{u"DROP TABLE result"_s} << u"the table \u201cresult\u201d is missing"_s;
        QTest::newRow("column") << QStringList{u"ALTER TABLE node DROP COLUMN rack_units"_s}
                                << u"lacks the column \u201crack_units\u201d"_s;
        QTest::newRow("index") << QStringList{u"DROP INDEX attribution_source"_s}
                               << u"lacks the index \u201cattribution_source\u201d on (kind, source_id)"_s;
        QTest::newRow("orphans") << QStringList{u"DELETE FROM source"_s} << u"rows that do not exist"_s;
        QTest::newRow("project") << QStringList{u"DELETE FROM project"_s} << u"0 projects"_s;
    }

    void missing()
    {
        QFETCH(QStringList, statements);
        QFETCH(QString, says);
        const auto file = sample();
        plant(file, statements);
        refusedAsItIs(file, says);
    }

    void madeOtherwise_data()
    {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("says");
        QTest::newRow("not strict") << u"plan"_s << u") STRICT"_s << u")"_s << u"lacks the property STRICT"_s;
        QTest::newRow("rows with numbers")
            << u"attribution"_s << u"STRICT, WITHOUT ROWID"_s << u"STRICT"_s << u"lacks the property WITHOUT ROWID"_s;
        QTest::newRow("ids twice") << u"fabric"_s << u"id TEXT NOT NULL UNIQUE"_s << u"id TEXT NOT NULL"_s
                                   << u"lacks the unique index on (id)"_s;
        QTest::newRow("no reference") << u"result"_s << u" REFERENCES plan (id) ON DELETE CASCADE"_s << QString()
                                      << u"lacks the reference from \u201cplan_id\u201d to \u201cplan.id\u201d"_s;
        QTest::newRow("another reference") << u"result"_s << u"ON DELETE CASCADE"_s << u"ON DELETE SET NULL"_s
                                           << u"lacks the reference from \u201cplan_id\u201d"_s;
        QTest::newRow("nothing allowed") << u"plan"_s << u"name TEXT NOT NULL"_s << u"name TEXT"_s
                                         << u"lacks the column \u201cname\u201d (TEXT, NOT NULL)"_s;
        QTest::newRow("another type") << u"plan"_s << u"position INTEGER"_s << u"position ANY"_s
                                      << u"lacks the column \u201cposition\u201d (INTEGER"_s;
        QTest::newRow("another order") << u"fabric"_s << u"id TEXT NOT NULL"_s << u"id TEXT COLLATE NOCASE NOT NULL"_s
                                       << u"lacks the unique index on (id)"_s;
    }

    void madeOtherwise()
    {
        QFETCH(QString, table);
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, says);
        const auto file = sample();
        plant(file, rebuilt(file, table, from, to));
        refusedAsItIs(file, says);
    }

    void sqlitesOwnTablesAreNobodys()
    {
        const auto file = sample();
        plant(file, {u"ANALYZE"_s});
        QVERIFY(must(must(Project::open(file))->check()).empty());
    }
};

FLEETWRIGHT_TEST(ExactSchemaTest)
#include "tst_exactschema.moc"
