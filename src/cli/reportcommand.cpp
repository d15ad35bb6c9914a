// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/output.h"

#include "reports/reportdocument.h"
#include "storage/project.h"

#include <CLI/CLI.hpp>

#include <QFileInfo>

#include <iostream>

namespace fleetwright::cli {

namespace {

struct Options {
    std::string project;
    std::string output;
    reports::Paper paper = reports::Paper::A4;
    bool validation = true;
};

Expected<void> write(const Options &options)
{
    const auto path = QString::fromStdString(options.project);
    const auto project = storage::Project::open(path, storage::OpenMode::ReadOnly);
    if (!project)
        return std::unexpected(project.error());
    const auto catalog = (*project)->catalog();
    if (!catalog)
        return std::unexpected(catalog.error());
    const auto plans = (*project)->plans();
    if (!plans)
        return std::unexpected(plans.error());
    if (plans->empty())
        return refuse(
            ErrorCode::MissingField, options.project, "The project holds no plan to report on; add one in the window.");
    std::vector<PlanDocument> documents;
    for (const auto &plan : *plans)
        documents.push_back(plan.document);
    const auto saved = (*project)->ledger();
    if (!saved)
        return std::unexpected(saved.error());
    std::vector<LedgerEntry> ledger;
    for (const auto &entry : *saved)
        ledger.push_back(entry.document);
    const auto solved = reports::solveAll(documents, *catalog);
    const auto scored = options.validation ? reports::publishedScores() : Expected<validation::ScoredFile>();
    if (!scored)
        return std::unexpected(scored.error());
    const auto report = reports::describe(QFileInfo(path).completeBaseName(), solved, *catalog,
        QDateTime::currentDateTime(), ledger, options.validation ? &*scored : nullptr);
    return reports::writePdf(report, QString::fromStdString(options.output), options.paper);
}

ExitStatus run(const Options &options)
{
    needGuiApplication();
    if (const auto written = write(options); !written) {
        complain(written.error().field.empty() ? options.project : "", written.error());
        return statusOf(written.error());
    }
    std::cout << "Wrote " << options.output << ".\n";
    return ExitStatus::Done;
}

} // namespace

void addReportCommand(CLI::App &app, Action &chosen)
{
    static const std::map<std::string, reports::Paper> papers{
        {"a4", reports::Paper::A4}, {"letter", reports::Paper::Letter}};
    auto *command = app.add_subcommand("report", "Write the PDF report of a project: every plan with its results");
    const auto options = std::make_shared<Options>();
    command->add_option("PROJECT", options->project, "The project file")->required();
    command->add_option("-o,--output", options->output, "The PDF to write; an existing one is replaced")
        ->required()
        ->type_name("FILE.pdf");
    command->add_option("--paper", options->paper, "a4 or letter")
        ->transform(CLI::CheckedTransformer(papers, CLI::ignore_case).description(""))
        ->type_name("SIZE")
        ->default_str("a4");
    command->add_flag("--validation,!--no-validation", options->validation,
        "Say how far the cost models have been from published measured runs; done unless refused");
    command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

} // namespace fleetwright::cli
