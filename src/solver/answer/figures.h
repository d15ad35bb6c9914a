// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/scorecard.h"

#include <span>

/// The figures of an answer, each defined once: pages, charts, reports, the command line and every file read this
/// table.
///
/// From a label to its formula in four hops: the label stands in figures.cpp beside its key and its getter; the getter
/// names the member of Estimate, RunFigures or OperatingFigures; explain() of the cost model, explainRun() or
/// explainOperations() adds the same key with its formula, inputs and source; the function named there computes it.
namespace fleetwright {

enum class Better { None, Lower, Higher };

/// Headings under which figures are listed.
/// Published: of the published planning blocks, beside those of the worksheet.
enum class FigureGroup { Feasibility, Step, Rates, Memory, Run, Pipeline, Cost, Environment, Failures, Published };
[[nodiscard]] std::string_view toString(FigureGroup group); ///< "Step time and its parts"
/// Which of the three questions the group answers: does it fit, is it fast enough, does it pay.
[[nodiscard]] ScoreLevel levelOf(FigureGroup group);

/// How a figure takes part in lists that do not show everything.
enum class Prominence {
    Listed, ///< in tables and files
    Part, ///< likewise; the parts add up to the step time
    Headline ///< among the answers beside a plan's form too
};

/// One figure that solutions of every cost model may have. Figures that mean different things have different rows.
struct Figure {
    /// Its path in the JSON of an estimate ("step_time_s", "memory.total_bytes"); the column in CSV; the key under
    /// which explanations, sweeps, searches and stored results know it.
    std::string_view key;
    std::string_view label;
    std::string_view shortLabel; ///< for columns and narrow places; empty: the label
    FigureGroup group = FigureGroup::Step;
    units::Dimension dimension = units::Dimension::Number;
    Better better = Better::None;
    Prominence prominence = Prominence::Listed;
    std::string_view help; ///< the definition, one sentence
    std::string_view absence; ///< why a model or plan may lack it; see reasonFor()
    std::optional<double> (*value)(
        const Solution &solution) = nullptr; ///< base units; nothing where the model gives none
    std::string_view row{}; ///< of the worksheet, whose value it is; empty: of the cost model or a published block
    std::string_view alsoCalled{}; ///< by which people look for it, beside its label
};
/// In the order of tables and files.
[[nodiscard]] std::span<const Figure> allFigures();
/// Figures under one heading of a comparison.
struct ComparedGroup {
    std::string_view title;
    std::vector<const Figure *> figures;
    bool isDecisive = false; ///< stands before everything else, the inputs that differ among it
};
/// Every figure once, in the order in which people compare: what decides between plans, then what the rest is made of.
[[nodiscard]] const std::vector<ComparedGroup> &comparedGroups();
/// Heading of what a comparison says about how sure it is, and the group of comparedGroups() before it.
inline constexpr std::string_view howSureGroup = "How sure", beforeHowSure = "Power and energy";
/// Whether the heading is that of a decisive group, or of howSureGroup.
[[nodiscard]] bool isComparedFirst(std::string_view heading);
/// Of these a comparison says from where to where they may be.
[[nodiscard]] std::span<const std::string_view> comparedRanges();
/// Yes or no (1 or 0; nothing: not known), so none of allFigures(): files write true and false.
[[nodiscard]] const Figure &feasibleFigure();
/// One of allFigures(); nullptr: none has this key.
[[nodiscard]] const Figure *findFigure(std::string_view key);
[[nodiscard]] std::string_view narrowLabel(const Figure &figure); ///< the short label, else the label

/// What the accelerator has or the plan allows, whichever is less; nothing where the model knows no memory.
[[nodiscard]] std::optional<Bytes> memoryLimit(const Solution &solution);

/// One of OperatingFigures.
[[nodiscard]] constexpr bool isOperation(const Figure &figure)
{
    return figure.group == FigureGroup::Published || figure.key == "compute_optimal_tokens"
        || figure.key == "cost_usd_per_million_tokens";
}
/// "in the rent": what stands instead of a figure that is a part of another one here; empty for all others.
[[nodiscard]] std::string_view insteadOf(const Figure &figure, const Solution &solution);
/// Whether it is a figure of a fleet that is paid for so: what only bought fleets have is not asked of rented ones, nor
/// of bought ones what they would cost, were they bought. Such are absent without being unknown.
[[nodiscard]] bool isAsked(const Figure &figure, const Solution &solution);
/// Whether the words are in the label or in what the figure is also called, whatever their case.
[[nodiscard]] bool isCalled(const Figure &figure, std::string_view words);
/// Why the solution lacks the figure and what to enter to get it; empty when it is there.
[[nodiscard]] std::string reasonFor(const Figure &figure, const Solution &solution);
/// The range of a figure of the worksheet, in base units: what prices, rates and the step time leave open. Nothing
/// where it has none.
[[nodiscard]] std::optional<SheetRange> rangeOf(const Figure &figure, const Solution &solution);
/// "85.2 days (70.4 to 103)": the value for people with its range, where it has one; a dash where there is none.
[[nodiscard]] std::string valueInWords(const Figure &figure, const Solution &solution);
/// How the figures of the worksheet came about: every row that has a value, in the sheet's order; of a row of years
/// year 1.
[[nodiscard]] std::vector<ExplainedCell> explainCosts(const Solution &solution);
/// The row of one figure; nothing for those of cost models and published blocks.
[[nodiscard]] std::optional<ExplainedCell> explainRow(const Figure &figure, const Solution &solution);

/// The key that says today what an older one said in files of earlier versions ("breakdown.tp_s"); the key itself when
/// it was never another.
[[nodiscard]] std::string_view currentKey(std::string_view key);

/// A figure that somebody names: one of allFigures(), or one that a single cost model produces ("details.<key>").
struct ChosenFigure {
    std::string key;
    std::string label;
    std::string shortLabel; ///< never empty
    units::Dimension dimension = units::Dimension::Number;
    Better better = Better::None;
};
/// Takes older keys too. UnsupportedValue with `field` and the nearest key when no registered cost model has such a
/// figure.
[[nodiscard]] Expected<ChosenFigure> chooseFigure(std::string_view key, std::string_view field = "figure");

/// The figure's value in base units; nothing when the model does not produce it or it is not finite.
[[nodiscard]] std::optional<double> figureOf(const Solution &solution, std::string_view key);
/// The same by which days and costs are: of the speed what measured runs of the site make likely (likelyByRuns()),
/// where they move it.
[[nodiscard]] std::optional<double> likelyFigureOf(const Solution &solution, std::string_view key);

/// "12.3 %", "1.05 s": the value for people; a dash where there is none.
[[nodiscard]] std::string figureText(std::optional<double> value, units::Dimension dimension);
/// What heads a column or an axis in this unit: "Step time [s]".
[[nodiscard]] std::string titleWithUnit(std::string_view label, std::string_view symbol);

/// The unit of a column, an axis or a group of figures whose largest value is given. Times of a step stay within
/// seconds and memory of an accelerator within gigabytes: one plan that is far off must not move all others to another
/// scale.
[[nodiscard]] units::UnitSymbol unitFor(FigureGroup group, units::Dimension dimension, double largest);

/// Values of one figure in a column for people, all in one unit that its title names.
struct FigureColumn {
    std::string title;
    std::vector<std::string> cells;
};
[[nodiscard]] FigureColumn figureColumn(std::string_view label, units::Dimension dimension,
    std::span<const std::optional<double>> values, std::string_view absent = "-");
/// The largest of them, for unitFor().
[[nodiscard]] double largestOf(std::span<const std::optional<double>> values);

/// A figure that only this cost model produces. `index` is its place in Estimate::details.
struct OwnFigure {
    std::string key; ///< "details.replica_mfu"
    std::string_view label;
    std::string_view formula;
    units::Dimension dimension = units::Dimension::Number;
    std::size_t index = 0;
};
/// Those of details() that are not one of allFigures() by another name.
[[nodiscard]] std::vector<OwnFigure> ownFigures(const CostModel &model);

} // namespace fleetwright
