// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/sizeresults.h"

#include "domain/named.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace fleetwright::exchange {

namespace {

constexpr const char *neverWord = "never";

template <class T> using NumberMember = std::pair<const char *, double T::*>;

constexpr std::array<NumberMember<size::FleetFigures>, 12> figureMembers{
    {{"days", &size::FleetFigures::days}, {"run_cost_usd", &size::FleetFigures::runCostUsd},
        {"electricity_usd", &size::FleetFigures::electricityUsd}, {"capital_usd", &size::FleetFigures::capitalUsd},
        {"yearly_usd", &size::FleetFigures::yearlyUsd}, {"facility_w", &size::FleetFigures::facilityWatts},
        {"carbon_kg", &size::FleetFigures::carbonKg}, {"energy_kwh", &size::FleetFigures::energyKwh},
        {"goodput", &size::FleetFigures::goodput}, {"ready_days", &size::FleetFigures::readyDays},
        {"usd_per_accelerator_hour", &size::FleetFigures::usdPerAcceleratorHour},
        {"deadline_chance", &size::FleetFigures::deadlineChance}}};

constexpr std::array<NumberMember<size::JobAnswer>, 7> jobMembers{{{"step_s", &size::JobAnswer::stepSeconds},
    {"mfu", &size::JobAnswer::mfu}, {"memory_bytes", &size::JobAnswer::memoryBytes},
    {"memory_share", &size::JobAnswer::memoryShare}, {"tokens", &size::JobAnswer::tokens},
    {"days", &size::JobAnswer::days}, {"best_step_s", &size::JobAnswer::bestStepSeconds}}};

Json numberToJson(double value) { return std::isinf(value) ? Json(neverWord) : Json(value); }
double numberFromJson(const Json &json)
{
    return json.is_string() ? std::numeric_limits<double>::infinity() : json.get<double>();
}

/// Unknown ones are left out, since JSON knows no NaN.
template <class T, std::size_t N>
void putNumbers(Json &json, const T &value, const std::array<NumberMember<T>, N> &members)
{
    for (const auto &[key, member] : members)
        if (!std::isnan(value.*member))
            json[key] = numberToJson(value.*member);
}

template <class T, std::size_t N>
void takeNumbers(const Json &json, T &value, const std::array<NumberMember<T>, N> &members)
{
    for (const auto &[key, member] : members) {
        const auto found = json.find(key);
        value.*member = found == json.end() ? size::unknownFigure : numberFromJson(*found);
    }
}

/// What the readers of documents refuse ends the reading of the whole.
template <class T> T taken(Expected<T> read)
{
    if (!read)
        throw std::invalid_argument(read.error().message);
    return std::move(*read);
}

Json lotToJson(const size::Lot &lot)
{
    return {{"label", lot.label}, {"fleet", fleetToJson(lot.fleet)}, {"node", lot.node}, {"node_id", lot.nodeId},
        {"accelerator", lot.accelerator}, {"fabric", lot.fabric}, {"site", lot.site}, {"paying", toString(lot.paying)},
        {"accelerators_per_node", lot.acceleratorsPerNode}, {"fixed_count", lot.fixedCount},
        {"owned_nodes", lot.ownedNodes}};
}

size::Lot lotFromJson(const Json &json)
{
    return {.label = json.at("label"),
        .fleet = taken(fleetFromJson(json.at("fleet"))),
        .node = json.at("node"),
        .nodeId = json.at("node_id"),
        .accelerator = json.at("accelerator"),
        .fabric = json.at("fabric"),
        .site = json.at("site"),
        .paying = taken(parseDecisionPaying(json.at("paying").get<std::string>(), "paying")),
        .acceleratorsPerNode = json.at("accelerators_per_node"),
        .fixedCount = json.at("fixed_count"),
        .ownedNodes = json.at("owned_nodes")};
}

Json jobToStored(const size::JobAnswer &job)
{
    const auto &layout = job.layout;
    Json json{{"layout",
                  {layout.tp, layout.cp, layout.pp, layout.ep, layout.dp, layout.virtualStages, layout.microbatchSize,
                      int(layout.recompute), int(layout.zeroStage), int(layout.sequenceParallel)}},
        {"batch", job.globalBatch}};
    putNumbers(json, job, jobMembers);
    if (job.stepSecondsByRuns)
        json["step_by_runs_s"] = numberToJson(*job.stepSecondsByRuns);
    return json;
}

size::JobAnswer jobFromStored(const Json &json)
{
    const auto &values = json.at("layout");
    const auto value = [&](std::size_t i) { return values.at(i).get<int>(); };
    constexpr int fullRecompute = int(Recompute::Full);
    if (value(7) < 0 || value(7) > fullRecompute)
        throw std::invalid_argument("recompute");
    size::JobAnswer job{.layout = {.tp = value(0),
                            .cp = value(1),
                            .pp = value(2),
                            .ep = value(3),
                            .dp = value(4),
                            .virtualStages = value(5),
                            .microbatchSize = value(6),
                            .recompute = static_cast<Recompute>(value(7)),
                            .zeroStage = std::int8_t(value(8)),
                            .sequenceParallel = value(9) != 0},
        .globalBatch = json.at("batch")};
    takeNumbers(json, job, jobMembers);
    if (const auto byRuns = json.find("step_by_runs_s"); byRuns != json.end())
        job.stepSecondsByRuns = numberFromJson(*byRuns);
    return job;
}

/// Limits by their place in the enumeration's list of keys.
size::SizeLimit limitFromKey(const std::string &key)
{
    for (std::size_t i = 0; i < size::sizeLimitCount; ++i)
        if (size::keyOf(static_cast<size::SizeLimit>(i)) == key)
            return static_cast<size::SizeLimit>(i);
    throw std::invalid_argument(key);
}

Json answerToJson(const size::Answer &answer)
{
    Json json{{"lot", answer.lot}, {"nodes", answer.nodes}, {"accelerators", answer.accelerators},
        {"jobs", Json::array()}, {"figures", Json::object()}, {"misses", Json::array()}};
    for (const auto &job : answer.jobs)
        json["jobs"].push_back(jobToStored(job));
    putNumbers(json["figures"], answer.figures, figureMembers);
    if (answer.byFormula)
        putNumbers(json["by_formula"] = Json::object(), *answer.byFormula, figureMembers);
    if (answer.second)
        json["second"] = {{"lot", answer.second->lot}, {"nodes", answer.second->nodes},
            {"accelerators", answer.second->accelerators}, {"jobs", answer.second->jobs}};
    for (const auto &miss : answer.misses)
        json["misses"].push_back({size::keyOf(miss.limit), numberToJson(miss.needed), numberToJson(miss.allowed)});
    return json;
}

size::Answer answerFromJson(const Json &json, std::size_t lots)
{
    size::Answer answer{.lot = json.at("lot"), .nodes = json.at("nodes"), .accelerators = json.at("accelerators")};
    if (answer.lot >= lots)
        throw std::out_of_range("lot");
    for (const auto &job : json.at("jobs"))
        answer.jobs.push_back(jobFromStored(job));
    takeNumbers(json.at("figures"), answer.figures, figureMembers);
    if (const auto byFormula = json.find("by_formula"); byFormula != json.end())
        takeNumbers(*byFormula, answer.byFormula.emplace(), figureMembers);
    for (const auto &miss : json.at("misses"))
        answer.misses.push_back({limitFromKey(miss.at(0)), numberFromJson(miss.at(1)), numberFromJson(miss.at(2))});
    if (const auto second = json.find("second"); second != json.end()) {
        answer.second = size::SecondFleet{.lot = second->at("lot"),
            .nodes = second->at("nodes"),
            .accelerators = second->at("accelerators"),
            .jobs = second->at("jobs").get<std::vector<std::size_t>>()};
        if (answer.second->lot >= lots || !std::ranges::is_sorted(answer.second->jobs))
            throw std::out_of_range("second");
    }
    return answer;
}

Json remediesToJson(const std::vector<size::Remedy> &remedies)
{
    Json list = Json::array();
    for (const auto &remedy : remedies) {
        Json figures = Json::object();
        putNumbers(figures, remedy.figures, figureMembers);
        list.push_back({size::keyOf(remedy.limit), numberToJson(remedy.needed), remedy.lot, remedy.nodes,
            numberToJson(remedy.objective), std::move(figures)});
    }
    return list;
}

std::vector<size::Remedy> remediesFromJson(const Json &list, std::size_t lots)
{
    std::vector<size::Remedy> remedies;
    for (const auto &json : list) {
        remedies.push_back(
            {limitFromKey(json.at(0)), numberFromJson(json.at(1)), json.at(2), json.at(3), numberFromJson(json.at(4))});
        constexpr std::size_t figures = 5; // results of earlier versions end before them
        if (json.size() > figures)
            takeNumbers(json.at(figures), remedies.back().figures, figureMembers);
        if (remedies.back().lot >= lots)
            throw std::out_of_range("remedy");
    }
    return remedies;
}

Json letInToJson(const std::optional<size::LetIn> &fleet)
{
    return fleet ? Json{numberToJson(fleet->needed), answerToJson(fleet->answer)} : Json();
}

std::optional<size::LetIn> letInFromJson(const Json &json, std::size_t lots)
{
    return json.is_null() ? std::nullopt
                          : std::optional(size::LetIn{numberFromJson(json.at(0)), answerFromJson(json.at(1), lots)});
}

ErrorCode codeFromText(const std::string &text)
{
    constexpr std::array codes{ErrorCode::OutOfRange, ErrorCode::MissingField, ErrorCode::UnsupportedValue,
        ErrorCode::UnknownReference, ErrorCode::InfeasibleParallelism, ErrorCode::OutOfMemory,
        ErrorCode::ConstraintViolated, ErrorCode::ParseError};
    return taken(parseNamed(text, "code", "error code", codes));
}

size::Result resultFromJson(const Json &json)
{
    size::Result result{.costModelId = json.at("cost_model").at("id"),
        .costModelVersion = json.at("cost_model").at("version"),
        .objective = taken(parseDecisionObjective(json.at("objective").get<std::string>()))};
    for (std::size_t i = 0; i < result.frontAxes.size(); ++i)
        result.frontAxes[i] = taken(parseDecisionObjective(json.at("front_axes").at(i).get<std::string>()));
    for (const auto &lot : json.at("lots"))
        result.lots.push_back(lotFromJson(lot));
    const auto lots = result.lots.size();
    for (const auto &answer : json.at("answers"))
        result.answers.push_back(
            {answerFromJson(answer.at("answer"), lots), remediesFromJson(answer.at("remedies"), lots)});
    for (const auto &answer : json.at("front"))
        result.front.push_back(answerFromJson(answer, lots));
    result.baseLot = json.at("base_lot");
    if (!json.at("base_case").is_null()) {
        result.baseCase = answerFromJson(json.at("base_case"), lots);
        if (result.baseLot >= lots)
            throw std::out_of_range("base_lot");
    }
    result.remedies = remediesFromJson(json.at("remedies"), lots);
    if (const auto kept = json.find("kept_out"); kept != json.end()) // answers of earlier versions have none
        for (const auto &one : *kept)
            result.keptOut.push_back({limitFromKey(one.at(0)), numberFromJson(one.at(1)),
                letInFromJson(one.at(2), lots), letInFromJson(one.at(3), lots)});
    if (const auto other = json.find("other_batch"); other != json.end())
        result.otherBatch = size::OtherBatch{
            other->is_null() ? std::nullopt : std::optional(answerFromJson(*other, lots))};
    if (const auto byFormula = json.find("by_formula"); byFormula != json.end())
        result.byFormula = size::FormulaChoice{
            byFormula->at("best").is_null() ? std::nullopt : std::optional(answerFromJson(byFormula->at("best"), lots)),
            byFormula->at("runs")};
    for (const auto &refused : json.at("refused"))
        result.refused.push_back({refused.at(0), {codeFromText(refused.at(1)), refused.at(2), refused.at(3)}});
    const auto &counts = json.at("counts");
    result.counts = {counts.at(0), counts.at(1), counts.at(2)};
    return result;
}

} // namespace

