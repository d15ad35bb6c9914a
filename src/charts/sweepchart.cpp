// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/sweepchart.h"

#include "charts/columnchart.h"
#include "charts/heatmap.h"
#include "charts/linechart.h"
#include "charts/wording.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

/// A sweep's cells as curves along the first axis.
class SweepReading {
public:
    SweepReading(const SweepDocument &document, const SweepResult &result, const Catalog &catalog)
        : m_document(document), m_result(result), m_catalog(catalog)
    {
        if (const auto known = chooseFigure(document.figure))
            m_figure = *known;
        double largest = 0;
        for (const auto &cell : result.cells)
            largest = std::max(largest, std::abs(value(cell).value_or(0)));
        const auto *known = findFigure(m_figure.key);
        m_unit = known ? unitFor(known->group, m_figure.dimension, largest)
                       : units::unitFor(largest, m_figure.dimension);
        if (known) {
            m_figure.label = labelOf(*known).toStdString();
            m_figure.shortLabel = shortLabelOf(*known).toStdString();
        }
        for (std::size_t column = 0; column < result.columns; ++column)
            for (std::size_t model = 0; model < result.models.size(); ++model)
                m_curves.push_back({column, model});
    }

    struct Curve {
        std::size_t column;
        std::size_t model;
    };

    [[nodiscard]] const std::vector<Curve> &curves() const { return m_curves; }
    [[nodiscard]] std::size_t points() const { return m_result.rows; }
    [[nodiscard]] const SweepCell &cell(std::size_t point, const Curve &curve) const
    {
        return m_result.cell(point, curve.column, curve.model);
    }
    [[nodiscard]] std::size_t place(std::size_t point, const Curve &curve) const
    {
        return std::size_t(&cell(point, curve) - m_result.cells.data());
    }
    [[nodiscard]] std::optional<double> value(const SweepCell &cell) const
    {
        return m_result.figure(cell, m_figure.key);
    }
    [[nodiscard]] std::optional<double> shown(const SweepCell &cell) const
    {
        const auto base = value(cell);
        return base ? std::optional(*base / m_unit.factor) : std::nullopt;
    }
    /// For bars and cells, whose axis or scale states the unit.
    [[nodiscard]] QString number(double base) const { return localized(units::formatInColumn(base, m_unit)); }
    [[nodiscard]] QString withUnit(std::optional<double> base) const
    {
        return localized(figureText(base, m_figure.dimension));
    }

    [[nodiscard]] QString name(const Curve &curve) const
    {
        QString text;
        if (m_document.axes.size() > 1)
            text = localized(describe(m_document.axes[1])) + u' '
                + localized(describe(m_document.axes[1].points[curve.column], m_catalog));
        if (m_result.models.size() > 1)
            text += (text.isEmpty() ? QString() : u", "_s) + utf8(m_result.models[curve.model].id);
        return text;
    }
    /// Of a row, where the axis has a title of its own.
    [[nodiscard]] QString shortName(const Curve &curve) const
    {
        QString text = m_document.axes.size() > 1
            ? localized(describe(m_document.axes[1].points[curve.column], m_catalog))
            : QString();
        if (m_result.models.size() > 1)
            text += (text.isEmpty() ? QString() : u", "_s) + utf8(m_result.models[curve.model].id);
        return text;
    }
    [[nodiscard]] QStringList pointNames() const
    {
        QStringList names;
        for (const auto &point : m_document.axes[0].points)
            names << localized(describe(point, m_catalog));
        return names;
    }
    [[nodiscard]] QString xTitle() const { return localized(describe(m_document.axes[0])); }
    [[nodiscard]] QString yTitle() const { return localized(titleWithUnit(m_figure.shortLabel, m_unit.symbol)); }
    [[nodiscard]] QString toolTip(std::size_t point, const Curve &curve) const
    {
        const auto &here = cell(point, curve);
        QString text = pointNames().value(qsizetype(point));
        if (const auto more = name(curve); !more.isEmpty())
            text += u", "_s + more;
        text += u'\n'
            + (here.refused ? localized(here.refused->message)
                            : localized(m_figure.label) + u": "_s + withUnit(value(here)));
        if (here.layout)
            text += u'\n' + localized(inWords(splitOf(*here.layout)));
        if (!here.refused && here.problems.empty())
            text += u'\n'
                + (!here.decided          ? tr("not known whether it fits")
                        : here.onlyLikely ? tr("feasible: %1").arg(localized(inWords(true, true)))
                                          : tr("feasible"));
        for (const auto &problem : here.problems)
            text += u'\n' + localized(problem);
        return text;
    }
    /// Where there are several cost models each has a best cell; only a single one is outlined.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> best() const ///< curve and point
    {
        const auto *found = m_result.models.size() == 1 ? bestCell(m_result, m_figure, 0) : nullptr;
        return found ? std::optional(std::pair(found->column, found->row)) : std::nullopt;
    }
    [[nodiscard]] std::vector<MarkLine> marks() const
    {
        if (!m_document.mark)
            return {};
        return {{tr("mark at %1").arg(withUnit(m_document.mark)), *m_document.mark / m_unit.factor}};
    }
    [[nodiscard]] const ChosenFigure &figure() const { return m_figure; }
    [[nodiscard]] QString title() const { return utf8(m_document.name); }
    [[nodiscard]] QString sentence() const
    {
        return tr("%1 against %2 for %3 cells. ").arg(localized(m_figure.label), xTitle()).arg(m_result.cells.size())
            + localized(describeBest(m_document, m_result, m_figure, 0, m_catalog));
    }
    [[nodiscard]] bool anyFeasible() const { return std::ranges::any_of(m_result.cells, &SweepCell::feasible); }
    [[nodiscard]] std::vector<double> positions() const { return numbersOf(m_document.axes[0]); }

private:
    const SweepDocument &m_document;
    const SweepResult &m_result;
    const Catalog &m_catalog;
    ChosenFigure m_figure;
    units::UnitSymbol m_unit{{}, units::Dimension::Number, 1};
    std::vector<Curve> m_curves;
};

