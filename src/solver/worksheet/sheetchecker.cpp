// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/sheetchecker.h"

#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fleetwright {

namespace {

std::string inQuotes(std::string_view text) { return "“" + std::string(text) + "”"; }

} // namespace

void SheetChecker::fail(ErrorCode code, const std::string &sentence)
{
    if (m_result)
        m_result = refuse(code, m_subject, sentence);
}

void SheetChecker::add(const SheetRow &row)
{
    m_subject = std::string(row.key);
    if (!m_sheet.m_index.emplace(m_subject, m_sheet.m_rows.size()).second)
        fail(ErrorCode::UnsupportedValue, "There are two rows " + inQuotes(m_subject) + ".");
    m_sheet.m_rows.push_back({.key = m_subject,
        .label = std::string(row.label),
        .unit = std::string(row.unit),
        .source = std::string(row.source),
        .shape = row.shape,
        .formulaText = std::string(row.formula),
        .atStartText = std::string(row.atStart),
        .formula = read(row.formula),
        .atStart = read(row.atStart),
        .entry = row.entry,
        .mayBeNone = row.mayBeNone,
        .none = std::string(row.none)});
}

std::optional<SheetFormula> SheetChecker::read(std::string_view text)
{
    if (text.empty())
        return std::nullopt;
    auto formula = parseSheetFormula(text);
    if (!formula)
        fail(formula.error().code, formula.error().message);
    return formula ? std::optional(std::move(*formula)) : std::nullopt;
}

/// The text with the units of other rows in the place of their keys.
std::string SheetChecker::unitText(std::string_view text, int depth)
{
    const auto open = text.find('{'), close = text.find('}');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open || depth > 3)
        return std::string(text);
    const auto found = m_sheet.find(text.substr(open + 1, close - open - 1));
    if (!found) {
        fail(ErrorCode::UnknownReference, "The unit " + inQuotes(text) + " names no row.");
        return {};
    }
    auto inner = unitText(m_sheet.m_rows[*found].unit, depth + 1);
    if (open > 0 && inner.find(' ') != std::string::npos)
        inner = "(" + inner + ")";
    return std::string(text.substr(0, open)) + inner + unitText(text.substr(close + 1), depth + 1);
}

void SheetChecker::resolve(SheetFormula &formula)
{
    if (formula.operation == SheetOperation::Row || formula.operation == SheetOperation::Previous) {
        const auto found = m_sheet.find(formula.text);
        if (!found)
            fail(ErrorCode::UnknownReference, "There is no row " + inQuotes(formula.text) + ".");
        formula.row = found.value_or(0);
    }
    for (auto &argument : formula.arguments)
        resolve(argument);
    if (formula.operation == SheetOperation::Equal)
        resolveWord(formula);
}

/// A word stands for its number among the words of the row that it is compared with.
void SheetChecker::resolveWord(SheetFormula &comparison)
{
    const auto &row = comparison.arguments[0];
    auto &word = comparison.arguments[1];
    if (word.operation != SheetOperation::Word)
        return;
    const auto number = row.operation == SheetOperation::Row ? wordOf(m_sheet.m_rows[row.row].entry, word.text)
                                                             : std::optional<std::size_t>();
    if (!number)
        fail(ErrorCode::UnknownReference, inQuotes(word.text) + " is not a word of that row.");
    word.number = double(number.value_or(0));
}

SheetShape SheetChecker::together(SheetShape a, SheetShape b)
{
    if (a != b && a != SheetShape::Single && b != SheetShape::Single)
        fail(ErrorCode::UnsupportedValue, "A row of years and one of months do not go together; use bymonth().");
    return a == SheetShape::Single ? b : a;
}

/// What several formulas have in common that must be of one unit.
SheetChecker::Type SheetChecker::alike(std::span<const SheetFormula> formulas)
{
    auto all = typeOf(formulas.front());
    for (const auto &formula : formulas.subspan(1)) {
        const auto next = typeOf(formula);
        all.shape = together(all.shape, next.shape);
        if (all.free) {
            all.unit = next.unit;
            all.free = next.free;
        } else if (!next.free && !all.unit.same(next.unit)) {
            fail(ErrorCode::UnsupportedValue, "Different units do not add up, compare or replace each other.");
        }
    }
    return all;
}

