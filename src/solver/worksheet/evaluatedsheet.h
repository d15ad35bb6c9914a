// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/worksheet/sheetentries.h"
#include "solver/worksheet/sheetprogram.h"

#include <memory>

namespace fleetwright {

/// The cells of several draws, on which a compiled sheet runs: for drawing prices and other entries. Each lane starts
/// with the likely values of the entries. Copies are independent.
class SheetDraws {
public:
    SheetDraws(std::shared_ptr<const SheetProgram> program, const SheetEntries &entries);
    [[nodiscard]] static constexpr std::size_t size() { return SheetProgram::lanes; }
    [[nodiscard]] const SheetProgram &program() const { return *m_program; }
    /// The lanes of an entry, to be written to. Only of rows that were entered when the program was compiled.
    [[nodiscard]] SheetProgram::Lanes entry(std::size_t row, std::size_t column = 0)
    {
        return m_program->cell(std::span(m_cells), row, column);
    }
    void run() { m_program->run(m_cells); }
    /// Of a row that is present; NaN is "none".
    [[nodiscard]] SheetProgram::ConstLanes values(std::size_t row, std::size_t column = 0) const
    {
        return m_program->cell(std::span<const double>(m_cells), row, column);
    }
    [[nodiscard]] bool obeys(std::size_t rule, std::size_t lane) const { return m_program->obeys(m_cells, rule, lane); }

private:
    std::shared_ptr<const SheetProgram> m_program;
    std::vector<double> m_cells;
};

/// How one cell came about: what a reader needs to compute it again.
struct ExplainedCell {
    struct Input {
        std::string key; ///< as the formula writes it, previous(row) included
        std::string label, unit;
        std::optional<double> value;
        std::string source; ///< of an entry
        bool operator==(const Input &) const = default;
    };
    std::string key, label, unit;
    std::size_t column = 0; ///< the year or month, of rows that have them
    std::optional<double> value{};
    std::string formula{}; ///< empty: entered
    std::vector<Input> inputs{};
    std::string source{}, date{};
    std::optional<double> low{}, high{};
    bool operator==(const ExplainedCell &) const = default;
};

/// What an entry that is required and missing means.
enum class SheetGaps {
    Refused, ///< a required entry that is missing is an error
    LeftOut ///< rows that need it have no value
};

/// A sheet with the likely values of its entries computed. Values are in the units of their rows.
class EvaluatedSheet {
public:
    [[nodiscard]] const Worksheet &sheet() const { return m_entries.sheet(); }
    [[nodiscard]] const SheetEntries &entries() const { return m_entries; }
    [[nodiscard]] const std::shared_ptr<const SheetProgram> &program() const { return m_program; }
    [[nodiscard]] int years() const { return m_program->years(); }
    /// Whether the value was entered and does not follow from others.
    [[nodiscard]] bool isEntered(std::string_view key) const { return m_entries.has(key); }
    /// Nothing where an entry is missing that it needs, where it is "none", and for a key that the sheet has not.
    [[nodiscard]] std::optional<double> value(std::string_view key, std::size_t column = 0) const;
    [[nodiscard]] bool flag(std::string_view key) const { return value(key).value_or(0) != 0; }
    /// All columns, with that of the start; empty as above.
    [[nodiscard]] std::vector<double> columns(std::string_view key) const;
    /// In base units, as a type; nothing too where the row measures something else. Per node, per accelerator... is
    /// kept.
    template <class Q> [[nodiscard]] std::optional<Q> quantity(std::string_view key, std::size_t column = 0) const
    {
        const auto base = inBaseUnits(key, column, units::DimensionOf<Q>::value);
        return base ? std::optional(Q::from_value(*base)) : std::nullopt;
    }
    /// UnknownReference: no such row, column or value.
    [[nodiscard]] Expected<ExplainedCell> explain(std::string_view key, std::size_t column = 0) const;

private:
    friend Expected<EvaluatedSheet> evaluateSheet(SheetEntries entries, SheetGaps gaps);
    EvaluatedSheet(SheetEntries entries, std::shared_ptr<const SheetProgram> program);
    [[nodiscard]] Expected<void> check(SheetGaps gaps) const;
    [[nodiscard]] std::optional<double> at(std::size_t row, std::size_t column) const;
    [[nodiscard]] std::optional<double> inBaseUnits(
        std::string_view key, std::size_t column, units::Dimension dimension) const;

    SheetEntries m_entries;
    std::shared_ptr<const SheetProgram> m_program;
    SheetDraws m_draws; ///< lane 0
};

/// The sheet's number of years is what its row life_years says, 1 without that row. Error::field is the key of an
/// entry. MissingField: a required entry; UnsupportedValue: numbers for another count of years; OutOfRange: entries
/// that a rule of the sheet refuses together, or a result that no number can hold ("inputs").
[[nodiscard]] Expected<EvaluatedSheet> evaluateSheet(SheetEntries entries, SheetGaps gaps = SheetGaps::Refused);

} // namespace fleetwright
