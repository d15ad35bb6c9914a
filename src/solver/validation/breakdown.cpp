// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/breakdown.h"

#include "solver/validation/newsite.h"
#include "solver/validation/parametercounts.h"
#include "solver/validation/runname.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::validation {

namespace {

/// `sorted` rises and is not empty.
double quantile(std::span<const double> sorted, double share)
{
    const double place = share * double(sorted.size() - 1);
    const auto below = std::size_t(place);
    const auto above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - double(below)) * (sorted[above] - sorted[below]);
}

} // namespace

std::string_view title(Grouping grouping)
{
    switch (grouping) {
    case Grouping::Source: return "Source";
    case Grouping::Kind: return "Kind of run";
    case Grouping::Family: return "Accelerator family";
    case Grouping::Accelerator: return "Accelerator";
    case Grouping::Size: return "Model size";
    case Grouping::Parallelism: return "Parallelism";
    case Grouping::Precision: return "Precision";
    }
    return "Source";
}

const std::map<std::string, ErrorFigures> &figuresBy(const Validation &validation, Grouping grouping)
{
    switch (grouping) {
    case Grouping::Source: break;
    case Grouping::Kind: return validation.kinds;
    case Grouping::Family: return validation.families;
    case Grouping::Accelerator: return validation.accelerators;
    case Grouping::Size: return validation.sizes;
    case Grouping::Parallelism: return validation.parallelisms;
    case Grouping::Precision: return validation.precisions;
    }
    return validation.sources;
}

RunWords wordsOf(const MeasuredRun &run, const RunConfiguration &configuration)
{
    const auto &setting = configuration.setting;
    return {run.source.key.empty() ? "own runs" : run.source.key, std::string(inWords(rangeGroupOf(setting))),
        std::string(toString(setting.machine.family)), run.accelerator,
        sizeClass(ParameterCounts::total(setting.architecture)), parallelismKind(configuration.layout),
        std::to_string(setting.precisionBits) + " bits"};
}

std::vector<RunPlace> placesOf(std::span<const MeasuredRun> runs)
{
    std::vector<RunPlace> places;
    places.reserve(runs.size());
    for (const auto &run : runs) {
        RunPlace place;
        if (const auto read = configurationFrom(run))
            place.words = wordsOf(run, *read);
        else
            place.skipped = read.error().message;
        places.push_back(std::move(place));
    }
    for (auto &[run, detail] : nameDetails(runs))
        places[run].nameDetail = detail;
    return places;
}

std::string ScoredFile::nameOf(std::size_t run) const
{
    const auto name = runName(file.runs.at(run));
    return run < places.size() ? name + places[run].nameDetail.string() : name;
}

const Validation *ScoredFile::scoreOf(std::string_view modelId) const
{
    const auto found = std::ranges::find(scores, modelId, &ModelScore::modelId);
    return found != scores.end() && found->validation ? &*found->validation : nullptr;
}

const NewSite *ScoredFile::newSiteOf(std::string_view modelId) const
{
    const auto found = std::ranges::find(scores, modelId, &ModelScore::modelId);
    return found != scores.end() ? found->newSite.get() : nullptr;
}

ScoredFile scoreAll(RunFile file, std::span<const std::string> modelIds, const detailed::Constants &constants,
    const NewSiteFinder &newSite, const std::stop_token &stop)
{
    ScoredFile scored{std::move(file), {}, {}};
    scored.places = placesOf(scored.file.runs);
    for (const auto &id : modelIds) {
        if (stop.stop_requested())
            break;
        auto validation = validate(scored.file.runs, id, constants);
        if (validation)
            countUnread(scored.file, *validation);
        auto site = validation && newSite ? newSite(*validation, scored.file.runs, stop) : nullptr;
        scored.scores.push_back({id, std::move(validation), std::move(site)});
    }
    return scored;
}

std::vector<GroupErrors> breakdown(
    const Validation &validation, std::span<const RunPlace> places, Grouping grouping, const NewSite *newSite)
{
    std::map<std::string_view, std::vector<double>> errors, leftOut;
    for (const auto &run : validation.runs)
        if (run.timed && run.run < places.size())
            errors[places[run.run][grouping]].push_back(run.error);
    for (const auto &range : newSite ? std::span(newSite->score.runs) : std::span<const ScoredRange>())
        if (const auto &run = validation.runs.at(range.run); range.leftOut && run.run < places.size())
            leftOut[places[run.run][grouping]].push_back(range.prediction / run.measured - 1.0);
    std::vector<GroupErrors> groups;
    for (const auto &[group, figures] : figuresBy(validation, grouping)) {
        GroupErrors made{.group = group, .figures = figures};
        if (auto found = errors.find(group); found != errors.end()) {
            std::ranges::sort(found->second);
            made.low = quantile(found->second, 0.1);
            made.middle = quantile(found->second, 0.5);
            made.high = quantile(found->second, 0.9);
        }
        if (const auto found = leftOut.find(group); found != leftOut.end())
            made.leftOutMedian = errorFigures(found->second).medianError;
        groups.push_back(std::move(made));
    }
    std::ranges::stable_sort(
        groups, std::greater(), [](const GroupErrors &group) { return group.figures.medianError; });
    return groups;
}

std::vector<std::size_t> byError(const Validation &validation)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < validation.runs.size(); ++i)
        if (validation.runs[i].timed)
            order.push_back(i);
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return std::abs(validation.runs[i].error); });
    return order;
}

std::vector<RankedRun> ranked(const Validation &validation, const RankGroup &group)
{
    std::vector<RankedRun> rows;
    for (const auto row : group.rows) {
        const auto &run = validation.runs.at(row);
        RankedRun made{row, 1, 1};
        for (const auto other : group.rows) {
            made.measuredPlace += validation.runs[other].measured < run.measured;
            made.predictedPlace += validation.runs[other].predicted < run.predicted;
        }
        rows.push_back(made);
    }
    std::ranges::stable_sort(rows, {}, &RankedRun::measuredPlace);
    return rows;
}

} // namespace fleetwright::validation
