// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/digests.h"

#include "domain/catalogrecord.h"
#include "storage/catalogtables.h"
#include "text/utf8.h"

#include <QtEndian>

#include <openssl/evp.h>
#include <sqlite3.h>

#include <array>
#include <bit>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

constexpr qsizetype digestBytes = 16;

void rowDigest(sqlite3_context *context, int count, sqlite3_value **values)
{
    RowDigest digest;
    for (int i = 0; i < count; ++i) {
        auto *value = values[i];
        switch (sqlite3_value_type(value)) {
        case SQLITE_INTEGER: digest.addInteger(sqlite3_value_int64(value)); break;
        case SQLITE_FLOAT: digest.addReal(sqlite3_value_double(value)); break;
        case SQLITE_TEXT: {
            const auto *text = sqlite3_value_text(value); // before its length, as SQLite asks
            digest.addText(QByteArrayView(text, sqlite3_value_bytes(value)));
            break;
        }
        case SQLITE_BLOB: {
            const auto *bytes = static_cast<const char *>(sqlite3_value_blob(value));
            digest.addBlob(QByteArrayView(bytes, sqlite3_value_bytes(value)));
            break;
        }
        default: digest.addNull();
        }
    }
    const auto result = digest.result();
    sqlite3_result_text(context, result.constData(), int(result.size()), SQLITE_TRANSIENT);
}

/// A table of the file and how its rows are told apart, from what the file itself says.
struct Table {
    QString name;
    QStringList columns;
    QStringList key;

    [[nodiscard]] QString keyOf(const QString &row) const
    {
        QStringList parts;
        for (const auto &column : key.isEmpty() ? QStringList{u"rowid"_s} : key)
            parts.append(u"CAST(%1%2 AS TEXT)"_s.arg(row, column));
        return parts.join(u" || '/' || "_s);
    }
    [[nodiscard]] QString digestOf(const QString &row) const
    {
        QStringList parts;
        for (const auto &column : columns)
            parts.append(row + column);
        return u"row_digest(%1)"_s.arg(parts.join(u", "_s));
    }
};

QString quoted(const QString &name) { return u'"' + QString(name).replace(u"\""_s, u"\"\""_s) + u'"'; }
QString asText(const QString &name) { return u'\'' + QString(name).replace(u"'"_s, u"''"_s) + u'\''; }

Expected<std::vector<Table>> tablesOf(const Database &database)
{
    auto query = Query::run(database,
        u"SELECT m.name, c.name, c.pk FROM main.sqlite_schema m, pragma_table_info(m.name, 'main') c WHERE m.type = "
        u"'table' AND m.name <> 'digest' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY m.name, c.cid"_s);
    if (!query)
        return std::unexpected(query.error());
    std::vector<Table> tables;
    std::vector<std::pair<qint64, QString>> key;
    const auto finishKey = [&] {
        std::ranges::sort(key);
        for (auto &part : key)
            tables.back().key.append(part.second);
        key.clear();
    };
    while (query->next()) {
        const auto name = query->string(0);
        if (tables.empty() || tables.back().name != name) {
            if (!tables.empty())
                finishKey();
            tables.push_back({name, {}, {}});
        }
        const auto column = quoted(query->string(1));
        tables.back().columns.append(column);
        if (const auto place = query->integer(2); place > 0)
            key.emplace_back(place, column);
    }
    if (!tables.empty())
        finishKey();
    return query->finish(std::move(tables));
}

/// What a row is called where its user sees it.
struct Words {
    QString table;
    QString field; ///< as of Project::check; the row's name or key follows
    QString what; ///< %1 is the name
    QString name; ///< SQL
    QString kind; ///< of a row that is gone
};

