// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fleetwright {

/// What a node of a formula does. Operators and functions of numbers work cell by cell; Sum, Last, First, Irr and
/// IrrStatus make one number of a row with columns.
enum class SheetOperation {
    Number, ///< 8760[h]
    None, ///< none: no value; whatever is computed with it has none
    Word, ///< "air": of a row whose entry is one of several words
    Row, ///< node_usd
    Previous, ///< previous(row): the column before
    Year, ///< year: the number of the column, in years
    Month, ///< month
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less, ///< comparisons are 1 or 0; one with `none` is 0
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    And,
    Or,
    Minimum, ///< min(a, b...)
    Maximum, ///< max(a, b...)
    RoundUp, ///< ceil(a): of a - 1e-9, so that rounding of a quotient never buys one more
    Logarithm, ///< ln(a)
    If, ///< if(condition, then, otherwise)
    Choose, ///< choose(k, first, second...): 0 where k is not the number of one
    Sum, ///< sum(a): over all columns, with that of the start
    Last, ///< last(a): in the last column
    First, ///< first(condition, a): in the first column where the condition holds; none without one
    ByMonth, ///< bymonth(a): the year's value in each of its months
    Irr, ///< irr(flows): see internalRateOfReturn()
    IrrStatus ///< irrstatus(flows): the number of an IrrOutcome
};

/// A formula as a tree, as parser, checker, compiler, explanation and spreadsheet share it.
struct SheetFormula {
    SheetOperation operation = SheetOperation::None;
    double number = 0; ///< of Number
    std::string text{}; ///< the unit of Number, the word of Word, the key of Row and Previous
    std::size_t row = 0; ///< of Row and Previous, once Worksheet has found it
    std::vector<SheetFormula> arguments{};
    bool operator==(const SheetFormula &) const = default;
};

/// Reads a formula: + - * / ^ (the last binds first, to the right), < <= > >= =, `and`, `or` (below the comparisons),
/// the functions above, numbers with a unit in square brackets, keys of rows. ParseError with the place; field:
/// "formula".
[[nodiscard]] Expected<SheetFormula> parseSheetFormula(std::string_view text);

/// Calls `visit(formula)` for the formula and all below it.
template <class Visit> void visitFormula(const SheetFormula &formula, const Visit &visit)
{
    visit(formula);
    for (const auto &argument : formula.arguments)
        visitFormula(argument, visit);
}

} // namespace fleetwright
