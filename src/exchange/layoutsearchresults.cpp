// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/layoutsearchresults.h"

#include "exchange/csvtext.h"
#include "exchange/documentparts.h"
#include "exchange/figurejson.h"
#include "exchange/layoutsearchdocuments.h"
#include "solver/models/searcher/searcher.h"
#include "solver/search/layoutsearchfigures.h"
#include "units/format.h"

#include <cmath>
#include <map>

namespace fleetwright::exchange {

namespace {

Json splitToJson(const Split &split, int caseIndex)
{
    return {
        {"case", caseIndex}, {"tp", split.tp}, {"cp", split.cp}, {"pp", split.pp}, {"ep", split.ep}, {"dp", split.dp}};
}

Json groupToJson(const layoutsearch::Group &group, const layoutsearch::Result &result)
{
    auto json = splitToJson(group.split, group.caseIndex);
    json["feasible"] = group.feasible;
    json["infeasible"] = group.infeasible;
    putFigure(json, "least_memory_bytes", group.leastMemoryBytes);
    if (group.best)
        json["best"] = layoutSearchRowToJson(*group.best, result.factsOf(*group.best));
    return json;
}

Json itemToJson(const ItemReference &reference, CatalogKind kind, const Catalog &catalog)
{
    const auto *id = std::get_if<std::string>(&reference);
    const auto *record = id ? catalog.find(kind, *id) : &std::get<CatalogRecord>(reference);
    Json json{{"id", id ? *id : record->id}};
    if (!record)
        return json;
    json["name"] = record->name;
    Json sources = Json::array();
    for (const auto &attribution : record->attributions) {
        Json source = Json::object();
        if (const auto *known = catalog.source(kind, attribution.sourceId)) {
            source["title"] = known->title;
            if (!known->url.empty())
                source["url"] = known->url;
        } else {
            source["title"] = attribution.sourceId;
        }
        source["confidence"] = toString(attribution.confidence);
        sources.push_back(std::move(source));
    }
    if (!sources.empty())
        json["sources"] = std::move(sources);
    if (!id)
        json["inline"] = true;
    return json;
}

/// The catalog items behind a case, and where their values come from.
Json itemsToJson(const PlanDocument &plan, const std::optional<CatalogRecord> &accelerator, const Catalog &catalog)
{
    Json items{{"workload", itemToJson(plan.workload, CatalogKind::Workload, catalog)},
        {"node", itemToJson(plan.fleet.node, CatalogKind::Node, catalog)}};
    const auto *id = std::get_if<std::string>(&plan.fleet.node);
    const auto *node = id ? catalog.find(CatalogKind::Node, *id) : &std::get<CatalogRecord>(plan.fleet.node);
    if (accelerator)
        items["accelerator"] = itemToJson(*accelerator, CatalogKind::Accelerator, catalog);
    else if (const auto name = node ? node->text("accelerator_id") : std::nullopt)
        items["accelerator"] = itemToJson(*name, CatalogKind::Accelerator, catalog);
    items["fabric"] = itemToJson(plan.fleet.fabric, CatalogKind::Fabric, catalog);
    if (!plan.fleet.facility.empty())
        items["facility"] = itemToJson(plan.fleet.facility, CatalogKind::Facility, catalog);
    if (!plan.fleet.grid.empty())
        items["grid"] = itemToJson(plan.fleet.grid, CatalogKind::Grid, catalog);
    return items;
}

Json caseToJson(
    std::size_t index, const LayoutSearchDocument &document, const layoutsearch::Result &result, const Catalog &catalog)
{
    const auto &facts = result.cases[index];
    Json json = Json::object();
    if (!facts.label.empty())
        json["label"] = facts.label;
    AppliedSettings applied{document.plan, std::nullopt};
    if (document.cases && index < document.cases->points.size()) {
        const auto &settings = document.cases->points[index].settings;
        json["set"] = Json::object();
        for (const auto &setting : settings)
            json["set"][setting.key] = valueToJson(setting.value);
        if (auto changed = applySettings(settings, document.plan, catalog))
            applied = std::move(*changed);
    }
    json["items"] = itemsToJson(applied.document, applied.accelerator, catalog);
    json["accelerators"] = facts.accelerators;
    json["global_batch"] = facts.globalBatch;
    if (facts.tokensPerStep > 0)
        json["tokens_per_step"] = facts.tokensPerStep;
    putFigure(json, "memory.capacity_bytes", facts.capacityBytes);
    putFigure(json, "memory.limit_bytes", facts.limitBytes);
    if (facts.dollarsPerSecond)
        json["cost_usd_per_s"] = *facts.dollarsPerSecond;
    if (facts.refused)
        json["error"] = errorToJson(*facts.refused);
    else
        json["counts"] = layoutSearchCountsToJson(result.counts[index]);
    return json;
}

std::string lineOf(const Json &json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// Adds `"key": [` and one element a line.
template <class List, class Writer>
void appendList(std::string &text, const char *key, const List &list, const Writer &writer)
{
    text += std::string(",\n\"") + key + "\": [";
    const char *separator = "\n";
    for (const auto &element : list) {
        text += separator + lineOf(writer(element));
        separator = ",\n";
    }
    text += list.empty() ? "]" : "\n]";
}

void appendMember(std::string &text, const char *key, const Json &value)
{
    text += text.size() > 1 ? ",\n" : "\n";
    text += std::string("\"") + key + "\": " + lineOf(value);
}

void appendSplit(std::string &line, const Split &split)
{
    for (const int ranks : {split.tp, split.cp, split.pp, split.ep, split.dp})
        line += ',' + std::to_string(ranks);
}

/// Settings and figures after the split; empty cells without a row.
void appendRow(std::string &line, const layoutsearch::Row *row, const layoutsearch::Result &result)
{
    if (!row) {
        line.append(5 + layoutsearch::rowFigures().size(), ',');
        return;
    }
    const auto &layout = row->layout;
    line += ',' + std::to_string(layout.virtualStages) + ',' + std::to_string(layout.microbatchSize) + ','
        + std::to_string(int(layout.zeroStage)) + ',' + std::string(toString(layout.recompute)) + ','
        + (layout.sequenceParallel ? "true" : "false");
    for (const auto &figure : layoutsearch::rowFigures()) {
        const double value = figure.value(*row, result.factsOf(*row));
        line += ',' + (std::isfinite(value) ? units::exact(value) : std::string());
    }
}

std::string rowTitles()
{
    std::string titles = ",tp,cp,pp,ep,dp,virtual_stages,microbatch_size,zero_stage,recompute,sequence_parallel";
    for (const auto &figure : layoutsearch::rowFigures())
        titles.append(",").append(figure.key);
    return titles;
}

} // namespace

Json layoutSearchRowToJson(const layoutsearch::Row &row, const layoutsearch::CaseFacts &facts)
{
    const auto &layout = row.layout;
    auto json = splitToJson(splitOf(layout), row.caseIndex);
    json["virtual_stages"] = layout.virtualStages;
    json["microbatch_size"] = layout.microbatchSize;
    json["zero_stage"] = int(layout.zeroStage);
    json["recompute"] = toString(layout.recompute);
    json["sequence_parallel"] = layout.sequenceParallel;
    for (const auto &figure : layoutsearch::rowFigures())
        putFigure(json, figure.key, figure.value(row, facts));
    return json;
}

Json layoutSearchCountsToJson(const layoutsearch::Counts &counts)
{
    Json json{{"candidates", counts.candidates()}, {"feasible", counts.feasible}, {"infeasible", counts.infeasible()},
        {"illegal", counts.illegal()}, {"excluded", Json::object()}};
    for (std::size_t i = 0; i < layoutsearch::exclusionCount; ++i)
        if (counts.excluded[i] > 0)
            json["excluded"][std::string(toString(static_cast<layoutsearch::Exclusion>(i)))] = counts.excluded[i];
    return json;
}

std::string layoutSearchAnswerToJson(const LayoutSearchDocument &document, const layoutsearch::Result &result,
    const Catalog &catalog, std::span<const std::string> recommendation, const Json *more)
{
    const auto rowToJson = [&](const layoutsearch::Row &row) {
        return layoutSearchRowToJson(row, result.factsOf(row));
    };
    Json cases = Json::array();
    for (std::size_t i = 0; i < result.cases.size(); ++i)
        cases.push_back(caseToJson(i, document, result, catalog));
    std::string text = "{";
    appendMember(text, "search", layoutSearchToJson(document));
    appendMember(text, "input_hash", layoutSearchInputHash(document, catalog));
    appendMember(text, "cost_model", {{"id", result.costModelId}, {"version", result.costModelVersion}});
    if (!recommendation.empty())
        appendMember(
            text, "recommendation", Json(std::vector<std::string>(recommendation.begin(), recommendation.end())));
    if (more)
        for (const auto &[key, value] : more->items())
            appendMember(text, key.c_str(), value);
    appendMember(text, "cases", cases);
    appendMember(text, "counts", layoutSearchCountsToJson(result.total()));
    appendMember(text, "best", result.best() ? rowToJson(*result.best()) : Json());
    appendMember(text, "recommended", result.recommended() ? rowToJson(*result.recommended()) : Json());
    appendList(text, "rows", result.rows, rowToJson);
    appendList(
        text, "groups", result.groups, [&](const layoutsearch::Group &group) { return groupToJson(group, result); });
    appendList(text, "front", result.front, rowToJson);
    return text + "\n}\n";
}

std::string layoutSearchRowsToCsv(const layoutsearch::Result &result)
{
    return layoutSearchRowsToCsv(result.rows, result);
}

std::string layoutSearchRowsToCsv(std::span<const layoutsearch::Row> rows, const layoutsearch::Result &result)
{
    std::string text = "rank,case" + rowTitles() + "\r\n";
    std::size_t rank = 0;
    for (const auto &row : rows) {
        text += std::to_string(++rank) + ',' + csvTextCell(result.factsOf(row).label);
        appendSplit(text, splitOf(row.layout));
        appendRow(text, &row, result);
        text += "\r\n";
    }
    return text;
}

std::string layoutSearchGroupsToCsv(const layoutsearch::Result &result)
{
    std::string text = "rank,case,feasible,infeasible,least_memory_bytes" + rowTitles() + "\r\n";
    std::size_t rank = 0;
    for (const auto &group : result.groups) {
        text += std::to_string(++rank) + ',' + csvTextCell(result.cases[std::size_t(group.caseIndex)].label) + ','
            + std::to_string(group.feasible) + ',' + std::to_string(group.infeasible) + ','
            + (std::isfinite(group.leastMemoryBytes) ? units::exact(group.leastMemoryBytes) : std::string());
        appendSplit(text, group.split);
        appendRow(text, group.best ? &*group.best : nullptr, result);
        text += "\r\n";
    }
    return text;
}

Expected<std::string> searchToSearcherFormat(const layoutsearch::Result &result, int caseIndex)
{
    if (result.objective == LayoutSearchObjective::MemoryHeadroom)
        return refuse(ErrorCode::UnsupportedValue, "objective",
            "The searcher's format lists the shortest step of each split; search for step_time, not for "
            "memory_headroom.");
    if (!result.traits.time)
        return refuse(ErrorCode::UnsupportedValue, "cost_model",
            "The searcher's format lists step times, which the cost model " + result.costModelId
                + " does not know; choose another cost model.");
    std::map<std::tuple<int, int, int>, double> shortest;
    for (const auto &group : result.groups) {
        if (!group.best || group.caseIndex != caseIndex)
            continue;
        const auto [place, added] = shortest.emplace(
            std::tuple(group.split.dp, group.split.tp, group.split.pp), group.best->stepSeconds);
        place->second = std::min(place->second, group.best->stepSeconds);
    }
    std::vector<searcher::Row> rows;
    for (const auto &[split, seconds] : shortest) {
        const auto [dp, tp, pp] = split;
        rows.push_back({.dp = dp, .tp = tp, .pp = pp, .total = Seconds::from_value(seconds)});
    }
    return searcher::searcherJson(rows);
}

} // namespace fleetwright::exchange
