// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/output.h"
#include "cli/scoredmodel.h"

#include <iosfwd>

/// What `validate` prints before and beside the errors of the runs that the constants were fitted to.
namespace fleetwright::cli {

/// In words, the figure that counts first: the error on sources left out, then the fitted one, the levels at which
/// errors arise, how far the ranges hold, and the largest jobs beside the claims of others.
void writeNewSite(std::ostream &out, const ScoredModel &model);
/// Rows of figures for a summary with one column per model, first the title.
[[nodiscard]] std::vector<std::vector<std::string>> leftOutRows(const std::vector<ScoredModel> &models);
/// One line per number of known runs.
[[nodiscard]] Table fewShotTable(const std::map<int, validation::FewShotFigures> &figures);
/// One line per source: left-out errors, coverage of the ranges, then the errors as predicted.
[[nodiscard]] Table leftOutTable(const ScoredModel &model);

} // namespace fleetwright::cli
