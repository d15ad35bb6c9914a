// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/openproject.h"

#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/output.h"

#include "units/editdistance.h"
#include "units/words.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace fleetwright::cli {

namespace {

constexpr double longestWait = 86'400; // seconds; who wants more has a reason to look

void tellAltered(const std::string &path, const storage::Project &project)
{
    static std::set<std::string> told; // a command may open it twice
    if (!told.insert(path).second)
        return;
    constexpr std::size_t most = 10;
    const auto &items = project.alteredItems();
    for (std::size_t i = 0; i < std::min(items.size(), most); ++i)
        complain(path, items[i].message);
    if (items.size() > most)
        complain(path, "and " + std::to_string(items.size() - most) + " more; \u201cproject check\u201d names all.");
}

} // namespace

Expected<std::unique_ptr<storage::Project>> openForReading(const std::string &path)
{
    needCoreApplication();
    auto project = storage::Project::open(QString::fromStdString(path), storage::OpenMode::ReadOnly);
    if (project)
        tellAltered(path, **project);
    return project;
}

void addWritingOptions(CLI::App &command, WritingOptions &options)
{
    command
        .add_option("--wait", options.wait,
            "Wait at most so long while another window or command has the project open for writing (default: 10)")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.0, longestWait));
    command.add_flag("--take-over", options.takeOver,
        "Write although a note on a network drive says that another computer has the project open; only when it does "
        "not any more");
}

Expected<std::unique_ptr<storage::Project>> openForWriting(const std::string &path, const WritingOptions &options)
{
    needCoreApplication();
    storage::Waiting waiting;
    waiting.forLock = std::chrono::milliseconds(std::llround(options.wait * 1000));
    waiting.forOthers = std::chrono::seconds(5);
    waiting.begun = [&](const QString &holder) {
        complain(path, "It is open for writing in " + holder.toStdString() + "; waiting for it to be closed.");
    };
    auto project = storage::Project::open(QString::fromStdString(path),
        options.takeOver ? storage::OpenMode::TakeOver : storage::OpenMode::ReadWrite, waiting);
    if (project && (*project)->isReadOnly())
        return refuse(ErrorCode::ReadOnly, path,
            "The project cannot be written. " + (*project)->readOnlyReason().toStdString()
                + ((*project)->mayBeTakenOver() ? " (--take-over takes it over.)" : ""));
    if (project)
        tellAltered(path, **project);
    if (const auto upgrade = project && options.tellsUpgrade ? (*project)->upgraded() : std::nullopt)
        complain(path,
            "Brought from file format " + std::to_string(upgrade->from) + " to " + std::to_string(upgrade->to)
                + "; the file as it was is kept: " + upgrade->backup.toStdString());
    return project;
}

Expected<PlanDocument> planOfProject(const std::string &path, const std::string &name)
{
    const auto project = openForReading(path);
    if (!project)
        return std::unexpected(project.error());
    auto plans = (*project)->plans();
    if (!plans)
        return std::unexpected(plans.error());
    std::vector<std::string> names;
    std::string all;
    for (auto &plan : *plans) {
        if (plan.document.name == name)
            return std::move(plan.document);
        names.push_back(plan.document.name);
        all += (all.empty() ? "" : ", ") + inQuotes(plan.document.name);
    }
    return refuse(ErrorCode::UnknownReference, "--plan",
        "The project has no plan " + inQuotes(name)
            + didYouMean(name, names, names.empty() ? "; it has none." : "; its plans are " + all + "."));
}

} // namespace fleetwright::cli
