// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/workbookrows.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::reports {

namespace {

const std::string noneText = "\"" + std::string(noValue) + "\"";

std::string orElse(const std::string &input, const std::string &otherwise)
{
    return "IF(ISNUMBER(" + input + ")," + input + "," + otherwise + ")";
}

std::string allNumbers(const std::vector<std::string> &cells)
{
    std::string list;
    for (const auto &cell : cells)
        list += (list.empty() ? "ISNUMBER(" : ",ISNUMBER(") + cell + ")";
    return cells.size() == 1 ? list : "AND(" + list + ")";
}

} // namespace

CellFormat formatOfUnit(std::string_view unit, double value)
{
    constexpr auto whole = std::to_array<std::string_view>(
        {"W", "W/node", "kWh", "kgCO2e", "L", "node", "switch", "transceiver", "accelerator", "accelerator h"});
    constexpr auto hourly = std::to_array<std::string_view>({"USD/(accelerator h)", "USD/kWh", "USD/W"});
    if (std::ranges::find(hourly, unit) != hourly.end())
        return CellFormat::Decimal;
    if (unit.starts_with("USD"))
        return CellFormat::Cents;
    if (std::ranges::find(whole, unit) != whole.end())
        return CellFormat::Count;
    return value == std::round(value) ? CellFormat::General : CellFormat::Decimal;
}

/// The cell that says whether a row has values: of columns the first year or month.
std::string WorkbookRows::probe(std::size_t row, std::size_t fleet, const CellPlaces &places, SheetShape home) const
{
    const auto shape = m_layout.sheet().row(row).shape;
    if (shape == SheetShape::Single || shape == home)
        return places.cell(row, false);
    return "'" + m_layout.sheetName(shape, fleet) + "'!$" + columnName(WorkbookLayout::firstColumn + 1) + "$"
        + std::to_string(m_layout.line(row));
}

std::string WorkbookRows::guarded(
    std::string text, std::size_t row, std::size_t fleet, const CellPlaces &places, SheetShape home) const
{
    if (!m_layout.lacksValue(row))
        return text;
    std::vector<std::string> needed;
    for (const auto &formula : {m_layout.sheet().row(row).formula, m_layout.sheet().row(row).atStart})
        if (formula)
            for (const auto used : fleetwright::rowsOf(*formula)) {
                const bool isColumns = m_layout.sheet().row(used).shape != SheetShape::Single;
                auto cell = probe(used, fleet, places, home);
                if (used != row && !m_layout.isWords(used)
                    && (m_layout.isAbsent(used) || (isColumns && m_layout.lacksValue(used)))
                    && std::ranges::find(needed, cell) == needed.end())
                    needed.push_back(std::move(cell));
            }
    text = "IFERROR(" + text + "," + noneText + ")";
    return needed.empty() ? text : "IF(" + allNumbers(needed) + "," + text + "," + noneText + ")";
}

std::string WorkbookRows::single(std::size_t row, std::size_t fleet, WorkbookBlock block) const
{
    const CellPlaces places(m_layout, fleet, block);
    const auto &of = m_layout.sheet().row(row);
    const auto formula = [&] {
        return guarded(spreadsheetFormula(*of.formula, places), row, fleet, places, SheetShape::Single);
    };
    if (!of.isEntry())
        return of.formula ? formula() : noneText;
    const auto input = m_layout.inputCell(row, fleet);
    if (m_layout.hasConstantDefault(row))
        return input;
    return of.formula ? orElse(input, formula()) : m_layout.lacksValue(row) ? orElse(input, noneText) : input;
}

std::string WorkbookRows::inColumn(std::size_t row, std::size_t fleet, std::size_t column) const
{
    const auto &of = m_layout.sheet().row(row);
    const CellPlaces places(m_layout, fleet, of.shape, column);
    auto text = of.formula ? spreadsheetFormula(*of.formula, places) : noneText;
    if (of.isEntry()) {
        const auto input = "Inputs!$" + columnName(WorkbookLayout::firstValue + fleet) + "$"
            + std::to_string(m_layout.inputLine(row));
        text = orElse(input, text);
    }
    text = "IF(" + places.here(WorkbookLayout::paymentLine) + "=1," + text + ",0)";
    if (of.atStart)
        text = "IF(" + places.here(WorkbookLayout::numberLine) + "=0," + spreadsheetFormula(*of.atStart, places) + ","
            + text + ")";
    return guarded(std::move(text), row, fleet, places, of.shape);
}

std::string WorkbookRows::helper(const WorkbookLayout::Helper &helper, std::size_t fleet, std::size_t column) const
{
    using Kind = WorkbookLayout::Helper::Kind;
    const CellPlaces places(m_layout, fleet, helper.shape, column);
    const auto term = [&](const SheetFormula &formula, const std::string &flag) {
        auto text = spreadsheetFormula(formula, places);
        bool lacks = false;
        for (const auto used : fleetwright::rowsOf(formula))
            lacks = lacks || m_layout.lacksValue(used);
        text = "IF(" + flag + "=1," + text + ",0)";
        return lacks ? "IFERROR(" + text + "," + noneText + ")" : text;
    };
    switch (helper.kind) {
    case Kind::Term: return term(helper.formula, places.here(WorkbookLayout::lifeLine));
    case Kind::Guarded: {
        const auto *condition = m_layout.helper(Kind::Term, helper.formula.arguments[0]);
        return term(helper.formula.arguments[1], places.here(condition->line));
    }
    case Kind::Sign: {
        const auto flow = spreadsheetFormula(helper.formula, places);
        return "IF(" + flow + ">0,1,IF(" + flow + "<0,-1," + places.here(helper.line, 1) + "))";
    }
    case Kind::Change: {
        const auto line = m_layout.helper(Kind::Sign, helper.formula)->line;
        return "IF(" + places.here(line) + "*" + places.here(line, 1) + "<0,1,0)";
    }
    }
    return "0";
}

std::string WorkbookRows::frame(SheetShape shape, std::size_t fleet, std::size_t column, unsigned line) const
{
    const CellPlaces places(m_layout, fleet, shape, column);
    const auto number = places.here(WorkbookLayout::numberLine);
    const auto months = m_layout.constantCell(12, "month/year");
    const auto lifeRow = m_layout.sheet().find("life_years");
    auto life = lifeRow ? m_layout.singleCell(*lifeRow, fleet) : std::string("1");
    if (shape == SheetShape::Months)
        life += "*" + months;
    switch (line) {
    case WorkbookLayout::numberLine: return column == 0 ? std::string() : places.here(line, 1) + "+1";
    case WorkbookLayout::paymentLine: return "IF(AND(" + number + ">0," + number + "<=" + life + "),1,0)";
    case WorkbookLayout::lifeLine: return "IF(" + number + "<=" + life + ",1,0)";
    default: return "-INT(-" + number + "/" + months + ")";
    }
}

std::string WorkbookRows::check(const SheetFormula &condition, std::size_t fleet) const
{
    const CellPlaces places(m_layout, fleet);
    std::vector<std::string> needed;
    for (const auto used : fleetwright::rowsOf(condition))
        if (CellPlaces(m_layout, fleet).mayBeNone(used))
            needed.push_back(probe(used, fleet, places, SheetShape::Single));
    const auto text = spreadsheetCondition(condition, places);
    return needed.empty() ? text : "IF(" + allNumbers(needed) + "," + text + ",\"n/a\")";
}

} // namespace fleetwright::reports
