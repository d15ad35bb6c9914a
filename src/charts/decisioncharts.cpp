// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/decisioncharts.h"

#include "charts/columnchart.h"
#include "charts/linechart.h"
#include "charts/spreadchart.h"
#include "charts/wording.h"
#include "charts/xychart.h"
#include "domain/plandocument.h"
#include "solver/size/sizewords.h"
#include "solver/worksheet/fleettables.h"
#include "text/localizedparts.h"
#include "text/utf8.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr double joulesPerKilowattHour = 3.6e6, unknownMonth = -1;
constexpr std::size_t winnerLook = 0, feasibleLook = 2, missedLook = 6, baseLook = 1, otherLook = 4, rentedShape = 3;

/// An objective on an axis: base units of its dimension; days stand as they are.
struct ObjectiveAxis {
    units::Dimension dimension = units::Dimension::Number;
    double perValue = 1;
};

ObjectiveAxis objectiveAxisOf(DecisionObjective objective)
{
    switch (objective) {
    case DecisionObjective::Days: return {};
    case DecisionObjective::RunCost:
    case DecisionObjective::Capital:
    case DecisionObjective::OwnershipCost: return {units::Dimension::Money, 1};
    case DecisionObjective::Carbon: return {units::Dimension::Carbon, 1};
    case DecisionObjective::Energy: return {units::Dimension::Energy, joulesPerKilowattHour};
    }
    return {};
}

/// Whether the fleets differ so much in it that most would lie in one corner of a linear axis.
bool objectiveSpansDecades(const size::Result &result, DecisionObjective objective)
{
    constexpr double decades = 50;
    double least = std::numeric_limits<double>::infinity(), largest = 0;
    for (const auto &lot : result.answers) {
        const double value = size::valueOf(objective, lot.answer.figures);
        if (value <= 0)
            return false; // capital of what is rented
        if (std::isfinite(value)) {
            least = std::min(least, value);
            largest = std::max(largest, value);
        }
    }
    return largest > decades * least;
}

/// The title with its unit, and how many of the objective's own units one of the axis is.
struct ScaledAxis {
    QString title;
    double perUnit = 1;
};

ScaledAxis scaledAxis(DecisionObjective objective, double largest)
{
    auto name = localized(words(objective));
    name[0] = name[0].toUpper();
    const auto axis = objectiveAxisOf(objective);
    if (axis.dimension == units::Dimension::Number)
        return {name, 1}; // which says its unit
    const auto unit = units::unitFor(largest * axis.perValue, axis.dimension);
    return {u"%1 [%2]"_s.arg(name, localizedUnit(unit.symbol)), unit.factor / axis.perValue};
}

/// The limit of a decision on an objective.
std::optional<size::SizeLimit> limitOn(DecisionObjective objective)
{
    switch (objective) {
    case DecisionObjective::Days: return size::SizeLimit::Deadline;
    case DecisionObjective::RunCost: return size::SizeLimit::RunCost;
    case DecisionObjective::Capital: return size::SizeLimit::Capital;
    case DecisionObjective::OwnershipCost: return size::SizeLimit::YearlyCost;
    case DecisionObjective::Carbon: return size::SizeLimit::Carbon;
    case DecisionObjective::Energy: break;
    }
    return std::nullopt;
}

std::vector<MarkLine> marksOn(
    DecisionObjective objective, const std::vector<size::StatedLimit> &limits, const ScaledAxis &axis)
{
    std::vector<MarkLine> marks;
    for (const auto &stated : limits)
        if (stated.limit == limitOn(objective))
            marks.push_back({tr("limit: %1").arg(localized(size::statedInWords(stated))), stated.value / axis.perUnit});
    return marks;
}

double largestOf(const size::Result &result, DecisionObjective objective)
{
    double largest = 0;
    for (const auto &lot : result.answers)
        if (const double value = size::valueOf(objective, lot.answer.figures); std::isfinite(value))
            largest = std::max(largest, value);
    return largest;
}

units::UnitSymbol moneyUnit(const std::vector<MoneyCurve> &curves)
{
    double largest = 0;
    for (const auto &curve : curves)
        for (const double value : curve.usdByMonth)
            largest = std::max(largest, std::abs(value));
    return units::unitFor(largest, units::Dimension::Money);
}

/// A value of a drawn figure in the unit of a chart.
struct RiskUnit {
    QString symbol;
    double factor = 1;
};

