// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace fleetwright::reports {

/// A strip of a report that is never cut: a heading, a few lines, a table row, a chart. Lengths in any unit, all the
/// same one.
struct Strip {
    double height = 0;
    double spaceBefore = 0; ///< dropped at the top of a page
    bool keepWithNext = false; ///< headings, captions and table headers never end a page
    /// Not where a page holds little but what was left of the one before: two lines on a page of their own are no page.
    bool startsPage = false;
    double repeatedHeader = 0; ///< height of the header that is drawn again when this row opens a page
    bool keepIfFree = false; ///< as keepWithNext, where that takes no further page: rows of a short table
};

struct Place {
    int page = 0; ///< from 0
    double y = 0; ///< of the strip's top, below a repeated header
    bool withHeader = false; ///< draw the repeated header above it
    bool operator==(const Place &) const = default;
};

/// Puts strips on pages of this height, in order. A chain held together by keepWithNext moves to the next page as a
/// whole unless it is taller than a page; then it breaks where it must. A strip taller than a page starts one and runs
/// over; writers cut such strips before. What keepIfFree asks for is done for all or for none.
[[nodiscard]] std::vector<Place> paginate(std::span<const Strip> strips, double pageHeight);

/// Widths of a table's columns. Each gets its natural width where that fits; otherwise at least its longest word and a
/// share of the rest; and when even the words do not fit, columns that need less than an even share have what they
/// need, and the others share the rest evenly. The result always adds up to `width`.
struct ColumnNeeds {
    double natural = 0; ///< the longest text on one line
    double word = 0; ///< the longest word
};
[[nodiscard]] std::vector<double> columnWidths(std::span<const ColumnNeeds> columns, double width);

} // namespace fleetwright::reports
