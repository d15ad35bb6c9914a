// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/worksheet/worksheet.h"

#include <cstdint>

namespace fleetwright {

/// A worksheet as flat code that computes several draws at a time: a cell is `lanes` numbers beside each other, one a
/// draw. Compiled for a life in years and for the rows in which something is entered; how much may differ by draw.
/// Immutable; any number of threads may run it, each on cells of its own. The sheet must outlive it.
class SheetProgram {
public:
    static constexpr std::size_t lanes = 16;
    using Lanes = std::span<double, lanes>;
    using ConstLanes = std::span<const double, lanes>;

    /// `entered`: for each row of the sheet, whether a value is entered. Rows that need an entry that is missing are
    /// left out. `wanted`: the rows whose values are asked for; what they do not need is left out too; empty: all.
    SheetProgram(
        const Worksheet &sheet, const std::vector<bool> &entered, int years, std::span<const std::size_t> wanted = {});

    [[nodiscard]] const Worksheet &sheet() const { return *m_sheet; }
    [[nodiscard]] int years() const { return m_years; }
    [[nodiscard]] bool isPresent(std::size_t row) const { return m_present[row]; }
    [[nodiscard]] bool isEntered(std::size_t row) const { return m_entered[row]; }
    [[nodiscard]] std::size_t columns(SheetShape shape) const;

    /// Room for the cells of all rows, with the constants in place; entries start as 0.
    [[nodiscard]] std::vector<double> cells() const;
    [[nodiscard]] Lanes cell(std::span<double> cells, std::size_t row, std::size_t column = 0) const;
    [[nodiscard]] ConstLanes cell(std::span<const double> cells, std::size_t row, std::size_t column = 0) const;
    /// Computes every cell from the entries, which the caller has written into their cells.
    void run(std::span<double> cells) const;
    /// Whether the entries of a lane obey the sheet's rule of that number; true where the rule is about absent rows.
    [[nodiscard]] bool obeys(std::span<const double> cells, std::size_t rule, std::size_t lane) const;

private:
    /// A place in the cells: fixed, or one for each column. In numbers, not in cells.
    struct Place {
        std::uint32_t offset = 0, stride = 0;
    };
    struct Step {
        SheetOperation operation = SheetOperation::None;
        Place to{}, a{}, b{}, c{};
        std::uint32_t first = 0, last = 0; ///< columns
    };
    /// Steps that are done for all their columns one after the other, or together for one column after the other.
    struct Block {
        std::size_t from = 0, to = 0;
        std::uint32_t last = 0; ///< column; 0: not column by column
    };
    friend class SheetCompiler;

    void step(const Step &step, std::uint32_t first, std::uint32_t last, double *cells) const;
    void reduce(const Step &step, double *cells) const;

    const Worksheet *m_sheet;
    int m_years;
    std::vector<bool> m_entered, m_present;
    std::vector<Place> m_places; ///< by row
    std::vector<Step> m_steps;
    std::vector<Block> m_blocks;
    std::vector<std::pair<std::uint32_t, double>> m_constants;
    std::vector<std::optional<Place>> m_rules;
    std::uint32_t m_size = 0;
};

} // namespace fleetwright
