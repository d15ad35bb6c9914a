// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/worksheet/fleettables.h"

namespace fleetwright {

/// What of an entry somebody types.
enum class EntryPart : std::uint8_t { Likely, Low, High };

/// What the fleet's document states after the text was typed there. Numbers as units::calculated() and parseIn() read
/// them, in the unit of the row ("85 %" for shares); words of the entry; "yes" and "no". A range that the document
/// states stays as long as it holds the likely value; the first end of a range that is typed takes the other end from
/// what stands there, else the likely value; an end that is cleared takes the range away. ParseError: not read;
/// UnsupportedValue: another word, or an end of something that is no number. Ranges are judged where the sheet is
/// filled in.
[[nodiscard]] Expected<CostEntry> typedEntry(
    const FleetEntryLine &line, const CostDocument &document, EntryPart part, std::string_view text);

/// The value as typedEntry() reads it back: the full number, a word, "yes" or "no"; empty where there is none.
[[nodiscard]] std::string editText(const FleetEntryLine &line, EntryPart part);

} // namespace fleetwright
