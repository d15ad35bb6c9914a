// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzzsupport.h"
#include "units/format.h"
#include "units/parse.h"
#include "units/unitsymbol.h"
#include "units/visibletext.h"

#include <array>
#include <cmath>

namespace fleetwright::fuzz {

namespace {

/// What is read is a finite number, and as it is shown exactly it is read as the same number again.
bool takeQuantity(std::string_view text)
{
    bool any = false;
    const auto shown = visibleText(text);
    require(findHidden(shown) == std::string_view::npos, "a visible text hides nothing");
    for (const auto &unit : units::unitSymbols()) {
        const auto value = units::parseIn(text, unit.dimension, unit.symbol, "field");
        if (!value)
            continue;
        any = true;
        require(std::isfinite(*value), "a quantity is finite");
        require(!units::format(*value, unit.dimension).empty(), "a quantity is shown");
        const auto again = units::parseIn(units::exact(*value), unit.dimension, units::baseSymbol(unit.dimension));
        require(again && (*again == *value || std::abs(*again / *value - 1) < 1e-12),
            "a number as it is shown exactly is read as the same number");
    }
    return any;
}

std::vector<std::string> unitsSeeds()
{
    std::vector<std::string> seeds{"400 Gb/s", "3.35 TB/s", "80 GiB", "7e9", "7 B", "85 %", "1 024", "1'024.5", "-3 d",
        "0.1 USD/kWh", "1e-300 s", "1e308 PB"};
    for (const auto &unit : units::unitSymbols())
        seeds.push_back("1.5 " + std::string(unit.symbol));
    return seeds;
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(units, takeQuantity, unitsSeeds, Form::Text, 6000)

} // namespace fleetwright::fuzz