RiskUnit riskUnit(uncertainty::RiskFigure figure, double largest)
{
    if (figure == uncertainty::RiskFigure::Days)
        return {tr("days"), 1};
    const auto unit = units::unitFor(largest, units::Dimension::Money);
    return {localizedUnit(unit.symbol), unit.factor};
}

QString riskNumber(double value) { return localized(units::threeDigits(value)); }

/// The first has been bought, and in this month the order of the two changes.
QString crossingInWords(const MoneyCurve &first, const MoneyCurve &other, std::size_t month)
{
    const bool rentedBefore = first.usdByMonth[month] < other.usdByMonth[month];
    if (!other.fleet.isEmpty() && other.fleet == first.fleet)
        return (rentedBefore ? tr("Renting %1, %2, has cost less until month %3, buying it from then on.")
                             : tr("Buying %1 has cost less until month %3, renting it, %2, from then on."))
            .arg(other.fleet, other.term)
            .arg(month);
    if (!other.asPaid.isEmpty()) {
        auto cheaper = tr("buying %1").arg(first.fleet), dearer = other.asPaid;
        if (rentedBefore)
            std::swap(cheaper, dearer);
        const auto said = tr("%1 has cost less than %2 until month %3.").arg(cheaper, dearer).arg(month);
        return said.at(0).toUpper() + said.mid(1);
    }
    if (other.rent.isEmpty())
        return tr("%1 and %2 cross in month %3.").arg(first.name, other.name).arg(month);
    return (rentedBefore ? tr("Renting %1, %2, has cost less until month %4, buying %3 from then on.")
                         : tr("Buying %3 has cost less until month %4, renting %1, %2, from then on."))
        .arg(other.fleet, other.rent, first.fleet)
        .arg(month);
}

QString crossingInLegend(const MoneyCurve &first, const MoneyCurve &other, std::size_t month)
{
    if (!other.asPaid.isEmpty())
        return tr("month %1: buying %2 crosses %3").arg(month).arg(first.fleet, other.asPaid);
    if (!other.rent.isEmpty())
        return tr("month %1: buying crosses %2").arg(month).arg(other.rent);
    if (!other.fleet.isEmpty() && other.fleet == first.fleet)
        return tr("month %1: buying crosses renting").arg(month);
    return tr("month %1: %2 crosses %3").arg(month).arg(first.name, other.name);
}

} // namespace

