// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/linechart.h"

#include "charts/chartdata.h"
#include "charts/chartdecoration.h"
#include "charts/plotitem.h"
#include "text/localized.h"

#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QScatterSeries>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr double plainLine = 2, wideLine = 6;

struct AxisRange {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void include(double value)
    {
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    [[nodiscard]] bool empty() const { return !(low <= high); }
};

bool drawable(QPointF point, const LineChartData &data)
{
    return std::isfinite(point.x()) && std::isfinite(point.y()) && (data.xScale == AxisScale::Linear || point.x() > 0)
        && (data.yScale == AxisScale::Linear || point.y() > 0);
}

AxisRange rangeOf(const LineChartData &data, bool horizontal)
{
    AxisRange range;
    const auto include = [&](QPointF point) {
        if (drawable(point, data))
            range.include(horizontal ? point.x() : point.y());
    };
    for (const auto &series : data.series)
        std::ranges::for_each(series.points, include);
    if (data.current)
        include(*data.current);
    if (!horizontal)
        for (const auto &mark : data.marks)
            range.include(mark.value);
    return range;
}

/// Whether something is drawn around points, not only between them.
bool hasMarkers(const LineChartData &data)
{
    return data.current || std::ranges::any_of(data.series, [](const auto &series) {
        return series.markers || series.pen == Qt::NoPen;
    });
}

/// Moves an end of an axis away from a marker that would stand on it, and be cut there.
template <class Axis> void leaveRoom(Axis &axis, const AxisRange &points, bool logarithmic)
{
    constexpr double room = 0.02; // of the axis
    const auto along = [&](double value) { return logarithmic ? std::log(value) : value; };
    const auto back = [&](double value) { return logarithmic ? std::exp(value) : value; };
    const double low = along(axis.min()), high = along(axis.max()), beyond = room * (high - low);
    axis.setRange(along(points.low) - low < beyond ? back(low - beyond) : axis.min(),
        high - along(points.high) < beyond ? back(high + beyond) : axis.max());
}

constexpr qsizetype mostUpright = 14; ///< names below a narrow chart

/// Names that a narrow chart has no room for beside each other, and that are short enough to stand upright.
bool standUpright(const QStringList &names)
{
    constexpr qsizetype beside = 44, longest = 10; // letters
    qsizetype needed = 0;
    for (const auto &name : names)
        needed += name.size() + 2;
    return needed > beside && std::ranges::all_of(names, [](const QString &name) { return name.size() <= longest; });
}

QAbstractAxis *xAxis(const LineChartData &data)
{
    if (!data.xCategories.isEmpty()) {
        auto *axis = new QCategoryAxis;
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        const bool upright = standUpright(data.xCategories);
        const auto step = upright ? (data.xCategories.size() + mostUpright - 1) / mostUpright
                                  : nameStep(data.xCategories, false);
        if (upright) {
            axis->setLabelsAngle(-90);
            axis->setTruncateLabels(false);
        }
        for (qsizetype i = 0; i < data.xCategories.size(); i += step)
            axis->append(chartText(data.xCategories[i]), double(i));
        axis->setRange(-0.4, double(data.xCategories.size()) - 0.6);
        return axis;
    }
    auto range = rangeOf(data, true);
    if (range.empty())
        range = {1, 2};
    if (data.xScale != AxisScale::Linear) {
        auto *axis = logAxis(range.low, range.high, data.xScale == AxisScale::PowersOfTwo ? 2 : 10);
        if (hasMarkers(data))
            leaveRoom(*qobject_cast<QLogValueAxis *>(axis), range, true);
        return axis;
    }
    const double low = range.low > 0 && range.low < 0.25 * range.high ? 0 : range.low;
    auto *axis = valueAxis(low, range.high > low ? range.high : low + 1);
    if (hasMarkers(data))
        leaveRoom(*axis, range, false);
    return axis;
}

QAbstractAxis *yAxis(const LineChartData &data)
{
    auto range = rangeOf(data, false);
    if (range.empty())
        range = {data.yScale == AxisScale::Linear ? 0.0 : 1.0, 2};
    if (data.yScale != AxisScale::Linear)
        return logAxis(range.low, range.high, data.yScale == AxisScale::PowersOfTwo ? 2 : 10);
    const double low = data.yMinimum.value_or(std::min(0.0, range.low));
    const double high = data.yMaximum.value_or(range.high > low ? range.high + 0.06 * (range.high - low) : low + 1);
    return valueAxis(low, high);
}

QColor colourOf(const LineChartData &data, std::size_t index)
{
    return data.series[index].colour.isValid() ? data.series[index].colour : seriesColour(index);
}

class Plot {
public:
    Plot(const LineChartData &data, const Theme &theme)
        : m_data(data), m_theme(theme), m_chart(emptyChart(theme)), m_x(xAxis(data)), m_y(yAxis(data))
    {
        for (auto *axis : {m_x, m_y})
            dress(axis, theme);
        m_x->setTitleText(chartText(data.xTitle));
        m_y->setTitleText(chartText(data.yTitle));
        m_chart->addAxis(m_x, Qt::AlignBottom);
        m_chart->addAxis(m_y, Qt::AlignLeft);
        if (!data.xCategories.isEmpty())
            m_x->setGridLineVisible(false);
    }

