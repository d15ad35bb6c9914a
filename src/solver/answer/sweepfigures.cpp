// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/sweepfigures.h"

#include "units/editdistance.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

constexpr std::string_view detailPrefix = "details.";

const DetailDescriptor *findDetail(std::string_view key)
{
    for (const auto *model : costModels())
        for (const auto &detail : model->details())
            if (detail.key == key)
                return &detail;
    return nullptr;
}

std::optional<double> detailOf(const Solution &solution, std::string_view key)
{
    const auto model = findCostModel(solution.costModelId);
    if (!model)
        return std::nullopt;
    const auto details = (*model)->details();
    for (std::size_t i = 0; i < std::min(details.size(), solution.estimate.details.size()); ++i)
        if (details[i].key == key)
            return solution.estimate.details[i];
    return std::nullopt;
}

} // namespace

Expected<SweepFigure> findSweepFigure(std::string_view key, std::string_view field)
{
    if (const auto *figure = findSolutionFigure(key))
        return SweepFigure{std::string(key), std::string(figure->label), figure->dimension, figure->better};
    if (key.starts_with(detailPrefix))
        if (const auto *detail = findDetail(key.substr(detailPrefix.size())))
            return SweepFigure{std::string(key), std::string(detail->label), detail->dimension, Better::None};
    const std::string shown(key.substr(0, 80));
    std::string sentence = "There is no figure \u201c" + shown + "\u201d";
    const auto nearest = std::ranges::min_element(
        solutionFigures(), {}, [&](const SolutionFigure &figure) { return editDistance(figure.key, shown); });
    if (editDistance(nearest->key, shown) <= std::max<std::size_t>(3, shown.size() / 4))
        sentence += "; did you mean \u201c" + std::string(nearest->key) + "\u201d?";
    else
        sentence += "; name one of an estimate, such as step_time_s, mfu, scaling_efficiency, bubble_fraction or "
                    "memory.total_bytes.";
    return refuse(ErrorCode::UnsupportedValue, std::string(field), std::move(sentence));
}

std::optional<double> figureOf(const Solution &solution, std::string_view key)
{
    std::optional<double> value;
    if (const auto *figure = findSolutionFigure(key))
        value = figure->value(solution);
    else if (key.starts_with(detailPrefix))
        value = detailOf(solution, key.substr(detailPrefix.size()));
    return value && std::isfinite(*value) ? value : std::nullopt;
}

ShownUnit shownUnit(units::Dimension dimension, double largest)
{
    using units::Dimension;
    constexpr double twoDays = 172800, tenthOfASecond = 0.1;
    switch (dimension) {
    case Dimension::Fraction: return {"%", 0.01};
    case Dimension::Information: return {"GB", 1e9};
    case Dimension::Time:
        return largest >= twoDays      ? ShownUnit{"d", 86400}
            : largest < tenthOfASecond ? ShownUnit{"ms", 1e-3}
                                       : ShownUnit{"s", 1};
    case Dimension::ComputeRate: return {"TFLOP/s", 1e12};
    case Dimension::Power: return {"kW", 1e3};
    case Dimension::Bandwidth: return {"GB/s", 1e9};
    case Dimension::Number: return {"", 1};
    default: return {std::string(units::baseSymbol(dimension)), 1};
    }
}

std::string figureText(const SweepFigure &figure, std::optional<double> value)
{
    if (!value)
        return "\u2013";
    return figure.dimension == units::Dimension::Number && std::abs(*value) < 1e6
        ? units::threeDigits(*value)
        : units::format(*value, figure.dimension);
}

std::string columnTitle(const SweepFigure &figure, const ShownUnit &unit)
{
    const auto label = figure.label.substr(0, figure.label.find_first_of(",:"));
    return unit.symbol.empty() ? label : label + " [" + unit.symbol + "]";
}

} // namespace fleetwright
