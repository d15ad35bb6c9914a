// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/startdescription.h"

#include "exchange/commandline/completion.h"
#include "exchange/commandline/manualpages.h"

namespace fleetwright::app {

using namespace Qt::StringLiterals;

exchange::Command describedStart(
    const QString &summary, const QList<QCommandLineOption> &options, const QList<std::pair<QString, QString>> &files)
{
    exchange::Command command;
    command.name = "fleetwright";
    command.summary = summary.toStdString();
    for (const auto &option : options) {
        if (option.flags() & QCommandLineOption::HiddenFromHelp)
            continue;
        exchange::CommandOption described;
        for (const auto &name : option.names())
            described.names.push_back((name.size() == 1 ? u"-"_s + name : u"--"_s + name).toStdString());
        described.value = option.valueName().toStdString();
        described.meaning = option.description().toStdString();
        command.options.push_back(std::move(described));
    }
    for (const auto &[name, meaning] : files)
        command.arguments.push_back({.names = {name.toUpper().toStdString()},
            .meaning = meaning.toStdString(),
            .completes = exchange::Completes::Files});
    command.arguments.back().repeats = true;
    command.notes = {"Files are known by their content; their order does not matter. Without any, the window opens on "
                     "its start page.",
        "Options of Qt, such as -platform offscreen or -style fusion, are taken as well."};
    command.exitStatus = {"0 the window was closed, or one that was open already took the files; 2 usage."};
    command.examples = {
        "fleetwright my.fleetwright", "fleetwright my.fleetwright plan.yaml runs.csv", "fleetwright --sample"};
    return command;
}

std::optional<std::string> describedAs(const exchange::Command &command, const QString &form)
{
    if (form == u"manual"_s)
        return exchange::manualPages(command, {FLEETWRIGHT_VERSION, FLEETWRIGHT_RELEASE_DATE, {"fleetwright-cli"}})
            .front()
            .text;
    const auto shell = exchange::findShell(form.toStdString());
    return shell ? std::optional(exchange::completionScript(command, *shell)) : std::nullopt;
}

} // namespace fleetwright::app
