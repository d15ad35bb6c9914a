// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/interrupt.h"
#include "cli/openproject.h"
#include "cli/output.h"
#include "cli/scoredmodel.h"

#include "domain/calendarday.h"
#include "outputs/outputfiles.h"
#include "solver/validation/ownsite.h"
#include "storage/project.h"
#include "storage/projecttext.h"
#include "text/localizedparts.h"
#include "units/editdistance.h"

#include <QDir>
#include <QFileInfo>

#include <iostream>

namespace fleetwright::cli {

namespace {

struct ReportOptions {
    std::string project;
    std::string output;
    std::string set;
    std::string audience;
    std::vector<std::string> sections;
    std::string date;
    Paper paper = Paper::A4;
    PdfProfile profile = PdfProfile::PdfA3b;
    bool listSets = false;
    bool validation = true;
    const CLI::Option *paperOption = nullptr;
    const CLI::Option *profileOption = nullptr;
};

/// Everything of the project that reports are made from, and its output sets.
struct ReportedProject {
    outputs::Material material;
    std::vector<OutputSet> sets;
};

template <class Saved> auto bare(Expected<std::vector<Saved>> rows) -> Expected<std::vector<decltype(Saved::document)>>
{
    if (!rows)
        return std::unexpected(std::move(rows.error()));
    std::vector<decltype(Saved::document)> documents;
    for (auto &row : *rows)
        documents.push_back(std::move(row.document));
    return documents;
}

Expected<std::vector<reports::KeptSweep>> keptSweeps(const storage::Project &project)
{
    auto rows = project.sweeps();
    if (!rows)
        return std::unexpected(std::move(rows.error()));
    std::vector<reports::KeptSweep> sweeps;
    for (auto &row : *rows) {
        auto kept = project.sweepResult(row.id);
        if (!kept)
            return std::unexpected(std::move(kept.error()));
        sweeps.push_back({std::move(row.document), *kept ? (*kept)->inputHash.toStdString() : std::string(),
            *kept ? (*kept)->resultJson.toStdString() : std::string()});
    }
    return sweeps;
}

Expected<ReportedProject> readProject(const std::string &file)
{
    const auto path = QString::fromStdString(file);
    const auto project = openForReading(file);
    if (!project)
        return std::unexpected(project.error());
    ReportedProject read;
    std::optional<Error> unreadable;
    const auto take = [&](auto &into, auto documents) {
        if (documents)
            into = std::move(*documents);
        else if (!unreadable)
            unreadable = std::move(documents.error());
    };
    auto &material = read.material;
    material.projectName = QFileInfo(path).completeBaseName();
    take(material.plans, bare((*project)->plans()));
    take(material.decisions, bare((*project)->decisions()));
    take(material.offers, bare((*project)->offers()));
    take(material.ledger, bare((*project)->ledger()));
    take(material.approvals, bare((*project)->approvals()));
    take(material.sweeps, keptSweeps(**project));
    take(read.sets, bare((*project)->outputSets()));
    QByteArray text;
    take(text, storage::projectText(**project));
    material.projectText = [text] { return text; };
    auto catalog = (*project)->catalog();
    if (!catalog)
        return std::unexpected(std::move(catalog.error()));
    material.catalog = std::make_shared<const Catalog>(std::move(*catalog));
    auto facts = factsOf(file);
    if (!facts)
        return std::unexpected(std::move(facts.error()));
    if (facts->site)
        material.site = std::make_shared<const validation::OwnSite>(std::move(*facts->site));
    if (unreadable)
        return std::unexpected(std::move(*unreadable));
    return read;
}

/// The set of this name.
Expected<OutputSet> savedSet(const ReportedProject &project, const std::string &name)
{
    // The samples' sets are called in the language that they were made in, so that the examples of the help do.
    for (const auto &called : {name, localizedAsWhole(name).toStdString()})
        if (const auto found = std::ranges::find(project.sets, called, &OutputSet::name); found != project.sets.end())
            return *found;
    std::string known;
    std::vector<std::string_view> names;
    for (const auto &set : project.sets)
        names.push_back(set.name);
    for (const auto &set : project.sets)
        known.append(known.empty() ? "\u201c" : ", \u201c").append(set.name).append("\u201d");
    const auto refused = [](const std::string &sentence) {
        return refuse(ErrorCode::UnknownReference, "--set", sentence);
    };
    if (known.empty())
        return refused("The project has no output set \u201c" + name
            + "\u201d; make one on the Report page of the window, or give -o FILE.");
    const auto meant = didYouMean(name, names);
    return refused(meant.empty()
            ? "The project has no output set \u201c" + name + "\u201d; it has " + known + "."
            : "The project has no output set \u201c" + name + "\u201d" + meant + "; it has " + known + ".");
}

/// What the options ask for without a set.
Expected<OutputSet> askedSet(const ReportOptions &options, const outputs::Material &material)
{
    auto set = outputs::usualSet(material);
    set.files = {options.output};
    set.paper = options.paper;
    set.profile = options.profile;
    if (!options.audience.empty()) {
        const auto audience = parseAudience(options.audience, "--audience");
        if (!audience)
            return std::unexpected(audience.error());
        set.audience = *audience;
    }
    for (const auto &word : options.sections) {
        const auto section = parseReportSection(word, "--sections");
        if (!section)
            return std::unexpected(section.error());
        set.sections.push_back(*section);
    }
    return set;
}

Expected<OutputSet> chosenSet(const ReportOptions &options, const ReportedProject &project)
{
    auto set = options.set.empty() ? askedSet(options, project.material) : savedSet(project, options.set);
    if (!set)
        return set;
    if (!options.date.empty()) {
        set->date = dateFromText(options.date);
        if (!set->date)
            return refuse(ErrorCode::UnsupportedValue, "--date",
                "\u201c" + options.date + "\u201d is no day; write it as 2026-12-01.");
    }
    if (!options.validation) {
        set->sections = set->sectionsOrUsual();
        std::erase(set->sections, ReportSection::Validation);
        if (set->sections.empty()) // which would mean all
            return refuse(ErrorCode::UnsupportedValue, "--no-validation",
                "The report has no section but validation, so nothing is left of it; leave --no-validation out or "
                "choose other sections.");
    }
    return set;
}

/// Files of a set stand beside the project, or in the folder that is asked for.
QString folderOf(const ReportOptions &options)
{
    if (options.set.empty())
        return QDir::currentPath();
    return options.output.empty() ? QFileInfo(QString::fromStdString(options.project)).absolutePath()
                                  : QDir(QString::fromStdString(options.output)).absolutePath();
}

Expected<void> writeFiles(const ReportOptions &options)
{
    Interrupt interrupt;
    needGuiApplication();
    const auto project = readProject(options.project);
    if (!project)
        return std::unexpected(project.error());
    const auto set = chosenSet(options, *project);
    if (!set)
        return std::unexpected(set.error());
    const bool isInFolder = !options.set.empty() && !options.output.empty();
    const auto targets = outputs::targetsOf(*set, folderOf(options), // before work that takes long
        isInFolder ? outputs::Outside::Refused : outputs::Outside::Allowed);
    if (!targets)
        return std::unexpected(targets.error());
    if (const auto any = outputs::chosenOf(*set, project->material); !any)
        return std::unexpected(any.error());
    const auto made = outputs::makeReport(project->material, *set, {.stop = interrupt.token()});
    if (!made)
        return std::unexpected(made.error());
    for (std::size_t i = 0; i < targets->size(); ++i) {
        const auto &target = (*targets)[i];
        auto written = outputs::writeOutput(target.format, *made, target.path, interrupt.token());
        if (!written && written.error().code == ErrorCode::Cancelled)
            return refuse(ErrorCode::Cancelled, {},
                i == 0 ? "The report was cancelled; no file was touched."
                       : "The report was cancelled; what is written stays.");
        if (!written) {
            if (i > 0)
                written.error().message += " The files before it are written, those after it are as they were.";
            return written;
        }
        std::cout << "Wrote " << (options.set.empty() ? options.output : target.path.toStdString()) << ".\n";
    }
    return {};
}

ExitStatus listSets(const ReportOptions &options)
{
    needCoreApplication();
    const auto project = openForReading(options.project);
    const auto sets = project ? bare((*project)->outputSets()) : std::unexpected(project.error());
    if (!sets) {
        complain(sets.error().field.empty() ? options.project : "", sets.error());
        return statusOf(sets.error());
    }
    Table table{
        .columns = {{.title = "Output set", .isOfNames = true}, {"Audience"}, {.title = "Files", .isOfNames = true}},
        .rows = {}};
    for (const auto &set : *sets) {
        std::string files;
        for (const auto &file : set.files)
            files.append(files.empty() ? "" : ", ").append(file);
        table.rows.push_back({set.name, std::string(toString(set.audience)), files});
    }
    if (table.rows.empty())
        std::cout << "The project has no output set; the Report page of the window makes them.\n";
    else
        writeAligned(std::cout, table);
    return ExitStatus::Done;
}

/// What cannot be meant, told without opening the project.
Expected<void> checkArguments(const ReportOptions &options)
{
    const auto unsuited = [](const char *option, std::string sentence) {
        return refuse(ErrorCode::UnsupportedValue, option, std::move(sentence));
    };
    if (!options.set.empty()) {
        if (!options.output.empty() && !options.output.ends_with('/')
            && !QFileInfo(QString::fromStdString(options.output)).isDir())
            return unsuited("--output",
                "The files of an output set go into a folder; \u201c" + options.output
                    + "\u201d is none. End its name with /, or leave --set out.");
        return {};
    }
    if (options.output.empty())
        return unsuited("",
            "report needs -o,--output: the .pdf, .html, .xlsx or .json to write, or a FOLDER/ for CSV; or --set NAME "
            "for the files of an output set.");
    const auto format = outputFormatOf(options.output);
    if (!format)
        return unsuited("--output",
            "\u201c" + options.output
                + "\u201d is no file of a report; give a .pdf or .html, a .xlsx or .json, or a folder/ for CSV.");
    if (*format != OutputFormat::Pdf)
        for (const auto &[option, name] :
            {std::pair(options.paperOption, "--paper"), std::pair(options.profileOption, "--profile")})
            if (option->count() > 0)
                return unsuited(name,
                    *format == OutputFormat::Html ? "A web page has no paper size and no profile; leave it out."
                                                  : "Only a PDF has one; leave it out.");
    return {};
}

ExitStatus runReport(const ReportOptions &options)
{
    if (options.listSets)
        return listSets(options);
    if (const auto meant = checkArguments(options); !meant) {
        complain(meant.error().field, meant.error().message);
        return ExitStatus::Usage;
    }
    if (const auto written = writeFiles(options); !written) {
        const auto &error = written.error();
        if (error.field.starts_with("--")) {
            complain(error.field, error.message);
            return ExitStatus::Usage;
        }
        if (error.field.starts_with("files[")) { // which one the sentence says by its name
            complain("", error.message);
            return statusOf(error);
        }
        complain(error.field.empty() && error.code != ErrorCode::Cancelled ? options.project : "", error);
        return statusOf(error);
    }
    return ExitStatus::Done;
}

template <class Values> std::vector<std::string> wordsOf(const Values &values)
{
    std::vector<std::string> words;
    for (const auto value : values)
        words.emplace_back(toString(value));
    return words;
}

} // namespace

void addReportCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("report",
        "Write the report of a project, its decision and plans with their results, or the files of an output set");
    const auto options = std::make_shared<ReportOptions>();
    command->add_option("PROJECT", options->project, "The project file")->type_name(fileType)->required();
    command
        ->add_option("-o,--output", options->output,
            "The .pdf, .html, .xlsx or .json to write, or a FOLDER/ for CSV; an existing file is replaced, but never a "
            "project. With --set the FOLDER/ for its files, instead of the project's")
        ->type_name("FILE");
    auto *set = command->add_option("--set", options->set, "Write the files of this output set of the project")
                    ->type_name("NAME");
    command->add_flag("--list-sets", options->listSets, "Print the project's output sets")->excludes(set);
    command->add_option("--audience", options->audience, "For whom: board, finance or technical")
        ->transform(oneOf(wordsOf(allAudiences)))
        ->type_name("WHO")
        ->excludes(set);
    command
        ->add_option(
            "--sections", options->sections, "Only these sections, in this order: answer, fleets, comparison...")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->transform(oneOf(wordsOf(allReportSections)))
        ->type_name("NAMES")
        ->excludes(set);
    options->paperOption = addChoice<Paper>(*command, "--paper", options->paper,
        {{"a4", Paper::A4}, {"letter", Paper::Letter}}, "Paper of the PDF: a4 or letter")
                               ->type_name("SIZE")
                               ->excludes(set);
    options->profileOption = addChoice<PdfProfile>(*command, "--profile", options->profile,
        {{std::string(toString(PdfProfile::PdfA3b)), PdfProfile::PdfA3b},
            {std::string(toString(PdfProfile::PdfA1b)), PdfProfile::PdfA1b}},
        "Archival profile of the PDF: pdf/a-3b or pdf/a-1b")
                                 ->type_name("NAME")
                                 ->excludes(set);
    command
        ->add_option("--date", options->date,
            "The day that the report bears, instead of today or SOURCE_DATE_EPOCH; makes its bytes stable")
        ->type_name("DAY");
    command->add_flag("--validation,!--no-validation", options->validation,
        "Say how far the cost models have been from published measured runs; done unless refused");
    addExamples(*command,
        {"report my.fleetwright -o report.pdf --paper letter", "report my.fleetwright -o report.html --no-validation",
            "report my.fleetwright --set \"Board paper\"",
            "report my.fleetwright --audience board --sections answer,cost -o paper.pdf"});
    command->callback([options, &chosen] { chosen = [options] { return runReport(*options); }; });
}

} // namespace fleetwright::cli
