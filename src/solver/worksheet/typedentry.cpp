// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/typedentry.h"

#include "units/calculation.h"
#include "units/format.h"
#include "units/parse.h"

#include <algorithm>

namespace fleetwright {

namespace {

std::string_view stripped(std::string_view text)
{
    constexpr std::string_view blanks = " \t";
    const auto first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

Expected<double> numberOf(const FleetEntryLine &line, std::string_view text)
{
    const auto field = "fleet.costs." + line.key;
    if (line.kind == SheetEntry::Kind::Flag && (text == "yes" || text == "no"))
        return text == "yes" ? 1.0 : 0.0;
    if (line.kind == SheetEntry::Kind::Word) {
        const auto found = std::ranges::find(line.words, text);
        std::string known;
        for (const auto &word : line.words)
            known += (known.empty() ? "" : ", ") + word;
        if (found == line.words.end())
            return refuse(ErrorCode::UnsupportedValue, field, line.label + " is one of: " + known + ".");
        return double(found - line.words.begin());
    }
    const auto dimension = line.unit.empty() ? units::Dimension::Fraction : units::Dimension::Number;
    return units::parseIn(units::calculated(text), dimension, {}, field);
}

} // namespace

Expected<CostEntry> typedEntry(
    const FleetEntryLine &line, const CostDocument &document, EntryPart part, std::string_view typed)
{
    const auto text = stripped(typed);
    const auto stated = document.entries.find(line.key);
    CostEntry entry;
    if (stated != document.entries.end() && std::holds_alternative<double>(stated->second.value))
        entry = stated->second;
    else
        entry.value = line.value.value_or(0);
    if (part == EntryPart::Likely) {
        const auto value = numberOf(line, text);
        if (!value)
            return std::unexpected(value.error());
        if (line.kind == SheetEntry::Kind::Word)
            return CostEntry{.value = std::string(text)};
        if (line.kind == SheetEntry::Kind::Flag)
            return CostEntry{.value = *value != 0};
        entry.value = *value;
        if (entry.low && entry.high && !(*entry.low <= *value && *value <= *entry.high))
            entry.low = entry.high = std::nullopt;
        return entry;
    }
    if (line.kind == SheetEntry::Kind::Word || line.kind == SheetEntry::Kind::Flag || !line.value)
        return refuse(ErrorCode::UnsupportedValue, "fleet.costs." + line.key,
            line.value ? line.label + " has no range." : "Enter the value of " + line.label + " first.");
    if (text.empty()) {
        entry.low = entry.high = std::nullopt;
        return entry;
    }
    const auto end = numberOf(line, text);
    if (!end)
        return std::unexpected(end.error());
    const double likely = std::get<double>(entry.value);
    entry.low = part == EntryPart::Low ? *end : entry.low.value_or(line.low.value_or(likely));
    entry.high = part == EntryPart::High ? *end : entry.high.value_or(line.high.value_or(likely));
    return entry;
}

std::string editText(const FleetEntryLine &line, EntryPart part)
{
    const auto &value = part == EntryPart::Likely ? line.value : part == EntryPart::Low ? line.low : line.high;
    if (!value)
        return {};
    if (line.kind == SheetEntry::Kind::Flag)
        return *value != 0 ? "yes" : "no";
    if (line.kind == SheetEntry::Kind::Word) {
        const auto index = std::size_t(std::max(0.0, *value));
        return index < line.words.size() ? line.words[index] : std::string();
    }
    return units::exact(*value);
}

} // namespace fleetwright
