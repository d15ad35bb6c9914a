// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogimport.h"

#include <nlohmann/json_fwd.hpp>

namespace fleetwright::exchange {

inline constexpr std::size_t longestCatalogFile = 64UZ * 1024 * 1024; ///< bytes

/// What a file holds for the catalogs: items with their sources, and those that are no items, each with its place
/// ("items[3].tdp_w", "line 4") and the reason. References are not looked up.
struct CatalogFile {
    CatalogItems items;
    std::vector<RefusedItem> refused;
};

/// A file of one catalog in the form of the shipped ones (`schema`, `sources`, `items`; it may name its `catalog`), or
/// of several (`catalogs`, one such object for each). `kind` is that of a file which names none, MissingField where
/// there is none either; another one than it names is UnsupportedValue. What is wrong with the file as a whole refuses
/// it, and so do its sources.
[[nodiscard]] Expected<CatalogFile> catalogFileFromJson(std::string_view json, std::optional<CatalogKind> kind);

/// The same where it is such a file and no document: an object with `items` or `catalogs`; else nothing. Of no more
/// than longestDocument bytes it may be written in YAML. `otherwise` is the kind of a file that names none; one that
/// does may be of any.
[[nodiscard]] std::optional<Expected<CatalogFile>> catalogFileIfOne(
    std::string_view text, std::optional<CatalogKind> otherwise);

/// A table of one catalog: the first line names the fields as files do (`id`, `name`, `notes`), cells are typed as in
/// forms, with any unit. Sources have no place in it.
[[nodiscard]] Expected<CatalogFile> catalogFileFromCsv(std::string_view csv, CatalogKind kind);

/// Which items are written.
enum class ItemsToWrite { All, Own };

/// One catalog as its shipped file has it, several as one object; only sources that items cite.
[[nodiscard]] std::string catalogFileToJson(
    const Catalog &catalog, std::span<const CatalogKind> kinds, ItemsToWrite items = ItemsToWrite::All);
/// Some items of one catalog as YAML, with the sources that they cite; catalogFileIfOne() reads it.
[[nodiscard]] std::string catalogItemsToYaml(
    const Catalog &catalog, CatalogKind kind, const std::vector<const CatalogRecord *> &items);
/// What catalogFileFromCsv() reads, RFC 4180. A text that a spreadsheet would run as a formula (text/formulaguard.h) is
/// preceded by an apostrophe, which is taken off again.
[[nodiscard]] std::string catalogFileToCsv(
    const Catalog &catalog, CatalogKind kind, ItemsToWrite items = ItemsToWrite::All);

/// One catalog file as shipped (`schema`, `sources`, `items`) added to the catalog. Refuses unknown fields and wrong
/// types with "items[3].memory_capacity_bytes"; references between files are left to Catalog::checkAll.
[[nodiscard]] Expected<void> readCatalogFile(std::string_view json, CatalogKind kind, bool shipped, Catalog &into);

/// One record as in the files: nested objects restored, unknown fields null, integers without a point.
[[nodiscard]] nlohmann::ordered_json recordToJson(const CatalogRecord &record);
/// Inverse. Absent fields are unknown.
[[nodiscard]] Expected<CatalogRecord> recordFromJson(
    const nlohmann::ordered_json &json, CatalogKind kind, const std::string &path);

} // namespace fleetwright::exchange
