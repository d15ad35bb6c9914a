// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/decisiondocuments.h"

#include "domain/calendarday.h"
#include "domain/rules.h"
#include "exchange/costdocuments.h"
#include "exchange/documentparts.h"
#include "exchange/documenttext.h"
#include "exchange/layoutsearchdocuments.h"
#include "exchange/objectreader.h"
#include "exchange/offerdocuments.h"
#include "exchange/planparts.h"
#include "exchange/yamlwriter.h"
#include "solver/models/costmodel.h"
#include "solver/uncertainty/sampling.h"

#include <charconv>
#include <cmath>

namespace fleetwright::exchange {

namespace {

constexpr int largestBatch = 1'000'000'000;
constexpr int largestCount = 1'000'000;
constexpr double kilogramsPerTonne = 1000;
constexpr std::string_view anyWord = "any";

/// The error of a part that was read as if it stood alone.
Error below(const std::string &path, Error error)
{
    error.field = joined(path, error.field);
    return error;
}

template <class T> Expected<T> below(const std::string &path, Expected<T> read)
{
    return read ? std::move(read) : std::unexpected(below(path, std::move(read.error())));
}

/// A list whose elements `read` takes, each with its path.
template <class Read> auto listFromJson(ObjectReader &reader, std::string_view key, std::string_view what, Read read)
{
    std::vector<typename decltype(read(std::declval<const Json &>(), std::string()))::value_type> list;
    const auto *json = reader.find(key);
    if (!json)
        return list;
    if (!json->is_array() || json->empty()) {
        reader.refuse(json->is_array() ? ErrorCode::MissingField : ErrorCode::UnsupportedValue, key,
            "\u201c" + reader.pathOf(key) + "\u201d must be a list of " + std::string(what)
                + "; leave the key out to restrict nothing.");
        return list;
    }
    for (std::size_t i = 0; i < json->size() && !reader.error(); ++i)
        list.push_back(reader.take(read((*json)[i], at(reader.pathOf(key), i))));
    return list;
}

Expected<std::string> wordFromJson(const Json &json, const std::string &field)
{
    if (!json.is_string() || json.get_ref<const std::string &>().empty())
        return refuse(ErrorCode::UnsupportedValue, field, "\u201c" + field + "\u201d must be a text.");
    return json.get<std::string>();
}

/// Words, or `any` for all of them.
std::vector<std::string> wordsFromJson(ObjectReader &reader, std::string_view key, std::string_view what)
{
    const auto *json = reader.find(key);
    if (json && json->is_string() && json->get_ref<const std::string &>() == anyWord)
        return {};
    return listFromJson(reader, key, what, wordFromJson);
}

/// "8..64", {from: 8, to: 64}, or one number.
std::pair<int, int> rangeFromJson(ObjectReader &reader, std::string_view key, int most)
{
    const auto refused = [&] {
        reader.refuse(ErrorCode::UnsupportedValue, key,
            "\u201c" + reader.pathOf(key) + "\u201d must be a range of whole numbers, such as 8..64 or {from: 8, to: "
                + "64}, from 1 to " + std::to_string(most) + ".");
        return std::pair(1, 1);
    };
    const auto &json = *reader.find(key);
    if (json.is_object()) {
        ObjectReader ends(json, reader.pathOf(key), "range", {"from", "to"});
        const std::pair range(ends.requiredCount("from", 1, most), ends.requiredCount("to", 1, most));
        if (ends.error())
            reader.refuse(*ends.error());
        return range;
    }
    if (json.is_number()) {
        const int only = reader.count(key, 1, most).value_or(1);
        return {only, only};
    }
    if (!json.is_string())
        return refused();
    constexpr std::string_view to = "..";
    const std::string_view text = json.get_ref<const std::string &>();
    std::pair<int, int> range;
    const auto number = [](std::string_view digits, int &value) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
    };
    const auto middle = text.find(to);
    if (middle == std::string_view::npos || !number(text.substr(0, middle), range.first)
        || !number(text.substr(middle + to.size()), range.second) || range.first < 1 || range.second > most)
        return refused();
    return range;
}

std::optional<std::chrono::sys_days> dayFrom(ObjectReader &reader, std::string_view key)
{
    const auto text = reader.text(key);
    if (!text)
        return std::nullopt;
    const auto day = dateFromText(*text);
    if (!day)
        reader.refuse(ErrorCode::UnsupportedValue, key,
            "\u201c" + reader.pathOf(key) + "\u201d must be a day, such as 2027-03-01.");
    return day;
}

/// What decides the layout is the solver's to choose, and tokens stand beside the training.
Expected<Training> jobTrainingFromJson(const Json &json)
{
    if (json.is_object())
        for (const std::string_view key : {"microbatch_count", "microbatch_size", "recompute", "token_budget"})
            if (json.contains(key))
                return refuse(ErrorCode::UnsupportedValue, "training." + std::string(key),
                    key == "token_budget" ? "The tokens of a job stand beside its training: write tokens there."
                                          : "Layouts are chosen by the program; leave this key out, or fix "
                                            "microbatch_size and recompute under the job\u2019s layout.");
    return trainingFromJson(json);
}

Expected<DecisionJob> jobFromJson(const Json &json, const std::string &path)
{
    ObjectReader reader(
        json, path, "job", {"name", "workload", "tokens", "share", "training", "batches", "assumptions", "layout"});
    DecisionJob job;
    job.name = reader.text("name").value_or("");
    if (job.name.size() > rules::longestTitle)
        reader.refuse(ErrorCode::OutOfRange, "name", "The job\u2019s name is longer than 300 characters; shorten it.");
    job.workload = itemFromJson(reader, "workload", CatalogKind::Workload);
    job.tokens = reader.number("tokens");
    job.share = reader.number("share");
    if (const auto *training = reader.require("training", "it as an object with global_batch, seq_len and precision"))
        job.training = reader.take(below(path, jobTrainingFromJson(*training)));
    if (reader.has("batches"))
        std::tie(job.leastBatch, job.mostBatch) = rangeFromJson(reader, "batches", largestBatch);
    if (const auto *assumptions = reader.find("assumptions"))
        job.assumptions = reader.take(below(path, assumptionsFromJson(*assumptions)));
    if (const auto *layout = reader.find("layout"))
        job.space = reader.take(spaceFromJson(*layout, reader.pathOf("layout")));
    if (reader.error())
        return std::unexpected(*reader.error());
    return job;
}

Expected<DecisionSite> siteFromJson(const Json &json, const std::string &path)
{
    ObjectReader reader(json, path, "site", {"facility", "grid"});
    DecisionSite site{reader.text("facility").value_or(""), reader.text("grid").value_or("")};
    if (!reader.error() && site == DecisionSite{})
        reader.refuse(
            ErrorCode::MissingField, "grid", "A site names a facility, a grid or both; leave out one without either.");
    if (reader.error())
        return std::unexpected(*reader.error());
    return site;
}

Expected<DecisionFleet> labelledFleetFromJson(const Json &json, const std::string &path)
{
    ObjectReader reader(json, path, "fleet", {"label", "fleet"});
    DecisionFleet fleet;
    fleet.label = reader.requiredText("label");
    if (const auto *stated = reader.require("fleet", "it as an object with node, nodes and fabric"))
        fleet.fleet = reader.take(fleetFromJson(*stated, reader.pathOf("fleet")));
    if (!reader.error() && (fleet.label.empty() || fleet.label.size() > rules::longestTitle))
        reader.refuse(
            ErrorCode::OutOfRange, "label", "The label has 1 to 300 characters; it names the fleet in the answer.");
    if (reader.error())
        return std::unexpected(*reader.error());
    return fleet;
}

Expected<std::map<std::string, CostEntry, std::less<>>> sharedCostsFromJson(const Json &json, const std::string &path)
{
    auto costs = costsFromJson(json, path);
    if (!costs)
        return std::unexpected(costs.error());
    for (const std::string_view term : {"paying", "rent_term", "rent_vendor"})
        if (json.contains(term))
            return refuse(ErrorCode::UnsupportedValue, joined(path, term),
                "Ways of paying are chosen from: list them under candidates.paying.");
    return std::move(costs->entries);
}

Expected<DecisionCandidates> candidatesFromJson(const Json &json)
{
    constexpr const char *path = "candidates";
    ObjectReader reader(json, path, "candidates",
        {"nodes", "counts", "fabrics", "oversubscriptions", "sites", "paying", "fleets", "offers", "owned", "vendors",
            "costs"});
    DecisionCandidates candidates;
    candidates.nodes = wordsFromJson(reader, "nodes", "ids of nodes");
    if (reader.has("counts"))
        std::tie(candidates.leastNodes, candidates.mostNodes) = rangeFromJson(reader, "counts", largestCount);
    candidates.fabrics = wordsFromJson(reader, "fabrics", "ids of fabrics");
    candidates.oversubscriptions = listFromJson(
        reader, "oversubscriptions", "ratios", [](const Json &ratio, const std::string &field) -> Expected<double> {
            if (!ratio.is_number())
                return refuse(ErrorCode::UnsupportedValue, field, "\u201c" + field + "\u201d must be a number.");
            return ratio.get<double>();
        });
    candidates.sites = listFromJson(reader, "sites", "sites, each with facility and grid", siteFromJson);
    candidates.paying = listFromJson(reader, "paying", "ways of paying, such as own and on_demand",
        [](const Json &word, const std::string &field) -> Expected<DecisionPaying> {
            const auto text = wordFromJson(word, field);
            return text ? parseDecisionPaying(*text, field) : std::unexpected(text.error());
        });
    candidates.fleets = listFromJson(reader, "fleets", "fleets, each with label and fleet", labelledFleetFromJson);
    candidates.offers = listFromJson(reader, "offers", "offers, or names of the project\u2019s",
        [](const Json &offer, const std::string &field) -> Expected<OfferReference> {
            if (offer.is_string())
                return OfferReference(offer.get<std::string>());
            auto whole = offer;
            if (whole.is_object() && !whole.contains("fleetwright"))
                whole["fleetwright"] = 1;
            auto read = offerFromJson(whole);
            if (!read)
                return refuse(read.error().code, joined(field, read.error().field), read.error().message);
            return OfferReference(std::move(*read));
        });
    candidates.owned = listFromJson(reader, "owned", "fleets, each with label and fleet", labelledFleetFromJson);
    candidates.vendors = wordsFromJson(reader, "vendors", "names of vendors");
    if (const auto *costs = reader.find("costs"))
        candidates.costs = reader.take(sharedCostsFromJson(*costs, reader.pathOf("costs")));
    if (reader.error())
        return std::unexpected(*reader.error());
    return candidates;
}

Expected<DecisionLimits> limitsFromJson(const Json &json)
{
    ObjectReader reader(json, "limits", "limits",
        {keyOf(Limit::MaxMemoryFraction), keyOf(Limit::DeadlineDays), keyOf(Limit::RunCostUsd),
            keyOf(Limit::CapitalUsd), keyOf(Limit::YearlyCostUsd), keyOf(Limit::MaxFacilityMw), keyOf(Limit::MinMfu),
            "budget_usd", "max_power_kw", "carbon_t", "min_goodput", "delivery_by", "deadline_chance"});
    DecisionLimits limits;
    readLimits(reader, limits.plan);
    if (const auto tonnes = reader.number("carbon_t"))
        limits.carbon = KilogramsCo2e::from_value(*tonnes * kilogramsPerTonne);
    limits.minGoodput = reader.number("min_goodput");
    limits.deliveryBy = dayFrom(reader, "delivery_by");
    limits.deadlineChance = reader.number("deadline_chance");
    if (reader.error())
        return std::unexpected(*reader.error());
    return limits;
}

/// A base case may leave its fabric to the program.
Expected<FleetDocument> baseCaseFromJson(const Json &json)
{
    const bool open = json.is_object() && !json.contains("fabric");
    auto stated = json;
    if (open)
        stated["fabric"] = anyWord;
    auto fleet = fleetFromJson(stated, "base_case");
    if (fleet && open)
        fleet->fabric = std::string();
    return fleet;
}

void readUncertainty(ObjectReader &reader, DecisionDocument &document)
{
    const auto *json = reader.find("uncertainty");
    if (!json)
        return;
    constexpr double exactIntegers = 9007199254740992.0;
    ObjectReader uncertainty(*json, "uncertainty", "uncertainty", {"draws", "seed"});
    if (const auto draws = uncertainty.count("draws", int(uncertainty::leastDraws), int(uncertainty::mostDraws)))
        document.draws = std::size_t(*draws);
    if (const auto seed = uncertainty.number("seed")) {
        if (!(*seed >= 0 && *seed <= exactIntegers && *seed == std::trunc(*seed)))
            uncertainty.refuse(ErrorCode::OutOfRange, "seed", "The seed is a whole number from 0 to 2^53.");
        else
            document.seed = std::uint64_t(*seed);
    }
    if (uncertainty.error())
        reader.refuse(*uncertainty.error());
}

void readFront(ObjectReader &reader, DecisionDocument &document)
{
    const auto *front = reader.find("front");
    if (!front)
        return;
    if (!front->is_array() || front->size() != document.front.size()) {
        reader.refuse(ErrorCode::UnsupportedValue, "front",
            "\u201cfront\u201d must be a list of two figures, such as [days, run_cost].");
        return;
    }
    for (std::size_t i = 0; i < document.front.size(); ++i) {
        const auto field = at("front", i);
        const auto word = wordFromJson((*front)[i], field);
        document.front[i] = reader.take(
            word ? parseDecisionObjective(*word, field) : Expected<DecisionObjective>(std::unexpected(word.error())));
    }
}

Json jobToJson(const DecisionJob &job)
{
    Json json = Json::object();
    if (!job.name.empty())
        json["name"] = job.name;
    json["workload"] = itemToJson(job.workload);
    if (job.tokens)
        json["tokens"] = plainNumber(*job.tokens);
    if (job.share)
        json["share"] = plainNumber(*job.share);
    auto &training = json["training"] = {{"global_batch", job.training.globalBatch},
        {"seq_len", job.training.sequenceLength}, {"precision", toString(job.training.precision)}};
    if (job.training.lora)
        training["lora"] = true;
    if (job.training.accumulationSteps != 1)
        training["accumulation_steps"] = job.training.accumulationSteps;
    if (job.leastBatch && job.mostBatch)
        json["batches"] = {{"from", *job.leastBatch}, {"to", *job.mostBatch}};
    if (!job.assumptions.edited.empty())
        json["assumptions"] = assumptionsToJson(job.assumptions);
    if (auto space = spaceToJson(job.space); !space.empty())
        json["layout"] = std::move(space);
    return json;
}

Json fleetsToJson(const std::vector<DecisionFleet> &fleets)
{
    Json list = Json::array();
    for (const auto &fleet : fleets)
        list.push_back({{"label", fleet.label}, {"fleet", fleetToJson(fleet.fleet)}});
    return list;
}

Json candidatesToJson(const DecisionCandidates &candidates)
{
    Json json = Json::object();
    if (!candidates.nodes.empty())
        json["nodes"] = candidates.nodes;
    if (const DecisionCandidates all; candidates.leastNodes != all.leastNodes || candidates.mostNodes != all.mostNodes)
        json["counts"] = std::to_string(candidates.leastNodes) + ".." + std::to_string(candidates.mostNodes);
    if (!candidates.fabrics.empty())
        json["fabrics"] = candidates.fabrics;
    for (const double ratio : candidates.oversubscriptions)
        json["oversubscriptions"].push_back(plainNumber(ratio));
    for (const auto &site : candidates.sites) {
        Json entry = Json::object();
        if (!site.facility.empty())
            entry["facility"] = site.facility;
        if (!site.grid.empty())
            entry["grid"] = site.grid;
        json["sites"].push_back(std::move(entry));
    }
    for (const auto &paying : candidates.paying)
        json["paying"].push_back(toString(paying));
    if (!candidates.fleets.empty())
        json["fleets"] = fleetsToJson(candidates.fleets);
    for (const auto &offer : candidates.offers)
        if (const auto *name = std::get_if<std::string>(&offer)) {
            json["offers"].push_back(*name);
        } else {
            auto whole = offerToJson(std::get<OfferDocument>(offer));
            whole.erase("fleetwright");
            json["offers"].push_back(std::move(whole));
        }
    if (!candidates.owned.empty())
        json["owned"] = fleetsToJson(candidates.owned);
    if (!candidates.vendors.empty())
        json["vendors"] = candidates.vendors;
    if (!candidates.costs.empty())
        json["costs"] = costsToJson({.entries = candidates.costs});
    return json;
}

Json decisionLimitsToJson(const DecisionLimits &limits)
{
    auto json = limitsToJson(limits.plan);
    if (limits.carbon)
        json["carbon_t"] = plainNumber(inUnit(limits.carbon->value(), kilogramsPerTonne));
    if (limits.minGoodput)
        json["min_goodput"] = plainNumber(*limits.minGoodput);
    if (limits.deliveryBy)
        json["delivery_by"] = dateText(*limits.deliveryBy);
    if (limits.deadlineChance)
        json["deadline_chance"] = plainNumber(*limits.deadlineChance);
    return json;
}

} // namespace

