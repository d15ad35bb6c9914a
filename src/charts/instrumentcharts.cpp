// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/instrumentcharts.h"

#include "charts/wording.h"
#include "units/format.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr double percent = 100;
constexpr double widestBubble = 30; ///< percent; deeper bubbles leave the plot, which is then about the ceiling

std::vector<QPointF> points(std::span<const dpwall::CurvePoint> curve)
{
    std::vector<QPointF> all;
    for (const auto &point : curve)
        all.emplace_back(double(point.accelerators), percent * point.mfu);
    return all;
}

QString percentText(double share) { return localized(units::formatPercent(share)); }

} // namespace

Expected<LineChartData> wallChart(
    const dpwall::Inputs &published, const dpwall::Inputs &corrected, const dpwall::Inputs &current)
{
    const auto publishedCurve = dpwall::mfuCurve(published);
    if (!publishedCurve)
        return std::unexpected(publishedCurve.error());
    const auto correctedCurve = dpwall::mfuCurve(corrected);
    if (!correctedCurve)
        return std::unexpected(correctedCurve.error());
    const auto here = dpwall::price(current);
    if (!here)
        return std::unexpected(here.error());
    const auto colours = seriesColours();
    LineChartData data;
    data.name = tr("MFU against accelerators");
    data.description = tr("MFU at 8 and at 1024 accelerators: %1 and %2 as published, %3 and %4 corrected; at the "
                          "chosen %5 accelerators %6.")
                           .arg(percentText(publishedCurve->front().mfu), percentText(publishedCurve->back().mfu),
                               percentText(correctedCurve->front().mfu), percentText(correctedCurve->back().mfu),
                               QString::number(current.accelerators), percentText(here->mfu));
    data.xTitle = tr("Accelerators");
    data.yTitle = tr("MFU [%]");
    data.xScale = AxisScale::PowersOfTwo;
    data.series = {{tr("As published"), points(*publishedCurve), colours.at(0)},
        {tr("Corrected"), points(*correctedCurve), colours.at(1)},
        {tr("Reported by the lab"), points(dpwall::observations()), colours.at(2), Qt::NoPen}};
    data.marks = {{tr("Practical floor"), percent * dpwall::practicalFloor}};
    data.current = QPointF(double(current.accelerators), percent * here->mfu);
    data.yMinimum = 0;
    data.yMaximum = 60;
    return data;
}

Expected<LineChartData> cubeChart(const cube::Inputs &current)
{
    const auto here = cube::price(current);
    if (!here)
        return std::unexpected(here.error());
    LineChartData data;
    data.name = tr("Bubble against pipeline stages");
    data.description = tr("Share of the pipeline's time that is idle by (PP - 1)/(PP m); at PP %1 and m = %2 it is %3.")
                           .arg(QString::number(current.pp), QString::number(current.microbatches),
                               percentText(here->bubble));
    data.xTitle = tr("Pipeline stages (PP)");
    data.yTitle = tr("Bubble, (PP - 1)/(PP m) [%]");
    for (const auto microbatches : cube::curveMicrobatches()) {
        const auto curve = cube::bubbleCurve(microbatches);
        if (!curve)
            return std::unexpected(curve.error());
        LineSeries series{tr("m = %1").arg(microbatches), {}, {}};
        for (const auto &point : *curve)
            series.points.emplace_back(double(point.stages), percent * point.bubble);
        data.series.push_back(std::move(series));
    }
    data.marks = {{tr("Ceiling"), percent * cube::bubbleCeiling}};
    data.current = QPointF(double(current.pp), percent * here->bubble);
    data.yMinimum = 0;
    data.yMaximum = std::max(widestBubble, percent * here->bubble);
    return data;
}

} // namespace fleetwright::charts
