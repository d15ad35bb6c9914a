// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPalette>
#include <QString>

class QLabel;

namespace fleetwright::app {

enum class ThemeChoice { System, Light, Dark };

/// Distances of the layout grid, in device-independent pixels.
inline constexpr int gridUnit = 8;

[[nodiscard]] QPalette lightPalette();
[[nodiscard]] QPalette darkPalette();

/// Fusion style and palette for the whole program. `System` follows what the desktop had set when the program started.
void applyTheme(ThemeChoice choice);

/// Whether the palette has light text on a dark ground; charts and icons ask this.
[[nodiscard]] bool isDark(const QPalette &palette);

/// The colour for text that warns or reports an error, readable on the palette's window colour.
[[nodiscard]] QColor warningColour(const QPalette &palette);
[[nodiscard]] QColor errorColour(const QPalette &palette);
/// A line edit with this property has an outline in errorColour().
inline constexpr char refusedProperty[] = "refused";
/// Text that explains and may be overlooked.
[[nodiscard]] QColor quietColour(const QPalette &palette);

/// One of our own icons ("plan", "catalog"...) in the palette's text colour.
[[nodiscard]] QIcon icon(const QString &name, const QPalette &palette);

/// A text that somebody else draws, kept in its own order where the layout runs from right to left: else the numbers
/// and the full stop of "12 runs in 3 ms." change places.
[[nodiscard]] QString keptInOrder(const QString &text, Qt::LayoutDirection layout);

/// The larger of the two type sizes of a page.
void makeTitle(QLabel *label);
/// Bold, in the size of the text.
void makeHeading(QLabel *label);

} // namespace fleetwright::app
