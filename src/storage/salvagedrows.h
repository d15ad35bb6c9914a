// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/database.h"

#include <map>
#include <set>
#include <vector>

/// The rows of a damaged project brought into tables of this version, with what is known of each.
namespace fleetwright::storage {

struct SalvagedRows {
    std::shared_ptr<Database> database; ///< in memory, in the format of this version, without foreign keys kept
    /// (table, id of a catalog item or key of a row) of rows that differ from their digest, or that had a value of a
    /// wrong kind.
    std::set<std::pair<QString, QString>> doubtful;
    std::map<QString, std::size_t> lost; ///< rows by table
    std::vector<std::string> sentences;
};

[[nodiscard]] Expected<SalvagedRows> salvageRows(const QByteArray &file, const QString &path);

} // namespace fleetwright::storage
