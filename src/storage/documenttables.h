// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/database.h"
#include "storage/project.h"

/// Plans, fleets and results in their tables.
namespace fleetwright::storage {

/// In the user's order. A document that cannot be read back becomes an entry of `faults` ("plans/Name.parallelism.tp") and is left out.
[[nodiscard]] Expected<std::vector<SavedPlan>> readPlans(const Database &database, std::vector<Error> &faults);
[[nodiscard]] Expected<std::vector<SavedFleet>> readFleets(const Database &database, std::vector<Error> &faults);

/// Inserts, updates or restores the row; returns its id. Refuses what could not be read back, with the field of the document.
[[nodiscard]] Expected<RowId> writePlan(Database &database, const SavedPlan &plan);
[[nodiscard]] Expected<RowId> writeFleet(Database &database, const SavedFleet &fleet);

/// UnknownReference when there is no such row.
[[nodiscard]] Expected<void> erasePlan(Database &database, RowId id);
[[nodiscard]] Expected<void> eraseFleet(Database &database, RowId id);

[[nodiscard]] Expected<std::optional<SavedResult>> readResult(const Database &database, RowId plan);
[[nodiscard]] Expected<void> writeResult(Database &database, RowId plan, const SavedResult &result);

} // namespace fleetwright::storage
