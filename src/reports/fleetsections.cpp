// SPDX-License-Identifier: GPL-3.0-or-later
// What fleets cost, line by line.
#include "charts/fleetcharts.h"
#include "reports/sections.h"
#include "reports/wording.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

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
    elements.push_back(bulletsOf(buyOrRentInWords(fleet.fleet, fleet.sheet)));
}

constexpr std::size_t fleetsATable = 4;

/// A figure of all fleets, in their order; nothing where a fleet has none.
struct FigureRow {
    std::vector<std::optional<FleetFigureLine>> lines;
    [[nodiscard]] const FleetFigureLine &any() const { return **std::ranges::find_if(lines, &isThere); }
    [[nodiscard]] bool isNothing() const
    {
        return std::ranges::all_of(lines, [](const auto &line) {
            return !line || (line->value && line->value->likely == 0 && line->value->high == 0);
        });
    }
    /// The same words and values stand in more than one table of a sheet.
    [[nodiscard]] bool says(const FigureRow &other) const
    {
        return std::ranges::equal(lines, other.lines, [](const auto &a, const auto &b) {
            return a.has_value() == b.has_value()
                && (!a || (a->label == b->label && a->unit == b->unit && a->value == b->value));
        });
    }

private:
    static bool isThere(const std::optional<FleetFigureLine> &line) { return line.has_value(); }
};

std::vector<FigureRow> figureRows(ReportSection section, const std::vector<PricedFleet> &fleets)
{
    std::vector<FigureRow> rows;
    for (std::size_t i = 0; i < fleets.size(); ++i)
        for (const auto part : partsOf(section, fleets[i].isRented()))
            for (auto &line : figuresOf(part, fleets[i].sheet)) {
                auto found = std::ranges::find_if(rows, [&](const FigureRow &row) {
                    return row.any().key == line.key && row.any().column == line.column
                        && row.any().label == line.label; // what owning costs, and what it would
                });
                if (found == rows.end())
                    found = rows.insert(found, {std::vector<std::optional<FleetFigureLine>>(fleets.size())});
                found->lines[i] = std::move(line);
            }
    std::vector<FigureRow> said;
    for (auto &row : rows)
        if (!row.isNothing() && std::ranges::none_of(said, [&](const FigureRow &earlier) { return earlier.says(row); }))
            said.push_back(std::move(row));
    return said;
}

/// "month 6 (4 to 7)": which one, where the unit would say how many.
QString monthText(const FleetFigureLine &line)
{
    static const QRegularExpression unit(u"[ \u00a0]months?\\b"_s);
    const auto text = utf8(rangeText(line));
    return text.front().isDigit() ? tr("month %1").arg(localized(QString(text).remove(unit))) : localized(text);
}

} // namespace

std::string datedSource(const FleetBillLine &line)
{
    if (line.priceKey.empty() && line.source.find('_') != std::string::npos)
        return {}; // a formula, which the workbook has
    const bool isDated = line.date.empty() || line.source.ends_with(line.date);
    return isDated ? line.source : line.source + ", " + line.date;
}

QString NotedCells::with(const QString &text, std::initializer_list<std::string> parts)
{
    QStringList said;
    for (const auto &part : parts)
        if (!part.empty())
            said << plainWords(part);
    return withNote(text, said.join(u"; "_s), m_table.notes);
}

void appendFleetFigures(Elements &elements, ReportSection section, const std::vector<PricedFleet> &fleets)
{
    const auto rows = figureRows(section, fleets);
    const bool single = fleets.size() == 1;
    const bool shares = single
        && std::ranges::any_of(rows, [](const FigureRow &row) { return row.any().share.has_value(); });
    for (std::size_t first = 0; first < fleets.size() && !rows.empty(); first += fleetsATable) {
        const auto end = std::min(first + fleetsATable, fleets.size());
        Table table{tr("%1; ranges hold eight draws in ten")
                        .arg(single ? fleets.front().name : tr("%1 by fleet").arg(localized(titleOf(section)))),
            {tr("Figure")}, {}, {false}};
        for (std::size_t i = first; i < end; ++i) {
            table.header << (single ? tr("Value") : fleets[i].name);
            table.rightAligned.push_back(true);
        }
        if (shares) {
            table.header << tr("Share");
            table.rightAligned.push_back(true);
        }
        NotedCells cells(table);
        for (const auto &row : rows) {
            if (row.any().isTotal)
                table.strongRows.push_back(table.rows.size());
            QStringList texts{localized(row.any().label)};
            for (std::size_t i = first; i < end; ++i) {
                const auto &line = row.lines[i];
                texts << (!line ? absent()
                                : cells.with(!line->value               ? tr("not known")
                                        : line->key == "crossing_month" ? monthText(*line)
                                                                        : localized(rangeText(*line)),
                                    {line->source, line->note,
                                        line->value && line->key == "crossing_month"
                                            ? "against the rent " + rentInWords(fleets[i].fleet)
                                            : std::string()}));
            }
            if (shares)
                texts << (row.any().share ? localized(units::formatPercent(*row.any().share)) : QString());
            table.rows.push_back(std::move(texts));
        }
        elements.push_back(std::move(table));
    }
}

void appendCashFlow(Elements &elements, const std::vector<PricedFleet> &fleets)
{
    for (const auto &fleet : fleets) {
        const auto lines = fleet.isRented() ? std::vector<FleetYearsLine>() : cashFlowOf(fleet.sheet);
        if (fleet.isRented()) {
            elements.push_back(ChartPicture{tr("What renting and buying have cost by each month: %1").arg(fleet.name),
                charts::buyOrRentChart(fleet.sheet, localized(rentInWords(fleet.fleet)))});
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
            QStringList row{localized(line.label)};
            for (const double value : line.years)
                row << (value == 0 ? u"0"_s : localized(units::threeDigits(value / million)));
            table.rows.push_back(std::move(row));
        }
        elements.push_back(std::move(table));
        elements.push_back(ChartPicture{
            tr("Cash flow by year and its discounted sum: %1").arg(fleet.name), charts::cashFlowChart(fleet.sheet)});
        elements.push_back(ChartPicture{tr("What buying and renting have cost by each month: %1").arg(fleet.name),
            charts::buyOrRentChart(fleet.sheet, localized(rentInWords(fleet.fleet)))});
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
            table.rows.push_back({localized(line.label), localized(line.item),
                line.count ? localized(units::format(*line.count, units::Dimension::Number)) : QString(),
                line.price ? localized(centsText(*line.price)) : QString(),
                cells.with(
                    line.amount ? localized(centsText(*line.amount)) : absent(), {datedSource(line), line.note})});
        }
        if (!table.rows.empty())
            elements.push_back(std::move(table));
    }
}

} // namespace fleetwright::reports
