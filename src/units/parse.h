// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/unitsymbol.h"

namespace fleetwright::units {

/// Reads what people type: "400 Gb/s", "3.35 TB/s", "80 GiB", "7e9", "7 B" (billions where a count is meant), "85 %",
/// "1 024". A number without a unit is read in `defaultSymbol` (empty: the base unit). Spaces, thin spaces,
/// apostrophes, and commas before three digits each ("32,000"), group digits; the decimal mark is a point. Upper and
/// lower case tell bits (Gb/s) from bytes (GB/s) and are never guessed. Returns the value in base units of `dimension`.
/// Errors: ParseError (not a number, a unit of another dimension, text over 200 characters), OutOfRange (NaN,
/// infinite); `field` is passed through.
[[nodiscard]] Expected<double> parseIn(
    std::string_view text, Dimension dimension, std::string_view defaultSymbol = {}, std::string_view field = {});

/// The typed form of parseIn.
template <class Q>
[[nodiscard]] Expected<Q> parse(std::string_view text, std::string_view defaultSymbol = {}, std::string_view field = {})
{
    const auto value = parseIn(text, DimensionOf<Q>::value, defaultSymbol, field);
    if (!value)
        return std::unexpected(value.error());
    return Q::from_value(*value);
}

} // namespace fleetwright::units
