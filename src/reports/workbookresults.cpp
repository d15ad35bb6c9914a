// SPDX-License-Identifier: GPL-3.0-or-later
// The sheets after the calculations: results, comparison, checks.
#include "reports/workbookmaking.h"

#include "reports/wording.h"
#include "text/localizedparts.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

/// What people look at first, in order; rows that no fleet has are left out.
constexpr auto firstFigures = std::to_array<std::string_view>({"accelerators", "facility_peak_w", "capital_usd",
    "capital_usd_per_accelerator", "energy_usd", "support_usd", "staff_line_usd", "residual_usd", "present_cost_usd",
    "annual_usd", "levelised_nominal_usd", "levelised_real_usd", "npv_usd", "irr", "payback_years", "rent_usd_per_year",
    "rent_present_usd", "breakeven_utilisation", "breakeven_rent_usd", "crossing_month", "productive_share",
    "ready_weeks", "run_days", "calendar_days", "run_owned_usd", "run_rented_usd", "run_kwh", "run_grid_kg",
    "run_water_l", "trials_owned_usd"});

constexpr unsigned rangeColumns = 5; // of a fleet, right of the live figures

constexpr auto capitalLines = std::to_array<std::string_view>(
    {"nodes_usd", "network_usd", "storage_usd", "management_usd", "racks_power_usd", "installation_usd",
        "licences_once_usd", "support_once_usd", "freight_usd", "contingency_usd", "facility_usd", "owned_usd"});

} // namespace

void WorkbookMaking::results()
{
    std::vector<double> widths{labelWidth, keyWidth, unitWidth};
    widths.insert(widths.end(), fleets(), valueWidth);
    for (std::size_t i = 0; i < fleets(); ++i)
        widths.insert(widths.end(), {valueWidth, valueWidth, valueWidth, valueWidth, 12});
    m_writer.startBlock(u"Results"_s, widths, WorkbookLayout::headerLine, 3, startsOfFleets(rangeColumns));
    top(tr("Results"),
        tr("The first columns follow the inputs. As written: what Fleetwright computed, with its range."));
    for (const auto &title : {tr("Figure"), tr("Row"), tr("Unit")})
        m_writer.text(title, CellStyle::Heading);
    names();
    for (std::size_t i = 0; i < fleets(); ++i) {
        const auto suffix = fleets() > 1 ? u" "_s + utf8(columnName(i)) : QString();
        for (const auto &title :
            {tr("As written"), tr("Low, as written"), tr("High, as written"), tr("Changed by"), tr("Range holds")})
            m_writer.text(title + suffix, CellStyle::Heading);
    }
    m_writer.nextRow();
    for (const auto key : firstFigures)
        if (const auto index = m_layout.sheet().find(key); index && anyHas(*index))
            result(*index);
    m_lastResult = m_writer.row();
    m_writer.nextRow();
    m_writer.text(tr("Capital by line"), CellStyle::Total);
    m_writer.nextRow();
    const auto first = m_writer.row() + 1;
    for (const auto key : capitalLines)
        if (const auto index = m_layout.sheet().find(key); index && anyHas(*index))
            live(*index, CellStyle::Plain);
    const auto last = m_writer.row();
    if (last < first)
        return;
    SheetChart chart{.kind = SheetChart::Kind::Bars, .title = tr("Capital by line"), .axis = u"USD"_s};
    for (std::size_t i = 0; i < std::min<std::size_t>(fleets(), 6); ++i) {
        const auto column = utf8(columnName(WorkbookLayout::firstValue + i));
        chart.series.push_back({u"=Results!$%1$%2"_s.arg(column).arg(WorkbookLayout::headerLine),
            u"=Results!$A$%1:$A$%2"_s.arg(first).arg(last),
            u"=Results!$%1$%2:$%1$%3"_s.arg(column).arg(first).arg(last)});
    }
    m_writer.chart(chart, last + 1, 1);
}

void WorkbookMaking::values(std::size_t index, CellStyle style)
{
    bool anyRented = false;
    for (std::size_t i = 0; i < fleets(); ++i)
        anyRented = anyRented || fleet(i).sheet.paying() == Paying::Rent;
    const bool isPrice = anyRented && row(index).key.starts_with("capital_usd"); // which nobody pays for a rented one
    m_writer.text(isPrice ? tr("%1 (of rented fleets: were it bought)").arg(localized(row(index).label))
                          : localized(row(index).label),
        style);
    m_writer.text(utf8(row(index).key), CellStyle::Muted);
    m_writer.text(localizedUnit(row(index).unit), CellStyle::Plain);
    for (std::size_t i = 0; i < fleets(); ++i)
        cell(CellPlaces(m_layout, i).cell(index, false), m_layout.value(i, index), index, style);
}

