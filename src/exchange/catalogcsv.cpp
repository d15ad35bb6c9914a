// SPDX-License-Identifier: GPL-3.0-or-later
// Catalogs as tables.
#include "exchange/catalogfiles.h"
#include "exchange/csvreader.h"
#include "exchange/csvtext.h"
#include "text/formulaguard.h"
#include "units/editdistance.h"
#include "units/format.h"
#include "units/visibletext.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace fleetwright::exchange {

namespace {

constexpr std::array itemMembers{std::string_view("id"), std::string_view("name"), std::string_view("notes")};

/// As the form takes it: lists with commas between, as JSON where an entry holds one itself and where there is none,
/// which is not the same as unknown.
std::string cellOf(const FieldDescriptor &field, const FieldValue *value)
{
    if (!value)
        return {};
    if (const auto *number = std::get_if<double>(value))
        return units::exact(*number);
    if (const auto *flag = std::get_if<bool>(value))
        return *flag ? "true" : "false";
    if (const auto *list = std::get_if<std::vector<std::string>>(value))
        return list->empty() || std::ranges::any_of(*list, [](const std::string &entry) { return entry.contains(','); })
            ? nlohmann::json(*list).dump()
            : guardedCell(display(field, *value));
    return guardedCell(std::get<std::string>(*value));
}

Expected<FieldValue> valueOfCell(const FieldDescriptor &field, const std::string &cell)
{
    const auto text = unguardedCell(cell);
    if (field.type != FieldType::TextList || !text.starts_with('['))
        return parseField(field, text);
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_array() || !std::ranges::all_of(json, [](const auto &entry) { return entry.is_string(); }))
        return refuse(ErrorCode::UnsupportedValue, std::string(field.key),
            std::string(field.label) + " must be texts with commas between, or a list such as [\"a\", \"b\"].");
    return FieldValue{json.get<std::vector<std::string>>()};
}

Expected<void> checkColumns(const CsvRecord &header, CatalogKind kind)
{
    if (header.fault)
        return refuseLine(header.fault->code, header.line, {}, header.fault->message);
    std::vector<std::string_view> known(itemMembers.begin(), itemMembers.end());
    for (const auto &field : fields(kind))
        known.push_back(field.key);
    std::set<std::string_view> seen;
    for (const auto &name : header.cells) {
        if (std::ranges::find(known, name) == known.end())
            return refuseLine(ErrorCode::UnsupportedValue, header.line, name,
                "there is no field \u201c" + name.substr(0, 60) + "\u201d in the " + std::string(toString(kind))
                    + " catalog" + didYouMean(name, known, "; correct its name or remove the column."));
        if (!seen.insert(name).second)
            return refuseLine(
                ErrorCode::UnsupportedValue, header.line, name, "the column \u201c" + name + "\u201d stands twice.");
    }
    for (const std::string needed : {"id", "name"})
        if (!seen.contains(needed))
            return refuseLine(ErrorCode::MissingField, header.line, needed,
                "the first line names the columns, and one of them must be \u201c" + needed + "\u201d.");
    return {};
}

Expected<CatalogRecord> recordFromRow(const CsvRecord &row, const CsvRecord &header, CatalogKind kind)
{
    if (row.fault)
        return std::unexpected(*row.fault);
    if (row.cells.size() != header.cells.size())
        return refuse(ErrorCode::ParseError, {},
            "The row has " + std::to_string(row.cells.size()) + " cells and the first line names "
                + std::to_string(header.cells.size()) + " columns.");
    CatalogRecord record;
    record.kind = kind;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const auto &key = header.cells[i];
        if (key == "id") {
            record.id = row.cells[i];
        } else if (key == "name") {
            record.name = unguardedCell(row.cells[i]);
            if (auto ok = checkVisible(record.name, key); !ok)
                return std::unexpected(std::move(ok.error()));
        } else if (key == "notes") {
            record.notes = unguardedCell(row.cells[i]);
        } else {
            auto value = valueOfCell(*findField(kind, key), row.cells[i]);
            if (!value)
                return std::unexpected(std::move(value.error()));
            if (!std::holds_alternative<std::monostate>(*value))
                record.values.insert_or_assign(key, std::move(*value));
        }
    }
    if (auto ok = check(record); !ok)
        return std::unexpected(std::move(ok.error()));
    return record;
}

} // namespace

Expected<CatalogFile> catalogFileFromCsv(std::string_view csv, CatalogKind kind)
{
    const auto text = csvText(csv, longestCatalogFile);
    if (!text)
        return std::unexpected(text.error());
    CsvReader reader(*text, csvSeparator(*text));
    const auto header = reader.next();
    if (!header)
        return refuse(
            ErrorCode::MissingField, "id", "The file is empty; its first line holds the names of the columns.");
    if (auto ok = checkColumns(*header, kind); !ok)
        return std::unexpected(std::move(ok.error()));
    const auto idColumn = std::size_t(std::ranges::find(header->cells, "id") - header->cells.begin());
    CatalogFile file;
    while (const auto row = reader.next()) {
        auto record = recordFromRow(*row, *header, kind);
        if (record) {
            file.items.records.push_back(std::move(*record));
            continue;
        }
        auto error = std::move(record.error());
        error.field = "line " + std::to_string(row->line) + (error.field.empty() ? "" : "." + error.field);
        const auto id = idColumn < row->cells.size() ? row->cells[idColumn].substr(0, 100) : std::string();
        file.refused.push_back({{kind, id}, std::move(error)});
    }
    return file;
}

std::string catalogFileToCsv(const Catalog &catalog, CatalogKind kind, ItemsToWrite items)
{
    std::string text = "id,name";
    for (const auto &field : fields(kind))
        text += "," + csvCell(std::string(field.key));
    text += ",notes\r\n";
    for (const auto &record : catalog.records(kind)) {
        if (items == ItemsToWrite::Own && record.shipped)
            continue;
        text += record.id + "," + csvCell(guardedCell(record.name));
        for (const auto &field : fields(kind))
            text += "," + csvCell(cellOf(field, record.find(field.key)));
        text += "," + csvCell(guardedCell(record.notes)) + "\r\n";
    }
    return text;
}

} // namespace fleetwright::exchange
