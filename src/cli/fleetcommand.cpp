// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/fleetanswers.h"
#include "cli/jsonlines.h"
#include "cli/openproject.h"

#include "exchange/fleetdocuments.h"
#include "storage/project.h"
#include "units/editdistance.h"

#include <charconv>
#include <cmath>
#include <iostream>

namespace fleetwright::cli {

namespace {

struct FleetOptions {
    std::string file, project, name;
    std::vector<std::string> nodes, grids;
    std::string fabric, facility;
    int count = 0; ///< 0: as the fleet states
    double withinMegawatts = 0; ///< 0: any
    std::vector<std::string> settings; ///< ENTRY=VALUE
    bool rows = false;
    Output output;
};

Expected<FleetDocument> fleetOfProject(const FleetOptions &options)
{
    const auto project = openForReading(options.project);
    if (!project)
        return std::unexpected(project.error());
    const auto fleets = (*project)->fleets();
    if (!fleets)
        return std::unexpected(fleets.error());
    std::vector<std::string> names;
    for (const auto &saved : *fleets) {
        if (saved.document.name == options.name)
            return saved.document;
        names.push_back(saved.document.name);
    }
    std::string list;
    for (const auto &name : names)
        list += (list.empty() ? "\u201c" : ", \u201c") + name + "\u201d";
    return refuse(ErrorCode::UnknownReference, "--fleet",
        "The project has no fleet \u201c" + options.name.substr(0, 60) + "\u201d"
            + didYouMean(options.name, names, list.empty() ? "; it has none." : "; it has: " + list + "."));
}

Expected<FleetDocument> startOf(const FleetOptions &options)
{
    if (!options.file.empty()) {
        const auto text = readAll(options.file, exchange::longestDocument);
        if (!text)
            return std::unexpected(text.error());
        return exchange::fleetFromText(*text);
    }
    if (!options.name.empty() && !options.project.empty())
        return fleetOfProject(options);
    if (options.nodes.empty() || options.fabric.empty() || (options.count == 0 && options.withinMegawatts == 0))
        return refuse(ErrorCode::MissingField, "FLEET",
            "Name a fleet document, a fleet of a project (--project FILE --fleet NAME), or its parts: --node, --nodes "
            "and --fabric.");
    FleetDocument document;
    document.nodes = std::max(1, options.count);
    return document;
}

/// "ENTRY=xFACTOR": as many times what the entry is now.
std::optional<double> factorIn(const std::string &value)
{
    double factor = 0;
    if (!value.starts_with('x'))
        return std::nullopt;
    const auto [end, error] = std::from_chars(value.data() + 1, value.data() + value.size(), factor);
    return error == std::errc() && end == value.data() + value.size() ? std::optional(factor) : std::nullopt;
}

Expected<PricedFleet> priced(const FleetDocument &document, const Catalog &catalog)
{
    auto fleet = resolve(document, catalog);
    if (!fleet)
        return std::unexpected(fleet.error());
    auto sheet = fleetCost(*fleet);
    if (!sheet)
        return std::unexpected(sheet.error());
    return PricedFleet{std::move(*fleet), std::move(*sheet)};
}

/// What --set would be given for an entry of this sheet times the factor, with its range.
Expected<std::string> timesFactor(const CostSheet &sheet, const std::string &key, double factor)
{
    const auto field = "fleet.costs." + key.substr(0, 60);
    const auto index = sheet.sheet().sheet().find(key);
    const auto *row = index ? &sheet.sheet().sheet().row(*index) : nullptr;
    if (!row || (row->entry.kind != SheetEntry::Kind::Value && row->entry.kind != SheetEntry::Kind::Whole))
        return refuse(ErrorCode::UnknownReference, field,
            "\u201c" + key.substr(0, 60)
                + "\u201d is no number of the worksheet that can be multiplied; --rows lists "
                  "the entries.");
    const auto value = sheet.value(key);
    if (!value)
        return refuse(ErrorCode::MissingField, field, "There is no value to multiply. " + sheet.reasonFor(key));
    const auto &figure = sheet.sheet().entries().figure(*index);
    if (!figure || !figure->low || !figure->high)
        return units::exact(*value * factor);
    return units::exact(*figure->low * factor) + ".." + units::exact(*value * factor) + ".."
        + units::exact(*figure->high * factor);
}

Expected<FleetDocument> withSetting(const FleetDocument &document, const std::string &setting, const Catalog &catalog)
{
    const auto equals = setting.find('=');
    if (equals == std::string::npos)
        return refuse(ErrorCode::ParseError, "--set",
            "Write \u201c" + setting.substr(0, 60) + "\u201d as ENTRY=VALUE; --rows lists the entries.");
    const auto key = setting.substr(0, equals);
    auto value = setting.substr(equals + 1);
    if (const auto factor = factorIn(value)) {
        const auto now = priced(document, catalog);
        if (!now)
            return std::unexpected(now.error());
        auto multiplied = timesFactor(now->sheet, key, *factor);
        if (!multiplied)
            return std::unexpected(multiplied.error());
        value = std::move(*multiplied);
    }
    return exchange::withCost(document, key, value);
}

Expected<PricedFleet> variant(FleetDocument document, const FleetOptions &options, const Catalog &catalog)
{
    if (options.count > 0)
        document.nodes = options.count;
    if (!options.fabric.empty())
        document.fabric = options.fabric;
    if (!options.facility.empty())
        document.facility = options.facility;
    for (const auto &setting : options.settings) {
        auto changed = withSetting(document, setting, catalog);
        if (!changed)
            return std::unexpected(changed.error());
        document = std::move(*changed);
    }
    if (options.withinMegawatts > 0) {
        constexpr double wattsPerMegawatt = 1e6;
        const auto fleet = resolve(document, catalog);
        if (!fleet)
            return std::unexpected(fleet.error());
        const auto most = mostNodesWithin(*fleet, Watts::from_value(options.withinMegawatts * wattsPerMegawatt));
        if (!most)
            return std::unexpected(most.error());
        if (*most == 0)
            return refuse(ErrorCode::ConstraintViolated, "--within-mw",
                "Not even one node of \u201c" + (*fleet)->node->name + "\u201d is within this power.");
        document.nodes = *most;
    }
    return priced(document, catalog);
}

/// Every node on every grid that was asked for, or those of the fleet. Of several, one that cannot be priced is left
/// out with a sentence; none: the refusal of the last.
Expected<std::vector<PricedFleet>> variants(
    const FleetDocument &start, const FleetOptions &options, const Catalog &catalog)
{
    std::vector<PricedFleet> fleets;
    Error refused;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, options.nodes.size()); ++i)
        for (std::size_t k = 0; k < std::max<std::size_t>(1, options.grids.size()); ++k) {
            auto document = start;
            if (!options.nodes.empty())
                document.node = options.nodes[i];
            if (!options.grids.empty())
                document.grid = options.grids[k];
            const auto subject = (options.nodes.empty() ? std::string("this fleet") : options.nodes[i])
                + (options.grids.empty() ? "" : ", " + options.grids[k]);
            auto one = variant(std::move(document), options, catalog);
            if (one) {
                fleets.push_back(std::move(*one));
                continue;
            }
            refused = one.error();
            if (refused.code == ErrorCode::UnknownReference) // a slip of the pen
                return std::unexpected(refused);
            if (options.nodes.size() * std::max<std::size_t>(1, options.grids.size()) > 1 || options.grids.size() > 1)
                complain(subject, "left out: " + one.error().message);
        }
    if (fleets.empty())
        return std::unexpected(refused);
    return fleets;
}

