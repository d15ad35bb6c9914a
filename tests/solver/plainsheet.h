// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/worksheet/evaluatedsheet.h"
#include "solver/worksheet/internalrate.h"

#include <cmath>
#include <limits>
#include <map>

namespace fleetwright::testing {

/// A worksheet cell by cell as its formulas read, each cell when somebody asks for it: slow, obvious, and without any
/// of the order, places and lanes of the compiled sheet.
class PlainSheet {
public:
    explicit PlainSheet(const SheetEntries &entries, int years) : m_entries(entries), m_years(years) { }

    [[nodiscard]] std::size_t columns(SheetShape shape) const
    {
        return shape == SheetShape::Single ? 1 : std::size_t(m_years) * (shape == SheetShape::Years ? 1 : 12) + 1;
    }
    double cell(std::size_t row, std::size_t column)
    {
        const auto place = std::pair(row, column);
        if (const auto known = m_cells.find(place); known != m_cells.end())
            return known->second;
        return m_cells[place] = compute(row, column);
    }

private:
    double compute(std::size_t index, std::size_t column)
    {
        const auto &row = m_entries.sheet().row(index);
        const bool single = row.shape == SheetShape::Single;
        if (const auto &figure = m_entries.figure(index)) {
            if (single || figure->likely.size() == 1)
                return single || column > 0 ? figure->likely[0] : 0;
            return column > 0 ? figure->likely[column - 1] : 0;
        }
        if (!single && column == 0)
            return row.atStart ? value(*row.atStart, 0) : 0;
        return row.formula ? value(*row.formula, column) : std::numeric_limits<double>::quiet_NaN();
    }
    SheetShape shape(const SheetFormula &formula)
    {
        SheetShape found = SheetShape::Single;
        visitFormula(formula, [&](const SheetFormula &part) {
            const auto one = part.operation == SheetOperation::Row ? m_entries.sheet().row(part.row).shape
                : part.operation == SheetOperation::Year           ? SheetShape::Years
                : part.operation == SheetOperation::Month          ? SheetShape::Months
                                                                   : SheetShape::Single;
            found = one == SheetShape::Single ? found : one;
        });
        return found;
    }
    double reduced(const SheetFormula &formula)
    {
        const auto &of = formula.arguments.back();
        const auto count = std::max(
            columns(shape(of)), columns(shape(formula.arguments.front()))); // one of them has columns
        std::vector<double> all;
        for (std::size_t column = 0; column < count; ++column) {
            if (formula.operation == SheetOperation::First && value(formula.arguments[0], column) != 0)
                return value(of, column);
            all.push_back(formula.operation == SheetOperation::First ? 0 : value(of, column));
        }
        switch (formula.operation) {
        case SheetOperation::Sum: {
            double sum = 0;
            for (const double one : all)
                sum += one;
            return sum;
        }
        case SheetOperation::Last: return all.back();
        case SheetOperation::IrrStatus: return double(internalRateOfReturn(all).outcome);
        case SheetOperation::Irr:
            if (const auto rate = internalRateOfReturn(all).rate)
                return *rate;
            break;
        default: break;
        }
        return std::numeric_limits<double>::quiet_NaN();
    }
    double value(const SheetFormula &formula, std::size_t column)
    {
        using enum SheetOperation;
        const auto at = [&](std::size_t i) { return value(formula.arguments[i], column); };
        switch (formula.operation) {
        case Number:
        case Word: return formula.number;
        case None: return std::numeric_limits<double>::quiet_NaN();
        case Row: return cell(formula.row, m_entries.sheet().row(formula.row).shape == SheetShape::Single ? 0 : column);
        case Previous: return cell(formula.row, column - 1);
        case Year:
        case Month: return double(column);
        case Negate: return -at(0);
        case Add: return at(0) + at(1);
        case Subtract: return at(0) - at(1);
        case Multiply: return at(0) * at(1);
        case Divide: return at(0) / at(1);
        case Power: return std::pow(at(0), at(1));
        case Less: return at(0) < at(1);
        case LessEqual: return at(0) <= at(1);
        case Greater: return at(0) > at(1);
        case GreaterEqual: return at(0) >= at(1);
        case Equal: return at(0) == at(1);
        case And: return at(0) != 0 && at(1) != 0;
        case Or: return at(0) != 0 || at(1) != 0;
        case Minimum:
        case Maximum: {
            double best = at(0);
            for (std::size_t i = 1; i < formula.arguments.size(); ++i)
                if (std::isnan(at(i)) || (formula.operation == Minimum ? at(i) < best : at(i) > best))
                    best = at(i);
            return best;
        }
        case RoundUp: return std::ceil(at(0) - 1e-9);
        case Logarithm: return std::log(at(0));
        case If: return at(0) != 0 ? at(1) : at(2);
        case Choose: {
            const double k = at(0);
            return k >= 1 && k < double(formula.arguments.size()) && k == std::round(k) ? at(std::size_t(k)) : 0;
        }
        case ByMonth: return cell(formula.arguments[0].row, (column + 11) / 12);
        case Sum:
        case Last:
        case First:
        case Irr:
        case IrrStatus: return reduced(formula);
        }
        return 0;
    }

    const SheetEntries &m_entries;
    int m_years;
    std::map<std::pair<std::size_t, std::size_t>, double> m_cells;
};

} // namespace fleetwright::testing
