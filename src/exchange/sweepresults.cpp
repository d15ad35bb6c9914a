// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/sweepresults.h"

#include "exchange/figurejson.h"
#include "exchange/objectreader.h"
#include "exchange/sweepdocuments.h"
#include "exchange/textreader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace fleetwright::exchange {

namespace {

constexpr TextLimits resultLimits{.bytes = 64UZ * 1024 * 1024, .values = 4'000'000};

constexpr std::array allCodes{ErrorCode::OutOfRange, ErrorCode::MissingField, ErrorCode::UnsupportedValue,
    ErrorCode::UnknownReference, ErrorCode::InfeasibleParallelism, ErrorCode::OutOfMemory,
    ErrorCode::ConstraintViolated, ErrorCode::ParseError, ErrorCode::IoError};

Json modelsToJson(const SweepResult &result)
{
    Json models = Json::array();
    for (const auto &model : result.models)
        models.push_back({{"id", model.id}, {"version", model.version}});
    return models;
}

std::unexpected<Error> unreadable(std::string_view what)
{
    return refuse(ErrorCode::ParseError, "result",
        "The saved result of this sweep cannot be read (" + std::string(what) + "); run the sweep again.");
}

std::vector<std::string> texts(const Json &list)
{
    std::vector<std::string> all;
    for (const auto &entry : list)
        all.push_back(entry.get<std::string>());
    return all;
}

Json layoutToJson(const Layout &layout)
{
    return {{"tp", layout.tp}, {"cp", layout.cp}, {"pp", layout.pp}, {"ep", layout.ep}, {"dp", layout.dp},
        {"virtual_stages", layout.virtualStages}, {"microbatch_size", layout.microbatchSize},
        {"zero_stage", int(layout.zeroStage)}, {"recompute", toString(layout.recompute)},
        {"sequence_parallel", layout.sequenceParallel}};
}

Layout layoutFrom(const Json &json)
{
    const auto recompute = parseRecompute(json.at("recompute").get<std::string>());
    if (!recompute)
        throw std::invalid_argument(recompute.error().message);
    return {.tp = json.at("tp").get<int>(),
        .cp = json.at("cp").get<int>(),
        .pp = json.at("pp").get<int>(),
        .ep = json.at("ep").get<int>(),
        .dp = json.at("dp").get<int>(),
        .virtualStages = json.at("virtual_stages").get<int>(),
        .microbatchSize = json.at("microbatch_size").get<int>(),
        .recompute = *recompute,
        .zeroStage = std::int8_t(json.at("zero_stage").get<int>()),
        .sequenceParallel = json.at("sequence_parallel").get<bool>()};
}

SweepCell cellFrom(const Json &json, const SweepCell &place, std::size_t figures)
{
    SweepCell cell = place;
    if (!json.at("ok").get<bool>()) {
        const auto &error = json.at("error");
        const auto name = error.at("code").get<std::string>();
        const auto code = std::ranges::find(allCodes, name, [](ErrorCode c) { return toString(c); });
        cell.refused = Error{code == allCodes.end() ? ErrorCode::UnsupportedValue : *code,
            error.at("field").get<std::string>(), error.at("message").get<std::string>()};
        return cell;
    }
    cell.decided = !json.at("feasible").is_null();
    cell.feasible = !cell.decided || json.at("feasible").get<bool>();
    cell.onlyLikely = cell.feasibility() == true && json.value("only_likely", false);
    const auto &values = json.at("values");
    if (!values.is_array() || values.size() != figures)
        throw std::length_error("a cell has another number of values than there are figures");
    for (const auto &value : values)
        cell.figures.push_back(value.is_null() ? std::nullopt : std::optional(value.get<double>()));
    cell.problems = texts(json.at("problems"));
    if (json.contains("missed")) // results of earlier versions have none
        cell.missed = texts(json.at("missed"));
    cell.notices = texts(json.at("notices"));
    if (json.contains("layout"))
        cell.layout = layoutFrom(json.at("layout"));
    return cell;
}

/// Results of earlier versions, known by a key that is no longer one, call the share of the step that `detailed` gives
/// a fraction of the pipelined interval.
void renameSharesOfStep(SweepResult &result, const std::vector<std::string> &writtenKeys)
{
    const auto published = std::ranges::find(result.figures, "bubble_fraction");
    if (published == result.figures.end()
        || std::ranges::all_of(writtenKeys, [](const std::string &key) { return currentKey(key) == key; }))
        return;
    const auto from = std::size_t(published - result.figures.begin());
    result.figures.emplace_back("bubble_share_of_step");
    for (auto &cell : result.cells) {
        if (cell.refused)
            continue;
        cell.figures.emplace_back();
        if (result.models[cell.model].id == "detailed")
            std::swap(cell.figures[from], cell.figures.back());
    }
}

SweepResult resultFrom(const Json &json, const SweepDocument &document)
{
    SweepResult result;
    for (const auto &model : json.at("cost_models"))
        result.models.push_back({model.at("id").get<std::string>(), model.at("version").get<std::string>()});
    for (const auto &key : texts(json.at("figures")))
        result.figures.emplace_back(currentKey(key));
    result.rows = json.at("points").at(0).get<std::size_t>();
    result.columns = json.at("points").at(1).get<std::size_t>();
    const auto columns = document.axes.size() > 1 ? document.axes[1].points.size() : 1;
    if (document.axes.empty() || result.rows != document.axes[0].points.size() || result.columns != columns)
        throw std::length_error("it has other points than the sweep");
    const auto &cells = json.at("cells");
    if (result.models.empty() || cells.size() != result.rows * result.columns * result.models.size())
        throw std::length_error("cells are missing");
    result.cells.reserve(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto models = result.models.size();
        const SweepCell place{
            .row = i / models / result.columns, .column = i / models % result.columns, .model = i % models};
        result.cells.push_back(cellFrom(cells[i], place, result.figures.size()));
    }
    renameSharesOfStep(result, texts(json.at("figures")));
    return result;
}

Json sweepResultToJson(const SweepResult &result)
{
    std::vector<std::size_t> kept;
    Json figures = Json::array();
    for (std::size_t i = 0; i < result.figures.size(); ++i)
        if (std::ranges::any_of(
                result.cells, [i](const SweepCell &cell) { return i < cell.figures.size() && cell.figures[i]; })) {
            kept.push_back(i);
            figures.push_back(result.figures[i]);
        }
    Json cells = Json::array();
    for (const auto &cell : result.cells) {
        Json entry{{"point", {cell.row, cell.column}}, {"cost_model", cell.model}, {"ok", !cell.refused}};
        if (cell.refused) {
            entry["error"] = errorToJson(*cell.refused);
        } else {
            entry["feasible"] = cell.decided ? Json(cell.feasible) : Json(nullptr);
            if (cell.onlyLikely)
                entry["only_likely"] = true;
            entry["values"] = Json::array();
            for (const auto index : kept)
                entry["values"].push_back(cell.figures[index] ? Json(*cell.figures[index]) : Json(nullptr));
            entry["problems"] = cell.problems;
            if (!cell.missed.empty())
                entry["missed"] = cell.missed;
            entry["notices"] = cell.notices;
            if (cell.layout)
                entry["layout"] = layoutToJson(*cell.layout);
        }
        cells.push_back(std::move(entry));
    }
    return {{"cost_models", modelsToJson(result)}, {"points", {result.rows, result.columns}},
        {"figures", std::move(figures)}, {"cells", std::move(cells)}};
}

} // namespace

