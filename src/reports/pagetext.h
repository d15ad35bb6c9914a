// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/pagedreport.h"

#include <QColor>
#include <QFont>
#include <QTextLayout>

class QFontMetricsF;

/// Type of paged reports: sizes, colours and blocks of text. Lengths in dots unless they say points.
namespace fleetwright::reports {

inline constexpr double sideMargin = 45; ///< points, as all that follow
inline constexpr double topMargin = 50;
inline constexpr double bottomMargin = 48;
inline constexpr double titleSize = 18;
inline constexpr double bodySize = 9;
inline constexpr double tableSize = 7.5;
inline constexpr double smallSize = 7;
inline constexpr double cellPadding = 3; ///< beside a cell's text
inline constexpr double rowPadding = 1.5; ///< above and below it
inline constexpr double gutter = 14; ///< between two columns or two charts
inline constexpr std::size_t linesPerStrip = 24; ///< longer texts may break across pages

inline const QColor ink(0x20, 0x24, 0x28);
inline const QColor quietInk(0x5a, 0x61, 0x68);
inline const QColor rule(0xb8, 0xbd, 0xc2);
inline const QColor headerFill(0xe9, 0xee, 0xf2);
inline const QColor stripeFill(0xf6, 0xf8, 0xf9);
inline const QColor noteFill(0xff, 0xf4, 0xe0);
inline const QColor noteBar(0xe6, 0x9f, 0x00);

/// The paper's font; `size` in points.
[[nodiscard]] QFont fontOf(double size, bool bold = false);

/// A text broken into lines of one width. Lines have one height, so a range of them can be drawn alone.
class TextBlock {
public:
    /// Words and units that come closer to the width than `gap` are broken where they may be.
    TextBlock(
        const QString &text, const QFont &font, double width, Qt::Alignment alignment = Qt::AlignLeft, double gap = 0);
    [[nodiscard]] std::size_t lines() const;
    [[nodiscard]] double lineHeight() const { return m_lineHeight; }
    [[nodiscard]] double height() const { return double(lines()) * m_lineHeight; }
    void draw(QPainter &painter, QPointF at, std::size_t first, std::size_t count) const;
    void draw(QPainter &painter, QPointF at) const { draw(painter, at, 0, lines()); }

private:
    std::unique_ptr<QTextLayout> m_layout;
    double m_lineHeight;
};

/// Advance of the longest word.
[[nodiscard]] double longestWord(const QString &text, const QFontMetricsF &metrics);
/// Where a word is wider than the lines, it breaks before the unit, then inside it: never inside a number.
[[nodiscard]] QString fitting(QString text, const QFontMetricsF &metrics, double width);
/// Ranges ("230 to 278") and units ("USD/kWh") are not broken over lines.
[[nodiscard]] QString held(QString text);
/// On one line, and held(). QString::simplified() would also turn the no-break spaces of "3.35 TB/s" into places to
/// break.
[[nodiscard]] QString unbroken(QString text);

} // namespace fleetwright::reports
