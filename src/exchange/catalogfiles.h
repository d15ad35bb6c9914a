// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

#include <nlohmann/json_fwd.hpp>

namespace fleetwright::exchange {

/// One catalog file as shipped (`schema`, `sources`, `items`) added to the catalog. Refuses unknown fields and wrong
/// types with "items[3].memory_capacity_bytes"; references between files are left to Catalog::checkAll.
[[nodiscard]] Expected<void> readCatalogFile(std::string_view json, CatalogKind kind, bool shipped, Catalog &into);

/// One record as in the files: nested objects restored, unknown fields null, integers without a point.
[[nodiscard]] nlohmann::ordered_json recordToJson(const CatalogRecord &record);
/// Inverse. Absent fields are unknown.
[[nodiscard]] Expected<CatalogRecord> recordFromJson(
    const nlohmann::ordered_json &json, CatalogKind kind, const std::string &path);

} // namespace fleetwright::exchange