ChartContent decisionFrontChart(const size::Result &result, DecisionFrontQuestion question)
{
    const auto x = scaledAxis(question.axes[0], largestOf(result, question.axes[0]));
    const auto y = scaledAxis(question.axes[1], largestOf(result, question.axes[1]));
    const auto place = [&](const size::Answer &answer) {
        return QPointF(size::valueOf(question.axes[0], answer.figures) / x.perUnit,
            size::valueOf(question.axes[1], answer.figures) / y.perUnit);
    };
    const auto point = [&](const size::Answer &answer) {
        const auto at = place(answer);
        auto tip = localized(size::fleetInWords(result, answer)) + u'\n'
            + localized(size::limitInWords(size::SizeLimit::Deadline, answer.figures.days));
        for (const auto &[limit, value] : {std::pair(size::SizeLimit::RunCost, answer.figures.runCostUsd),
                 {size::SizeLimit::Capital, answer.figures.capitalUsd},
                 {size::SizeLimit::Carbon, answer.figures.carbonKg}})
            if (std::isfinite(value) && value > 0)
                tip += u", "_s + localized(size::limitInWords(limit, value));
        if (!answer.isFeasible())
            tip += u'\n' + localized(size::missesInWords(answer));
        return XyPoint{at.x(), at.y(), tip};
    };
    XyChartData data{.name = tr("Front"),
        .x = {.title = x.title,
            .logarithmic = objectiveSpansDecades(result, question.axes[0]),
            .marks = marksOn(question.axes[0], question.limits, x)},
        .y = {.title = y.title,
            .logarithmic = objectiveSpansDecades(result, question.axes[1]),
            .marks = marksOn(question.axes[1], question.limits, y)}};
    const auto isRented = [&](const size::Answer &answer) {
        return result.lots[answer.lot].paying.paying == Paying::Rent;
    };
    const bool anyRented = std::ranges::any_of(result.answers, [&](const auto &lot) { return isRented(lot.answer); });
    data.series = {
        {.name = anyRented ? tr("bought, misses a limit") : tr("misses a limit"), .points = {}, .look = missedLook},
        {.name = tr("rented, misses a limit"), .points = {}, .look = missedLook, .shape = rentedShape},
        {.name = anyRented ? tr("bought, keeps all limits") : tr("keeps all limits"),
            .points = {},
            .look = feasibleLook},
        {.name = tr("rented, keeps all limits"), .points = {}, .look = feasibleLook, .shape = rentedShape}};
    std::array<std::vector<std::size_t>, 4> places; // of the points of these series
    QPointF farthest;
    const auto reach = [&](const QPointF &at) {
        if (std::isfinite(at.x()) && std::isfinite(at.y()))
            farthest = {std::max(farthest.x(), at.x()), std::max(farthest.y(), at.y())};
    };
    for (std::size_t i = 0; i < result.answers.size(); ++i) {
        const auto &answer = result.answers[i].answer;
        const std::size_t series = (answer.isFeasible() ? 2 : 0) + (isRented(answer) ? 1 : 0);
        data.series[series].points.push_back(point(answer));
        places[series].push_back(i);
        reach(place(answer));
    }
    if (result.baseCase)
        reach(place(*result.baseCase));
    if (result.baseCase)
        data.series.push_back({.name = tr("base case"), .points = {point(*result.baseCase)}, .look = baseLook});
    if (const auto *best = result.best())
        data.series.push_back({.name = tr("winner"), .points = {point(*best)}, .look = winnerLook, .emphasised = true});
    XyFrontLine front{.name = tr("none beats these in both"), .points = {}};
    // Fleets of a node or two are on the front as well, and take years: the axes are those of the fleets in question.
    XySeries others{.name = tr("other numbers of nodes"), .points = {}, .look = otherLook, .faint = true};
    const auto isDrawn = [&](const QPointF &at) {
        return std::ranges::any_of(data.series, [&](const XySeries &series) {
            return std::ranges::any_of(
                series.points, [&](const XyPoint &drawn) { return drawn.x == at.x() && drawn.y == at.y(); });
        });
    };
    for (const auto &answer : result.front)
        if (const auto at = place(answer); at.x() <= farthest.x() && at.y() <= farthest.y()) {
            front.points.push_back(at);
            if (!isDrawn(at)) // the candidates are the best of their kind, and the line has more than these
                others.points.push_back(point(answer));
        }
    const auto othersPlace = data.series.size();
    if (result.frontAxes == question.axes && !front.points.empty()) {
        data.front = std::move(front);
        data.series.push_back(std::move(others));
    }
    if (question.selected && *question.selected < result.answers.size()) {
        data.selected = place(result.answers[*question.selected].answer);
        data.selectedName = tr("selected");
    }
    data.emptyText = tr("No fleet has both figures.");
    data.description = localized(size::countsInWords(result));
    if (question.picked)
        data.picked = [picked = std::move(question.picked), places, othersPlace](ScatterIndex index) {
            if (index.series == othersPlace)
                return; // no candidate
            if (index.series < places.size() && index.point < places[index.series].size())
                picked(places[index.series][index.point]);
            else if (index.series >= places.size() && !(places[2].empty() && places[3].empty()))
                picked(0); // the winner stands first
        };
    return xyChart(std::move(data));
}

std::vector<MoneyCurve> buyAndRentCurves(const QString &fleet, const CostSheet &sheet, const QString &term)
{
    std::vector<MoneyCurve> curves;
    const auto add = [&](const QString &how, std::string_view row, const QString &rent) {
        if (auto months = sheet.sheet().columns(row); !months.empty())
            curves.push_back({.name = tr("%1: %2").arg(how, fleet),
                .usdByMonth = {months.begin(), months.end()},
                .fleet = fleet,
                .term = rent});
    };
    add(tr("buying"), "own_by_month_usd", {});
    add(tr("renting, %1").arg(term), "rent_by_month_usd", term);
    return curves;
}

