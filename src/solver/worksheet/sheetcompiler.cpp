// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/sheetcompiler.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fleetwright {

namespace {

constexpr std::uint32_t cellSize = SheetProgram::lanes;

std::vector<std::size_t> rowsNeeded(const Worksheet::Row &row)
{
    std::vector<std::size_t> rows;
    for (const auto *formula : {&row.formula, &row.atStart})
        if (*formula)
            std::ranges::copy(rowsOf(**formula), std::back_inserter(rows));
    return rows;
}

} // namespace

SheetCompiler::SheetCompiler(SheetProgram &program, std::span<const std::size_t> wanted) : m_program(program)
{
    findPresent();
    if (!wanted.empty())
        keepWanted(wanted);
}

void SheetCompiler::findPresent()
{
    const auto rows = m_program.m_sheet->rows();
    auto &present = m_program.m_present;
    present.assign(rows.size(), true);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!present[i] || m_program.m_entered[i])
                continue;
            const auto needed = rowsNeeded(rows[i]);
            if (!rows[i].formula || !std::ranges::all_of(needed, [&](std::size_t row) { return present[row]; })) {
                present[i] = false;
                changed = true;
            }
        }
    }
}

void SheetCompiler::keepWanted(std::span<const std::size_t> wanted)
{
    std::vector<bool> kept(m_program.m_present.size(), false);
    std::vector<std::size_t> open(wanted.begin(), wanted.end());
    for (const auto &rule : m_program.m_sheet->rules())
        std::ranges::copy(rowsOf(rule.condition), std::back_inserter(open));
    while (!open.empty()) {
        const auto row = open.back();
        open.pop_back();
        if (kept[row] || !m_program.m_present[row])
            continue;
        kept[row] = true;
        if (!m_program.m_entered[row])
            std::ranges::copy(rowsNeeded(m_program.m_sheet->row(row)), std::back_inserter(open));
    }
    m_program.m_present = std::move(kept);
}

SheetProgram::Place SheetCompiler::room(SheetShape shape)
{
    const Place place{m_program.m_size, shape == SheetShape::Single ? 0 : cellSize};
    m_program.m_size += cellSize * std::uint32_t(m_program.columns(shape));
    return place;
}

SheetProgram::Place SheetCompiler::roomForNow(SheetShape shape)
{
    auto &free = m_free[shape];
    const auto place = free.empty() ? room(shape) : free.back();
    if (!free.empty())
        free.pop_back();
    m_taken.emplace_back(shape, place);
    return place;
}

SheetProgram::Place SheetCompiler::constant(double value)
{
    auto place = std::isnan(value) ? m_none : std::nullopt;
    if (const auto known = m_numbers.find(value); known != m_numbers.end() && !std::isnan(value))
        place = known->second;
    if (place)
        return *place;
    place = room(SheetShape::Single);
    m_program.m_constants.emplace_back(place->offset, value);
    if (std::isnan(value))
        m_none = place;
    else
        m_numbers.emplace(value, *place);
    return *place;
}

SheetProgram::Place SheetCompiler::columnNumbers(SheetShape shape)
{
    if (const auto known = m_columnNumbers.find(shape); known != m_columnNumbers.end())
        return known->second;
    const auto place = room(shape);
    for (std::size_t column = 0; column < m_program.columns(shape); ++column)
        m_program.m_constants.emplace_back(place.offset + std::uint32_t(column) * cellSize, double(column));
    return m_columnNumbers.emplace(shape, place).first->second;
}

SheetShape SheetCompiler::shapeOf(const SheetFormula &formula) const
{
    using enum SheetOperation;
    switch (formula.operation) {
    case Row:
    case Previous: return m_program.m_sheet->row(formula.row).shape;
    case Year: return SheetShape::Years;
    case Month:
    case ByMonth: return SheetShape::Months;
    case Sum:
    case Last:
    case First:
    case Irr:
    case IrrStatus: return SheetShape::Single;
    default: break;
    }
    for (const auto &argument : formula.arguments)
        if (const auto shape = shapeOf(argument); shape != SheetShape::Single)
            return shape;
    return SheetShape::Single;
}

SheetCompiler::Columns SheetCompiler::columnsOf(SheetShape shape) const
{
    return {0, std::uint32_t(m_program.columns(shape)) - 1};
}

/// What does not differ by column is computed once, ahead of a loop.
void SheetCompiler::emit(SheetProgram::Step step)
{
    if (step.to.stride == 0)
        step.first = step.last = 0;
    (m_looping && step.to.stride != 0 ? m_loop : m_program.m_steps).push_back(step);
}

SheetProgram::Place SheetCompiler::value(const SheetFormula &formula)
{
    using enum SheetOperation;
    switch (formula.operation) {
    case Number:
    case Word: return constant(formula.number);
    case None: return constant(std::numeric_limits<double>::quiet_NaN());
    case Row: return m_program.m_places[formula.row];
    case Previous: {
        const auto place = m_program.m_places[formula.row];
        return {place.offset - cellSize, place.stride}; // never read in column 0
    }
    case Year: return columnNumbers(SheetShape::Years);
    case Month: return columnNumbers(SheetShape::Months);
    default: break;
    }
    const auto place = roomForNow(shapeOf(formula));
    into(formula, place);
    return place;
}

