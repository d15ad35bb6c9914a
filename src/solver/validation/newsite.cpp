// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/newsite.h"

#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace fleetwright::validation {

namespace {

/// As read in November 2026. Planners that replay traces of the jobs themselves are not among them.
constexpr std::array claims{
    PublishedClaim{.planner = "Charon (MLSys 2026)",
        .error = 0.0374,
        .below = true,
        .about = "jobs near 10,000 GPUs; needs profiling on the hardware or a trained predictor"},
    PublishedClaim{.planner = "SimuMax", .error = 0.056, .below = false, .about = "its own 43 runs"},
};

std::string counted(int count, const std::string &one)
{
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string figuresInWords(const ErrorFigures &figures)
{
    return "typically " + units::formatPercent(figures.medianError) + " off, " + units::formatPercent(figures.meanError)
        + " on average";
}

} // namespace

ProductionSlice productionSlice(
    const Validation &validation, std::span<const MeasuredRun> runs, const LeftOutScore &score)
{
    const auto accelerators = [&](const MeasuredRun &run) { return run.accelerators.value_or(0); };
    const auto runOf = [&](std::size_t index) -> const ScoredRun & { return validation.runs[score.runs[index].run]; };
    ProductionSlice slice;
    slice.inFile = int(std::ranges::count_if(
        runs, [&](const MeasuredRun &run) { return accelerators(run) >= productionAccelerators; }));
    std::set<std::string_view> sources;
    std::vector<double> predicted, fitted;
    for (std::size_t i = 0; i < score.runs.size(); ++i) {
        const auto &scored = runOf(i);
        const auto &run = runs[scored.run];
        if (accelerators(run) < productionAccelerators)
            continue;
        slice.runs.push_back(i);
        sources.insert(run.source.key);
        slice.inside += score.runs[i].holds(scored.measured);
        predicted.push_back(score.runs[i].prediction / scored.measured - 1.0);
        fitted.push_back(scored.error);
    }
    std::ranges::stable_sort(
        slice.runs, std::ranges::greater(), [&](std::size_t index) { return accelerators(runs[runOf(index).run]); });
    slice.sources = int(sources.size());
    slice.predicted = errorFigures(predicted);
    slice.fitted = errorFigures(fitted);
    return slice;
}

std::span<const PublishedClaim> publishedClaims() { return claims; }

std::string errorInWords(const PublishedClaim &claim)
{
    return (claim.below ? "< " : "") + units::formatPercent(claim.error);
}

std::string_view inWords(Evidence evidence)
{
    switch (evidence) {
    case Evidence::LeftOut: return "left out";
    case Evidence::Partly: return "partly left out";
    case Evidence::AsPredicted: return "as predicted";
    case Evidence::OwnRuns: return "own runs";
    }
    return "";
}

Evidence NewSite::evidence() const
{
    if (std::ranges::any_of(score.runs, &ScoredRange::afterOwnRuns))
        return Evidence::OwnRuns;
    if (score.leftOut == 0)
        return Evidence::AsPredicted;
    return std::size_t(score.leftOut) == score.runs.size() ? Evidence::LeftOut : Evidence::Partly;
}

NewSite newSite(
    const Validation &validation, std::span<const MeasuredRun> runs, const RangeTable &table, LeftOutScore score)
{
    NewSite site{.score = std::move(score), .levels = {}, .production = {}};
    if (site.score.leftOut > 0)
        site.levels = errorLevels(table.runs());
    site.production = productionSlice(validation, runs, site.score);
    return site;
}

std::string errorInWords(const NewSite &site)
{
    const auto &score = site.score;
    if (score.runs.empty())
        return {};
    const std::string error = units::formatPercent(score.macroMedianError) + " off (mean error "
        + units::formatPercent(score.macroMeanError) + "; "
        + (score.sources.size() == 1 ? "one source" : "means over " + std::to_string(score.sources.size()) + " sources")
        + ")";
    switch (site.evidence()) {
    case Evidence::LeftOut:
        return "A site that nobody has measured: typically " + error
            + ". Each source was left out in turn and everything estimated again from the others.";
    case Evidence::Partly:
        return "Typically " + error + ". " + std::to_string(score.leftOut) + " of " + std::to_string(score.runs.size())
            + " runs were predicted with their source left out; of the others no left-out error is known, they count "
              "as predicted.";
    case Evidence::AsPredicted:
        return "Typically " + error
            + ", as predicted: no left-out error of these runs is known. It is the error of a new site if no run of "
              "theirs took part in the fit.";
    case Evidence::OwnRuns:
        return "With the runs of the project: typically " + error
            + ". A run of the project is predicted from its others.";
    }
    return {};
}

std::string fittedInWords(const NewSite &site, const Validation &validation)
{
    if (validation.priced == 0 || site.evidence() == Evidence::AsPredicted)
        return {};
    const std::string figures = units::formatPercent(validation.macroMedianError) + " (mean error "
        + units::formatPercent(validation.macroMeanError) + ")";
    return site.evidence() == Evidence::OwnRuns ? "Without them: " + figures + "."
                                                : "The runs that the constants were fitted to: " + figures
            + ". That is how well they fit, not what another site gets.";
}

std::string promiseInWords()
{
    constexpr double hundred = 100;
    return std::to_string(std::lround(rangeCoverage * hundred)) + "\u00a0%";
}

std::string coverageInWords(const Coverage &coverage)
{
    if (coverage.sources.empty())
        return {};
    return units::formatPercent(coverage.mean) + " of the runs of a source lie in their " + promiseInWords()
        + " range on average, " + units::formatPercent(coverage.worstQuarter) + " in the worst quarter of the "
        + counted(int(coverage.sources.size()), "source") + ".";
}

std::string productionInWords(const ProductionSlice &production)
{
    static_assert(productionAccelerators == 8000);
    if (production.inFile == 0)
        return "None of these runs is on 8,000 accelerators and more.";
    const std::string some = counted(production.inFile, "run") + " on 8,000 accelerators and more";
    if (production.runs.empty())
        return some + ", none of which could be scored.";
    const auto scored = production.runs.size();
    const std::string inside = std::to_string(production.inside) + " of " + std::to_string(scored) + " in their ranges";
    std::string words = some
        + (scored < std::size_t(production.inFile) ? ", " + std::to_string(scored) + " scored" : "") + ", of "
        + counted(production.sources, "source") + ": " + figuresInWords(production.predicted) + ", " + inside + ".";
    constexpr std::size_t few = 20;
    return scored < few ? words + " So few runs show little." : words;
}

std::string claimsInWords()
{
    std::string words;
    for (const auto &claim : claims)
        words += (words.empty() ? "" : "; ") + std::string(claim.planner) + " " + errorInWords(claim) + ", "
            + std::string(claim.about);
    return "What the authors of others claim, each on runs of their own choice: " + words
        + ". None of these is an error on sources left out, so they do not compare with ours.";
}

std::array<LevelInWords, 5> levelsInWords(const ErrorLevels &levels)
{
    return {{{"Accelerator family", "shared by all runs on one family", levels.family},
        {"Software class", "shared by one class of software on one kind of model", levels.group},
        {"Source", "shared by one site with its release of the software", levels.source},
        {"Run", "scatter within the middle source", levels.run},
        {"Run (rms)", "the same where scattered sources weigh", levels.runRms}}};
}

} // namespace fleetwright::validation
