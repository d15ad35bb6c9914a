// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/plandocuments.h"

#include "exchange/documenttext.h"
#include "units/decimals.h"

#include "exchange/catalogfiles.h"
#include "exchange/costdocuments.h"
#include "exchange/objectreader.h"
#include "exchange/yamlwriter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fleetwright::exchange {

namespace {

constexpr double secondsPerDay = 86400.0;
constexpr double wattsPerKilowatt = 1e3, wattsPerMegawatt = 1e6;
constexpr int maximumRanks = 1000000;
constexpr int maximumCount = 1000000000;
std::string_view defaultCostModel() { return costModels().front()->id(); }

/// The number in a larger unit that reads back as exactly the same base value, where there is one.
double inUnit(double base, double factor)
{
    const double nearest = base / factor;
    for (const double candidate :
        {nearest, std::nextafter(nearest, 0.0), std::nextafter(nearest, std::numeric_limits<double>::max())})
        if (candidate * factor == base || units::withoutRest(candidate * factor) == base)
            return candidate;
    return nearest;
}

/// An inline item in a document: what is unknown or empty is left out.
Json itemToJson(const ItemReference &reference)
{
    if (const auto *id = std::get_if<std::string>(&reference))
        return *id;
    const auto whole = recordToJson(std::get<CatalogRecord>(reference));
    Json shown = Json::object();
    for (const auto &[key, value] : whole.items()) {
        if (value.is_null() || (value.is_array() && value.empty()))
            continue;
        if (!value.is_object()) {
            shown[key] = value;
            continue;
        }
        Json part = Json::object();
        for (const auto &[inner, content] : value.items())
            if (!content.is_null())
                part[inner] = content;
        if (!part.empty())
            shown[key] = std::move(part);
    }
    return shown;
}

ItemReference itemFromJson(ObjectReader &reader, std::string_view key, CatalogKind kind)
{
    const std::string what(itemName(kind));
    const auto *value = reader.require(
        key, "the id of a " + what + " of the catalog, or the " + what + " itself as an object");
    if (!value)
        return {};
    if (value->is_object()) {
        auto record = recordFromJson(*value, kind, reader.pathOf(key));
        if (record)
            return std::move(*record);
        reader.refuse(record.error());
        return {};
    }
    if (!value->is_string()) {
        reader.refuse(ErrorCode::UnsupportedValue, key,
            "\u201c" + reader.pathOf(key) + "\u201d must be the id of a " + what + " of the catalog, or the " + what
                + " itself as an object.");
        return {};
    }
    auto id = reader.text(key).value_or("");
    if (id.empty())
        reader.refuse(ErrorCode::MissingField, key,
            "\u201c" + reader.pathOf(key) + "\u201d is empty; name a " + what + " of the catalog.");
    return id;
}

Expected<Parallelism> parallelismFromJson(const Json &json)
{
    ObjectReader reader(json, "parallelism", "parallelism",
        {"tp", "pp", "cp", "ep", "virtual_stages", "zero_stage", "sequence_parallel"});
    Parallelism parallelism;
    parallelism.tp = reader.count("tp", 1, maximumRanks).value_or(1);
    parallelism.pp = reader.count("pp", 1, maximumRanks).value_or(1);
    parallelism.cp = reader.count("cp", 1, maximumRanks).value_or(1);
    parallelism.ep = reader.count("ep", 1, maximumRanks).value_or(1);
    parallelism.virtualStages = reader.count("virtual_stages", 1, maximumRanks).value_or(1);
    parallelism.zeroStage = reader.count("zero_stage", 0, 3).value_or(0);
    parallelism.sequenceParallel = reader.flag("sequence_parallel").value_or(false);
    if (reader.error())
        return std::unexpected(*reader.error());
    return parallelism;
}

Json parallelismToJson(const Parallelism &parallelism)
{
    return {{"tp", parallelism.tp}, {"pp", parallelism.pp}, {"cp", parallelism.cp}, {"ep", parallelism.ep},
        {"virtual_stages", parallelism.virtualStages}, {"zero_stage", parallelism.zeroStage},
        {"sequence_parallel", parallelism.sequenceParallel}};
}

Expected<Training> trainingFromJson(const Json &json)
{
    ObjectReader reader(json, "training", "training",
        {"global_batch", "microbatch_count", "microbatch_size", "seq_len", "precision", "recompute", "lora",
            "accumulation_steps", "token_budget"});
    Training training;
    training.globalBatch = reader.requiredCount("global_batch", 1, maximumCount);
    training.sequenceLength = reader.requiredCount("seq_len", 1, maximumCount);
    if (const auto precision = reader.requiredText("precision"); !precision.empty() || !reader.error())
        training.precision = reader.take(parsePrecision(precision, "training.precision"));
    const auto microbatches = reader.count("microbatch_count", 1, maximumCount);
    training.microbatchSize = reader.count("microbatch_size", 1, maximumCount);
    if (microbatches && training.microbatchSize)
        reader.refuse(ErrorCode::UnsupportedValue, "microbatch_size",
            "State either microbatch_count or microbatch_size, not both.");
    training.microbatchCount = training.microbatchSize ? std::nullopt : std::optional(microbatches.value_or(1));
    if (const auto recompute = reader.text("recompute"))
        training.recompute = reader.take(parseRecompute(*recompute));
    training.lora = reader.flag("lora").value_or(false);
    training.accumulationSteps = reader.count("accumulation_steps", 1, maximumCount).value_or(1);
    training.tokenBudget = reader.number("token_budget");
    if (reader.error())
        return std::unexpected(*reader.error());
    if (auto ok = check(training); !ok)
        return std::unexpected(ok.error());
    return training;
}

Json trainingToJson(const Training &training)
{
    Json json{{"global_batch", training.globalBatch}};
    if (training.microbatchCount)
        json["microbatch_count"] = *training.microbatchCount;
    if (training.microbatchSize)
        json["microbatch_size"] = *training.microbatchSize;
    json["seq_len"] = training.sequenceLength;
    json["precision"] = toString(training.precision);
    json["recompute"] = toString(training.recompute);
    json["lora"] = training.lora;
    json["accumulation_steps"] = training.accumulationSteps;
    if (training.tokenBudget)
        json["token_budget"] = plainNumber(*training.tokenBudget);
    return json;
}

/// Which keys exist is the cost model's business; here they only need to be plain values.
Expected<Assumptions> assumptionsFromJson(const Json &json)
{
    constexpr std::size_t longestText = 200;
    if (!json.is_object())
        return refuse(
            ErrorCode::UnsupportedValue, "assumptions", "The assumptions must be an object with keys and values.");
    Assumptions assumptions;
    for (const auto &[key, value] : json.items()) {
        const auto field = "assumptions." + key.substr(0, longestText);
        if (key.empty())
            return refuse(
                ErrorCode::UnsupportedValue, "assumptions", "An assumption has an empty name; name it or remove it.");
        if (value.is_boolean()) {
            assumptions.edited.emplace(key, value.get<bool>());
        } else if (value.is_number()) {
            if (!std::isfinite(value.get<double>()))
                return refuse(ErrorCode::OutOfRange, field, "\u201c" + field + "\u201d must be a finite number.");
            assumptions.edited.emplace(key, value.get<double>());
        } else if (value.is_string() && value.get_ref<const std::string &>().size() <= longestText) {
            assumptions.edited.emplace(key, value.get<std::string>());
        } else {
            return refuse(ErrorCode::UnsupportedValue, field,
                "\u201c" + field + "\u201d must be a number, true, false or a short text.");
        }
    }
    return assumptions;
}

Json assumptionsToJson(const Assumptions &assumptions)
{
    Json json = Json::object();
    for (const auto &[key, value] : assumptions.edited) {
        if (const auto *number = std::get_if<double>(&value))
            json[key] = plainNumber(*number);
        else if (const auto *flag = std::get_if<bool>(&value))
            json[key] = *flag;
        else
            json[key] = std::get<std::string>(value);
    }
    return json;
}

/// A number in the unit of the key, by the limit's key or its former one.
std::optional<double> limitFrom(ObjectReader &reader, Limit limit)
{
    auto value = reader.number(keyOf(limit));
    for (const auto &former : formerLimitKeys()) {
        if (former.limit != limit || !reader.has(former.key))
            continue;
        if (value)
            reader.refuse(ErrorCode::UnsupportedValue, former.key,
                "\u201c" + std::string(former.key) + "\u201d is the former name of \u201c" + std::string(keyOf(limit))
                    + "\u201d; state one of them.");
        else if (const auto old = reader.number(former.key))
            value = units::withoutRest(*old / former.divisor);
    }
    return value;
}

Expected<Constraints> constraintsFromJson(const Json &json)
{
    ObjectReader reader(json, "constraints", "constraints",
        {keyOf(Limit::MaxMemoryFraction), keyOf(Limit::DeadlineDays), keyOf(Limit::RunCostUsd),
            keyOf(Limit::CapitalUsd), keyOf(Limit::YearlyCostUsd), keyOf(Limit::MaxFacilityMw), keyOf(Limit::MinMfu),
            keyOf(Limit::MaxStepTimeS), "budget_usd", "max_power_kw"});
    Constraints constraints;
    constraints.maxMemoryShare = limitFrom(reader, Limit::MaxMemoryFraction);
    if (const auto days = limitFrom(reader, Limit::DeadlineDays))
        constraints.deadline = Seconds::from_value(*days * secondsPerDay);
    if (const auto dollars = limitFrom(reader, Limit::RunCostUsd))
        constraints.runCost = Dollars::from_value(*dollars);
    if (const auto dollars = limitFrom(reader, Limit::CapitalUsd))
        constraints.capital = Dollars::from_value(*dollars);
    if (const auto dollars = limitFrom(reader, Limit::YearlyCostUsd))
        constraints.yearlyCost = Dollars::from_value(*dollars);
    if (const auto megawatts = limitFrom(reader, Limit::MaxFacilityMw))
        constraints.facilityPower = Watts::from_value(units::withoutRest(*megawatts * wattsPerMegawatt));
    constraints.minMfu = limitFrom(reader, Limit::MinMfu);
    if (const auto seconds = limitFrom(reader, Limit::MaxStepTimeS))
        constraints.maxStepTime = Seconds::from_value(*seconds);
    if (reader.error())
        return std::unexpected(*reader.error());
    if (auto ok = check(constraints); !ok)
        return std::unexpected(ok.error());
    return constraints;
}

struct LimitNames {
    std::string_view cost, power;
    double wattsPerUnit;
};

Json constraintsToJson(const Constraints &constraints, const LimitNames &names)
{
    Json json = Json::object();
    const auto put = [&json](std::string_view key, double value) { json[std::string(key)] = plainNumber(value); };
    if (constraints.maxMemoryShare)
        put(keyOf(Limit::MaxMemoryFraction), *constraints.maxMemoryShare);
    if (constraints.deadline)
        put(keyOf(Limit::DeadlineDays), inUnit(constraints.deadline->value(), secondsPerDay));
    if (constraints.runCost)
        put(names.cost, constraints.runCost->value());
    if (constraints.capital)
        put(keyOf(Limit::CapitalUsd), constraints.capital->value());
    if (constraints.yearlyCost)
        put(keyOf(Limit::YearlyCostUsd), constraints.yearlyCost->value());
    if (constraints.facilityPower)
        put(names.power, inUnit(constraints.facilityPower->value(), names.wattsPerUnit));
    if (constraints.minMfu)
        put(keyOf(Limit::MinMfu), *constraints.minMfu);
    if (constraints.maxStepTime)
        put(keyOf(Limit::MaxStepTimeS), constraints.maxStepTime->value());
    return json;
}

void addFormerKeys(const Json &json, bool constraints, std::vector<std::string> &notices)
{
    const auto consider = [&notices](std::string_view key) {
        const auto *former = formerLimitKey(key);
        if (!former)
            return;
        auto notice = "\u201c" + std::string(key) + "\u201d is now called \u201c" + std::string(keyOf(former->limit))
            + "\u201d" + (former->divisor == 1 ? "" : ", 1/" + std::to_string(int(former->divisor)) + " of the number")
            + "; it was read as such.";
        if (std::ranges::find(notices, notice) == notices.end())
            notices.push_back(std::move(notice));
    };
    const auto considerField = [&consider](std::string_view text) {
        constexpr std::string_view prefix = "constraints.";
        if (text.starts_with(prefix))
            consider(text.substr(prefix.size()));
    };
    if (json.is_string())
        considerField(json.get_ref<const std::string &>());
    else if (json.is_array())
        for (const auto &item : json)
            addFormerKeys(item, false, notices);
    else if (json.is_object())
        for (const auto &[key, value] : json.items()) {
            if (constraints)
                consider(key);
            considerField(key);
            addFormerKeys(value, key == "constraints", notices);
        }
}

void checkVersion(ObjectReader &reader)
{
    const auto *version = reader.require("fleetwright", "\u201cfleetwright: 1\u201d as the first line");
    if (version && !(version->is_number() && version->get<double>() == 1.0))
        reader.refuse(ErrorCode::UnsupportedValue, "fleetwright",
            "\u201cfleetwright\u201d must be 1, the version of the document format that this program reads.");
}

} // namespace