std::vector<Words> makeWords()
{
    std::vector<Words> all{
        {u"project"_s, u"project/"_s, u"The project\u2019s own entry (which version made it, and when)"_s, u"''"_s,
            u"The project\u2019s own entry (which version made it, and when)"_s},
        {u"source"_s, u"sources/"_s, u"The source \u201c%1\u201d"_s, u"t.title"_s, u"A source of the catalogs"_s},
        {u"attribution"_s, u"sources/"_s, u"What the sources of \u201c%1\u201d say"_s, u"t.item_id"_s,
            u"What a source says of a catalog item"_s},
        {u"result"_s, u"plans/"_s, u"The answer of the plan \u201c%1\u201d"_s,
            u"(SELECT o.name FROM plan o WHERE o.id = t.plan_id)"_s, u"The answer of a plan"_s},
        {u"sweep_result"_s, u"sweeps/"_s, u"The answer of the sweep \u201c%1\u201d"_s,
            u"(SELECT o.name FROM sweep o WHERE o.id = t.sweep_id)"_s, u"The answer of a sweep"_s},
        {u"decision_result"_s, u"decisions/"_s, u"The answer of the decision \u201c%1\u201d"_s,
            u"(SELECT o.name FROM decision o WHERE o.id = t.decision_id)"_s, u"The answer of a decision"_s},
        {u"study_progress"_s, u"study_progress/"_s, u"The progress in the study \u201c%1\u201d"_s, u"t.study"_s,
            u"The progress in a study"_s},
    };
    const auto named = [&all](const QString &table, const QString &field, const QString &word) {
        const bool vowel = QStringView(u"aeio").contains(word.front());
        all.push_back({table, field + u'/', u"The %1 \u201c%2\u201d"_s.arg(word, u"%1"_s), u"t.name"_s,
            u"%1 %2"_s.arg(vowel ? u"An"_s : u"A"_s, word)});
    };
    for (const auto kind : allCatalogKinds)
        named(tableName(kind), utf8(toString(kind)), utf8(itemName(kind)));
    named(u"plan"_s, u"plans"_s, u"plan"_s);
    named(u"fleet"_s, u"fleets"_s, u"fleet"_s);
    named(u"sweep"_s, u"sweeps"_s, u"sweep"_s);
    named(u"study"_s, u"studies"_s, u"study"_s);
    named(u"ledger_entry"_s, u"ledger"_s, u"ledger entry"_s);
    named(u"offer"_s, u"offers"_s, u"offer"_s);
    named(u"measured_run"_s, u"measured_runs"_s, u"measured run"_s);
    named(u"decision"_s, u"decisions"_s, u"decision"_s);
    named(u"approved_decision"_s, u"approved_decisions"_s, u"approved decision"_s);
    named(u"output_set"_s, u"output_sets"_s, u"output set"_s);
    return all;
}

const Words *wordsOf(const QString &table)
{
    static const auto all = makeWords();
    const auto found = std::ranges::find(all, table, &Words::table);
    return found == all.end() ? nullptr : &*found;
}

Expected<void> addAltered(const Database &database, const Table &table, std::vector<AlteredRow> &into)
{
    const auto *words = wordsOf(table.name);
    // Compared by SQLite itself: only rows that differ become texts of ours.
    auto changed = Query::run(database,
        u"SELECT %1, coalesce(CAST(%2 AS TEXT), '') FROM %3 t LEFT JOIN digest d ON d.item = %4 AND d.key = "
        u"%1 WHERE d.digest IS NOT %5"_s.arg(table.keyOf(u"t."_s), words ? words->name : u"''"_s, quoted(table.name),
            asText(table.name), table.digestOf(u"t."_s)));
    if (!changed)
        return std::unexpected(changed.error());
    while (changed->next())
        into.push_back({table.name, changed->string(0), changed->string(1)});
    if (auto done = changed->finished(); !done)
        return done;
    const auto gone = database.texts(u"SELECT key FROM digest WHERE item = %1 EXCEPT SELECT %2 FROM %3 t"_s.arg(
        asText(table.name), table.keyOf(u"t."_s), quoted(table.name)));
    if (!gone)
        return std::unexpected(gone.error());
    for (const auto &key : *gone)
        into.push_back({table.name, key, {}, true});
    return {};
}

} // namespace

/// Type and length come first, so that no two rows of different values are the same bytes.
RowDigest::RowDigest() : m_hash(EVP_MD_CTX_new(), EVP_MD_CTX_free)
{
    static auto *const sha256 = EVP_MD_fetch(
        nullptr, "SHA256", nullptr); // kept: looking for it takes longer than a row
    if (!m_hash || EVP_DigestInit_ex(m_hash.get(), sha256, nullptr) != 1)
        qFatal("There is no memory for a digest"); // SQLite, written in C, is above: nothing may be thrown through it
}

void RowDigest::add(char type, QByteArrayView bytes)
{
    char head[9] = {type};
    qToBigEndian(quint64(bytes.size()), head + 1);
    EVP_DigestUpdate(m_hash.get(), head, sizeof head);
    EVP_DigestUpdate(m_hash.get(), bytes.data(), std::size_t(bytes.size()));
}

void RowDigest::addNull() { add('n', {}); }

void RowDigest::addInteger(qint64 value)
{
    char bytes[8];
    qToBigEndian(quint64(value), bytes);
    add('i', QByteArrayView(bytes, sizeof bytes));
}

