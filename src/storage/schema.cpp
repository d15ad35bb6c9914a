// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/schema.h"

#include "storage/digests.h"

#include <QDir>
#include <QFile>

#include <algorithm>
#include <array>
#include <iterator>

using namespace Qt::StringLiterals;

// Outside any namespace, as the macro requires: resources of a static library are linked only when they are asked for.
static void initialiseResources() { Q_INIT_RESOURCE(fleetwright_database); }

namespace fleetwright::storage {

namespace {

Expected<QString> embeddedText(const QString &path)
{
    initialiseResources();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refuse(ErrorCode::IoError, path.toStdString(),
            "A part of the program is missing (" + path.toStdString() + "); install Fleetwright again.");
    return QString::fromUtf8(file.readAll());
}

} // namespace

QStringList statementsOf(const QString &sql)
{
    QStringList statements(QString{});
    bool content = false; // a piece of comments alone is not a statement
    const auto lines = sql.split(u'\n');
    for (const QString &line : lines) {
        const QString trimmed = line.trimmed();
        if (trimmed == "-- cut"_L1) {
            if (content)
                statements.append(QString());
            else
                statements.last().clear();
            content = false;
            continue;
        }
        content = content || (!trimmed.isEmpty() && !trimmed.startsWith("--"_L1));
        statements.last() += line + u'\n';
    }
    if (!content)
        statements.removeLast();
    return statements;
}

Expected<void> createSchema(Database &database)
{
    const auto sql = embeddedText(u":/fleetwright/database/schema.sql"_s);
    if (!sql)
        return std::unexpected(sql.error());
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return std::unexpected(transaction.error());
    if (auto done = database.executeAll(statementsOf(*sql)); !done)
        return done;
    if (auto done = database.executeAll({u"PRAGMA application_id = %1"_s.arg(projectApplicationId),
            u"PRAGMA user_version = %1"_s.arg(projectSchemaVersion)});
        !done)
        return done;
    return transaction->commit();
}

std::vector<QStringList> shippedMigrations()
{
    initialiseResources();
    std::vector<QStringList> steps;
    const auto names = QDir(u":/fleetwright/database/migrations"_s).entryList({u"*.sql"_s}, QDir::Files, QDir::Name);
    for (const auto &name : names)
        if (const auto sql = embeddedText(u":/fleetwright/database/migrations/"_s + name))
            steps.push_back(statementsOf(*sql));
    return steps;
}

Expected<void> migrate(Database &database, std::span<const QStringList> steps)
{
    const auto from = database.integer(u"PRAGMA user_version"_s);
    if (!from)
        return std::unexpected(from.error());
    const auto newest = qint64(steps.size()) + 1;
    if (*from < 1 || *from > newest)
        return refuse(ErrorCode::NewerFile, database.path().toStdString(),
            u"\u201c%1\u201d has schema version %2, which this Fleetwright does not know; use the version that "
            u"saved it or a newer one."_s.arg(database.path())
                .arg(*from)
                .toStdString());
    // What was altered before must not pass for sound afterwards.
    const auto altered = *from >= firstVersionWithDigests ? alteredRows(database) : Expected<std::vector<AlteredRow>>();
    if (!altered)
        return std::unexpected(altered.error());
    // Has no effect inside a transaction, and rebuilding a table must not drop the rows that refer to it.
    if (auto done = database.execute(u"PRAGMA foreign_keys = OFF"_s); !done)
        return done;
    const auto run = [&]() -> Expected<void> {
        for (auto version = *from; version < newest; ++version) {
            auto transaction = Transaction::begin(database);
            if (!transaction)
                return std::unexpected(transaction.error());
            if (auto done = database.executeAll(steps[std::size_t(version - 1)]); !done)
                return done;
            if (version + 1 >= firstVersionWithDigests)
                if (auto done = renewDigests(database, *altered); !done)
                    return done;
            const auto orphans = database.texts(u"SELECT \"table\" FROM pragma_foreign_key_check"_s);
            if (!orphans)
                return std::unexpected(orphans.error());
            if (!orphans->isEmpty())
                return refuse(ErrorCode::IoError, database.path().toStdString(),
                    u"\u201c%1\u201d could not be brought to schema version %2: rows of table %3 would lose what "
                    u"they refer to. The file was left as it was; please report this."_s.arg(database.path())
                        .arg(version + 1)
                        .arg(orphans->first())
                        .toStdString());
            if (auto done = database.execute(u"PRAGMA user_version = %1"_s.arg(version + 1)); !done)
                return done;
            if (auto done = transaction->commit(); !done)
                return done;
        }
        return {};
    };
    auto done = run();
    if (auto restored = database.execute(u"PRAGMA foreign_keys = ON"_s); done && !restored)
        return restored;
    return done;
}

namespace {

Expected<std::unique_ptr<Database>> freshDatabase(std::span<const QStringList> steps = {})
{
    auto database = Database::inMemory();
    if (database)
        if (auto created = createSchema(**database); !created)
            return std::unexpected(std::move(created.error()));
    if (database && int(steps.size()) >= projectSchemaVersion)
        if (auto migrated = migrate(**database, steps); !migrated)
            return std::unexpected(std::move(migrated.error()));
    return database;
}

/// Each statement gives a table and one part of it.
const std::array partQueries{
    u"SELECT name, 'the property STRICT' FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict"_s,
    u"SELECT name, 'the property WITHOUT ROWID' FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND "
    "wr"_s,
    u"SELECT m.name, 'the column \u201c' || c.name || '\u201d (' || c.type || iif(c.\"notnull\", ', NOT NULL', '') "
    "|| iif(c.pk, ', key ' || c.pk, '') || iif(c.hidden, ', generated', '') || coalesce(', ' || c.dflt_value, '') || "
    "')' FROM sqlite_schema m, pragma_table_xinfo(m.name) c WHERE m.type = 'table'"_s,
    u"SELECT m.name, 'the ' || iif(i.partial, 'partial ', '') || iif(i.\"unique\", 'unique ', '') || 'index ' || "
    "iif(i.origin = 'c', '\u201c' || i.name || '\u201d ', '') || 'on (' || (SELECT group_concat(coalesce(c.name, "
    "'an expression') || iif(c.coll = 'BINARY', '', ' ' || c.coll) || iif(c.\"desc\", ' descending', ''), ', ') "
    "FROM pragma_index_xinfo(i.name) c WHERE c.\"key\") || ')' "
    "FROM sqlite_schema m, pragma_index_list(m.name) i WHERE m.type = 'table'"_s,
    u"SELECT m.name, 'the reference from \u201c' || f.\"from\" || '\u201d to \u201c' || f.\"table\" || '.' || "
    "coalesce(f.\"to\", 'its key') || '\u201d (on update ' || f.on_update || ', on delete ' || f.on_delete || ')' "
    "FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'"_s};

const QString ownTables = u" AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"_s; ///< SQLite's own come and go by themselves

} // namespace

Expected<Schema> schemaOf(const Database &database)
{
    Schema schema;
    const auto tables = database.texts(
        u"SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"_s + ownTables);
    if (!tables)
        return std::unexpected(tables.error());
    for (const auto &table : *tables)
        schema[table];
    for (const auto &statement : partQueries) {
        auto query = Query::run(database, statement);
        if (!query)
            return std::unexpected(query.error());
        while (query->next())
            if (const auto table = schema.find(query->string(0)); table != schema.end())
                table->second.append(query->string(1));
        if (auto read = query->finished(); !read)
            return std::unexpected(std::move(read.error()));
    }
    for (auto &[table, parts] : schema)
        parts.sort();
    return schema;
}

Expected<Schema> freshSchema(std::span<const QStringList> steps)
{
    const auto made = [&] {
        const auto database = freshDatabase(steps);
        return database ? schemaOf(**database) : std::unexpected(database.error());
    };
    if (int(steps.size()) >= projectSchemaVersion)
        return made();
    static const auto ofThisVersion = made();
    return ofThisVersion;
}

Expected<QStringList> schemaDifferences(const Database &database, std::span<const QStringList> steps)
{
    const auto fresh = freshSchema(steps);
    if (!fresh)
        return std::unexpected(fresh.error());
    // Ordinary tables that a project has, and nothing else: first the names, since SQLite runs the code of others.
    auto query = Query::run(database,
        u"SELECT CASE WHEN type = 'table' AND rootpage = 0 THEN 'virtual table' ELSE type END, name FROM sqlite_schema "
        "WHERE type <> 'index'"_s
            + ownTables + u" ORDER BY name"_s);
    if (!query)
        return std::unexpected(query.error());
    QStringList foreign;
    while (query->next()) {
        const auto type = query->string(0), name = query->string(1);
        if (type != "table"_L1 || !fresh->contains(name))
            foreign.append(u"it holds the %1 \u201c%2\u201d, which no project has"_s.arg(type, name));
    }
    if (auto read = query->finished(); !read)
        return std::unexpected(std::move(read.error()));
    if (!foreign.isEmpty())
        return foreign;
    const auto schema = schemaOf(database);
    if (!schema)
        return std::unexpected(schema.error());
    QStringList differences;
    for (const auto &[table, parts] : *fresh) {
        const auto own = schema->find(table);
        if (own == schema->end()) {
            differences.append(u"the table \u201c%1\u201d is missing"_s.arg(table));
            continue;
        }
        QStringList missing, more;
        std::ranges::set_difference(parts, own->second, std::back_inserter(missing));
        std::ranges::set_difference(own->second, parts, std::back_inserter(more));
        for (const auto &part : missing)
            differences.append(u"the table \u201c%1\u201d lacks %2"_s.arg(table, part));
        for (const auto &part : more)
            differences.append(u"the table \u201c%1\u201d has %2, which no project has"_s.arg(table, part));
    }
    return differences;
}

} // namespace fleetwright::storage
