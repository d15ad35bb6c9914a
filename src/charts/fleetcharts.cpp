// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/fleetcharts.h"

#include "charts/linechart.h"
#include "charts/wording.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

/// The unit in which all the dollars of a chart read easily.
units::UnitSymbol dollarsOf(const std::vector<std::vector<double>> &curves)
{
    double largest = 0;
    for (const auto &curve : curves)
        for (const double value : curve)
            largest = std::max(largest, std::abs(value));
    return units::unitFor(largest, units::Dimension::Money);
}

std::vector<QPointF> pointsOf(const std::vector<double> &values, const units::UnitSymbol &unit)
{
    std::vector<QPointF> points;
    for (std::size_t column = 0; column < values.size(); ++column)
        points.emplace_back(double(column), values[column] / unit.factor);
    return points;
}

} // namespace

ChartContent cashFlowChart(const CostSheet &sheet)
{
    const auto flows = sheet.sheet().columns("cash_flow_usd"), sums = sheet.sheet().columns("present_sum_usd");
    const auto unit = dollarsOf({flows, sums});
    LineChartData data{
        .name = tr("Cash flow by year"), .xTitle = tr("Year"), .yTitle = titleWithUnit(tr("Cash flow"), unit)};
    for (std::size_t year = 0; year < flows.size(); ++year)
        data.xCategories << (year == 0 ? tr("start") : QString::number(year));
    data.series.push_back({.name = tr("of the year, after tax"), .points = pointsOf(flows, unit), .markers = true});
    data.series.push_back({.name = tr("sum so far, discounted"), .points = pointsOf(sums, unit), .markers = true});
    if (const auto npv = sheet.value("npv_usd"))
        data.description = tr("Net present value %1 over %2 years.")
                               .arg(localized(units::format(*npv, units::Dimension::Money)))
                               .arg(flows.size() - 1);
    return lineChart(std::move(data));
}

ChartContent buyOrRentChart(const CostSheet &sheet, const QString &rent)
{
    const auto own = sheet.sheet().columns("own_by_month_usd"), rented = sheet.sheet().columns("rent_by_month_usd");
    const auto unit = dollarsOf({own, rented});
    LineChartData data{
        .name = tr("Buy or rent"), .xTitle = tr("Month"), .yTitle = titleWithUnit(tr("Present cost"), unit)};
    data.series.push_back({.name = tr("owning"), .points = pointsOf(own, unit)});
    data.series.push_back({.name = tr("renting, %1").arg(rent), .points = pointsOf(rented, unit)});
    const auto crossing = sheet.value("crossing_month");
    if (const auto month = std::size_t(crossing.value_or(0)); crossing && month < own.size()) {
        data.series.push_back({.name = tr("month %1: owning costs no more").arg(month),
            .points = {QPointF(double(month), own[month] / unit.factor)},
            .pen = Qt::NoPen,
            .markers = true});
        data.description = tr("From month %1 on, owning has cost less than renting, %2.").arg(month).arg(rent);
    } else {
        data.description = rented.empty() ? tr("No rent is known.") : tr("Owning stays dearer over the life.");
    }
    return lineChart(std::move(data));
}

} // namespace fleetwright::charts