void print(const std::vector<PricedFleet> &fleets, const FleetOptions &options)
{
    const bool single = fleets.size() == 1;
    const auto &first = fleets.front();
    switch (options.output.format) {
    case Format::Table:
        if (options.rows)
            writeAligned(std::cout, sheetRows(first.sheet));
        else if (single)
            writeFleet(std::cout, first);
        else {
            writeAligned(std::cout, fleetsBeside(fleets));
            writeNoticesBeside(std::cout, fleets);
        }
        break;
    case Format::Csv:
        writeCsv(std::cout, options.rows ? sheetRows(first.sheet) : single ? fleetCsv(first) : fleetsCsv(fleets));
        break;
    case Format::Json: {
        auto list = Json::array();
        for (const auto &one : fleets) {
            list.push_back(exchange::fleetCostToJson(one.fleet, one.sheet));
            if (options.rows)
                list.back()["rows"] = exchange::sheetRowsToJson(one.sheet);
        }
        printJson(single ? list.front() : list);
        break;
    }
    }
}

ExitStatus runFleet(const FleetOptions &options)
{
    const auto failed = [](const Error &error) {
        complain(error.field, error.message);
        return statusOf(error);
    };
    if (options.rows
        && std::max<std::size_t>(1, options.nodes.size()) * std::max<std::size_t>(1, options.grids.size()) > 1
        && options.output.format != Format::Json) {
        complain("--rows", "The rows of several fleets are printed as json only.");
        return ExitStatus::Usage;
    }
    const auto catalog = loadCatalog(options.project);
    if (!catalog)
        return failed(catalog.error());
    const auto start = startOf(options);
    if (!start) {
        failed(start.error());
        return start.error().field == "FLEET" ? ExitStatus::Usage : statusOf(start.error());
    }
    const auto fleets = variants(*start, options, *catalog);
    if (!fleets)
        return failed(fleets.error());
    print(*fleets, options);
    return ExitStatus::Done;
}

} // namespace

void addFleetCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("fleet",
        "What a fleet needs and costs before any workload runs on it: what to order, power, capital, running "
        "and levelised cost, cash flow, buy or rent");
    const auto options = std::make_shared<FleetOptions>();
    auto *file = command
                     ->add_option("FLEET", options->file,
                         "A fleet (what stands under `fleet` in a plan) or a plan document, YAML or JSON, or - for "
                         "standard input")
                     ->type_name(fileType);
    auto *project = command->add_option("--project", options->project, "Use the catalogs and fleets of this project")
                        ->type_name("FILE");
    command->add_option("--fleet", options->name, "The fleet of this name in the project")
        ->type_name("NAME")
        ->needs(project)
        ->excludes(file);
    command->add_option("--node", options->nodes, "Of these nodes; repeat for several fleets beside each other")
        ->type_name("ID");
    command->add_option("--nodes", options->count, "So many nodes")->type_name("N")->check(wholeNumber(1, mostNodes));
    command->add_option("--fabric", options->fabric, "On this fabric")->type_name("ID");
    command->add_option("--facility", options->facility, "In this facility")->type_name("ID");
    command->add_option("--grid", options->grids, "On this grid; repeat for several fleets beside each other")
        ->type_name("ID");
    command
        ->add_option(
            "--within-mw", options->withinMegawatts, "As many nodes as a contract of so much facility power admits")
        ->type_name("MW")
        ->check([](const std::string &text) {
            double megawatts = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), megawatts);
            const bool isRead = error == std::errc() && end == text.data() + text.size();
            return isRead && megawatts > 0 && std::isfinite(megawatts)
                ? std::string()
                : "--within-mw takes a power above 0 in megawatts, such as 10.";
        });
    command
        ->add_option("--set", options->settings,
            "Enter something in the worksheet: usd_per_kwh=0.08, node_usd=250e3..300e3..380e3 (low, likely, high), "
            "rent_usd_per_hour=PRICE-ID, usd_per_kwh=x2 (twice what it is), paying=rent, rent_term=reserved-3y; repeat "
            "for several")
        ->type_name("ENTRY=VALUE");
    command->add_flag("--rows", options->rows, "Every row of the worksheet with its formula and source");
    addOutputOptions(*command, options->output);
    command->footer("Amounts are in USD. json and csv hold full precision, each value in the unit beside it. The "
                    "handbook of the window (F1) lists the rows.\n"
                    "Exit status: 0 done; 2 usage; 3 refused; 5 a file that cannot be read.");
    addExamples(*command,
        {"fleet --node nvidia_dgx_h100 --nodes 512 --fabric ib_ndr", "fleet plan.yaml --set usd_per_kwh=x2",
            "fleet plan.yaml --grid country_se --grid country_pl",
            "fleet --node nvidia_dgx_h100 --node amd_mi300x_8gpu --fabric ib_ndr --within-mw 10"});
    command->callback(
        [options, &chosen] { chosen = printing(options->output, [options] { return runFleet(*options); }); });
}

} // namespace fleetwright::cli
