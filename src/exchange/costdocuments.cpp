// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/costdocuments.h"

#include "exchange/objectreader.h"

namespace fleetwright::exchange {

namespace {

Expected<CostEntry> costEntryFromJson(const Json &json, const std::string &path)
{
    if (json.is_string())
        return CostEntry{.value = json.get<std::string>()};
    if (json.is_number())
        return CostEntry{.value = json.get<double>()};
    if (json.is_boolean())
        return CostEntry{.value = json.get<bool>()};
    if (!json.is_object())
        return refuse(ErrorCode::UnsupportedValue, path,
            "State a number, the id of a price, a word of the entry, true or false, or an object with low, likely and "
            "high.");
    ObjectReader reader(json, path, "figure", {"low", "likely", "high"});
    CostEntry entry{.low = reader.number("low"), .high = reader.number("high")};
    const auto likely = reader.number("likely");
    if (!likely || entry.low.has_value() != entry.high.has_value())
        reader.refuse(ErrorCode::MissingField, likely ? (entry.low ? "high" : "low") : "likely",
            "A range states low, likely and high.");
    if (reader.error())
        return std::unexpected(*reader.error());
    entry.value = *likely;
    return entry;
}

} // namespace

Json costsToJson(const CostDocument &costs)
{
    Json json = Json::object();
    if (costs.paying != Paying::Own)
        json["paying"] = toString(costs.paying);
    if (costs.rentTerm != RentTerm::OnDemand)
        json["rent_term"] = toString(costs.rentTerm);
    if (!costs.rentVendor.empty())
        json["rent_vendor"] = costs.rentVendor;
    for (const auto &[entry, figure] : costs.entries) {
        if (const auto *text = std::get_if<std::string>(&figure.value))
            json[entry] = *text;
        else if (const auto *flag = std::get_if<bool>(&figure.value))
            json[entry] = *flag;
        else if (figure.low && figure.high)
            json[entry] = {{"low", plainNumber(*figure.low)}, {"likely", plainNumber(std::get<double>(figure.value))},
                {"high", plainNumber(*figure.high)}};
        else
            json[entry] = plainNumber(std::get<double>(figure.value));
    }
    return json;
}

Expected<CostDocument> costsFromJson(const Json &json, const std::string &path)
{
    CostDocument costs;
    if (!json.is_object())
        return refuse(ErrorCode::UnsupportedValue, path, "The costs of a fleet are an object of entries.");
    for (const auto &[key, value] : json.items()) {
        const auto field = joined(path, key);
        const bool isWord = key == "paying" || key == "rent_term" || key == "rent_vendor";
        if (isWord && !value.is_string())
            return refuse(ErrorCode::UnsupportedValue, field, "This is a word.");
        Expected<void> read;
        const auto take = [&](auto &member, auto parsed) {
            if (parsed)
                member = std::move(*parsed);
            else
                read = std::unexpected(parsed.error());
        };
        if (key == "paying")
            take(costs.paying, parsePaying(value.get<std::string>(), field));
        else if (key == "rent_term")
            take(costs.rentTerm, parseRentTerm(value.get<std::string>(), field));
        else if (key == "rent_vendor")
            costs.rentVendor = value.get<std::string>();
        else if (!value.is_null())
            take(costs.entries[key.substr(0, 60)], costEntryFromJson(value, field));
        if (!read)
            return std::unexpected(read.error());
    }
    return costs;
}

} // namespace fleetwright::exchange
