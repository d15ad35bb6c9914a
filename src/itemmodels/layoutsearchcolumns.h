// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/search/layoutsearch.h"

#include <QString>

#include <optional>

namespace fleetwright::itemmodels {

/// One line of a table of layouts: a split with the best of its settings, or one layout.
struct LayoutSearchItem {
    int rank = 1; ///< by the search's objective
    Split split;
    int caseIndex = 0;
    const layoutsearch::Row *row = nullptr; ///< null: no layout of the split is feasible
    std::uint64_t feasible = 0, infeasible = 0; ///< of a split
    double leastMemoryBytes = 0; ///< of a split without a row
    const layoutsearch::CaseFacts *facts = nullptr;
    LayoutSearchObjective objective = LayoutSearchObjective::StepTime;
    double bestValue = 0; ///< the objective's, of the best row of all; NaN: there is none
};

enum class LayoutSearchColumn {
    Rank,
    Case,
    Tp,
    Cp,
    Pp,
    Ep,
    Dp,
    VirtualStages,
    Microbatch,
    Recompute,
    Zero,
    SequenceParallel,
    StepTime,
    Difference,
    Mfu,
    TokenRate,
    Memory,
    MemoryShare,
    Cost,
    Feasible,
    Infeasible
};
inline constexpr int layoutSearchColumnCount = 21;

/// The number by which the column sorts and filters, in base units (seconds, bytes, shares); NaN where it is unknown.
[[nodiscard]] double valueOf(LayoutSearchColumn column, const LayoutSearchItem &item);
/// As the cell shows it: three digits in the unit of the title, a dash where it is unknown.
[[nodiscard]] QString textOf(LayoutSearchColumn column, const LayoutSearchItem &item);
/// The full value with its unit, and the layout in words.
[[nodiscard]] QString toolTipOf(LayoutSearchColumn column, const LayoutSearchItem &item);
[[nodiscard]] bool isNumber(LayoutSearchColumn column);
[[nodiscard]] QString titleOf(LayoutSearchColumn column); ///< with the unit
[[nodiscard]] QString helpOf(LayoutSearchColumn column);
[[nodiscard]] QString fileTitleOf(LayoutSearchColumn column); ///< with the base unit, as files head it

/// Layouts by conditions that all hold: "tp=8 pp<=16 recompute=none".
class LayoutSearchFilter {
public:
    /// ParseError with the first word that is no condition. Nothing: every layout passes.
    [[nodiscard]] static Expected<LayoutSearchFilter> parse(const QString &text);
    /// What can be written, for people.
    [[nodiscard]] static QString help();

    [[nodiscard]] bool accepts(const LayoutSearchItem &item) const;
    [[nodiscard]] bool isEmpty() const { return m_conditions.empty(); }
    bool operator==(const LayoutSearchFilter &) const = default;

private:
    enum class Relation { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };
    struct Condition {
        LayoutSearchColumn column = LayoutSearchColumn::Tp;
        Relation relation = Relation::Equal;
        double value = 0; ///< in base units
        bool operator==(const Condition &) const = default;
    };
    [[nodiscard]] static Expected<Condition> condition(const QString &word);

    std::vector<Condition> m_conditions;
};

} // namespace fleetwright::itemmodels
