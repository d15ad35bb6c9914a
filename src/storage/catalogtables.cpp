// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/catalogtables.h"
#include "text/utf8.h"

#include <nlohmann/json.hpp>

#include <QJsonArray>
#include <QJsonDocument>

#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

/// Columns of every catalog table that are members of CatalogRecord rather than fields of the kind; they come first in
/// our statements.
const QStringList &commonColumns()
{
    static const QStringList columns{u"id"_s, u"name"_s, u"shipped"_s, u"known_confusions"_s, u"notes"_s};
    return columns;
}

QStringList columnsOf(CatalogKind kind)
{
    QStringList columns = commonColumns();
    for (const auto &field : fields(kind))
        columns.append(columnName(field.key));
    return columns;
}

/// Qt's reader: these short texts are most of the time that loading a catalog takes, and it is the faster one.
std::optional<std::vector<std::string>> listFrom(const std::string &json)
{
    const auto parsed = QJsonDocument::fromJson(QByteArray::fromRawData(json.data(), qsizetype(json.size())));
    if (!parsed.isArray())
        return std::nullopt;
    std::vector<std::string> list;
    const auto entries = parsed.array();
    for (const auto &entry : entries) {
        if (!entry.isString())
            return std::nullopt;
        list.push_back(entry.toString().toStdString());
    }
    return list;
}

