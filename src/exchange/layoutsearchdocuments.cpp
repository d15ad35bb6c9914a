// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/layoutsearchdocuments.h"
#include "exchange/documenttext.h"

#include "domain/training.h"
#include "exchange/documentparts.h"
#include "exchange/objectreader.h"
#include "solver/models/costmodel.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::exchange {

namespace {

/// Ten options with as many values as an option may have.
constexpr TextLimits searchLimits{.values = 200'000};

constexpr std::array<Recompute, 3> recomputes{Recompute::None, Recompute::Selective, Recompute::Full};

Error moved(Error error, const std::string &path)
{
    constexpr std::string_view from = "space";
    if (error.field.starts_with(from))
        error.field = path + error.field.substr(from.size());
    return error;
}

/// One value of an option as documents hold it.
Json optionToJson(LayoutSearchOption option, int value)
{
    if (option == LayoutSearchOption::Recompute)
        return toString(recomputes[std::size_t(value)]);
    if (option == LayoutSearchOption::SequenceParallel)
        return value != 0;
    return value;
}

Expected<int> valueFromJson(LayoutSearchOption option, const Json &json, const std::string &field)
{
    const auto expected = [&](std::string_view what) {
        return refuse(
            ErrorCode::UnsupportedValue, field, "\u201c" + field + "\u201d must be " + std::string(what) + ".");
    };
    if (option == LayoutSearchOption::Recompute) {
        if (!json.is_string())
            return expected("none, selective or full");
        const auto recompute = parseRecompute(json.get<std::string>(), field);
        if (!recompute)
            return std::unexpected(recompute.error());
        return int(std::ranges::find(recomputes, *recompute) - recomputes.begin());
    }
    if (option == LayoutSearchOption::SequenceParallel)
        return json.is_boolean() ? Expected<int>(json.get<bool>() ? 1 : 0) : expected("true or false");
    constexpr double most = 1e9; // check() knows the option's own limits
    const double number = json.is_number() ? json.get<double>() : std::nan("");
    if (!(std::abs(number) <= most) || number != std::trunc(number))
        return expected("a whole number");
    return int(number);
}

Expected<std::vector<int>> valuesFromJson(LayoutSearchOption option, const Json &json, const std::string &path)
{
    const auto field = path + "." + std::string(toString(option));
    const bool word = option == LayoutSearchOption::Recompute && json.is_string();
    if (json.is_string() && !word) {
        auto values = parseLayoutSearchValues(option, json.get<std::string>());
        return values ? values : std::unexpected(moved(values.error(), path));
    }
    if (!json.is_array()) {
        const auto value = valueFromJson(option, json, field);
        if (!value)
            return std::unexpected(value.error());
        return std::vector{*value};
    }
    if (json.empty())
        return refuse(ErrorCode::MissingField, field,
            "\u201c" + field + "\u201d is empty; list at least one value, or leave the key out for every value.");
    std::vector<int> values;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const auto value = valueFromJson(option, json[i], at(field, i));
        if (!value)
            return std::unexpected(value.error());
        values.push_back(*value);
    }
    std::ranges::sort(values); // their order says nothing; check() refuses a value that stands twice
    return values;
}

void readPareto(ObjectReader &reader, LayoutSearchDocument &document)
{
    const auto *pareto = reader.find("pareto");
    if (!pareto)
        return;
    if (!pareto->is_array() || pareto->size() != 2) {
        reader.refuse(ErrorCode::UnsupportedValue, "pareto",
            "\u201cpareto\u201d must be a list of two figures, such as [step_time, memory].");
        return;
    }
    for (std::size_t i = 0; i < 2; ++i) {
        const auto field = at("pareto", i);
        if ((*pareto)[i].is_string())
            document.pareto[i] = reader.take(
                parseParetoAxis((*pareto)[i].get<std::string>(), field), document.pareto[i]);
        else
            reader.refuse(Error{ErrorCode::UnsupportedValue, field,
                "\u201c" + field + "\u201d must be the name of a figure, such as step_time."});
    }
}

} // namespace

