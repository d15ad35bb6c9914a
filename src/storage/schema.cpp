// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/schema.h"

#include "storage/digests.h"

#include <QDir>
#include <QFile>

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

Expected<QStringList> shapeOf(const Database &database)
{
    auto shape = database.texts(u"SELECT m.name || '.' || c.name || ' ' || c.type || ' ' || c.\"notnull\" || ' ' || "
                                u"c.pk FROM sqlite_schema m, pragma_table_info(m.name) c "
                                "WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"_s);
    if (shape)
        shape->sort();
    return shape;
}

Expected<QStringList> freshShape()
{
    auto database = Database::inMemory();
    if (!database)
        return std::unexpected(database.error());
    if (auto created = createSchema(**database); !created)
        return std::unexpected(created.error());
    return shapeOf(**database);
}

} // namespace fleetwright::storage
