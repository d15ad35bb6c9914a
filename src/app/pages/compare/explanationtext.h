// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/comparison.h"

#include <QString>

namespace fleetwright::app {

/// Schemes of the links in an explanation: another figure of the same column, a catalog item ("nodes/nvidia_dgx_h100"),
/// the way back, and what the models leave out.
inline constexpr auto figureLink = "figure";
inline constexpr auto recordLink = "record";
inline constexpr auto backLink = "back";
inline constexpr auto explainLink = "explain"; ///< the figure that is explained down to prices and rates
inline constexpr auto limitsLink = "limits";

/// How a figure of one column came about, as HTML: value, formula, every input with value, unit and origin, source,
/// model and version. Why there is none where the model gives none. `back` names the figure from which a link was
/// followed; empty: none.
[[nodiscard]] QString explanationHtml(
    const Comparison &comparison, std::size_t column, const QString &key, const QString &back, const Catalog &catalog);

/// What the chosen models leave out: title, version, literature and limitations of each.
[[nodiscard]] QString limitationsHtml(const std::vector<std::string> &modelIds);

} // namespace fleetwright::app
