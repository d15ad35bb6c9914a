// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/breakdown.h"

#include <QString>

namespace fleetwright::app {

/// Links within the texts: "run:12" is Validation::runs[12]; everything else is an address on the web.
inline constexpr auto runLink = "run";

/// How well a cost model predicted the runs that are called `runs`, in a sentence; why, where it scored none; empty
/// where it was not asked.
[[nodiscard]] QString verdictHtml(const validation::ScoredFile &file, const std::string &modelId, const QString &runs);

/// Everything that is known about one scored run: predicted and measured figures, the parts of the prediction, the
/// explanation, what the source states, and where to read it.
[[nodiscard]] QString runHtml(
    const validation::ScoredFile &file, const validation::Validation &validation, std::size_t row);

/// The largest misses, explained one after another.
[[nodiscard]] QString missesHtml(const validation::ScoredFile &file, const validation::Validation &validation);

} // namespace fleetwright::app
