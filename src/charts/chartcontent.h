// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/charts.h"
#include "charts/charttable.h"

#include <QImage>

#include <functional>

namespace fleetwright::charts {

/// Anything that a ChartView, a picture file or a report can show: what it is called, what it says in one sentence, and
/// how it is drawn.
struct ChartContent {
    QString name; ///< accessible name and suggested file name
    QString description; ///< one sentence, for screen readers and text-only reports
    std::function<std::unique_ptr<QChart>(const Theme &theme)> draw;
    /// Height in pixels at which everything is readable when the chart is `width` pixels wide.
    std::function<int(const Theme &theme, int width)> naturalHeight;
    std::function<ChartTable()> table{}; ///< what is drawn, in numbers; empty: it has no table
};

/// The chart in twice the screen size, for slides and documents.
[[nodiscard]] QImage picture(const ChartContent &content, const Theme &theme, const QSize &size);
/// The chart as a document of SVG, with its name and its sentence.
[[nodiscard]] QByteArray svg(const ChartContent &content, const Theme &theme, const QSize &size);

/// Writes the chart to a file beside `path` and renames it. IoError names the file. Sizes in pixels.
[[nodiscard]] Expected<void> writeSvg(
    const ChartContent &content, const Theme &theme, const QSize &size, const QString &path);
[[nodiscard]] Expected<void> writePng(
    const ChartContent &content, const Theme &theme, const QSize &size, const QString &path);

} // namespace fleetwright::charts