std::string storedSizeResult(const size::Result &result)
{
    Json json{{"cost_model", {{"id", result.costModelId}, {"version", result.costModelVersion}}},
        {"objective", toString(result.objective)},
        {"front_axes", {toString(result.frontAxes[0]), toString(result.frontAxes[1])}}, {"lots", Json::array()},
        {"answers", Json::array()}, {"front", Json::array()},
        {"base_case", result.baseCase ? answerToJson(*result.baseCase) : Json()}, {"base_lot", result.baseLot},
        {"remedies", remediesToJson(result.remedies)}, {"refused", Json::array()},
        {"counts", {result.counts.fleets, result.counts.useless, result.counts.lots}}};
    for (const auto &lot : result.lots)
        json["lots"].push_back(lotToJson(lot));
    for (const auto &lot : result.answers)
        json["answers"].push_back({{"answer", answerToJson(lot.answer)}, {"remedies", remediesToJson(lot.remedies)}});
    for (const auto &answer : result.front)
        json["front"].push_back(answerToJson(answer));
    json["kept_out"] = Json::array();
    for (const auto &kept : result.keptOut)
        json["kept_out"].push_back(
            {size::keyOf(kept.limit), numberToJson(kept.allowed), letInToJson(kept.nearest), letInToJson(kept.best)});
    if (result.otherBatch)
        json["other_batch"] = result.otherBatch->best ? answerToJson(*result.otherBatch->best) : Json();
    if (result.byFormula)
        json["by_formula"] = {{"runs", result.byFormula->runs},
            {"best", result.byFormula->best ? answerToJson(*result.byFormula->best) : Json()}};
    for (const auto &refused : result.refused)
        json["refused"].push_back(
            {refused.candidate, toString(refused.error.code), refused.error.field, refused.error.message});
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Expected<size::Result> sizeResultFromStored(std::string_view text)
{
    const auto json = Json::parse(text, nullptr, false);
    try {
        if (!json.is_discarded())
            return resultFromJson(json);
    } catch (const std::exception &) { // of the JSON library, and of what was read
    }
    return refuse(ErrorCode::ParseError, "answer", "The answer that was kept with this decision cannot be read.");
}

} // namespace fleetwright::exchange
