// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/explain/explanation.h"

#include "solver/answer/figures.h"

#include <limits>

namespace fleetwright {

FormulaInput given(
    std::string symbol, std::string meaning, double value, std::string origin, units::Dimension dimension)
{
    return {std::move(symbol), std::move(meaning), value, dimension, std::move(origin)};
}

void Explanation::add(Name name, double value, units::Dimension dimension, std::string formula,
    std::vector<FormulaInput> inputs, std::string source)
{
    if (const auto *figure = findFigure(name.key))
        name.label = figure->label;
    else if (name.key == feasibleFigure().key)
        name.label = feasibleFigure().label;
    m_index.emplace(name.key, m_figures.size());
    m_figures.push_back({.key = std::move(name.key),
        .label = std::move(name.label),
        .value = value,
        .dimension = dimension,
        .formula = std::move(formula),
        .inputs = std::move(inputs),
        .source = std::move(source)});
}

const ExplainedFigure *Explanation::find(std::string_view key) const
{
    const auto found = m_index.find(key);
    return found == m_index.end() ? nullptr : &m_figures[found->second];
}

FormulaInput Explanation::from(std::string symbol, std::string_view key) const
{
    const auto *figure = find(key);
    if (!figure)
        return given(std::move(symbol), {}, std::numeric_limits<double>::quiet_NaN(), std::string(key));
    return given(std::move(symbol), figure->label, figure->value, figure->key, figure->dimension);
}

} // namespace fleetwright