std::vector<MoneyCurve> decisionCurves(
    const size::Result &result, const size::BuyOrRent *compared, const Catalog &catalog)
{
    if (result.answers.empty())
        return {};
    const auto &first = result.answers.front().answer;
    const auto curvesOf = [&](const size::Answer &answer, const FleetDocument &document) {
        const auto fleet = resolve(document, catalog);
        const auto sheet = fleet ? fleetCost(*fleet) : Expected<CostSheet>(std::unexpected(fleet.error()));
        const auto name = localized(units::format(double(answer.nodes), units::Dimension::Number)) + u" \u00d7 "_s
            + localizedAsWhole(result.lots[answer.lot].node);
        return sheet ? buyAndRentCurves(name, *sheet, localized(rentInWords(*fleet))) : std::vector<MoneyCurve>();
    };
    auto curves = curvesOf(first, compared && compared->fleet ? *compared->fleet : size::fleetOf(result, first));
    if (curves.empty())
        return curves;
    if (compared && compared->cheapestRent) {
        const auto &rent = result.answers[*compared->cheapestRent].answer;
        if (auto others = curvesOf(rent, size::fleetOf(result, rent)); !others.empty()) {
            const auto name = [](MoneyCurve &curve, const QString &legend, const QString &beside) {
                curve.name = legend.arg(curve.fleet, curve.term);
                curve.rent = beside.arg(curve.term);
            };
            if (curves.size() > 1)
                name(curves[1], tr("renting the same nodes, %2: %1"), tr("the rent of the same nodes, %1"));
            name(others.back(), tr("cheapest rent that keeps the limits, %2: %1"), tr("the cheapest rent, %1"));
            curves.insert(curves.begin() + 1, std::move(others.back()));
        }
    }
    const auto rows = result.byNode();
    const auto second = std::ranges::find_if(rows, [&](const size::LotAnswer *row) {
        return row->answer.isFeasible() && result.lots[row->answer.lot].nodeId != result.lots[first.lot].nodeId;
    });
    if (second != rows.end())
        appendAsPaid(curves, curvesOf((*second)->answer, size::fleetOf(result, (*second)->answer)),
            result.lots[(*second)->answer.lot].paying.paying);
    return curves;
}

void appendAsPaid(std::vector<MoneyCurve> &curves, std::vector<MoneyCurve> others, Paying paying)
{
    if (others.empty())
        return;
    auto &had = paying == Paying::Rent ? others.back() : others.front(); // bought first
    if (std::ranges::find(curves, had.usdByMonth, &MoneyCurve::usdByMonth) != curves.end())
        return;
    had.asPaid = (paying == Paying::Rent ? tr("renting %1") : tr("buying %1")).arg(had.fleet);
    had.fleet.clear(); // another one, of as many nodes perhaps
    curves.push_back(std::move(had));
}

ChartContent moneyChart(const std::vector<MoneyCurve> &curves, std::optional<double> runDays)
{
    const auto unit = moneyUnit(curves);
    LineChartData data{.name = tr("Money over time"),
        .xTitle = tr("Month"),
        .yTitle = tr("Cost [%1]").arg(localizedUnit(unit.symbol))};
    const auto pointAt = [&](const MoneyCurve &curve, std::size_t month) {
        return QPointF(double(month), curve.usdByMonth[month] / unit.factor);
    };
    QStringList crossings;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const auto &curve = curves[i];
        LineSeries series{.name = curve.name, .colour = seriesColour(i), .wide = i == 0};
        for (std::size_t month = 0; month < curve.usdByMonth.size(); ++month)
            series.points.push_back(pointAt(curve, month));
        data.series.push_back(std::move(series));
        if (i == 0)
            continue;
        const auto &first = curves.front().usdByMonth;
        const auto &other = curve.usdByMonth;
        for (std::size_t month = 1; month < std::min(first.size(), other.size()); ++month)
            if ((first[month - 1] > other[month - 1]) != (first[month] > other[month])) {
                data.series.push_back({.name = crossingInLegend(curves.front(), curve, month),
                    .points = {pointAt(curve, month)},
                    .colour = seriesColour(i), // of the curve that is crossed
                    .pen = Qt::NoPen,
                    .markers = true});
                crossings << crossingInWords(curves.front(), curve, month);
                break;
            }
    }
    constexpr double daysOfMonth = 365.0 / 12;
    if (const double month = runDays.value_or(unknownMonth) / daysOfMonth;
        !curves.empty() && month >= 0 && month + 1 < double(curves.front().usdByMonth.size())) {
        const auto &line = curves.front();
        const auto begin = std::size_t(month);
        const auto from = pointAt(line, begin), to = pointAt(line, begin + 1);
        data.series.push_back({.name = tr("the jobs end: %1 days").arg(localized(units::threeDigits(*runDays))),
            .points = {QPointF(month, from.y() + (to.y() - from.y()) * (month - double(begin)))},
            .colour = seriesColours().back(), // grey, as no curve is
            .pen = Qt::NoPen,
            .markers = true});
    }
    data.description = curves.empty() ? tr("No cost over time is known.")
        : crossings.isEmpty()         ? tr("No two of these cross within the life of the fleet.")
                                      : crossings.join(u' ');
    return lineChart(std::move(data));
}

