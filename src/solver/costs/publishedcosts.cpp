// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/costs/publishedcosts.h"

#include "units/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace fleetwright::costs {

namespace {

struct KindWords {
    CostKind kind;
    std::string_view word, title;
    units::Dimension dimension;
};
using units::Dimension;
constexpr std::array<KindWords, allCostKinds.size()> kindWords{{
    {CostKind::AllInPower, "all_in_power", "All-in power per accelerator", Dimension::Power},
    {CostKind::MeteredNode, "metered_node", "Metered nodes in training", Dimension::Power},
    {CostKind::MeteredEnergy, "metered_energy", "Metered energies of runs", Dimension::Energy},
    {CostKind::AllInCapital, "all_in_capital", "All-in capital per accelerator", Dimension::Money},
    {CostKind::Purchase, "purchase", "Purchases", Dimension::Money},
    {CostKind::Programme, "programme", "Purchases with operation", Dimension::Money},
    {CostKind::Rental, "rental", "Rentals of a year", Dimension::Money},
    {CostKind::RunCost, "run_cost", "Run costs (arithmetic)", Dimension::Money},
    {CostKind::CircularEnergy, "circular_energy", "Energies from a constant (arithmetic)", Dimension::Energy},
    {CostKind::Interruptions, "interruptions", "Interruptions", Dimension::Number},
}};

const KindWords &wordsOf(CostKind kind) { return *std::ranges::find(kindWords, kind, &KindWords::kind); }

/// The first number in the text, which may be followed by other words.
std::optional<double> firstNumber(std::string_view text)
{
    const auto start = text.find_first_of("0123456789");
    if (start == std::string_view::npos)
        return std::nullopt;
    double value = 0;
    const auto read = std::from_chars(text.data() + start, text.data() + text.size(), value);
    return read.ec == std::errc() ? std::optional(value) : std::nullopt;
}

/// "restarts factor 1.5", after the prefix.
std::optional<CostTolerance> factorAfter(std::string_view text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return std::nullopt;
    const auto factor = firstNumber(text.substr(prefix.size()));
    return factor && *factor > 1 ? std::optional(CostTolerance{CostTolerance::Rule::Factor, *factor}) : std::nullopt;
}

std::optional<CostTolerance> shareAfter(std::string_view text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return std::nullopt;
    const auto percent = firstNumber(text.substr(prefix.size()));
    return percent && *percent > 0 ? std::optional(CostTolerance{CostTolerance::Rule::Share, *percent / 100})
                                   : std::nullopt;
}

} // namespace

std::string_view toString(CostKind kind) { return wordsOf(kind).word; }
std::string_view title(CostKind kind) { return wordsOf(kind).title; }
units::Dimension dimensionOf(CostKind kind) { return wordsOf(kind).dimension; }

std::string_view baseUnit(CostKind kind)
{
    switch (dimensionOf(kind)) {
    case Dimension::Power: return "W";
    case Dimension::Energy: return "J";
    case Dimension::Money: return "USD";
    default: return "1";
    }
}

std::optional<CostKind> costKindOf(std::string_view word)
{
    const auto found = std::ranges::find(kindWords, word, &KindWords::word);
    return found == kindWords.end() ? std::nullopt : std::optional(found->kind);
}

bool CostTolerance::holds(double ratio) const
{
    constexpr double rounding = 1e-12;
    switch (rule) {
    case Rule::Share: return std::abs(ratio - 1) <= value + rounding;
    case Rule::Factor: return ratio <= value + rounding && ratio * value >= 1 - rounding;
    case Rule::Bracket: return false;
    }
    return false;
}

std::string inWords(const CostTolerance &tolerance)
{
    switch (tolerance.rule) {
    case CostTolerance::Rule::Share: return units::formatPercent(tolerance.value);
    case CostTolerance::Rule::Factor: return "factor " + units::exact(tolerance.value);
    case CostTolerance::Rule::Bracket: return "in range";
    }
    return {};
}

std::optional<CostTolerance> toleranceOf(std::string_view goodEnough, CostKind kind)
{
    switch (kind) {
    case CostKind::Purchase:
        if (const auto factor = factorAfter(goodEnough, "factor-"))
            return factor;
        return shareAfter(goodEnough, "yes");
    case CostKind::Programme: return factorAfter(goodEnough, "tco-factor-");
    case CostKind::Rental:
    case CostKind::MeteredNode: return shareAfter(goodEnough, "yes");
    case CostKind::MeteredEnergy: return shareAfter(goodEnough, "energy");
    case CostKind::Interruptions: return factorAfter(goodEnough, "failures: restarts factor");
    case CostKind::AllInPower:
    case CostKind::AllInCapital:
    case CostKind::RunCost:
    case CostKind::CircularEnergy: return std::nullopt;
    }
    return std::nullopt;
}

} // namespace fleetwright::costs
