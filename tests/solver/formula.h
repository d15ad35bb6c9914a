// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/explain/explain.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace testing {

/// Evaluates the formula of an explained figure from its inputs alone: what a reader does by hand. NaN for a formula
/// that is not plain arithmetic or uses a symbol that is not among the inputs; `unused` then or otherwise names an
/// input that the formula does not use.
class Formula {
public:
    explicit Formula(const fleetwright::ExplainedFigure &figure)
        : m_figure(figure), m_text(figure.formula), m_used(figure.inputs.size(), false)
    {
    }

    [[nodiscard]] double value()
    {
        m_at = 0;
        const double result = comparison();
        skip();
        return m_at == m_text.size() && !m_bad ? result : std::numeric_limits<double>::quiet_NaN();
    }
    [[nodiscard]] std::string unused() const
    {
        for (std::size_t i = 0; i < m_used.size(); ++i)
            if (!m_used[i])
                return m_figure.inputs[i].symbol;
        return {};
    }

private:
    void skip()
    {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
    }
    bool take(std::string_view token)
    {
        skip();
        if (!m_text.substr(m_at).starts_with(token))
            return false;
        m_at += token.size();
        return true;
    }
    double comparison()
    {
        const double left = sum();
        return take("<=") ? double(left <= sum()) : left;
    }
    double sum()
    {
        double left = product();
        while (true) {
            if (take("+"))
                left += product();
            else if (take("-"))
                left -= product();
            else
                return left;
        }
    }
    double product()
    {
        double left = power();
        while (true) {
            if (take("\u00b7"))
                left *= power();
            else if (take("/"))
                left /= power();
            else
                return left;
        }
    }
    double power()
    {
        const double base = atom();
        return take("^") ? std::pow(base, power()) : base;
    }
    double atom()
    {
        skip();
        if (take("(")) {
            const double inner = sum();
            m_bad = !take(")") || m_bad;
            return inner;
        }
        if (take("-"))
            return -atom();
        if (m_at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[m_at]))) {
            char *end = nullptr;
            const std::string rest(m_text.substr(m_at));
            const double number = std::strtod(rest.c_str(), &end);
            m_at += std::size_t(end - rest.c_str());
            return number;
        }
        const auto start = m_at;
        while (m_at < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_'))
            ++m_at;
        const auto name = m_text.substr(start, m_at - start);
        if (take("("))
            return call(name);
        for (std::size_t i = 0; i < m_figure.inputs.size(); ++i)
            if (m_figure.inputs[i].symbol == name) {
                m_used[i] = true;
                return m_figure.inputs[i].value;
            }
        m_bad = true;
        return std::numeric_limits<double>::quiet_NaN();
    }
    double call(std::string_view function)
    {
        double result = sum();
        while (take(",")) {
            const double next = sum();
            if (function == "max")
                result = std::max(result, next);
            else if (function == "min")
                result = std::min(result, next);
            else
                m_bad = true;
        }
        m_bad = !take(")") || m_bad;
        if (function == "ceil")
            return std::ceil(result);
        if (function == "floor")
            return std::floor(result);
        if (function == "log2")
            return std::log2(result);
        if (function == "sqrt")
            return std::sqrt(result);
        m_bad = m_bad || (function != "max" && function != "min");
        return result;
    }

    const fleetwright::ExplainedFigure &m_figure;
    std::string_view m_text;
    std::vector<bool> m_used;
    std::size_t m_at = 0;
    bool m_bad = false;
};

} // namespace testing
