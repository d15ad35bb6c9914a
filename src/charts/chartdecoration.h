// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartdata.h"

#include <QGraphicsObject>

#include <functional>

class QAbstractAxis;
class QAbstractSeries;
class QPainter;

namespace fleetwright::charts {

/// `text` for a title or label that Qt Charts draws, so that it shows as typed: Qt Charts reads each as HTML, and a
/// name in a project of somebody else could make it open files. What we draw ourselves is plain anyway.
[[nodiscard]] QString chartText(const QString &text);
[[nodiscard]] QStringList chartTexts(const QStringList &texts);

/// Texts over the plot that take no part in what the mouse does. A child of the chart.
class PlotTexts : public QGraphicsObject {
    Q_OBJECT
public:
    PlotTexts(QChart *chart, QAbstractSeries *series, const Theme &theme);
    [[nodiscard]] QRectF boundingRect() const override;
    [[nodiscard]] QPainterPath shape() const override; ///< the plot alone while it is zoomed

protected:
    /// The coordinates of the series' axes as a position in the chart.
    [[nodiscard]] QPointF position(double x, double y) const;
    [[nodiscard]] QRectF plotArea() const;
    [[nodiscard]] const Theme &theme() const { return m_theme; }

private:
    QChart *m_chart;
    QAbstractSeries *m_series;
    Theme m_theme;
};

/// Writes each bar's total behind it and the parts' amounts into those segments that are wide enough.
class BarLabels : public PlotTexts {
    Q_OBJECT
public:
    BarLabels(QChart *chart, QAbstractSeries *series, BarChartData data, const Theme &theme)
        : PlotTexts(chart, series, theme), m_data(std::move(data))
    {
    }
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
    [[nodiscard]] QRectF segment(std::size_t plan, double from, double to) const;

    BarChartData m_data;
};

/// Shapes of points, so that colour is not the only difference between series.
enum class Marker { Circle, Square, Diamond, Triangle, Cross, TriangleDown, Plus };
inline constexpr std::size_t markerCount = 7;
/// The shapes repeat.
[[nodiscard]] inline Marker seriesMarker(std::size_t series) { return Marker(series % markerCount); }
/// `size` is the width of a circle; the others cover about the same area.
void paintMarker(
    QPainter &painter, Marker marker, const QPointF &centre, double size, const QColor &fill, const QColor &edge);

struct LegendEntry {
    QString text;
    QColor colour;
    Qt::PenStyle line = Qt::NoPen; ///< NoPen: a swatch
    bool point = false; ///< a marker instead of a swatch
    QPointF position{}; ///< within the legend
    QStringList lines{}; ///< of the text there: more than one where the legend is narrower than it
    Marker marker = Marker::Circle;
    Qt::BrushStyle pattern = Qt::SolidPattern; ///< of the swatch
    std::function<void(bool)> show{}; ///< shows or hides what the entry stands for; empty: it always shows
    bool hidden = false;
};
/// A swatch for each part and a line for each limit.
[[nodiscard]] std::vector<LegendEntry> legendEntries(const BarChartData &data, const Theme &theme);
/// Height of the legend at this width in pixels.
[[nodiscard]] double legendHeight(std::vector<LegendEntry> entries, const Theme &theme, double width);

/// The legend below the plot, in as many rows as the width needs so that no entry is cut. A click on an entry hides
/// what it stands for and shows it again; the last one shown stays.
class ChartLegend : public QGraphicsObject {
    Q_OBJECT
public:
    /// Below the plot, or `above` it where the chart is higher than what is seen of it.
    ChartLegend(QChart *chart, std::vector<LegendEntry> entries, const Theme &theme, bool above = false);
    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;
    [[nodiscard]] QStringList entries() const;
    bool toggle(std::size_t entry); ///< false: there is no such entry, or it cannot be hidden
    void setShown(const QString &text, bool shown);

signals:
    void toggled(const QString &text, bool shown);

protected:
    void mousePressEvent(QGraphicsSceneMouseEvent *event) override;

private:
    void arrange();
    [[nodiscard]] QRectF areaOf(const LegendEntry &entry) const;

    QChart *m_chart;
    Theme m_theme;
    std::vector<LegendEntry> m_entries;
    bool m_above;
    double m_height = 0;
    double m_top = 0;
};

/// The theme's font at its size, without hinting, so that text takes the same room on every device.
[[nodiscard]] QFont chartFont(const Theme &theme);
/// What is written next is in this font, and from left to right whatever the direction of the window.
void useChartFont(QPainter &painter, const QFont &font);
/// A chart without series, dressed in the theme, with the room that ours needs: no frame, no shadow, no legend of Qt's.
/// Its axes of values have as many marks as have room.
[[nodiscard]] std::unique_ptr<QChart> emptyChart(const Theme &theme);
void dress(QAbstractAxis *axis, const Theme &theme);
/// Shows the text at the pointer while it is over a chart's item and rests there.
void showHovered(const QString &text, bool entered);
/// Black or white, whichever can be read on this colour.
[[nodiscard]] QColor readableOn(const QColor &background);
/// `share` of `over` on `under`: what it looks like as an opaque colour.
[[nodiscard]] QColor mixed(const QColor &over, const QColor &under, double share);
/// The colour let through to that share; on paper an opaque one that looks like it.
[[nodiscard]] QColor faded(const QColor &colour, double share, const Theme &theme);
/// The pattern that a quantity's bars have on paper, so that they differ in grey too. The same in every chart.
[[nodiscard]] Qt::BrushStyle paperPattern(Quantity quantity);
/// The colour of a limit line.
[[nodiscard]] QColor limitColour(const Theme &theme);

} // namespace fleetwright::charts