void SheetCompiler::reduction(const SheetFormula &formula, Place to)
{
    const auto &searched = formula.arguments.back();
    auto shape = shapeOf(searched);
    if (shape == SheetShape::Single)
        shape = shapeOf(formula.arguments.front());
    const auto outer = std::exchange(m_columns, columnsOf(shape));
    const bool looping = std::exchange(m_looping, false);
    SheetProgram::Step step{.operation = formula.operation, .to = to, .a = value(formula.arguments.front())};
    if (formula.arguments.size() > 1)
        step.b = value(searched);
    step.first = m_columns.first;
    step.last = m_columns.last;
    m_program.m_steps.push_back(step);
    m_columns = outer;
    m_looping = looping;
}

/// Several arguments two at a time.
void SheetCompiler::combine(const SheetFormula &formula, Place to)
{
    auto left = value(formula.arguments.front());
    for (std::size_t i = 1; i < formula.arguments.size(); ++i) {
        emit({formula.operation, to, left, value(formula.arguments[i]), {}, m_columns.first, m_columns.last});
        left = to;
    }
}

void SheetCompiler::into(const SheetFormula &formula, Place to)
{
    using enum SheetOperation;
    const auto &arguments = formula.arguments;
    switch (formula.operation) {
    case Sum:
    case Last:
    case First:
    case Irr:
    case IrrStatus: return reduction(formula, to);
    case Minimum:
    case Maximum: return combine(formula, to);
    case Choose: { // from the last to the first: if(k = i, value, otherwise)
        const auto index = value(arguments[0]);
        auto otherwise = constant(0);
        for (std::size_t i = arguments.size() - 1; i > 0; --i) {
            const auto hit = roomForNow(shapeOf(arguments[0]));
            emit({Equal, hit, index, constant(double(i)), {}, m_columns.first, m_columns.last});
            const auto chosen = i == 1 ? to : roomForNow(shapeOf(formula));
            emit({If, chosen, hit, value(arguments[i]), otherwise, m_columns.first, m_columns.last});
            otherwise = chosen;
        }
        return;
    }
    case Number:
    case None:
    case Word:
    case Row:
    case Previous:
    case Year:
    case Month: // a formula that is nothing but a row or a number: copied
        return emit({Row, to, value(formula), {}, {}, m_columns.first, m_columns.last});
    default: break;
    }
    SheetProgram::Step step{.operation = formula.operation, .to = to, .a = value(arguments[0])};
    if (arguments.size() > 1)
        step.b = value(arguments[1]);
    if (arguments.size() > 2)
        step.c = value(arguments[2]);
    step.first = m_columns.first;
    step.last = m_columns.last;
    emit(step);
}

void SheetCompiler::compileRow(std::size_t index)
{
    const auto &row = m_program.m_sheet->row(index);
    const auto place = m_program.m_places[index];
    if (row.shape == SheetShape::Single) {
        m_columns = {};
        return into(*row.formula, place);
    }
    if (row.atStart) {
        m_columns = {};
        const bool looping = std::exchange(m_looping, false);
        into(*row.atStart, place);
        m_looping = looping;
    }
    m_columns = {1, std::uint32_t(m_program.columns(row.shape)) - 1};
    into(*row.formula, place);
}

void SheetCompiler::closeBlock(std::uint32_t last)
{
    const auto from = m_program.m_blocks.empty() ? 0 : m_program.m_blocks.back().to;
    if (from < m_program.m_steps.size())
        m_program.m_blocks.push_back({from, m_program.m_steps.size(), last});
}

void SheetCompiler::compileGroup(const Worksheet::Group &group)
{
    const auto computed = [&](std::size_t row) { return m_program.m_present[row] && !m_program.m_entered[row]; };
    m_looping = group.columnByColumn;
    for (const auto row : group.rows)
        if (computed(row))
            compileRow(row);
    m_looping = false;
    for (const auto &[shape, place] : std::exchange(m_taken, {}))
        m_free[shape].push_back(place);
    if (m_loop.empty())
        return;
    closeBlock();
    m_program.m_steps.insert(m_program.m_steps.end(), m_loop.begin(), m_loop.end());
    closeBlock(std::uint32_t(m_program.columns(m_program.m_sheet->row(group.rows.front()).shape)) - 1);
    m_loop.clear();
}

void SheetCompiler::compile()
{
    const auto rows = m_program.m_sheet->rows();
    m_program.m_size = cellSize; // so that the cell before the first row's exists
    m_program.m_places.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (m_program.m_present[i])
            m_program.m_places[i] = room(rows[i].shape);
    for (const auto &group : m_program.m_sheet->order())
        compileGroup(group);
    m_columns = {};
    m_free.clear(); // what a rule yields stays
    for (const auto &rule : m_program.m_sheet->rules()) {
        const auto needed = rowsOf(rule.condition);
        const bool known = std::ranges::all_of(needed, [&](std::size_t row) { return m_program.m_present[row]; });
        m_program.m_rules.push_back(known ? std::optional(value(rule.condition)) : std::nullopt);
    }
    closeBlock();
}

SheetProgram::SheetProgram(
    const Worksheet &sheet, const std::vector<bool> &entered, int years, std::span<const std::size_t> wanted)
    : m_sheet(&sheet), m_years(years), m_entered(entered)
{
    SheetCompiler(*this, wanted).compile();
}

} // namespace fleetwright
