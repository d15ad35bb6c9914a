// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"

#include <QColor>
#include <QSize>

namespace fleetwright::charts {

/// A picture that is drawn in any resolution; sizes in pixels.
struct Drawing {
    QString name, description;
    QSize size;
    QColor background;
    std::function<void(QPainter &)> paint;
};
/// In twice the screen size, for slides and documents.
[[nodiscard]] QImage picture(const Drawing &drawing);
/// As a document of SVG, with its name and its sentence.
[[nodiscard]] QByteArray svg(const Drawing &drawing);
/// Into the clipboard: as a picture, or as SVG (image/svg+xml) and its text.
void copyPicture(const Drawing &drawing);
void copySvg(const Drawing &drawing);

/// The chart as it is drawn in this size.
[[nodiscard]] Drawing drawingOf(const ChartContent &content, const Theme &theme, const QSize &size);

} // namespace fleetwright::charts