ChartContent riskHistogramChart(
    const uncertainty::FleetRisk &fleet, uncertainty::RiskFigure figure, std::optional<double> limit)
{
    const auto &spread = fleet.spread(figure);
    const auto title = localized(uncertainty::titleOf(figure));
    ColumnChartData data{.name = tr("%1 over the draws").arg(title), .yTitle = tr("Draws")};
    if (!spread) {
        data.description = localized(fleet.missing[std::size_t(figure)]);
        return columnChart(std::move(data));
    }
    const auto &histogram = spread->histogram;
    const auto unit = riskUnit(figure, histogram.to);
    data.xTitle = figure == uncertainty::RiskFigure::Days ? title : u"%1 [%2]"_s.arg(title, unit.symbol);
    ColumnSeries series{.name = {}, .values = {}};
    const double start = histogram.from / unit.factor, end = histogram.to / unit.factor;
    const double width = (end - start) / double(uncertainty::riskBins);
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
        const double from = start + double(bin) * width;
        series.values.push_back({.value = double(histogram.counts[bin]),
            .text = {},
            .toolTip = tr("%1 to %2 %3: %4 draws")
                           .arg(riskNumber(from), riskNumber(from + width), unit.symbol)
                           .arg(histogram.counts[bin])});
    }
    data.series.push_back(std::move(series));
    if (end > start)
        data.scale = ColumnScale{.from = start, .to = end};
    else
        data.categories << riskNumber(start);
    data.description = tr("%1: half of the draws below %2, one in ten below %3 and one in ten above %4 %5.")
                           .arg(title, riskNumber(spread->quantiles.p50 / unit.factor),
                               riskNumber(spread->quantiles.p10 / unit.factor),
                               riskNumber(spread->quantiles.p90 / unit.factor), unit.symbol);
    if (limit) {
        const double at = *limit / unit.factor;
        const auto words = tr("limit: %1 %2").arg(localized(units::asTyped(at)), unit.symbol);
        if (data.scale && at >= start && at <= end)
            data.scale->marks.push_back({words, at});
        else
            data.description += u' '
                + (at < start ? tr("Every draw lies above the %1.") : tr("Every draw lies below the %1.")).arg(words);
    }
    return columnChart(std::move(data));
}

ChartContent tornadoChart(const uncertainty::RiskAnswer &risk, const uncertainty::FleetRisk &fleet,
    uncertainty::RiskFigure figure, std::size_t most)
{
    const auto &tornado = fleet.tornado(figure);
    double largest = 0;
    for (const auto &swing : tornado)
        for (const double value : {swing.atLow, swing.atHigh})
            if (std::isfinite(value))
                largest = std::max(largest, std::abs(value));
    const auto unit = riskUnit(figure, largest);
    const auto &spread = fleet.spread(figure);
    const double middle = spread ? spread->likely : 0;
    SpreadChartData data{.name = tr("What each input does"),
        .axisTitle = tr("Change of %1 [%2]").arg(withinSentence(localized(uncertainty::titleOf(figure))), unit.symbol),
        .barName = tr("between the ends of the input"),
        .middleName = tr("at its likely value")};
    for (std::size_t i = 0; i < std::min(most, tornado.size()); ++i) {
        const auto &swing = tornado[i];
        const double atLow = (swing.atLow - middle) / unit.factor, atHigh = (swing.atHigh - middle) / unit.factor;
        if (!std::isfinite(atLow) || !std::isfinite(atHigh))
            continue;
        data.rows.push_back({.label = localized(risk.inputs[swing.input].label),
            .low = std::min({atLow, atHigh, 0.0}),
            .middle = 0,
            .high = std::max({atLow, atHigh, 0.0}),
            .toolTip = tr("%1: %2 at its low end, %3 at its high end, rank correlation %4")
                           .arg(localized(risk.inputs[swing.input].label), riskNumber(atLow), riskNumber(atHigh),
                               riskNumber(swing.rankCorrelation))});
    }
    data.description = tornado.empty()
        ? tr("Nothing with a range moves this fleet.")
        : tr("What moves it most: %1.").arg(localized(risk.inputs[tornado.front().input].label));
    return spreadChart(std::move(data));
}

} // namespace fleetwright::charts
