// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/database.h"

#include "storage/databasecopy.h"
#include "storage/databaseerror.h"
#include "storage/digests.h"

#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlDriver>
#include <QSqlError>
#include <QSqlQuery>
#include <QSqlRecord>
#include <QUrl>

#include <sqlite3.h>

#include <atomic>
#include <utility>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

constexpr int longestValue = 64 << 20; ///< bytes; no honest value comes near, a hostile file must not fill the memory

} // namespace

class Database::Private {
public:
    QSqlDatabase connection;
    QString path;
    QByteArray image;
    [[nodiscard]] sqlite3 *handle() const
    {
        if (!connection.isOpen())
            return nullptr;
        const QVariant handle = connection.driver()->handle();
        return handle.isValid() && qstrcmp(handle.typeName(), "sqlite3*") == 0
            ? *static_cast<sqlite3 *const *>(handle.constData())
            : nullptr;
    }
};

class Query::Private {
public:
    QSqlQuery query;
    QString path;
    QString statement;
    sqlite3 *handle = nullptr;
    std::optional<Error> fault;
};

Database::Database(std::unique_ptr<Private> priv) : d(std::move(priv)) { }

Database::~Database()
{
    const QString name = d->connection.connectionName();
    d->connection.close();
    d.reset();
    QSqlDatabase::removeDatabase(name);
}

QString Database::path() const { return d->path; }

Expected<std::unique_ptr<Database>> Database::connect(const QString &name, const QString &options, const QString &path)
{
    static std::atomic<quint64> connections = 0;
    auto priv = std::make_unique<Private>();
    priv->connection = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"fleetwright-%1"_s.arg(connections++));
    priv->path = path;
    priv->connection.setDatabaseName(name);
    priv->connection.setConnectOptions(options);
    std::unique_ptr<Database> database(new Database(std::move(priv)));
    if (!database->d->connection.open()) {
        if (!QSqlDatabase::isDriverAvailable(u"QSQLITE"_s))
            return refuse(ErrorCode::IoError, path.toStdString(),
                "The SQLite driver of Qt is missing; install the Qt 6 SQLite plugin (libqt6sql6-sqlite) and try "
                "again.");
        return std::unexpected(errorFrom(database->d->connection.lastError(), path, {}, nullptr));
    }
    // The settings below reach into SQLite past Qt, which is sound only if Qt's driver and this program use the same
    // library.
    sqlite3 *handle = database->d->handle();
    const auto drivers = database->texts(u"SELECT sqlite_source_id()"_s);
    if (!drivers)
        return std::unexpected(drivers.error());
    if (!handle || *drivers != QStringList{QString::fromUtf8(sqlite3_sourceid())})
        return refuse(ErrorCode::IoError, path.toStdString(),
            "Qt's SQLite driver was built with another SQLite library than Fleetwright; build both with the system's "
            "SQLite.");
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, static_cast<int *>(nullptr));
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longestValue);
    sqlite3_extended_result_codes(handle, 1); // errorFrom() tells causes apart by them
    addDigestFunction(handle);
    const auto settings = database->executeAll({u"PRAGMA foreign_keys = ON"_s, u"PRAGMA trusted_schema = OFF"_s,
        u"PRAGMA cell_size_check = ON"_s, u"PRAGMA synchronous = EXTRA"_s, u"PRAGMA temp_store = MEMORY"_s});
    if (!settings)
        return std::unexpected(settings.error());
    return database;
}

Expected<std::unique_ptr<Database>> Database::open(
    const QString &path, Access access, std::chrono::milliseconds patience)
{
    const QString uri = u"file:%1?mode=%2"_s.arg(
        QString::fromUtf8(QUrl::toPercentEncoding(QFileInfo(path).absoluteFilePath(), "/")),
        access == Access::ReadWrite ? u"rw"_s : u"ro"_s);
    const QString options = u"QSQLITE_OPEN_URI;QSQLITE_BUSY_TIMEOUT=%1"_s.arg(patience.count())
        + (access == Access::ReadOnly ? u";QSQLITE_OPEN_READONLY"_s : QString());
    return connect(uri, options, path);
}

Expected<std::unique_ptr<Database>> Database::openOrCreate(const QString &path)
{
    return connect(path, u"QSQLITE_BUSY_TIMEOUT=5000"_s, path);
}

