// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/salvagedrows.h"

#include "domain/schemaversion.h"
#include "storage/digests.h"
#include "storage/documenttables.h"
#include "storage/pagereader.h"
#include "storage/schema.h"

#include <QRegularExpression>
#include <QStringDecoder>
#include <QtEndian>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

struct SalvageColumn {
    QString name;
    QString type;
    bool notNull = false;
    int key = 0;
};

/// How the rows of a table are laid out.
struct Shape {
    QString sql;
    std::vector<SalvageColumn> columns;
    bool withRowId = true;

    /// The column that is the row's id, or none.
    [[nodiscard]] int alias() const
    {
        if (!withRowId)
            return -1;
        const auto found = std::ranges::find_if(
            columns, [](const auto &c) { return c.key == 1 && c.type == "INTEGER"_L1; });
        return found == columns.end() ? -1 : int(found - columns.begin());
    }
    [[nodiscard]] int indexOf(const QString &name) const
    {
        const auto found = std::ranges::find(columns, name, &SalvageColumn::name);
        return found == columns.end() ? -1 : int(found - columns.begin());
    }
};
using Shapes = std::map<QString, Shape>;

enum class Trust { Unknown, Same, Differs };

struct FoundRow {
    QString key;
    std::vector<RawValue> values; ///< one for each column of the shape
    Trust trust = Trust::Unknown;
};

struct FoundTable {
    Shape shape;
    bool troubled = false; ///< rows of it may be elsewhere
    std::vector<FoundRow> rows;
    std::map<QString, std::size_t> keys; ///< the first row of each
    std::size_t lost = 0;
};

using Digests = std::map<std::pair<QString, QString>, QByteArray>;

Expected<Shape> shapeIn(const Database &database, const QString &table, const QString &sql)
{
    auto query = Query::run(database, u"SELECT name, type, \"notnull\", pk FROM pragma_table_info(?)"_s, {table});
    if (!query)
        return std::unexpected(query.error());
    Shape shape{sql, {}, !sql.contains(u"WITHOUT ROWID"_s)};
    while (query->next())
        shape.columns.push_back({query->string(0), query->string(1), query->integer(2) != 0, int(query->integer(3))});
    return query->finish(std::move(shape));
}

Expected<Shapes> freshShapes(const Database &fresh)
{
    auto query = Query::run(fresh,
        u"SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"_s);
    if (!query)
        return std::unexpected(query.error());
    Shapes shapes;
    while (query->next()) {
        const auto name = query->string(0);
        auto shape = shapeIn(fresh, name, query->string(1));
        if (!shape)
            return std::unexpected(shape.error());
        shapes.emplace(name, std::move(*shape));
    }
    return query->finish(std::move(shapes));
}

/// As the file itself says, which is an older version's way or damaged; nothing where it cannot be understood.
std::optional<Shape> statedShape(const RawTable &table)
{
    // Nothing that computes may run from a file: what makes a table has columns alone.
    static const QRegularExpression computes(u"\\bSELECT\\b"_s, QRegularExpression::CaseInsensitiveOption);
    if (table.sql.contains(computes) || table.sql.size() > 100'000)
        return std::nullopt;
    const auto parser = Database::inMemory();
    if (!parser || !(*parser)->execute(table.sql))
        return std::nullopt;
    auto shape = shapeIn(**parser, table.name, table.sql);
    return shape && !shape->columns.empty() ? std::optional(std::move(*shape)) : std::nullopt;
}

QString textOf(const RawValue &value)
{
    if (const auto *number = std::get_if<qint64>(&value))
        return QString::number(*number);
    if (const auto *text = std::get_if<QByteArray>(&value))
        return QString::fromUtf8(*text);
    return {};
}

/// The row with the values that its columns really have.
std::optional<FoundRow> arranged(const RawRow &raw, const Shape &shape)
{
    if (raw.rowId.has_value() != shape.withRowId || raw.values.size() > shape.columns.size())
        return std::nullopt;
    FoundRow row;
    row.values = raw.values;
    row.values.resize(shape.columns.size()); // columns that were added later
    if (const int alias = shape.alias(); alias >= 0)
        row.values[std::size_t(alias)] = *raw.rowId;
    std::vector<std::pair<int, QString>> key;
    for (std::size_t i = 0; i < row.values.size(); ++i) {
        if (const auto *whole = std::get_if<qint64>(&row.values[i]); whole && shape.columns[i].type == "REAL"_L1)
            row.values[i] = double(*whole);
        if (shape.columns[i].key > 0)
            key.emplace_back(shape.columns[i].key, textOf(row.values[i]));
    }
    std::ranges::sort(key);
    QStringList parts;
    for (const auto &part : key)
        parts.append(part.second);
    row.key = parts.join(u'/');
    return row;
}

QByteArray digestOf(const FoundRow &row)
{
    RowDigest digest;
    for (const auto &value : row.values) {
        if (const auto *number = std::get_if<qint64>(&value))
            digest.addInteger(*number);
        else if (const auto *real = std::get_if<double>(&value))
            digest.addReal(*real);
        else if (const auto *text = std::get_if<QByteArray>(&value))
            digest.addText(*text);
        else if (const auto *blob = std::get_if<RawBlob>(&value))
            digest.addBlob(blob->bytes);
        else
            digest.addNull();
    }
    return digest.result();
}

bool isUtf8(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8);
    const QString text = decoder.decode(bytes);
    return !decoder.hasError() && !text.isNull();
}

