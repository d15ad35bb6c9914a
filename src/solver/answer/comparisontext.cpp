// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/comparisontext.h"

#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace fleetwright {

namespace {

using units::Dimension;

/// Parts stand in the unit of their sum; figures that are not parts of one another do not share a unit.
std::optional<FigureGroup> sharedUnit(const ComparisonRow &row)
{
    for (const auto group : {FigureGroup::Step, FigureGroup::Memory, FigureGroup::Feasibility})
        if (row.group == toString(group))
            return group;
    return std::nullopt;
}

double largest(const Comparison &comparison, const ComparisonRow &row)
{
    double most = 0;
    for (const auto &other : comparison.rows)
        if (&other == &row || (sharedUnit(row) && other.group == row.group && other.dimension == row.dimension))
            for (const auto &cell : other.cells)
                if (cell.value)
                    most = std::max(most, std::abs(*cell.value));
    return most;
}

} // namespace

units::UnitSymbol displayUnit(const Comparison &comparison, const ComparisonRow &row)
{
    if (row.verdict || row.dimension == Dimension::Number)
        return {{}, row.dimension, 1.0};
    const double most = largest(comparison, row);
    const auto group = sharedUnit(row);
    return group ? unitFor(*group, row.dimension, most) : units::unitFor(most, row.dimension);
}

double inDisplayUnit(const Comparison &comparison, const ComparisonRow &row, double value)
{
    return value / displayUnit(comparison, row).factor;
}

std::string rowTitle(const Comparison &comparison, const ComparisonRow &row)
{
    return titleWithUnit(row.label, displayUnit(comparison, row).symbol);
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
    return units::formatInColumn(*cell.value, displayUnit(comparison, row));
}

std::string differenceText(double difference)
{
    if (std::abs(difference) < 5e-5)
        return "\u00b10\u00a0%";
    if (difference >= 9)
        return "\u00d7\u00a0" + units::threeDigits(difference + 1);
    return (difference > 0 ? "+" : "\u2212") + units::formatPercent(std::abs(difference));
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

std::vector<std::string> payingDifferences(const std::vector<PlanDocument> &plans)
{
    std::vector<std::string> sentences;
    const auto compare = [&](const std::string &what, const std::function<std::string(const CostDocument &)> &of) {
        std::set<std::string> kinds;
        std::string list;
        for (std::size_t i = 0; i < plans.size(); ++i) {
            const auto kind = of(plans[i].fleet.costs);
            kinds.insert(kind);
            list += (list.empty() ? "" : ", ")
                + (plans[i].name.empty() ? "plan " + std::to_string(i + 1) : plans[i].name) + " " + kind;
        }
        if (kinds.size() > 1)
            sentences.push_back(what + " differ: " + list + ".");
    };
    compare(
        "Ways of paying", [](const CostDocument &costs) { return costs.paying == Paying::Own ? "owned" : "rented"; });
    compare("Rent terms", [](const CostDocument &costs) { return std::string(words(costs.rentTerm)); });
    compare("Vendors of the rent",
        [](const CostDocument &costs) { return costs.rentVendor.empty() ? "any vendor" : "from " + costs.rentVendor; });
    return sentences;
}

} // namespace fleetwright
