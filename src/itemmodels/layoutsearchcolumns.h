// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/figures.h"
#include "solver/search/layoutsearch.h"

#include <QString>

#include <array>
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
    const layoutsearch::Result *result = nullptr;
    const layoutsearch::Group *group = nullptr; ///< of a split
    bool isRecommended = false; ///< what the search advises to take, or its split
    bool isByRuns = false; ///< what plans and decisions take by the runs of the site, or its split
    LayoutSearchObjective objective = LayoutSearchObjective::StepTime;
    double takenValue = 0; ///< the objective's, of the recommended row; NaN: there is none
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
    Infeasible,
    WhyNot
};
inline constexpr int layoutSearchColumnCount = 22;

/// The number by which the column sorts and filters, in base units (seconds, bytes, shares); NaN where it is unknown.
[[nodiscard]] double valueOf(LayoutSearchColumn column, const LayoutSearchItem &item);
/// The figure that the column shows; nullptr: a setting, a count or a comparison.
[[nodiscard]] const Figure *figureOf(LayoutSearchColumn column);
/// The unit of each column in a table of this answer.
class LayoutSearchUnits {
public:
    LayoutSearchUnits();
    explicit LayoutSearchUnits(const layoutsearch::Result &result);
    [[nodiscard]] const units::UnitSymbol &of(LayoutSearchColumn column) const
    {
        return m_units[static_cast<std::size_t>(column)];
    }

private:
    std::array<units::UnitSymbol, layoutSearchColumnCount> m_units;
};
/// As the cell shows it: three digits in the unit of the title, a dash where it is unknown.
[[nodiscard]] QString textOf(LayoutSearchColumn column, const LayoutSearchItem &item, const units::UnitSymbol &unit);
/// The full value with its unit, and the layout in words.
[[nodiscard]] QString toolTipOf(LayoutSearchColumn column, const LayoutSearchItem &item);
[[nodiscard]] bool isNumber(LayoutSearchColumn column);
[[nodiscard]] QString titleOf(LayoutSearchColumn column, const units::UnitSymbol &unit);
[[nodiscard]] QString helpOf(LayoutSearchColumn column);
[[nodiscard]] QString fileTitleOf(LayoutSearchColumn column); ///< the key of the figure, or of the setting

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