/// The value as a column of the type takes it; `kept` turns false where something is lost.
QVariant bound(const RawValue &value, const SalvageColumn &column, bool &kept)
{
    const auto instead = [&]() -> QVariant {
        kept = false;
        if (!column.notNull && column.key == 0)
            return {};
        return column.type == "TEXT"_L1 ? QVariant(u""_s) : QVariant(0);
    };
    if (std::holds_alternative<std::monostate>(value))
        return column.notNull ? instead() : QVariant();
    const auto *whole = std::get_if<qint64>(&value);
    const auto *real = std::get_if<double>(&value);
    if (column.type == "INTEGER"_L1)
        return whole ? QVariant(*whole) : instead();
    if (column.type == "REAL"_L1)
        return whole ? QVariant(double(*whole)) : real && !std::isnan(*real) ? QVariant(*real) : instead();
    if (const auto *text = std::get_if<QByteArray>(&value); text && isUtf8(*text))
        return text->isEmpty() ? QVariant(u""_s) : QVariant(QString::fromUtf8(*text));
    if (const auto *blob = std::get_if<RawBlob>(&value); blob && isUtf8(blob->bytes)) {
        kept = false; // one bit away from the text
        return QString::fromUtf8(blob->bytes);
    }
    return instead();
}

class Salvage {
public:
    Salvage(const QByteArray &file, Shapes fresh, SalvageCourse &course)
        : m_course(course),
          m_reader(file, [this](std::size_t read, std::size_t all) { return m_course.at(read, all); }),
          m_fresh(std::move(fresh))
    {
    }

    /// Breaks off where somebody wants an end; the course says so.
    void read()
    {
        m_course.enter(30);
        const auto stated = m_reader.tables();
        for (const auto &[name, shape] : m_fresh) {
            auto &table = m_tables[name];
            table.shape = shape;
            const auto found = std::ranges::find(stated, name, &RawTable::name);
            if (found == stated.end()) {
                table.troubled = true;
                continue;
            }
            m_stated.insert(name);
            if (auto own = statedShape(*found))
                table.shape = std::move(*own);
            const auto tree = m_reader.tree(found->root);
            table.troubled = tree.badPages > 0;
            table.lost = std::size_t(tree.badRows);
            m_badPages += tree.badPages;
            for (const auto &raw : tree.rows)
                if (auto row = arranged(raw, table.shape))
                    table.rows.push_back(std::move(*row));
                else
                    ++table.lost;
        }
        m_strays = m_reader.strays();
        readDigests();
        for (auto &[name, table] : m_tables)
            for (std::size_t i = 0; i < table.rows.size(); ++i) {
                table.rows[i].trust = trust(name, table.rows[i]);
                table.keys.emplace(table.rows[i].key, i);
            }
        m_course.enter(20);
        for (std::size_t i = 0; i < m_strays.size() && m_course.at(i, m_strays.size()); ++i)
            if (!takeProven(m_strays[i].row) && !m_strays[i].free)
                takeLikely(m_strays[i].row);
        // Of two rows with one id the one that is right comes first, and so stays.
        for (auto &[name, table] : m_tables)
            std::ranges::stable_partition(table.rows, [](const FoundRow &row) { return row.trust == Trust::Same; });
    }

    [[nodiscard]] bool isEmpty() const
    {
        return std::ranges::all_of(m_tables, [](const auto &table) { return table.second.rows.empty(); });
    }

