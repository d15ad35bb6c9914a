// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/evaluatedsheet.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

constexpr std::string_view lifeKey = "life_years";

Expected<void> missing(const Worksheet::Row &row)
{
    return refuse(ErrorCode::MissingField, row.key, row.label + " is missing.");
}

/// Required entries that no formula stands in for, and as many numbers as there are years.
Expected<void> checkEntries(const SheetEntries &entries, int years, SheetGaps gaps)
{
    const auto &sheet = entries.sheet();
    for (std::size_t i = 0; i < sheet.rows().size(); ++i) {
        const auto &row = sheet.row(i);
        const auto &figure = entries.figure(i);
        if (gaps == SheetGaps::Refused && !figure && row.entry.required && !row.formula
            && !entries.has(row.entry.unless))
            return missing(row);
        if (figure && figure->likely.size() != 1 && figure->likely.size() != std::size_t(years))
            return refuse(ErrorCode::UnsupportedValue, row.key,
                row.label + " takes one number, or one for each of the " + std::to_string(years) + " years.");
    }
    return {};
}

} // namespace

SheetDraws::SheetDraws(std::shared_ptr<const SheetProgram> program, const SheetEntries &entries)
    : m_program(std::move(program)), m_cells(m_program->cells())
{
    const auto &sheet = m_program->sheet();
    for (std::size_t row = 0; row < sheet.rows().size(); ++row) {
        const auto &figure = entries.figure(row);
        if (!figure || !m_program->isEntered(row) || !m_program->isPresent(row))
            continue;
        const bool single = sheet.row(row).shape == SheetShape::Single;
        const auto columns = m_program->columns(sheet.row(row).shape);
        for (std::size_t column = single ? 0 : 1; column < columns; ++column)
            std::ranges::fill(entry(row, column),
                figure->likely[single || figure->likely.size() == 1 ? 0 : std::min(column, figure->likely.size()) - 1]);
    }
}

EvaluatedSheet::EvaluatedSheet(SheetEntries entries, std::shared_ptr<const SheetProgram> program)
    : m_entries(std::move(entries)), m_program(std::move(program)), m_draws(m_program, m_entries)
{
    m_draws.run();
}

std::optional<double> EvaluatedSheet::at(std::size_t row, std::size_t column) const
{
    if (!m_program->isPresent(row) || column >= m_program->columns(sheet().row(row).shape))
        return std::nullopt;
    const double value = m_draws.values(row, column)[0];
    return std::isnan(value) ? std::nullopt : std::optional(value);
}

std::optional<double> EvaluatedSheet::value(std::string_view key, std::size_t column) const
{
    const auto row = sheet().find(key);
    return row ? at(*row, column) : std::nullopt;
}

std::vector<double> EvaluatedSheet::columns(std::string_view key) const
{
    std::vector<double> columns;
    const auto row = sheet().find(key);
    if (!row || !m_program->isPresent(*row))
        return columns;
    for (std::size_t column = 0; column < m_program->columns(sheet().row(*row).shape); ++column)
        columns.push_back(m_draws.values(*row, column)[0]);
    if (std::ranges::any_of(columns, [](double value) { return std::isnan(value); }))
        columns.clear();
    return columns;
}

std::optional<double> EvaluatedSheet::inBaseUnits(
    std::string_view key, std::size_t column, units::Dimension dimension) const
{
    const auto row = sheet().find(key);
    if (!row || !sheet().row(*row).dimension.measures(dimension))
        return std::nullopt;
    const auto found = at(*row, column);
    return found ? std::optional(*found * sheet().row(*row).dimension.scale()) : std::nullopt;
}

Expected<void> EvaluatedSheet::check(SheetGaps gaps) const
{
    const auto rows = sheet().rows();
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (gaps == SheetGaps::Refused && rows[i].entry.required && !m_entries.has(rows[i].entry.unless)
            && !at(i, rows[i].shape == SheetShape::Single ? 0 : 1))
            return missing(rows[i]);
    for (std::size_t i = 0; i < sheet().rules().size(); ++i)
        if (const auto &rule = sheet().rules()[i]; !m_draws.obeys(i, 0))
            return refuse(ErrorCode::OutOfRange, rule.field, rule.sentence);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!m_program->isPresent(i))
            continue;
        for (std::size_t column = 0; column < m_program->columns(rows[i].shape); ++column)
            if (const double value = m_draws.values(i, column)[0];
                !std::isfinite(value) && !((rows[i].mayBeNone || gaps == SheetGaps::LeftOut) && std::isnan(value)))
                return refuse(ErrorCode::OutOfRange, "inputs",
                    std::isnan(value) && !rows[i].none.empty()
                        ? rows[i].none
                        : rows[i].label + " is too large to represent; use quantities of a realistic size.");
    }
    return {};
}

Expected<ExplainedCell> EvaluatedSheet::explain(std::string_view key, std::size_t column) const
{
    const auto index = sheet().find(key);
    if (!index || !m_program->isPresent(*index) || column >= m_program->columns(sheet().row(*index).shape))
        return refuse(ErrorCode::UnknownReference, std::string(key), "The worksheet has no such value.");
    const auto &row = sheet().row(*index);
    ExplainedCell cell{
        .key = row.key, .label = row.label, .unit = row.unit, .column = column, .value = at(*index, column)};
    if (const auto &figure = m_entries.figure(*index)) {
        cell.source = figure->source;
        cell.date = figure->date;
        cell.low = figure->low;
        cell.high = figure->high;
        return cell;
    }
    cell.source = row.source;
    if (row.entry.high > row.entry.low) {
        cell.low = row.entry.low;
        cell.high = row.entry.high;
    }
    const bool atStart = column == 0 && row.shape != SheetShape::Single;
    const auto &formula = atStart ? row.atStart : row.formula;
    cell.formula = atStart ? (row.atStart ? row.atStartText : "0") : row.formulaText;
    if (!formula)
        return cell;
    visitFormula(*formula, [&](const SheetFormula &part) {
        const bool previous = part.operation == SheetOperation::Previous;
        if (!previous && part.operation != SheetOperation::Row)
            return;
        const auto &used = sheet().row(part.row);
        const auto name = previous ? "previous(" + used.key + ")" : used.key;
        if (std::ranges::find(cell.inputs, name, &ExplainedCell::Input::key) != cell.inputs.end())
            return;
        const auto from = used.shape == SheetShape::Single ? 0
            : used.shape == row.shape                      ? column - (previous ? 1 : 0)
                                                           : 0;
        const auto &figure = m_entries.figure(part.row);
        cell.inputs.push_back({name, used.label, used.unit,
            used.shape == SheetShape::Single || used.shape == row.shape ? at(part.row, from) : std::nullopt,
            figure               ? figure->source
                : used.isEntry() ? used.source
                                 : std::string()});
    });
    return cell;
}

Expected<EvaluatedSheet> evaluateSheet(SheetEntries entries, SheetGaps gaps)
{
    const bool hasLife = entries.sheet().find(lifeKey).has_value();
    const int years = hasLife ? std::max(1, int(entries.single(lifeKey))) : 1;
    if (auto checked = checkEntries(entries, years, gaps); !checked)
        return std::unexpected(std::move(checked.error()));
    auto program = std::make_shared<const SheetProgram>(entries.sheet(), entries.entered(), years);
    EvaluatedSheet evaluated(std::move(entries), std::move(program));
    if (auto checked = evaluated.check(gaps); !checked)
        return std::unexpected(std::move(checked.error()));
    return evaluated;
}

} // namespace fleetwright
