// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/worksheet/sheetprogram.h"

#include <map>

namespace fleetwright {

/// The work of SheetProgram's constructor: decides which rows are there, gives them places and translates their
/// formulas.
class SheetCompiler {
public:
    SheetCompiler(SheetProgram &program, std::span<const std::size_t> wanted);
    void compile();

private:
    using Place = SheetProgram::Place;
    struct Columns {
        std::uint32_t first = 0, last = 0;
    };
    void findPresent();
    void keepWanted(std::span<const std::size_t> wanted);
    void compileRow(std::size_t row);
    void compileGroup(const Worksheet::Group &group);
    void closeBlock(std::uint32_t last = 0);
    [[nodiscard]] Place room(SheetShape shape);
    [[nodiscard]] Place roomForNow(SheetShape shape); ///< until the end of the group
    [[nodiscard]] Place constant(double value);
    [[nodiscard]] Place columnNumbers(SheetShape shape);
    [[nodiscard]] SheetShape shapeOf(const SheetFormula &formula) const;
    [[nodiscard]] Columns columnsOf(SheetShape shape) const;
    /// Emits what the formula takes, for the columns of `m_columns`, and says where its value stands.
    [[nodiscard]] Place value(const SheetFormula &formula);
    void into(const SheetFormula &formula, Place to);
    void combine(const SheetFormula &formula, Place to);
    void reduction(const SheetFormula &formula, Place to);
    void emit(SheetProgram::Step step);

    SheetProgram &m_program;
    Columns m_columns; ///< of the row's cells that are being computed
    std::vector<SheetProgram::Step> m_loop; ///< steps of a group that goes column by column
    bool m_looping = false;
    std::map<double, Place> m_numbers;
    std::map<SheetShape, Place> m_columnNumbers;
    std::optional<Place> m_none;
    std::map<SheetShape, std::vector<Place>> m_free;
    std::vector<std::pair<SheetShape, Place>> m_taken;
};

} // namespace fleetwright
