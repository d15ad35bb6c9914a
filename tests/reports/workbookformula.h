// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

/// Cells of a workbook and their formulas, computed as a spreadsheet does: those that our workbooks have. What is not
/// known here is an error, so that a test sees it.
namespace fleetwright::test {

struct CellError {
    QString what;
    bool operator==(const CellError &) const { return true; }
};
using CellValue = std::variant<std::monostate, double, bool, QString, CellError>;

struct CellPlace {
    QString sheet;
    int column = 0, line = 0; ///< from 1
    auto key() const { return std::tuple(sheet, line, column); }
    bool operator<(const CellPlace &other) const { return key() < other.key(); }
};

inline int columnNumber(const QString &letters)
{
    int number = 0;
    for (const auto &letter : letters)
        number = number * 26 + letter.unicode() - 'A' + 1;
    return number;
}
inline QString columnLetters(int number)
{
    QString letters;
    for (; number > 0; number = (number - 1) / 26)
        letters.prepend(QChar('A' + (number - 1) % 26));
    return letters;
}

/// Descends through a formula of the cell `home` and computes as it goes; what is not asked for is passed over.
class FormulaEvaluation {
public:
    using ValueAt = std::function<CellValue(const CellPlace &place)>;
    FormulaEvaluation(ValueAt valueAt, CellPlace home) : m_valueAt(std::move(valueAt)), m_home(std::move(home)) { }
    CellValue of(const QString &formula)
    {
        m_text = formula;
        m_at = 0;
        auto value = comparison();
        if (m_at < m_text.size())
            return CellError{QStringLiteral("not understood: ") + m_text.mid(m_at)};
        return value;
    }

private:
    struct Range {
        CellPlace from, to;
    };
    using Operand = std::variant<CellValue, Range>;

    bool take(QStringView token)
    {
        if (!QStringView(m_text).mid(m_at).startsWith(token))
            return false;
        m_at += token.size();
        return true;
    }
    static CellValue numberOf(const CellValue &value)
    {
        if (std::holds_alternative<std::monostate>(value))
            return 0.0;
        if (const auto *flag = std::get_if<bool>(&value))
            return *flag ? 1.0 : 0.0;
        if (std::holds_alternative<QString>(value))
            return CellError{QStringLiteral("a text in a sum")};
        return value;
    }
    template <class Operation> static CellValue both(const CellValue &a, const CellValue &b, Operation operation)
    {
        const auto left = numberOf(a), right = numberOf(b);
        if (std::holds_alternative<CellError>(left))
            return left;
        if (std::holds_alternative<CellError>(right))
            return right;
        const double result = operation(std::get<double>(left), std::get<double>(right));
        return std::isfinite(result) ? CellValue(result) : CellValue(CellError{QStringLiteral("no number")});
    }
    static int rankOf(const CellValue &value)
    {
        return std::holds_alternative<bool>(value) ? 2 : std::holds_alternative<QString>(value) ? 1 : 0;
    }
    /// Numbers before texts before TRUE and FALSE.
    static CellValue compared(const CellValue &a, const CellValue &b, const QString &sign)
    {
        for (const auto *side : {&a, &b})
            if (std::holds_alternative<CellError>(*side))
                return *side;
        int order = rankOf(a) - rankOf(b);
        if (order == 0 && rankOf(a) == 1) {
            order = std::get<QString>(a).compare(std::get<QString>(b), Qt::CaseInsensitive);
        } else if (order == 0) {
            const double left = std::get<double>(numberOf(a)), right = std::get<double>(numberOf(b));
            order = left < right ? -1 : left > right ? 1 : 0;
        }
        return sign == QStringLiteral("<") ? order < 0
            : sign == QStringLiteral("<=") ? order <= 0
            : sign == QStringLiteral(">")  ? order > 0
            : sign == QStringLiteral(">=") ? order >= 0
            : sign == QStringLiteral("=")  ? order == 0
                                           : order != 0;
    }

