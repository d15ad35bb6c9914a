// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/breakdown.h"
#include "solver/validation/steprange.h"

#include <QString>

namespace fleetwright::app {

/// What the page is opened for: a sentence with the error at a site that nobody has measured, a table of the errors
/// (for whom, how far, how many lie in their ranges, from how many runs) and how the numbers of runs go together. Says
/// so where no error on sources left out is known.
[[nodiscard]] QString verdictHtml(const validation::ScoredFile &file, const std::string &modelId, const QString &runs);

/// Where a plan stands among the runs: which of them it is like, and how far off those were predicted.
[[nodiscard]] QString standingHtml(const QString &plan, const validation::PredictionRange &range);

} // namespace fleetwright::app
