// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/projectversions.h"

#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/interrupt.h"
#include "cli/jsonlines.h"
#include "cli/openproject.h"
#include "cli/progressline.h"

#include "storage/damagedproject.h"
#include "storage/project.h"
#include "storage/salvage.h"
#include "storage/versions.h"

#include <QFileInfo>

#include <iostream>

namespace fleetwright::cli {

namespace {

struct VersionOptions {
    std::string path;
    std::string version;
    std::string target;
    WritingOptions writing;
    Output output;
};

ExitStatus refused(const std::string &subject, const Error &error)
{
    complain(subject, error);
    return statusOf(error);
}

ExitStatus listVersions(const VersionOptions &options)
{
    needCoreApplication();
    const auto path = QString::fromStdString(options.path);
    const auto versions = storage::versionsOf(path);
    if (versions.empty() && !QFileInfo::exists(path))
        return refused(options.path,
            {ErrorCode::IoError, options.path,
                "There is neither such a project nor an earlier version of it; check the name."});
    Table table{{{"number", true}, {"saved_at"}, {"reason"}, {"bytes", true}, {"file"}}, {}};
    Json list = Json::array();
    for (std::size_t i = 0; i < versions.size(); ++i) {
        const auto &version = versions[i];
        const auto savedAt = version.savedAt.toString(Qt::ISODate).toStdString(),
                   reason = version.reason.toStdString()
            + (version.ofAnother ? " (of another project of that name)" : ""),
                   file = QFileInfo(version.path).fileName().toStdString();
        table.rows.push_back({std::to_string(i + 1), savedAt, reason, std::to_string(version.bytes), file});
        list.push_back({{"number", i + 1}, {"saved_at", savedAt}, {"reason", version.reason.toStdString()},
            {"bytes", version.bytes}, {"file", version.path.toStdString()}, {"of_another_project", version.ofAnother}});
    }
    switch (options.output.format) {
    case Format::Json: printJson(Json{{"file", options.path}, {"versions", list}}); break;
    case Format::Csv: writeCsv(std::cout, table); break;
    case Format::Table:
        if (versions.empty())
            std::cout << options.path << " has no earlier versions.\n";
        else
            writeAligned(std::cout, table);
    }
    return ExitStatus::Done;
}

/// By its number in the list or by the name of its file.
Expected<storage::Version> chosenVersion(const VersionOptions &options)
{
    const auto versions = storage::versionsOf(QString::fromStdString(options.path));
    const auto named = QString::fromStdString(options.version);
    bool isNumber = false;
    const auto number = named.toUInt(&isNumber);
    if (isNumber && number >= 1 && number <= versions.size())
        return versions[number - 1];
    for (const auto &version : versions)
        if (version.path == named || QFileInfo(version.path).fileName() == named)
            return version;
    return refuse(ErrorCode::UnknownReference, "VERSION",
        "There is no version \u201c" + options.version + "\u201d; \u201cfleetwright-cli project versions\u201d lists "
            + std::to_string(versions.size()) + ".");
}

ExitStatus restoreVersion(const VersionOptions &options)
{
    needCoreApplication();
    const auto version = chosenVersion(options);
    if (!version)
        return refused(options.path, version.error());
    const auto project = openForWriting(options.path, options.writing);
    if (!project && project.error().code == ErrorCode::Damaged) {
        const auto kept = storage::restoreDamaged(QString::fromStdString(options.path), version->path);
        if (!kept)
            return refused(options.path, kept.error());
        std::cout << "Restored " << options.path << " from " << QFileInfo(version->path).fileName().toStdString()
                  << "; the damaged file is kept as " << kept->toStdString() << ".\n";
        return ExitStatus::Done;
    }
    if (!project)
        return refused(options.path, project.error());
    if (const auto done = (*project)->restoreVersion(version->path); !done)
        return refused(options.path, done.error());
    std::cout << "Restored " << options.path << " from " << QFileInfo(version->path).fileName().toStdString()
              << "; the state before is kept as a version, too.\n";
    return ExitStatus::Done;
}

ExitStatus salvage(const VersionOptions &options)
{
    const Interrupt interrupt;
    needCoreApplication();
    const auto report = [&] {
        ProgressLine line;
        const auto show = [&line](int percent) { line.show("Reading pages: " + std::to_string(percent) + " %"); };
        return storage::salvageProject(QString::fromStdString(options.path), QString::fromStdString(options.target),
            {.stop = interrupt.token(), .progress = show});
    }();
    if (!report)
        return refused(options.path, report.error());
    Table table{{{"what"}, {"saved", true}, {"lost", true}}, {}};
    Json kinds = Json::array();
    for (const auto &kind : report->kinds) {
        table.rows.push_back({kind.what, std::to_string(kind.saved), std::to_string(kind.lost)});
        kinds.push_back({{"what", kind.what}, {"saved", kind.saved}, {"lost", kind.lost}});
    }
    switch (options.output.format) {
    case Format::Json:
        printJson(Json{{"file", options.target}, {"complete", report->complete()}, {"kinds", kinds},
            {"sentences", report->sentences}});
        break;
    case Format::Csv: writeCsv(std::cout, table); break;
    case Format::Table:
        std::cout << "Saved in " << options.target
                  << (report->complete() ? ": everything; nothing was damaged that matters.\n" : ":\n");
        writeAligned(std::cout, table);
        for (const auto &sentence : report->sentences)
            std::cout << sentence << '\n';
    }
    return report->complete() ? ExitStatus::Done : ExitStatus::InvalidInput;
}

ExitStatus accept(const VersionOptions &options)
{
    needCoreApplication();
    const auto project = openForWriting(options.path, options.writing);
    if (!project)
        return refused(options.path, project.error());
    const auto items = (*project)->alteredItems();
    if (const auto done = (*project)->acceptAlteredItems(); !done)
        return refused(options.path, done.error());
    for (const auto &item : items)
        std::cout << "Accepted as it stands: " << item.field << '\n';
    if (items.empty())
        std::cout << options.path << ": nothing was altered.\n";
    return ExitStatus::Done;
}

} // namespace

void addProjectVersionCommands(CLI::App &project, Action &chosen)
{
    const auto options = std::make_shared<VersionOptions>();

    auto *listing = project.add_subcommand("versions",
        "List the earlier states of a project, newest first: kept before a new format, imports, calibrations and other "
        "changes of many items, ten at most");
    listing->add_option("FILE", options->path, "The project file")->type_name(fileType)->required();
    addOutputOptions(*listing, options->output);
    addExamples(*listing, {"project versions my.fleetwright"});
    listing->callback(
        [options, &chosen] { chosen = printing(options->output, [options] { return listVersions(*options); }); });

    auto *restoring = project.add_subcommand(
        "restore-version", "Put an earlier state in place of a project; the present one is kept as a version first");
    restoring->add_option("FILE", options->path, "The project file")->type_name(fileType)->required();
    restoring->add_option("VERSION", options->version, "Its number in the list of versions, or the name of its file")
        ->required();
    addWritingOptions(*restoring, options->writing);
    addExamples(*restoring, {"project restore-version my.fleetwright 1"});
    restoring->callback([options, &chosen] { chosen = [options] { return restoreVersion(*options); }; });

    auto *salvaging = project.add_subcommand("salvage",
        "Read what can be read of a damaged project into a new one, and say what was saved and what was not; the "
        "damaged file is not changed");
    salvaging->add_option("DAMAGED", options->path, "The damaged project file")->type_name(fileType)->required();
    salvaging->add_option("-o,--output", options->target, "The file to create, usually with the extension .fleetwright")
        ->type_name("FILE")
        ->required();
    addChoice<Format>(*salvaging, "--format", options->output.format,
        {{"table", Format::Table}, {"json", Format::Json}, {"csv", Format::Csv}}, "What is printed: table, json or csv")
        ->type_name("FORMAT");
    salvaging->footer("Exit status: 0 everything was saved; 3 something is lost or has to be checked, as listed; 5 "
                      "nothing of a project was found, or a file could not be read or written; 130 Ctrl+C ended it, "
                      "and nothing was written.");
    addExamples(*salvaging, {"project salvage damaged.fleetwright -o saved.fleetwright"});
    salvaging->callback([options, &chosen] { chosen = [options] { return salvage(*options); }; });

    auto *accepting = project.add_subcommand(
        "accept", "Take items as they stand that something else than Fleetwright changed, as project check names them");
    accepting->add_option("FILE", options->path, "The project file")->type_name(fileType)->required();
    addWritingOptions(*accepting, options->writing);
    addExamples(*accepting, {"project accept my.fleetwright"});
    accepting->callback([options, &chosen] { chosen = [options] { return accept(*options); }; });
}

} // namespace fleetwright::cli