std::string runToText(const SweepDocument &document, const SweepResult &result)
{
    return Json{{"sweep", sweepToJson(document)}, {"result", sweepResultToJson(result)}}.dump(
        -1, ' ', false, Json::error_handler_t::replace);
}

Expected<SweepRun> runFromText(std::string_view text)
{
    const auto json = readJson(text, resultLimits);
    if (!json)
        return unreadable(json.error().message);
    if (!json->is_object() || !json->contains("sweep") || !json->contains("result"))
        return unreadable("it is no run of a sweep");
    auto document = sweepFromJson(json->at("sweep"));
    if (!document)
        return unreadable(document.error().message);
    try {
        auto result = resultFrom(json->at("result"), *document);
        return SweepRun{std::move(*document), std::move(result)};
    } catch (const std::length_error &ours) {
        return unreadable(ours.what());
    } catch (const std::invalid_argument &ours) {
        return unreadable(ours.what());
    } catch (const std::exception &) {
        return unreadable("it has another form than a run of a sweep");
    }
}

Json sweepAnswerToJson(const SweepDocument &document, const SweepResult &result, const Catalog &catalog)
{
    Json axes = Json::array();
    for (const auto &axis : document.axes) {
        Json points = Json::array();
        for (const auto &point : axis.points)
            points.push_back(describe(point, catalog));
        axes.push_back({{"label", describe(axis)}, {"points", std::move(points)}});
    }
    Json cells = Json::array();
    for (const auto &cell : result.cells) {
        Json settings = Json::object();
        for (const auto &setting : settingsOf(document, cell.row, cell.column))
            settings[setting.key] = std::visit([](const auto &value) { return Json(value); }, setting.value);
        Json entry{{"point", Json::array({cell.row})}, {"set", std::move(settings)},
            {"cost_model", result.models[cell.model].id}, {"ok", !cell.refused}};
        if (document.axes.size() > 1)
            entry["point"].push_back(cell.column);
        if (cell.refused) {
            entry["error"] = errorToJson(*cell.refused);
        } else {
            entry["feasible"] = cell.decided ? Json(cell.feasible) : Json(nullptr);
            if (cell.onlyLikely)
                entry["only_likely"] = true;
            entry["figures"] = Json::object();
            for (std::size_t i = 0; i < result.figures.size(); ++i)
                putFigure(entry["figures"], result.figures[i], cell.figures[i]);
            entry["problems"] = cell.problems;
            entry["missed"] = cell.missed;
            entry["warnings"] = cell.notices;
            if (cell.layout)
                entry["layout"] = layoutToJson(*cell.layout);
        }
        cells.push_back(std::move(entry));
    }
    Json json{{"sweep", document.name}, {"cost_models", modelsToJson(result)},
        {"input_hash", sweepInputHash(document, catalog)}, {"figure", document.figure}, {"axes", std::move(axes)}};
    if (const auto figure = chooseFigure(document.figure)) {
        Json best = Json::array();
        for (std::size_t model = 0; model < result.models.size(); ++model)
            if (const auto *cell = bestCell(result, *figure, model))
                best.push_back(std::size_t(cell - result.cells.data()));
        json["best_cells"] = std::move(best);
        if (document.mark) {
            json["mark"] = *document.mark;
            json["crossings"] = Json::array();
            for (std::size_t column = 0; column < result.columns; ++column)
                for (std::size_t model = 0; model < result.models.size(); ++model)
                    json["crossings"].push_back(
                        describeCrossing(document, result, *figure, *document.mark, column, model, catalog));
        }
    }
    json["cells"] = std::move(cells);
    return json;
}

