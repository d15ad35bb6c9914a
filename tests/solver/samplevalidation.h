// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/breakdown.h"
#include "solver/validation/newsite.h"

#include <stop_token>

/// A small file of runs with scores made by hand, for everything that shows validations.
namespace fleetwright::samplescores {

inline validation::MeasuredRun measuredRun(int number, const char *source, const char *accelerator, std::int64_t tp)
{
    validation::MeasuredRun run{.id = "run-" + std::to_string(number)};
    run.source = {.key = source,
        .title = std::string("Title of ") + source,
        .where = "table 2",
        .url = "https://example.org/" + std::string(source),
        .date = "2025-05-15"};
    run.accelerator = accelerator;
    run.accelerators = 64;
    run.model = {.name = "GPT-3 <175B>", .layers = 96, .hidden = 12288};
    run.sequenceLength = 2048;
    run.globalBatch = 512;
    run.tp = tp;
    run.pp = 4;
    run.dp = 16 / tp;
    run.recompute = "full";
    run.notes = "Row note.";
    return run;
}

/// Runs 1 to 5 form a ranking group of the first source, run 6 is of the second one and metered memory only besides its
/// time, run 7 has no batch.
inline validation::RunFile measuredRuns()
{
    validation::RunFile file{"1.0", {}};
    for (int i = 1; i <= 5; ++i)
        file.runs.push_back(measuredRun(i, "alpha-2025", "H100-SXM-80GB", i < 4 ? 1 << (i - 1) : 8));
    file.runs.push_back(measuredRun(6, "beta-2024", "A100-SXM-80GB", 8));
    file.runs.push_back(measuredRun(7, "beta-2024", "A100-SXM-80GB", 8));
    return file;
}

inline validation::ErrorFigures figures(int count, double medianError, double meanError, double p90Error, double bias)
{
    return {count, medianError, meanError, p90Error, bias};
}

inline validation::Validation scoredBy(std::string_view model)
{
    using namespace validation;
    Validation made{.costModelId = std::string(model),
        .costModelVersion = "1.0",
        .rows = 7,
        .priced = 6,
        .skipped = {{"no batch", 1}}};
    const double predicted[]{1.1, 2.1, 2.7, 4.4, 5.0, 20.0};
    const double measured[]{1.0, 2.0, 3.0, 4.0, 5.0, 10.0};
    for (std::size_t i = 0; i < 6; ++i) {
        ScoredRun run{.run = i,
            .id = "run-" + std::to_string(i + 1),
            .predicted = predicted[i] * second,
            .measured = measured[i] * second,
            .error = predicted[i] / measured[i] - 1,
            .mfu = 0.4,
            .timed = true};
        run.breakdown.compute = 0.7 * run.predicted;
        run.breakdown.bubble = 0.3 * run.predicted;
        made.runs.push_back(run);
    }
    made.runs[5].predictedMemory = 60e9 * byte;
    made.runs[5].measuredMemory = 50e9 * byte;
    made.runs[5].predictedFits = true;
    made.runs[5].ranOutOfMemory = false;
    made.macroMedianError = 0.55;
    made.macroMeanError = 0.5375;
    made.overall = figures(6, 0.1, 0.2292, 1.0, 0.1917);
    made.sources = {{"alpha-2025", figures(5, 0.1, 0.075, 0.1, 0.03)}, {"beta-2024", figures(1, 1.0, 1.0, 1.0, 1.0)}};
    made.kinds = {{"tuned software and dense models", figures(6, 0.1, 0.2292, 1.0, 0.1917)}};
    made.families = {{"Hopper", figures(5, 0.1, 0.075, 0.1, 0.03)}, {"A100", figures(1, 1.0, 1.0, 1.0, 1.0)}};
    made.accelerators = {
        {"H100-SXM-80GB", figures(5, 0.1, 0.075, 0.1, 0.03)}, {"A100-SXM-80GB", figures(1, 1.0, 1.0, 1.0, 1.0)}};
    made.sizes = {{"100-300 B", figures(6, 0.1, 0.2292, 1.0, 0.1917)}};
    made.parallelisms = {{"TP + PP + DP", figures(6, 0.1, 0.2292, 1.0, 0.1917)}};
    made.precisions = {{"16 bits", figures(6, 0.1, 0.2292, 1.0, 0.1917)}};
    made.memory = {.macroMedianError = 0.2,
        .sources = {{"beta-2024", figures(1, 0.2, 0.2, 0.2, 0.2)}},
        .verdictsRight = 1,
        .verdicts = 1};
    made.groups = {{.name = "64 x H100-SXM-80GB, GPT-3",
        .rows = {0, 1, 2, 3, 4},
        .kendallTau = 0.8,
        .regret = 0.125,
        .singleNode = false}};
    made.kendallTau = 0.8;
    made.regret = 0.125;
    return made;
}

inline std::vector<validation::RunPlace> places()
{
    std::vector<validation::RunPlace> made(7);
    for (std::size_t i = 0; i < 6; ++i)
        made[i].words = {i < 5 ? "alpha-2025" : "beta-2024", "tuned software and dense models",
            i < 5 ? "Hopper" : "A100", i < 5 ? "H100-SXM-80GB" : "A100-SXM-80GB", "100-300 B", "TP + PP + DP",
            "16 bits"};
    made[6].skipped = "no batch";
    return made;
}

/// Of scoredBy() any model: predictions with their source left out are a tenth longer, ranges reach a quarter up and a
/// fifth down, so that runs 4, 5 (1.21 and 1.1 times as long) and the others of the first source lie in them and run 6
/// (2.2 times) does not.
inline validation::NewSite newSite(const validation::RunFile &file = measuredRuns())
{
    using namespace validation;
    constexpr double longer = 1.1, reach = 1.25;
    const auto of = scoredBy("detailed");
    LeftOutScore score;
    std::vector<CoveredRun> covered;
    for (std::size_t i = 0; i < of.runs.size(); ++i) {
        const auto middle = of.runs[i].predicted * longer;
        score.runs.push_back(
            {.run = i, .prediction = middle, .low = middle / reach, .high = middle * reach, .leftOut = true});
        covered.push_back({file.runs[i].source.key, score.runs.back().holds(of.runs[i].measured), std::log(reach)});
    }
    score.leftOut = int(score.runs.size());
    score.sources = {
        {"alpha-2025", figures(5, 0.155, 0.1325, 0.21, 0.1325)}, {"beta-2024", figures(1, 1.2, 1.2, 1.2, 1.2)}};
    score.overall = figures(6, 0.18, 0.31, 1.2, 0.31);
    score.macroMedianError = 0.6775;
    score.macroMeanError = 0.66625;
    score.coverage = coverageOf(covered);
    NewSite site{.score = std::move(score), .levels = ErrorLevels{0.01, 0.02, 0.07, 0.1, 0.2}, .production = {}};
    site.production = productionSlice(of, file.runs, site.score);
    return site;
}

inline validation::ScoredFile scoredFile()
{
    validation::ScoredFile file{measuredRuns(), places(), {}};
    file.scores.push_back(
        {"detailed", scoredBy("detailed"), std::make_shared<const validation::NewSite>(newSite(file.file))});
    file.scores.push_back({"searcher",
        validation::Validation{
            .costModelId = "searcher", .costModelVersion = "1.0", .rows = 7, .skipped = {{"refused", 7}}}});
    file.scores.push_back({"nonsense", refuse(ErrorCode::UnknownReference, "cost_model", "There is no such model.")});
    return file;
}

} // namespace fleetwright::samplescores
