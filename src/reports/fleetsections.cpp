// SPDX-License-Identifier: GPL-3.0-or-later
// What fleets cost, line by line.
#include "charts/fleetcharts.h"
#include "reports/sections.h"
#include "reports/wording.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

/// The tables of a section of the report; who rents has no capital and runs nothing.
std::vector<FleetSection> partsOf(ReportSection section, bool isRented)
{
    switch (section) {
    case ReportSection::Cost:
        if (isRented)
            return {FleetSection::Rent};
        return {FleetSection::Capital, FleetSection::Running, FleetSection::Levelised, FleetSection::Rent};
    case ReportSection::Energy: return {FleetSection::Power};
    case ReportSection::Failures: return {FleetSection::Goodput};
    case ReportSection::Fleets: return {FleetSection::Calendar};
    default: return {};
    }
}

void sayBuyOrRent(Elements &elements, const PricedFleet &fleet)
{
    BulletList said;
    for (const auto &sentence : buyOrRentInWords(fleet.fleet, fleet.sheet))
        said.items << utf8(sentence);
    elements.push_back(std::move(said));
}

bool isNothing(const FleetFigureLine &line) { return line.value && line.value->likely == 0 && line.value->high == 0; }

} // namespace

std::string datedSource(const FleetBillLine &line)
{
    const bool isDated = line.date.empty() || line.source.ends_with(line.date);
    return isDated ? line.source : line.source + ", " + line.date;
}

QString NotedCells::with(const QString &text, std::initializer_list<std::string> parts)
{
    QStringList said;
    for (const auto &part : parts)
        if (!part.empty())
            said << utf8(part);
    if (said.isEmpty())
        return text;
    const auto note = said.join(u"; "_s);
    auto index = m_table.notes.indexOf(note);
    if (index < 0) {
        index = m_table.notes.size();
        m_table.notes << note;
    }
    return text + u' ' + noteMark(std::size_t(index));
}

void appendFleetFigures(Elements &elements, ReportSection section, const std::vector<PricedFleet> &fleets)
{
    for (const auto &fleet : fleets) {
        Table table{tr("%1; ranges: all its inputs at the lowest and at the highest").arg(fleet.name),
            {tr("Figure"), tr("Value"), tr("Share")}, {}, {false, true, true}};
        NotedCells cells(table);
        std::set<std::string> told; // a figure stands in several parts
        for (const auto part : partsOf(section, fleet.isRented()))
            for (const auto &line : figuresOf(part, fleet.sheet)) {
                if (isNothing(line) || !told.insert(line.key).second)
                    continue;
                if (line.isTotal)
                    table.strongRows.push_back(table.rows.size());
                const auto value = line.value ? utf8(rangeText(*line.value, line.unit)) : tr("not known");
                table.rows.push_back({utf8(line.label), cells.with(value, {line.source, line.note}),
                    line.share ? utf8(units::formatPercent(*line.share)) : QString()});
            }
        if (!table.rows.empty())
            elements.push_back(std::move(table));
    }
}

void appendCashFlow(Elements &elements, const std::vector<PricedFleet> &fleets)
{
    for (const auto &fleet : fleets) {
        const auto lines = fleet.isRented() ? std::vector<FleetYearsLine>() : cashFlowOf(fleet.sheet);
        if (fleet.isRented()) {
            elements.push_back(ChartPicture{
                tr("Renting against buying, cumulative: %1").arg(fleet.name), charts::buyOrRentChart(fleet.sheet)});
            sayBuyOrRent(elements, fleet);
        }
        if (lines.empty())
            continue;
        Table table{tr("Cash flow by year: %1").arg(fleet.name), {tr("Line [MUSD]")}, {}, {false}};
        for (std::size_t year = 0; year < lines.front().years.size(); ++year) {
            table.header << QString::number(year);
            table.rightAligned.push_back(true);
        }
        constexpr double million = 1e6;
        for (const auto &line : lines) {
            if (line.isTotal)
                table.strongRows.push_back(table.rows.size());
            QStringList row{utf8(line.label)};
            for (const double value : line.years)
                row << (value == 0 ? u"0"_s : utf8(units::threeDigits(value / million)));
            table.rows.push_back(std::move(row));
        }
        elements.push_back(std::move(table));
        elements.push_back(
            ChartPair{{tr("Cash flow and its discounted sum: %1").arg(fleet.name), charts::cashFlowChart(fleet.sheet)},
                {tr("Buying against renting, cumulative: %1").arg(fleet.name), charts::buyOrRentChart(fleet.sheet)}});
        sayBuyOrRent(elements, fleet);
    }
}

void appendBill(Elements &elements, const std::vector<PricedFleet> &fleets)
{
    for (const auto &fleet : fleets) {
        if (fleet.isRented())
            continue;
        Table table{tr("To order: %1").arg(fleet.name),
            {tr("Line"), tr("Item"), tr("Count"), tr("Unit price [USD]"), tr("Amount [USD]")}, {},
            {false, false, true, true, true}};
        NotedCells cells(table);
        for (const auto &line : billOfMaterials(fleet.fleet, fleet.sheet)) {
            if (line.isTotal)
                table.strongRows.push_back(table.rows.size());
            table.rows.push_back({utf8(line.label), utf8(line.item),
                line.count ? utf8(units::format(*line.count, units::Dimension::Number)) : QString(),
                line.price ? utf8(centsText(*line.price)) : QString(),
                cells.with(line.amount ? utf8(centsText(*line.amount)) : absent(), {datedSource(line), line.note})});
        }
        if (!table.rows.empty())
            elements.push_back(std::move(table));
    }
}

} // namespace fleetwright::reports
