// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/objectivefigures.h"

#include "solver/answer/figures.h"

namespace fleetwright {

namespace {

std::string_view keyOf(LayoutSearchObjective objective)
{
    switch (objective) {
    case LayoutSearchObjective::StepTime: break;
    case LayoutSearchObjective::TokensPerSecond: return "tokens_per_s";
    case LayoutSearchObjective::Mfu: return "mfu";
    case LayoutSearchObjective::MemoryHeadroom: return "memory.headroom_bytes";
    case LayoutSearchObjective::CostPerToken: return "cost_usd_per_million_tokens";
    }
    return "step_time_s";
}

} // namespace

const Figure &figureOf(LayoutSearchObjective objective) { return *findFigure(keyOf(objective)); }

const Figure *figureOf(ParetoAxis axis)
{
    switch (axis) {
    case ParetoAxis::StepTime: return &figureOf(LayoutSearchObjective::StepTime);
    case ParetoAxis::Memory: return findFigure("memory.total_bytes");
    case ParetoAxis::CostPerToken: return &figureOf(LayoutSearchObjective::CostPerToken);
    case ParetoAxis::Accelerators:
    case ParetoAxis::GlobalBatch: break;
    }
    return nullptr;
}

std::string_view titleOf(LayoutSearchObjective objective) { return figureOf(objective).label; }
std::string_view titleOf(ParetoAxis axis)
{
    const auto *figure = figureOf(axis);
    return figure ? figure->label : axis == ParetoAxis::Accelerators ? "Accelerators" : "Global batch";
}
units::Dimension dimensionOf(LayoutSearchObjective objective) { return figureOf(objective).dimension; }
units::Dimension dimensionOf(ParetoAxis axis)
{
    const auto *figure = figureOf(axis);
    return figure ? figure->dimension : units::Dimension::Number;
}

} // namespace fleetwright
