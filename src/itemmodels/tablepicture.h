// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/tabletext.h"

#include <QFont>
#include <QImage>
#include <QPalette>

namespace fleetwright::itemmodels {

inline constexpr int mostPictureRows = 200; ///< what a slide or a letter has room for, and then some

struct PictureLook {
    QFont font;
    QPalette palette;
    int scale = 1; ///< pixels of the picture per logical one
};

/// The rows and columns as a table on a picture: titles in bold, numbers to the right where the cells have them so, in
/// the colours of the cells. Columns are as wide as their words up to a width at which texts wrap.
[[nodiscard]] QImage tablePicture(const QAbstractItemModel &model, const TablePart &part, const PictureLook &look);

} // namespace fleetwright::itemmodels
