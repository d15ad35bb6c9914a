// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/comparison.h"

/// The words and numbers of a comparison, the same in the window, on the command line and in files.
namespace fleetwright {

/// One unit for all figures of a row's group and dimension, so that parts stand in the unit of their sum; empty where
/// cells carry their own. It suits the `reference` column; where that has none of these figures, the largest of the
/// columns.
[[nodiscard]] units::UnitSymbol displayUnit(
    const Comparison &comparison, const ComparisonRow &row, std::size_t reference = 0);
/// `value`, in base units, in displayUnit().
[[nodiscard]] double inDisplayUnit(const Comparison &comparison, const ComparisonRow &row, double value);
/// "Step time [s]"
[[nodiscard]] std::string rowTitle(const Comparison &comparison, const ComparisonRow &row, std::size_t reference = 0);
/// "step_time_s", with the base unit where the key does not name one: the row in files, whose numbers are in base
/// units.
[[nodiscard]] std::string fileTitle(const ComparisonRow &row);
/// The number in displayUnit(); "yes", "no", "refused", or a dash where the model gives no such figure.
[[nodiscard]] std::string cellText(
    const Comparison &comparison, const ComparisonRow &row, std::size_t column, std::size_t reference = 0);
/// "+12.3 %", "-4 %", "\u00b10 %"; "x 17.5" where the value is more than ten times the reference.
[[nodiscard]] std::string differenceText(double difference);
/// The model where one plan is compared, the plan where one model is, else both.
[[nodiscard]] std::string columnTitle(const Comparison &comparison, std::size_t column);

/// The same as short as a heading: plans without the words with which all their names begin ("Llama 3.1 70B on"), and
/// below it how their fleet is paid for where that differs and the name does not say it ("rented, reserved for 3
/// years").
[[nodiscard]] std::string columnHead(const Comparison &comparison, std::size_t column);

/// What a comparison comes down to.
struct ComparisonVerdict {
    std::vector<std::string> sentences; ///< which is best and by what, what else stands out, what is out and why, what
                                        ///< is not known to keep its limits, what was refused
    std::optional<std::size_t> best; ///< column; nothing where none is better than the others as a whole
};
/// Of plans by one cost model: the cheapest run among those that keep their limits, else the shortest one, else the
/// shortest step, and which cost model it is where plans have others of their own; no best where they do not train the
/// same, where they are priced by different cost models, or where one is refused or may break a limit that is not
/// decided. Of one plan by several models: how far those are apart that were made for such a plan, and which were not.
/// Of several by several nothing: two questions at once.
[[nodiscard]] ComparisonVerdict verdictOf(const Comparison &comparison);

/// The figure and everything it rests on, in the order of the computation; empty when it is not explained.
[[nodiscard]] std::vector<const ExplainedFigure *> chainOf(
    const std::vector<ExplainedFigure> &figures, std::string_view key);
/// Whether the figure is a row of the worksheet, taken as it is: its source says what that row adds up.
[[nodiscard]] bool isOfWorksheet(const ExplainedFigure &figure);
/// "7.41 s", and with the base unit at full precision where rounding hides something: "7.41 s (7.4123456 s)".
[[nodiscard]] std::string exactText(double value, units::Dimension dimension);

/// How the fleets of the plans are paid for, where that differs and their costs are not of one kind; one sentence each:
/// "Rent terms differ: A on demand, B reserved for 3 years." Plans without a name of their own are numbered.
[[nodiscard]] std::vector<std::string> payingDifferences(const std::vector<PlanDocument> &plans);

} // namespace fleetwright
