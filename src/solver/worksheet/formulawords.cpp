// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/formulawords.h"

#include "domain/sweepdocument.h"
#include "solver/operations/operations.h"
#include "solver/worksheet/fleettables.h"
#include "solver/worksheet/sheets.h"
#include "units/format.h"

namespace fleetwright {

namespace {

/// How tightly the outermost operator of a text binds.
enum class Tightness { Words, Comparison, Sum, Product, Power, Atom };

struct Said {
    std::string text;
    Tightness tightness = Tightness::Atom;
};

/// `name(row, previous)` says what stands for a row.
template <class Name> class FormulaSayer {
public:
    explicit FormulaSayer(const Name &name) : m_name(name) { }

    [[nodiscard]] Said say(const SheetFormula &formula) const
    {
        using enum SheetOperation;
        switch (formula.operation) {
        case Number: return {units::asTyped(formula.number) + (formula.text.empty() ? "" : "\u00a0" + formula.text)};
        case None: return {"never"};
        case Word: return {"\u201c" + formula.text + "\u201d"};
        case Row: return {m_name(formula.row, false)};
        case Previous: return {m_name(formula.row, true)};
        case Year: return {"the year"};
        case Month: return {"the month"};
        case Negate: return {"\u2212" + within(formula, 0, Tightness::Power), Tightness::Sum};
        case Add: return joined(formula, "+", Tightness::Sum, Tightness::Sum);
        case Subtract: return joined(formula, "\u2212", Tightness::Sum, Tightness::Product);
        case Multiply: return joined(formula, "\u00d7", Tightness::Product, Tightness::Product);
        case Divide: return joined(formula, "/", Tightness::Product, Tightness::Power);
        case Power:
            return {
                within(formula, 0, Tightness::Atom) + " ^ " + within(formula, 1, Tightness::Power), Tightness::Power};
        case Less: return joined(formula, "<", Tightness::Comparison, Tightness::Sum);
        case LessEqual: return joined(formula, "\u2264", Tightness::Comparison, Tightness::Sum);
        case Greater: return joined(formula, ">", Tightness::Comparison, Tightness::Sum);
        case GreaterEqual: return joined(formula, "\u2265", Tightness::Comparison, Tightness::Sum);
        case Equal: return joined(formula, "=", Tightness::Comparison, Tightness::Sum);
        case And: return joined(formula, "and", Tightness::Words, Tightness::Comparison);
        case Or: return joined(formula, "or", Tightness::Words, Tightness::Comparison);
        case Minimum: return {"the least of (" + list(formula, 0, "; ") + ")"};
        case Maximum: return {"the largest of (" + list(formula, 0, "; ") + ")"};
        case RoundUp: return {"(" + say(formula.arguments[0]).text + ") rounded up"};
        case Logarithm: return {"ln(" + say(formula.arguments[0]).text + ")"};
        case If:
            return {"if " + say(formula.arguments[0]).text + ": " + within(formula, 1, Tightness::Comparison)
                    + "; otherwise: " + within(formula, 2, Tightness::Comparison),
                Tightness::Words};
        case Choose: return {"by " + say(formula.arguments[0]).text + ", one of (" + list(formula, 1, "; ") + ")"};
        case Sum: return {"the sum of (" + say(formula.arguments[0]).text + ") over all columns"};
        case Last: return {"the last of (" + say(formula.arguments[0]).text + ")"};
        case First:
            return {"the first (" + say(formula.arguments[1]).text + ") where " + say(formula.arguments[0]).text,
                Tightness::Words};
        case ByMonth: return {"(" + say(formula.arguments[0]).text + ") of the month\u2019s year"};
        case Irr: return {"the internal rate of return of (" + say(formula.arguments[0]).text + ")"};
        case IrrStatus: return {"how many rates of return (" + say(formula.arguments[0]).text + ") has"};
        }
        return {};
    }

private:
    [[nodiscard]] std::string within(const SheetFormula &formula, std::size_t argument, Tightness least) const
    {
        const auto part = say(formula.arguments[argument]);
        return part.tightness < least ? "(" + part.text + ")" : part.text;
    }
    [[nodiscard]] Said joined(
        const SheetFormula &formula, std::string_view sign, Tightness tightness, Tightness right) const
    {
        const auto left = tightness == Tightness::Comparison ? Tightness::Sum : tightness;
        return {within(formula, 0, left) + " " + std::string(sign) + " " + within(formula, 1, right), tightness};
    }
    [[nodiscard]] std::string list(const SheetFormula &formula, std::size_t from, std::string_view between) const
    {
        std::string text;
        for (std::size_t i = from; i < formula.arguments.size(); ++i) {
            if (i > from)
                text += between;
            text += say(formula.arguments[i]).text;
        }
        return text;
    }

    const Name &m_name;
};

std::string labelOfRow(const Worksheet &sheet, std::size_t row, bool previous)
{
    const auto label = quotedWhereNeeded(sheet.row(row).label);
    return previous ? label + " of the " + (sheet.row(row).shape == SheetShape::Months ? "month" : "year") + " before"
                    : label;
}

/// Of a row of the worksheets, an input of plans or a planning value; empty: of none.
std::string labelOfKey(std::string_view key)
{
    if (const auto row = sheets::run().find(key))
        return sheets::run().row(*row).label;
    if (const auto *input = findSweepKey(key))
        return input->label;
    constexpr std::string_view assumptions = "assumptions.";
    const auto *planned = findAssumption(
        operationsAssumptions(), key.starts_with(assumptions) ? key.substr(assumptions.size()) : key);
    return planned ? planned->label : std::string();
}

} // namespace

std::string quotedWhereNeeded(const std::string &label)
{
    for (const std::string_view sign : {",", " and ", " or ", " over ", "("})
        if (label.find(sign) != std::string::npos)
            return "\u201c" + label + "\u201d";
    return label;
}

std::string formulaInWords(const Worksheet &sheet, const SheetFormula &formula)
{
    const auto name = [&](std::size_t row, bool previous) { return labelOfRow(sheet, row, previous); };
    return FormulaSayer(name).say(formula).text;
}

WordedFormula wordedFormula(const EvaluatedSheet &sheet, std::string_view key, std::size_t column)
{
    const auto index = sheet.sheet().find(key);
    if (!index || sheet.isEntered(key))
        return {};
    const auto &row = sheet.sheet().row(*index);
    const auto &formula = column == 0 && row.shape != SheetShape::Single ? row.atStart : row.formula;
    if (!formula)
        return {};
    bool isPutIn = false;
    const auto value = [&](std::size_t of, bool previous) {
        const auto &used = sheet.sheet().row(of);
        const bool single = used.shape == SheetShape::Single;
        if (!single && used.shape != row.shape)
            return labelOfRow(sheet.sheet(), of, previous); // all its columns
        const auto put = sheet.value(used.key, single ? 0 : column - (previous ? 1 : 0));
        if (!put)
            return std::string("never");
        isPutIn = true;
        if (used.entry.kind == SheetEntry::Kind::Word && std::size_t(*put) < used.entry.words.size())
            return "\u201c" + std::string(used.entry.words[std::size_t(*put)]) + "\u201d";
        return valueText(*put, used.unit);
    };
    WordedFormula worded{
        .words = formulaInWords(sheet.sheet(), *formula), .values = FormulaSayer(value).say(*formula).text};
    if (!isPutIn)
        worded.values.clear();
    return worded;
}

std::string sourceInWords(const EvaluatedSheet &sheet, std::string_view key)
{
    const auto index = sheet.sheet().find(key);
    if (!index)
        return {};
    const auto &row = sheet.sheet().row(*index);
    if (const auto &figure = sheet.entries().figure(*index)) {
        if (figure->source.empty())
            return "your input";
        const bool saysWhen = figure->date.empty() || figure->source.ends_with(figure->date); // "..., 2026"
        return withLabels(figure->source) + (saysWhen ? "" : ", " + figure->date);
    }
    if (!row.source.empty())
        return withLabels(row.source);
    return row.isEntry() ? "assumption, for want of an entry" : std::string(byDefinition);
}

std::string withLabels(std::string_view sentence)
{
    const auto isKeyLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    std::string text;
    for (std::size_t i = 0; i < sentence.size();) {
        const auto start = i;
        while (i < sentence.size()
            && (isKeyLetter(sentence[i])
                || (i > start && sentence[i] == '.' && i + 1 < sentence.size() && isKeyLetter(sentence[i + 1]))))
            ++i;
        if (i == start) {
            text += sentence[i++];
            continue;
        }
        const auto word = sentence.substr(start, i - start);
        // Words that are keys by themselves ("nodes") stay; but a PUE is never said twice.
        const bool looksLikeOne = word.find_first_of("_.") != std::string_view::npos || word == "pue";
        const auto label = looksLikeOne ? labelOfKey(word) : std::string();
        if (!label.empty() && text.ends_with(" (") && i < sentence.size() && sentence[i] == ')') {
            text.resize(text.size() - std::string_view(" (").size());
            ++i;
        } else if (!label.empty()) {
            text += "\u201c" + label + "\u201d";
        } else {
            text += word;
        }
    }
    return text;
}

} // namespace fleetwright
