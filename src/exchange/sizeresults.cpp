// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/sizeresults.h"

#include "exchange/csvtext.h"
#include "exchange/decisiondocuments.h"
#include "exchange/documentparts.h"
#include "exchange/howsurejson.h"
#include "solver/size/sizewords.h"
#include "units/format.h"

#include <cmath>

namespace fleetwright::exchange {

namespace {

constexpr double wattsInMegawatt = 1e6, kilogramsInTonne = 1e3, kilowattHoursInMegawattHour = 1e3;

/// A figure of a fleet with its unit; `drawn` ones have quantiles beside the likely value.
struct SizeColumn {
    const char *key;
    double size::FleetFigures::*member;
    double perUnit;
    bool drawn;
};
constexpr std::array<SizeColumn, 12> sizeColumns{
    {{"days", &size::FleetFigures::days, 1, true}, {"run_cost_usd", &size::FleetFigures::runCostUsd, 1, true},
        {"capital_usd", &size::FleetFigures::capitalUsd, 1, true},
        {"ownership_usd_per_year", &size::FleetFigures::yearlyUsd, 1, true},
        {"facility_mw", &size::FleetFigures::facilityWatts, wattsInMegawatt, false},
        {"carbon_t", &size::FleetFigures::carbonKg, kilogramsInTonne, false},
        {"energy_mwh", &size::FleetFigures::energyKwh, kilowattHoursInMegawattHour, false},
        {"electricity_usd", &size::FleetFigures::electricityUsd, 1, false},
        {"goodput", &size::FleetFigures::goodput, 1, false}, {"ready_days", &size::FleetFigures::readyDays, 1, false},
        {"usd_per_accelerator_hour", &size::FleetFigures::usdPerAcceleratorHour, 1, false},
        {"chance", &size::FleetFigures::deadlineChance, 1, false}}};

void putValue(Json &json, const char *key, double value)
{
    if (!std::isnan(value))
        json[key] = std::isinf(value) ? Json() : Json(value);
}

Json sizedLayoutToJson(const Layout &layout)
{
    return {{"tp", layout.tp}, {"cp", layout.cp}, {"pp", layout.pp}, {"ep", layout.ep}, {"dp", layout.dp},
        {"virtual_stages", layout.virtualStages}, {"microbatch_size", layout.microbatchSize},
        {"zero_stage", int(layout.zeroStage)}, {"recompute", toString(layout.recompute)},
        {"sequence_parallel", layout.sequenceParallel}};
}

std::string nameOfJob(const DecisionDocument &document, std::size_t job)
{
    if (job >= document.jobs.size())
        return {};
    const auto &stated = document.jobs[job];
    const auto *id = std::get_if<std::string>(&stated.workload);
    return !stated.name.empty() ? stated.name : id ? *id : std::get<CatalogRecord>(stated.workload).name;
}

Json sizedJobToJson(const DecisionDocument &document, const size::Answer &answer, std::size_t index)
{
    const auto &job = answer.jobs[index];
    Json json{{"name", nameOfJob(document, index)}, {"layout", sizedLayoutToJson(job.layout)},
        {"global_batch", job.globalBatch}};
    putValue(json, "step_time_s", job.stepSeconds);
    putValue(json, "best_step_time_s", job.bestStepSeconds);
    if (job.stepSecondsByRuns)
        putValue(json, "step_time_by_runs_s", *job.stepSecondsByRuns);
    putValue(json, "mfu", job.mfu);
    putValue(json, "memory_bytes", job.memoryBytes);
    putValue(json, "memory_fraction", job.memoryShare);
    putValue(json, "tokens", job.tokens);
    putValue(json, "days", job.days);
    return json;
}

/// Needed and allowed in the unit of the limit's key.
double inLimitUnit(size::SizeLimit limit, double value)
{
    return limit == size::SizeLimit::Power ? value / wattsInMegawatt
        : limit == size::SizeLimit::Carbon ? value / kilogramsInTonne
                                           : value;
}

std::string_view unitOfLimit(size::SizeLimit limit)
{
    switch (limit) {
    case size::SizeLimit::Layout: return "B";
    case size::SizeLimit::Deadline:
    case size::SizeLimit::Delivery: return "days";
    case size::SizeLimit::RunCost:
    case size::SizeLimit::Capital: return "USD";
    case size::SizeLimit::YearlyCost: return "USD/year";
    case size::SizeLimit::Power: return "MW";
    case size::SizeLimit::Carbon: return "t";
    case size::SizeLimit::Goodput:
    case size::SizeLimit::Mfu:
    case size::SizeLimit::Chance: break;
    }
    return "";
}

Json missToJson(const size::Miss &miss)
{
    Json json{{"limit", size::keyOf(miss.limit)}};
    putValue(json, "needed", inLimitUnit(miss.limit, miss.needed));
    putValue(json, "allowed", inLimitUnit(miss.limit, miss.allowed));
    if (const auto unit = unitOfLimit(miss.limit); !unit.empty())
        json["unit"] = unit;
    json["sentence"] = size::missInWords(miss);
    return json;
}

Json remedyToJson(const size::Remedy &remedy)
{
    Json json{{"limit", size::keyOf(remedy.limit)}};
    putValue(json, "needed", inLimitUnit(remedy.limit, remedy.needed));
    json["nodes"] = remedy.nodes;
    json["sentence"] = size::remedyInWords(remedy);
    return json;
}

Json sizedFleetToJson(const DecisionDocument &document, const size::Result &result, const size::Answer &answer)
{
    const auto &lot = result.lots[answer.lot];
    Json json{{"fleet", size::fleetInWords(result, answer)}};
    if (!lot.label.empty())
        json["label"] = lot.label;
    json["node"] = lot.nodeId;
    json["nodes"] = answer.nodes;
    json["accelerators"] = answer.accelerators;
    json["fabric"] = lot.fabric;
    if (lot.fleet.oversubscription)
        json["oversubscription"] = *lot.fleet.oversubscription;
    if (!lot.fleet.facility.empty())
        json["facility"] = lot.fleet.facility;
    if (!lot.fleet.grid.empty())
        json["grid"] = lot.fleet.grid;
    json["paying"] = toString(lot.paying);
    json["feasible"] = answer.isFeasible();
    if (answer.jobs.size() == 1)
        json["layout"] = sizedLayoutToJson(answer.jobs.front().layout);
    json["jobs"] = Json::array();
    for (std::size_t i = 0; i < answer.jobs.size(); ++i)
        json["jobs"].push_back(sizedJobToJson(document, answer, i));
    for (const auto &column : sizeColumns) {
        const double value = answer.figures.*column.member / column.perUnit;
        if (!column.drawn)
            putValue(json, column.key, value);
        else if (!std::isnan(value))
            putValue(json[column.key], "likely", value);
        if (answer.byFormula && column.drawn && !std::isnan(value))
            putValue(json[column.key], "by_formula", (*answer.byFormula).*column.member / column.perUnit);
    }
    json["misses"] = Json::array();
    for (const auto &miss : answer.misses)
        json["misses"].push_back(missToJson(miss));
    json["document"] = fleetToJson(size::fleetOf(result, answer));
    if (const auto second = size::secondFleetOf(result, answer))
        json["second_fleet"] = {{"jobs", answer.second->jobs}, {"accelerators", answer.second->accelerators},
            {"document", fleetToJson(*second)}};
    return json;
}

/// Quantiles of the drawn figures; the chance of the deadline, and what it breaks, as the draws have them.
void putRisk(
    Json &json, const DecisionDocument &document, const size::Answer &answer, const uncertainty::FleetRisk &risk)
{
    for (const auto &[figure, key] : {std::pair{uncertainty::RiskFigure::Days, "days"},
             {uncertainty::RiskFigure::RunCost, "run_cost_usd"}, {uncertainty::RiskFigure::Capital, "capital_usd"},
             {uncertainty::RiskFigure::OwnershipCost, "ownership_usd_per_year"}})
        if (const auto &spread = risk.spread(figure)) {
            putValue(json[key], "p10", spread->quantiles.p10);
            putValue(json[key], "p50", spread->quantiles.p50);
            putValue(json[key], "p90", spread->quantiles.p90);
        }
    const auto drawn = size::asDrawn(document, answer, &risk);
    putValue(json, "chance", drawn.figures.deadlineChance);
    json["feasible"] = drawn.isFeasible();
    json["misses"] = Json::array();
    for (const auto &miss : drawn.misses)
        json["misses"].push_back(missToJson(miss));
}

/// Nothing: the limit alone keeps out no better fleet.
Json letInToJson(const DecisionDocument &document, const size::Result &result, size::SizeLimit limit,
    const std::optional<size::LetIn> &fleet)
{
    if (!fleet)
        return {};
    Json json;
    putValue(json, "needed", inLimitUnit(limit, fleet->needed));
    json["fleet"] = sizedFleetToJson(document, result, fleet->answer);
    return json;
}

Json keptOutToJson(const DecisionDocument &document, const size::Result &result)
{
    Json list = Json::array();
    for (const auto &kept : result.keptOut) {
        Json json{{"limit", size::keyOf(kept.limit)}, {"allowed", inLimitUnit(kept.limit, kept.allowed)},
            {"nearest", letInToJson(document, result, kept.limit, kept.nearest)},
            {"best", letInToJson(document, result, kept.limit, kept.best)}};
        if (const auto unit = unitOfLimit(kept.limit); !unit.empty())
            json["unit"] = unit;
        list.push_back(std::move(json));
    }
    return list;
}

Json excludedToJson(const size::Result &result, const size::LotAnswer &lot)
{
    Json list = Json::array();
    for (const auto &miss : lot.answer.misses) {
        Json json{{"fleet", size::fleetInWords(result, lot.answer)}};
        json.update(missToJson(miss));
        const auto remedy = std::ranges::find(lot.remedies, miss.limit, &size::Remedy::limit);
        json["remedy"] = remedy == lot.remedies.end() ? Json() : remedyToJson(*remedy);
        list.push_back(std::move(json));
    }
    return list;
}

std::vector<const size::LotAnswer *> sizedRows(const size::Result &result, bool all)
{
    if (!all)
        return result.byNode();
    std::vector<const size::LotAnswer *> rows;
    for (const auto &lot : result.answers)
        rows.push_back(&lot);
    return rows;
}

} // namespace

Json sizeResultToJson(const DecisionDocument &document, const size::Result &result, const Catalog &catalog, bool all,
    const size::HowSure *sure)
{
    const auto fleetToJson = [&](const size::Answer &answer) { return sizedFleetToJson(document, result, answer); };
    const auto drawn = [&](const size::Answer &answer, std::optional<std::size_t> place) {
        auto json = fleetToJson(answer);
        if (const auto *risk = sure ? sure->of(place) : nullptr)
            putRisk(json, document, answer, *risk);
        return json;
    };
    Json json{{"decision", decisionToJson(document)}, {"input_hash", decisionInputHash(document, catalog)},
        {"cost_model", {{"id", result.costModelId}, {"version", result.costModelVersion}}},
        {"recommendation", size::recommendation(document, result, sure)},
        {"best", result.best() ? drawn(*result.best(), 0) : Json()},
        {"base_case", result.baseCase ? drawn(*result.baseCase, std::nullopt) : Json()}, {"by_node", Json::array()},
        {"front", Json::array()}, {"excluded", Json::array()}, {"kept_out", keptOutToJson(document, result)},
        {"refused", Json::array()},
        {"counts",
            {{"fleets", result.counts.fleets}, {"useless", result.counts.useless}, {"lots", result.counts.lots}}}};
    if (result.otherBatch)
        json["other_batch"] = result.otherBatch->best ? fleetToJson(*result.otherBatch->best) : Json();
    std::size_t place = 0;
    for (const auto *row : result.byNode())
        json["by_node"].push_back(drawn(row->answer, place++));
    for (const auto &answer : result.front)
        json["front"].push_back(fleetToJson(answer));
    for (const auto *row : sizedRows(result, all))
        for (auto &miss : excludedToJson(result, *row))
            json["excluded"].push_back(std::move(miss));
    for (const auto &refused : result.refused)
        json["refused"].push_back({{"candidate", refused.candidate}, {"error", errorToJson(refused.error)}});
    if (sure)
        json["how_sure"] = howSureToJson(*sure);
    if (result.byFormula)
        json["by_formula"] = {{"runs", result.byFormula->runs},
            {"best", result.byFormula->best ? fleetToJson(*result.byFormula->best) : Json()},
            {"sentence", size::measuredInWords(result)}};
    if (!all)
        return json;
    json["all"] = Json::array();
    for (const auto *row : sizedRows(result, all))
        json["all"].push_back(fleetToJson(row->answer));
    return json;
}

std::string sizeResultToCsv(const DecisionDocument &document, const size::Result &result, bool all)
{
    std::string text = "rank,fleet,label,node,nodes,accelerators,fabric,facility,grid,paying,feasible,layout";
    for (const auto &column : sizeColumns)
        text.append(",").append(column.key);
    text += ",misses,remedies\r\n";
    std::size_t rank = 0;
    for (const auto *row : sizedRows(result, all)) {
        const auto &answer = row->answer;
        const auto &lot = result.lots[answer.lot];
        text += std::to_string(++rank);
        for (const auto &cell : {size::fleetInWords(result, answer), lot.label, lot.nodeId,
                 std::to_string(answer.nodes), std::to_string(answer.accelerators), lot.fabric, lot.fleet.facility,
                 lot.fleet.grid, toString(lot.paying), std::string(answer.isFeasible() ? "true" : "false"),
                 size::layoutsInWords(document, answer)})
            text += ',' + csvTextCell(cell);
        for (const auto &column : sizeColumns) {
            const double value = answer.figures.*column.member / column.perUnit;
            text += ',' + (std::isfinite(value) ? units::exact(value) : std::string(std::isinf(value) ? "never" : ""));
        }
        text += ',' + csvTextCell(size::missesInWords(answer)) + ',' + csvTextCell(size::remediesInWords(*row))
            + "\r\n";
    }
    return text;
}

} // namespace fleetwright::exchange
