// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/sheettranslator.h"

namespace fleetwright::reports {

namespace {

/// How tightly the outermost operator of a text binds.
enum class Binding { Comparison, Sum, Product, Power, Sign, Atom };

struct Translated {
    std::string text;
    Binding binding = Binding::Atom;
    bool isCondition = false; ///< TRUE or FALSE, no number
    bool mayBeNone = false;
};

class SheetTranslator {
public:
    explicit SheetTranslator(const FormulaPlaces &places) : m_places(places) { }

    [[nodiscard]] Translated number(const SheetFormula &formula) const
    {
        auto part = any(formula);
        if (part.isCondition)
            return {"IF(" + part.text + ",1,0)"};
        return part;
    }

    [[nodiscard]] Translated condition(const SheetFormula &formula) const
    {
        auto part = any(formula);
        if (part.isCondition)
            return part;
        return {within(part, Binding::Sum) + "<>0", Binding::Comparison, true};
    }

private:
    [[nodiscard]] static std::string within(const Translated &part, Binding least)
    {
        return part.binding < least ? "(" + part.text + ")" : part.text;
    }

    [[nodiscard]] Translated any(const SheetFormula &formula) const
    {
        using enum SheetOperation;
        switch (formula.operation) {
        case Number: return constant(formula.number, formula.text);
        case None: return {quoted(noValue), Binding::Atom, false, true};
        case Word: return {quoted(formula.text)};
        case Row: return {m_places.cell(formula.row, false), Binding::Atom, false, m_places.mayBeNone(formula.row)};
        case Previous: return {m_places.cell(formula.row, true), Binding::Atom, false, m_places.mayBeNone(formula.row)};
        case Year: return {m_places.columnNumber(false)};
        case Month: return {m_places.columnNumber(true)};
        case Negate: {
            const auto of = number(formula.arguments[0]);
            return {"-" + within(of, Binding::Atom), Binding::Sign, false, of.mayBeNone};
        }
        case Add: return operation(formula, "+", Binding::Sum);
        case Subtract: return operation(formula, "-", Binding::Sum);
        case Multiply: return operation(formula, "*", Binding::Product);
        case Divide: return operation(formula, "/", Binding::Product);
        case Power: return operation(formula, "^", Binding::Atom); // spreadsheets bind it to the left, worksheets not
        case Less: return comparison(formula, "<");
        case LessEqual: return comparison(formula, "<=");
        case Greater: return comparison(formula, ">");
        case GreaterEqual: return comparison(formula, ">=");
        case Equal: return comparison(formula, "=");
        case And: return {"AND(" + conditions(formula) + ")", Binding::Atom, true};
        case Or: return {"OR(" + conditions(formula) + ")", Binding::Atom, true};
        default: return function(formula);
        }
    }

    [[nodiscard]] static std::string quoted(std::string_view text)
    {
        std::string quoted = "\"";
        for (const char c : text)
            quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
        return quoted + '"';
    }

    [[nodiscard]] Translated constant(double number, const std::string &unit) const
    {
        if (number == 0 || number == 1)
            return {number == 0 ? "0" : "1"};
        return {m_places.constant(number, unit)};
    }

    [[nodiscard]] Translated operation(const SheetFormula &formula, const char *sign, Binding binding) const
    {
        const auto left = number(formula.arguments[0]), right = number(formula.arguments[1]);
        const bool isPower = formula.operation == SheetOperation::Power;
        const auto above = binding == Binding::Sum ? Binding::Product
            : binding == Binding::Product          ? Binding::Power
                                                   : Binding::Atom;
        const bool keeps = formula.operation == SheetOperation::Add; // a + (b + c) needs no parentheses, but its sums
        auto rightText = within(right, keeps ? Binding::Product : above);
        if (right.binding == Binding::Sign)
            rightText = "(" + right.text + ")";
        return {within(left, isPower ? Binding::Atom : binding) + sign + rightText, isPower ? Binding::Power : binding,
            false, left.mayBeNone || right.mayBeNone};
    }