bool isDecision(const Json &json) { return json.is_object() && json.contains("decision"); }

Expected<DecisionDocument> decisionFromJson(const Json &json)
{
    ObjectReader reader(json, "", "decision",
        {"fleetwright", "decision", "jobs", "candidates", "limits", "objective", "front", "base_case", "order",
            "uncertainty", "cost_model"});
    DecisionDocument document;
    checkVersion(reader);
    document.name = reader.requiredText("decision");
    if (!reader.error() && (document.name.empty() || document.name.size() > rules::longestTitle))
        reader.refuse(ErrorCode::OutOfRange, "decision", "The decision has a name of 1 to 300 characters.");
    if (reader.require("jobs", "a list of what the fleet is to train"))
        document.jobs = listFromJson(reader, "jobs", "jobs, each with workload and training", jobFromJson);
    if (const auto *candidates = reader.find("candidates"))
        document.candidates = reader.take(candidatesFromJson(*candidates));
    if (const auto *limits = reader.find("limits"))
        document.limits = reader.take(limitsFromJson(*limits));
    if (const auto objective = reader.text("objective"))
        document.objective = reader.take(parseDecisionObjective(*objective));
    readFront(reader, document);
    if (const auto *base = reader.find("base_case"))
        document.baseCase = reader.take(baseCaseFromJson(*base));
    document.order = dayFrom(reader, "order");
    readUncertainty(reader, document);
    document.costModelId = reader.text("cost_model").value_or(std::string(costModels().front()->id()));
    if (const auto model = findCostModel(document.costModelId); !model)
        reader.refuse(model.error());
    if (reader.error())
        return std::unexpected(*reader.error());
    if (auto ok = check(document); !ok)
        return std::unexpected(ok.error());
    return document;
}

Expected<DecisionDocument> decisionFromText(std::string_view text) { return fromText(text, decisionFromJson); }

Json decisionToJson(const DecisionDocument &document)
{
    Json json{{"fleetwright", 1}, {"decision", document.name}, {"jobs", Json::array()}};
    for (const auto &job : document.jobs)
        json["jobs"].push_back(jobToJson(job));
    if (auto candidates = candidatesToJson(document.candidates); !candidates.empty())
        json["candidates"] = std::move(candidates);
    if (auto limits = decisionLimitsToJson(document.limits); !limits.empty())
        json["limits"] = std::move(limits);
    json["objective"] = toString(document.objective);
    json["front"] = {toString(document.front[0]), toString(document.front[1])};
    if (document.baseCase) {
        json["base_case"] = fleetToJson(*document.baseCase);
        if (document.baseCase->fabric == ItemReference())
            json["base_case"].erase("fabric");
    }
    if (document.order)
        json["order"] = dateText(*document.order);
    json["uncertainty"] = {{"draws", document.draws}, {"seed", document.seed}};
    json["cost_model"] = document.costModelId;
    return json;
}

std::string decisionToYaml(const DecisionDocument &document) { return toYaml(decisionToJson(document)); }

} // namespace fleetwright::exchange
