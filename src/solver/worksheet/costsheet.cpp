// SPDX-License-Identifier: GPL-3.0-or-later
// What an evaluated sheet of costs is asked.
#include "solver/worksheet/fleetcost.h"

#include "solver/worksheet/sheets.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fleetwright {

CostSheet::CostSheet(EvaluatedSheet sheet, FleetEntries entries, const FleetCosts &costs)
    : m_sheet(std::move(sheet)), m_notices(std::move(entries.notices)), m_network(std::move(entries.network)),
      m_missing(costs.missing), m_paying(costs.paying)
{
    const auto &rows = m_sheet.sheet();
    const auto &program = m_sheet.program();
    for (std::size_t row = 0; row < rows.rows().size(); ++row) {
        const auto &figure = m_sheet.entries().figure(row);
        if (!figure || !figure->low || !figure->high || !program->isPresent(row) || *figure->low == *figure->high)
            continue;
        for (const bool high : {false, true}) {
            const auto lane = m_moved.size() % SheetDraws::size();
            if (lane == 0)
                m_draws.emplace_back(program, m_sheet.entries());
            m_draws.back().entry(row)[lane] = high ? *figure->high : *figure->low;
            m_moved.push_back({row, high});
        }
    }
    for (auto &draws : m_draws)
        draws.run();
}

std::vector<SheetSwing> CostSheet::swings(std::string_view key, std::size_t column) const
{
    std::vector<SheetSwing> swings;
    const auto row = m_sheet.sheet().find(key);
    const auto likely = m_sheet.value(key, column);
    if (!row || !likely)
        return swings;
    for (std::size_t i = 0; i + 1 < m_moved.size(); i += 2) {
        const auto at = [&](std::size_t lane) {
            return m_draws[lane / SheetDraws::size()].values(*row, column)[lane % SheetDraws::size()];
        };
        SheetSwing swing{m_sheet.sheet().row(m_moved[i].row).key, at(i), at(i + 1)};
        for (auto *end : {&swing.atLow, &swing.atHigh})
            if (std::isnan(*end))
                *end = std::numeric_limits<double>::infinity();
        if (swing.atLow != *likely || swing.atHigh != *likely)
            swings.push_back(std::move(swing));
    }
    const auto width = [&](const SheetSwing &swing) {
        return std::max(std::abs(swing.atLow - *likely), std::abs(swing.atHigh - *likely));
    };
    std::ranges::stable_sort(swings, std::ranges::greater{}, width);
    return swings;
}

std::optional<SheetRange> CostSheet::range(std::string_view key, std::size_t column) const
{
    const auto likely = m_sheet.value(key, column);
    if (!likely)
        return std::nullopt;
    double below = 0, above = 0;
    for (const auto &swing : swings(key, column)) {
        const double down = std::max({0.0, *likely - swing.atLow, *likely - swing.atHigh});
        const double up = std::max({0.0, swing.atLow - *likely, swing.atHigh - *likely});
        below = std::hypot(below, down);
        above = std::hypot(above, up);
    }
    return SheetRange{*likely - below, *likely, *likely + above};
}

/// What a site usually says.
constexpr std::string_view gridCarbonEntry = "grid_kg_per_kwh";

std::string CostSheet::reasonFor(std::string_view key) const
{
    const auto row = m_sheet.sheet().find(key);
    const auto firstOf = [this](std::size_t index) {
        const auto &of = m_sheet.sheet().row(index);
        return m_sheet.value(of.key, of.shape == SheetShape::Single ? 0 : 1);
    };
    if (!row || firstOf(*row))
        return {};
    // The first entry that is missing, looked for from the row through what its formula needs.
    std::vector<std::size_t> open{*row};
    std::vector<bool> seen(m_sheet.sheet().rows().size());
    while (!open.empty()) {
        const auto index = open.back();
        open.pop_back();
        if (seen[index])
            continue;
        seen[index] = true;
        const auto &needed = m_sheet.sheet().row(index);
        const bool present = firstOf(index).has_value();
        if (needed.isEntry() && !present) {
            const auto found = std::ranges::find(m_missing, needed.key, &MissingCost::entry);
            if (found != m_missing.end())
                return found->sentence;
            if (!needed.formula || needed.entry.required)
                return needed.label + " is not known: "
                    + (needed.key == gridCarbonEntry ? "choose the grid of the site, or enter it" : "enter it")
                    + " under the fleet\u2019s costs.";
        }
        if (present)
            continue;
        bool followsFromOthers = false;
        for (const auto &formula : {needed.formula, needed.atStart})
            if (formula)
                for (const auto used : rowsOf(*formula)) {
                    followsFromOthers = followsFromOthers || (used != index && !firstOf(used));
                    open.push_back(used);
                }
        if (!followsFromOthers && !needed.none.empty())
            return needed.none;
    }
    return m_sheet.sheet().row(*row).label + " has no value here.";
}

} // namespace fleetwright
