// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/fleettables.h"

#include "solver/worksheet/formulawords.h"
#include "solver/worksheet/rowlists.h"

#include <algorithm>

namespace fleetwright {

namespace {

struct GroupRule {
    std::string_view title;
    std::span<const SheetRow> rows;
};

/// In the order in which people look for them; the number of the group, or that of none.
std::size_t groupOf(std::string_view key, std::string_view &title)
{
    static const auto groups = std::to_array<GroupRule>(
        {{"Capital", rowlists::capital()}, {"Running", rowlists::running()}, {"Rent", rowlists::rent()},
            {"Money", rowlists::discounting()}, {"Money", rowlists::finance()}, {"Power", rowlists::power()},
            {"Failures", rowlists::goodput()}, {"Calendar", rowlists::calendar()}});
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (std::ranges::find(groups[i].rows, key, &SheetRow::key) != groups[i].rows.end()) {
            title = groups[i].title;
            return i;
        }
    return groups.size();
}

FleetEntryLine entryLine(
    const Worksheet::Row &row, const FleetDocument &document, const Fleet &fleet, const CostSheet &sheet)
{
    FleetEntryLine line{.key = row.key, .label = row.label, .unit = row.unit, .kind = row.entry.kind};
    std::string_view title;
    groupOf(row.key, title);
    line.group = title;
    line.words.assign(row.entry.words.begin(), row.entry.words.end());
    line.value = sheet.value(row.key, row.shape == SheetShape::Single ? 0 : 1);
    const auto stated = document.costs.entries.find(row.key);
    const auto *cost = fleet->costs.find(row.key);
    const auto &entered = sheet.sheet().entries().figure(*sheet.sheet().sheet().find(row.key));
    if (entered) {
        line.low = entered->low;
        line.high = entered->high;
        line.source = entered->source;
        line.date = entered->date;
        const bool isDefault = !cost && row.entry.low < row.entry.high && entered->source == row.source;
        line.origin = isDefault || (cost && cost->assumed) ? EntryOrigin::Assumed : EntryOrigin::OfCatalog;
        if (entered->rangeIsAssumed)
            line.note = "The range is an assumption: the source states one value.";
    } else if (line.value) {
        line.origin = EntryOrigin::Assumed;
        const bool isConstant = row.formula && row.formula->operation == SheetOperation::Number;
        line.source = !row.source.empty() ? row.source
            : isConstant || !row.formula  ? "assumption"
                                          : "= " + formulaInWords(sheet.sheet().sheet(), *row.formula);
        if (row.entry.high > row.entry.low) {
            line.low = row.entry.low;
            line.high = row.entry.high;
        }
    } else {
        line.note = sheet.reasonFor(row.key);
    }
    if (cost && !cost->notice.empty())
        line.note = cost->notice;
    if (stated != document.costs.entries.end()) {
        line.origin = EntryOrigin::OfFleet;
        if (const auto id = priceNamedFor(row.key, stated->second))
            line.priceId = *id;
    }
    return line;
}

} // namespace

std::string_view toString(EntryOrigin origin)
{
    switch (origin) {
    case EntryOrigin::OfFleet: return "fleet";
    case EntryOrigin::OfCatalog: return "catalog";
    case EntryOrigin::Assumed: return "assumption";
    case EntryOrigin::Missing: break;
    }
    return "missing";
}

std::vector<FleetEntryLine> entriesOf(const FleetDocument &document, const Fleet &fleet, const CostSheet &sheet)
{
    std::vector<FleetEntryLine> lines;
    for (const auto &row : sheet.sheet().sheet().rows())
        if (row.isEntry() && !isStatedElsewhere(row.key))
            lines.push_back(entryLine(row, document, fleet, sheet));
    std::ranges::stable_sort(lines, {}, [](const FleetEntryLine &line) {
        std::string_view title;
        return groupOf(line.key, title);
    });
    return lines;
}

} // namespace fleetwright
