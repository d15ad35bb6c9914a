// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/layoutsearchcharts.h"

#include "charts/layoutsearchtexts.h"
#include "charts/wording.h"
#include "charts/xychart.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

using namespace layoutsearch;

namespace {

constexpr std::size_t looks = 7; // as many as there are colours

bool isCount(ParetoAxis axis) { return axis == ParetoAxis::Accelerators || axis == ParetoAxis::GlobalBatch; }

/// Everything drawn, the front apart.
struct Shown {
    std::vector<Row> bests, others;
    std::size_t splits = 0; ///< that have a feasible layout, drawn or not
};

class ParetoReading {
public:
    ParetoReading(const Result &result, std::array<ParetoAxis, 2> axes) : m_result(result), m_axes(axes) { }

    [[nodiscard]] double value(std::size_t axis, const Row &row) const
    {
        return valueOf(m_axes[axis], row, m_result.factsOf(row));
    }
    [[nodiscard]] bool known(const Row &row) const
    {
        return std::isfinite(value(0, row)) && std::isfinite(value(1, row));
    }

    [[nodiscard]] Shown shown(std::size_t most) const
    {
        Shown made;
        std::set<std::pair<int, Layout>> taken;
        for (const auto &group : m_result.groups) {
            if (!group.best || !known(*group.best))
                continue;
            ++made.splits;
            if (made.bests.size() < most) {
                taken.insert({group.caseIndex, group.best->layout});
                made.bests.push_back(*group.best);
            }
        }
        for (const auto &row : m_result.rows) {
            if (made.bests.size() + made.others.size() >= most)
                break;
            if (known(row) && taken.insert({row.caseIndex, row.layout}).second)
                made.others.push_back(row);
        }
        return made;
    }

    /// Whether the search kept the front of these axes, in either order.
    [[nodiscard]] bool isOfTheSearch() const
    {
        return m_axes == m_result.pareto || m_axes == std::array{m_result.pareto[1], m_result.pareto[0]};
    }

    /// Ascending in the first axis.
    [[nodiscard]] std::vector<Row> front(const Shown &shown) const
    {
        std::vector<Row> rows;
        if (isOfTheSearch()) {
            std::ranges::copy_if(
                m_result.front, std::back_inserter(rows), [this](const Row &row) { return known(row); });
        } else {
            rows = shown.bests;
            rows.insert(rows.end(), shown.others.begin(), shown.others.end());
        }
        std::ranges::stable_sort(rows, {}, [this](const Row &row) { return std::pair(value(0, row), value(1, row)); });
        if (isOfTheSearch())
            return rows;
        double least = std::numeric_limits<double>::infinity();
        std::erase_if(rows,
            [&](const Row &row) { return value(1, row) >= std::exchange(least, std::min(least, value(1, row))); });
        return rows;
    }

private:
    const Result &m_result;
    std::array<ParetoAxis, 2> m_axes;
};

/// The series of the points that belong together, by the look of their case.
class Series {
public:
    Series(const Result &result, const ParetoReading &reading, std::array<double, 2> factors)
        : m_result(result), m_reading(reading), m_factors(factors)
    {
    }

    /// One series for each look; `name` of the first look where there is a single case.
    void add(const std::vector<Row> &rows, const QString &name, const QString &remark, bool emphasised, bool faint,
        bool listed)
    {
        const auto first = m_series.size();
        const bool several = m_result.cases.size() > 1;
        const auto count = std::min(looks, m_result.cases.size());
        for (std::size_t look = 0; look < count; ++look)
            m_series.push_back({.name = listed ? (several ? caseName(look) : name) : QString(),
                .points = {},
                .look = several ? look
                    : faint     ? lookOfOthers
                                : 0,
                .emphasised = emphasised,
                .faint = faint});
        m_rows.resize(m_series.size());
        for (const auto &row : rows) {
            const auto place = first + std::min(std::size_t(row.caseIndex), count - 1);
            m_series[place].points.push_back({x(row), y(row), searchRowText(row, m_result) + u'\n' + remark});
            m_rows[place].push_back(row);
        }
    }

    [[nodiscard]] double x(const Row &row) const { return m_reading.value(0, row) / m_factors[0]; }
    [[nodiscard]] double y(const Row &row) const { return m_reading.value(1, row) / m_factors[1]; }
    [[nodiscard]] std::vector<XySeries> takeSeries() { return std::move(m_series); }
    [[nodiscard]] std::vector<std::vector<Row>> takeRows() { return std::move(m_rows); }

private:
    static constexpr std::size_t lookOfOthers = 4; // sky blue diamonds beside blue circles

    [[nodiscard]] QString caseName(std::size_t look) const
    {
        const bool others = look + 1 == looks && m_result.cases.size() > looks;
        return others ? tr("%1 others").arg(m_result.cases.size() - looks + 1) : localized(m_result.cases[look].label);
    }

