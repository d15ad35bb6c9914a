// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/jsonlines.h"
#include "cli/openproject.h"

#include "domain/calendarday.h"
#include "exchange/offerdocuments.h"
#include "solver/validation/ownsite.h"
#include "storage/project.h"
#include "units/editdistance.h"
#include "units/format.h"
#include "units/words.h"

#include <QFileInfo>

#include <iostream>

namespace fleetwright::cli {

namespace {

struct OffersOptions {
    std::vector<std::string> offers; ///< files, or names in the project
    std::string project, plan, asOf;
    Output output;
};

struct Comparable {
    Catalog catalog;
    std::vector<OfferDocument> offers;
    OfferComparing comparing;
    bool goesByRuns = false; ///< the project, where its cost model does
};

Expected<OfferDocument> offerIn(const std::string &file)
{
    const auto text = readAll(file, exchange::longestDocument);
    if (!text)
        return std::unexpected(text.error());
    return exchange::offerFromText(*text);
}

Expected<OfferDocument> offerNamed(const std::string &name, const std::vector<storage::SavedOffer> &saved)
{
    std::vector<std::string> names;
    for (const auto &offer : saved) {
        if (offer.document.name == name)
            return offer.document;
        names.push_back(offer.document.name);
    }
    return refuse(ErrorCode::UnknownReference, "OFFER",
        "There is no file and, in the project, no offer " + inQuotes(name) + didYouMean(name, names, "."));
}

Expected<Comparable> readAllOf(const OffersOptions &options)
{
    needCoreApplication();
    Comparable all;
    std::vector<storage::SavedOffer> saved;
    if (options.project.empty()) {
        auto catalog = loadCatalog({});
        if (!catalog)
            return std::unexpected(catalog.error());
        all.catalog = std::move(*catalog);
    } else {
        const auto project = openForReading(options.project);
        if (!project)
            return std::unexpected(project.error());
        auto catalog = (*project)->catalog();
        auto offers = (*project)->offers();
        if (!catalog || !offers)
            return std::unexpected(catalog ? offers.error() : catalog.error());
        all.catalog = std::move(*catalog);
        saved = std::move(*offers);
        const auto runs = (*project)->measuredRuns();
        all.goesByRuns = runs && validation::anyUsable(*runs, &storage::SavedMeasuredRun::document);
    }
    for (const auto &name : options.offers) {
        const bool isName = std::ranges::any_of(saved, [&](const auto &one) { return one.document.name == name; });
        auto offer = isName || (!saved.empty() && !QFileInfo::exists(QString::fromStdString(name)) && name != "-")
            ? offerNamed(name, saved)
            : offerIn(name);
        if (!offer) {
            if (offer.error().field != name && offer.error().field != "OFFER")
                offer.error().message.insert(0, name + ": ");
            return std::unexpected(offer.error());
        }
        all.offers.push_back(std::move(*offer));
    }
    if (options.offers.empty())
        for (const auto &offer : saved)
            all.offers.push_back(offer.document);
    if (!options.plan.empty()) {
        auto plan = readPlan(options.plan);
        if (!plan)
            return std::unexpected(plan.error());
        all.comparing.plan = std::move(*plan);
    }
    all.comparing.asOf = options.asOf.empty() ? std::optional(currentDay()) : dateFromText(options.asOf);
    return all;
}

void printTable(const OfferComparison &comparison)
{
    Table table{.columns = {{"", false}}, .rows = {}};
    for (const auto &offer : comparison.offers)
        table.columns.push_back({offer.offer.name, true});
    std::optional<OfferSection> section;
    bool anyAdded = false;
    for (const auto &row : comparison.rows) {
        if (section != row.section) {
            section = row.section;
            table.rows.emplace_back(table.columns.size());
            table.rows.back().front() = titleOf(row.section);
        }
        auto &cells = table.rows.emplace_back();
        cells.push_back((row.isTotal ? "= " : "  ") + row.label);
        for (const auto &cell : row.cells) {
            cells.push_back(textOf(row, cell));
            anyAdded = anyAdded || cell.from == OfferCell::From::Added;
        }
    }
    for (const auto &sentence : comparison.sentences)
        std::cout << sentence << '\n';
    std::cout << '\n';
    writeAligned(std::cout, table);
    if (anyAdded)
        std::cout << addedSentence << '\n';
    if (!comparison.notes.empty())
        std::cout << '\n';
    for (const auto &note : comparison.notes)
        std::cout << note << '\n';
}

void printCsv(const OfferComparison &comparison)
{
    Table table{.columns = {{"section"}, {"key"}, {"label"}, {"unit"}}, .rows = {}};
    for (const auto &offer : comparison.offers) {
        table.columns.push_back({offer.offer.name});
        table.columns.push_back({offer.offer.name + ", from"});
    }
    for (const auto &row : comparison.rows) {
        auto &cells = table.rows.emplace_back();
        cells.insert(cells.end(), {std::string(toString(row.section)), row.key, row.label, row.unit});
        for (const auto &cell : row.cells) {
            cells.push_back(cell.value ? units::exact(*cell.value) : cell.text);
            cells.emplace_back(row.unit.empty() ? "" : cell.origin());
        }
    }
    writeCsv(std::cout, table);
}

ExitStatus runCompare(const OffersOptions &options)
{
    const auto failed = [](const Error &error) {
        complain(error.field, error.message);
        return statusOf(error);
    };
    const auto all = readAllOf(options);
    if (!all)
        return failed(all.error());
    const auto comparison = compareOffers(all->offers, all->catalog, all->comparing);
    if (!comparison)
        return failed(comparison.error());
    switch (options.output.format) {
    case Format::Table:
        printTable(*comparison);
        if (all->goesByRuns && all->comparing.plan && validation::isMovedByRuns(all->comparing.plan->costModelId))
            std::cout << validation::formulaAlone << '\n';
        break;
    case Format::Csv: printCsv(*comparison); break;
    case Format::Json: printJson(exchange::offerComparisonToJson(*comparison)); break;
    }
    return ExitStatus::Done;
}

} // namespace

void addOffersCommand(CLI::App &app, Action &chosen)
{
    auto *offers = app.add_subcommand("offers", "What vendors offer, brought to one scope and compared line by line");
    offers->require_subcommand(1);
    auto *command = offers->add_subcommand("compare",
        "Capital, cost over the life, cost of an accelerator-hour, power and delivery side by side; what an offer "
        "leaves out is added at catalog prices and marked");
    const auto options = std::make_shared<OffersOptions>();
    command
        ->add_option("OFFER", options->offers,
            "Offers, YAML or JSON, or - for standard input; with --project also names of its offers, and all of them "
            "without any")
        ->type_name(fileType);
    command->add_option("--project", options->project, "Use the catalogs and offers of this project")
        ->type_name("FILE");
    command->add_option("--plan", options->plan, "What the fleets are to run: adds days and cost of the run")
        ->type_name(fileType);
    command->add_option("--as-of", options->asOf, "The day on which the offers must still stand; today where left out")
        ->type_name("DATE")
        ->check([](const std::string &text) {
            return dateFromText(text) ? std::string() : "--as-of takes a day such as 2027-03-31.";
        });
    addOutputOptions(*command, options->output);
    command->footer(
        "Amounts are in USD, those over the life at their present value. json and csv hold full precision.\n"
        "Exit status: 0 done; 2 usage; 3 refused; 5 a file that cannot be read.");
    addExamples(*command,
        {"offers compare offer-a.yaml offer-b.yaml", "offers compare offer-a.yaml offer-b.yaml --plan plan.yaml",
            "offers compare --project my.fleetwright --format json"});
    command->callback(
        [options, &chosen] { chosen = printing(options->output, [options] { return runCompare(*options); }); });
}

} // namespace fleetwright::cli