void WorkbookMaking::live(std::size_t index, CellStyle style)
{
    values(index, style);
    m_writer.nextRow();
}

void WorkbookMaking::result(std::size_t index)
{
    values(index, CellStyle::Total);
    const auto format = formatOfUnit(row(index).unit, m_layout.value(0, index).value_or(0));
    const auto line = m_writer.row() + 1;
    for (std::size_t i = 0; i < fleets(); ++i) {
        const auto written = m_layout.value(i, index);
        const auto range = fleet(i).sheet.range(row(index).key);
        const auto column = WorkbookLayout::firstValue + fleets() + rangeColumns * i;
        if (!written || !range) {
            m_writer.text(localized(noValue), CellStyle::Solver);
            m_writer.skip(rangeColumns - 1);
            continue;
        }
        m_writer.number(*written, format, CellStyle::Solver);
        m_writer.number(range->low, format, CellStyle::Solver);
        if (std::isfinite(range->high))
            m_writer.number(range->high, format, CellStyle::Solver);
        else
            m_writer.text(tr("never"), CellStyle::Solver);
        const auto now = columnName(WorkbookLayout::firstValue + i) + std::to_string(line);
        m_writer.formula(u"=IF(ISNUMBER(%1),%1-%2,\"%3\")"_s.arg(
                             utf8(now), utf8(columnName(column) + std::to_string(line)), localized(noValue)),
            0, format);
        const auto first = utf8(columnName(column) + std::to_string(line));
        const auto changed = utf8(columnName(column + 3) + std::to_string(line));
        m_writer.formula(u"=IF(ISNUMBER(%1),ABS(%1)<=%2*MAX(ABS(%3),1),FALSE)"_s.arg(changed,
                             utf8(m_layout.constantCell(rangeTolerance, std::string(rangeToleranceUnit))), first),
            u"TRUE"_s);
    }
    m_writer.nextRow();
}

std::vector<unsigned> WorkbookMaking::startsOfFleets(unsigned columns) const
{
    std::vector<unsigned> starts;
    const auto after = unsigned(WorkbookLayout::firstValue + fleets());
    for (unsigned column = WorkbookLayout::firstValue; column < after; ++column)
        starts.push_back(column);
    for (std::size_t i = 0; i < fleets(); ++i)
        starts.push_back(after + columns * unsigned(i));
    return starts;
}

void WorkbookMaking::compare()
{
    std::vector<double> widths{labelWidth, keyWidth, unitWidth};
    widths.insert(widths.end(), 2 * fleets(), valueWidth);
    m_writer.startBlock(u"Compare"_s, widths, WorkbookLayout::headerLine, 3);
    top(tr("Compare"), tr("Right: more than the first by; the same unit."));
    for (const auto &title : {tr("Figure"), tr("Row"), tr("Unit")})
        m_writer.text(title, CellStyle::Heading);
    names();
    for (std::size_t i = 1; i < fleets(); ++i)
        m_writer.text(tr("%1 less A").arg(utf8(columnName(i))), CellStyle::Heading);
    m_writer.nextRow();
    const auto lines = [&](std::span<const std::string_view> keys) {
        for (const auto key : keys)
            if (const auto index = m_layout.sheet().find(key); index && anyHas(*index))
                compared(*index);
        m_writer.nextRow();
    };
    lines(firstFigures);
    lines(capitalLines);
}

void WorkbookMaking::compared(std::size_t index)
{
    values(index, CellStyle::Plain);
    const auto line = std::to_string(m_writer.row() + 1);
    const auto first = utf8(columnName(WorkbookLayout::firstValue) + line);
    for (std::size_t i = 1; i < fleets(); ++i) {
        const auto other = utf8(columnName(WorkbookLayout::firstValue + i) + line);
        const auto formula = u"=IF(AND(ISNUMBER(%1),ISNUMBER(%2)),%2-%1,\"%3\")"_s.arg(
            first, other, localized(noValue));
        const auto a = m_layout.value(0, index), b = m_layout.value(i, index);
        if (a && b)
            m_writer.formula(formula, *b - *a, formatOfUnit(row(index).unit, *b - *a));
        else
            m_writer.formula(formula, localized(noValue));
    }
    m_writer.nextRow();
}

std::optional<bool> WorkbookMaking::holds(const WorkbookCheck &check, std::size_t of) const
{
    const double value = m_layout.termValue(of, check.condition);
    for (const auto index : rowsOf(check.condition))
        if (!m_layout.value(of, index, row(index).shape == SheetShape::Single ? 0 : 1))
            return std::nullopt;
    return value != 0;
}

bool WorkbookMaking::allHold() const
{
    for (std::size_t i = 0; i < fleets(); ++i)
        for (const auto &check : m_checks)
            if (!holds(check, i).value_or(true))
                return false;
    return true;
}

