// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"

#include <QStringList>

#include <functional>

namespace fleetwright::charts {

/// One cell of a heat map. A cell without a value is empty; a refused one is crossed out.
struct HeatCell {
    std::optional<double> value;
    QString text; ///< drawn where it fits
    QString toolTip;
    bool hatched = false; ///< has a value, but does not count (a plan that does not fit)
    bool refused = false;
};

/// A table of colours, before anything is drawn.
struct HeatMapData {
    QString name;
    QString description;
    QString xTitle, yTitle;
    QStringList columns; ///< along x
    QStringList rows; ///< along y, the first at the bottom
    std::vector<HeatCell> cells; ///< row by row, the first row first
    std::function<QString(double)> format; ///< of values, for the colour scale
    QString hatchedName; ///< legend entry for hatched cells
    QString refusedName; ///< legend entry for refused cells
    std::optional<std::size_t> best; ///< outlined
    QString bestName;
    std::optional<std::size_t> selected; ///< marked
    QString selectedName;
    bool logarithmic = false; ///< the colours stand for the logarithm of the values, which are all positive
    /// The user clicked a cell. Called while the chart handles the event, so whoever replaces the chart does it later.
    /// Empty: not clickable.
    std::function<void(std::size_t column, std::size_t row)> picked;
};

/// The colour at `share` (0 to 1) of the scale: evenly rising lightness, readable with colour vision deficiencies.
/// Source: map "cividis", Nuñez, Anderton, Renslow, PLOS ONE 13(7), 2018, six of its colours, linear between them.
[[nodiscard]] QColor heatColour(double share);

[[nodiscard]] ChartContent heatMap(HeatMapData data);

} // namespace fleetwright::charts
