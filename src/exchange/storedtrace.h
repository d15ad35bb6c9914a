// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/limits.h"

#include <string_view>
#include <vector>

namespace fleetwright::exchange {

/// The lines of the constraint trace in what storedText() wrote; dimensions are not read. Empty where the text cannot
/// be read.
[[nodiscard]] std::vector<TraceEntry> storedTraceFromText(std::string_view text);

} // namespace fleetwright::exchange