Json fleetToJson(const FleetDocument &document)
{
    Json json = Json::object();
    if (!document.name.empty())
        json["name"] = document.name;
    json["node"] = itemToJson(document.node);
    json["nodes"] = document.nodes;
    json["fabric"] = itemToJson(document.fabric);
    if (document.oversubscription)
        json["oversubscription"] = plainNumber(*document.oversubscription);
    if (document.topology)
        json["topology"] = toString(*document.topology);
    if (!document.facility.empty())
        json["facility"] = document.facility;
    if (!document.grid.empty())
        json["grid"] = document.grid;
    if (auto costs = costsToJson(document.costs); !costs.empty())
        json["costs"] = std::move(costs);
    return json;
}

Expected<FleetDocument> fleetFromJson(const Json &json, const std::string &path)
{
    ObjectReader reader(json, path, "fleet",
        {"node", "nodes", "fabric", "oversubscription", "topology", "facility", "grid", "costs", "name"});
    FleetDocument document;
    document.name = reader.text("name").value_or("");
    document.node = itemFromJson(reader, "node", CatalogKind::Node);
    document.nodes = reader.requiredCount("nodes", 1, maximumRanks);
    document.fabric = itemFromJson(reader, "fabric", CatalogKind::Fabric);
    document.oversubscription = reader.number("oversubscription");
    if (document.oversubscription
        && !(*document.oversubscription >= 1 && *document.oversubscription <= mostOversubscription))
        reader.refuse(ErrorCode::OutOfRange, "oversubscription",
            "The oversubscription must be between 1 (non-blocking) and 1000.");
    if (const auto topology = reader.text("topology"))
        document.topology = reader.take(parseFabricTopology(*topology, reader.pathOf("topology")));
    document.facility = reader.text("facility").value_or("");
    document.grid = reader.text("grid").value_or("");
    if (const auto *costs = reader.find("costs"))
        document.costs = reader.take(costsFromJson(*costs, reader.pathOf("costs")));
    if (reader.error())
        return std::unexpected(*reader.error());
    return document;
}

