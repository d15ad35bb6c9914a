// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/arguments.h"
#include "cli/costscores.h"
#include "cli/input.h"
#include "cli/leftouttables.h"
#include "cli/output.h"
#include "cli/publishedchoices.h"

#include "cli/jsonlines.h"
#include "exchange/validationdata.h"
#include "units/columns.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace fleetwright::cli {

namespace {

using Json = nlohmann::ordered_json;
using validation::ErrorFigures;
using validation::ScoredRun;
using validation::Validation;

constexpr int mostMisses = 1'000'000;
constexpr int mostKnownRuns = 1000;

enum class Grouping { Source, Kind, Accelerator, Family, Size, Parallelism, Precision };

struct ValidateOptions {
    std::string file;
    std::vector<std::string> models;
    Grouping by = Grouping::Source;
    std::size_t worst = 0;
    bool publishedChoices = false;
    bool costs = false;
    std::string project;
    std::vector<int> fewShot; ///< numbers of known runs
    Output output;
};

using validation::RunFile;

std::string percent(const std::optional<double> &share) { return share ? cli::percent(*share) : "-"; }

const std::map<std::string, ErrorFigures> &breakdown(const Validation &validation, Grouping by)
{
    switch (by) {
    case Grouping::Source: return validation.sources;
    case Grouping::Accelerator: return validation.accelerators;
    case Grouping::Kind: return validation.kinds;
    case Grouping::Family: return validation.families;
    case Grouping::Size: return validation.sizes;
    case Grouping::Parallelism: return validation.parallelisms;
    case Grouping::Precision: return validation.precisions;
    }
    return validation.sources;
}

std::string_view titleOf(Grouping by)
{
    switch (by) {
    case Grouping::Source: return "Source";
    case Grouping::Accelerator: return "Accelerator";
    case Grouping::Kind: return "Kind";
    case Grouping::Family: return "Family";
    case Grouping::Size: return "Parameters";
    case Grouping::Parallelism: return "Parallelism";
    case Grouping::Precision: return "Precision";
    }
    return {};
}

std::string modelName(const Validation &validation)
{
    return validation.costModelId + " " + validation.costModelVersion;
}

std::size_t groupsOf(const Validation &validation, bool singleNode)
{
    return std::size_t(std::ranges::count(validation.groups, singleNode, &validation::RankGroup::singleNode));
}

/// One line per figure, one column per cost model.
Table summaryOf(const std::vector<ScoredModel> &models)
{
    Table table{{{"Figure"}}, leftOutRows(models)};
    for (const auto &model : models)
        table.columns.push_back({modelName(model.validation), true});
    const auto add = [&](const std::string &title, auto text) {
        table.rows.push_back({title});
        for (const auto &model : models)
            table.rows.back().push_back(text(model.validation));
    };
    const auto figure = [&](const std::string &title, auto value) {
        add(title,
            [&](const Validation &validation) { return validation.priced > 0 ? value(validation) : std::string("-"); });
    };
    add("Runs scored", [](const Validation &validation) {
        return std::to_string(validation.priced) + " of " + std::to_string(validation.rows);
    });
    add("Sources", [](const Validation &validation) { return std::to_string(validation.sources.size()); });
    figure("Median error, mean over sources [%]",
        [](const Validation &validation) { return percent(validation.macroMedianError); });
    figure("Mean error, mean over sources [%]",
        [](const Validation &validation) { return percent(validation.macroMeanError); });
    figure("Median error, all runs [%]",
        [](const Validation &validation) { return percent(validation.overall.medianError); });
    figure(
        "Mean error, all runs [%]", [](const Validation &validation) { return percent(validation.overall.meanError); });
    figure("90 % of runs are within [%]",
        [](const Validation &validation) { return percent(validation.overall.p90Error); });
    figure("Bias, + is predicted too slow [%]",
        [](const Validation &validation) { return signedPercent(validation.overall.bias); });
    for (const bool single : {false, true}) {
        const std::string where = single ? "one node" : "several nodes";
        const auto tau = [single](const Validation &validation) {
            const auto value = validation.kendallTauOf(single);
            return value ? units::threeDigits(*value) + " (" + std::to_string(groupsOf(validation, single)) + ")"
                         : std::string("-");
        };
        add("Kendall tau, " + where + " (groups)", tau);
        add("Regret of the favourite, " + where + " [%]",
            [single](const Validation &validation) { return percent(validation.regretOf(single)); });
    }
    add("Memory: median error, mean over sources [%]", [](const Validation &validation) {
        return validation.memory.sources.empty() ? std::string("-") : percent(validation.memory.macroMedianError);
    });
    add("Out of memory, foreseen", [](const Validation &validation) {
        return validation.memory.verdicts > 0
            ? std::to_string(validation.memory.verdictsRight) + " of " + std::to_string(validation.memory.verdicts)
            : std::string("-");
    });
    return table;
}

/// Error figures of one model by group.
Table groupsTable(const Validation &validation, Grouping by)
{
    Table table{{{std::string(titleOf(by))}, {"Runs", true}, {"Median [%]", true}, {"Mean [%]", true},
                    {"90 % within [%]", true}, {"Bias [%]", true}},
        {}};
    for (const auto &[name, figures] : breakdown(validation, by))
        table.rows.push_back({name, std::to_string(figures.count), percent(figures.medianError),
            percent(figures.meanError), percent(figures.p90Error), signedPercent(figures.bias)});
    return table;
}

/// Median error by group, one column per cost model; the runs each could price differ, so their number stands beside
/// it.
Table groupsSideBySide(const std::vector<ScoredModel> &models, Grouping by)
{
    Table table{{{std::string(titleOf(by))}}, {}};
    std::map<std::string, std::vector<std::string>> lines;
    for (const auto &[validation, newSite, fewShot] : models) {
        table.columns.push_back({validation.costModelId + " [%] (runs)", true});
        for (const auto &entry : breakdown(validation, by))
            lines[entry.first];
    }
    for (auto &[name, cells] : lines) {
        cells.push_back(name);
        for (const auto &[validation, newSite, fewShot] : models) {
            const auto &groups = breakdown(validation, by);
            const auto found = groups.find(name);
            cells.push_back(found == groups.end()
                    ? "-"
                    : percent(found->second.medianError) + " (" + std::to_string(found->second.count) + ")");
        }
        table.rows.push_back(cells);
    }
    return table;
}

/// The largest misses first.
std::vector<const ScoredRun *> worstOf(const Validation &validation, std::size_t count)
{
    std::vector<const ScoredRun *> timed;
    for (const auto &scored : validation.runs)
        if (scored.timed)
            timed.push_back(&scored);
    std::ranges::stable_sort(timed, std::ranges::greater(), [](const auto *scored) { return std::abs(scored->error); });
    timed.resize(std::min(count, timed.size()));
    return timed;
}

/// The first few runs for each reason.
void writeNotScored(const Validation &validation, const RunFile &file)
{
    constexpr std::size_t most = 3;
    std::map<std::string_view, std::vector<std::string_view>> ids;
    for (const auto &[run, reason] : validation.notScored)
        ids[reason].push_back(file.runs[run].id);
    for (const auto &[reason, runs] : ids) {
        std::cout << "    " << reason << ':';
        for (const auto id : std::span(runs).first(std::min(most, runs.size())))
            std::cout << ' ' << id;
        if (runs.size() > most)
            std::cout << " and " << runs.size() - most << " more";
        std::cout << '\n';
    }
    if (std::ranges::any_of(ids, [](const auto &entry) { return entry.second.size() > most; }))
        std::cout << "    --format json and csv list every row.\n";
}

/// What was expected of the rows that are no runs; the first of them where there are many.
void writeUnread(const RunFile &file)
{
    constexpr std::size_t most = 20;
    if (file.unread.empty())
        return;
    std::cout << "\nRows that could not be read\n";
    for (const auto &row : std::span(file.unread).first(std::min(most, file.unread.size())))
        std::cout << "    " << validation::inWords(row) << '\n';
    if (file.unread.size() > most)
        std::cout << "    and " << file.unread.size() - most << " more; --format json lists all.\n";
}

void writeText(const ValidateOptions &options, const RunFile &file, const std::vector<ScoredModel> &models)
{
    const auto &runs = file.runs;
    for (const auto &model : models)
        writeNewSite(std::cout, model);
    writeAligned(std::cout, summaryOf(models));
    std::cout << '\n';
    const auto &first = models.front();
    const bool leftOut = first.newSite && !first.newSite->score.runs.empty() && options.by == Grouping::Source;
    writeAligned(std::cout,
        models.size() > 1 ? groupsSideBySide(models, options.by)
            : leftOut     ? leftOutTable(first)
                          : groupsTable(first.validation, options.by));
    if (models.size() > 1)
        std::cout << "Medians. Each model is scored on the runs that it can price.\n";
    for (const auto &model : models)
        if (model.fewShot) {
            std::cout << "\nWhat a few known runs of a source do for its others\n";
            writeAligned(std::cout, fewShotTable(*model.fewShot));
        }
    for (const auto &model : models) {
        const auto &validation = model.validation;
        std::cout << "\nNot scored" << (models.size() > 1 ? " by " + validation.costModelId : "") << ": ";
        std::string reasons;
        for (const auto &[reason, count] : validation.skipped)
            reasons += (reasons.empty() ? "" : "; ") + std::to_string(count) + " " + reason;
        std::cout << (reasons.empty() ? "none" : reasons) << ".\n";
        writeNotScored(validation, file);
        if (options.worst > 0)
            std::cout << "\nLargest misses of " << modelName(validation) << '\n';
        for (const auto *scored : worstOf(validation, options.worst)) {
            const auto &run = runs[scored->run];
            std::cout << '\n' << run.id << " (" << (run.source.key.empty() ? "own runs" : run.source.key) << ")\n";
            for (const auto &sentence : explainMiss(run, *scored, validation))
                std::cout << "    " << sentence << '\n';
        }
    }
    writeUnread(file);
}

Table csvOf(const RunFile &file, const std::vector<ScoredModel> &models)
{
    const auto &runs = file.runs;
    Table table{{{"cost_model"}, {"cost_model_version"}, {"id"}, {"source"}, {"accelerator"}, {"n_gpus"}, {"model"},
                    {"measured.step_time_s"}, {"predicted.step_time_s"}, {"error"}, {"predicted.mfu"},
                    {"measured.memory.total_bytes"}, {"predicted.memory.total_bytes"}, {"out_of_memory"},
                    {"predicted_fits"}, {"range.low_s"}, {"range.high_s"}, {"range.middle_s"}, {"not_scored"}},
        {}};
    for (const auto &model : models) {
        const auto &validation = model.validation;
        std::map<std::size_t, const validation::ScoredRange *> ranges;
        if (model.newSite)
            for (const auto &range : model.newSite->score.runs)
                ranges.emplace(validation.runs[range.run].run, &range);
        std::map<std::size_t, std::string_view> reasons;
        for (const auto &[run, reason] : validation.notScored)
            reasons.emplace(run, reason);
        for (const auto &scored : validation.runs) {
            std::string reason;
            if (const auto found = reasons.find(scored.run); found != reasons.end()) { // its memory was scored
                reason = found->second;
                reasons.erase(found);
            }
            const auto &run = runs[scored.run];
            const auto exactly = [](bool known, double value) { return known ? units::exact(value) : std::string(); };
            const auto memory = [](const std::optional<Bytes> &bytes) {
                return bytes ? units::exact(bytes->value()) : std::string();
            };
            const auto verdict = [](const std::optional<bool> &flag) {
                return flag ? std::string(*flag ? "true" : "false") : std::string();
            };
            const auto found = ranges.find(scored.run);
            const auto ranged = [&](Seconds validation::ScoredRange::*end) {
                return found == ranges.end() ? std::string() : units::exact((found->second->*end).value());
            };
            table.rows.push_back({validation.costModelId, validation.costModelVersion, run.id, run.source.key,
                run.accelerator, run.accelerators ? std::to_string(*run.accelerators) : "", run.model.name,
                exactly(scored.timed, scored.measured.value()), exactly(scored.timed, scored.predicted.value()),
                exactly(scored.timed, scored.error), exactly(scored.timed, scored.mfu), memory(scored.measuredMemory),
                memory(scored.predictedMemory), verdict(scored.ranOutOfMemory), verdict(scored.predictedFits),
                ranged(&validation::ScoredRange::low), ranged(&validation::ScoredRange::high),
                ranged(&validation::ScoredRange::prediction), reason});
        }
        const auto addUnscored = [&](const std::string &id, const std::string &source, std::string reason) {
            std::vector<std::string> cells(table.columns.size());
            cells[0] = validation.costModelId;
            cells[1] = validation.costModelVersion;
            cells[2] = id;
            cells[3] = source;
            cells.back() = std::move(reason);
            table.rows.push_back(std::move(cells));
        };
        for (const auto &[run, reason] : reasons)
            addUnscored(runs[run].id, runs[run].source.key, std::string(reason));
        for (const auto &row : file.unread)
            addUnscored(row.id, "", inWords(row));
    }
    return table;
}

Json jsonOf(const ValidateOptions &options, const RunFile &file, const ScoredModel &model,
    const std::optional<validation::OwnSite> &site)
{
    const auto &validation = model.validation;
    auto json = exchange::validationToJson(validation, file,
        {.newSite = model.newSite.get(),
            .fewShot = model.fewShot ? &*model.fewShot : nullptr,
            .site = model.newSite && site ? &*site : nullptr});
    if (options.worst == 0)
        return json;
    json["worst"] = Json::array();
    for (const auto *scored : worstOf(validation, options.worst))
        json["worst"].push_back({{"id", scored->id}, {"error", scored->error},
            {"explanation", explainMiss(file.runs[scored->run], *scored, validation)}});
    return json;
}

void printScores(const ValidateOptions &options, const RunFile &file, const std::vector<ScoredModel> &models,
    const ProjectFacts &facts)
{
    switch (options.output.format) {
    case Format::Table: writeText(options, file, models); break;
    case Format::Csv:
        if (models.front().fewShot)
            writeCsv(std::cout, fewShotTable(*models.front().fewShot));
        else
            writeCsv(std::cout, csvOf(file, models));
        break;
    case Format::Json: {
        Json json = jsonOf(options, file, models.front(), facts.site);
        if (models.size() > 1) {
            json = {{"models", Json::array()}};
            for (const auto &model : models)
                json["models"].push_back(jsonOf(options, file, model, facts.site));
        }
        printJson(json);
    }
    }
}

ExitStatus runValidate(const ValidateOptions &options)
{
    if (options.publishedChoices)
        return rankPublishedChoices(options.output.format);
    if (options.costs)
        return scoreCosts(options.output.format, options.project);
    auto ids = options.models;
    if (ids.empty())
        ids.emplace_back("detailed");
    for (const auto &id : ids)
        if (const auto model = findCostModel(id); !model) {
            complain("", model.error().message);
            return ExitStatus::Usage;
        }
    const auto file = readMeasuredRuns(options.file);
    const std::string subject = options.file == "-" ? "standard input" : options.file;
    if (!file) {
        complain(subject, file.error());
        return statusOf(file.error());
    }
    if (!options.fewShot.empty() && ids.front() != honestModel) {
        complain("--few-shot", "Only the cost model detailed learns from known runs; name it first.");
        return ExitStatus::Usage;
    }
    const auto facts = factsOf(options.project);
    if (!facts) {
        complain(options.project, facts.error());
        return statusOf(facts.error());
    }
    std::vector<ScoredModel> models;
    for (const auto &id : ids) {
        auto model = scoreModel(id, *file, *facts, options.fewShot);
        if (!model) {
            complain(subject, model.error());
            return statusOf(model.error());
        }
        models.push_back(std::move(*model));
    }
    printScores(options, *file, models, *facts);
    if (const auto readable = validation::requireRun(*file); !readable) {
        complain(subject, readable.error());
        return statusOf(readable.error());
    }
    const bool any = std::ranges::any_of(
        models, [](const ScoredModel &model) { return !model.validation.runs.empty(); });
    if (!any)
        complain(subject, "No run could be scored; the answer says why.");
    return any ? ExitStatus::Done : ExitStatus::NothingFeasible;
}

} // namespace

void addValidateCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand(
        "validate", "Predicted against measured: score cost models on published or own training runs");
    const auto options = std::make_shared<ValidateOptions>();
    auto *file =
        command
            ->add_option("FILE", options->file,
                "Measured runs, JSON or CSV, or - for standard input (default: the runs that come with the program)")
            ->type_name(fileType);
    auto *models = command
                       ->add_option("--cost-model", options->models,
                           "Score this cost model; repeat for several side by side (default: detailed)")
                       ->check(usually(costModelIds()))
                       ->type_name("ID");
    addChoice<Grouping>(*command, "--by", options->by,
        {{"source", Grouping::Source}, {"kind", Grouping::Kind}, {"accelerator", Grouping::Accelerator},
            {"family", Grouping::Family}, {"size", Grouping::Size}, {"parallelism", Grouping::Parallelism},
            {"precision", Grouping::Precision}},
        "Break the errors down by source, kind of run, accelerator, family, size, parallelism or precision")
        ->type_name("WHAT");
    auto *worst = command->add_option("--worst", options->worst, "Explain the N largest misses row by row")
                      ->type_name("N")
                      ->check(wholeNumber(0, mostMisses));
    auto *fewShot = command
                        ->add_option("--few-shot", options->fewShot,
                            "What this many known runs of a source do for its others: 0,1,3,5,10")
                        ->type_name("K,...")
                        ->delimiter(',')
                        ->check(wholeNumber(0, mostKnownRuns));
    auto *project = command
                        ->add_option("--project", options->project,
                            "Score as this project predicts: with its constants and the measured runs that it holds")
                        ->type_name("FILE");
    auto *costs =
        command
            ->add_flag("--costs", options->costs,
                "Instead: what the worksheet says for published powers, energies, purchases and interruptions")
            ->excludes(file)
            ->excludes(models)
            ->excludes(worst)
            ->excludes(fewShot);
    command
        ->add_flag("--published-choices", options->publishedChoices,
            "Instead: search every layout of runs whose layout was published, and rank the published one")
        ->excludes(file)
        ->excludes(models)
        ->excludes(worst)
        ->excludes(fewShot)
        ->excludes(project)
        ->excludes(costs);
    addOutputOptions(*command, options->output);
    command->footer(
        "First come the errors on sources that the constants had not seen (each source left out, everything "
        "fitted again),\nthen those of the constants of the program. "
        "Errors are relative to the measured step time; json and csv hold fractions, seconds and bytes. "
        "Several cost models make\n"
        "json {\"models\": [...]}. csv prints a line per row; those without a score say why. "
        "The handbook (validation.md) describes files, "
        "scores and how runs are read.\n"
        "Exit status: 0 a run was scored; 2 usage; 3 a file that is not understood; 4 no run could be "
        "scored; 5 a file that cannot be read.");
    addExamples(*command,
        {"validate --worst 3", "validate --costs", "validate --few-shot 0,1,3,5,10",
            "validate runs.csv --cost-model detailed --cost-model first-order"});
    command->callback(
        [options, &chosen] { chosen = printing(options->output, [options] { return runValidate(*options); }); });
}

} // namespace fleetwright::cli
