// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/collector.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace fleetwright::layoutsearch {

void BestRows::shrink()
{
    if (m_rows.size() <= m_most)
        return;
    const auto last = m_rows.begin() + std::ptrdiff_t(m_most) - 1;
    std::ranges::nth_element(m_rows, last, std::less());
    m_rows.resize(m_most);
    m_worst = m_rows.back().score;
}

void BestRows::add(const BestRows &others)
{
    for (const auto &row : others.m_rows)
        add(row);
}

std::vector<Ranked> BestRows::sorted() &&
{
    shrink();
    std::ranges::sort(m_rows, std::less());
    return std::move(m_rows);
}

bool Front::beats(double x, double y) const
{
    // The points at or left of x have larger y the further left: the last of them decides.
    const auto after = std::ranges::upper_bound(m_points, x, {}, &Point::x);
    if (after == m_points.begin())
        return false;
    const auto &point = *std::prev(after);
    return point.y <= y && (point.x < x || point.y < y);
}

void Front::add(const Point &point)
{
    if (std::isnan(point.x) || std::isnan(point.y) || beats(point.x, point.y))
        return;
    const auto first = std::ranges::lower_bound(m_points, point.x, {}, &Point::x);
    if (first != m_points.end() && first->x == point.x && first->y == point.y) {
        const auto &there = first->row;
        if (std::tie(point.row.caseIndex, point.row.layout) < std::tie(there.caseIndex, there.layout))
            first->row = point.row;
        return;
    }
    auto last = first;
    while (last != m_points.end() && last->y >= point.y)
        ++last;
    if (first == last) {
        m_points.insert(first, point);
        return;
    }
    *first = point;
    m_points.erase(first + 1, last);
}

Gathered &Gathered::operator+=(const Gathered &other)
{
    if (other.found && (!found || other.best < best)) {
        best = other.best;
        found = true;
    }
    feasible += other.feasible;
    infeasible += other.infeasible;
    leastMemoryBytes = std::min(leastMemoryBytes, other.leastMemoryBytes);
    return *this;
}

void Collector::add(const Collector &other)
{
    best.add(other.best);
    for (const auto &point : other.front.points())
        front.add(point);
    for (std::size_t i = 0; i < groups.size(); ++i)
        groups[i] += other.groups[i];
    for (std::size_t i = 0; i < simplest.size(); ++i)
        simplest[i] += other.simplest[i];
    for (std::size_t i = 0; i < counts.size(); ++i)
        counts[i] += other.counts[i];
}

} // namespace fleetwright::layoutsearch
