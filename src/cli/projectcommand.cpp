// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/jsonlines.h"
#include "cli/openproject.h"
#include "cli/projectdocuments.h"
#include "cli/projectversions.h"

#include "domain/schemaversion.h"
#include "exchange/plandocuments.h"
#include "reports/pdfreading.h"
#include "storage/project.h"
#include "storage/projecttext.h"
#include "storage/shippedprojects.h"

#include <iostream>

namespace fleetwright::cli {

namespace {

struct ProjectOptions {
    std::string path;
    std::string sample; ///< name; empty: none
    std::vector<std::string> documents;
    std::string folder;
    std::string restored;
    exchange::TextFormat textFormat = exchange::TextFormat::YamlText;
    WritingOptions writing;
    Output output;
};

ExitStatus create(const ProjectOptions &options)
{
    needCoreApplication();
    const auto path = QString::fromStdString(options.path);
    const auto sample = options.sample.empty() ? Expected<storage::Sample>(storage::samples().front())
                                               : storage::parseSample(options.sample, "--sample");
    if (!sample) {
        complain(sample.error().field, sample.error().message);
        return ExitStatus::Usage;
    }
    const auto project = options.sample.empty() ? storage::Project::create(path)
                                                : storage::Project::createSample(path, sample->project);
    if (!project) {
        complain(options.path, project.error());
        return statusOf(project.error());
    }
    std::cout << "Created " << options.path
              << (options.sample.empty() ? std::string(".\n")
                                         : " with the sample \u201c" + std::string(sample->title) + "\u201d.\n");
    return ExitStatus::Done;
}

void print(const std::vector<Error> &findings, const ProjectOptions &options)
{
    Table table{{{"code"}, {"field"}, {"message"}}, {}};
    Json list = Json::array();
    for (const auto &finding : findings) {
        table.rows.push_back({std::string(toString(finding.code)), finding.field, finding.message});
        list.push_back(exchange::errorToJson(finding));
    }
    switch (options.output.format) {
    case Format::Json: printJson(Json{{"file", options.path}, {"ok", findings.empty()}, {"findings", list}}); break;
    case Format::Csv: writeCsv(std::cout, table); break;
    case Format::Table:
        std::cout << options.path << ": "
                  << (findings.empty()
                             ? "no faults found."
                             : std::to_string(findings.size()) + (findings.size() == 1 ? " fault:" : " faults:"))
                  << '\n';
        for (const auto &finding : findings)
            std::cout << "  " << finding.field << ": " << finding.message << '\n';
    }
}

ExitStatus check(const ProjectOptions &options)
{
    needCoreApplication();
    const auto project = storage::Project::open(QString::fromStdString(options.path), storage::OpenMode::ReadOnly);
    if (!project) {
        complain(options.path, project.error());
        return statusOf(project.error());
    }
    const auto findings = (*project)->check();
    if (!findings) {
        complain(options.path, findings.error());
        return statusOf(findings.error());
    }
    print(*findings, options);
    return findings->empty() ? ExitStatus::Done : ExitStatus::InvalidInput;
}

/// Opening for writing is what brings it up to date.
ExitStatus upgrade(const ProjectOptions &options)
{
    auto writing = options.writing;
    writing.tellsUpgrade = false; // that is the answer here
    const auto project = openForWriting(options.path, writing);
    if (!project) {
        complain(options.path, project.error());
        return statusOf(project.error());
    }
    if (const auto done = (*project)->upgraded())
        std::cout << "Brought " << options.path << " from file format " << done->from << " to " << done->to
                  << "; as it was, it is kept in " << done->backup.toStdString() << ".\n";
    else
        std::cout << options.path << " has the file format of this version (" << projectSchemaVersion
                  << ") already; nothing was changed.\n";
    return ExitStatus::Done;
}

/// Values of the report that are called shipped and are others than this version's: an earlier version's, or forged.
void tellDifferences(const std::vector<ItemUpdate> &items)
{
    if (items.empty())
        return;
    std::cout
        << "\nThe report says that these items came with Fleetwright, and this version ships them otherwise. The\n"
           "project keeps the report's values; \u201cfleetwright-cli catalog update\u201d compares all.\n";
    constexpr std::size_t mostItems = 40;
    for (std::size_t i = 0; i < std::min(items.size(), mostItems); ++i) {
        const auto &item = items[i];
        std::cout << "  " << toString(item.item) << " (" << item.name << "): ";
        if (item.change == ItemChange::Withdrawn)
            std::cout << "this version ships no such item";
        for (std::size_t field = 0; field < item.fields.size(); ++field) {
            const auto &change = item.fields[field];
            std::cout << (field > 0 ? "; " : "") << change.label << ' '
                      << valueText(item.item.kind, change.key, change.before) << " instead of "
                      << valueText(item.item.kind, change.key, change.after);
        }
        std::cout << '\n';
    }
    if (items.size() > mostItems)
        std::cout << "  and " << items.size() - mostItems << " more.\n";
}

void tellMoved(const std::vector<std::string> &files)
{
    if (files.empty())
        return;
    std::cout << "\nOutput sets of the report would have written outside the project's folder; they write into it "
                 "now:\n";
    for (const auto &file : files)
        std::cout << "  " << file << '\n';
}

ExitStatus restore(const ProjectOptions &options)
{
    needCoreApplication();
    const auto text = reports::projectInReport(QString::fromStdString(options.path));
    if (!text) {
        complain(options.path, text.error());
        return statusOf(text.error());
    }
    const auto restored = storage::restoreProject(*text, QString::fromStdString(options.restored));
    if (!restored) {
        complain(options.path, restored.error());
        return statusOf(restored.error());
    }
    std::cout << "Restored " << options.restored << " from " << options.path << ".\n";
    tellDifferences(restored->notAsShipped);
    tellMoved(restored->movedFiles);
    return ExitStatus::Done;
}

} // namespace

void addProjectCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("project", "Create and check project files; bring documents in and out");
    command->require_subcommand(1);
    const auto options = std::make_shared<ProjectOptions>();

