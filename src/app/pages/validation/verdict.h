// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/breakdown.h"
#include "solver/validation/steprange.h"

#include <QString>

namespace fleetwright::app {

/// What the page is opened for: a sentence with the error at a site that nobody has measured, `standing`, and from
/// which runs and sources that is known, how many lie in their ranges, and how well the model fits the runs that it was
/// fitted to. Says so where no error on sources left out is known.
[[nodiscard]] QString verdictHtml(
    const validation::ScoredFile &file, const std::string &modelId, const QString &runs, const QString &standing = {});

/// Where a plan stands among the runs: which of them it is like, and how far off those were predicted.
[[nodiscard]] QString standingHtml(const QString &plan, const validation::PredictionRange &range);

} // namespace fleetwright::app
