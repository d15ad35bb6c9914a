// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/worksheet/worksheet.h"

namespace fleetwright {

/// The work of Worksheet::define(): reads the formulas, finds the names, checks units and shapes, puts the rows in
/// order. The first fault is the one reported.
class SheetChecker {
public:
    void add(const SheetRow &row);
    [[nodiscard]] Expected<Worksheet> check(std::span<const SheetRule> rules);

private:
    /// What a formula yields; `free` for a number without a unit of its own that takes any (0, none).
    struct Type {
        SheetUnit unit;
        SheetShape shape = SheetShape::Single;
        bool free = false;
    };
    void fail(ErrorCode code, const std::string &sentence);
    [[nodiscard]] std::string unitText(std::string_view text, int depth = 0);
    [[nodiscard]] std::optional<SheetFormula> read(std::string_view text);
    void resolve(SheetFormula &formula);
    void resolveWord(SheetFormula &comparison);
    void checkRow(const Worksheet::Row &row);
    [[nodiscard]] Type typeOf(const SheetFormula &formula);
    [[nodiscard]] Type typeOfRow(const SheetFormula &formula);
    [[nodiscard]] Type typeOfPower(const SheetFormula &formula);
    [[nodiscard]] Type typeOfReduction(const SheetFormula &formula);
    [[nodiscard]] Type alike(std::span<const SheetFormula> formulas);
    [[nodiscard]] SheetShape together(SheetShape a, SheetShape b);
    void putInOrder();
    void orderGroup(Worksheet::Group &group);

    Worksheet m_sheet;
    std::string m_subject; ///< the key of the row under check
    bool m_atStart = false, m_reducing = false;
    Expected<void> m_result;
};

} // namespace fleetwright
