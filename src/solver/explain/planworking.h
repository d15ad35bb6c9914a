// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/answer/comparison.h"
#include "solver/explain/figureorigin.h"

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
    std::vector<std::string> priceIds{}; ///< of the catalog's prices that the value is made from
    std::vector<EntrySource> sources{}; ///< the catalog's items that the value is from, with who published it
    std::string whyThere{}; ///< why the likely value stands at an end of its range, or is moved; empty: it is not
    std::vector<Part> parts{};
};

/// How everything of a solved plan came about, from what people ask down to entries, catalog values and constants: the
/// figures of its cost model and the rows of its worksheet as one. Lines are made when they are asked for.
class PlanWorking {
public:
    PlanWorking(Plan plan, PlanDocument document, Solution solution, std::shared_ptr<const Catalog> catalog);

    /// Step time, memory, then money, time and power: the keys of their lines.
    [[nodiscard]] std::vector<std::string> questions() const;
    /// Every line whose label, or symbol with meaning, has these words, whatever their case, and rows of costs whose
    /// source has them; figures first.
    [[nodiscard]] std::vector<std::string> matching(std::string_view words) const;
    /// The key of a figure's line: that of the question which is the same row of the worksheet, else its own.
    [[nodiscard]] std::string keyOf(std::string_view figure) const;
    /// A line of questions(), matching(), keyOf() or another line's parts; an empty one for other keys.
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
    /// Whether measured runs of the site move the step time that days and cost follow from.
    [[nodiscard]] bool isMovedByRuns() const;
    /// The step time that they make likely, and what enters it.
    [[nodiscard]] WorkingLine ofLikelyStep(std::string_view part) const;
    /// What enters a row. Addends of 0 stand apart where they are several.
    struct CellParts {
        std::vector<WorkingLine::Part> shown, zeros;
    };
    [[nodiscard]] CellParts partsOfCell(std::string_view row, std::size_t column) const;
    /// The addends of a row that are 0, as one line.
    [[nodiscard]] WorkingLine ofZeros(std::string_view row, std::size_t column) const;
    [[nodiscard]] bool isNothing(std::string_view row, std::size_t column) const;
    [[nodiscard]] WorkingLine ofInput(std::size_t figure, std::size_t input) const;
    /// Adds to the source of an entry who published it, and of which items of the catalog it is.
    void tellPublisher(WorkingLine &line, std::string_view row) const;
    [[nodiscard]] std::string keyOfCell(std::string_view row, std::size_t column) const;

    Plan m_plan;
    PlanDocument m_document;
    Solution m_solution;
    std::shared_ptr<const Catalog> m_catalog;
    const CostModel *m_model = nullptr;
    std::vector<ExplainedFigure> m_figures;
    std::vector<UsedPrice> m_prices; ///< that the fleet's entries are made from
};

/// A formula of a cost model with the values of its symbols, with units: "8.37 s + 1.2 s".
[[nodiscard]] std::string withValues(const ExplainedFigure &figure);

} // namespace fleetwright
