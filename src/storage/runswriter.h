// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/documenttables.h"

#include <span>

/// Measured runs, which come by the hundred thousand.
namespace fleetwright::storage {

struct RunToWrite {
    RowId id = 0; ///< 0: a new row
    const validation::MeasuredRun *run = nullptr;
};

/// Writes the runs; returns their ids. Without `prepared` their texts are made on another thread meanwhile. Call inside
/// a transaction.
[[nodiscard]] Expected<std::vector<RowId>> writeRuns(Database &database, std::span<const RunToWrite> runs,
    const Watching &watching, const PreparedRuns *prepared = nullptr);

/// Refuses where a project of `present` runs would get more than mostProjectRuns.
[[nodiscard]] Expected<void> checkRoom(const Expected<std::size_t> &present, std::size_t added);

} // namespace fleetwright::storage
