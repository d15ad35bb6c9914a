// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/leftouttables.h"

#include <algorithm>
#include <ostream>

namespace fleetwright::cli {

namespace {

bool isKnown(const ScoredModel &model) { return model.newSite && !model.newSite->score.runs.empty(); }

/// As short as a title must be.
std::string evidenceTitle(validation::Evidence evidence)
{
    switch (evidence) {
    case validation::Evidence::LeftOut:
    case validation::Evidence::Partly: return "Source left out";
    case validation::Evidence::AsPredicted: return "No left-out error known";
    case validation::Evidence::OwnRuns: return "With the project's runs";
    }
    return {};
}

} // namespace

void writeNewSite(std::ostream &out, const ScoredModel &model)
{
    if (!isKnown(model))
        return;
    const auto &site = *model.newSite;
    const auto say = [&](const std::string &sentence) {
        if (!sentence.empty())
            out << sentence << '\n';
    };
    say(errorInWords(site));
    say(fittedInWords(site, model.validation));
    if (site.levels) {
        Table table{{{"Where errors arise"}, {"+- [%]", true}, {""}}, {}};
        for (const auto &level : levelsInWords(*site.levels))
            table.rows.push_back(
                {std::string(level.name), percent(std::exp(level.deviation) - 1), std::string(level.meaning)});
        out << '\n';
        writeAligned(out, table);
        out << '\n';
    }
    say(coverageInWords(site.score.coverage));
    if (site.production.inFile > 0) {
        say(productionInWords(site.production));
        say(validation::claimsInWords());
    }
    out << '\n';
}

std::vector<std::vector<std::string>> leftOutRows(const std::vector<ScoredModel> &models)
{
    std::vector<std::vector<std::string>> rows;
    const auto first = std::ranges::find_if(models, isKnown);
    if (first == models.end())
        return rows;
    const auto add = [&](const std::string &title, auto value) {
        rows.push_back({title});
        for (const auto &model : models)
            rows.back().push_back(isKnown(model) ? value(model.newSite->score) : std::string("-"));
    };
    const auto evidence = first->newSite->evidence();
    const std::string which = evidenceTitle(evidence);
    add(which + ": median error, mean over sources [%]",
        [](const validation::LeftOutScore &score) { return percent(score.macroMedianError); });
    add(which + ": mean error, mean over sources [%]",
        [](const validation::LeftOutScore &score) { return percent(score.macroMeanError); });
    if (evidence != validation::Evidence::OwnRuns)
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

Table leftOutTable(const ScoredModel &model)
{
    const auto evidence = model.newSite->evidence();
    const std::string which = evidence == validation::Evidence::OwnRuns ? "Project's runs"
        : evidence == validation::Evidence::AsPredicted                 ? "For the range"
                                                                        : "Left out";
    const auto &score = model.newSite->score;
    Table table{{{"Source"}, {"Runs", true}, {which + ": median [%]", true}, {"Mean [%]", true}, {"In range [%]", true},
                    {"Range +- [%]", true}, {"As predicted: median [%]", true}, {"Mean [%]", true},
                    {"90 % within [%]", true}, {"Bias [%]", true}},
        {}};
    for (const auto &[source, left] : score.sources) {
        const auto fitted = model.validation.sources.find(source);
        const auto covered = std::ranges::find_if(score.coverage.sources,
            [&](const auto &of) { return of.source == source || (of.source.empty() && source == "own runs"); });
        if (fitted == model.validation.sources.end() || covered == score.coverage.sources.end())
            continue;
        const auto &figures = fitted->second;
        table.rows.push_back({source, std::to_string(left.count), percent(left.medianError), percent(left.meanError),
            percent(covered->covered), percent(std::exp(covered->halfWidth) - 1), percent(figures.medianError),
            percent(figures.meanError), percent(figures.p90Error), signedPercent(figures.bias)});
    }
    return table;
}

} // namespace fleetwright::cli