ChartContent lines(const SweepReading &reading)
{
    LineChartData data{.name = reading.title(),
        .description = reading.sentence(),
        .xTitle = reading.xTitle(),
        .yTitle = reading.yTitle()};
    auto positions = reading.positions();
    if (positions.empty()) {
        data.xCategories = reading.pointNames();
        for (std::size_t i = 0; i < reading.points(); ++i)
            positions.push_back(double(i));
    } else if (const auto [low, high] = std::ranges::minmax(positions); low > 0 && high >= 16 * low) {
        data.xScale = AxisScale::PowersOfTwo;
    }
    const bool noneFits = !reading.anyFeasible(); // grey points everywhere would hide the curves
    LineSeries outside{.name = tr("not feasible"), .points = {}, .colour = QColor(0x75, 0x75, 0x75), .pen = Qt::NoPen};
    for (const auto &curve : reading.curves()) {
        LineSeries series{
            .name = noneFits ? tr("%1 (not feasible)").arg(reading.name(curve)).trimmed() : reading.name(curve),
            .points = {},
            .markers = reading.points() <= 40};
        for (std::size_t i = 0; i < reading.points(); ++i) {
            const auto &cell = reading.cell(i, curve);
            const QPointF point(positions[i], reading.shown(cell).value_or(std::numeric_limits<double>::quiet_NaN()));
            series.points.push_back(point);
            if (!noneFits && !cell.refused && !cell.feasible)
                outside.points.push_back(point);
        }
        data.series.push_back(std::move(series));
    }
    if (!outside.points.empty())
        data.series.push_back(std::move(outside));
    if (const auto best = reading.best()) {
        const auto &curve = reading.curves()[best->first];
        data.series.push_back({.name = tr("best"),
            .points = {QPointF(positions[best->second], *reading.shown(reading.cell(best->second, curve)))},
            .colour = QColor(0xe6, 0x9f, 0x00),
            .pen = Qt::NoPen});
    }
    data.marks = reading.marks();
    return lineChart(std::move(data));
}

ChartContent bars(const SweepReading &reading)
{
    ColumnChartData data{.name = reading.title(),
        .description = reading.sentence(),
        .xTitle = reading.xTitle(),
        .yTitle = reading.yTitle(),
        .categories = reading.pointNames()};
    for (const auto &curve : reading.curves()) {
        ColumnSeries series{reading.name(curve), {}};
        for (std::size_t i = 0; i < reading.points(); ++i) {
            const auto &cell = reading.cell(i, curve);
            const auto value = reading.value(cell);
            series.values.push_back({reading.shown(cell), value ? reading.number(*value) : QString(),
                reading.toolTip(i, curve), !cell.refused && !cell.feasible});
        }
        data.series.push_back(std::move(series));
    }
    data.marks = reading.marks();
    data.hatchedName = tr("hatched: not feasible");
    data.best = reading.best();
    data.bestName = tr("best");
    return columnChart(std::move(data));
}

ChartContent table(const SweepReading &reading, const QString &rowTitle, SweepChartMarks marks)
{
    HeatMapData data{.name = reading.title(),
        .description = reading.sentence(),
        .xTitle = reading.xTitle(),
        .yTitle = rowTitle,
        .columns = reading.pointNames()};
    for (const auto &curve : reading.curves()) {
        data.rows << reading.shortName(curve);
        for (std::size_t i = 0; i < reading.points(); ++i) {
            const auto &cell = reading.cell(i, curve);
            const auto value = reading.value(cell);
            data.cells.push_back({value, reading.withUnit(value), reading.toolTip(i, curve),
                !cell.refused && !cell.feasible, cell.refused.has_value()});
        }
    }
    data.format = [figure = reading.figure()](double value) {
        return localized(figureText(value, figure.dimension));
    }; // drawn after the reading is gone
    data.hatchedName = tr("hatched: not feasible");
    data.refusedName = tr("crossed: refused");
    if (const auto best = reading.best())
        data.best = best->first * reading.points() + best->second;
    data.bestName = tr("best");
    // As they are drawn: row by row, with the numbers of the cells that the sweep has in an order of its own.
    std::vector<std::size_t> places;
    for (const auto &curve : reading.curves())
        for (std::size_t i = 0; i < reading.points(); ++i)
            places.push_back(reading.place(i, curve));
    if (const auto found = std::ranges::find(places, marks.selected); found != places.end())
        data.selected = std::size_t(found - places.begin());
    data.selectedName = tr("selected");
    if (marks.picked)
        data.picked = [places, width = reading.points(), picked = std::move(marks.picked)](
                          std::size_t column, std::size_t row) { picked(places[row * width + column]); };
    return heatMap(std::move(data));
}

} // namespace

ChartContent sweepChart(
    const SweepDocument &document, const SweepResult &result, const Catalog &catalog, SweepChartMarks marks)
{
    const SweepReading reading(document, result, catalog);
    switch (document.view) {
    case SweepView::Lines: return lines(reading);
    case SweepView::Bars: return bars(reading);
    case SweepView::HeatMap:
        return table(
            reading, document.axes.size() > 1 ? localized(describe(document.axes[1])) : QString(), std::move(marks));
    }
    return lines(reading);
}

} // namespace fleetwright::charts
