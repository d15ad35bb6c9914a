// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/explain/explain.h"
#include "units/quantity.h"

#include <initializer_list>
#include <map>
#include <string_view>

namespace fleetwright {

/// A value that enters the model from outside: the plan, the catalog, an assumption or a published constant.
[[nodiscard]] FormulaInput given(std::string symbol, std::string meaning, double value, std::string origin,
    units::Dimension dimension = units::Dimension::Number);
template <class Unit>
[[nodiscard]] FormulaInput given(
    std::string symbol, std::string meaning, const boost::units::quantity<Unit, double> &value, std::string origin)
{
    return given(std::move(symbol), std::move(meaning), value.value(), std::move(origin),
        units::DimensionOf<boost::units::quantity<Unit, double>>::value);
}

/// Collects explained figures in the order of their computation. Formulas are plain arithmetic over the inputs'
/// symbols, so that they can be evaluated as they stand: + - \u00b7 / ^ <=, max, min, ceil, floor, log2, parentheses
/// and numbers; every value in base units.
class Explanation {
public:
    /// What a figure is called; `key` as in ExplainedFigure.
    struct Name {
        std::string key;
        std::string label{}; ///< of an intermediate value; one of allFigures() is called as it is there
    };

    void add(Name name, double value, units::Dimension dimension, std::string formula, std::vector<FormulaInput> inputs,
        std::string source);
    template <class Unit>
    void add(Name name, const boost::units::quantity<Unit, double> &value, std::string formula,
        std::vector<FormulaInput> inputs, std::string source)
    {
        add(std::move(name), value.value(), units::DimensionOf<boost::units::quantity<Unit, double>>::value,
            std::move(formula), std::move(inputs), std::move(source));
    }

    /// A figure that was added before, as the input of another.
    [[nodiscard]] FormulaInput from(std::string symbol, std::string_view key) const;
    [[nodiscard]] const ExplainedFigure *find(std::string_view key) const;
    [[nodiscard]] std::vector<ExplainedFigure> take() { return std::move(m_figures); }

private:
    std::vector<ExplainedFigure> m_figures;
    std::map<std::string, std::size_t, std::less<>> m_index;
};

} // namespace fleetwright
