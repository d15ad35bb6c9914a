// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/answer/comparison.h"

#include <memory>

namespace fleetwright {

/// One value of an answer with how it came about, in words.
struct WorkingLine {
    /// An input of the formula.
    struct Part {
        std::string symbol; ///< as the formula writes it; empty: by its label
        std::string key; ///< of its own line
        bool operator==(const Part &) const = default;
    };
    std::string key;
    std::string label{}; ///< as on the pages
    std::string value{}; ///< with unit, and range where there is one
    std::string formula{}; ///< in words or in the parts' symbols; empty: stated, not computed
    std::string withValues{}; ///< the formula with the parts' values and units put in
    std::string source{}; ///< paper, section or equation, "your input", or what the catalog says; never empty
    std::optional<CatalogKind> kind{}; ///< of the catalog item that the value is from
    std::string recordId{};
    std::vector<Part> parts{};
};

/// How everything of a solved plan came about, from what people ask down to entries, catalog values and constants: the
/// figures of its cost model and the rows of its worksheet as one. Lines are made when they are asked for.
class PlanWorking {
public:
    PlanWorking(Plan plan, PlanDocument document, Solution solution, std::shared_ptr<const Catalog> catalog);

    /// Step time, memory, then money, time and power: the keys of their lines.
    [[nodiscard]] std::vector<std::string> questions() const;
    /// Every line whose label, or symbol with meaning, has these words, whatever their case; figures first.
    [[nodiscard]] std::vector<std::string> matching(std::string_view words) const;
    /// A line of questions(), matching() or another line's parts; an empty one for other keys.
    [[nodiscard]] WorkingLine line(std::string_view key) const;

private:
    [[nodiscard]] const ExplainedFigure *explained(std::string_view key) const;
    /// The row of the worksheet that the figure is; empty: none.
    [[nodiscard]] std::string_view ofRow(std::string_view key) const;
    [[nodiscard]] WorkingLine ofFigure(std::string_view key) const;
    /// The figure as its cost model, or the worksheet, computes it.
    [[nodiscard]] WorkingLine computed(std::string_view key) const;
    /// The parts that the pages show of step time and memory, where they add up to it.
    [[nodiscard]] std::vector<const Figure *> partsOf(std::string_view key) const;
    [[nodiscard]] WorkingLine ofCell(std::string_view row, std::size_t column) const;
    [[nodiscard]] WorkingLine ofInput(std::size_t figure, std::size_t input) const;
    [[nodiscard]] std::string keyOfCell(std::string_view row, std::size_t column) const;

    Plan m_plan;
    PlanDocument m_document;
    Solution m_solution;
    std::shared_ptr<const Catalog> m_catalog;
    const CostModel *m_model = nullptr;
    std::vector<ExplainedFigure> m_figures;
};

/// A formula of a cost model with the values of its symbols, with units: "8.37 s + 1.2 s".
[[nodiscard]] std::string withValues(const ExplainedFigure &figure);

} // namespace fleetwright
