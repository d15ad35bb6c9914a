// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/validationdata.h"

#include "exchange/figurejson.h"
#include "exchange/measuredruns.h"
#include "solver/models/detailed/detailedmodel.h"

#include <nlohmann/json.hpp>

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;
using namespace validation;

namespace {

Json figuresToJson(const ErrorFigures &figures)
{
    return {{"n", figures.count}, {"median_ape", figures.medianError}, {"mape", figures.meanError},
        {"p90_ape", figures.p90Error}, {"bias", figures.bias}};
}

Json figuresToJson(const std::map<std::string, ErrorFigures> &byName)
{
    Json json = Json::object();
    for (const auto &[name, figures] : byName)
        json[name] = figuresToJson(figures);
    return json;
}

Json numberOrNull(const std::optional<double> &number) { return number ? Json(*number) : Json(nullptr); }

Json memoryToJson(const Validation &validation, std::span<const MeasuredRun> runs)
{
    const auto &memory = validation.memory;
    Json json{{"macro_median_ape", memory.sources.empty() ? Json(nullptr) : Json(memory.macroMedianError)},
        {"sources", figuresToJson(memory.sources)}, {"oom_right", memory.verdictsRight}, {"oom_total", memory.verdicts},
        {"runs", Json::array()}};
    for (const auto &scored : validation.runs) {
        if (!scored.predictedMemory && !scored.predictedFits)
            continue;
        Json line{{"id", scored.id}, {"source", runs[scored.run].source.key}};
        if (scored.predictedMemory) {
            putFigure(line, "predicted.memory.total_bytes", scored.predictedMemory->value());
            putFigure(line, "measured.memory.total_bytes", scored.measuredMemory->value());
            line["ape"] = std::abs(*scored.predictedMemory / *scored.measuredMemory - 1.0);
        }
        if (scored.predictedFits) {
            line["predicted_fits"] = *scored.predictedFits;
            line["out_of_memory"] = *scored.ranOutOfMemory;
        }
        json["runs"].push_back(std::move(line));
    }
    return json;
}

Json runToJson(const ScoredRun &scored, const MeasuredRun &run)
{
    Json predicted{{"step_time_s", scored.predicted.value()}, {"mfu", scored.mfu}};
    Json measured{{"step_time_s", scored.measured.value()}};
    if (scored.predictedMemory) {
        putFigure(predicted, "memory.total_bytes", scored.predictedMemory->value());
        putFigure(measured, "memory.total_bytes", scored.measuredMemory->value());
    }
    return {{"id", scored.id}, {"source", run.source.key}, {"predicted", std::move(predicted)},
        {"measured", std::move(measured)}, {"ape", std::abs(scored.error)}, {"error", scored.error}};
}

} // namespace

const RangeTable &shippedRangeTable()
{
    static const RangeTable table = [] {
        const auto &file = shippedMeasuredRuns();
        return RangeTable(file ? referenceRuns(file->runs) : std::vector<ReferenceRun>());
    }();
    return table;
}

std::optional<PredictionRange> shippedRangeOf(const Plan &plan, const Solution &solution)
{
    if (solution.costModelId != detailed::costModel().id() || !solution.estimate.stepTime)
        return std::nullopt;
    const auto configuration = detailed::configurationFrom(plan);
    if (!configuration)
        return std::nullopt;
    return shippedRangeTable().rangeOf(
        configuration->setting.setting, configuration->layout, *solution.estimate.stepTime);
}

Json notScoredToJson(const Validation &validation, const RunFile &file)
{
    Json json = Json::array();
    for (const auto &row : file.unread)
        json.push_back({{"id", row.id.empty() ? Json(nullptr) : Json(row.id)}, {"place", row.place},
            {"code", toString(row.error.code)}, {"field", row.error.field}, {"reason", row.error.message}});
    for (const auto &[index, reason] : validation.notScored) {
        const auto &run = file.runs[index];
        json.push_back({{"id", run.id}, {"source", run.source.key}, {"reason", reason}});
    }
    return json;
}

Json validationToJson(const Validation &validation, const RunFile &file)
{
    const std::span<const MeasuredRun> runs = file.runs;
    const bool any = validation.priced > 0;
    const auto figure = [any](double value) { return any ? Json(value) : Json(nullptr); };
    Json json{{"cost_model", {{"id", validation.costModelId}, {"version", validation.costModelVersion}}},
        {"rows", validation.rows}, {"priced", validation.priced}, {"skipped", Json(validation.skipped)},
        {"macro_median_ape", figure(validation.macroMedianError)}, {"macro_mape", figure(validation.macroMeanError)},
        {"median_ape", figure(validation.overall.medianError)}, {"mape", figure(validation.overall.meanError)},
        {"p90_ape", figure(validation.overall.p90Error)}, {"bias", figure(validation.overall.bias)},
        {"kendall_tau", numberOrNull(validation.kendallTau)}, {"regret", numberOrNull(validation.regret)},
        {"kendall_tau_single_node", numberOrNull(validation.kendallTauOf(true))},
        {"kendall_tau_multi_node", numberOrNull(validation.kendallTauOf(false))},
        {"regret_single_node", numberOrNull(validation.regretOf(true))},
        {"regret_multi_node", numberOrNull(validation.regretOf(false))}, {"sources", figuresToJson(validation.sources)},
        {"memory", memoryToJson(validation, runs)}, {"accelerators", figuresToJson(validation.accelerators)},
        {"families", figuresToJson(validation.families)}, {"sizes", figuresToJson(validation.sizes)},
        {"parallelisms", figuresToJson(validation.parallelisms)}, {"precisions", figuresToJson(validation.precisions)},
        {"groups", Json::array()}, {"runs", Json::array()}, {"not_scored", notScoredToJson(validation, file)}};
    for (const auto &group : validation.groups) {
        Json line{{"name", group.name}, {"n", group.rows.size()}, {"single_node", group.singleNode},
            {"kendall_tau", group.kendallTau}, {"regret", group.regret}};
        json["groups"].push_back(std::move(line));
    }
    for (const auto &scored : validation.runs)
        if (scored.timed)
            json["runs"].push_back(runToJson(scored, runs[scored.run]));
    return json;
}

Json rangeToJson(const PredictionRange &range)
{
    return {{"low_s", range.low.value()}, {"high_s", range.high.value()}, {"typical_error", range.typicalError},
        {"runs", range.runs}, {"sources", range.sources}, {"comparable", range.comparable}, {"outside", range.outside}};
}

std::optional<PredictionRange> rangeFromJson(const Json &json)
{
    if (!json.is_object() || !json.contains("low_s") || !json["low_s"].is_number() || !json.contains("high_s")
        || !json["high_s"].is_number())
        return std::nullopt;
    try {
        return PredictionRange{.low = json["low_s"].get<double>() * second,
            .high = json["high_s"].get<double>() * second,
            .typicalError = json.value("typical_error", 0.0),
            .runs = json.value("runs", 0),
            .sources = json.value("sources", 0),
            .comparable = json.value("comparable", std::string()),
            .outside = json.value("outside", std::vector<std::string>())};
    } catch (const Json::exception &) {
        return std::nullopt; // another type than this program writes
    }
}

} // namespace fleetwright::exchange
