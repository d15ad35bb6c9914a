// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/offerdocuments.h"

#include "domain/calendarday.h"
#include "exchange/documentparts.h"
#include "exchange/documenttext.h"
#include "exchange/objectreader.h"
#include "exchange/planparts.h"
#include "exchange/yamlwriter.h"
#include "units/words.h"

namespace fleetwright::exchange {

namespace {

const Json *listOf(ObjectReader &reader, std::string_view key)
{
    const auto *list = reader.find(key);
    if (!list || list->is_array())
        return list;
    reader.refuse(ErrorCode::UnsupportedValue, key, inQuotes(reader.pathOf(key)) + " must be a list.");
    return nullptr;
}

Expected<OfferLine> lineFromJson(const Json &json, const std::string &path)
{
    ObjectReader reader(json, path, "line of the offer", {"item", "part", "quantity", "unit_price", "discount"});
    OfferLine line{.item = reader.requiredText("item"),
        .part = {},
        .quantity = reader.number("quantity").value_or(1),
        .unitPrice = 0,
        .discount = reader.number("discount").value_or(0)};
    if (const auto part = reader.text("part"))
        line.part = reader.take(parseOfferPart(*part, reader.pathOf("part")));
    if (reader.require("unit_price", "the price of one, in the offer\u2019s currency"))
        line.unitPrice = reader.number("unit_price").value_or(0);
    if (reader.error())
        return std::unexpected(*reader.error());
    return line;
}

Expected<OfferColocation> colocationFromJson(const Json &json)
{
    ObjectReader reader(json, "colocation", "colocation", {"per_kw_month", "includes_energy"});
    OfferColocation colocation;
    if (reader.require("per_kw_month", "the price of a kW and month, in the offer\u2019s currency"))
        colocation.perKwMonth = reader.number("per_kw_month").value_or(0);
    colocation.includesEnergy = reader.flag("includes_energy").value_or(false);
    if (reader.error())
        return std::unexpected(*reader.error());
    return colocation;
}

Expected<OfferRent> rentFromJson(const Json &json)
{
    ObjectReader reader(json, "rent", "rent", {"per_accelerator_hour", "term", "extras_per_year"});
    OfferRent rent;
    if (reader.require("per_accelerator_hour", "the price of an accelerator and hour, in the offer\u2019s currency"))
        rent.perAcceleratorHour = reader.number("per_accelerator_hour").value_or(0);
    if (const auto term = reader.text("term"))
        rent.term = reader.take(parseRentTerm(*term, "rent.term"));
    rent.extrasPerYear = reader.number("extras_per_year").value_or(0);
    if (reader.error())
        return std::unexpected(*reader.error());
    return rent;
}

void readScope(ObjectReader &reader, OfferDocument &document)
{
    const auto *scope = listOf(reader, "scope");
    for (std::size_t i = 0; scope && i < scope->size(); ++i) {
        const auto field = at("scope", i);
        if (!(*scope)[i].is_string()) {
            reader.refuse(Error{ErrorCode::UnsupportedValue, field,
                inQuotes(field) + " must be a part of an offer, such as network or support."});
            return;
        }
        document.scope.push_back(reader.take(parseOfferPart((*scope)[i].get<std::string>(), field)));
    }
}

void readLines(ObjectReader &reader, OfferDocument &document)
{
    const auto *lines = listOf(reader, "lines");
    for (std::size_t i = 0; lines && i < lines->size() && !reader.error(); ++i)
        document.lines.push_back(reader.take(lineFromJson((*lines)[i], at("lines", i))));
}

Json lineToJson(const OfferLine &line)
{
    Json json{{"item", line.item}};
    if (line.part)
        json["part"] = toString(*line.part);
    json["quantity"] = plainNumber(line.quantity);
    json["unit_price"] = plainNumber(line.unitPrice);
    if (line.discount != 0)
        json["discount"] = plainNumber(line.discount);
    return json;
}

} // namespace

Expected<OfferDocument> offerFromJson(const Json &json)
{
    ObjectReader reader(json, "", "offer",
        {"fleetwright", "offer", "vendor", "valid_until", "currency", "fleet", "lines", "scope", "support_years",
            "warranty_years", "delivery_weeks", "payment_terms", "colocation", "rent"});
    checkVersion(reader);
    OfferDocument document;
    document.name = reader.requiredText("offer");
    document.vendor = reader.requiredText("vendor");
    if (const auto until = reader.text("valid_until")) {
        document.validUntil = dateFromText(*until);
        if (!document.validUntil)
            reader.refuse(ErrorCode::UnsupportedValue, "valid_until",
                "The last day of an offer is a date such as 2027-03-31, not " + inQuotes(*until) + ".");
    }
    document.currency = reader.text("currency").value_or(document.currency);
    if (const auto *fleet = reader.require("fleet", "it as an object with node, nodes and fabric"))
        document.fleet = reader.take(fleetFromJson(*fleet, "fleet"));
    readLines(reader, document);
    readScope(reader, document);
    document.supportYears = reader.count("support_years", 0, mostOfferYears);
    document.warrantyYears = reader.count("warranty_years", 0, mostOfferYears);
    document.deliveryWeeks = reader.number("delivery_weeks");
    document.paymentTerms = reader.text("payment_terms").value_or("");
    if (const auto *colocation = reader.find("colocation"))
        document.colocation = reader.take(colocationFromJson(*colocation));
    if (const auto *rent = reader.find("rent"))
        document.rent = reader.take(rentFromJson(*rent));
    if (reader.error())
        return std::unexpected(*reader.error());
    if (auto ok = check(document); !ok)
        return std::unexpected(ok.error());
    return document;
}

Expected<OfferDocument> offerFromText(std::string_view text) { return fromText(text, offerFromJson); }

Json offerToJson(const OfferDocument &document)
{
    Json json{{"fleetwright", 1}, {"offer", document.name}, {"vendor", document.vendor}};
    if (document.validUntil)
        json["valid_until"] = dateText(*document.validUntil);
    json["currency"] = document.currency;
    json["fleet"] = fleetToJson(document.fleet);
    if (!document.lines.empty()) {
        json["lines"] = Json::array();
        for (const auto &line : document.lines)
            json["lines"].push_back(lineToJson(line));
    }
    if (!document.scope.empty()) {
        json["scope"] = Json::array();
        for (const auto part : document.scope)
            json["scope"].push_back(toString(part));
    }
    if (document.supportYears)
        json["support_years"] = *document.supportYears;
    if (document.warrantyYears)
        json["warranty_years"] = *document.warrantyYears;
    if (document.deliveryWeeks)
        json["delivery_weeks"] = plainNumber(*document.deliveryWeeks);
    if (!document.paymentTerms.empty())
        json["payment_terms"] = document.paymentTerms;
    if (document.colocation)
        json["colocation"] = {{"per_kw_month", plainNumber(document.colocation->perKwMonth)},
            {"includes_energy", document.colocation->includesEnergy}};
    if (document.rent)
        json["rent"] = {{"per_accelerator_hour", plainNumber(document.rent->perAcceleratorHour)},
            {"term", toString(document.rent->term)}, {"extras_per_year", plainNumber(document.rent->extrasPerYear)}};
    return json;
}

std::string offerToYaml(const OfferDocument &document) { return toYaml(offerToJson(document)); }

Json offerComparisonToJson(const OfferComparison &comparison)
{
    Json json{{"offers", Json::array()}, {"rows", Json::array()}, {"sentences", comparison.sentences},
        {"notes", comparison.notes}};
    for (const auto &[offer, normal, costs, presentCost] : comparison.offers) {
        Json one{{"offer", offer.name}, {"vendor", offer.vendor}, {"currency", offer.currency},
            {"units_per_usd", normal.unitsPerUsd}, {"present_cost_usd", presentCost},
            {"fleet", fleetToJson(normal.fleet)}, {"marks", Json::array()}, {"notices", normal.notices}};
        for (const auto &mark : normal.marks)
            one["marks"].push_back({{"part", toString(mark.part)}, {"kind", toString(mark.kind)}, {"usd", mark.usd},
                {"sentence", mark.sentence}});
        json["offers"].push_back(std::move(one));
    }
    for (const auto &row : comparison.rows) {
        Json one{{"section", toString(row.section)}, {"key", row.key}, {"label", row.label}, {"unit", row.unit},
            {"total", row.isTotal}, {"cells", Json::array()}};
        for (const auto &cell : row.cells) {
            Json shown = Json::object();
            if (!row.unit.empty())
                shown["value"] = cell.value ? Json(*cell.value) : Json();
            if (!cell.text.empty())
                shown["text"] = cell.text;
            if (!row.unit.empty())
                shown["from"] = cell.origin();
            if (!cell.note.empty())
                shown["note"] = cell.note;
            one["cells"].push_back(std::move(shown));
        }
        json["rows"].push_back(std::move(one));
    }
    return json;
}

} // namespace fleetwright::exchange
