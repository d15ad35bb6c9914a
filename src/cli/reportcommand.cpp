// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/output.h"
#include "cli/scoredmodel.h"

#include "exchange/savefile.h"
#include "reports/reportdocument.h"
#include "storage/project.h"

#include <QFileInfo>

#include <iostream>

namespace fleetwright::cli {

namespace {

struct ReportOptions {
    std::string project;
    std::string output;
    reports::Paper paper = reports::Paper::A4;
    Audience audience = Audience::Technical;
    bool validation = true;
    const CLI::Option *paperOption = nullptr;
};

bool isHtml(const ReportOptions &options) { return options.output.ends_with(".html"); }

Expected<void> write(const ReportOptions &options)
{
    if (const auto savable = exchange::checkSavable(QString::fromStdString(options.output)); !savable)
        return savable; // before work that takes long
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
    const auto decisions = (*project)->decisions();
    if (!decisions)
        return std::unexpected(decisions.error());
    if (plans->empty() && decisions->empty())
        return refuse(ErrorCode::MissingField, options.project,
            "The project holds no decision and no plan to report on; add one in the window.");
    std::vector<PlanDocument> documents;
    for (const auto &plan : *plans)
        documents.push_back(plan.document);
    const auto saved = (*project)->ledger();
    if (!saved)
        return std::unexpected(saved.error());
    std::vector<LedgerEntry> ledger;
    for (const auto &entry : *saved)
        ledger.push_back(entry.document);
    const auto facts = factsOf(options.project);
    if (!facts)
        return std::unexpected(facts.error());
    const auto *site = facts->site ? &*facts->site : nullptr;
    reports::ReportSubject subject{.projectName = QFileInfo(path).completeBaseName(),
        .set = {.audience = options.audience},
        .decision = {},
        .plans = reports::solveAll(documents, *catalog, site),
        .ledger = std::move(ledger),
        .scored = nullptr,
        .created = QDateTime::currentDateTime()};
    if (!decisions->empty()) {
        std::vector<OfferDocument> offers;
        const auto savedOffers = (*project)->offers();
        if (!savedOffers)
            return std::unexpected(savedOffers.error());
        for (const auto &offer : *savedOffers)
            offers.push_back(offer.document);
        auto decision = reports::answerDecision(decisions->front().document, offers, *catalog, site);
        if (!decision)
            return std::unexpected(decision.error());
        subject.decision = std::move(*decision);
    }
    const auto scored = options.validation ? reports::publishedScores() : Expected<validation::ScoredFile>();
    if (!scored)
        return std::unexpected(scored.error());
    if (options.validation)
        subject.scored = &*scored;
    const auto report = reports::describe(subject, *catalog);
    const auto output = QString::fromStdString(options.output);
    return isHtml(options) ? reports::writeHtml(report, output) : reports::writePdf(report, output, options.paper);
}

ExitStatus runReport(const ReportOptions &options)
{
    if (!isHtml(options) && !options.output.ends_with(".pdf")) {
        complain("--output", "A report is a .pdf or .html file; \u201c" + options.output + "\u201d ends in neither.");
        return ExitStatus::Usage;
    }
    if (isHtml(options) && options.paperOption->count() > 0) {
        complain("--paper", "A web page has no paper size; leave --paper out.");
        return ExitStatus::Usage;
    }
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
    auto *command = app.add_subcommand(
        "report", "Write the report of a project as PDF or web page: every plan with its results");
    const auto options = std::make_shared<ReportOptions>();
    command->add_option("PROJECT", options->project, "The project file")->required();
    command
        ->add_option("-o,--output", options->output,
            "The .pdf or .html to write; an existing one is replaced, but never a project")
        ->required()
        ->type_name("FILE");
    options->paperOption = addChoice<reports::Paper>(*command, "--paper", options->paper,
        {{"a4", reports::Paper::A4}, {"letter", reports::Paper::Letter}}, "Paper of the PDF: a4 or letter")
                               ->type_name("SIZE");
    addChoice<Audience>(*command, "--audience", options->audience,
        {{"board", Audience::Board}, {"finance", Audience::Finance}, {"technical", Audience::Technical}},
        "For whom: board (2 to 4 pages), finance or technical (everything)")
        ->type_name("AUDIENCE");
    command->add_flag("--validation,!--no-validation", options->validation,
        "Say how far the cost models have been from published measured runs; done unless refused");
    addExamples(*command,
        {"report my.fleetwright -o report.pdf --paper letter", "report my.fleetwright -o report.html --no-validation"});
    command->callback([options, &chosen] { chosen = [options] { return runReport(*options); }; });
}

} // namespace fleetwright::cli
