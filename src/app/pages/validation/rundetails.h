// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/breakdown.h"

#include <QString>

namespace fleetwright::app {

/// Links within the texts: "run:12" is Validation::runs[12]; everything else is an address on the web.
inline constexpr auto runLink = "run";

/// Everything that is known about one scored run: measured and predicted times beside the range that was made without
/// its source, the explanation, the parts of the prediction, what the source states, and where to read it. `newSite`:
/// of the validation; nullptr: there are no ranges.
[[nodiscard]] QString runHtml(const validation::ScoredFile &file, const validation::Validation &validation,
    const validation::NewSite *newSite, std::size_t row);

/// The largest misses, explained one after another.
[[nodiscard]] QString missesHtml(const validation::ScoredFile &file, const validation::Validation &validation);

} // namespace fleetwright::app
