// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/worksheet/sheetformula.h"
#include "solver/worksheet/sheetunit.h"

#include <limits>
#include <map>
#include <optional>
#include <span>

namespace fleetwright {

/// How many cells a row has.
enum class SheetShape {
    Single,
    Years, ///< columns 0 (the start) to the life in years; payments are at the end of their year
    Months ///< columns 0 to twelve times the life
};

/// What may be entered in a row. A row with an entry and a formula takes what is entered, else the formula's value.
struct SheetEntry {
    enum class Kind {
        Closed, ///< nothing: the formula alone
        Value,
        Whole, ///< a whole number
        Flag, ///< 0 or 1
        Word ///< the number of one of `words`
    };
    Kind kind = Kind::Closed;
    bool required = false; ///< refused without a value; where `unless` is entered, not
    std::string_view unless{};
    double least = 0, most = std::numeric_limits<double>::infinity();
    bool above = false; ///< `least` itself is refused
    std::span<const std::string_view> words{};
    double low = 0, high = 0; ///< the published range of the formula's value, where it is a constant; 0 and 0: none
};

/// One row as it is written down; the views outlive every sheet (they are constants).
struct SheetRow {
    std::string_view key;
    std::string_view label;
    std::string_view unit; ///< as SheetUnit::parse() reads it; {key} stands for the unit of another row
    SheetShape shape = SheetShape::Single;
    std::string_view formula{}; ///< of every column, or of those after the start; of an entry, its default
    std::string_view atStart{}; ///< of column 0; empty: 0
    SheetEntry entry{};
    std::string_view source{}; ///< where the formula, or the value of an entry's default, is from
    bool mayBeNone = false; ///< "never" and "not known" are answers of this row, and no fault
    std::string_view none{}; ///< why it has none, and what to do; empty where "never" says it
};

/// What the entries of a sheet must obey together.
struct SheetRule {
    std::string_view condition;
    std::string_view field; ///< whose entry is refused, as out of range
    std::string_view sentence;
};

/// Rows that were checked: every name known, every unit right, every shape possible, no circle. A row may follow from
/// itself or others one column earlier (previous()). Immutable; shared by reference.
class Worksheet {
public:
    struct Row {
        std::string key, label, unit, source;
        SheetShape shape = SheetShape::Single;
        std::string formulaText, atStartText;
        std::optional<SheetFormula> formula, atStart;
        SheetEntry entry;
        SheetUnit dimension{};
        bool mayBeNone = false;
        std::string none; ///< empty: "never"
        [[nodiscard]] bool isEntry() const { return entry.kind != SheetEntry::Kind::Closed; }
    };
    struct Rule {
        SheetFormula condition;
        std::string conditionText, field, sentence;
    };
    /// Rows in an order in which each can be computed; several that follow from each other column by column stand
    /// together.
    struct Group {
        std::vector<std::size_t> rows;
        bool columnByColumn = false;
    };

    /// Error::field is the key of the row (of a rule: its field). UnsupportedValue: a key twice, units that do not fit,
    /// columns where one number is wanted, a circle; UnknownReference: no such row, unit or word; ParseError.
    [[nodiscard]] static Expected<Worksheet> define(
        std::span<const SheetRow> rows, std::span<const SheetRule> rules = {});
    /// The same for rows from several lists, in their order.
    [[nodiscard]] static Expected<Worksheet> define(
        std::initializer_list<std::span<const SheetRow>> rows, std::span<const SheetRule> rules = {});

    [[nodiscard]] std::span<const Row> rows() const { return m_rows; }
    [[nodiscard]] const Row &row(std::size_t index) const { return m_rows[index]; }
    [[nodiscard]] std::optional<std::size_t> find(std::string_view key) const;
    [[nodiscard]] std::span<const Rule> rules() const { return m_rules; }
    [[nodiscard]] std::span<const Group> order() const { return m_order; }

private:
    Worksheet() = default;
    friend class SheetChecker;

    std::vector<Row> m_rows;
    std::vector<Rule> m_rules;
    std::vector<Group> m_order;
    std::map<std::string, std::size_t, std::less<>> m_index;
};

/// The rows that a formula names, itself or one column earlier.
[[nodiscard]] std::vector<std::size_t> rowsOf(const SheetFormula &formula);
/// The word's number among the words of an entry, or nothing.
[[nodiscard]] std::optional<std::size_t> wordOf(const SheetEntry &entry, std::string_view word);

} // namespace fleetwright
