// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/plandocuments.h"

#include "exchange/documenttext.h"

#include "exchange/catalogfiles.h"
#include "exchange/costdocuments.h"
#include "exchange/objectreader.h"
#include "exchange/openlayouts.h"
#include "exchange/planparts.h"
#include "exchange/yamlwriter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fleetwright::exchange {

namespace {

constexpr int maximumRanks = 1000000;
constexpr int maximumCount = 1000000000;
std::string_view defaultCostModel() { return costModels().front()->id(); }

} // namespace

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

namespace {

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

} // namespace

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

namespace {

/// `openLayout`: microbatches and recomputation stand with the layout.
Json trainingToJson(const Training &training, bool openLayout)
{
    Json json{{"global_batch", training.globalBatch}};
    if (training.microbatchCount && !openLayout)
        json["microbatch_count"] = *training.microbatchCount;
    if (training.microbatchSize && !openLayout)
        json["microbatch_size"] = *training.microbatchSize;
    json["seq_len"] = training.sequenceLength;
    json["precision"] = toString(training.precision);
    if (!openLayout)
        json["recompute"] = toString(training.recompute);
    json["lora"] = training.lora;
    json["accumulation_steps"] = training.accumulationSteps;
    if (training.tokenBudget)
        json["token_budget"] = plainNumber(*training.tokenBudget);
    return json;
}

} // namespace

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

void checkVersion(ObjectReader &reader)
{
    const auto *version = reader.require("fleetwright", "\u201cfleetwright: 1\u201d as the first line");
    if (version && !(version->is_number() && version->get<double>() == 1.0))
        reader.refuse(ErrorCode::UnsupportedValue, "fleetwright",
            "\u201cfleetwright\u201d must be 1, the version of the document format that this program reads.");
}

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
        {"fleetwright", "name", "workload", "fleet", "layout", "parallelism", "training", "assumptions", "constraints",
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
    const auto *training = reader.require("training", "it as an object with global_batch, seq_len and precision");
    if (training)
        document.training = reader.take(trainingFromJson(*training));
    if (const auto *layout = reader.find("layout")) {
        if (reader.has("parallelism"))
            reader.refuse(ErrorCode::UnsupportedValue, "layout",
                "State either \u201clayout\u201d, which leaves degrees open, or \u201cparallelism\u201d, which fixes "
                "all of them; single degrees can be fixed as layout: {best: {tp: 8}}.");
        document.bestLayout = reader.take(bestLayoutFromJson(*layout));
    } else if (!reader.has("parallelism") && training && training->is_object()
        && !training->contains("microbatch_count")) {
        document.bestLayout.emplace(); // nothing is stated, so nothing is fixed
    }
    if (document.bestLayout && training && training->is_object() && !reader.error()) {
        auto space = *document.bestLayout;
        fixStated(reader, *training, document.training, space);
        document = withBestLayout(std::move(document), std::move(space));
    }
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
        {"fleet", fleetToJson(document.fleet)}};
    if (document.bestLayout)
        json["layout"] = bestLayoutToJson(*document.bestLayout);
    else
        json["parallelism"] = parallelismToJson(document.parallelism);
    json["training"] = trainingToJson(document.training, document.bestLayout.has_value());
    if (!document.assumptions.edited.empty())
        json["assumptions"] = assumptionsToJson(document.assumptions);
    if (document.constraints != Constraints{})
        json["constraints"] = limitsToJson(document.constraints);
    json["cost_model"] = document.costModelId;
    return json;
}

std::string planToYaml(const PlanDocument &document) { return toYaml(planToJson(document)); }

Json errorToJson(const Error &error)
{
    return {{"code", toString(error.code)}, {"field", error.field}, {"message", error.message}};
}

} // namespace fleetwright::exchange
