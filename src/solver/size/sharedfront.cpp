// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/hardwaresizing.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::size {

bool SharedFront::beats(double x, double y) const
{
    const std::scoped_lock lock(m_mutex);
    return isBeaten(x, y);
}

bool SharedFront::isBeaten(double x, double y) const
{
    const auto after = std::ranges::upper_bound(m_points, x, {}, &Point::x);
    if (after == m_points.begin())
        return false;
    const auto &before = *std::prev(after); // the least y of those with no larger x
    return before.y < y || (before.y == y && before.x < x);
}

void SharedFront::add(const std::array<DecisionObjective, 2> &axes, const Answer &answer)
{
    const double x = valueOf(axes[0], answer.figures), y = valueOf(axes[1], answer.figures);
    if (std::isnan(x) || std::isnan(y))
        return;
    const std::scoped_lock lock(m_mutex);
    if (isBeaten(x, y))
        return;
    const auto same = std::ranges::find_if(m_points, [&](const Point &point) { return point.x == x && point.y == y; });
    if (same != m_points.end()) {
        if (std::pair(answer.lot, answer.nodes) < std::pair(same->answer.lot, same->answer.nodes))
            same->answer = answer;
        return;
    }
    std::erase_if(m_points, [&](const Point &point) { return point.x >= x && point.y >= y; });
    m_points.insert(std::ranges::upper_bound(m_points, x, {}, &Point::x), {x, y, answer});
}

std::vector<Answer> SharedFront::answers() const
{
    const std::scoped_lock lock(m_mutex);
    std::vector<Answer> answers;
    for (const auto &point : m_points)
        answers.push_back(point.answer);
    return answers;
}

} // namespace fleetwright::size
