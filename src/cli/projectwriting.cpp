// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/projectwriting.h"

#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/output.h"

#include <cmath>

namespace fleetwright::cli {

namespace {

constexpr double longestWait = 86'400; // seconds; who wants more has a reason to look

} // namespace

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
    return project;
}

} // namespace fleetwright::cli