void RowDigest::addReal(double value)
{
    char bytes[8];
    qToBigEndian(std::bit_cast<quint64>(value), bytes);
    add('r', QByteArrayView(bytes, sizeof bytes));
}

void RowDigest::addText(QByteArrayView text) { add('t', text); }

void RowDigest::addBlob(QByteArrayView bytes) { add('b', bytes); }

QByteArray RowDigest::result()
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
    EVP_DigestFinal_ex(m_hash.get(), hash.data(), nullptr);
    return QByteArrayView(hash.data(), digestBytes).toByteArray().toHex();
}

void addDigestFunction(sqlite3 *connection)
{
    sqlite3_create_function_v2(connection, "row_digest", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
        nullptr, rowDigest, nullptr, nullptr, nullptr);
}

Expected<void> keepDigests(Database &database)
{
    const auto tables = tablesOf(database);
    if (!tables)
        return std::unexpected(tables.error());
    // A row that INSERT OR REPLACE pushes out must take its digest along.
    if (auto done = database.execute(u"PRAGMA recursive_triggers = ON"_s); !done)
        return done;
    for (const auto &table : *tables) {
        const auto drop = u"DELETE FROM digest WHERE item = %1 AND key = %2; "_s.arg(asText(table.name));
        const auto add = u"INSERT INTO digest (item, key, digest) VALUES (%1, %2, %3); "_s.arg(
            asText(table.name), table.keyOf(u"NEW."_s), table.digestOf(u"NEW."_s));
        const auto name = [&](const QString &event) { return quoted(u"digest_"_s + event + u'_' + table.name); };
        const auto old = drop.arg(table.keyOf(u"OLD."_s)), fresh = drop.arg(table.keyOf(u"NEW."_s));
        const auto trigger = [&](const QString &event, const QString &body) {
            return u"CREATE TEMP TRIGGER %1 AFTER %2 ON main.%3 BEGIN "_s.arg(name(event), event, quoted(table.name))
                + body + u"END"_s;
        };
        if (auto done = database.executeAll({trigger(u"INSERT"_s, fresh + add), trigger(u"UPDATE"_s, old + fresh + add),
                trigger(u"DELETE"_s, old)});
            !done)
            return done;
    }
    return {};
}

Expected<std::vector<AlteredRow>> alteredRows(const Database &database)
{
    const auto tables = tablesOf(database);
    if (!tables)
        return std::unexpected(tables.error());
    std::vector<AlteredRow> rows;
    for (const auto &table : *tables)
        if (auto done = addAltered(database, table, rows); !done)
            return std::unexpected(done.error());
    return rows;
}

Error inWords(const AlteredRow &row)
{
    const auto *words = wordsOf(row.table);
    const auto what = !words            ? u"A row of the table \u201c%1\u201d"_s.arg(row.table)
        : row.missing                   ? words->kind
        : words->what.contains(u"%1"_s) ? words->what.arg(row.name)
                                        : words->what;
    const auto field = (words ? words->field : row.table + u'/') + (row.name.isEmpty() ? row.key : row.name);
    const auto sentence = row.missing
        ? u"%1 (number %2) is missing: something else than Fleetwright removed it, or it was lost to damage. Take it "
          u"from an earlier version or a copy of the project where it is needed."_s.arg(what, row.key)
        : u"%1 was changed by something else than Fleetwright, or is damaged. Compare it with an earlier version or a "
          u"copy of the project; saving it again accepts it."_s.arg(what);
    return {ErrorCode::IoError, field.toStdString(), sentence.toStdString()};
}

Expected<std::vector<Error>> findAltered(const Database &database)
{
    const auto rows = alteredRows(database);
    if (!rows)
        return std::unexpected(rows.error());
    std::vector<Error> found;
    for (const auto &row : *rows)
        found.push_back(inWords(row));
    return found;
}

Expected<void> renewDigests(Database &database, std::span<const AlteredRow> altered)
{
    const auto tables = tablesOf(database);
    if (!tables)
        return std::unexpected(tables.error());
    if (auto done = database.execute(u"DELETE FROM digest"_s); !done)
        return done;
    for (const auto &table : *tables)
        if (auto done = database.execute(u"INSERT INTO digest (item, key, digest) SELECT %1, %2, %3 FROM %4 t"_s.arg(
                asText(table.name), table.keyOf(u"t."_s), table.digestOf(u"t."_s), quoted(table.name)));
            !done)
            return done;
    for (const auto &row : altered)
        if (auto done = database.execute(
                u"INSERT OR REPLACE INTO digest (item, key, digest) VALUES (?, ?, '')"_s, {row.table, row.key});
            !done)
            return done;
    return {};
}

} // namespace fleetwright::storage
