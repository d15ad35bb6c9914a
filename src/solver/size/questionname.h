// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "domain/decisiondocument.h"

#include <span>

/// Names of decisions that say within how many days: those that the program made follow the question.
namespace fleetwright::size {

/// What the decision is called after its deadline was changed: "Llama 3.1 70B in 30 days" becomes "Llama 3.1 70B in 28
/// days" where the program made the name, of the workload or for its sample; a name that somebody typed stays.
[[nodiscard]] std::string followedName(
    const DecisionDocument &before, const DecisionDocument &after, const Catalog &catalog);
/// Which of a project's decisions an earlier one, as it was approved, is today: that of its name; where none has it,
/// the one whose name followed from it, else the only one that asks the same under another name. Null: none. So no
/// decision stands approved by what was said of another.
[[nodiscard]] const DecisionDocument *decisionToday(
    const DecisionDocument &then, std::span<const DecisionDocument *const> decisions, const Catalog &catalog);
/// "the deadline is 28 days" where the name says other days than the question; else empty.
[[nodiscard]] std::string deadlineBesideName(const DecisionDocument &document);

} // namespace fleetwright::size
