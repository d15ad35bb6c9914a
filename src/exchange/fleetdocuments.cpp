// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/fleetdocuments.h"

#include "exchange/documenttext.h"
#include "exchange/plandocuments.h"

#include <charconv>

namespace fleetwright::exchange {

namespace {

std::optional<double> numberIn(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// "1.5", "1..1.5..2", "true" or "yes", else a word.
Json typedEntry(const std::string &text)
{
    constexpr std::string_view to = "..";
    if (const auto number = numberIn(text))
        return *number;
    if (text == "true" || text == "yes" || text == "false" || text == "no")
        return text == "true" || text == "yes";
    const auto first = text.find(to), last = text.rfind(to);
    if (first != std::string::npos && last != first) {
        const auto low = numberIn(std::string_view(text).substr(0, first)),
                   likely = numberIn(std::string_view(text).substr(first + 2, last - first - 2)),
                   high = numberIn(std::string_view(text).substr(last + 2));
        if (low && likely && high)
            return {{"low", *low}, {"likely", *likely}, {"high", *high}};
    }
    return text;
}

void put(Json &json, const char *key, const std::optional<double> &value) { json[key] = value ? Json(*value) : Json(); }

void putText(Json &json, const char *key, const std::string &text)
{
    if (!text.empty())
        json[key] = text;
}

Json billToJson(const FleetBillLine &line)
{
    Json json{{"key", line.key}, {"label", line.label}};
    putText(json, "item", line.item);
    if (!line.countKey.empty()) {
        put(json, "count", line.count);
        json["count_unit"] = line.countUnit;
    }
    if (!line.priceKey.empty()) {
        put(json, "unit_price", line.price);
        json["price_unit"] = line.priceUnit;
        putText(json, "date", line.date);
        json["old"] = line.isOld;
    }
    put(json, "amount_usd", line.amount);
    putText(json, "source", line.source);
    putText(json, "note", line.note);
    return json;
}

Json figureToJson(const FleetFigureLine &line)
{
    Json json{{"key", line.key}, {"label", line.label}, {"unit", line.unit}};
    if (line.value) {
        json["low"] = line.value->low;
        json["likely"] = line.value->likely;
        json["high"] = line.value->high;
    } else {
        json["likely"] = nullptr;
    }
    if (line.share)
        json["share"] = *line.share;
    putText(json, "source", line.source);
    putText(json, line.value ? "note" : "reason", line.note);
    return json;
}

} // namespace

Expected<FleetDocument> fleetFromText(std::string_view text)
{
    return fromText(text, [](const Json &json) {
        if (json.is_object())
            if (const auto fleet = json.find("fleet"); fleet != json.end())
                return fleetFromJson(*fleet, "fleet");
        return fleetFromJson(json, "");
    });
}

Expected<FleetDocument> withCost(const FleetDocument &document, const std::string &key, const std::string &value)
{
    if (key.empty() || value.empty())
        return refuse(ErrorCode::MissingField, "fleet.costs." + key.substr(0, 60), "Write it as ENTRY=VALUE.");
    auto json = fleetToJson(document);
    json["costs"][key] = typedEntry(value);
    return fleetFromJson(json);
}

Json fleetCostToJson(const Fleet &fleet, const CostSheet &sheet)
{
    Json json{{"fleet", fleet->name}, {"node", fleet->node->name}, {"nodes", fleet->nodeCount},
        {"accelerators", fleet->accelerators()}, {"fabric", fleet->fabric->name}, {"grid", fleet->site.gridName},
        {"facility", fleet->site.facilityName}, {"paying", toString(fleet->costs.paying)},
        {"rent_term", toString(fleet->costs.rentTerm)}, {"rent_vendor", fleet->costs.rentVendor}};
    auto &bill = json["bill_of_materials"] = Json::array();
    for (const auto &line : billOfMaterials(fleet, sheet))
        bill.push_back(billToJson(line));
    for (const auto section : allFleetSections) {
        auto &list = json[std::string(toString(section))] = Json::array();
        for (const auto &line : figuresOf(section, sheet))
            list.push_back(figureToJson(line));
    }
    auto &years = json["cash_flow"] = Json::array();
    for (const auto &line : cashFlowOf(sheet))
        years.push_back({{"key", line.key}, {"label", line.label}, {"unit", line.unit}, {"by_year", line.years}});
    json["buy_or_rent"] = buyOrRentInWords(fleet, sheet);
    json["notices"] = sheet.notices();
    return json;
}

Json sheetRowsToJson(const CostSheet &sheet)
{
    auto list = Json::array();
    const auto &evaluated = sheet.sheet();
    for (std::size_t i = 0; i < evaluated.sheet().rows().size(); ++i) {
        const auto &row = evaluated.sheet().row(i);
        Json json{{"key", row.key}, {"label", row.label}, {"unit", row.unit}};
        if (!evaluated.program()->isPresent(i)) {
            json["value"] = nullptr;
            putText(json, "reason", sheet.reasonFor(row.key));
        } else if (row.shape == SheetShape::Single) {
            put(json, "value", evaluated.value(row.key));
        } else {
            json[row.shape == SheetShape::Years ? "by_year" : "by_month"] = evaluated.columns(row.key);
        }
        if (const auto &figure = evaluated.entries().figure(i)) {
            if (figure->low && figure->high) {
                json["low"] = *figure->low;
                json["high"] = *figure->high;
            }
            putText(json, "source", figure->source);
            putText(json, "date", figure->date);
        } else {
            putText(json, "formula", row.formulaText);
            putText(json, "at_start", row.atStartText);
            putText(json, "source", row.source);
        }
        list.push_back(std::move(json));
    }
    return list;
}

} // namespace fleetwright::exchange