Expected<LayoutSearchSpace> spaceFromJson(const Json &json, const std::string &path)
{
    ObjectReader reader(json, path, "space",
        {"tp", "cp", "pp", "ep", "dp", "virtual_stages", "microbatch_size", "zero_stage", "recompute",
            "sequence_parallel", "tp_across_domains", "uneven_chunks"});
    LayoutSearchSpace space;
    for (const auto option : allLayoutSearchOptions)
        if (const auto *values = reader.find(toString(option)))
            space[option] = reader.take(valuesFromJson(option, *values, path));
    space.tpAcrossDomains = reader.flag("tp_across_domains").value_or(false);
    space.unevenChunks = reader.flag("uneven_chunks").value_or(false);
    if (reader.error())
        return std::unexpected(*reader.error());
    if (auto ok = check(space); !ok)
        return std::unexpected(moved(ok.error(), path));
    return space;
}

Json spaceToJson(const LayoutSearchSpace &space)
{
    Json json = Json::object();
    for (const auto option : allLayoutSearchOptions)
        for (const int value : space[option])
            json[std::string(toString(option))].push_back(optionToJson(option, value));
    if (space.tpAcrossDomains)
        json["tp_across_domains"] = true;
    if (space.unevenChunks)
        json["uneven_chunks"] = true;
    return json;
}

bool isSearch(const Json &json)
{
    return json.is_object() && !json.contains("sweep") && (json.contains("plan") || json.contains("space"));
}

Expected<LayoutSearchDocument> layoutSearchFromJson(const Json &json)
{
    ObjectReader reader(
        json, "", "search", {"fleetwright", "plan", "space", "cases", "cost_model", "objective", "pareto", "rows"});
    LayoutSearchDocument document;
    const auto *version = reader.require("fleetwright", "\u201cfleetwright: 1\u201d as the first line");
    if (version && !(version->is_number() && version->get<double>() == 1.0))
        reader.refuse(ErrorCode::UnsupportedValue, "fleetwright",
            "\u201cfleetwright\u201d must be 1, the version of the document format that this program reads.");
    if (const auto *plan = reader.require("plan", "the plan as an object, as in a plan document"))
        document.plan = reader.take(inlinePlan(*plan));
    if (const auto *space = reader.find("space"))
        document.space = reader.take(spaceFromJson(*space));
    if (const auto *cases = reader.find("cases"))
        document.cases = reader.take(axisFromJson(*cases, "cases"));
    if (const auto id = reader.text("cost_model")) {
        document.costModelId = *id;
        if (const auto model = findCostModel(*id); !model)
            reader.refuse(model.error());
    }
    if (const auto objective = reader.text("objective"))
        document.objective = reader.take(parseLayoutSearchObjective(*objective));
    readPareto(reader, document);
    document.rows = reader.count("rows", 1, mostLayoutSearchRows).value_or(document.rows);
    if (reader.error())
        return std::unexpected(*reader.error());
    if (auto ok = check(document); !ok)
        return std::unexpected(ok.error());
    return document;
}

Expected<LayoutSearchDocument> layoutSearchFromText(std::string_view text)
{
    return fromText(text, layoutSearchFromJson, searchLimits);
}

Json layoutSearchToJson(const LayoutSearchDocument &document)
{
    Json json{{"fleetwright", 1}, {"plan", inlinePlanToJson(document.plan)}};
    if (auto space = spaceToJson(document.space); !space.empty())
        json["space"] = std::move(space);
    if (document.cases)
        json["cases"] = axisToJson(*document.cases);
    if (!document.costModelId.empty())
        json["cost_model"] = document.costModelId;
    json["objective"] = toString(document.objective);
    json["pareto"] = {toString(document.pareto[0]), toString(document.pareto[1])};
    json["rows"] = document.rows;
    return json;
}

std::string layoutSearchInputHash(const LayoutSearchDocument &document, const Catalog &catalog)
{
    const std::vector id{document.costModelId.empty() ? document.plan.costModelId : document.costModelId};
    const auto axes = document.cases ? std::vector{*document.cases} : std::vector<SweepAxis>();
    auto inputs = hashInputs(document.plan, axes, id, catalog);
    inputs["search"] = {{"space", canonical(spaceToJson(document.space))}, {"objective", toString(document.objective)},
        {"pareto", {toString(document.pareto[0]), toString(document.pareto[1])}}, {"rows", document.rows}};
    return hashOf(inputs);
}

} // namespace fleetwright::exchange
