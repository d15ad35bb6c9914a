// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/plotitem.h"

namespace fleetwright::charts {

/// Rows one below the other, the first on top: a name beside the plot and a bar in it.
class RowsItem : public PlotItem {
    Q_OBJECT
public:
    /// `barShare`: of a row; `mostLines`: a bar is no higher than so many lines of text, for few rows in a high chart.
    RowsItem(QChart *chart, std::size_t rows, double barShare, double mostLines, const Theme &theme)
        : PlotItem(chart, theme), m_rows(rows), m_barShare(barShare), m_mostLines(mostLines)
    {
    }

protected:
    [[nodiscard]] virtual QString toolTipOf(std::size_t row) const = 0;
    /// Of the row at this height, beside the plot as well.
    [[nodiscard]] QString textAt(const QPointF &where) const override;
    [[nodiscard]] QRectF bar(std::size_t row, double from, double to) const;
    /// At the left edge, on as many lines as it needs, shortened in its middle where the row is too low for them; with
    /// the painter's font and pen.
    void paintName(QPainter &painter, const QString &name, double middle) const;

private:
    std::size_t m_rows;
    double m_barShare, m_mostLines;
};

/// The axis of the rows, which is not shown; the other one must have been added.
void addRowsAxis(QChart *chart, std::size_t rows);
/// Room for the names, which Qt's own axis would shorten to nothing; call it after the legend, which sets the margins.
void makeRoomForNames(QChart *chart, const QStringList &names, const Theme &theme);
/// The most that makeRoomForNames() leaves for a name.
[[nodiscard]] double roomForNames(const Theme &theme, double chartWidth);
/// Lines that the longest of the names takes in this width.
[[nodiscard]] int nameLines(const QStringList &names, const Theme &theme, double width);
/// Of a chart of rows with its axis and legend.
[[nodiscard]] int heightOfRows(
    std::size_t rows, double linesPerRow, std::vector<LegendEntry> legend, const Theme &theme, int width);

} // namespace fleetwright::charts
