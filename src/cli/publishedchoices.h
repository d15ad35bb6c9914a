// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/output.h"

namespace fleetwright::cli {

/// Ranks the published layouts in their own search spaces and prints where they stand: the work of `validate
/// --published-choices`.
[[nodiscard]] ExitStatus rankPublishedChoices(Format format);

} // namespace fleetwright::cli