SheetChecker::Type SheetChecker::typeOfRow(const SheetFormula &formula)
{
    const auto &row = m_sheet.m_rows[formula.row];
    if (formula.operation == SheetOperation::Previous) {
        if (row.shape == SheetShape::Single)
            fail(ErrorCode::UnsupportedValue, inQuotes(row.key) + " has no column before.");
        if (m_atStart || m_reducing)
            fail(ErrorCode::UnsupportedValue, "There is no column before the start.");
    }
    return {row.dimension, row.shape};
}

SheetChecker::Type SheetChecker::typeOfPower(const SheetFormula &formula)
{
    const auto base = typeOf(formula.arguments[0]), exponent = typeOf(formula.arguments[1]);
    if (!exponent.unit.isNumber())
        fail(ErrorCode::UnsupportedValue, "An exponent has no unit.");
    Type result{{}, together(base.shape, exponent.shape)};
    const auto &written = formula.arguments[1];
    if (base.unit.isNumber())
        return result;
    if (written.operation != SheetOperation::Number || written.number != std::round(written.number)
        || std::abs(written.number) > 4)
        fail(ErrorCode::UnsupportedValue, "A quantity with a unit is raised to a small whole number only.");
    else
        result.unit = base.unit.power(int(written.number));
    return result;
}

SheetChecker::Type SheetChecker::typeOfReduction(const SheetFormula &formula)
{
    const bool outer = std::exchange(m_reducing, true);
    auto result = typeOf(formula.arguments.back());
    const auto condition = formula.arguments.size() > 1 ? typeOf(formula.arguments.front()) : Type{};
    m_reducing = outer;
    if (!condition.unit.isNumber())
        fail(ErrorCode::UnsupportedValue, "A condition is a comparison.");
    if (together(result.shape, condition.shape) == SheetShape::Single)
        fail(ErrorCode::UnsupportedValue, "Only a row with columns is added up or searched.");
    result.shape = SheetShape::Single;
    if (formula.operation == SheetOperation::Irr || formula.operation == SheetOperation::IrrStatus)
        result.unit = {};
    return result;
}

SheetChecker::Type SheetChecker::typeOf(const SheetFormula &formula)
{
    using enum SheetOperation;
    const auto &arguments = formula.arguments;
    const auto unitOf = [&](std::string_view text) {
        auto unit = SheetUnit::parse(text);
        if (!unit)
            fail(unit.error().code, unit.error().message);
        return unit.value_or(SheetUnit());
    };
    const auto number = [&](const SheetFormula &part) {
        const auto type = typeOf(part);
        if (!type.unit.isNumber())
            fail(ErrorCode::UnsupportedValue, "A plain number is wanted where a unit stands.");
        return type;
    };
    switch (formula.operation) {
    case Number: return {unitOf(formula.text), SheetShape::Single, formula.number == 0 && formula.text.empty()};
    case None: return {{}, SheetShape::Single, true};
    case Word: return {};
    case Row:
    case Previous: return typeOfRow(formula);
    case Year: return {unitOf("year"), SheetShape::Years};
    case Month: return {unitOf("month"), SheetShape::Months};
    case Negate:
    case RoundUp: return typeOf(arguments[0]);
    case Add:
    case Subtract:
    case Minimum:
    case Maximum: return alike(arguments);
    case Multiply:
    case Divide: {
        const auto left = typeOf(arguments[0]), right = typeOf(arguments[1]);
        return {formula.operation == Multiply ? left.unit * right.unit : left.unit / right.unit,
            together(left.shape, right.shape)};
    }
    case Power: return typeOfPower(formula);
    case Less:
    case LessEqual:
    case Greater:
    case GreaterEqual:
    case Equal: return {{}, alike(arguments).shape};
    case And:
    case Or: return {{}, together(number(arguments[0]).shape, number(arguments[1]).shape)};
    case Logarithm: return {{}, number(arguments[0]).shape};
    case If: {
        const auto condition = number(arguments[0]);
        auto result = alike(std::span(arguments).subspan(1));
        result.shape = together(result.shape, condition.shape);
        return result;
    }
    case Choose: {
        const auto index = typeOf(arguments[0]);
        auto result = alike(std::span(arguments).subspan(1));
        result.shape = together(result.shape, index.shape);
        return result;
    }
    case Sum:
    case Last:
    case First:
    case Irr:
    case IrrStatus: return typeOfReduction(formula);
    case ByMonth: {
        const auto type = typeOf(arguments[0]);
        if (type.shape != SheetShape::Years || arguments[0].operation != Row)
            fail(ErrorCode::UnsupportedValue, "bymonth() takes a row of years.");
        return {type.unit, SheetShape::Months};
    }
    }
    return {};
}