Expected<PlanDocument> planFromJson(const Json &json)
{
    constexpr std::size_t longestName = 300;
    ObjectReader reader(json, "", "plan",
        {"fleetwright", "name", "workload", "fleet", "parallelism", "training", "assumptions", "constraints",
            "cost_model"});
    PlanDocument document;
    checkVersion(reader);
    document.name = reader.text("name").value_or("Untitled plan");
    if (document.name.empty())
        reader.refuse(ErrorCode::MissingField, "name", "The name is empty; give the plan a name or leave the key out.");
    else if (document.name.size() > longestName)
        reader.refuse(ErrorCode::OutOfRange, "name", "The plan's name is longer than 300 characters; shorten it.");
    document.workload = itemFromJson(reader, "workload", CatalogKind::Workload);
    if (const auto *fleet = reader.require("fleet", "it as an object with node, nodes and fabric"))
        document.fleet = reader.take(fleetFromJson(*fleet, "fleet"));
    if (const auto *parallelism = reader.find("parallelism"))
        document.parallelism = reader.take(parallelismFromJson(*parallelism));
    if (const auto *training = reader.require("training", "it as an object with global_batch, seq_len and precision"))
        document.training = reader.take(trainingFromJson(*training));
    if (const auto *assumptions = reader.find("assumptions"))
        document.assumptions = reader.take(assumptionsFromJson(*assumptions));
    if (const auto *constraints = reader.find("constraints"))
        document.constraints = reader.take(constraintsFromJson(*constraints));
    document.costModelId = reader.text("cost_model").value_or(std::string(defaultCostModel()));
    if (document.costModelId.empty())
        reader.refuse(ErrorCode::MissingField, "cost_model", "The cost model is empty; name one or leave the key out.");
    if (reader.error())
        return std::unexpected(*reader.error());
    return document;
}

