// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/validationdata.h"

#include "exchange/figurejson.h"
#include "exchange/leftoutdata.h"
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

Json honestToJson(const LeftOutScore &score, std::string_view evidence)
{
    auto json = figuresToJson(score.overall);
    json["macro_median_ape"] = score.macroMedianError;
    json["macro_mape"] = score.macroMeanError;
    json["left_out"] = score.leftOut;
    json["evidence"] = evidence;
    json["sources"] = figuresToJson(score.sources);
    return json;
}

Json coverageToJson(const Coverage &coverage)
{
    Json json{{"mean", coverage.mean}, {"quartile", coverage.quartile}, {"worst_quarter", coverage.worstQuarter},
        {"sources", Json::object()}};
    for (const auto &source : coverage.sources)
        json["sources"][source.source.empty() ? "own runs" : source.source] = {
            {"n", source.runs}, {"covered", source.covered}, {"half_width", source.halfWidth}};
    return json;
}

/// `lines`: a line for each scored run, in the order of the validation.
Json productionToJson(const ProductionSlice &production, const Json &lines)
{
    const bool any = !production.runs.empty();
    Json json{{"accelerators", productionAccelerators}, {"rows", production.inFile}, {"priced", production.runs.size()},
        {"sources", production.sources}, {"in_range", production.inside},
        {"left_out", any ? figuresToJson(production.predicted) : Json(nullptr)},
        {"fitted", any ? figuresToJson(production.fitted) : Json(nullptr)}, {"runs", Json::array()},
        {"claims", Json::array()}};
    for (const auto index : production.runs)
        json["runs"].push_back(lines[index]["id"]);
    for (const auto &claim : publishedClaims())
        json["claims"].push_back(
            {{"planner", claim.planner}, {"error", claim.error}, {"below", claim.below}, {"about", claim.about}});
    return json;
}

void putHonest(Json &json, const HonestScores &honest)
{
    if (honest.newSite && !honest.newSite->score.runs.empty()) {
        const auto &score = honest.newSite->score;
        json[honest.site ? "own_runs" : "left_out"] = honestToJson(score, inWords(honest.newSite->evidence()));
        json["coverage"] = coverageToJson(score.coverage);
        if (const auto &levels = honest.newSite->levels)
            json["levels"] = {{"family", levels->family}, {"group", levels->group}, {"source", levels->source},
                {"run", levels->run}, {"run_rms", levels->runRms}};
        json["production"] = productionToJson(honest.newSite->production, json["runs"]);
        std::size_t line = 0; // runs of both stand in the order of the validation
        for (const auto &range : score.runs) {
            auto &run = json["runs"][line++];
            run["range"] = {range.low.value(), range.high.value()};
            if (range.leftOut)
                run["left_out_step_time_s"] = range.prediction.value();
            if (range.afterOwnRuns)
                run["expected_step_time_s"] = range.prediction.value();
        }
    }
    if (honest.site)
        json["own_runs"]["known"] = honest.site->runs().size();
    if (honest.fewShot) {
        json["few_shot"] = Json::object();
        for (const auto &[known, figures] : *honest.fewShot) {
            const auto figure = [&](double value) { return figures.sources > 0 ? Json(value) : Json(nullptr); };
            json["few_shot"][std::to_string(known)] = {{"median", figure(figures.median)},
                {"mean", figure(figures.mean)}, {"sources", figures.sources}, {"covered", figure(figures.covered)},
                {"half_width", figure(figures.halfWidth)}};
        }
    }
}

} // namespace

const RangeTable &shippedRangeTable()
{
    static const RangeTable table = [] {
        const auto &file = shippedMeasuredRuns();
        const auto &leftOut = shippedLeftOut();
        return RangeTable(file && leftOut ? referenceRuns(file->runs, *leftOut) : std::vector<ReferenceRun>());
    }();
    return table;
}

namespace {

/// nullptr when stopped.
std::shared_ptr<const NewSite> siteOf(
    const Validation &validation, std::span<const MeasuredRun> runs, LeftOutScore score, const std::stop_token &stop)
{
    return stop.stop_requested()
        ? nullptr
        : std::make_shared<const NewSite>(newSite(validation, runs, shippedRangeTable(), std::move(score)));
}

} // namespace

std::shared_ptr<const NewSite> shippedNewSite(
    const Validation &validation, std::span<const MeasuredRun> runs, const std::stop_token &stop)
{
    if (validation.costModelId != detailed::costModel().id())
        return nullptr;
    return siteOf(validation, runs, leftOutScore(validation, runs, shippedRangeTable(), stop), stop);
}

std::shared_ptr<const NewSite> projectNewSite(
    const Validation &validation, std::span<const MeasuredRun> runs, const OwnSite *site, const std::stop_token &stop)
{
    if (validation.costModelId != detailed::costModel().id())
        return nullptr;
    return siteOf(validation, runs, projectScore(validation, runs, shippedRangeTable(), site, stop), stop);
}

