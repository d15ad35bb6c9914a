// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/sheetprogram.h"

#include "solver/worksheet/internalrate.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

constexpr double roundingUp = 1e-9; ///< a quotient that is above a whole number by less is that number

} // namespace

std::size_t SheetProgram::columns(SheetShape shape) const
{
    switch (shape) {
    case SheetShape::Single: return 1;
    case SheetShape::Years: return std::size_t(m_years) + 1;
    case SheetShape::Months: return std::size_t(m_years) * 12 + 1;
    }
    return 1;
}

std::vector<double> SheetProgram::cells() const
{
    std::vector<double> cells(m_size, 0.0);
    for (const auto &[offset, value] : m_constants)
        std::fill_n(cells.begin() + offset, lanes, value);
    return cells;
}

SheetProgram::Lanes SheetProgram::cell(std::span<double> cells, std::size_t row, std::size_t column) const
{
    return Lanes(cells.data() + m_places[row].offset + column * m_places[row].stride, lanes);
}

SheetProgram::ConstLanes SheetProgram::cell(std::span<const double> cells, std::size_t row, std::size_t column) const
{
    return ConstLanes(cells.data() + m_places[row].offset + column * m_places[row].stride, lanes);
}

bool SheetProgram::obeys(std::span<const double> cells, std::size_t rule, std::size_t lane) const
{
    return !m_rules[rule] || cells[m_rules[rule]->offset + lane] != 0;
}

void SheetProgram::run(std::span<double> cells) const
{
    for (const auto &block : m_blocks) {
        const std::span steps(m_steps.data() + block.from, block.to - block.from);
        if (block.last == 0) {
            for (const auto &one : steps)
                step(one, one.first, one.last, cells.data());
            continue;
        }
        for (std::uint32_t column = 1; column <= block.last; ++column)
            for (const auto &one : steps)
                step(one, column, column, cells.data());
    }
}

void SheetProgram::reduce(const Step &step, double *cells) const
{
    double *to = cells + step.to.offset;
    const auto at = [&](const Place &place, std::uint32_t column) {
        return cells + place.offset + column * place.stride;
    };
    switch (step.operation) {
    case SheetOperation::Sum:
        std::fill_n(to, lanes, 0.0);
        for (auto column = step.first; column <= step.last; ++column)
            for (std::size_t lane = 0; lane < lanes; ++lane)
                to[lane] += at(step.a, column)[lane];
        return;
    case SheetOperation::Last: std::copy_n(at(step.a, step.last), lanes, to); return;
    case SheetOperation::First: {
        std::fill_n(to, lanes, std::numeric_limits<double>::quiet_NaN());
        for (auto column = step.last + 1; column-- > step.first;) // backwards: the first stays
            for (std::size_t lane = 0; lane < lanes; ++lane)
                to[lane] = at(step.a, column)[lane] != 0 ? at(step.b, column)[lane] : to[lane];
        return;
    }
    default: break;
    }
    std::array<double, 201> few{};
    std::vector<double> many;
    const auto count = std::size_t(step.last - step.first) + 1;
    if (count > few.size())
        many.resize(count);
    const std::span flows(count > few.size() ? many.data() : few.data(), count);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        for (std::size_t column = 0; column < count; ++column)
            flows[column] = at(step.a, step.first + std::uint32_t(column))[lane];
        const auto found = internalRateOfReturn(flows);
        to[lane] = step.operation == SheetOperation::IrrStatus
            ? double(found.outcome)
            : found.rate.value_or(std::numeric_limits<double>::quiet_NaN());
    }
}

void SheetProgram::step(const Step &step, std::uint32_t first, std::uint32_t last, double *cells) const
{
    using enum SheetOperation;
    const auto each = [&](const auto &operation) {
        for (auto column = first; column <= last; ++column) {
            const double *a = cells + step.a.offset + column * step.a.stride;
            const double *b = cells + step.b.offset + column * step.b.stride;
            const double *c = cells + step.c.offset + column * step.c.stride;
            std::array<double, lanes> result; // beside the cells, so that the compiler need not mind overlap
            for (std::size_t lane = 0; lane < lanes; ++lane)
                result[lane] = operation(a[lane], b[lane], c[lane]);
            std::copy_n(result.data(), lanes, cells + step.to.offset + column * step.to.stride);
        }
    };
    switch (step.operation) {
    case Row: return each([](double a, double, double) { return a; });
    case Negate: return each([](double a, double, double) { return -a; });
    case Add: return each([](double a, double b, double) { return a + b; });
    case Subtract: return each([](double a, double b, double) { return a - b; });
    case Multiply: return each([](double a, double b, double) { return a * b; });
    case Divide: return each([](double a, double b, double) { return a / b; });
    case Power: return each([](double a, double b, double) { return std::pow(a, b); });
    case Less: return each([](double a, double b, double) { return a < b ? 1.0 : 0.0; });
    case LessEqual: return each([](double a, double b, double) { return a <= b ? 1.0 : 0.0; });
    case Greater: return each([](double a, double b, double) { return a > b ? 1.0 : 0.0; });
    case GreaterEqual: return each([](double a, double b, double) { return a >= b ? 1.0 : 0.0; });
    case Equal: return each([](double a, double b, double) { return a == b ? 1.0 : 0.0; });
    case And: return each([](double a, double b, double) { return a != 0 && b != 0 ? 1.0 : 0.0; });
    case Or: return each([](double a, double b, double) { return a != 0 || b != 0 ? 1.0 : 0.0; });
    case Minimum: return each([](double a, double b, double) { return a <= b || std::isnan(a) ? a : b; });
    case Maximum: return each([](double a, double b, double) { return a >= b || std::isnan(a) ? a : b; });
    case RoundUp: return each([](double a, double, double) { return std::ceil(a - roundingUp); });
    case Logarithm: return each([](double a, double, double) { return std::log(a); });
    case If: return each([](double a, double b, double c) { return a != 0 ? b : c; });
    case ByMonth:
        for (auto month = first; month <= last; ++month)
            std::copy_n(cells + step.a.offset + (month + 11) / 12 * step.a.stride, lanes,
                cells + step.to.offset + month * step.to.stride);
        return;
    case Sum:
    case Last:
    case First:
    case Irr:
    case IrrStatus: return reduce(step, cells);
    case Number:
    case None:
    case Word:
    case Previous:
    case Year:
    case Month:
    case Choose: return; // never steps of their own
    }
}

} // namespace fleetwright
