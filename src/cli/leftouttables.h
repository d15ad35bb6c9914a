// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/output.h"
#include "cli/scoredmodel.h"

/// What `validate` prints beside the errors of the runs that the constants were fitted to.
namespace fleetwright::cli {

/// Rows of figures for a summary with one column per model, first the title.
[[nodiscard]] std::vector<std::vector<std::string>> leftOutRows(const std::vector<ScoredModel> &models, bool ownRuns);
/// One line per number of known runs.
[[nodiscard]] Table fewShotTable(const std::map<int, validation::FewShotFigures> &figures);
/// One line per source: left-out errors, coverage of the ranges, then the errors as predicted.
[[nodiscard]] Table leftOutTable(const ScoredModel &model, bool ownRuns);

} // namespace fleetwright::cli
