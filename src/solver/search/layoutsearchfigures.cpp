// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/layoutsearchfigures.h"

#include <array>

namespace fleetwright::layoutsearch {

namespace {

template <LayoutSearchObjective Objective> double byObjective(const Row &row, const CaseFacts &facts)
{
    return valueOf(Objective, row, facts);
}

constexpr auto figures = std::to_array<RowFigure>({
    {"step_time_s", [](const Row &row, const CaseFacts &) { return row.stepSeconds; }},
    {"mfu", [](const Row &row, const CaseFacts &) { return row.mfu; }},
    {"tokens_per_s", byObjective<LayoutSearchObjective::TokensPerSecond>},
    {"memory.total_bytes", [](const Row &row, const CaseFacts &) { return row.memoryBytes; }},
    {"memory.headroom_bytes", byObjective<LayoutSearchObjective::MemoryHeadroom>},
    {"cost_usd_per_million_tokens", byObjective<LayoutSearchObjective::CostPerToken>},
});

} // namespace

std::span<const RowFigure> rowFigures() { return figures; }

} // namespace fleetwright::layoutsearch