Expected<std::map<int, FewShotFigures>> shippedFewShot(
    const Validation &validation, std::span<const MeasuredRun> runs, std::stop_token stop)
{
    constexpr std::array known{0, 1, 3, 5, 10};
    const auto all = ofLargeSources(fewShotRuns(validation, runs, shippedRangeTable()), known.back());
    return fewShot(all, known, {}, std::move(stop));
}

namespace {

std::optional<PredictionRange> rangeOfDetailed(const Plan &plan, Seconds stepTime, const OwnSite *site)
{
    const auto configuration = detailed::configurationFrom(plan);
    if (!configuration)
        return std::nullopt;
    const auto &setting = configuration->setting.setting;
    auto range = shippedRangeTable().rangeOf(setting, configuration->layout, stepTime);
    if (setting.families.isNearest()) {
        range.comparable += ", all on other accelerators";
        range.outside.insert(range.outside.begin(),
            "No run was measured on this accelerator; it is priced by the constants of "
                + detailed::familiesInWords(setting.families.shares()) + ".");
    }
    // A plan that edits constants asks what if; its site does not.
    const bool edited = std::ranges::any_of(detailed::constantTable(),
        [&](const auto &descriptor) { return plan->assumptions.edited.contains(std::string(descriptor.key)); });
    return site && !edited ? site->narrowed(std::move(range), setting, configuration->layout) : range;
}

} // namespace

std::optional<PredictionRange> shippedRangeOf(const Plan &plan, const Solution &solution, const OwnSite *site)
{
    const bool isDetailed = solution.costModelId == detailed::costModel().id();
    return isDetailed && solution.estimate.stepTime ? rangeOfDetailed(plan, *solution.estimate.stepTime, site)
                                                    : std::nullopt;
}

std::optional<PredictionRange> shippedRangeOf(const Plan &plan, Seconds stepTime, const OwnSite *site)
{
    return plan->costModelId == detailed::costModel().id() ? rangeOfDetailed(plan, stepTime, site) : std::nullopt;
}

validation::RangeOf rangesOfSite(const OwnSite *site)
{
    if (!site)
        return {};
    return [site](const Plan &plan, Seconds stepTime) { return shippedRangeOf(plan, stepTime, site); };
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

Json validationToJson(const Validation &validation, const RunFile &file, const HonestScores &honest)
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
    putHonest(json, honest);
    return json;
}

Json rangeToJson(const PredictionRange &range)
{
    Json json{{"low_s", range.low.value()}, {"high_s", range.high.value()}, {"typical_error", range.typicalError},
        {"runs", range.runs}, {"sources", range.sources}, {"comparable", range.comparable}, {"outside", range.outside},
        {"own_runs", range.ownRuns}, {"own_runs_alike", range.ownRunsAlike},
        {"for", range.runs > 0 ? Json(forWhom(range)) : Json(nullptr)}};
    if (range.ownRuns > 0)
        json.update(
            Json{{"own_runs_same", range.ownRunsSame}, {"own_weight", range.ownWeight}, {"own_effect", range.ownEffect},
                {"further_run", range.furtherRun}, {"predicted_s", range.predicted.value()}});
    if (const auto &other = range.timedOtherwise)
        json["timed_otherwise"] = Json{{"timed", other->timed}, {"asked", other->asked}};
    return json;
}

std::optional<PredictionRange> rangeFromJson(const Json &json)
{
    if (!json.is_object() || !json.contains("low_s") || !json["low_s"].is_number() || !json.contains("high_s")
        || !json["high_s"].is_number())
        return std::nullopt;
    try {
        std::optional<PredictionRange::OtherLayout> otherwise;
        if (const auto other = json.find("timed_otherwise"); other != json.end())
            otherwise = {other->value("timed", std::string()), other->value("asked", std::string())};
        return PredictionRange{.low = json["low_s"].get<double>() * second,
            .high = json["high_s"].get<double>() * second,
            .typicalError = json.value("typical_error", 0.0),
            .runs = json.value("runs", 0),
            .sources = json.value("sources", 0),
            .comparable = json.value("comparable", std::string()),
            .outside = json.value("outside", std::vector<std::string>()),
            .ownRuns = json.value("own_runs", 0),
            .ownRunsAlike = json.value("own_runs_alike", json.value("own_runs", 0)),
            .ownRunsSame = json.value("own_runs_same", 0),
            .ownWeight = json.value("own_weight", 0.0),
            .ownEffect = json.value("own_effect", 0.0),
            .furtherRun = json.value("further_run", 1.0),
            .timedOtherwise = std::move(otherwise),
            .predicted = json.value("predicted_s", 0.0) * second};
    } catch (const Json::exception &) {
        return std::nullopt; // another type than this program writes
    }
}

} // namespace fleetwright::exchange
