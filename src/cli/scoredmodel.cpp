// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/scoredmodel.h"

#include "cli/application.h"
#include "cli/openproject.h"
#include "cli/progressline.h"
#include "exchange/validationdata.h"
#include "solver/models/detailed/constantrecords.h"
#include "storage/project.h"
#include "units/format.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace fleetwright::cli {

namespace {

/// Says on a terminal how far the scoring of many runs is. Ctrl+C ends the program then: it has written nothing.
class ScoringLine {
public:
    ScoringLine(const std::string &model, std::size_t total)
        : m_thread([this, model, total](const std::stop_token &stop) { show(model, total, stop); })
    {
    }
    std::atomic<std::size_t> *done() { return &m_done; }

private:
    void show(const std::string &model, std::size_t total, const std::stop_token &stop)
    {
        constexpr auto pause = std::chrono::milliseconds(200);
        ProgressLine line;
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any changed;
        while (line.isShown() && !stop.stop_requested()) {
            changed.wait_for(lock, stop, pause, [] { return false; });
            if (!stop.stop_requested())
                line.show("Scoring " + model + ": " + units::formatPercent(double(m_done) / double(total)));
        }
    }

    std::atomic<std::size_t> m_done = 0;
    std::jthread m_thread;
};

} // namespace

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
    runs.reserve(saved->size());
    for (const auto &run : *saved)
        runs.push_back(run.document);
    facts.constants = *constants;
    facts.site = validation::OwnSite::from(runs, *centre);
    return facts;
}

Expected<ScoredModel> scoreModel(
    const std::string &id, const validation::RunFile &file, const ProjectFacts &facts, const std::vector<int> &known)
{
    std::optional<ScoringLine> line(std::in_place, id, file.runs.size());
    auto validation = validation::validate(file.runs, id, facts.constants, {}, line->done());
    line.reset();
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
