// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/worksheet/evaluatedsheet.h"

/// The formulas of a worksheet as people read them: labels in place of keys, signs in place of operators, conditions in
/// words. What is typed and what files hold are the keys (SheetFormula, spreadsheetFormula()).
namespace fleetwright {

/// A label among others in a formula: in quotation marks where it would blur into it.
[[nodiscard]] std::string quotedWhereNeeded(const std::string &label);

/// "Nodes in use \u00d7 Price of a node". Labels that would blur into the formula stand in quotation marks.
[[nodiscard]] std::string formulaInWords(const Worksheet &sheet, const SheetFormula &formula);

/// The formula of a cell: in words, and with the values that entered it, "32 nodes \u00d7 365 kUSD/node". Both are
/// empty for a value that was entered. `values` is empty too where nothing can be put in.
struct WordedFormula {
    std::string words, values;
    bool operator==(const WordedFormula &) const = default;
};
[[nodiscard]] WordedFormula wordedFormula(const EvaluatedSheet &sheet, std::string_view key, std::size_t column = 0);

/// The source of what its own formula defines.
inline constexpr std::string_view byDefinition = "by definition";

/// Where the value of a row is from, never empty: who stated the entry, the source of the formula or the default, or
/// that it is the row's definition.
[[nodiscard]] std::string sourceInWords(const EvaluatedSheet &sheet, std::string_view key);

/// A sentence for people who do not type keys: "(pue)" behind what it names is left out, and another key of a row or of
/// a plan ("fleet.nodes", "operations.pue") stands as its label in quotation marks. The command line shows sentences as
/// they are, with what is typed there.
[[nodiscard]] std::string withLabels(std::string_view sentence);

} // namespace fleetwright
