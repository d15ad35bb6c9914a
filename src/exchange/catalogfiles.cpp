// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/catalogfiles.h"

#include "exchange/objectreader.h"
#include "exchange/textreader.h"

#include <algorithm>
#include <set>

namespace fleetwright::exchange {

namespace {

using Json = nlohmann::ordered_json;

constexpr TextLimits catalogLimits{.bytes = 64UZ * 1024 * 1024, .depth = 64, .keys = 5000, .values = 20'000'000};

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

Expected<void> readCatalogFile(std::string_view text, CatalogKind kind, bool shipped, Catalog &into)
{
    const auto json = readJson(text, catalogLimits);
    if (!json)
        return std::unexpected(json.error());
    ObjectReader reader(*json, "", "catalog file", {"schema", "sources", "items"});
    const auto *sources = reader.find("sources");
    if (sources && !sources->is_object())
        reader.refuse(
            ErrorCode::UnsupportedValue, "sources", "\u201csources\u201d must be an object of sources by id.");
    const auto *items = reader.require("items", "the list of items");
    if (items && !items->is_array())
        reader.refuse(ErrorCode::UnsupportedValue, "items", "\u201citems\u201d must be a list.");
    if (reader.error())
        return std::unexpected(*reader.error());

    std::vector<Source> newSources;
    if (sources)
        for (const auto &[id, content] : sources->items()) {
            auto source = sourceFromJson(content, id, "sources." + id);
            if (!source)
                return std::unexpected(source.error());
            newSources.push_back(std::move(*source));
        }
    std::vector<CatalogRecord> records;
    std::set<std::string, std::less<>> ids;
    for (std::size_t i = 0; i < items->size(); ++i) {
        const auto path = "items[" + std::to_string(i) + "]";
        auto record = recordFromJson((*items)[i], kind, path);
        if (!record)
            return std::unexpected(record.error());
        if (!ids.insert(record->id).second)
            return refuse(ErrorCode::OutOfRange, path + ".id",
                "The id \u201c" + record->id + "\u201d stands twice; ids are unique in a catalog.");
        record->shipped = shipped;
        records.push_back(std::move(*record));
    }
    for (auto &source : newSources)
        into.insert(kind, std::move(source));
    for (auto &record : records)
        into.insert(std::move(record));
    return {};
}

} // namespace fleetwright::exchange