void WorkbookMaking::checks()
{
    std::vector<double> widths{80, 12, 12};
    widths.insert(widths.end(), fleets(), valueWidth);
    m_writer.startBlock(u"Checks"_s, widths, WorkbookLayout::headerLine + 1, 3);
    m_writer.text(tr("Checks"), CellStyle::Title);
    m_writer.nextRow();
    m_writer.text(tr("A FALSE says that the workbook no longer hangs together, or that the program must be asked "
                     "again."),
        CellStyle::Remark);
    m_writer.nextRow();
    const auto solved = solvedEntries(m_layout);
    constexpr unsigned words = 2; // fabric and node
    const auto from = unsigned(solved.size()) + words + 8,
               to = from + unsigned(solved.size() + words - 1 + m_checks.size());
    m_writer.text(tr("All checks hold"), CellStyle::Total);
    m_writer.formula(
        u"=AND($D$%1:$%2$%3)"_s.arg(from).arg(utf8(columnName(WorkbookLayout::firstValue + fleets() - 1))).arg(to),
        allHold() ? u"TRUE"_s : u"FALSE"_s, CellStyle::Total);
    m_writer.nextRow();
    m_writer.text(tr("Ranges hold: every figure on Results is as written"), CellStyle::Total);
    QStringList ranges;
    for (std::size_t i = 0; i < fleets(); ++i)
        ranges << u"Results!$%1$%2:$%1$%3"_s
                      .arg(
                          utf8(columnName(WorkbookLayout::firstValue + fleets() + rangeColumns * i + rangeColumns - 1)))
                      .arg(WorkbookLayout::headerLine + 1)
                      .arg(m_lastResult);
    m_writer.formula(u"=AND(%1)"_s.arg(ranges.join(u',')), u"TRUE"_s, CellStyle::Total);
    m_writer.nextRow();
    m_writer.text(tr("The program's values were computed for"), CellStyle::Heading);
    m_writer.skip(2);
    names();
    m_writer.nextRow();
    for (const auto &[label, isNode] : {std::pair(tr("Fabric"), false), std::pair(tr("Node"), true)}) {
        m_writer.text(label, CellStyle::Plain);
        m_writer.skip(2);
        for (std::size_t i = 0; i < fleets(); ++i)
            m_writer.text(localizedAsWhole(isNode ? fleet(i).fleet->node->name : fleet(i).fleet->fabric->name),
                CellStyle::Solver);
        m_writer.nextRow();
    }
    for (const auto index : solved) {
        m_writer.text(localized(row(index).label), CellStyle::Plain);
        m_writer.skip(2);
        for (std::size_t i = 0; i < fleets(); ++i)
            if (const auto value = m_layout.value(i, index))
                m_writer.number(*value, CellFormat::Count, CellStyle::Solver);
            else
                m_writer.skip();
        m_writer.nextRow();
    }
    m_writer.nextRow();
    m_writer.text(tr("Check"), CellStyle::Heading);
    m_writer.skip(2);
    names();
    m_writer.nextRow();
    checkLines(solved);
}

void WorkbookMaking::checkLines(const std::vector<std::size_t> &solved)
{
    constexpr unsigned fabricLine = 6;
    constexpr std::size_t words = 2; // fabric and node stand before the numbers, here and below the inputs
    for (std::size_t at = 0; at < solved.size() + words; ++at) {
        m_writer.text(at == 0 ? tr("The fabric is the one that was computed")
                : at == 1     ? tr("The node is the one that was computed")
                              : tr("%1: as computed").arg(localized(row(solved[at - words]).label)),
            CellStyle::Plain);
        m_writer.skip(2);
        for (std::size_t i = 0; i < fleets(); ++i) {
            const auto column = columnName(WorkbookLayout::firstValue + i);
            const auto known = column + std::to_string(fabricLine + at);
            const auto now = at < words ? "Inputs!" + column + std::to_string(m_layout.factLine() + at)
                                        : m_layout.inputCell(solved[at - words], i);
            m_writer.formula(
                at < words ? u"=EXACT(%1,%2)"_s.arg(utf8(now), utf8(known)) : u"=%1=%2"_s.arg(utf8(now), utf8(known)),
                u"TRUE"_s);
        }
        m_writer.nextRow();
    }
    for (const auto &check : m_checks) {
        m_writer.text(localized(check.label), CellStyle::Plain);
        m_writer.skip(2);
        for (std::size_t i = 0; i < fleets(); ++i) {
            const auto held = holds(check, i);
            m_writer.formula(u"="_s + utf8(m_rows.check(check.condition, i)),
                !held       ? u"n/a"_s
                    : *held ? u"TRUE"_s
                            : u"FALSE"_s);
        }
        m_writer.nextRow();
    }
}

} // namespace fleetwright::reports