    /// Where the header does not say it: by the tables that came with each version.
    [[nodiscard]] int guessedVersion() const
    {
        const auto has = [&](const QString &name) { return m_stated.contains(name); };
        const auto &defaults = m_tables.at(u"planning_default"_s).shape;
        return m_stated.empty() || has(u"digest"_s) ? projectSchemaVersion
            : has(u"output_set"_s)                  ? 9
            : has(u"decision"_s)                    ? 8
            : has(u"offer"_s)                       ? 7
            : has(u"network_gear"_s)                ? 6
            : defaults.indexOf(u"replaces"_s) >= 0  ? 5
            : has(u"measured_run"_s)                ? 3
            : has(u"sweep"_s)                       ? 2
                                                    : 1;
    }

    /// The tables of the version that wrote the file, for its migrations.
    Expected<void> createStated(Database &database) const
    {
        for (const auto &name : m_stated)
            if (auto done = database.execute(m_tables.at(name).shape.sql); !done)
                return done;
        return {};
    }

    /// Every row, by the names of its columns.
    void fill(Database &database, SalvagedRows &into) const
    {
        for (const auto &[name, table] : m_tables) {
            const auto target = name == "digest"_L1 ? Expected<Shape>(Shape()) : shapeIn(database, name, {});
            if (!target || target->columns.empty())
                continue;
            into.lost[name] = table.lost + missing(name, table);
            for (const auto &row : table.rows)
                if (m_course.at(0, 1))
                    insert(database, name, table, *target, row, into);
        }
    }

    [[nodiscard]] int badPages() const { return m_badPages; }

private:
    void readDigests()
    {
        const auto take = [&](const std::vector<RawValue> &values) {
            const auto *digest = values.size() == 3 ? std::get_if<QByteArray>(&values[2]) : nullptr;
            const auto table = digest ? textOf(values[0]) : QString();
            if (digest && digest->size() == 32 && m_fresh.contains(table))
                m_digests.emplace(std::pair(table, textOf(values[1])), *digest);
        };
        for (const auto &row : m_tables[u"digest"_s].rows)
            take(row.values);
        m_tables[u"digest"_s].rows.clear();
        for (const auto &stray : m_strays)
            if (!stray.row.rowId)
                take(stray.row.values);
    }

    [[nodiscard]] Trust trust(const QString &table, const FoundRow &row) const
    {
        if (m_digests.empty())
            return Trust::Unknown;
        const auto known = m_digests.find({table, row.key});
        return known != m_digests.end() && known->second == digestOf(row) ? Trust::Same : Trust::Differs;
    }

    void add(const QString &name, FoundRow row)
    {
        auto &table = m_tables[name];
        table.keys.emplace(row.key, table.rows.size());
        table.rows.push_back(std::move(row));
    }

    /// A row that a digest knows belongs where the digest says, wherever it lies.
    bool takeProven(const RawRow &raw)
    {
        if (m_digests.empty())
            return false;
        for (auto &[name, table] : m_tables) {
            auto row = arranged(raw, table.shape);
            if (!row || trust(name, *row) != Trust::Same)
                continue;
            row->trust = Trust::Same;
            const auto there = table.keys.find(row->key);
            if (there == table.keys.end())
                add(name, std::move(*row));
            else if (auto &held = table.rows[there->second]; held.trust != Trust::Same)
                held = std::move(*row);
            return true;
        }
        return false;
    }

    /// Without one: a document whose reader takes it, or a row that only one of the tables with lost pages can hold.
    void takeLikely(const RawRow &raw)
    {
        QString only;
        if (raw.rowId && raw.values.size() == 4) {
            const auto *text = std::get_if<QByteArray>(&raw.values[3]);
            only = text ? tableReading(text->toStdString()) : QString();
        } else {
            for (const auto &[name, table] : m_tables)
                if (const auto row = arranged(raw, table.shape); row && table.troubled
                    && raw.values.size() == table.shape.columns.size() && fits(*row, table.shape)) {
                    if (!only.isEmpty())
                        return;
                    only = name;
                }
        }
        if (only.isEmpty() || !m_tables[only].troubled)
            return;
        if (auto row = arranged(raw, m_tables[only].shape); row && !m_tables[only].keys.contains(row->key)) {
            row->trust = Trust::Differs; // nothing says that it was not removed long ago
            add(only, std::move(*row));
        }
    }

