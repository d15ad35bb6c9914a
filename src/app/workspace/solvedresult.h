// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/solvejob.h"
#include "storage/project.h"

namespace fleetwright::app {

/// What the project keeps of an answer, stamped with the present time; nothing when the plan was refused.
[[nodiscard]] std::optional<storage::SavedResult> toSavedResult(const jobs::SolveOutcome &outcome);

} // namespace fleetwright::app
