// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/comparisontext.h"

#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace fleetwright {

namespace {

using units::Dimension;

struct Scale {
    Dimension dimension;
    std::string_view symbol;
    double from; ///< the largest value of the group is at least this, in base units
};

/// Smallest first within a dimension.
constexpr auto scales = std::to_array<Scale>({
    {Dimension::Fraction, "%", 0},
    {Dimension::Time, "us", 0},
    {Dimension::Time, "ms", 1e-3},
    {Dimension::Time, "s", 1},
    {Dimension::Time, "min", 300},
    {Dimension::Time, "h", 7200},
    {Dimension::Time, "days", 2 * 86400},
    {Dimension::Time, "years", 1000.0 * 86400},
    {Dimension::Information, "B", 0},
    {Dimension::Information, "MB", 1e6},
    {Dimension::Information, "GB", 1e9},
    {Dimension::Computation, "FLOP", 0},
    {Dimension::Computation, "TFLOP", 1e12},
    {Dimension::Bandwidth, "GB/s", 0},
    {Dimension::ComputeRate, "GFLOP/s", 0},
    {Dimension::ComputeRate, "TFLOP/s", 1e12},
    {Dimension::Power, "W", 0},
    {Dimension::Power, "kW", 1e3},
    {Dimension::Power, "MW", 1e6},
    {Dimension::Energy, "J", 0},
    {Dimension::Energy, "kWh", 3.6e6},
    {Dimension::Energy, "MWh", 3.6e9},
    {Dimension::Energy, "GWh", 3.6e12},
    {Dimension::Carbon, "kgCO2e", 0},
    {Dimension::Carbon, "tCO2e", 1e3},
    {Dimension::Water, "L", 0},
    {Dimension::Water, "m3", 1e3},
    {Dimension::Money, "USD", 0},
    {Dimension::Money, "MUSD", 1e6},
    {Dimension::Intensity, "FLOP/B", 0},
    {Dimension::MoneyRate, "USD/h", 0},
    {Dimension::EnergyPrice, "USD/kWh", 0},
});

double largest(const Comparison &comparison, const ComparisonRow &row)
{
    double most = 0;
    for (const auto &other : comparison.rows)
        if (other.group == row.group && other.dimension == row.dimension)
            for (const auto &cell : other.cells)
                if (cell.value)
                    most = std::max(most, std::abs(*cell.value));
    return most;
}

} // namespace

units::UnitSymbol displayUnit(const Comparison &comparison, const ComparisonRow &row)
{
    units::UnitSymbol unit{{}, row.dimension, 1.0};
    if (row.verdict || row.dimension == Dimension::Number)
        return unit;
    const double most = largest(comparison, row);
    const bool ofStep = row.group
        == toString(FigureGroup::Step); // one model that is far off must not turn all steps into minutes
    for (const auto &scale : scales)
        if (scale.dimension == row.dimension && most >= scale.from)
            if (const auto found = units::findUnit(scale.symbol, row.dimension);
                found && !(ofStep && found->factor > 1))
                unit = *found;
    return unit;
}

double inDisplayUnit(const Comparison &comparison, const ComparisonRow &row, double value)
{
    return value / displayUnit(comparison, row).factor;
}

std::string rowTitle(const Comparison &comparison, const ComparisonRow &row)
{
    const auto unit = displayUnit(comparison, row);
    return unit.symbol.empty() ? row.label
                               : row.label + " [" + std::string(unit.symbol == "us" ? "\u00b5s" : unit.symbol) + "]";
}

std::string fileTitle(const ComparisonRow &row)
{
    const auto unit = units::baseSymbol(row.dimension);
    const bool named = row.key.ends_with("_s") || row.key.ends_with("_bytes") || row.key.ends_with("_w")
        || row.key.ends_with("_usd");
    return unit.empty() || named || row.verdict ? row.key : row.key + " [" + std::string(unit) + "]";
}

std::string cellText(const Comparison &comparison, const ComparisonRow &row, std::size_t column)
{
    const auto &cell = row.cells.at(column);
    if (cell.refused)
        return "refused";
    if (!cell.value)
        return "\u2013";
    if (row.verdict)
        return *cell.value != 0 ? "yes" : "no";
    const auto unit = displayUnit(comparison, row);
    return unit.symbol.empty() ? units::format(*cell.value, row.dimension)
                               : units::threeDigits(inDisplayUnit(comparison, row, *cell.value));
}

std::string differenceText(double difference)
{
    if (std::abs(difference) < 5e-5)
        return "\u00b10\u00a0%";
    if (difference >= 9)
        return "\u00d7\u00a0" + units::threeDigits(difference + 1);
    return (difference > 0 ? "+" : "\u2212") + units::threeDigits(std::abs(difference) * 100) + "\u00a0%";
}

std::string columnTitle(const Comparison &comparison, std::size_t column)
{
    const auto &of = comparison.columns.at(column);
    const bool onePlan = comparison.plans.size() == 1;
    const bool oneModel = comparison.columns.size() == comparison.plans.size();
    return onePlan ? of.modelTitle : oneModel ? of.planName : of.planName + ", " + of.modelTitle;
}

std::vector<const ExplainedFigure *> chainOf(const std::vector<ExplainedFigure> &figures, std::string_view key)
{
    std::set<std::string, std::less<>> wanted{std::string(key)};
    std::vector<const ExplainedFigure *> chain;
    for (auto figure = figures.rbegin(); figure != figures.rend(); ++figure) {
        if (!wanted.contains(figure->key))
            continue;
        chain.push_back(&*figure);
        for (const auto &input : figure->inputs)
            wanted.insert(input.origin);
    }
    std::ranges::reverse(chain);
    return chain;
}

std::string exactText(double value, Dimension dimension)
{
    const std::string rounded = units::format(value, dimension);
    const auto symbol = units::baseSymbol(dimension);
    std::string full = units::exact(value);
    if (dimension == Dimension::Fraction
        || (dimension == Dimension::Number && std::abs(value) < 1e6 && value == std::round(value)))
        return dimension == Dimension::Fraction && value != 0 && value != 1 ? rounded + " (" + full + ")" : rounded;
    if (!symbol.empty())
        full += "\u00a0" + std::string(symbol);
    return rounded == full ? rounded : rounded + " (" + full + ")";
}

} // namespace fleetwright
