// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/scoredmodel.h"

#include "cli/application.h"
#include "cli/openproject.h"
#include "exchange/validationdata.h"
#include "solver/models/detailed/constantrecords.h"
#include "storage/project.h"

namespace fleetwright::cli {

Expected<ProjectFacts> factsOf(const std::string &path)
{
    ProjectFacts facts;
    if (path.empty())
        return facts;
    needCoreApplication();
    const auto project = openForReading(path);
    if (!project)
        return std::unexpected(project.error());
    const auto catalog = (*project)->catalog();
    if (!catalog)
        return std::unexpected(catalog.error());
    const auto constants = detailed::constantsOf(*catalog), centre = detailed::uncalibratedConstantsOf(*catalog);
    if (!constants || !centre)
        return std::unexpected((constants ? centre : constants).error());
    const auto saved = (*project)->measuredRuns();
    if (!saved)
        return std::unexpected(saved.error());
    std::vector<validation::MeasuredRun> runs;
    for (const auto &run : *saved)
        runs.push_back(run.document);
    facts.constants = *constants;
    facts.site = validation::OwnSite::from(runs, *centre);
    return facts;
}

Expected<ScoredModel> scoreModel(
    const std::string &id, const validation::RunFile &file, const ProjectFacts &facts, const std::vector<int> &known)
{
    auto validation = validation::validate(file.runs, id, facts.constants);
    if (!validation)
        return std::unexpected(std::move(validation.error()));
    ScoredModel model{.validation = std::move(*validation), .newSite = {}, .fewShot = {}};
    validation::countUnread(file, model.validation);
    if (id != honestModel)
        return model;
    // A project without constants or runs of its own predicts as the program does.
    model.newSite = facts.site || facts.constants != detailed::Constants()
        ? exchange::projectNewSite(model.validation, file.runs, facts.site ? &*facts.site : nullptr)
        : exchange::shippedNewSite(model.validation, file.runs);
    if (!known.empty()) {
        auto figures = validation::fewShot(
            validation::fewShotRuns(model.validation, file.runs, exchange::shippedRangeTable(), facts.constants),
            known);
        if (!figures)
            return std::unexpected(std::move(figures.error()));
        model.fewShot = std::move(*figures);
    }
    return model;
}

} // namespace fleetwright::cli
