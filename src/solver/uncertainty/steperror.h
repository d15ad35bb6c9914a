// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/uncertainty/sampling.h"
#include "solver/worksheet/sheetentries.h"

#include <cmath>
#include <string>

namespace fleetwright::uncertainty {

inline constexpr std::string_view stepTimeEntry = "step_time_s";

/// Whether an entry is drawn.
[[nodiscard]] inline bool hasRange(const std::optional<SheetFigure> &figure)
{
    return figure && figure->low && figure->high && *figure->low < *figure->high;
}

/// How a predicted step time is wrong: log-normal, a tenth of the draws below its range and a tenth above, each side
/// with a width of its own, around the likely time or where measured runs put it. Drawn as a standard normal error.
class StepError {
public:
    /// Of a figure with a range.
    explicit StepError(const SheetFigure &figure)
        : m_likely(figure.likely.front()), m_middle(figure.measured ? figure.measured->middle : m_likely),
          m_widthBelow(std::log(m_middle / (figure.measured ? figure.measured->low : *figure.low)) / tenthFromMiddle()),
          m_widthAbove(
              std::log((figure.measured ? figure.measured->high : *figure.high) / m_middle) / tenthFromMiddle())
    {
    }
    [[nodiscard]] double likely() const { return m_likely; }
    [[nodiscard]] double at(double error) const
    {
        return m_middle * std::exp(error * (error < 0 ? m_widthBelow : m_widthAbove));
    }
    /// As factors: where a share of the error's variance reaches at its 10 % and 90 % quantiles.
    [[nodiscard]] double low(double share) const { return std::exp(-share * m_widthBelow * tenthFromMiddle()); }
    [[nodiscard]] double high(double share) const { return std::exp(share * m_widthAbove * tenthFromMiddle()); }
    [[nodiscard]] static Input input()
    {
        return {std::string(stepTimeEntry), Shape::Normal, -tenthFromMiddle(), 0, tenthFromMiddle()};
    }

private:
    static double tenthFromMiddle()
    {
        static const double distance = normalQuantile(0.9);
        return distance;
    }
    double m_likely, m_middle, m_widthBelow, m_widthAbove;
};

} // namespace fleetwright::uncertainty
