// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/sheetformula.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace fleetwright {

namespace {

struct SheetFunction {
    std::string_view name;
    SheetOperation operation;
    std::size_t least, most; ///< how many arguments
};
constexpr std::size_t anyNumber = 50;
constexpr std::array sheetFunctions{SheetFunction{"min", SheetOperation::Minimum, 2, anyNumber},
    SheetFunction{"max", SheetOperation::Maximum, 2, anyNumber}, SheetFunction{"ceil", SheetOperation::RoundUp, 1, 1},
    SheetFunction{"ln", SheetOperation::Logarithm, 1, 1}, SheetFunction{"if", SheetOperation::If, 3, 3},
    SheetFunction{"choose", SheetOperation::Choose, 2, anyNumber}, SheetFunction{"sum", SheetOperation::Sum, 1, 1},
    SheetFunction{"last", SheetOperation::Last, 1, 1}, SheetFunction{"first", SheetOperation::First, 2, 2},
    SheetFunction{"bymonth", SheetOperation::ByMonth, 1, 1}, SheetFunction{"irr", SheetOperation::Irr, 1, 1},
    SheetFunction{"irrstatus", SheetOperation::IrrStatus, 1, 1},
    SheetFunction{"previous", SheetOperation::Previous, 1, 1}};

bool isKeyLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }
bool isDigit(char c) { return (c >= '0' && c <= '9') || c == '.'; }

SheetFormula joined(SheetOperation operation, SheetFormula left, SheetFormula right)
{
    SheetFormula formula{.operation = operation};
    formula.arguments.push_back(std::move(left));
    formula.arguments.push_back(std::move(right));
    return formula;
}

/// Descends by precedence; remembers the first fault and returns anything after it.
class FormulaParser {
public:
    explicit FormulaParser(std::string_view text) : m_text(text) { }

