// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/decisiondocument.h"
#include "domain/fleet.h"
#include "solver/answer/solve.h"
#include "solver/size/decisionrisk.h"
#include "solver/worksheet/fleetcost.h"

#include <string>
#include <vector>

namespace fleetwright::exchange {

/// A fleet, or a run on it, with its priced sheet, as a result lists it.
struct ResultSheet {
    struct Fact {
        std::string label, value;
        bool isSolvers = false;
    };
    std::string name, role;
    std::vector<Fact> facts;
    Fleet fleet;
    CostSheet sheet;
    std::string result; ///< JSON of a plan's solution; empty: none
};

/// A part of the printed report, in its words.
struct ResultPart {
    std::string kind; ///< "heading", "paragraph", "note", "list", "table", "chart"
    std::string text; ///< of table and chart the caption
    int level = 0; ///< of a heading
    std::vector<std::string> items; ///< of a list; the notes of a table; what a chart says
    std::vector<std::string> header; ///< of a table, with units
    std::vector<std::vector<std::string>> rows;
};

/// A fleet or plan without a sheet.
struct ResultOmission {
    std::string name, role, reason;
    std::string result; ///< as ResultSheet::result
};

/// What a report, a workbook and its tables say, for programs.
struct ResultDocument {
    std::string title, organisation, author, date, versions;
    std::vector<std::string> hashes, answer;
    std::string decision; ///< JSON of sizeResultToJson(); empty: none
    std::vector<ResultSheet> sheets;
    std::vector<ResultPart> report; ///< in reading order; empty: not with it
    std::vector<ResultOmission> leftOut{};
};

/// {"title", "organisation", "author", "date", "versions", "hashes", "answer": [sentences], "decision", "sheets":
/// [{"name", "role", "facts": [{"label", "value", "is_solvers"}], "result", "costs": fleetCostToJson(), "rows":
/// sheetRowsToJson()}], "left_out": [{"name", "role", "reason", "result"}], "report": [{"kind", "text", "level",
/// "items", "header", "rows"}, each as ResultPart and left out where it is empty]}, indented by two. What is no JSON
/// where JSON belongs is null, as what is not there.
[[nodiscard]] std::string resultToJson(const ResultDocument &document);

/// sizeResultToJson() of all fleets, as text for ResultDocument::decision.
[[nodiscard]] std::string decisionText(
    const DecisionDocument &document, const size::Result &result, const Catalog &catalog, const size::HowSure *sure);
/// solutionToJson() as text for ResultSheet::result.
[[nodiscard]] std::string solutionText(const Solution &solution, const Plan &plan);

} // namespace fleetwright::exchange
