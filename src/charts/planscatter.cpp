// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/planscatter.h"

#include "charts/wording.h"
#include "charts/xychart.h"
#include "text/localized.h"
#include "units/format.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr std::size_t mostNamedPlans = 7, lookOfMisses = 1;
constexpr double secondsOfADay = 86400, million = 1e6;
constexpr double widestLinear = 5; // beyond, the small ones would crowd in a corner

bool hasPlace(const PlanPoint &plan) { return plan.runTime && plan.runCostUsd; }
double daysOf(const PlanPoint &plan) { return plan.runTime->value() / secondsOfADay; }
double millionsOf(const PlanPoint &plan) { return *plan.runCostUsd / million; }

QString remarkOf(const PlanPoint &plan)
{
    return plan.stale ? tr("stale: the plan changed since") : plan.feasible ? QString() : tr("breaks a limit");
}

XyPoint pointOf(const PlanPoint &plan)
{
    QStringList lines{plan.name,
        tr("%1, %2").arg(localized(units::format(*plan.runTime)),
            localized(units::format(*plan.runCostUsd, units::Dimension::Money)))};
    if (const auto remark = remarkOf(plan); !remark.isEmpty())
        lines << remark;
    return {daysOf(plan), millionsOf(plan), lines.join(u'\n')};
}

bool spansWidely(const std::vector<PlanPoint> &plans, double (*value)(const PlanPoint &))
{
    double low = 0, high = 0;
    for (const auto &plan : plans)
        if (hasPlace(plan) && value(plan) > 0) {
            low = low > 0 ? std::min(low, value(plan)) : value(plan);
            high = std::max(high, value(plan));
        }
    return high > widestLinear * low;
}

} // namespace

ChartContent planScatter(
    std::vector<PlanPoint> plans, std::optional<std::size_t> selected, std::function<void(std::size_t)> picked)
{
    XyChartData data{.name = tr("Days against cost of the plans"),
        .description = {},
        .x = {tr("Duration of the run [days]"), spansWidely(plans, daysOf)},
        .y = {tr("Cost of the run [MUSD]"), spansWidely(plans, millionsOf)},
        .series = {},
        .front = {},
        .selected = {},
        .selectedName = {},
        .emptyText = tr("Days and cost of the plans stand here as soon as a plan has a token budget and prices."),
        .picked = {}};
    std::vector<std::vector<std::size_t>> places; // of the points of each series in `plans`
    const auto drawn = std::size_t(std::ranges::count_if(plans, hasPlace));
    if (drawn <= mostNamedPlans) {
        for (std::size_t i = 0, look = 0; i < plans.size(); ++i) {
            if (!hasPlace(plans[i]))
                continue;
            const auto remark = plans[i].stale ? tr(" (stale)")
                : plans[i].feasible            ? QString()
                                               : tr(" (breaks a limit)");
            data.series.push_back({.name = plans[i].name + remark,
                .points = {pointOf(plans[i])},
                .look = look++,
                .emphasised = !plans[i].stale && plans[i].feasible});
            places.push_back({i});
        }
    } else {
        data.series = {{.name = tr("stale"), .points = {}, .look = 0, .faint = true},
            {.name = tr("breaks a limit"), .points = {}, .look = lookOfMisses},
            {.name = tr("keeps its limits"), .points = {}, .look = 0}};
        places.resize(data.series.size());
        for (std::size_t i = 0; i < plans.size(); ++i) {
            if (!hasPlace(plans[i]))
                continue;
            const std::size_t series = plans[i].stale ? 0 : plans[i].feasible ? 2 : 1;
            data.series[series].points.push_back(pointOf(plans[i]));
            places[series].push_back(i);
        }
    }
    if (selected && *selected < plans.size() && hasPlace(plans[*selected])) {
        data.selected = QPointF(daysOf(plans[*selected]), millionsOf(plans[*selected]));
        data.selectedName = tr("selected: %1").arg(plans[*selected].name);
    }
    data.description = tr("%1 of %2 plans by the days and the cost of their runs.").arg(drawn).arg(plans.size());
    if (picked)
        data.picked = [picked = std::move(picked), places = std::move(places)](
                          ScatterIndex at) { picked(places.at(at.series).at(at.point)); };
    return xyChart(std::move(data));
}

} // namespace fleetwright::charts