    void addBand(const Band &band)
    {
        const QColor fill = faded(band.colour, 0.14, m_theme);
        auto *upper = acrossThePlot(band.to), *lower = acrossThePlot(band.from);
        auto *area = new QAreaSeries(upper, lower);
        upper->setParent(area);
        lower->setParent(area);
        area->setBrush(fill);
        area->setPen(Qt::NoPen);
        attach(area);
    }

    void addMark(const MarkLine &mark)
    {
        auto *line = acrossThePlot(mark.value);
        line->setPen(QPen(limitColour(m_theme), 1.4, Qt::DashLine));
        attach(line);
        explainMark(line, mark);
    }

    void addSeries(std::size_t index)
    {
        const auto &series = m_data.series[index];
        const QColor colour = m_theme.ink(colourOf(m_data, index));
        m_current = index;
        if (series.pen != Qt::NoPen) {
            QList<QPointF> run;
            const auto flush = [&] {
                if (run.size() > 1) {
                    auto *line = new QLineSeries;
                    line->append(run);
                    line->setPen(QPen(colour, series.wide ? wideLine : plainLine, series.pen));
                    attach(line);
                    explain(line, series.name, true);
                }
                run.clear();
            };
            for (const auto &point : series.points) {
                if (drawable(point, m_data))
                    run.append(point);
                else
                    flush();
            }
            flush();
        }
        if (series.pen == Qt::NoPen || series.markers)
            addPoints(series.points, colour, series.pen == Qt::NoPen ? 10 : 7, series.name);
        m_current = m_drawn.size();
    }

    void addCurrent(QPointF point)
    {
        if (drawable(point, m_data))
            addPoints({point}, m_theme.text, 12, QCoreApplication::translate("charts", "Where you stand"));
    }

    /// What hides and shows the series that are drawn.
    [[nodiscard]] std::function<void(bool)> visibility(std::size_t index) const
    {
        return [drawn = m_drawn[index]](bool shown) {
            for (auto *series : drawn)
                series->setVisible(shown);
        };
    }

    std::unique_ptr<QChart> take() { return std::move(m_chart); }

private:
    QLineSeries *acrossThePlot(double value)
    {
        double low = 0, high = 1;
        if (const auto *axis = qobject_cast<QLogValueAxis *>(m_x)) {
            low = axis->min();
            high = axis->max();
        } else if (const auto *plain = qobject_cast<QValueAxis *>(m_x)) {
            low = plain->min();
            high = plain->max();
        }
        auto *line = new QLineSeries;
        line->append(QList<QPointF>{{low, value}, {high, value}});
        return line;
    }

    void addPoints(const std::vector<QPointF> &points, const QColor &colour, double size, const QString &name)
    {
        auto *scatter = new QScatterSeries;
        for (const auto &point : points)
            if (drawable(point, m_data))
                scatter->append(point);
        scatter->setMarkerSize(size * m_theme.fontPixels / 12.0);
        scatter->setColor(colour);
        scatter->setBorderColor(m_theme.background);
        attach(scatter);
        explain(scatter, name);
    }

    void attach(QAbstractSeries *series)
    {
        m_chart->addSeries(series);
        series->attachAxis(m_x);
        series->attachAxis(m_y);
        if (m_current < m_drawn.size())
            m_drawn[m_current].push_back(series);
    }

    /// Says the data nearest the pointer, not the pointer's place; of a curve what the others have there, too.
    void explain(QXYSeries *series, const QString &name, bool isCurve = false)
    {
        if (isCurve)
            m_curves->push_back({series, name});
        QObject::connect(series, &QXYSeries::hovered, m_chart.get(),
            [chart = m_chart.get(), series, name, isCurve, curves = m_curves, x = m_data.xTitle, y = m_data.yTitle,
                categories = m_data.xCategories](const QPointF &pointer, bool entered) {
                const auto place = [&](const QPointF &point) { return chart->mapToPosition(point, series); };
                const auto points = series->points();
                const auto at = *std::ranges::min_element(points, {}, [&](const QPointF &point) {
                    const auto away = place(point) - place(pointer);
                    return QPointF::dotProduct(away, away);
                });
                const auto number = [](double value) { return localizedNumber(QString::number(value, 'g', 4)); };
                const auto where = categories.isEmpty() ? number(at.x()) : categories.value(std::lround(at.x()));
                auto text = u"%1\n%2: %3\n%4: %5"_s.arg(name, x, where, y, number(at.y()));
                if (isCurve)
                    for (const auto &[curve, other] : *curves)
                        if (const auto there = curve->points(); curve != series && curve->isVisible())
                            if (const auto beside = std::ranges::find(there, at.x(), &QPointF::x);
                                beside != there.end())
                                text += u"\n%1: %2"_s.arg(other, number(beside->y()));
                showHovered(text, entered);
            });
    }

