// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/approveddocuments.h"

#include "exchange/decisiondocuments.h"
#include "exchange/documentparts.h"
#include "exchange/objectreader.h"

#include <array>

namespace fleetwright::exchange {

namespace {

Expected<UsedValue> usedValueFromJson(const Json &json, const std::string &path)
{
    ObjectReader reader(json, path, "value", {"subject", "key", "value", "low", "high", "source", "date"});
    UsedValue used{.subject = reader.text("subject").value_or(""),
        .key = reader.requiredText("key"),
        .value = reader.number("value").value_or(0),
        .low = reader.number("low"),
        .high = reader.number("high"),
        .source = reader.text("source").value_or(""),
        .date = reader.text("date").value_or("")};
    if (!reader.error() && used.low.has_value() != used.high.has_value())
        reader.refuse(ErrorCode::MissingField, used.low ? "high" : "low", "A range has two ends.");
    if (reader.error())
        return std::unexpected(*reader.error());
    return used;
}

Json usedValueToJson(const UsedValue &used)
{
    Json json{{"key", used.key}, {"value", plainNumber(used.value)}};
    if (used.low && used.high) {
        json["low"] = plainNumber(*used.low);
        json["high"] = plainNumber(*used.high);
    }
    for (const auto &[key, text] :
        {std::pair("subject", used.subject), std::pair("source", used.source), std::pair("date", used.date)})
        if (!text.empty())
            json[key] = text;
    return json;
}

Expected<DecisionActuals> actualsFromJson(const Json &json)
{
    ObjectReader reader(json, "actuals", "actuals", {"days", "run_cost_usd", "capital_usd", "facility_w", "note"});
    DecisionActuals actuals{.days = reader.number("days"),
        .runCostUsd = reader.number("run_cost_usd"),
        .capitalUsd = reader.number("capital_usd"),
        .facilityWatts = reader.number("facility_w"),
        .note = reader.text("note").value_or("")};
    if (reader.error())
        return std::unexpected(*reader.error());
    return actuals;
}

Json actualsToJson(const DecisionActuals &actuals)
{
    Json json = Json::object();
    for (const auto &[key, value] : {std::pair("days", actuals.days), std::pair("run_cost_usd", actuals.runCostUsd),
             std::pair("capital_usd", actuals.capitalUsd), std::pair("facility_w", actuals.facilityWatts)})
        if (value)
            json[key] = plainNumber(*value);
    if (!actuals.note.empty())
        json["note"] = actuals.note;
    return json;
}

Expected<Withdrawal> withdrawalFromJson(const Json &json)
{
    ObjectReader reader(json, "withdrawn", "withdrawal", {"when", "reason"});
    Withdrawal withdrawn{.when = reader.requiredText("when"), .reason = reader.requiredText("reason")};
    if (reader.error())
        return std::unexpected(*reader.error());
    return withdrawn;
}

Expected<Signature> signatureFromJson(const Json &json)
{
    ObjectReader reader(json, "signed", "signature", {"by", "role", "condition"});
    Signature signature{.by = reader.requiredText("by"),
        .role = reader.text("role").value_or(""),
        .condition = reader.text("condition").value_or("")};
    if (reader.error())
        return std::unexpected(*reader.error());
    return signature;
}

Json signatureToJson(const Signature &signature)
{
    Json json{{"by", signature.by}};
    for (const auto &[key, text] : {std::pair("role", signature.role), std::pair("condition", signature.condition)})
        if (!text.empty())
            json[key] = text;
    return json;
}

constexpr std::array<std::pair<const char *, std::optional<PredictedRange> PredictedRanges::*>, 3> rangeKeys{
    {{"days", &PredictedRanges::days}, {"run_cost_usd", &PredictedRanges::runCostUsd},
        {"capital_usd", &PredictedRanges::capitalUsd}}};
constexpr std::array<std::pair<const char *, std::optional<double> PredictedRanges::*>, 2> chanceKeys{
    {{"deadline_chance", &PredictedRanges::deadlineChance}, {"best_share", &PredictedRanges::bestShare}}};

Expected<PredictedRanges> rangesFromJson(const Json &json)
{
    ObjectReader reader(
        json, "ranges", "ranges", {"days", "run_cost_usd", "capital_usd", "deadline_chance", "best_share"});
    PredictedRanges ranges;
    for (const auto &[key, member] : rangeKeys)
        if (const auto *ends = reader.find(key)) {
            if (ends->is_array() && ends->size() == 2 && (*ends)[0].is_number() && (*ends)[1].is_number())
                ranges.*member = PredictedRange{(*ends)[0].get<double>(), (*ends)[1].get<double>()};
            else
                reader.refuse(ErrorCode::UnsupportedValue, key, "A range is a list of its low and high end.");
        }
    for (const auto &[key, member] : chanceKeys)
        ranges.*member = reader.number(key);
    if (reader.error())
        return std::unexpected(*reader.error());
    return ranges;
}

Json rangesToJson(const PredictedRanges &ranges)
{
    Json json = Json::object();
    for (const auto &[key, member] : rangeKeys)
        if (const auto &range = ranges.*member)
            json[key] = Json::array({plainNumber(range->low), plainNumber(range->high)});
    for (const auto &[key, member] : chanceKeys)
        if (const auto &chance = ranges.*member)
            json[key] = plainNumber(*chance);
    return json;
}

} // namespace

Expected<ApprovedDecision> approvedFromJson(const Json &json)
{
    ObjectReader reader(json, "", "approved decision",
        {"approved", "when", "decision", "answer", "input_hash", "values", "ranges", "signed", "note", "actuals",
            "withdrawn"});
    ApprovedDecision approved;
    approved.name = reader.requiredText("approved");
    approved.when = reader.requiredText("when");
    if (const auto *decision = reader.require("decision", "the decision as an object")) {
        auto read = decisionFromJson(*decision);
        if (!read)
            reader.refuse(Error{read.error().code, joined("decision", read.error().field), read.error().message});
        else
            approved.decision = std::move(*read);
    }
    if (const auto *answer = reader.require("answer", "the answer as an object"))
        approved.answer = answer->dump(-1, ' ', false, Json::error_handler_t::replace);
    approved.inputHash = reader.text("input_hash").value_or("");
    if (const auto *values = reader.find("values"); values && values->is_array())
        for (std::size_t i = 0; i < values->size(); ++i)
            approved.values.push_back(reader.take(usedValueFromJson((*values)[i], at("values", i))));
    else if (values)
        reader.refuse(ErrorCode::UnsupportedValue, "values", "The values must be a list.");
    if (const auto *ranges = reader.find("ranges"))
        approved.ranges = reader.take(rangesFromJson(*ranges));
    if (const auto *signature = reader.find("signed"))
        approved.signature = reader.take(signatureFromJson(*signature));
    approved.note = reader.text("note").value_or("");
    if (const auto *actuals = reader.find("actuals"))
        approved.actuals = reader.take(actualsFromJson(*actuals));
    if (const auto *withdrawn = reader.find("withdrawn"))
        approved.withdrawn = reader.take(withdrawalFromJson(*withdrawn));
    if (reader.error())
        return std::unexpected(*reader.error());
    if (auto ok = check(approved); !ok)
        return std::unexpected(ok.error());
    return approved;
}

Json approvedToJson(const ApprovedDecision &approved)
{
    const auto answer = Json::parse(approved.answer, nullptr, false);
    Json json{{"approved", approved.name}, {"when", approved.when}, {"decision", decisionToJson(approved.decision)},
        {"answer", answer.is_discarded() ? Json() : answer}};
    if (!approved.inputHash.empty())
        json["input_hash"] = approved.inputHash;
    for (const auto &used : approved.values)
        json["values"].push_back(usedValueToJson(used));
    if (auto ranges = rangesToJson(approved.ranges); !ranges.empty())
        json["ranges"] = std::move(ranges);
    if (approved.signature != Signature())
        json["signed"] = signatureToJson(approved.signature);
    if (!approved.note.empty())
        json["note"] = approved.note;
    if (auto actuals = actualsToJson(approved.actuals); !actuals.empty())
        json["actuals"] = std::move(actuals);
    if (const auto &withdrawn = approved.withdrawn)
        json["withdrawn"] = {{"when", withdrawn->when}, {"reason", withdrawn->reason}};
    return json;
}

} // namespace fleetwright::exchange