    Expected<SheetFormula> parse()
    {
        auto formula = alternatives();
        skipBlanks();
        if (!m_fault && m_at < m_text.size())
            fail("“" + std::string(m_text.substr(m_at, 1)) + "” is not expected here");
        if (m_fault)
            return std::unexpected(*m_fault);
        return formula;
    }

private:
    void fail(const std::string &what)
    {
        if (!m_fault)
            m_fault = Error{ErrorCode::ParseError, "formula",
                "Formula “" + std::string(m_text) + "”, at " + std::to_string(m_at + 1) + ": " + what + "."};
        m_at = m_text.size();
    }
    void skipBlanks() { m_at = std::min(m_text.find_first_not_of(' ', m_at), m_text.size()); }
    bool take(std::string_view token)
    {
        skipBlanks();
        if (!m_text.substr(m_at).starts_with(token))
            return false;
        const auto after = m_at + token.size();
        if (isKeyLetter(token.back()) && after < m_text.size() && isKeyLetter(m_text[after]))
            return false;
        m_at = after;
        return true;
    }
    void expect(std::string_view token)
    {
        if (!take(token))
            fail("“" + std::string(token) + "” is expected");
    }
    SheetFormula alternatives()
    {
        auto left = conditions();
        while (take("or"))
            left = joined(SheetOperation::Or, std::move(left), conditions());
        return left;
    }
    SheetFormula conditions()
    {
        auto left = comparison();
        while (take("and"))
            left = joined(SheetOperation::And, std::move(left), comparison());
        return left;
    }
    SheetFormula comparison()
    {
        using enum SheetOperation;
        auto left = terms();
        static constexpr std::array<std::pair<std::string_view, SheetOperation>, 5> signs{
            {{"<=", LessEqual}, {">=", GreaterEqual}, {"<", Less}, {">", Greater}, {"=", Equal}}};
        for (const auto &[sign, operation] : signs)
            if (take(sign))
                return joined(operation, std::move(left), terms());
        return left;
    }
    SheetFormula terms()
    {
        auto left = factors();
        while (true) {
            if (take("+"))
                left = joined(SheetOperation::Add, std::move(left), factors());
            else if (take("-"))
                left = joined(SheetOperation::Subtract, std::move(left), factors());
            else
                return left;
        }
    }
    SheetFormula factors()
    {
        auto left = power();
        while (true) {
            if (take("*"))
                left = joined(SheetOperation::Multiply, std::move(left), power());
            else if (take("/"))
                left = joined(SheetOperation::Divide, std::move(left), power());
            else
                return left;
        }
    }
    SheetFormula power()
    {
        constexpr int deepest = 40;
        if (m_depth == deepest) {
            fail("too many parentheses");
            return {};
        }
        ++m_depth;
        auto formula = powerWithin();
        --m_depth;
        return formula;
    }
    SheetFormula powerWithin()
    {
        if (take("-")) {
            SheetFormula formula{.operation = SheetOperation::Negate};
            formula.arguments.push_back(power());
            return formula;
        }
        auto base = atom();
        return take("^") ? joined(SheetOperation::Power, std::move(base), power()) : base;
    }
    SheetFormula atom() { return take("(") ? inParentheses() : leaf(); }
    SheetFormula inParentheses()
    {
        auto inner = alternatives();
        expect(")");
        return inner;
    }
    SheetFormula leaf()
    {
        skipBlanks();
        if (m_at < m_text.size() && isDigit(m_text[m_at]))
            return number();
        if (take("\""))
            return {.operation = SheetOperation::Word, .text = until('"')};
        const auto start = m_at;
        while (m_at < m_text.size() && isKeyLetter(m_text[m_at]))
            ++m_at;
        const auto name = m_text.substr(start, m_at - start);
        if (name.empty()) {
            fail("a number, a row or a function is expected");
            return {};
        }
        if (take("("))
            return call(name);
        if (name == "none")
            return {};
        if (name == "year" || name == "month")
            return {.operation = name == "year" ? SheetOperation::Year : SheetOperation::Month};
        return {.operation = SheetOperation::Row, .text = std::string(name)};
    }
    SheetFormula number()
    {
        SheetFormula formula{.operation = SheetOperation::Number};
        const auto *end = m_text.data() + m_text.size();
        const auto read = std::from_chars(m_text.data() + m_at, end, formula.number);
        if (read.ec != std::errc())
            fail("this is not a number");
        else
            m_at = std::size_t(read.ptr - m_text.data());
        if (m_at < m_text.size() && m_text[m_at] == '[') {
            ++m_at;
            formula.text = until(']');
        }
        return formula;
    }
    std::string until(char end)
    {
        const auto start = m_at;
        const auto found = m_text.find(end, start);
        if (found == std::string_view::npos) {
            fail("“" + std::string(1, end) + "” is expected");
            return {};
        }
        m_at = found + 1;
        return std::string(m_text.substr(start, found - start));
    }
    SheetFormula call(std::string_view name)
    {
        const auto function = std::ranges::find(sheetFunctions, name, &SheetFunction::name);
        if (function == sheetFunctions.end()) {
            fail("there is no function “" + std::string(name) + "”");
            return {};
        }
        SheetFormula formula{.operation = function->operation};
        do
            formula.arguments.push_back(alternatives());
        while (!m_fault && take(","));
        expect(")");
        if (formula.arguments.size() < function->least || formula.arguments.size() > function->most)
            fail("“" + std::string(name) + "” takes another number of arguments");
        if (formula.operation == SheetOperation::Previous && !m_fault) {
            if (formula.arguments[0].operation != SheetOperation::Row)
                fail("“previous” takes a row");
            formula.text = formula.arguments[0].text;
            formula.arguments.clear();
        }
        return formula;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::optional<Error> m_fault;
};

} // namespace

Expected<SheetFormula> parseSheetFormula(std::string_view text) { return FormulaParser(text).parse(); }

} // namespace fleetwright
