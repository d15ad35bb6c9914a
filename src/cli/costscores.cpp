// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/costscores.h"

#include "cli/application.h"
#include "cli/jsonlines.h"
#include "exchange/publishedcosts.h"
#include "units/format.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <iostream>

namespace fleetwright::cli {

namespace {

using costs::CostKind;
using costs::CostScore;
using costs::CostSummary;
using costs::CostValidation;

std::string withinOf(std::size_t within, std::size_t count)
{
    return std::to_string(within) + " of " + std::to_string(count);
}

std::string yesOrNo(bool flag) { return flag ? "yes" : "no"; }

/// Errors at catalog prices; a line of its own for the same with the discount of large buyers.
Table costSummaryTable(const CostValidation &validation)
{
    Table table{{{"Kind"}, {"Figures", true}, {"Median [%]", true}, {"Mean [%]", true}, {"Within tolerance", true},
                    {"Target"}, {"Met"}},
        {}};
    for (const auto &summary : validation.summaries)
        for (const auto &line : linesOf(summary))
            table.rows.push_back({line.title, std::to_string(line.count), percent(line.medianError),
                percent(line.meanError), withinOf(line.within, line.count), line.target ? line.target->sentence : "-",
                line.target ? yesOrNo(line.target->met) : "-"});
    return table;
}

Table costTable(const CostValidation &validation, CostKind kind)
{
    Table table{{{std::string(costs::title(kind))}, {"Date"}, {"Published", true}, {"Worksheet", true},
                    {"Error [%]", true}, {"Tolerance", true}, {"Within"}},
        {}};
    const auto words = [&](double value) { return costs::costInWords(value, kind); };
    for (const auto &score : validation.scores) {
        if (score.row.kind != kind)
            continue;
        table.rows.push_back({score.row.name, score.row.date, words(score.row.published), words(score.computed),
            signedPercent(score.error()), costs::inWords(score.row.tolerance), yesOrNo(score.within)});
        if (score.discount)
            table.rows.push_back({"  at " + units::exact(std::round(score.discount->ratio * 1000) / 1000)
                    + " of the quotes, as other large orders",
                "", "", words(score.discounted()), signedPercent(score.discountedError()),
                costs::inWords(score.row.tolerance), yesOrNo(score.withinDiscounted())});
    }
    return table;
}

void writeCosts(const CostValidation &validation)
{
    writeAligned(std::cout, costSummaryTable(validation));
    for (const auto &summary : validation.summaries) {
        std::cout << '\n';
        writeAligned(std::cout, costTable(validation, summary.kind));
    }
    std::cout << "\nMisses\n";
    for (const auto &score : validation.scores) {
        if (score.within)
            continue;
        std::cout << '\n' << score.row.name << " (" << score.row.source.title << ")\n";
        for (const auto &sentence : explainCost(score))
            std::cout << "    " << sentence << '\n';
    }
    std::cout << "\nNot scored\n\n";
    Table table{{{.title = "Figure", .isOfNames = true}, {"Why"}}, {}};
    for (const auto &row : validation.notScored)
        table.rows.push_back({row.name.empty() ? row.id : row.name, row.reason});
    writeAligned(std::cout, table);
}

Table costCsv(const CostValidation &validation)
{
    Table table{{{"id"}, {"name"}, {"kind"}, {"date"}, {"unit"}, {"published"}, {"computed"}, {"error"}, {"tolerance"},
                    {"within"}, {"low"}, {"high"}, {"discount"}, {"computed_discounted"}, {"error_discounted"},
                    {"within_discounted"}, {"source"}, {"url"}, {"not_scored"}},
        {}};
    const auto exactly = [](const std::optional<double> &value) {
        return value ? units::exact(*value) : std::string();
    };
    for (const auto &score : validation.scores) {
        const auto &row = score.row;
        const bool cheaper = score.discount.has_value();
        const auto discounted = [&](double value) { return cheaper ? units::exact(value) : std::string(); };
        table.rows.push_back({row.id, row.name, std::string(toString(row.kind)), row.date,
            std::string(baseUnit(row.kind)), units::exact(row.published), units::exact(score.computed),
            units::exact(score.error()), costs::inWords(row.tolerance), yesOrNo(score.within), exactly(score.low),
            exactly(score.high), cheaper ? units::exact(score.discount->ratio) : "", discounted(score.discounted()),
            discounted(score.discountedError()), cheaper ? yesOrNo(score.withinDiscounted()) : "", row.source.title,
            row.source.url, ""});
    }
    for (const auto &row : validation.notScored) {
        std::vector<std::string> cells(table.columns.size());
        cells[0] = row.id;
        cells[1] = row.name;
        cells[cells.size() - 3] = row.source.title;
        cells[cells.size() - 2] = row.source.url;
        cells.back() = row.reason;
        table.rows.push_back(std::move(cells));
    }
    return table;
}

} // namespace

ExitStatus scoreCosts(Format format, const std::string &project)
{
    const auto &published = exchange::shippedPublishedCosts();
    if (!published) {
        complain("", published.error());
        return statusOf(published.error());
    }
    const auto catalog = loadCatalog(project);
    if (!catalog) {
        complain(project, catalog.error());
        return statusOf(catalog.error());
    }
    const auto validation = costs::validateCosts(*published, *catalog);
    switch (format) {
    case Format::Table: writeCosts(validation); break;
    case Format::Csv: writeCsv(std::cout, costCsv(validation)); break;
    case Format::Json: printJson(exchange::costValidationToJson(validation)); break;
    }
    return validation.scores.empty() ? ExitStatus::NothingFeasible : ExitStatus::Done;
}

} // namespace fleetwright::cli