    const Result &m_result;
    const ParetoReading &m_reading;
    std::array<double, 2> m_factors;
    std::vector<XySeries> m_series;
    std::vector<std::vector<Row>> m_rows;
};

struct Extent {
    double low = std::numeric_limits<double>::infinity(), high = 0;
};

Extent extentOf(const ParetoReading &reading, std::size_t axis, std::initializer_list<const std::vector<Row> *> rows)
{
    Extent extent;
    for (const auto *list : rows)
        for (const auto &row : *list) {
            extent.low = std::min(extent.low, reading.value(axis, row));
            extent.high = std::max(extent.high, reading.value(axis, row));
        }
    return extent;
}

units::UnitSymbol unitOf(ParetoAxis axis, const Extent &extent)
{
    const auto *figure = figureOf(axis);
    return figure ? unitFor(figure->group, figure->dimension, extent.high)
                  : units::unitFor(extent.high, dimensionOf(axis));
}

QString nameOf(ParetoAxis axis)
{
    const auto *figure = figureOf(axis);
    return figure ? labelOf(*figure) : localized(titleOf(axis));
}

XyAxis axisOf(ParetoAxis axis, const Extent &extent, const units::UnitSymbol &unit)
{
    constexpr double wide = 8;
    return {.title = titleWithUnit(nameOf(axis), unit),
        .logarithmic = extent.low > 0 && extent.high > wide * extent.low,
        .whole = isCount(axis)};
}

} // namespace

ChartContent layoutSearchPareto(const Result &result, std::array<ParetoAxis, 2> axes, LayoutSearchParetoOptions options)
{
    const ParetoReading reading(result, axes);
    const auto shown = reading.shown(options.mostPoints);
    const auto front = reading.front(shown);
    const std::array extents{extentOf(reading, 0, {&shown.bests, &shown.others, &front}),
        extentOf(reading, 1, {&shown.bests, &shown.others, &front})};
    const std::array units{unitOf(axes[0], extents[0]), unitOf(axes[1], extents[1])};

    const auto named = [](ParetoAxis axis) { return withinSentence(nameOf(axis)); };
    XyChartData data{.name = tr("Layouts by %1 and %2").arg(named(axes[0]), named(axes[1])), .description = {}};
    data.x = axisOf(axes[0], extents[0], units[0]);
    data.y = axisOf(axes[1], extents[1], units[1]);

    Series series(result, reading, {units[0].factor, units[1].factor});
    const bool several = result.cases.size() > 1;
    if (!result.cases.empty()) {
        if (!shown.others.empty())
            series.add(shown.others, tr("other layouts"), tr("not the best of its split"), false, true, !several);
        series.add(shown.bests, tr("best of each split"), tr("the best of its split"), false, false, true);
        series.add(front, {}, tr("on the Pareto front"), true, false, false);
    }
    if (!front.empty()) {
        data.front = XyFrontLine{tr("Pareto front"), {}};
        for (const auto &row : front)
            data.front->points.emplace_back(series.x(row), series.y(row));
    }
    if (options.selected && std::size_t(options.selected->caseIndex) < result.cases.size()
        && reading.known(*options.selected)) {
        data.selected = QPointF(series.x(*options.selected), series.y(*options.selected));
        data.selectedName = tr("selected");
    }
    data.series = series.takeSeries();
    if (options.picked)
        data.picked = [rows = series.takeRows(), picked = std::move(options.picked)](
                          ScatterIndex index) { picked(rows[index.series][index.point]); };

    const bool unknown = result.best() && shown.bests.empty() && front.empty();
    data.emptyText = unknown ? tr("The %1 or the %2 of these layouts is not known.").arg(named(axes[0]), named(axes[1]))
                             : tr("No layout is feasible.");
    if (front.empty()) {
        data.description = data.emptyText;
        return xyChart(std::move(data));
    }
    const auto end = [&](const Row &row) {
        return tr("%1 and %2 (%3)")
            .arg(searchValueText(axes[0], reading.value(0, row)), searchValueText(axes[1], reading.value(1, row)),
                localized(inWords(row.layout)));
    };
    data.description = tr("%1 layouts by %2 and %3. ")
                           .arg(wholeNumber(shown.bests.size() + shown.others.size()), named(axes[0]), named(axes[1]));
    if (shown.bests.size() < shown.splits)
        data.description += tr("Only the best %1 of %2 splits are shown. ")
                                .arg(wholeNumber(shown.bests.size()), wholeNumber(shown.splits));
    data.description += reading.isOfTheSearch()
        ? tr("The Pareto front of all layouts")
        : tr("The Pareto front of the layouts shown, because the search kept that of %1 and %2,")
              .arg(named(result.pareto[0]), named(result.pareto[1]));
    data.description += front.size() == 1
        ? tr(" is one layout, %1.").arg(end(front.front()))
        : tr(" has %1 layouts, from %2 to %3.").arg(front.size()).arg(end(front.front()), end(front.back()));
    return xyChart(std::move(data));
}

} // namespace fleetwright::charts
