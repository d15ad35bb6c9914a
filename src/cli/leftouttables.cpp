// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/leftouttables.h"

#include <algorithm>

namespace fleetwright::cli {

std::vector<std::vector<std::string>> leftOutRows(const std::vector<ScoredModel> &models, bool ownRuns)
{
    std::vector<std::vector<std::string>> rows;
    const auto known = [](const ScoredModel &model) { return model.leftOut && !model.leftOut->runs.empty(); };
    if (!std::ranges::any_of(models, known))
        return rows;
    const auto add = [&](const std::string &title, auto value) {
        rows.push_back({title});
        for (const auto &model : models)
            rows.back().push_back(known(model) ? value(*model.leftOut) : std::string("-"));
    };
    const std::string which = ownRuns ? "With the project's runs" : "Source left out";
    add(which + ": median error, mean over sources [%]",
        [](const validation::LeftOutScore &score) { return percent(score.macroMedianError); });
    add(which + ": mean error, mean over sources [%]",
        [](const validation::LeftOutScore &score) { return percent(score.macroMeanError); });
    if (!ownRuns)
        add("Runs whose source was left out of the fit", [](const validation::LeftOutScore &score) {
            return std::to_string(score.leftOut) + " of " + std::to_string(score.runs.size());
        });
    add("In their 80 % range, mean over sources [%]",
        [](const validation::LeftOutScore &score) { return percent(score.coverage.mean); });
    add("In their 80 % range, worst quarter of sources [%]",
        [](const validation::LeftOutScore &score) { return percent(score.coverage.worstQuarter); });
    add("In their 80 % range, a quarter of sources below [%]",
        [](const validation::LeftOutScore &score) { return percent(score.coverage.quartile); });
    return rows;
}

Table fewShotTable(const std::map<int, validation::FewShotFigures> &figures)
{
    Table table{{{"Known runs", true}, {"Median [%]", true}, {"Mean [%]", true}, {"In range [%]", true},
                    {"Range +- [%]", true}, {"Sources", true}},
        {}};
    for (const auto &[known, figure] : figures) {
        const bool any = figure.sources > 0;
        table.rows.push_back({std::to_string(known), any ? percent(figure.median) : "-",
            any ? percent(figure.mean) : "-", any ? percent(figure.covered) : "-",
            any ? percent(std::exp(figure.halfWidth) - 1) : "-", std::to_string(figure.sources)});
    }
    return table;
}

Table leftOutTable(const ScoredModel &model, bool ownRuns)
{
    const std::string which = ownRuns ? "Project's runs" : "Left out";
    Table table{{{"Source"}, {"Runs", true}, {which + ": median [%]", true}, {"Mean [%]", true}, {"In range [%]", true},
                    {"Range +- [%]", true}, {"As predicted: median [%]", true}, {"Mean [%]", true},
                    {"90 % within [%]", true}, {"Bias [%]", true}},
        {}};
    for (const auto &[source, left] : model.leftOut->sources) {
        const auto fitted = model.validation.sources.find(source);
        const auto covered = std::ranges::find_if(model.leftOut->coverage.sources,
            [&](const auto &of) { return of.source == source || (of.source.empty() && source == "own runs"); });
        if (fitted == model.validation.sources.end() || covered == model.leftOut->coverage.sources.end())
            continue;
        const auto &figures = fitted->second;
        table.rows.push_back({source, std::to_string(left.count), percent(left.medianError), percent(left.meanError),
            percent(covered->covered), percent(std::exp(covered->halfWidth) - 1), percent(figures.medianError),
            percent(figures.meanError), percent(figures.p90Error), signedPercent(figures.bias)});
    }
    return table;
}

} // namespace fleetwright::cli