QString listText(const std::vector<std::string> &list)
{
    return QString::fromStdString(nlohmann::json(list).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// The value as the field's type has it, or nothing when the cell holds something else.
std::optional<FieldValue> valueFrom(Cell cell, FieldType type)
{
    if (std::holds_alternative<std::monostate>(cell))
        return FieldValue{};
    switch (type) {
    case FieldType::Boolean:
        if (const auto *flag = std::get_if<qint64>(&cell); flag && (*flag == 0 || *flag == 1))
            return FieldValue{*flag == 1};
        break;
    case FieldType::Integer:
    case FieldType::Real:
        if (const auto *integer = std::get_if<qint64>(&cell))
            return FieldValue{double(*integer)};
        if (const auto *real = std::get_if<double>(&cell); real && std::isfinite(*real))
            return FieldValue{*real};
        break;
    case FieldType::Text:
    case FieldType::Json:
        if (auto *string = std::get_if<std::string>(&cell))
            return FieldValue{std::move(*string)};
        break;
    case FieldType::TextList:
        if (const auto *string = std::get_if<std::string>(&cell))
            if (auto list = listFrom(*string))
                return FieldValue{std::move(*list)};
        break;
    }
    return std::nullopt;
}

QVariant boundValue(const FieldValue &value, FieldType type)
{
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag ? 1 : 0;
    if (const auto *number = std::get_if<double>(&value))
        return type == FieldType::Integer ? QVariant(qlonglong(*number)) : QVariant(*number);
    if (const auto *string = std::get_if<std::string>(&value))
        return QString::fromStdString(*string);
    if (const auto *list = std::get_if<std::vector<std::string>>(&value))
        return listText(*list);
    return {};
}

/// What SQL could not hold unchanged, although the domain's rules allow it.
Expected<void> checkStorable(const FieldDescriptor &field, const FieldValue &value)
{
    constexpr double largestExact = 9007199254740992.0; // 2^53
    const auto *number = std::get_if<double>(&value);
    if (number && field.type == FieldType::Integer && std::abs(*number) > largestExact)
        return refuse(
            ErrorCode::OutOfRange, std::string(field.key), std::string(field.label) + " must be at most 9e15.");
    const auto *string = std::get_if<std::string>(&value);
    if (string && field.type == FieldType::Json && !nlohmann::json::accept(*string))
        return refuse(ErrorCode::UnsupportedValue, std::string(field.key),
            std::string(field.label) + " must be JSON, such as {\"name\": 1}.");
    return {};
}

std::string place(CatalogKind kind, const std::string &id, std::string_view field)
{
    return std::string(toString(kind)) + "/" + id + "." + std::string(field);
}

Error damaged(CatalogKind kind, const std::string &id, std::string_view field)
{
    return {ErrorCode::IoError, place(kind, id, field),
        "The stored value of \u201c" + std::string(field) + "\u201d of the " + std::string(itemName(kind)) + " \u201c"
            + id + "\u201d is damaged; enter it again, or open a copy or a backup of the project."};
}

using Attributions = std::map<std::string, std::vector<Attribution>, std::less<>>;

Expected<Attributions> readAttributions(const Database &database, CatalogKind kind, std::vector<Error> &faults)
{
    auto query = Query::run(database,
        u"SELECT item_id, source_id, fields, confidence, verification FROM attribution WHERE kind = ? ORDER BY "
        u"item_id, position"_s,
        {utf8(toString(kind))});
    if (!query)
        return std::unexpected(query.error());
    Attributions all;
    while (query->next()) {
        const auto item = query->text(0);
        auto listed = listFrom(query->text(2));
        const auto confidence = parseConfidence(query->text(3));
        const auto verification = parseVerification(query->text(4));
        if (!listed || !confidence || !verification) {
            faults.push_back(damaged(kind, item, "sources"));
            continue;
        }
        all[item].push_back({query->text(1), std::move(*listed), *confidence, *verification});
    }
    return query->finish(std::move(all));
}

Expected<void> readRecords(const Database &database, CatalogKind kind, Catalog &into, std::vector<Error> &faults)
{
    auto attributions = readAttributions(database, kind, faults);
    if (!attributions)
        return std::unexpected(attributions.error());
    auto query = Query::run(
        database, u"SELECT %1 FROM %2 ORDER BY position"_s.arg(columnsOf(kind).join(u", "_s), tableName(kind)));
    if (!query)
        return std::unexpected(query.error());
    const int firstField = int(commonColumns().size());
    while (query->next()) {
        CatalogRecord record{.kind = kind,
            .id = query->text(0),
            .name = query->text(1),
            .shipped = query->integer(2) != 0,
            .values = {},
            .knownConfusions = {},
            .notes = query->text(4),
            .attributions = {}};
        if (auto confusions = listFrom(query->text(3)))
            record.knownConfusions = std::move(*confusions);
        else
            faults.push_back(damaged(kind, record.id, "known_confusions"));
        int column = firstField;
        for (const auto &field : fields(kind)) {
            auto value = valueFrom(query->cell(column++), field.type);
            if (!value)
                faults.push_back(damaged(kind, record.id, field.key));
            else if (!std::holds_alternative<std::monostate>(*value))
                record.values.emplace(field.key, std::move(*value));
        }
        if (const auto found = attributions->find(record.id); found != attributions->end())
            record.attributions = std::move(found->second);
        into.insert(std::move(record));
    }
    return query->finished();
}

} // namespace

QString tableName(CatalogKind kind) { return utf8(itemName(kind)).replace(u' ', u'_'); }

QString columnName(std::string_view fieldKey) { return utf8(fieldKey).replace(u'.', u'_'); }

Expected<Catalog> readCatalog(const Database &database, std::vector<Error> &faults, std::span<const CatalogKind> kinds)
{
    Catalog catalog;
    auto sources = Query::run(
        database, u"SELECT kind, id, title, publisher, url, published, accessed, note FROM source ORDER BY position"_s);
    if (!sources)
        return std::unexpected(sources.error());
    while (sources->next()) {
        Source source{sources->text(1), sources->text(2), sources->text(3), sources->text(4), sources->text(5),
            sources->text(6), sources->text(7)};
        const auto kind = parseCatalogKind(sources->text(0));
        if (kind)
            catalog.insert(*kind, std::move(source));
        else
            faults.push_back({ErrorCode::IoError, "sources/" + source.id,
                "The source \u201c" + source.id
                    + "\u201d belongs to no catalog; open a copy or a backup of the project."});
    }
    if (auto ok = sources->finished(); !ok)
        return std::unexpected(ok.error());
    for (const auto kind : kinds)
        if (auto ok = readRecords(database, kind, catalog, faults); !ok)
            return std::unexpected(ok.error());
    return catalog;
}

namespace {

Expected<void> putSource(Database &database, CatalogKind kind, const Source &source, const QString &onConflict)
{
    QVariantList values{utf8(toString(kind))};
    for (const auto *part :
        {&source.id, &source.title, &source.publisher, &source.url, &source.published, &source.accessed, &source.note})
        values.append(utf8(*part));
    return database.execute(
        u"INSERT INTO source (kind, id, title, publisher, url, published, accessed, note) VALUES (?, ?, ?, ?, ?, ?, "
        u"?, ?) "_s
            + onConflict,
        values);
}

} // namespace

Expected<void> insertSource(Database &database, CatalogKind kind, const Source &source)
{
    return putSource(database, kind, source, {});
}

Expected<void> writeSource(Database &database, CatalogKind kind, const Source &source)
{
    return putSource(database, kind, source,
        u"ON CONFLICT (kind, id) DO UPDATE SET title = excluded.title, publisher = excluded.publisher, url = "
        u"excluded.url, published = excluded.published, accessed = excluded.accessed, note = excluded.note"_s);
}

Expected<void> ensureSource(Database &database, CatalogKind kind, const Source &source)
{
    return putSource(database, kind, source, u"ON CONFLICT (kind, id) DO NOTHING"_s);
}

Expected<void> eraseSource(Database &database, CatalogKind kind, const std::string &id)
{
    return database.execute(u"DELETE FROM source WHERE kind = ? AND id = ?"_s, {utf8(toString(kind)), utf8(id)});
}

Expected<void> writeRecord(Database &database, const CatalogRecord &record)
{
    QVariantList values{utf8(record.id), utf8(record.name), record.shipped ? 1 : 0, listText(record.knownConfusions),
        utf8(record.notes)};
    for (const auto &field : fields(record.kind)) {
        const auto *value = record.find(field.key);
        if (value)
            if (auto ok = checkStorable(field, *value); !ok)
                return ok;
        values.append(value ? boundValue(*value, field.type) : QVariant());
    }
    const QStringList columns = columnsOf(record.kind);
    QStringList marks;
    QStringList updates;
    for (const auto &column : columns) {
        marks.append(u"?"_s);
        updates.append(u"%1 = excluded.%1"_s.arg(column));
    }
    if (auto done = database.execute(
            u"INSERT INTO %1 (%2) VALUES (%3) ON CONFLICT (id) DO UPDATE SET %4"_s.arg(
                tableName(record.kind), columns.join(u", "_s), marks.join(u", "_s), updates.join(u", "_s)),
            values);
        !done)
        return done;
    const QString kind = utf8(toString(record.kind));
    if (auto done = database.execute(
            u"DELETE FROM attribution WHERE kind = ? AND item_id = ?"_s, {kind, utf8(record.id)});
        !done)
        return done;
    int position = 0;
    for (const auto &attribution : record.attributions)
        if (auto done = database.execute(
                u"INSERT INTO attribution (kind, item_id, position, source_id, fields, confidence, verification) "
                u"VALUES (?, ?, ?, ?, ?, ?, ?)"_s,
                {kind, utf8(record.id), position++, utf8(attribution.sourceId), listText(attribution.fields),
                    utf8(toString(attribution.confidence)), utf8(toString(attribution.verification))});
            !done)
            return done;
    return {};
}

Expected<void> eraseRecord(Database &database, CatalogKind kind, const std::string &id)
{
    if (auto done = database.execute(
            u"DELETE FROM attribution WHERE kind = ? AND item_id = ?"_s, {utf8(toString(kind)), utf8(id)});
        !done)
        return done;
    return database.execute(u"DELETE FROM %1 WHERE id = ?"_s.arg(tableName(kind)), {utf8(id)});
}

} // namespace fleetwright::storage