    [[nodiscard]] static bool fits(const FoundRow &row, const Shape &shape)
    {
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            bool kept = true;
            static_cast<void>(bound(row.values[i], shape.columns[i], kept));
            if (!kept)
                return false;
        }
        return true;
    }

    [[nodiscard]] std::size_t missing(const QString &name, const FoundTable &table) const
    {
        const auto first = m_digests.lower_bound({name, QString()});
        std::size_t count = 0;
        for (auto digest = first; digest != m_digests.end() && digest->first.first == name; ++digest)
            count += table.keys.contains(digest->first.second) ? 0 : 1;
        return std::max(count, table.lost) - table.lost;
    }

    static void insert(Database &database, const QString &name, const FoundTable &table, const Shape &target,
        const FoundRow &row, SalvagedRows &into)
    {
        QStringList columns, marks;
        QVariantList values;
        bool kept = true;
        for (const auto &column : target.columns) {
            const int at = table.shape.indexOf(column.name);
            const bool list = column.name == "known_confusions"_L1;
            if (at < 0 && (!column.notNull || column.key > 0))
                continue;
            columns.append(u'"' + column.name + u'"');
            marks.append(u"?"_s);
            auto value = bound(at < 0 ? RawValue() : row.values[std::size_t(at)], column, kept);
            values.append(list && value.toString().isEmpty() ? QVariant(u"[]"_s) : value);
        }
        const int id = table.shape.indexOf(u"id"_s);
        const auto called = id >= 0 ? textOf(row.values[std::size_t(id)]) : row.key;
        if (auto done = database.execute(
                u"INSERT INTO \"%1\" (%2) VALUES (%3)"_s.arg(name, columns.join(u", "_s), marks.join(u", "_s)), values);
            !done) {
            ++into.lost[name];
            return;
        }
        if (!kept || row.trust == Trust::Differs) {
            into.doubtful.emplace(name, called);
            if (name == "attribution"_L1)
                into.doubtful.emplace(name, textOf(row.values[0]) + u'/' + textOf(row.values[1]));
        }
    }

    SalvageCourse &m_course;
    PageReader m_reader;
    Shapes m_fresh;
    std::map<QString, FoundTable> m_tables;
    std::set<QString> m_stated;
    std::vector<PageReader::Stray> m_strays;
    Digests m_digests;
    int m_badPages = 0;
};

Expected<std::unique_ptr<Database>> emptyDatabase()
{
    auto database = Database::inMemory();
    if (database)
        if (auto done = (*database)->execute(u"PRAGMA foreign_keys = OFF"_s); !done)
            return std::unexpected(done.error());
    return database;
}

} // namespace

Expected<SalvagedRows> salvageRows(const QByteArray &file, const QString &path, SalvageCourse &course)
{
    auto fresh = emptyDatabase();
    if (!fresh)
        return std::unexpected(fresh.error());
    if (auto created = createSchema(**fresh); !created)
        return std::unexpected(created.error());
    auto shapes = freshShapes(**fresh);
    if (!shapes)
        return std::unexpected(shapes.error());
    Salvage salvage(file, std::move(*shapes), course);
    salvage.read();
    if (auto on = course.goesOn(); !on)
        return std::unexpected(std::move(on.error()));
    if (salvage.isEmpty())
        return refuse(ErrorCode::IoError, path.toStdString(),
            "Nothing of a Fleetwright project could be found in \u201c" + path.toStdString()
                + "\u201d; choose another file, or an earlier version of the project.");
    course.enter(10);
    SalvagedRows rows;
    if (salvage.badPages() > 0)
        rows.sentences.push_back(std::to_string(salvage.badPages())
            + " pages of the file are missing or damaged; what was on them is lost unless it is listed as saved.");
    const int stated = file.size() >= 100 ? int(qFromBigEndian<qint32>(file.constData() + 60)) : 0;
    const auto version = stated >= 1 && stated <= projectSchemaVersion && stated <= salvage.guessedVersion() + 1
        ? stated
        : salvage.guessedVersion();
    if (version < projectSchemaVersion) {
        auto old = emptyDatabase();
        if (!old)
            return std::unexpected(old.error());
        SalvagedRows filled = rows;
        const auto brought = [&]() -> Expected<void> {
            if (auto done = salvage.createStated(**old); !done)
                return done;
            salvage.fill(**old, filled);
            if (auto done = version < firstVersionWithDigests ? Expected<void>() : renewDigests(**old); !done)
                return done; // what is doubtful the rows say
            if (auto done = (*old)->execute(u"PRAGMA user_version = %1"_s.arg(version)); !done)
                return done;
            return migrate(**old, shippedMigrations());
        }();
        if (auto on = course.goesOn(); !on)
            return std::unexpected(std::move(on.error()));
        if (brought) {
            filled.database = std::move(*old);
            return filled;
        }
        rows.sentences.push_back("The project is of an older version and too damaged to be brought to this one by its "
                                 "own rules; its documents are read as they are.");
    }
    salvage.fill(**fresh, rows);
    rows.database = std::move(*fresh);
    return rows;
}

} // namespace fleetwright::storage