Expected<PlanDocument> planFromText(std::string_view text) { return fromText(text, planFromJson); }

Json planToJson(const PlanDocument &document)
{
    Json json{{"fleetwright", 1}, {"name", document.name}, {"workload", itemToJson(document.workload)},
        {"fleet", fleetToJson(document.fleet)}, {"parallelism", parallelismToJson(document.parallelism)},
        {"training", trainingToJson(document.training)}};
    if (!document.assumptions.edited.empty())
        json["assumptions"] = assumptionsToJson(document.assumptions);
    if (document.constraints != Constraints{})
        json["constraints"] = constraintsToJson(
            document.constraints, {keyOf(Limit::RunCostUsd), keyOf(Limit::MaxFacilityMw), wattsPerMegawatt});
    json["cost_model"] = document.costModelId;
    return json;
}

Json constraintsAsHashed(const Constraints &constraints)
{
    return constraintsToJson(constraints, {"budget_usd", "max_power_kw", wattsPerKilowatt});
}

std::vector<std::string> formerKeyNotices(std::string_view text)
{
    std::vector<std::string> notices;
    if (std::ranges::none_of(
            formerLimitKeys(), [text](const FormerLimitKey &former) { return text.contains(former.key); }))
        return notices; // most texts need not be read again
    constexpr TextLimits limits{.values = 400'000};
    if (const auto json = readText(text, limits))
        addFormerKeys(*json, false, notices);
    return notices;
}

std::string planToYaml(const PlanDocument &document) { return toYaml(planToJson(document)); }

Json errorToJson(const Error &error)
{
    return {{"code", toString(error.code)}, {"field", error.field}, {"message", error.message}};
}

} // namespace fleetwright::exchange
