// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/worksheet/fleetcost.h"

/// What a fleet costs as tables: which rows of its sheet stand in which, the same in the window and on the command
/// line. No figure is computed here.
namespace fleetwright {

/// A line of the bill of materials. What is known to be ordered but has no price of its own here has no amount.
struct FleetBillLine {
    std::string key; ///< row of the amount; of lines without one, of the count
    std::string part; ///< row of the capital that it is a part of: "network_usd"
    std::string label; ///< what it is for: "Leaf switches"
    std::string item; ///< of the catalog; empty: none
    std::string countKey{}, priceKey{}; ///< rows; empty: none
    std::string countUnit{}, priceUnit{};
    std::optional<double> count{}, price{}, amount{}; ///< in the units of their rows
    std::string date{}; ///< of the price
    bool isOld = false; ///< the price, against those of the catalog
    std::string source{}; ///< of the price, else of the count
    std::string note{}; ///< why there is no price or amount, or what the line leaves out
    bool isTotal = false;
    bool operator==(const FleetBillLine &) const = default;
};
/// "Capital"; of a fleet that is rented "Capital, were it bought".
[[nodiscard]] std::string_view capitalLabel(Paying paying);
/// The lines with an amount add up to the last one, the capital. A line of nothing is left out.
[[nodiscard]] std::vector<FleetBillLine> billOfMaterials(const Fleet &fleet, const CostSheet &sheet);

/// Tables of single figures.
enum class FleetSection : std::uint8_t { Power, Capital, Running, Levelised, Rent, Goodput, Calendar };
inline constexpr std::array allFleetSections{FleetSection::Power, FleetSection::Capital, FleetSection::Running,
    FleetSection::Levelised, FleetSection::Rent, FleetSection::Goodput, FleetSection::Calendar};
[[nodiscard]] std::string_view toString(FleetSection section); ///< "power", "capital", "running", "levelised"...
[[nodiscard]] std::string_view titleOf(FleetSection section);

struct FleetFigureLine {
    std::string key, label, unit;
    std::size_t column = 0; ///< year of rows that have them
    std::optional<SheetRange> value{};
    std::optional<double> share{}; ///< of the section's total
    std::string source{}; ///< of an entry, or of the formula
    std::string note{}; ///< "estimated", or why there is no value
    bool isTotal = false;
    bool isShare = false; ///< written as a percentage
    bool isAtLeast = false; ///< a part of it is not known: isAtLeast() of its sheet; the note says which
    bool operator==(const FleetFigureLine &) const = default;
};
[[nodiscard]] std::vector<FleetFigureLine> figuresOf(FleetSection section, const CostSheet &sheet);

/// A row of years: column 0 is the start.
struct FleetYearsLine {
    std::string key, label, unit;
    std::vector<double> years;
    bool isTotal = false;
    bool operator==(const FleetYearsLine &) const = default;
};
/// Expenses by line, loan, taxes and cash flow; rows that are 0 in every year are left out.
[[nodiscard]] std::vector<FleetYearsLine> cashFlowOf(const CostSheet &sheet);

/// Where the value of an entry is from.
enum class EntryOrigin : std::uint8_t { OfFleet, OfCatalog, Assumed, Missing };
[[nodiscard]] std::string_view toString(EntryOrigin origin); ///< "fleet", "catalog", "assumption", "missing"

/// One entry of the sheet: what prices and terms a fleet can state.
struct FleetEntryLine {
    std::string key, label, unit, group;
    EntryOrigin origin = EntryOrigin::Missing;
    std::optional<double> value{}, low{}, high{};
    std::string priceId{}; ///< that the fleet's document names
    std::string source{}, date{};
    std::string note{}; ///< what is doubtful about it, or how to enter it
    SheetEntry::Kind kind = SheetEntry::Kind::Value;
    std::vector<std::string> words{}; ///< that the value counts from 0
    bool operator==(const FleetEntryLine &) const = default;
};
/// Of a fleet's sheet, without what its form states (nodes, accelerators in a node).
[[nodiscard]] std::vector<FleetEntryLine> entriesOf(
    const FleetDocument &document, const Fleet &fleet, const CostSheet &sheet);

/// How the fleet compares with renting, in sentences: what is cheaper over the life, from which month, utilisation and
/// rent on; or what is missing for an answer.
[[nodiscard]] std::vector<std::string> buyOrRentInWords(const Fleet &fleet, const CostSheet &sheet);
/// Which rent that is: "on demand", "reserved for 3 years from a vendor", "at the price that was entered".
[[nodiscard]] std::string rentInWords(const Fleet &fleet);

/// The largest fleet of these nodes on this fabric whose facility peak is within the contract; power rises with the
/// nodes. 0: not even one node is. Prices and terms are the fleet's. OutOfRange "contract" for a contract that is not
/// above 0 and finite; those of fleetCost().
[[nodiscard]] Expected<int> mostNodesWithin(const Fleet &fleet, Watts contract);

/// "58 200 000.00": money to the cent, as lines that must add up show it.
[[nodiscard]] std::string centsText(double dollars);
/// A value in a row's unit as people read it: "6.97 MW", "2.31 USD/(accelerator h)", "31 months".
[[nodiscard]] std::string valueText(double value, std::string_view unit);
/// A range in one unit for all of it: "1.40", "1.48", "1.68" and "MUSD". Low and high are empty where there is none;
/// an open end is "never". Money that stands in a table is in the unit that the largest amount beside it reads in,
/// where `largest` says what that is.
struct RangeTexts {
    std::string low, likely, high, unit;
};
[[nodiscard]] RangeTexts rangeTexts(
    const SheetRange &range, std::string_view unit, std::optional<double> largest = std::nullopt);
/// "1.48 MUSD (1.40 to 1.68)".
[[nodiscard]] std::string rangeText(const SheetRange &range, std::string_view unit);
/// The same of a figure of a table, which must have a value: shares are percentages.
[[nodiscard]] RangeTexts rangeTexts(const FleetFigureLine &line, std::optional<double> largestOfTable = std::nullopt);
[[nodiscard]] std::string rangeText(const FleetFigureLine &line);

} // namespace fleetwright
