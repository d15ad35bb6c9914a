// SPDX-License-Identifier: GPL-3.0-or-later
// What an evaluated sheet of costs is asked.
#include "solver/worksheet/fleetcost.h"

#include "solver/uncertainty/sheetsample.h"
#include "solver/uncertainty/steperror.h"
#include "solver/worksheet/sheets.h"
#include "units/format.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <set>

namespace fleetwright {

using uncertainty::SheetCell;

/// What was drawn so far.
struct CostSheet::Ranges {
    std::mutex mutex;
    std::optional<Expected<uncertainty::SheetSample>> sample;
    std::set<SheetShape> drawn; ///< rows of these shapes are all among the cells
    std::map<SheetCell, uncertainty::Tenths> cells;
};

CostSheet::CostSheet(EvaluatedSheet sheet, FleetEntries entries, const FleetCosts &costs)
    : m_sheet(std::move(sheet)), m_notices(std::move(entries.notices)), m_network(std::move(entries.network)),
      m_missing(costs.missing), m_paying(costs.paying), m_ranges(std::make_shared<Ranges>())
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

bool CostSheet::moves(std::size_t row, std::size_t column) const
{
    const auto likely = m_sheet.value(m_sheet.sheet().row(row).key, column);
    for (std::size_t lane = 0; likely && lane < m_moved.size(); ++lane)
        if (m_draws[lane / SheetDraws::size()].values(row, column)[lane % SheetDraws::size()] != *likely)
            return true;
    return false;
}

std::optional<SheetRange> CostSheet::range(std::string_view key, std::size_t column) const
{
    const auto likely = m_sheet.value(key, column);
    const auto row = m_sheet.sheet().find(key);
    if (!likely || !row)
        return std::nullopt;
    if (m_sheet.isEntered(key)) {
        const auto &figure = *m_sheet.entries().figure(*row);
        if (figure.measured) // low and high are as wide as to hold what is computed
            return SheetRange{figure.measured->low, *likely, figure.measured->high};
        return uncertainty::hasRange(figure) ? SheetRange{*figure.low, *likely, *figure.high}
                                             : SheetRange{*likely, *likely, *likely};
    }
    return drawnAround(*likely, *row, column);
}

std::optional<SheetRange> CostSheet::drawnRange(std::string_view key, std::size_t column) const
{
    const auto likely = m_sheet.value(key, column);
    const auto row = m_sheet.sheet().find(key);
    if (!likely || !row || !m_sheet.isEntered(key) || m_sheet.entries().figure(*row)->measured)
        return range(key, column);
    return drawnAround(*likely, *row, column);
}

SheetRange CostSheet::drawnAround(double likely, std::size_t row, std::size_t column) const
{
    const SheetRange certain{likely, likely, likely};
    if (!moves(row, column))
        return certain;
    // Apart from other work of the thread, which may ask for a range of this sheet, too.
    const auto tenths = tbb::this_task_arena::isolate([&] { return tenthsOf({row, column}); });
    if (!tenths)
        return certain;
    const auto shown = uncertainty::shownRange(*tenths, likely, isMovedByRuns(row, column));
    return SheetRange{shown.p10, likely, shown.p90};
}

bool CostSheet::isMovedByRuns(std::size_t row, std::size_t column) const
{
    const auto step = m_sheet.sheet().find(uncertainty::stepTimeEntry);
    if (!step || !m_sheet.entries().figure(*step) || !m_sheet.entries().figure(*step)->measured)
        return false;
    const auto likely = m_sheet.value(m_sheet.sheet().row(row).key, column);
    for (std::size_t lane = 0; likely && lane < m_moved.size(); ++lane)
        if (m_moved[lane].row == *step
            && m_draws[lane / SheetDraws::size()].values(row, column)[lane % SheetDraws::size()] != *likely)
            return true;
    return false;
}

void CostSheet::drawRanges() const
{
    for (std::size_t row = 0; row < m_sheet.sheet().rows().size(); ++row)
        if (const auto &key = m_sheet.sheet().row(row).key; m_sheet.sheet().row(row).shape == SheetShape::Single
            && m_sheet.program()->isPresent(row) && !m_sheet.isEntered(key) && moves(row, 0)) {
            (void)range(key);
            return;
        }
}

/// Nothing where the ranges cannot be drawn: such are refused where they are entered.
std::optional<uncertainty::Tenths> CostSheet::tenthsOf(uncertainty::SheetCell cell) const
{
    const std::lock_guard lock(m_ranges->mutex);
    auto &[mutex, sample, drawn, known] = *m_ranges;
    if (!sample)
        sample = uncertainty::SheetSample::draw(m_sheet.entries());
    if (!*sample)
        return std::nullopt;
    const auto shape = m_sheet.sheet().row(cell.row).shape;
    std::vector<SheetCell> cells{cell};
    if (shape != SheetShape::Months && drawn.insert(shape).second) {
        // All that is likely to be asked for next, at the price of one.
        cells.clear();
        for (std::size_t other = 0; other < m_sheet.sheet().rows().size(); ++other)
            if (m_sheet.sheet().row(other).shape == shape && m_sheet.program()->isPresent(other))
                for (std::size_t at = 0; at < m_sheet.program()->columns(shape); ++at)
                    if (moves(other, at))
                        cells.push_back({other, at});
    }
    if (!known.contains(cell)) {
        auto values = (*sample)->of(cells, m_sheet.years());
        for (std::size_t i = 0; i < cells.size(); ++i)
            known[cells[i]] = uncertainty::tenthsOf(std::move(values[i]));
    }
    return known[cell];
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
