// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/sweepdocuments.h"
#include "exchange/documenttext.h"

#include "exchange/documentparts.h"
#include "exchange/layoutsearchdocuments.h"
#include "exchange/objectreader.h"
#include "exchange/yamlwriter.h"
#include "solver/answer/figures.h"
#include "solver/models/costmodel.h"

namespace fleetwright::exchange {

namespace {

/// A sweep may hold more values than a plan: ten thousand points with a few settings each.
constexpr TextLimits sweepLimits{.values = 400'000};

void readCostModels(ObjectReader &reader, SweepDocument &document)
{
    const auto *models = reader.find("cost_models");
    if (!models)
        return;
    if (!models->is_array()) {
        reader.refuse(ErrorCode::UnsupportedValue, "cost_models",
            "\u201ccost_models\u201d must be a list of ids, such as [first-order].");
        return;
    }
    for (std::size_t i = 0; i < models->size(); ++i) {
        const auto &entry = (*models)[i];
        const auto field = at("cost_models", i);
        if (!entry.is_string()) {
            reader.refuse(
                Error{ErrorCode::UnsupportedValue, field, "\u201c" + field + "\u201d must be the id of a cost model."});
            return;
        }
        if (const auto model = findCostModel(entry.get<std::string>()); !model) {
            reader.refuse(Error{model.error().code, field, model.error().message});
            return;
        }
        document.costModels.push_back(entry.get<std::string>());
    }
}

Expected<CellSearch> cellSearchFromJson(const Json &json)
{
    ObjectReader reader(json, "search", "search", {"space", "objective"});
    CellSearch search;
    if (const auto *space = reader.find("space"))
        search.space = reader.take(spaceFromJson(*space, "search.space"));
    if (const auto objective = reader.text("objective"))
        search.objective = reader.take(parseLayoutSearchObjective(*objective, "search.objective"));
    if (reader.error())
        return std::unexpected(*reader.error());
    return search;
}

} // namespace

Expected<SweepDocument> sweepFromJson(const Json &json)
{
    ObjectReader reader(json, "", "sweep",
        {"fleetwright", "sweep", "question", "plan", "axes", "cost_models", "figure", "view", "mark", "search"});
    SweepDocument document;
    const auto *version = reader.require("fleetwright", "\u201cfleetwright: 1\u201d as the first line");
    if (version && !(version->is_number() && version->get<double>() == 1.0))
        reader.refuse(ErrorCode::UnsupportedValue, "fleetwright",
            "\u201cfleetwright\u201d must be 1, the version of the document format that this program reads.");
    document.name = reader.requiredText("sweep");
    if (!reader.error() && (document.name.empty() || document.name.size() > 300))
        reader.refuse(ErrorCode::MissingField, "sweep", "Give the sweep a name of at most 300 characters.");
    document.question = reader.text("question").value_or("");
    if (const auto *plan = reader.require("plan", "the base plan as an object, as in a plan document"))
        document.plan = reader.take(inlinePlan(*plan));
    const auto *axes = reader.require("axes", "a list of one or two axes");
    if (axes && (!axes->is_array() || axes->empty() || axes->size() > 2))
        reader.refuse(ErrorCode::UnsupportedValue, "axes", "\u201caxes\u201d must be a list of one or two axes.");
    if (reader.error())
        return std::unexpected(*reader.error());
    for (std::size_t i = 0; i < axes->size(); ++i)
        document.axes.push_back(reader.take(axisFromJson((*axes)[i], at("axes", i))));
    readCostModels(reader, document);
    if (const auto figure = reader.text("figure"))
        document.figure = reader.take(chooseFigure(*figure)).key;
    if (const auto view = reader.text("view"))
        document.view = reader.take(parseSweepView(*view));
    document.mark = reader.number("mark");
    if (const auto *search = reader.find("search"))
        document.search = reader.take(cellSearchFromJson(*search));
    if (reader.error())
        return std::unexpected(*reader.error());
    if (auto ok = check(document); !ok)
        return std::unexpected(ok.error());
    return document;
}

Expected<SweepDocument> sweepFromText(std::string_view text) { return fromText(text, sweepFromJson, sweepLimits); }

Json sweepToJson(const SweepDocument &document)
{
    Json json{{"fleetwright", 1}, {"sweep", document.name}};
    if (!document.question.empty())
        json["question"] = document.question;
    json["plan"] = inlinePlanToJson(document.plan);
    json["axes"] = Json::array();
    for (const auto &axis : document.axes)
        json["axes"].push_back(axisToJson(axis));
    if (!document.costModels.empty())
        json["cost_models"] = document.costModels;
    json["figure"] = document.figure;
    json["view"] = toString(document.view);
    if (document.mark)
        json["mark"] = plainNumber(*document.mark);
    if (document.search)
        json["search"] = {
            {"space", spaceToJson(document.search->space)}, {"objective", toString(document.search->objective)}};
    return json;
}

std::string sweepToYaml(const SweepDocument &document) { return toYaml(sweepToJson(document)); }

std::string sweepInputHash(const SweepDocument &document, const Catalog &catalog)
{
    const auto ids = document.costModels.empty() ? std::vector{document.plan.costModelId} : document.costModels;
    auto inputs = hashInputs(document.plan, document.axes, ids, catalog);
    if (document.search) // results of sweeps without it keep their hash
        inputs["search"] = {{"space", canonical(spaceToJson(document.search->space))},
            {"objective", toString(document.search->objective)}};
    return hashOf(inputs);
}

} // namespace fleetwright::exchange