    CellValue comparison()
    {
        const auto left = sum();
        for (const QStringView sign : {u"<>", u"<=", u">=", u"<", u">", u"="})
            if (take(sign))
                return compared(left, sum(), sign.toString());
        return left;
    }
    CellValue sum()
    {
        auto left = product();
        while (true) {
            if (take(u"+"))
                left = both(left, product(), std::plus<>());
            else if (take(u"-"))
                left = both(left, product(), std::minus<>());
            else
                return left;
        }
    }
    CellValue product()
    {
        auto left = power();
        while (true) {
            if (take(u"*"))
                left = both(left, power(), std::multiplies<>());
            else if (take(u"/"))
                left = both(left, power(), std::divides<>());
            else
                return left;
        }
    }
    CellValue power()
    {
        auto left = sign();
        while (take(u"^"))
            left = both(left, sign(), [](double a, double b) { return std::pow(a, b); });
        return left;
    }
    CellValue sign() { return take(u"-") ? both(0.0, sign(), std::minus<>()) : scalar(atom()); }
    CellValue scalar(const Operand &operand)
    {
        if (const auto *range = std::get_if<Range>(&operand))
            return range->from.key() == range->to.key() ? m_valueAt(range->from)
                                                        : CellValue(CellError{QStringLiteral("a range")});
        return std::get<CellValue>(operand);
    }
    Operand atom()
    {
        if (take(u"(")) {
            auto inner = comparison();
            return take(u")") ? Operand(inner) : Operand(CellError{QStringLiteral(")")});
        }
        if (take(u"\"")) {
            QString text;
            while (m_at < m_text.size() && (m_text[m_at] != u'"' || m_text.mid(m_at, 2) == QStringLiteral("\"\""))) {
                m_at += m_text[m_at] == u'"' ? 1 : 0;
                text += m_text[m_at++];
            }
            ++m_at;
            return CellValue(text);
        }
        static const QRegularExpression numberPattern(QStringLiteral("\\G[0-9.]+(E[-+]?[0-9]+)?"));
        if (const auto number = numberPattern.match(m_text, m_at); number.hasMatch()) {
            m_at = number.capturedEnd();
            return CellValue(number.captured().toDouble());
        }
        static const QRegularExpression call(QStringLiteral("\\G([A-Z]+)\\("));
        if (const auto name = call.match(m_text, m_at); name.hasMatch()) {
            m_at = name.capturedEnd();
            return function(name.captured(1));
        }
        static const QRegularExpression cell(
            QStringLiteral("\\G(?:(?:'([^']+)'|([A-Za-z]+))!)?\\$?([A-Z]+)\\$?([0-9]+)(?::\\$?([A-Z]+)\\$?([0-9]+))?"));
        if (const auto found = cell.match(m_text, m_at); found.hasMatch()) {
            m_at = found.capturedEnd();
            const auto sheet = found.captured(1) + found.captured(2);
            Range range{
                {sheet.isEmpty() ? m_home.sheet : sheet, columnNumber(found.captured(3)), found.captured(4).toInt()},
                {}};
            range.to = found.captured(5).isEmpty()
                ? range.from
                : CellPlace{range.from.sheet, columnNumber(found.captured(5)), found.captured(6).toInt()};
            return range;
        }
        if (take(u"TRUE"))
            return CellValue(true);
        if (take(u"FALSE"))
            return CellValue(false);
        return CellValue(CellError{QStringLiteral("not understood: ") + m_text.mid(m_at)});
    }