namespace {

Json pointToJson(const SeekPoint &point)
{
    Json json{{"value", plainNumber(point.value)}, {"ok", !point.refused}};
    if (point.refused) {
        json["error"] = errorToJson(*point.refused);
        return json;
    }
    json["figure"] = point.figure ? Json(plainNumber(*point.figure)) : Json();
    json["feasible"] = point.feasible ? Json(*point.feasible) : Json();
    if (point.onlyLikely)
        json["only_likely"] = true;
    if (!point.missed.empty())
        json["missed"] = point.missed;
    if (!point.warning.empty())
        json["warning"] = point.warning;
    if (point.layout)
        json["layout"] = layoutToJson(*point.layout);
    return json;
}

} // namespace

Json seekAnswerToJson(const SeekAnswer &answer)
{
    Json json{{"key", answer.key.key}, {"unit", answer.key.unit}, {"figure", answer.figure.key},
        {"target", plainNumber(answer.target)}, {"from", plainNumber(answer.from)}, {"to", plainNumber(answer.to)},
        {"outcome", toString(answer.outcome)}, {"monotone", answer.isMonotone},
        {"target_reached", reachesTarget(answer, answer.found)}};
    if (answer.hasGap)
        json["gap"] = true;
    if (answer.now)
        json["now"] = pointToJson(*answer.now);
    json["found"] = pointToJson(answer.found);
    if (answer.neighbour)
        json["neighbour"] = pointToJson(*answer.neighbour);
    if (answer.feasible)
        json["feasible"] = pointToJson(*answer.feasible);
    if (answer.unwarned)
        json["without_warning"] = pointToJson(*answer.unwarned);
    json["tried"] = Json::array();
    for (const auto &point : answer.tried)
        json["tried"].push_back(pointToJson(point));
    return json;
}

} // namespace fleetwright::exchange
