// SPDX-License-Identifier: GPL-3.0-or-later
// Tables for people.
#include "cli/displaywidth.h"
#include "cli/output.h"
#include "cli/visibleoutput.h"
#include "text/localized.h"
#include "units/visibletext.h"

#include <algorithm>
#include <iostream>
#include <numeric>

namespace fleetwright::cli {

namespace {

constexpr std::string_view columnGap = "  ";

/// A column as wide as what stands in it.
struct ColumnWidth {
    std::size_t width = 0;
    std::size_t least = 0; ///< which it can be made
};

std::size_t total(const std::vector<ColumnWidth> &columns)
{
    return std::accumulate(columns.begin(), columns.end(), columnGap.size() * (columns.size() - 1),
        [](std::size_t sum, const ColumnWidth &column) { return sum + column.width; });
}

/// One long cell shifts its own line instead of spreading all others.
std::vector<ColumnWidth> widthsInFile(const Table &table)
{
    constexpr std::size_t widest = 100;
    std::vector<ColumnWidth> columns;
    for (const auto &column : table.columns)
        columns.push_back({displayWidth(column.title), 0});
    for (const auto &row : table.rows)
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (const auto needed = displayWidth(row[i]); needed <= widest)
                columns[i].width = std::max(columns[i].width, needed);
    return columns;
}

/// Words wrap until the lines fit, those of the widest column first, and words of more than `longestWord` columns
/// break; a column of figures keeps its width.
std::vector<ColumnWidth> widthsWithin(const Table &table, std::size_t room, std::size_t longestWord)
{
    std::vector<ColumnWidth> columns;
    for (const auto &column : table.columns)
        columns.push_back({displayWidth(column.title), narrowest(column.title, longestWord)});
    for (const auto &row : table.rows)
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const auto needed = displayWidth(row[i]);
            columns[i].width = std::max(columns[i].width, needed);
            columns[i].least = std::max(
                columns[i].least, table.columns[i].rightAligned ? needed : narrowest(row[i], longestWord));
        }
    while (total(columns) > room) {
        ColumnWidth *widest = nullptr;
        for (auto &column : columns)
            if (column.width > column.least && (!widest || column.width > widest->width))
                widest = &column;
        if (!widest)
            break;
        --widest->width;
    }
    return columns;
}

/// Ids stay whole where there is room. Wider than the room where figures alone are.
std::vector<ColumnWidth> widthsOnTerminal(const Table &table, std::size_t room)
{
    constexpr std::size_t wholeIds = 24, parts = 12;
    auto columns = widthsWithin(table, room, wholeIds);
    if (total(columns) <= room)
        return columns;
    auto narrower = widthsWithin(table, room, parts);
    return total(narrower) <= room ? narrower : columns;
}

std::string paddedCell(const std::string &text, std::size_t columns, bool rightAligned)
{
    const std::string gap(columns - std::min(columns, displayWidth(text)), ' ');
    return rightAligned ? gap + text : text + gap;
}

void writeRow(std::ostream &out, const std::vector<std::vector<std::string>> &cells,
    const std::vector<ColumnWidth> &widths, const Table &table)
{
    std::size_t height = 0;
    for (const auto &lines : cells)
        height = std::max(height, lines.size());
    for (std::size_t at = 0; at < height; ++at) {
        std::string line;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const auto &text = at < cells[i].size() ? cells[i][at] : std::string();
            line += std::string(i == 0 ? "" : columnGap)
                + paddedCell(text, widths[i].width, table.columns[i].rightAligned);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    }
}

void writeWithin(std::ostream &out, const Table &table, std::optional<std::size_t> room)
{
    const auto widths = room ? widthsOnTerminal(table, *room) : widthsInFile(table);
    const auto cellsOf = [&](const auto &textAt) {
        std::vector<std::vector<std::string>> cells;
        for (std::size_t i = 0; i < widths.size(); ++i)
            cells.push_back(room ? wrapped(textAt(i), widths[i].width) : std::vector<std::string>{textAt(i)});
        return cells;
    };
    writeRow(out, cellsOf([&](std::size_t i) { return table.columns[i].title; }), widths, table);
    writeRow(out, cellsOf([&](std::size_t i) { return std::string(widths[i].width, '-'); }), widths, table);
    for (const auto &row : table.rows)
        writeRow(out, cellsOf([&](std::size_t i) { return row[i]; }), widths, table);
}

/// The first column, which says what a row is of, and those from `from` to before `end`.
Table block(const Table &table, std::size_t from, std::size_t end)
{
    const auto of = [&](const auto &all) {
        auto some = std::vector{all.front()};
        some.insert(some.end(), all.begin() + std::ptrdiff_t(from), all.begin() + std::ptrdiff_t(end));
        return some;
    };
    Table columns{of(table.columns), {}};
    for (const auto &row : table.rows)
        columns.rows.push_back(of(row));
    return columns;
}

bool fits(const Table &table, std::size_t room) { return total(widthsOnTerminal(table, room)) <= room; }

/// Below each other, with a blank line between them: each with as many columns as fit, and one at least.
void writeInBlocks(std::ostream &out, const Table &table, std::size_t room)
{
    for (std::size_t from = 1; from < table.columns.size();) {
        auto end = from + 1;
        while (end < table.columns.size() && fits(block(table, from, end + 1), room))
            ++end;
        out << (from > 1 ? "\n" : "");
        writeWithin(out, block(table, from, end), room);
        from = end;
    }
}

} // namespace

void writeAligned(std::ostream &out, const Table &given)
{
    auto table = given; // as it will be seen, or what is shown of a hidden character would shift its line
    const WordsAsTheyAre inLanguageAlready;
    for (auto &column : table.columns)
        column.title = localized(column.title).toStdString();
    for (auto &row : table.rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool isName = i < table.columns.size() && table.columns[i].isOfNames;
            row[i] = visibleText(isName ? row[i] : localized(row[i]).toStdString());
        }
    const auto room = &out == &std::cout ? VisibleOutput::columns() : std::nullopt;
    if (room && table.columns.size() > 1 && !fits(table, *room))
        writeInBlocks(out, table, *room);
    else
        writeWithin(out, table, room);
}

} // namespace fleetwright::cli
