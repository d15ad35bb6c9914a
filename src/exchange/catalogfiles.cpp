// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/catalogfiles.h"

#include "exchange/objectreader.h"
#include "exchange/textreader.h"
#include "exchange/yamlwriter.h"

#include <algorithm>
#include <set>

namespace fleetwright::exchange {

namespace {

using Json = nlohmann::ordered_json;

constexpr TextLimits catalogLimits{
    .bytes = longestCatalogFile, .depth = 64, .keys = 5000, .values = 20'000'000, .visible = true};

std::string_view typeName(FieldType type)
{
    switch (type) {
    case FieldType::Boolean: return "true or false";
    case FieldType::Integer: return "a whole number";
    case FieldType::Real: return "a number";
    case FieldType::Text: return "a text";
    case FieldType::TextList: return "a list of texts";
    case FieldType::Json: return "a value";
    }
    return {};
}

std::unexpected<Error> wrongType(const std::string &path, std::string_view expected)
{
    return refuse(ErrorCode::UnsupportedValue, path,
        "\u201c" + path + "\u201d must be " + std::string(expected) + ", or null when it is unknown.");
}

Expected<std::vector<std::string>> textsFromJson(const Json &json, const std::string &path)
{
    if (json.is_null())
        return std::vector<std::string>();
    if (!json.is_array() || !std::ranges::all_of(json, [](const Json &entry) { return entry.is_string(); }))
        return wrongType(path, "a list of texts");
    return json.get<std::vector<std::string>>();
}

Expected<std::string> textFromJson(const Json &json, const std::string &path)
{
    if (json.is_null())
        return std::string();
    if (!json.is_string())
        return wrongType(path, "a text");
    return json.get<std::string>();
}

Expected<FieldValue> valueFromJson(const Json &json, const FieldDescriptor &field, const std::string &path)
{
    if (json.is_null())
        return FieldValue{};
    switch (field.type) {
    case FieldType::Boolean:
        if (json.is_boolean())
            return json.get<bool>();
        break;
    case FieldType::Integer:
    case FieldType::Real:
        if (json.is_number())
            return json.get<double>();
        break;
    case FieldType::Text:
        if (json.is_string())
            return json.get<std::string>();
        break;
    case FieldType::TextList: {
        auto list = textsFromJson(json, path);
        if (!list)
            return std::unexpected(list.error());
        return std::move(*list);
    }
    case FieldType::Json: return json.dump();
    }
    return wrongType(path, typeName(field.type));
}

Json fieldToJson(const FieldDescriptor &field, const FieldValue *value)
{
    if (!value)
        return nullptr;
    if (const auto *flag = std::get_if<bool>(value))
        return *flag;
    if (const auto *number = std::get_if<double>(value))
        return plainNumber(*number);
    if (const auto *list = std::get_if<std::vector<std::string>>(value))
        return *list;
    const auto &text = std::get<std::string>(*value);
    if (field.type != FieldType::Json)
        return text;
    auto parsed = Json::parse(text, nullptr, false);
    return parsed.is_discarded() ? Json(text) : parsed;
}

/// A key that the kind does not know: the field itself or, inside a nested object, its part.
std::unexpected<Error> unknownField(CatalogKind kind, const std::string &key, const std::string &path)
{
    return refuse(ErrorCode::UnsupportedValue, path,
        "The field \u201c" + key.substr(0, 60) + "\u201d does not belong to " + std::string(itemName(kind))
            + " items; correct its name or remove it.");
}

bool isNested(CatalogKind kind, const std::string &key)
{
    return std::ranges::any_of(
        fields(kind), [&](const FieldDescriptor &field) { return field.key.starts_with(key + "."); });
}

Expected<Attribution> attributionFromJson(const Json &json, const std::string &path)
{
    ObjectReader reader(json, path, "source", {"ref", "fields", "confidence", "verification"});
    Attribution attribution;
    attribution.sourceId = reader.requiredText("ref");
    if (const auto *list = reader.require("fields", "the names of the fields that come from this source"))
        attribution.fields = reader.take(textsFromJson(*list, reader.pathOf("fields")));
    if (const auto confidence = reader.requiredText("confidence"); !reader.error())
        attribution.confidence = reader.take(parseConfidence(confidence, reader.pathOf("confidence")));
    if (const auto verification = reader.text("verification"))
        attribution.verification = reader.take(parseVerification(*verification, reader.pathOf("verification")));
    if (reader.error())
        return std::unexpected(*reader.error());
    return attribution;
}

Expected<Source> sourceFromJson(const Json &json, const std::string &id, const std::string &path)
{
    ObjectReader reader(json, path, "source", {"title", "publisher", "url", "published", "accessed", "note"});
    Source source;
    source.id = id;
    const auto text = [&](std::string_view key) {
        const auto *value = reader.find(key);
        return value ? reader.take(textFromJson(*value, reader.pathOf(key))) : std::string();
    };
    source.title = text("title");
    source.publisher = text("publisher");
    source.url = text("url");
    source.published = text("published");
    source.accessed = text("accessed");
    source.note = text("note");
    if (source.title.empty())
        reader.refuse(
            ErrorCode::MissingField, "title", "The source \u201c" + id.substr(0, 60) + "\u201d has no title; add one.");
    if (reader.error())
        return std::unexpected(*reader.error());
    return source;
}

Expected<void> readMember(CatalogRecord &record, const std::string &key, const Json &value, const std::string &path)
{
    const auto at = joined(path, key);
    const auto into = [](auto &target, auto read) -> Expected<void> {
        if (!read)
            return std::unexpected(read.error());
        target = std::move(*read);
        return {};
    };
    if (key == "id")
        return into(record.id, textFromJson(value, at));
    if (key == "name")
        return into(record.name, textFromJson(value, at));
    if (key == "notes")
        return into(record.notes, textFromJson(value, at));
    if (key == "known_confusions")
        return into(record.knownConfusions, textsFromJson(value, at));
    if (key == "sources") {
        if (!value.is_null() && !value.is_array())
            return wrongType(at, "a list of sources");
        for (std::size_t i = 0; i < value.size(); ++i) {
            auto attribution = attributionFromJson(value[i], at + "[" + std::to_string(i) + "]");
            if (!attribution)
                return std::unexpected(attribution.error());
            record.attributions.push_back(std::move(*attribution));
        }
        return {};
    }
    if (const auto *field = findField(record.kind, key)) {
        auto content = valueFromJson(value, *field, at);
        if (!content)
            return std::unexpected(content.error());
        if (!std::holds_alternative<std::monostate>(*content))
            record.values.insert_or_assign(key, std::move(*content));
        return {};
    }
    if (!isNested(record.kind, key))
        return unknownField(record.kind, key, at);
    if (value.is_null())
        return {};
    if (!value.is_object())
        return wrongType(at, "an object");
    for (const auto &[part, content] : value.items()) {
        if (!findField(record.kind, key + "." + part))
            return unknownField(record.kind, key + "." + part, joined(at, part));
        if (auto ok = readMember(record, key + "." + part, content, path); !ok)
            return ok;
    }
    return {};
}

} // namespace

Json recordToJson(const CatalogRecord &record)
{
    Json json{{"id", record.id}, {"name", record.name}};
    for (const auto &field : fields(record.kind)) {
        auto value = fieldToJson(field, record.find(field.key));
        const auto dot = field.key.find('.');
        if (dot == std::string_view::npos)
            json[std::string(field.key)] = std::move(value);
        else
            json[std::string(field.key.substr(0, dot))][std::string(field.key.substr(dot + 1))] = std::move(value);
    }
    json["known_confusions"] = record.knownConfusions;
    json["notes"] = record.notes.empty() ? Json(nullptr) : Json(record.notes);
    json["sources"] = Json::array();
    for (const auto &attribution : record.attributions)
        json["sources"].push_back({{"ref", attribution.sourceId}, {"fields", attribution.fields},
            {"confidence", toString(attribution.confidence)}, {"verification", toString(attribution.verification)}});
    return json;
}

Expected<CatalogRecord> recordFromJson(const Json &json, CatalogKind kind, const std::string &path)
{
    if (!json.is_object())
        return refuse(ErrorCode::UnsupportedValue, path,
            "\u201c" + path + "\u201d must be an object with the fields of a " + std::string(itemName(kind)) + ".");
    CatalogRecord record;
    record.kind = kind;
    for (const auto &[key, value] : json.items())
        if (auto ok = readMember(record, key, value, path); !ok)
            return std::unexpected(ok.error());
    if (auto ok = check(record); !ok)
        return refuse(ok.error().code, joined(path, ok.error().field), ok.error().message);
    return record;
}

namespace {

/// The id of an item that cannot be read, where it states one.
std::string statedId(const Json &item)
{
    const auto id = item.is_object() ? item.find("id") : item.end();
    return item.is_object() && id != item.end() && id->is_string() ? id->get<std::string>().substr(0, 100)
                                                                   : std::string();
}

/// The object of one catalog, added to `file`.
Expected<void> readOneCatalog(
    const Json &json, const std::string &path, std::optional<CatalogKind> kind, CatalogFile &file)
{
    ObjectReader reader(json, path, "catalog file", {"catalog", "schema", "sources", "items"});
    if (const auto named = reader.text("catalog"); named && !reader.error()) {
        const auto stated = reader.take(parseCatalogKind(*named, reader.pathOf("catalog")));
        if (!reader.error() && kind && *kind != stated)
            reader.refuse(ErrorCode::UnsupportedValue, "catalog",
                "The file is of the catalog \u201c" + *named + "\u201d, not of \u201c" + std::string(toString(*kind))
                    + "\u201d.");
        kind = stated;
    }
    const auto *sources = reader.find("sources");
    if (sources && !sources->is_object())
        reader.refuse(
            ErrorCode::UnsupportedValue, "sources", "\u201csources\u201d must be an object of sources by id.");
    const auto *items = reader.require("items", "the list of items");
    if (items && !items->is_array())
        reader.refuse(ErrorCode::UnsupportedValue, "items", "\u201citems\u201d must be a list.");
    if (!kind && !reader.error())
        reader.refuse(ErrorCode::MissingField, "catalog",
            "The file does not say which catalog it is of; name it after the catalog (prices.json) or state the "
            "catalog.");
    if (reader.error())
        return std::unexpected(*reader.error());

    if (sources)
        for (const auto &[id, content] : sources->items()) {
            auto source = sourceFromJson(content, id, joined(path, "sources." + id));
            if (!source)
                return std::unexpected(source.error());
            file.items.sources.push_back({*kind, std::move(*source)});
        }
    for (std::size_t i = 0; i < items->size(); ++i) {
        const auto &item = (*items)[i];
        const auto at = joined(path, "items[" + std::to_string(i) + "]");
        auto record = recordFromJson(item, *kind, at);
        if (record)
            file.items.records.push_back(std::move(*record));
        else
            file.refused.push_back({{*kind, statedId(item)}, std::move(record.error())});
    }
    return {};
}

/// Items of the kind that are written.
std::vector<const CatalogRecord *> itemsOf(const Catalog &catalog, CatalogKind kind, ItemsToWrite items)
{
    std::vector<const CatalogRecord *> wanted;
    for (const auto &record : catalog.records(kind))
        if (items == ItemsToWrite::All || !record.shipped)
            wanted.push_back(&record);
    return wanted;
}

Json sourceToJson(const Source &source)
{
    const auto orNull = [](const std::string &text) { return text.empty() ? Json(nullptr) : Json(text); };
    return {{"title", source.title}, {"publisher", orNull(source.publisher)}, {"url", orNull(source.url)},
        {"published", orNull(source.published)}, {"accessed", orNull(source.accessed)}, {"note", orNull(source.note)}};
}

Json catalogToJson(const Catalog &catalog, CatalogKind kind, const std::vector<const CatalogRecord *> &items)
{
    Json json{
        {"catalog", toString(kind)}, {"schema", Json::object()}, {"sources", Json::object()}, {"items", Json::array()}};
    for (const auto &field : fields(kind))
        json["schema"][std::string(field.key)] = field.description;
    std::set<std::string, std::less<>> cited;
    for (const auto *record : items) {
        json["items"].push_back(recordToJson(*record));
        for (const auto &attribution : record->attributions)
            cited.insert(attribution.sourceId);
    }
    for (const auto &source : catalog.sources(kind))
        if (cited.contains(source.id))
            json["sources"][source.id] = sourceToJson(source);
    return json;
}

Expected<CatalogFile> catalogFileOf(const Json &json, std::optional<CatalogKind> kind)
{
    CatalogFile file;
    if (!json.is_object() || !json.contains("catalogs")) {
        if (auto ok = readOneCatalog(json, "", kind, file); !ok)
            return std::unexpected(ok.error());
        return file;
    }
    ObjectReader reader(json, "", "catalog file", {"catalogs"});
    const auto *catalogs = reader.find("catalogs");
    if (!catalogs->is_object())
        reader.refuse(ErrorCode::UnsupportedValue, "catalogs", "\u201ccatalogs\u201d must be an object of catalogs.");
    if (reader.error())
        return std::unexpected(*reader.error());
    for (const auto &[name, content] : catalogs->items()) {
        const auto path = "catalogs." + name;
        const auto named = parseCatalogKind(name, path);
        if (!named)
            return std::unexpected(named.error());
        if (auto ok = readOneCatalog(content, path, *named, file); !ok)
            return std::unexpected(ok.error());
    }
    return file;
}

} // namespace

Expected<CatalogFile> catalogFileFromJson(std::string_view text, std::optional<CatalogKind> kind)
{
    const auto json = readJson(text, catalogLimits);
    return json ? catalogFileOf(*json, kind) : std::unexpected(json.error());
}

std::optional<Expected<CatalogFile>> catalogFileIfOne(std::string_view text, std::optional<CatalogKind> otherwise)
{
    auto json = readJson(text, catalogLimits);
    if (!json && text.size() <= longestDocument)
        json = readText(text, catalogLimits);
    if (!json || !json->is_object() || (!json->contains("items") && !json->contains("catalogs")))
        return std::nullopt;
    return catalogFileOf(*json, json->contains("catalog") ? std::nullopt : otherwise);
}

Expected<void> readCatalogFile(std::string_view text, CatalogKind kind, bool shipped, Catalog &into)
{
    auto file = catalogFileFromJson(text, kind);
    if (!file)
        return std::unexpected(std::move(file.error()));
    if (!file->refused.empty())
        return std::unexpected(std::move(file->refused.front().error));
    std::set<std::string, std::less<>> ids;
    for (std::size_t i = 0; i < file->items.records.size(); ++i)
        if (const auto &id = file->items.records[i].id; !ids.insert(id).second)
            return refuse(ErrorCode::OutOfRange, "items[" + std::to_string(i) + "].id",
                "The id \u201c" + id + "\u201d stands twice; ids are unique in a catalog.");
    for (auto &record : file->items.records)
        record.shipped = shipped;
    apply(into, {}, file->items);
    return {};
}

std::string catalogFileToJson(const Catalog &catalog, std::span<const CatalogKind> kinds, ItemsToWrite items)
{
    if (kinds.size() == 1)
        return catalogToJson(catalog, kinds.front(), itemsOf(catalog, kinds.front(), items)).dump(1) + '\n';
    Json all = Json::object();
    for (const auto kind : kinds)
        all[std::string(toString(kind))] = catalogToJson(catalog, kind, itemsOf(catalog, kind, items));
    return Json{{"catalogs", std::move(all)}}.dump(1) + '\n';
}

std::string catalogItemsToYaml(
    const Catalog &catalog, CatalogKind kind, const std::vector<const CatalogRecord *> &items)
{
    auto json = catalogToJson(catalog, kind, items);
    json.erase("schema"); // which describes fields to who writes a file
    return toYaml(json);
}

} // namespace fleetwright::exchange