Expected<std::unique_ptr<Database>> Database::inMemory() { return connect(u":memory:"_s, {}, {}); }

Expected<std::unique_ptr<Database>> Database::fromImage(const QByteArray &image)
{
    auto database = inMemory();
    if (!database)
        return database;
    Private &priv = *(*database)->d;
    priv.image = image;
    const auto size = static_cast<sqlite3_int64>(priv.image.size());
    auto *bytes = reinterpret_cast<unsigned char *>(priv.image.data());
    if (sqlite3_deserialize(priv.handle(), "main", bytes, size, size, SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
        return refuse(ErrorCode::IoError, {},
            "A database that is part of the program could not be read; install Fleetwright again.");
    return database;
}

Expected<std::unique_ptr<Database>> Database::inMemoryCopy(const QString &path) const
{
    const auto pageSize = integer(u"PRAGMA page_size"_s), pages = integer(u"PRAGMA page_count"_s);
    if (!pageSize || !pages)
        return std::unexpected(pageSize ? pages.error() : pageSize.error());
    if (*pages > mostCopied / *pageSize)
        return refuse(ErrorCode::UnsupportedValue, path.toStdString(),
            u"\u201c%1\u201d is larger than 1 GiB, which is more than can be shown from a copy in memory."_s.arg(path)
                .toStdString());
    auto copy = connect(u":memory:"_s, {}, path);
    if (!copy)
        return copy;
    // A database in memory takes no pages of another size than its own.
    if (auto sized = (*copy)->execute(u"PRAGMA page_size = %1"_s.arg(*pageSize)); !sized)
        return std::unexpected(std::move(sized.error()));
    if (auto copied = copyPages(**copy, *this, d->path); !copied)
        return std::unexpected(std::move(copied.error()));
    return copy;
}

Expected<void> Database::execute(const QString &statement, const QVariantList &bindings)
{
    auto query = Query::run(*this, statement, bindings);
    if (!query)
        return std::unexpected(std::move(query.error()));
    return {};
}

Expected<void> Database::executeAll(const QStringList &statements)
{
    for (const auto &statement : statements)
        if (auto done = execute(statement); !done)
            return done;
    return {};
}

Expected<qint64> Database::integer(const QString &statement, const QVariantList &bindings) const
{
    auto query = Query::run(*this, statement, bindings);
    if (!query)
        return std::unexpected(std::move(query.error()));
    qint64 value = 0;
    if (query->next())
        value = query->integer(0);
    return query->finish(value);
}

Expected<QStringList> Database::texts(const QString &statement, const QVariantList &bindings) const
{
    auto query = Query::run(*this, statement, bindings);
    if (!query)
        return std::unexpected(std::move(query.error()));
    QStringList rows;
    while (query->next())
        rows.append(query->string(0));
    return query->finish(std::move(rows));
}

qint64 Database::changedRows() const { return sqlite3_changes64(d->handle()); }

qint64 Database::lastInsertedRow() const { return sqlite3_last_insert_rowid(d->handle()); }

sqlite3 *Database::handle() const { return d->handle(); }

Query::Query(std::unique_ptr<Private> priv) : d(std::move(priv)) { }
Query::~Query() = default;
Query::Query(Query &&) noexcept = default;
Query &Query::operator=(Query &&) noexcept = default;

Expected<Query> Query::run(const Database &database, const QString &statement, const QVariantList &bindings)
{
    auto priv = std::make_unique<Private>();
    priv->query = QSqlQuery(database.d->connection);
    priv->query.setForwardOnly(true);
    priv->path = database.path();
    priv->statement = statement;
    priv->handle = database.d->handle();
    bool ok = priv->query.prepare(statement);
    if (ok) {
        for (qsizetype i = 0; i < bindings.size(); ++i)
            priv->query.bindValue(int(i),
                bindings.at(i).typeId() == QMetaType::QString && bindings.at(i).toString().isNull()
                    ? QVariant(u""_s)
                    : bindings.at(i)); // Qt would write NULL
        ok = priv->query.exec();
    }
    if (!ok)
        return std::unexpected(errorFrom(priv->query.lastError(), priv->path, statement, database.d->handle()));
    return Query(std::move(priv));
}

bool Query::next() { return !d->fault && d->query.next(); }

Cell Query::cell(int column) const
{
    const QVariant value = d->query.value(column);
    if (value.isNull())
        return {};
    switch (value.typeId()) {
    case QMetaType::Int:
    case QMetaType::LongLong: return value.toLongLong();
    case QMetaType::Double: return value.toDouble();
    case QMetaType::QString: return value.toString().toStdString();
    default: return Blob{};
    }
}

void Query::fail(int column, const QString &expected)
{
    if (d->fault)
        return;
    const QString name = d->query.record().fieldName(column);
    d->fault = damaged(d->path, u"\u201c%1\u201d does not hold %2"_s.arg(name, expected));
}

qint64 Query::integer(int column)
{
    const auto value = cell(column);
    if (const auto *integer = std::get_if<qint64>(&value))
        return *integer;
    fail(column, u"a whole number"_s);
    return 0;
}

std::string Query::text(int column)
{
    auto value = cell(column);
    if (auto *text = std::get_if<std::string>(&value))
        return std::move(*text);
    fail(column, u"text"_s);
    return {};
}

QString Query::string(int column) { return QString::fromStdString(text(column)); }

Expected<void> Query::finished() const
{
    if (d->fault)
        return std::unexpected(*d->fault);
    if (const QSqlError error = d->query.lastError(); error.isValid())
        return std::unexpected(errorFrom(error, d->path, d->statement, d->handle));
    return {};
}

class Statement::Private {
public:
    Private(Database &database, const QString &text) : m_database(database), m_text(text) { }
    ~Private() { sqlite3_finalize(statement); }
    Private(const Private &) = delete;
    Private &operator=(const Private &) = delete;

    /// What SQLite said last.
    [[nodiscard]] std::unexpected<Error> failed(int code) const
    {
        sqlite3 *handle = m_database.handle();
        return std::unexpected(errorFrom(QSqlError(QString(), QString::fromUtf8(sqlite3_errmsg(handle)),
                                             QSqlError::StatementError, QString::number(code)),
            m_database.path(), m_text, handle));
    }

    sqlite3_stmt *statement = nullptr;

private:
    Database &m_database;
    QString m_text;
};

Statement::Statement(std::unique_ptr<Private> priv) : d(std::move(priv)) { }
Statement::~Statement() = default;
Statement::Statement(Statement &&) noexcept = default;
Statement &Statement::operator=(Statement &&) noexcept = default;

Expected<Statement> Statement::prepare(Database &database, const QString &text)
{
    auto priv = std::make_unique<Private>(database, text);
    const auto sql = text.toUtf8();
    const int code = sqlite3_prepare_v3(
        database.handle(), sql.constData(), int(sql.size()), SQLITE_PREPARE_PERSISTENT, &priv->statement, nullptr);
    if (code != SQLITE_OK)
        return priv->failed(code);
    return Statement(std::move(priv));
}

Expected<void> Statement::run(std::initializer_list<Value> values)
{
    int place = 0, code = SQLITE_OK;
    for (const auto &value : values) {
        ++place;
        if (const auto *number = std::get_if<qint64>(&value)) {
            code = sqlite3_bind_int64(d->statement, place, *number);
        } else {
            const auto text = std::get<std::string_view>(value);
            code = sqlite3_bind_text64( // the text stays until the statement is reset below
                d->statement, place, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
        }
        if (code != SQLITE_OK)
            break;
    }
    if (code == SQLITE_OK)
        code = sqlite3_step(d->statement);
    auto done = code == SQLITE_DONE ? Expected<void>() : d->failed(code);
    sqlite3_reset(d->statement);
    sqlite3_clear_bindings(d->statement);
    return done;
}

Expected<Transaction> Transaction::begin(Database &database)
{
    if (auto begun = database.execute(u"BEGIN IMMEDIATE"_s); !begun)
        return std::unexpected(std::move(begun.error()));
    return Transaction(database);
}

Transaction::Transaction(Transaction &&other) noexcept : m_database(std::exchange(other.m_database, nullptr)) { }

Transaction::~Transaction()
{
    if (!m_database)
        return;
    // SQLite has already rolled back by itself after a full disk or an I/O error; then this reports that no transaction
    // is active.
    static_cast<void>(m_database->execute(u"ROLLBACK"_s));
}

Expected<void> Transaction::commit()
{
    auto committed = m_database->execute(u"COMMIT"_s);
    if (committed)
        m_database = nullptr;
    return committed;
}

} // namespace fleetwright::storage
