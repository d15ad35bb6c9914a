// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/fleet.h" // mostNodes
#include "solver/worksheet/worksheet.h"

/// How the lists of rows are written down; included by the sources that hold them.
namespace fleetwright::sheetrows {

using Entry = SheetEntry;

[[nodiscard]] constexpr Entry notNegative() { return {.kind = Entry::Kind::Value}; }
[[nodiscard]] constexpr Entry positive() { return {.kind = Entry::Kind::Value, .above = true}; }
[[nodiscard]] constexpr Entry within(double least, double most)
{
    return {.kind = Entry::Kind::Value, .least = least, .most = most};
}
[[nodiscard]] constexpr Entry share() { return within(0, 1); }
[[nodiscard]] constexpr Entry rate() { return within(-0.99, 10); }
[[nodiscard]] constexpr Entry counted(double least, double most)
{
    return {.kind = Entry::Kind::Whole, .least = least, .most = most};
}
[[nodiscard]] constexpr Entry flag() { return {.kind = Entry::Kind::Flag, .most = 1}; }
[[nodiscard]] constexpr Entry oneOf(std::span<const std::string_view> words)
{
    return {.kind = Entry::Kind::Word, .most = double(words.size()) - 1, .words = words};
}
[[nodiscard]] constexpr Entry required(Entry entry, std::string_view unless = {})
{
    entry.required = true;
    entry.unless = unless;
    return entry;
}
/// The range that was published for the default.
[[nodiscard]] constexpr Entry ranging(Entry entry, double low, double high)
{
    entry.low = low;
    entry.high = high;
    return entry;
}

// Rows of several sheets.
inline constexpr SheetRow utilisation{
    .key = "utilisation", .label = "Utilisation", .unit = "", .formula = "1", .entry = within(1e-6, 1)};
inline constexpr SheetRow availability{
    .key = "availability", .label = "Availability", .unit = "", .formula = "1", .entry = within(1e-6, 1)};
inline constexpr SheetRow serverRatio{.key = "server_ratio",
    .label = "Power of a server over the TDP of its accelerators",
    .unit = "",
    .formula = "1.75",
    .entry = ranging(within(1, 4), 1.5, 2),
    .source = "estimate: median of the nodes that state both"};
inline constexpr std::string_view hoursOfAYear = "accelerators * 8760[h] * availability * utilisation";

inline constexpr double mostPerNode = 1e4, mostLife = 200, mostWhole = 9e15;

} // namespace fleetwright::sheetrows
