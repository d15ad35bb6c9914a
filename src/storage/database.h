// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVariantList>

#include <chrono>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <variant>

struct sqlite3;

namespace fleetwright::storage {

inline constexpr qint64 mostCopied = qint64(1) << 30; ///< bytes of a project that is read from a copy in memory

/// One SQLite connection with the settings that every project uses: foreign keys on, rollback journal,
/// synchronous=EXTRA, untrusted schema, defensive mode, values of at most 64 MiB. Belongs to the thread that opened it.
/// Closed when destroyed; queries on it must be gone by then.
class Database {
public:
    enum class Access { ReadWrite, ReadOnly };

    /// An existing file (never created by opening). What another program locks for longer than `patience` is refused.
    [[nodiscard]] static Expected<std::unique_ptr<Database>> open(
        const QString &path, Access access, std::chrono::milliseconds patience = std::chrono::seconds(5));
    /// An empty file, created; for tools and tests. Refuses nothing: an existing database is opened.
    [[nodiscard]] static Expected<std::unique_ptr<Database>> openOrCreate(const QString &path);
    /// An empty database in memory.
    [[nodiscard]] static Expected<std::unique_ptr<Database>> inMemory();
    /// A database file's bytes, read-only, without a file. `image` is kept as long as the connection.
    [[nodiscard]] static Expected<std::unique_ptr<Database>> fromImage(const QByteArray &image);
    /// All of this one, writable, in memory. Errors of the copy name `path`, the file that it stands for.
    /// UnsupportedValue above mostCopied.
    [[nodiscard]] Expected<std::unique_ptr<Database>> inMemoryCopy(const QString &path) const;
    ~Database();
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    [[nodiscard]] QString path() const; ///< empty for a database in memory that stands for no file

    /// One statement without a result.
    [[nodiscard]] Expected<void> execute(const QString &statement, const QVariantList &bindings = {});
    [[nodiscard]] Expected<void> executeAll(const QStringList &statements);
    /// The first column of the first row of a query that always has one, such as a PRAGMA.
    [[nodiscard]] Expected<qint64> integer(const QString &statement, const QVariantList &bindings = {}) const;
    /// All rows of a one-column query as text.
    [[nodiscard]] Expected<QStringList> texts(const QString &statement, const QVariantList &bindings = {}) const;
    /// Rows that the last statement inserted, changed or removed; and the row id of the last insertion.
    [[nodiscard]] qint64 changedRows() const;
    [[nodiscard]] qint64 lastInsertedRow() const;
    /// For what Qt does not offer, in sources of this layer only.
    [[nodiscard]] sqlite3 *handle() const;

private:
    friend class Query;
    class Private;
    explicit Database(std::unique_ptr<Private> d);
    [[nodiscard]] static Expected<std::unique_ptr<Database>> connect(
        const QString &name, const QString &options, const QString &path);
    std::unique_ptr<Private> d;
};

/// Bytes that should have been something else: no column of a project holds a blob.
struct Blob {
    bool operator==(const Blob &) const = default;
};
/// A stored value with the type that it really has, whatever its column promises.
using Cell = std::variant<std::monostate, qint64, double, std::string, Blob>;

/// A running query. A value of the wrong type ends it: next() is false, and finish() returns the error.
class Query {
public:
    [[nodiscard]] static Expected<Query> run(
        const Database &database, const QString &statement, const QVariantList &bindings = {});
    ~Query();
    Query(Query &&) noexcept;
    Query &operator=(Query &&) noexcept;

    [[nodiscard]] bool next();
    [[nodiscard]] Cell cell(int column) const;
    [[nodiscard]] qint64 integer(int column);
    [[nodiscard]] std::string text(int column);
    [[nodiscard]] QString string(int column);

    /// `value`, or the error that ended the loop early.
    template <class T> [[nodiscard]] Expected<T> finish(T value)
    {
        if (auto ok = finished(); !ok)
            return std::unexpected(std::move(ok.error()));
        return value;
    }
    [[nodiscard]] Expected<void> finished() const;

private:
    class Private;
    explicit Query(std::unique_ptr<Private> d);
    void fail(int column, const QString &expected);
    std::unique_ptr<Private> d;
};

/// A statement without a result that is prepared once and run often, with other values each time. Gone before its
/// database.
class Statement {
public:
    using Value = std::variant<qint64, std::string_view>;

    [[nodiscard]] static Expected<Statement> prepare(Database &database, const QString &text);
    ~Statement();
    Statement(Statement &&) noexcept;
    Statement &operator=(Statement &&) noexcept;

    [[nodiscard]] Expected<void> run(std::initializer_list<Value> values);

private:
    class Private;
    explicit Statement(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

/// Everything since begin() or nothing: leaving the scope rolls back unless commit() succeeded.
class Transaction {
public:
    [[nodiscard]] static Expected<Transaction> begin(Database &database);
    ~Transaction();
    Transaction(Transaction &&other) noexcept;
    Transaction &operator=(Transaction &&) = delete;
    [[nodiscard]] Expected<void> commit();

private:
    explicit Transaction(Database &database) : m_database(&database) { }
    Database *m_database;
};

} // namespace fleetwright::storage