    /// The same everywhere along the plot.
    void explainMark(QXYSeries *line, const MarkLine &mark)
    {
        const auto text = u"%1\n%2: %3"_s.arg(
            mark.name, m_data.yTitle, localizedNumber(QString::number(mark.value, 'g', 4)));
        QObject::connect(line, &QXYSeries::hovered, m_chart.get(),
            [text](const QPointF &, bool entered) { showHovered(text, entered); });
    }

    const LineChartData &m_data;
    const Theme &m_theme;
    std::unique_ptr<QChart> m_chart;
    QAbstractAxis *m_x, *m_y;
    struct Curve {
        QXYSeries *series;
        QString name;
    };
    std::shared_ptr<std::vector<Curve>> m_curves = std::make_shared<std::vector<Curve>>(); ///< for their tips
    std::vector<std::vector<QAbstractSeries *>> m_drawn{m_data.series.size()}; ///< for each series
    std::size_t m_current = m_drawn.size(); ///< the series being added; none
};

std::vector<LegendEntry> legend(const LineChartData &data, const Theme &theme)
{
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < data.series.size(); ++i) {
        const auto &series = data.series[i];
        if (!series.name.isEmpty())
            entries.push_back({series.name, colourOf(data, i), series.pen, series.pen == Qt::NoPen});
    }
    for (const auto &mark : data.marks)
        entries.push_back({mark.name, limitColour(theme), Qt::DashLine});
    if (data.current)
        entries.push_back({QCoreApplication::translate("charts", "Where you stand"), theme.text, Qt::NoPen, true});
    return entries;
}

std::unique_ptr<QChart> draw(const LineChartData &data, const Theme &theme)
{
    Plot plot(data, theme);
    for (const auto &band : data.bands)
        plot.addBand(band);
    // What is drawn later lies above: points are to be seen on curves.
    const auto addThose = [&](auto &&isOne) {
        for (std::size_t i = 0; i < data.series.size(); ++i)
            if (isOne(data.series[i]))
                plot.addSeries(i);
    };
    const auto isPoints = [](const LineSeries &series) { return series.pen == Qt::NoPen; };
    addThose([&](const LineSeries &series) { return series.wide && !isPoints(series); });
    addThose([&](const LineSeries &series) { return !series.wide && !isPoints(series); });
    addThose(isPoints);
    for (const auto &mark : data.marks)
        plot.addMark(mark);
    if (data.current)
        plot.addCurrent(*data.current);
    auto chart = plot.take();
    auto entries = legend(data, theme);
    for (std::size_t i = 0, entry = 0; i < data.series.size(); ++i)
        if (!data.series[i].name.isEmpty())
            entries[entry++].show = plot.visibility(i);
    new ChartLegend(chart.get(), std::move(entries), theme);
    return chart;
}

int naturalHeight(const LineChartData &data, const Theme &theme, int width)
{
    const double line = QFontMetricsF(chartFont(theme)).height();
    return int(14 * line + legendHeight(legend(data, theme), theme, width));
}

} // namespace

std::vector<QColor> seriesColours()
{
    // Okabe and Ito, "Color Universal Design" (2008), yellow left out: too faint on white.
    return {QColor(0x00, 0x72, 0xb2), QColor(0xd5, 0x5e, 0x00), QColor(0x00, 0x9e, 0x73), QColor(0xcc, 0x79, 0xa7),
        QColor(0x56, 0xb4, 0xe9), QColor(0xe6, 0x9f, 0x00), QColor(0x75, 0x75, 0x75)};
}

QColor seriesColour(std::size_t series)
{
    const auto colours = seriesColours();
    return colours[series % colours.size()];
}

ChartContent lineChart(LineChartData data)
{
    const auto shared = std::make_shared<const LineChartData>(std::move(data));
    return {shared->name, shared->description, [shared](const Theme &theme) { return draw(*shared, theme); },
        [shared](const Theme &theme, int width) { return naturalHeight(*shared, theme, width); },
        [shared] { return tableOf(*shared); }};
}

} // namespace fleetwright::charts
