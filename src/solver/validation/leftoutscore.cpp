// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/leftoutscore.h"

#include "solver/validation/runprice.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace fleetwright::validation {

namespace {

/// The run of the table, where it is the same and not only called the same.
const ReferenceRun *referenceOf(const RangeTable &table, const MeasuredRun &run, Seconds measured)
{
    constexpr double rounding = 1e-9;
    const auto *found = table.find(run.source.key, run.id);
    return found && std::abs(found->measured / measured - 1.0) <= rounding ? found : nullptr;
}

std::vector<const ScoredRun *> timedRuns(const Validation &validation)
{
    std::vector<const ScoredRun *> timed;
    for (const auto &scored : validation.runs)
        if (scored.timed)
            timed.push_back(&scored);
    return timed;
}

struct Ends {
    Seconds low{}, high{};
};

/// The range around a prediction at a site that is none of the source's.
Ends generalRange(
    const RangeTable &table, const RunConfiguration &configuration, std::string_view source, Seconds prediction)
{
    if (table.runs().empty())
        return {prediction, prediction};
    const auto step = likelyStep(configuration, configuration.setting.constants);
    const double width = table.halfWidthOf(configuration.setting,
        {.openDeviation = step ? openDeviation(configuration, *step) : 0, .withoutSource = source});
    return {prediction * std::exp(-width), prediction * std::exp(width)};
}

/// Whose predictions are looked at.
enum class Predictor { Program, Project };

ScoredRange rangeOfRun(
    const ScoredRun &scored, const MeasuredRun &run, const RangeTable &table, Predictor predictor, const OwnSite *site)
{
    ScoredRange range{.prediction = scored.predicted, .low = scored.predicted, .high = scored.predicted};
    const auto configuration = configurationFrom(run);
    if (!configuration)
        return range;
    const auto &setting = configuration->setting;
    const auto &layout = configuration->layout;
    const bool known = predictor == Predictor::Program;
    if (const auto *reference = known ? referenceOf(table, run, scored.measured) : nullptr) {
        range.prediction = reference->leftOutPrediction();
        range.leftOut = true;
    }
    const auto general = generalRange(table, *configuration, run.source.key, range.prediction);
    range.low = general.low;
    range.high = general.high;
    const auto own = site ? site->without(setting, layout, scored.measured) : std::nullopt;
    if (own) {
        const double width = std::log(general.high / general.low) / 2 * own->remaining;
        range.prediction = own->expected;
        range.low = own->expected * std::exp(-width);
        range.high = own->expected * std::exp(width);
        range.afterOwnRuns = true;
    }
    return range;
}

LeftOutScore scoreOf(const Validation &validation, std::span<const MeasuredRun> runs, const RangeTable &table,
    Predictor predictor, const OwnSite *site, const std::stop_token &stop)
{
    const auto timed = timedRuns(validation);
    LeftOutScore score;
    score.runs.resize(timed.size());
    tbb::parallel_for(0UZ, timed.size(), [&](std::size_t i) {
        if (stop.stop_requested())
            return;
        score.runs[i] = rangeOfRun(*timed[i], runs[timed[i]->run], table, predictor, site);
        score.runs[i].run = std::size_t(timed[i] - validation.runs.data());
    });
    if (stop.stop_requested())
        return {};
    std::map<std::string, std::vector<double>> errors;
    std::vector<double> all;
    std::vector<CoveredRun> covered;
    for (std::size_t i = 0; i < timed.size(); ++i) {
        const auto &range = score.runs[i];
        const auto &source = runs[timed[i]->run].source.key;
        score.leftOut += range.leftOut;
        all.push_back(range.prediction / timed[i]->measured - 1.0);
        errors[source.empty() ? "own runs" : source.string()].push_back(all.back());
        covered.push_back({source, range.holds(timed[i]->measured), std::log(range.high / range.low) / 2});
    }
    for (const auto &[source, ofSource] : errors) {
        const auto figures = errorFigures(ofSource);
        score.macroMedianError += figures.medianError / double(errors.size());
        score.macroMeanError += figures.meanError / double(errors.size());
        score.sources.emplace(source, figures);
    }
    score.overall = errorFigures(all);
    score.coverage = coverageOf(covered);
    return score;
}

} // namespace

LeftOutScore leftOutScore(const Validation &validation, std::span<const MeasuredRun> runs, const RangeTable &table,
    const std::stop_token &stop)
{
    return scoreOf(validation, runs, table, Predictor::Program, nullptr, stop);
}

LeftOutScore projectScore(const Validation &validation, std::span<const MeasuredRun> runs, const RangeTable &table,
    const OwnSite *site, const std::stop_token &stop)
{
    return scoreOf(validation, runs, table, Predictor::Project, site, stop);
}

std::vector<FewShotRun> fewShotRuns(const Validation &validation, std::span<const MeasuredRun> runs,
    const RangeTable &table, const detailed::Constants &constants)
{
    const auto timed = timedRuns(validation);
    std::vector<std::optional<FewShotRun>> made(timed.size());
    tbb::parallel_for(0UZ, timed.size(), [&](std::size_t i) {
        const auto &run = runs[timed[i]->run];
        auto configuration = configurationFrom(run);
        if (!configuration)
            return;
        configuration->setting.constants = constants;
        auto place = effectPlace(configuration->setting, configuration->layout);
        if (!place)
            return;
        // Left-out errors are those of the program's constants.
        const auto *reference = constants == detailed::Constants() ? referenceOf(table, run, timed[i]->measured)
                                                                   : nullptr;
        const auto general = generalRange(table, *configuration, run.source.key, timed[i]->predicted);
        made[i] = FewShotRun{.source = run.source.key,
            .run = {std::move(*place), reference ? reference->logError : timed[i]->logError()},
            .halfWidth = std::log(general.high / general.low) / 2};
    });
    std::vector<FewShotRun> answer;
    for (auto &run : made)
        if (run)
            answer.push_back(std::move(*run));
    return answer;
}

} // namespace fleetwright::validation
