// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/breakdown.h"

#include <QString>

namespace fleetwright::app {

/// What a cost model is worth on the runs that are called `runs`, the figure that counts first: the error on sources
/// left out, how far the ranges hold, then the error of the constants as they are. Says so where no left-out error is
/// known, and why where the model scored none; empty where it was not asked.
[[nodiscard]] QString verdictHtml(const validation::ScoredFile &file, const std::string &modelId, const QString &runs);

} // namespace fleetwright::app