    /// The texts of the arguments, up to the closing parenthesis.
    QStringList arguments()
    {
        QStringList list(QString{});
        int depth = 0;
        bool inText = false, inName = false;
        for (; m_at < m_text.size(); ++m_at) {
            const auto letter = m_text[m_at];
            inText = letter == u'"' && !inName ? !inText : inText;
            inName = letter == u'\'' && !inText ? !inName : inName;
            if (!inText && !inName) {
                if (letter == u')' && depth-- == 0)
                    break;
                depth += letter == u'(' ? 1 : 0;
                if (letter == u',' && depth == 0) {
                    list += QString();
                    continue;
                }
            }
            list.last() += letter;
        }
        ++m_at;
        return list;
    }
    CellValue at(const QString &text) { return FormulaEvaluation(m_valueAt, m_home).of(text); }
    /// Of the cells of a range, or of one value.
    std::vector<CellValue> all(const QString &text, bool *isReference = nullptr)
    {
        FormulaEvaluation inner(m_valueAt, m_home);
        inner.m_text = text;
        const auto operand = inner.atom();
        const auto *range = std::get_if<Range>(&operand);
        if (!range || inner.m_at < text.size())
            return {at(text)};
        if (isReference)
            *isReference = true;
        std::vector<CellValue> values;
        for (int line = range->from.line; line <= range->to.line; ++line)
            for (int column = range->from.column; column <= range->to.column; ++column)
                values.push_back(m_valueAt({range->from.sheet, column, line}));
        return values;
    }
    static bool truth(const CellValue &value)
    {
        const auto number = numberOf(value);
        return std::holds_alternative<double>(number) && std::get<double>(number) != 0;
    }
    /// Numbers of the arguments; texts of cells are passed over. An error is the answer.
    CellValue gathered(const QStringList &list, const std::function<double(const std::vector<double> &)> &answer)
    {
        std::vector<double> numbers;
        for (const auto &text : list) {
            bool isReference = false;
            for (const auto &value : all(text, &isReference)) {
                if (std::holds_alternative<CellError>(value))
                    return value;
                const auto number = numberOf(value);
                if (std::holds_alternative<double>(value) || (!isReference && std::holds_alternative<double>(number)))
                    numbers.push_back(std::get<double>(number));
                else if (!isReference)
                    return CellError{QStringLiteral("a text where a number belongs")};
            }
        }
        return answer(numbers);
    }
    static std::optional<double> rateOf(const std::vector<double> &flows, double guess)
    {
        double rate = guess;
        for (int step = 0; step < 200; ++step) {
            double worth = 0, slope = 0;
            for (std::size_t i = 0; i < flows.size(); ++i) {
                worth += flows[i] / std::pow(1 + rate, double(i));
                slope -= double(i) * flows[i] / std::pow(1 + rate, double(i) + 1);
            }
            const double next = rate - worth / slope;
            if (!std::isfinite(next) || next <= -1)
                return std::nullopt;
            if (std::abs(next - rate) < 1e-14)
                return next;
            rate = next;
        }
        return std::nullopt;
    }
    CellValue condition(const QStringList &list, bool isAnd)
    {
        bool result = isAnd;
        for (const auto &text : list)
            for (const auto &value : all(text)) {
                if (std::holds_alternative<CellError>(value))
                    return value;
                if (!std::holds_alternative<QString>(value) && !std::holds_alternative<std::monostate>(value))
                    result = isAnd ? result && truth(value) : result || truth(value);
            }
        return result;
    }
    CellValue function(const QString &name)
    {
        const auto list = arguments();
        if (name == QStringLiteral("IF")) {
            const auto which = at(list[0]);
            if (std::holds_alternative<CellError>(which))
                return which;
            return at(truth(which) ? list[1] : list[2]);
        }
        if (name == QStringLiteral("IFERROR")) {
            const auto value = at(list[0]);
            return std::holds_alternative<CellError>(value) ? at(list[1]) : value;
        }
        if (name == QStringLiteral("AND") || name == QStringLiteral("OR"))
            return condition(list, name == QStringLiteral("AND"));
        if (name == QStringLiteral("ISNUMBER"))
            return std::holds_alternative<double>(at(list[0]));
        if (name == QStringLiteral("EXACT"))
            return at(list[0]) == at(list[1]);
        if (name == QStringLiteral("SUM"))
            return gathered(list, [](const auto &numbers) {
                double sum = 0;
                for (const double number : numbers)
                    sum += number;
                return sum;
            });
        if (name == QStringLiteral("ABS")) {
            const auto value = numberOf(at(list[0]));
            const auto *number = std::get_if<double>(&value);
            return number ? CellValue(std::abs(*number)) : value;
        }
        if (name == QStringLiteral("MIN") || name == QStringLiteral("MAX")) {
            const bool least = name == QStringLiteral("MIN");
            return gathered(list, [least](const auto &numbers) {
                return numbers.empty() ? 0
                    : least            ? *std::ranges::min_element(numbers)
                                       : *std::ranges::max_element(numbers);
            });
        }
        if (name == QStringLiteral("INT"))
            return both(at(list[0]), 0.0, [](double a, double) { return std::floor(a); });
        if (name == QStringLiteral("LN"))
            return both(at(list[0]), 0.0, [](double a, double) { return std::log(a); });
        return searching(name, list);
    }
    CellValue searching(const QString &name, const QStringList &list)
    {
        if (name == QStringLiteral("CHOOSE") || name == QStringLiteral("INDEX")) {
            const bool isIndex = name == QStringLiteral("INDEX");
            const auto which = numberOf(at(isIndex ? list[2] : list[0]));
            if (!std::holds_alternative<double>(which))
                return which;
            const auto values = isIndex ? all(list[0]) : std::vector<CellValue>();
            const auto index = qsizetype(std::get<double>(which));
            if (index < 1 || index > (isIndex ? qsizetype(values.size()) : list.size() - 1))
                return CellError{QStringLiteral("beyond the range")};
            return isIndex ? values[std::size_t(index - 1)] : at(list[index]);
        }
        if (name == QStringLiteral("MATCH")) {
            const auto sought = at(list[0]);
            const auto values = all(list[1]);
            for (std::size_t i = 0; i < values.size(); ++i)
                if (values[i] == sought)
                    return double(i + 1);
            return CellError{QStringLiteral("not found")};
        }
        if (name == QStringLiteral("IRR")) {
            std::vector<double> flows;
            for (const auto &value : all(list[0]))
                if (const auto *flow = std::get_if<double>(&value))
                    flows.push_back(*flow);
            const auto guess = list.size() > 1 ? numberOf(at(list[1])) : CellValue(0.1);
            const auto rate = rateOf(flows, std::get<double>(guess));
            return rate ? CellValue(*rate) : CellValue(CellError{QStringLiteral("no rate")});
        }
        return CellError{QStringLiteral("unknown function ") + name};
    }

    ValueAt m_valueAt;
    CellPlace m_home;
    QString m_text;
    qsizetype m_at = 0;
};

} // namespace fleetwright::test
