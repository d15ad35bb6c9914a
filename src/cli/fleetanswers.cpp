// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/fleetanswers.h"

#include "units/format.h"

#include <ostream>

namespace fleetwright::cli {

namespace {

std::string dash(std::string text) { return text.empty() ? "-" : text; }

std::string shown(const std::optional<double> &value, std::string_view unit)
{
    return value ? valueText(*value, unit) : "-";
}

std::string exactly(const std::optional<double> &value) { return value ? units::exact(*value) : std::string(); }

Table billTable(const PricedFleet &priced)
{
    Table table{{{"To order"}, {"Item"}, {"Count", true}, {"Unit price [USD]", true}, {"Date"}, {"Amount [USD]", true},
                    {"Source, note"}},
        {}};
    for (const auto &line : billOfMaterials(priced.fleet, priced.sheet)) {
        auto note = line.source;
        if (!line.note.empty())
            note += (note.empty() ? "" : ". ") + line.note;
        table.rows.push_back({line.label, line.item,
            line.count ? valueText(*line.count, line.countUnit == "TB" ? line.countUnit : std::string()) : "",
            line.price ? centsText(*line.price) : "", line.date + (line.isOld ? ", old" : ""),
            line.amount ? centsText(*line.amount) : "-", note});
    }
    return table;
}

Table sectionTable(FleetSection section, const CostSheet &sheet)
{
    Table table{{{std::string(titleOf(section))}, {"Likely", true}, {"Low", true}, {"High", true}, {"Unit"},
                    {"Share [%]", true}, {.title = "Key", .isOfNames = true}, {"Source, note"}},
        {}};
    for (const auto &line : figuresOf(section, sheet)) {
        auto note = line.source;
        if (!line.note.empty())
            note = line.note + (note.empty() ? "" : (line.note.ends_with('.') ? " Source: " : ": ") + note);
        const auto texts = line.value ? rangeTexts(line) : RangeTexts{.likely = "-"};
        table.rows.push_back({line.label, texts.likely, texts.low, texts.high, texts.unit,
            line.share ? percent(*line.share) : "", line.key, note});
    }
    return table;
}

Table yearsTable(const CostSheet &sheet)
{
    Table table{{{"Cash flow by year [USD]"}}, {}};
    for (const auto &line : cashFlowOf(sheet)) {
        while (table.columns.size() <= line.years.size())
            table.columns.push_back({std::to_string(table.columns.size() - 1), true});
        table.rows.push_back({line.label});
        for (const double value : line.years)
            table.rows.back().push_back(centsText(value));
    }
    return table;
}

struct BesideRule {
    std::string_view title, key;
    std::size_t column = 0;
};
constexpr auto besideRules = std::to_array<BesideRule>({{"Nodes", "nodes"}, {"Accelerators", "accelerators"},
    {"Facility peak", "facility_peak_w"}, {"per accelerator", "facility_w_per_accelerator"}, {"Capital", "capital_usd"},
    {"per accelerator", "capital_usd_per_accelerator"}, {"Tariff", "usd_per_kwh"}, {"PUE", "pue"},
    {"Energy, year 1", "energy_by_year_usd", 1}, {"Running cost, year 1", "expenses_usd", 1},
    {"Levelised cost, nominal", "levelised_nominal_usd"}, {"Rent", "rent_usd_per_hour"},
    {"Break-even utilisation", "breakeven_utilisation"}, {"Month of crossing", "crossing_month"}});

std::string_view unitOf(std::string_view key, const CostSheet &sheet)
{
    const auto row = sheet.sheet().sheet().find(key);
    return row ? std::string_view(sheet.sheet().sheet().row(*row).unit) : std::string_view();
}

std::string titleOf(const FleetFacts &fleet)
{
    return fleet.node->name + (fleet.site.gridName.empty() ? "" : ", " + fleet.site.gridName);
}

} // namespace

void writeFleet(std::ostream &out, const PricedFleet &priced)
{
    const auto &fleet = *priced.fleet;
    out << (fleet.name.empty() ? std::string() : fleet.name + ": ") << fleet.nodeCount << " x " << fleet.node->name
        << ", " << fleet.fabric->name << "; " << dash(fleet.site.gridName)
        << (fleet.site.facilityName.empty() ? "" : ", " + fleet.site.facilityName) << "\n\n";
    writeAligned(out, billTable(priced));
    for (const auto section : allFleetSections) {
        out << '\n';
        writeAligned(out, sectionTable(section, priced.sheet));
    }
    out << '\n';
    writeAligned(out, yearsTable(priced.sheet));
    out << '\n';
    for (const auto &sentence : buyOrRentInWords(priced.fleet, priced.sheet))
        out << sentence << '\n';
    if (!priced.sheet.notices().empty())
        out << "\nNotices\n";
    for (const auto &notice : priced.sheet.notices())
        out << "- " << notice << '\n';
}

Table fleetCsv(const PricedFleet &priced)
{
    Table table{{{"table"}, {"key"}, {"label"}, {"item"}, {"unit"}, {"count"}, {"unit_price"}, {"year"}, {"likely"},
                    {"low"}, {"high"}, {"share"}, {"date"}, {"source"}, {"note"}},
        {}};
    for (const auto &line : billOfMaterials(priced.fleet, priced.sheet))
        table.rows.push_back({"bill_of_materials", line.key, line.label, line.item, "USD", exactly(line.count),
            exactly(line.price), "", exactly(line.amount), "", "", "", line.date, line.source, line.note});
    for (const auto section : allFleetSections)
        for (const auto &line : figuresOf(section, priced.sheet)) {
            const auto &range = line.value;
            table.rows.push_back({std::string(toString(section)), line.key, line.label, "", line.unit, "", "",
                line.column == 0 ? "" : std::to_string(line.column), range ? units::exact(range->likely) : "",
                range ? units::exact(range->low) : "", range ? units::exact(range->high) : "", exactly(line.share), "",
                line.source, line.note});
        }
    for (const auto &line : cashFlowOf(priced.sheet))
        for (std::size_t year = 0; year < line.years.size(); ++year)
            table.rows.push_back({"cash_flow", line.key, line.label, "", line.unit, "", "", std::to_string(year),
                units::exact(line.years[year]), "", "", "", "", "", ""});
    return table;
}

Table sheetRows(const CostSheet &sheet)
{
    Table table{{{"key"}, {"label"}, {"value", true}, {"unit"}, {"formula"}, {"source"}, {"date"}}, {}};
    const auto &evaluated = sheet.sheet();
    for (std::size_t i = 0; i < evaluated.sheet().rows().size(); ++i) {
        const auto &row = evaluated.sheet().row(i);
        const auto &figure = evaluated.entries().figure(i);
        std::string value;
        for (const double one : row.shape == SheetShape::Single ? std::vector<double>() : evaluated.columns(row.key))
            value += (value.empty() ? "" : " ") + units::exact(one);
        if (row.shape == SheetShape::Single)
            value = exactly(evaluated.value(row.key));
        auto formula = figure ? "entered" : row.formulaText;
        if (!figure && !row.atStartText.empty())
            formula += "; at the start " + row.atStartText;
        const auto reason = value.empty() ? sheet.reasonFor(row.key) : std::string();
        table.rows.push_back({row.key, row.label, dash(value), row.unit, formula,
            !reason.empty() ? reason
                : figure    ? figure->source
                            : row.source,
            figure ? figure->date : ""});
    }
    return table;
}

Table fleetsBeside(const std::vector<PricedFleet> &fleets)
{
    Table table{{{"Figure"}}, {}};
    for (const auto &priced : fleets)
        table.columns.push_back({titleOf(*priced.fleet), true});
    for (const auto &rule : besideRules) {
        table.rows.push_back({std::string(rule.title)});
        for (const auto &priced : fleets)
            table.rows.back().push_back(
                shown(priced.sheet.value(rule.key, rule.column), unitOf(rule.key, priced.sheet)));
    }
    for (const auto *entry : {"node_usd", "accelerator_usd", "rent_usd_per_hour", "usd_per_kwh"}) {
        std::vector<std::string> row{std::string("Source of ") + entry};
        bool isKnown = false;
        for (const auto &priced : fleets) {
            const auto *figure = priced.fleet->costs.find(entry);
            row.push_back(figure ? figure->source : "-");
            isKnown = isKnown || figure;
        }
        if (isKnown)
            table.rows.push_back(std::move(row));
    }
    return table;
}

void writeNoticesBeside(std::ostream &out, const std::vector<PricedFleet> &fleets)
{
    std::vector<std::pair<std::string, std::string>> said; // sentence, fleets
    for (const auto &priced : fleets)
        for (const auto &notice : priced.sheet.notices()) {
            const auto found = std::ranges::find(said, notice, [](const auto &one) { return one.first; });
            if (found == said.end())
                said.emplace_back(notice, titleOf(*priced.fleet));
            else
                found->second += "; " + titleOf(*priced.fleet);
        }
    if (!said.empty())
        out << "\nNotices\n";
    for (const auto &[sentence, of] : said)
        out << "- " << of << ": " << sentence << '\n';
}

Table fleetsCsv(const std::vector<PricedFleet> &fleets)
{
    Table table{{{"node"}, {"grid"}, {"fabric"}}, {}};
    for (const auto &rule : besideRules)
        table.columns.push_back({std::string(rule.key)});
    for (const auto &priced : fleets) {
        const auto &fleet = *priced.fleet;
        table.rows.push_back({fleet.node->name, fleet.site.gridName, fleet.fabric->name});
        for (const auto &rule : besideRules)
            table.rows.back().push_back(exactly(priced.sheet.value(rule.key, rule.column)));
    }
    return table;
}

} // namespace fleetwright::cli
