// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/pagination.h"

#include <algorithm>
#include <cstddef>

namespace fleetwright::reports {

namespace {

/// Height of the chain that starts at `first`, with its inner spaces but without the one before it.
double chainHeight(std::span<const Strip> strips, std::size_t first)
{
    double height = strips[first].height;
    for (std::size_t i = first; i + 1 < strips.size() && strips[i].keepWithNext && !strips[i + 1].startsPage; ++i)
        height += strips[i + 1].spaceBefore + strips[i + 1].height;
    return height;
}

std::vector<Place> placed(std::span<const Strip> strips, double pageHeight)
{
    std::vector<Place> places;
    places.reserve(strips.size());
    int page = 0;
    double y = 0;
    bool ranOver = false; // the page holds what was left of the one before
    constexpr double hardlyBegun = 0.25; // of a page
    for (std::size_t i = 0; i < strips.size(); ++i) {
        const Strip &strip = strips[i];
        const bool chained = i > 0 && strips[i - 1].keepWithNext && !strip.startsPage;
        const double whole = chainHeight(strips, i);
        const double needed = !chained && whole <= pageHeight ? whole : strip.height;
        const bool first = y == 0;
        bool withHeader = false;
        const bool breaks = strip.startsPage && !(ranOver && y < hardlyBegun * pageHeight);
        if (!first && (breaks || y + strip.spaceBefore + needed > pageHeight)) {
            ++page;
            y = 0;
            ranOver = !strip.startsPage;
            withHeader = strip.repeatedHeader > 0;
        }
        y += withHeader ? strip.repeatedHeader : y == 0 ? 0 : strip.spaceBefore;
        places.push_back({page, y, withHeader});
        y += strip.height;
    }
    return places;
}

} // namespace

std::vector<Place> paginate(std::span<const Strip> strips, double pageHeight)
{
    auto plain = placed(strips, pageHeight);
    if (std::ranges::none_of(strips, &Strip::keepIfFree))
        return plain;
    std::vector<Strip> kept(strips.begin(), strips.end());
    for (auto &strip : kept)
        strip.keepWithNext = strip.keepWithNext || strip.keepIfFree;
    auto whole = placed(kept, pageHeight);
    return whole.back().page > plain.back().page ? plain : whole;
}

namespace {

/// The largest width that a column may have so that all fit, each with at most what its longest word takes.
double evenShare(std::span<const ColumnNeeds> columns, double width)
{
    std::vector<double> words;
    for (const auto &column : columns)
        words.push_back(column.word);
    std::ranges::sort(words);
    double rest = width;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const double share = rest / double(words.size() - i);
        if (words[i] > share)
            return share;
        rest -= words[i];
    }
    return width;
}

} // namespace

std::vector<double> columnWidths(std::span<const ColumnNeeds> columns, double width)
{
    double natural = 0;
    double words = 0;
    for (const auto &column : columns) {
        natural += column.natural;
        words += column.word;
    }
    const double share = evenShare(columns, width);
    std::vector<double> widths;
    widths.reserve(columns.size());
    for (const auto &column : columns) {
        if (natural <= width)
            widths.push_back(column.natural
                + (natural > 0 ? (width - natural) * column.natural / natural : width / double(columns.size())));
        else if (words <= width)
            widths.push_back(column.word + (width - words) * (column.natural - column.word) / (natural - words));
        else
            widths.push_back(std::min(column.word, share));
    }
    return widths;
}

} // namespace fleetwright::reports
