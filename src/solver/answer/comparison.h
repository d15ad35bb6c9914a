// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/answer/figures.h"
#include "solver/explain/explain.h"

#include <functional>
#include <stop_token>

/// Plans and cost models side by side: what each says about the same figure, which is best, how far they are apart, and
/// why.
namespace fleetwright {

/// One plan priced by one cost model.
struct ComparisonColumn {
    std::size_t plan = 0; ///< index of the plan
    std::string planName;
    std::string modelId;
    std::string modelTitle;
    std::string modelVersion;
    Expected<Solution> solution; ///< or why the model refused
    std::optional<Plan> resolved; ///< what was priced; absent when the plan itself could not be read
    std::vector<ExplainedFigure> explanation; ///< of every figure of the column, inputs before what uses them
    std::vector<std::string> ignoredAssumptions; ///< edited values of the plan that this model does not know
    std::string outOfScope{}; ///< why the model was not made for such a plan; empty: as far as it knows, it was
    /// Has an answer that says something of the plan.
    [[nodiscard]] bool counts() const { return solution && outOfScope.empty(); }
    [[nodiscard]] const ExplainedFigure *explained(std::string_view key) const;
};

/// What is known of the limits of a plan. Only one that keeps them can be called the best, by a verdict, a mark or a
/// report.
enum class Standing : std::uint8_t {
    Keeps,
    Breaks,
    Undecided, ///< none is broken, but one of them is not decided
    Refused
};
[[nodiscard]] Standing standingOf(const Expected<Solution> &solution);

struct ComparisonCell {
    std::optional<double> value; ///< base units
    std::string reason; ///< why there is no value
    std::string instead{}; ///< what is said instead of it, where it is a part of another figure: insteadOf()
    bool refused = false; ///< there is no answer at all; otherwise the model does not give this figure
    bool best = false; ///< among the plans by the same cost model
    bool onlyLikely = false; ///< of whether the plan is feasible: isOnlyLikely()
    bool isAtLeast = false; ///< a part of it is not known, as fleetwright::isAtLeast() has it: it is never the best
};

/// One figure over all columns.
struct ComparisonRow {
    std::string key; ///< unlike that of any other row
    std::string figure; ///< key under which a column explains it
    std::string label;
    std::string shortLabel{}; ///< for narrow places; empty: the label
    std::string group;
    std::string meaning; ///< one sentence
    units::Dimension dimension = units::Dimension::Number;
    Better better = Better::None;
    bool verdict = false; ///< 1 is yes, 0 is no
    bool part = false; ///< of the step
    std::vector<ComparisonCell> cells;
};

/// Key of the row that says whether measured runs like the plan were compared with the cost model.
inline constexpr std::string_view measuredRow = "measured_like_it";

/// What the models say about one figure of one plan, lowest first.
struct Spread {
    struct Value {
        std::size_t column = 0;
        double value = 0;
    };
    std::size_t plan = 0;
    std::vector<Value> values; ///< at least one
    [[nodiscard]] double low() const { return values.front().value; }
    [[nodiscard]] double high() const { return values.back().value; }
    /// Highest over lowest; nothing when the lowest is not greater than zero.
    [[nodiscard]] std::optional<double> ratio() const;
};

struct Comparison {
    std::vector<PlanDocument> plans;
    std::vector<ComparisonColumn> columns; ///< the models of the first plan, then those of the next
    std::vector<ComparisonRow>
        rows; ///< only figures that at least one column has, and times of the step that are not zero everywhere

    [[nodiscard]] std::vector<std::string_view> modelIds() const; ///< of the columns, each once
    [[nodiscard]] const ComparisonRow *row(std::string_view key) const;
    /// Relative difference of a value to that of the reference column: 0.1 is ten percent more. Nothing where either is
    /// missing, the reference is zero or the row is a verdict.
    [[nodiscard]] std::optional<double> difference(
        const ComparisonRow &row, std::size_t column, std::size_t reference) const;
    /// Says nothing of its plan, by a refusal or because the model was not made for it, and another column does.
    [[nodiscard]] bool isAside(std::size_t column) const;
    /// One entry for each plan for which a column that is not aside has the figure.
    [[nodiscard]] std::vector<Spread> spread(std::string_view key) const;
};

struct ComparisonRequest {
    std::vector<PlanDocument> plans;
    std::vector<std::string> modelIds;
    bool byOwnModels = false; ///< each plan by its own cost model alone; modelIds then say nothing
    bool ownFigures = false; ///< also those that a single model produces
    bool asideLast = false; ///< of one plan: columns that are aside come last, refusals at the end
    /// What measured runs leave open of a step time, and by which open layouts are chosen where runs of the site move
    /// it; without it nothing is said of how sure a column is.
    validation::RangeOf rangeOf{};
};

/// Values that differ by no more than this share of the better one read as equal and tell nothing apart.
inline constexpr double tieOfValues = 5e-5;

/// More columns than this can be neither read nor drawn.
inline constexpr std::size_t mostComparisonColumns = 60;

/// Prices every plan with every model. A plan or model that refuses is a column with its sentence. Edited assumptions
/// that a model does not know, or whose value it does not take, are left out for that model and listed. Best is the
/// lowest or highest value among the plans that keep their limits by the same model, where one plan alone has it and
/// none of which that is not decided has as good a one, and where none may be lower that is known as a least value
/// alone: models are not rivals, and what several share (differenceText() tells no difference) tells none apart.
/// Nothing is best where only one plan has a value or no plan is feasible. Errors: OutOfRange "plans" (none, or more
/// than mostComparisonColumns columns), UnknownReference "cost_model", Cancelled.
[[nodiscard]] Expected<Comparison> compare(
    const ComparisonRequest &request, const Catalog &catalog, std::stop_token stop = {});

/// How the figures of the run as a whole, its feasibility and its share of memory came about; they do not depend on the
/// cost model's formulas.
[[nodiscard]] std::vector<ExplainedFigure> explainRun(const Plan &plan, const Solution &solution);
/// How every figure of a plan came about, as far as its cost model says, inputs before what uses them.
[[nodiscard]] std::vector<ExplainedFigure> explainAll(const Plan &plan, const Solution &solution);

} // namespace fleetwright
