// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/publishedchoices.h"

#include <nlohmann/json_fwd.hpp>

namespace fleetwright::exchange {

/// As `fleetwright-cli validate --published-choices --format json` prints it; times in seconds, memory in bytes, shares
/// as fractions:
///     {"published_choices": [{"id", "title", "published", "remarks", "limits", "measured_step_time_s", "layout": row,
///     "fits",
///       "software": {"rank", "top_share", "feasible_share", "split_rank", "splits", "counts", "best": row or null},
///       "everything": likewise, "beyond_memory": {"rank", "layout": row}, "gain", "reasons": [sentences]}]}
/// Rows and counts as in the answer of a search. What does not apply is absent.
[[nodiscard]] nlohmann::ordered_json publishedChoicesToJson(const std::vector<validation::PublishedScore> &scores);

} // namespace fleetwright::exchange