    /// False where a side has no value, as the worksheet has it: a spreadsheet ranks texts above all numbers.
    [[nodiscard]] Translated comparison(const SheetFormula &formula, const char *sign) const
    {
        const auto left = number(formula.arguments[0]), right = number(formula.arguments[1]);
        auto text = within(left, Binding::Sum) + sign + within(right, Binding::Sum);
        if (!left.mayBeNone && !right.mayBeNone)
            return {std::move(text), Binding::Comparison, true};
        std::string known;
        for (const auto *side : {&left, &right})
            if (side->mayBeNone)
                known += "ISNUMBER(" + side->text + "),";
        return {"IFERROR(AND(" + known + text + "),FALSE)", Binding::Atom, true};
    }

    [[nodiscard]] std::string conditions(const SheetFormula &formula) const
    {
        std::string list;
        for (const auto &argument : formula.arguments)
            list += (list.empty() ? "" : ",") + condition(argument).text;
        return list;
    }

    /// MIN and MAX pass over texts of cells; in a sum they are the error that they must be.
    [[nodiscard]] std::string counted(const SheetFormula &formula) const
    {
        const auto part = number(formula);
        return part.mayBeNone ? within(part, Binding::Sum) + "+0" : part.text;
    }

    [[nodiscard]] Translated function(const SheetFormula &formula) const
    {
        using enum SheetOperation;
        const auto &arguments = formula.arguments;
        const auto none = quoted(noValue);
        switch (formula.operation) {
        case Minimum:
        case Maximum: {
            std::string list;
            bool mayBeNone = false;
            for (const auto &argument : arguments) {
                list += (list.empty() ? "" : ",") + counted(argument);
                mayBeNone = mayBeNone || number(argument).mayBeNone;
            }
            return {(formula.operation == Minimum ? "MIN(" : "MAX(") + list + ")", Binding::Atom, false, mayBeNone};
        }
        case RoundUp: {
            const auto of = number(arguments[0]);
            return {"-INT(" + m_places.constant(roundingShare, {}) + "-" + within(of, Binding::Product) + ")",
                Binding::Sign, false, of.mayBeNone};
        }
        case Logarithm: {
            const auto of = number(arguments[0]);
            return {"LN(" + of.text + ")", Binding::Atom, false, of.mayBeNone};
        }
        case If: {
            const auto yes = number(arguments[1]), no = number(arguments[2]);
            return {"IF(" + condition(arguments[0]).text + "," + yes.text + "," + no.text + ")", Binding::Atom, false,
                yes.mayBeNone || no.mayBeNone};
        }
        case Choose: {
            std::string list;
            for (const auto &argument : arguments)
                list += (list.empty() ? "" : ",") + number(argument).text;
            return {"IFERROR(CHOOSE(" + list + "),0)"};
        }
        case Sum: return {"SUM(" + m_places.range(arguments[0]) + ")"};
        case Last: return {"INDEX(" + m_places.range(arguments[0]) + ",1," + m_places.lastColumn(arguments[0]) + "+1)"};
        case First:
            return {"IFERROR(INDEX(" + m_places.guardedRange(formula) + ",1,MATCH(1," + m_places.range(arguments[0])
                    + ",0))," + none + ")",
                Binding::Atom, false, true};
        case ByMonth: return {"INDEX(" + m_places.range(arguments[0]) + ",1," + m_places.yearOfMonth() + "+1)"};
        case Irr: {
            const auto flows = m_places.range(arguments[0]);
            auto rate = none;
            for (auto guess = lowRateGuesses.rbegin(); guess != lowRateGuesses.rend(); ++guess)
                rate = "IFERROR(IRR(" + flows + "," + m_places.constant(*guess, {}) + ")," + rate + ")";
            return {"IF(" + m_places.signChanges(arguments[0]) + "=1,IFERROR(IRR(" + flows + ")," + rate + ")," + none
                    + ")",
                Binding::Atom, false, true};
        }
        case IrrStatus: {
            const auto changes = m_places.signChanges(arguments[0]);
            return {"IF(" + changes + "=0,\"none\",IF(" + changes + "=1,\"unique\",\"several\"))"};
        }
        default: return {"0"};
        }
    }

    const FormulaPlaces &m_places;
};

} // namespace

std::string spreadsheetFormula(const SheetFormula &formula, const FormulaPlaces &places)
{
    return SheetTranslator(places).number(formula).text;
}

std::string spreadsheetCondition(const SheetFormula &formula, const FormulaPlaces &places)
{
    return SheetTranslator(places).condition(formula).text;
}

} // namespace fleetwright::reports