    auto *creation = command->add_subcommand(
        "new", "Create a project with the shipped catalogs; an existing file is never replaced");
    creation->add_option("FILE", options->path, "The file to create, usually with the extension .fleetwright")
        ->type_name(fileType)
        ->required();
    std::string names;
    std::vector<std::string> words;
    for (const auto &sample : storage::samples()) {
        words.emplace_back(sample.name);
        names += (names.empty() ? "" : ", ") + inQuotes(sample.name) + " (" + std::string(sample.title) + ")";
    }
    creation
        ->add_option("--sample", options->sample,
            "Start from a sample: " + names + "; without a name \u201c" + std::string(storage::samples().front().name)
                + "\u201d")
        ->check(usually(words))
        ->type_name("NAME")
        ->expected(0, 1)
        ->default_str(std::string(storage::samples().front().name));
    addExamples(*creation,
        {"project new my.fleetwright", "project new my.fleetwright --sample",
            "project new my.fleetwright --sample tutorial"});
    creation->callback([options, &chosen] { chosen = [options] { return create(*options); }; });

    auto *examination = command->add_subcommand(
        "check", "Look for damage and for values that break a rule; changes nothing");
    examination->add_option("FILE", options->path, "The project file")->type_name(fileType)->required();
    addOutputOptions(*examination, options->output);
    examination->footer("Exit status: 0 no faults; 3 faults found; 5 not a project, damaged, or of a newer version.");
    addExamples(*examination, {"project check my.fleetwright", "project check my.fleetwright --format json"});
    examination->callback(
        [options, &chosen] { chosen = printing(options->output, [options] { return check(*options); }); });

    auto *upgrading = command->add_subcommand(
        "upgrade", "Bring a project of an earlier version to the file format of this one, after keeping a copy of it");
    upgrading->add_option("FILE", options->path, "The project file")->type_name(fileType)->required();
    addWritingOptions(*upgrading, options->writing);
    upgrading->footer("Other commands read such a project as it is. Earlier versions cannot open it any more.\n"
                      "Exit status: 0 done, or nothing to do; 5 damaged, of a newer version, or not writable: the file "
                      "is as it was.");
    addExamples(*upgrading, {"project upgrade my.fleetwright"});
    upgrading->callback([options, &chosen] { chosen = [options] { return upgrade(*options); }; });

    auto *importing = command->add_subcommand("import",
        "Add plans, sweeps, studies, decisions, output sets and measured runs from YAML or JSON files, measured runs "
        "from CSV, too: "
        "all of "
        "them, or none when one is refused");
    importing->add_option("FILE", options->path, "The project file")->type_name(fileType)->required();
    importing->add_option("DOCUMENT", options->documents, "Files; - is standard input")
        ->type_name(fileType)
        ->required();
    addWritingOptions(*importing, options->writing);
    addExamples(*importing, {"project import my.fleetwright plan.yaml runs.csv", "project import my.fleetwright -"});
    importing->callback([options, &chosen] {
        chosen = [options] { return importDocuments(options->path, options->documents, options->writing); };
    });

    auto *exporting = command->add_subcommand("export",
        "Write every plan, sweep and study of the project as a file, and its measured runs as one; existing files are "
        "never replaced");
    exporting->add_option("FILE", options->path, "The project file")->type_name(fileType)->required();
    exporting->add_option("-o,--output", options->folder, "The folder for the files; made where it is missing")
        ->type_name("FOLDER")
        ->required();
    addChoice<exchange::TextFormat>(*exporting, "--format", options->textFormat,
        {{"yaml", exchange::TextFormat::YamlText}, {"json", exchange::TextFormat::JsonText}},
        "The documents: yaml or json")
        ->type_name("FORMAT");
    addExamples(*exporting,
        {"project export my.fleetwright -o documents", "project export my.fleetwright -o documents --format json"});
    exporting->callback([options, &chosen] {
        chosen = [options] { return exportDocuments(options->path, options->folder, options->textFormat); };
    });

    auto *restoring = command->add_subcommand("restore",
        "Make the project again that a PDF report was written from, with its catalog values; an existing file is never "
        "replaced");
    restoring->add_option("REPORT", options->path, "The PDF, as Fleetwright wrote it")->type_name(fileType)->required();
    restoring
        ->add_option("-o,--output", options->restored, "The file to create, usually with the extension .fleetwright")
        ->type_name("FILE")
        ->required();
    restoring->footer("Answers are not in a report: plans are solved again, with the same result where this is the "
                      "version that wrote it. Reports written as PDF/A-1b carry no project.\n"
                      "Exit status: 0 restored; 3 no report, damaged or without a project; 5 a file could not be read "
                      "or written.");
    addExamples(*restoring, {"project restore report.pdf -o again.fleetwright"});
    restoring->callback([options, &chosen] { chosen = [options] { return restore(*options); }; });

    addProjectVersionCommands(*command, chosen);
}

} // namespace fleetwright::cli