void SheetChecker::checkRow(const Worksheet::Row &row)
{
    const auto fits = [&](const std::optional<SheetFormula> &formula, bool atStart) {
        if (!formula)
            return;
        m_atStart = atStart;
        const auto type = typeOf(*formula);
        if (!type.free && !type.unit.same(row.dimension))
            fail(ErrorCode::UnsupportedValue,
                type.unit.sameDimension(row.dimension)
                    ? "The formula of " + inQuotes(row.key) + " is off its unit " + inQuotes(row.unit)
                        + " by a factor of " + units::threeDigits(type.unit.scale() / row.dimension.scale()) + "."
                    : "The formula of " + inQuotes(row.key) + " does not have its unit, " + inQuotes(row.unit) + ".");
        if (type.shape != SheetShape::Single && type.shape != row.shape)
            fail(ErrorCode::UnsupportedValue,
                "The formula of " + inQuotes(row.key)
                    + " has columns that the row has not; sum() makes them one number.");
    };
    fits(row.formula, false);
    fits(row.atStart, true);
    m_atStart = false;
    if (row.shape == SheetShape::Single && row.atStart)
        fail(ErrorCode::UnsupportedValue, "A row of one cell has no start.");
    if (!row.formula && !row.isEntry())
        fail(ErrorCode::MissingField, "The row " + inQuotes(row.key) + " has neither a formula nor an entry.");
    if (!row.entry.unless.empty() && !m_sheet.find(row.entry.unless))
        fail(ErrorCode::UnknownReference, "There is no row " + inQuotes(row.entry.unless) + ".");
}

Expected<Worksheet> SheetChecker::check(std::span<const SheetRule> rules)
{
    for (auto &row : m_sheet.m_rows) {
        m_subject = row.key;
        row.unit = unitText(row.unit);
        auto unit = SheetUnit::parse(row.unit);
        if (!unit)
            fail(unit.error().code, unit.error().message);
        row.dimension = unit.value_or(SheetUnit());
    }
    for (auto &row : m_sheet.m_rows) {
        m_subject = row.key;
        for (auto *formula : {&row.formula, &row.atStart})
            if (*formula)
                resolve(**formula);
    }
    for (const auto &rule : rules) {
        m_subject = std::string(rule.field);
        auto condition = read(rule.condition).value_or(SheetFormula{});
        resolve(condition);
        if (m_result && typeOf(condition).shape != SheetShape::Single)
            fail(ErrorCode::UnsupportedValue, "A rule is about single cells.");
        m_sheet.m_rules.push_back(
            {std::move(condition), std::string(rule.condition), m_subject, std::string(rule.sentence)});
    }
    if (!m_result)
        return std::unexpected(m_result.error());
    for (const auto &row : m_sheet.m_rows) {
        m_subject = row.key;
        checkRow(row);
    }
    if (m_result)
        putInOrder();
    if (!m_result)
        return std::unexpected(m_result.error());
    return std::move(m_sheet);
}

} // namespace fleetwright
